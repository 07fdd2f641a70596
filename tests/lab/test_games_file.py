"""Games on file: what is in them, and that nothing is lost or doubled, whenever one stops."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from quartermaster import BrokenFile, Game, QuartermasterError, play_match
from quartermaster.cli.main import app
from quartermaster.lab.games import row_of, row_of_record
from quartermaster.lab.games_file import GamesFile, read_games, write_parquet
from quartermaster.lab.ratings import mean
from quartermaster.lab.simulate import Series, Tally, simulate_many

runner = CliRunner()


def run(*arguments: str, code: int = 0) -> str:
    result = runner.invoke(app, ["simulate", *arguments], env={"COLUMNS": "200"})
    assert result.exit_code == code, result.output
    return result.output


def rows_of(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_row_tells_the_game_its_result_and_its_turns(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    told = json.loads(run("-n", "3", "--seed", "5", "--out", str(path), "--json", "-k", "1"))
    rows = rows_of(path)
    assert [(row["game"], row["seed"]) for row in rows] == [(0, 5), (1, 6), (2, 7)]
    assert told["games"] == 3
    assert told["mean_rounds"] == round(sum(row["rounds"] for row in rows) / 3, 2)
    for row in rows:
        game = Game.from_record(row["record"])
        assert row["winner"] == game.winner
        assert row["score"] == game.score == row["turns"][-1]["vp"]
        assert row["rounds"] == game.state.round == row["turns"][-1]["round"]
        assert row["decisions"] == len(game.history)
        assert (row["bots"], row["faults"]) == (["random", "random"], 0)
        turns = [entry for entry in game.events if entry.what == "turn"]
        assert len(row["turns"]) == len(turns)
        cards = [card for turn in row["turns"] for card in turn["cards"]]
        assert cards == [
            {"country": action.country, "verb": action.verb, "card": action.card}
            for action in game.history
            if action.verb in ("play", "use")
        ]
        first = row["turns"][0]
        assert (first["round"], first["turn"], len(first["hand"])) == (1, "germany", 6)
        assert row_of_record(row["record"], "a record", row["game"]) == {**row, "bots": []}


def test_points_and_pieces_of_a_turn_are_those_of_a_replay() -> None:
    """Against the views that people get at the first decision of the next turn."""
    row = row_of(play_match(["rookie"], seed=2), 0, ["rookie"])
    again = Game.new("second", seed=2, seats=2)
    at = 0
    for action in play_match(["rookie"], seed=2).game.history:
        turns = sum(entry.what == "turn" for entry in again.events)
        if turns > at + 1:  # turn number `at` is over
            view = again.view(None)
            told = row["turns"][turns - 2]
            assert told["vp"] == view.score
            for place, side in enumerate(view.countries.values()):
                assert told["armies"][place] == len(side.armies)
                assert told["navies"][place] == len(side.navies)
                assert told["hand"][place] == side.hand_size
                assert told["deck"][place] == side.deck_size
            at = turns - 1
        again.apply(action)
    assert at > 50


def test_workers_and_stops_leave_the_same_bytes(tmp_path: Path) -> None:
    whole, parallel, cut = (tmp_path / f"{name}.jsonl" for name in ("whole", "parallel", "cut"))
    wish = ["-n", "12", "--seed", "3", "--bots", "random,rookie", "--json"]
    told = run(*wish, "--out", str(whole), "-k", "1")
    assert told == run(*wish, "--out", str(parallel), "-k", "2")
    assert whole.read_bytes() == parallel.read_bytes()
    data = whole.read_bytes()
    ends = [i + 1 for i, byte in enumerate(data) if byte == 10]
    for length in (0, 1, 5, ends[2] - 1, ends[2], ends[2] + 9, len(data) - 1, len(data)):
        cut.write_bytes(data[:length])
        assert run(*wish, "--out", str(cut), "-k", "1") == told
        assert cut.read_bytes() == data, f"cut at {length}"


def test_a_run_that_is_killed_is_gone_on_with(tmp_path: Path) -> None:
    """kill -9 in mid-run, twice; then nothing is lost, nothing is doubled, and the file is the
    same, byte for byte."""
    path, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    wish = ["simulate", "-n", "40", "-k", "2", "--seed", "1", "--json"]
    command = [sys.executable, "-m", "quartermaster", *wish, "--out", str(path)]
    kept = 0
    for _ in range(2):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            size = path.stat().st_size if path.exists() else 0
            if size > kept + 30_000 or process.poll() is not None:
                break
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        kept = path.stat().st_size
    assert 0 < path.read_bytes().count(b"\n") < 40
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == run(*wish[1:], "--out", str(whole))
    assert path.read_bytes() == whole.read_bytes()


def test_more_games_go_on_from_fewer_and_fewer_are_read(tmp_path: Path) -> None:
    path, whole = tmp_path / "games.jsonl", tmp_path / "whole.jsonl"
    run("-n", "3", "--out", str(path))
    run("-n", "6", "--out", str(path))
    told = run("-n", "6", "--out", str(whole), "--json")
    assert path.read_bytes() == whole.read_bytes()
    assert run("-n", "6", "--out", str(path), "--json") == told
    few = json.loads(run("-n", "2", "--out", str(path), "--json"))
    assert few["games"] == 2
    assert path.read_bytes() == whole.read_bytes(), "nothing is cut away"


def test_a_file_of_other_games_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    run("-n", "2", "--out", str(path))
    before = path.read_bytes()
    for wish, expected in (
        (["--seed", "1"], "it holds other games: seed is 0, not 1"),
        (["--rules", "first"], "it holds other games: rules is 'second', not 'first'"),
        (["--bots", "rookie"], "bots is ['random', 'random'], not ['rookie', 'rookie']"),
        (["--players", "3"], "it holds other games: seats is"),
    ):
        assert expected in run("-n", "4", "--out", str(path), *wish, code=2)
        assert path.read_bytes() == before
    for text in ("hello\n", "hello", "[]\n", '{"game": 0}\n', "[" * 10**5 + "\n"):
        path.write_text(text)
        assert str(path) in run("-n", "4", "--out", str(path), code=2)
        assert path.read_text() == text
    assert "expected a file that ends in .jsonl or .parquet" in run("--out", "x.csv", code=2)
    assert "there is no folder" in run("--out", str(tmp_path / "no" / "x.jsonl"), code=2)


def test_parquet_holds_the_same_and_is_whole_or_not_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines, path = tmp_path / "games.jsonl", tmp_path / "games.parquet"
    told = run("-n", "5", "--out", str(lines), "--json")
    assert run("-n", "5", "--out", str(path), "--json") == told
    assert list(read_games([path])) == list(read_games([lines])) == rows_of(lines)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["games.jsonl", "games.parquet"]
    whole = path.read_bytes()
    # One that was cut off: its games lie beside it, and it is gone on with.
    path.unlink()
    beside = tmp_path / "games.parquet.jsonl"
    beside.write_bytes(b"".join(lines.read_bytes().splitlines(keepends=True)[:2]) + b'{"ga')
    run("-n", "5", "--out", str(path))
    assert path.read_bytes() == whole
    assert not beside.exists()
    # A whole one is gone on with too.
    run("-n", "7", "--out", str(path))
    assert [row["game"] for row in read_games([path])] == list(range(7))
    path.write_bytes(b"PAR1 nothing")
    assert "no Parquet" in run("-n", "7", "--out", str(path), code=2)


def test_parquet_without_pyarrow_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    told = run("--out", str(tmp_path / "x.parquet"), code=2)
    assert "pip install 'quartermaster-game[data]'" in told


def test_a_folder_of_games_and_records_is_read(tmp_path: Path) -> None:
    run("-n", "2", "--out", str(tmp_path / "a.jsonl"))
    game = play_match(["random"], seed=9).game
    (tmp_path / "b.txt").write_text(game.record)
    (tmp_path / "c.txt").write_text(Game.new(seed=1).record)  # not over
    assert [row["seed"] for row in read_games([tmp_path])] == [0, 1, 9]
    with pytest.raises(BrokenFile, match="there is no such file"):
        list(read_games([tmp_path / "gone"]))
    (tmp_path / "none").mkdir()
    with pytest.raises(BrokenFile, match=r"no \.jsonl, \.parquet or \.txt files"):
        list(read_games([tmp_path / "none"]))


def test_a_file_that_is_written_meanwhile_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    run("-n", "2", "--out", str(path))
    path.write_bytes(path.read_bytes()[:-100])
    assert [row["game"] for row in read_games([path])] == [0]


def test_intervals_on_all_that_is_printed() -> None:
    told = run("-n", "20", "-k", "1")
    data = json.loads(run("-n", "20", "-k", "1", "--json"))
    for team in ("axis", "allies"):
        low, high = data["intervals"]["mean_vp"][team]
        assert low < data["mean_vp"][team] < high
        assert f"{data['mean_vp'][team]:.1f} [{low:.1f}, {high:.1f}]" in told
        low, high = data["intervals"]["win_rate"][team]
        assert f"{100 * data['win_rate'][team]:.1f} [{100 * low:.1f}, {100 * high:.1f}]" in told
    low, high = data["intervals"]["mean_rounds"]
    assert f"{data['mean_rounds']:.1f} [{low:.1f}, {high:.1f}] rounds" in told
    one = json.loads(run("-n", "1", "--json"))
    assert one["intervals"]["mean_rounds"] is None, "one game tells of no spread"


def test_intervals_are_those_of_the_games() -> None:
    rounds = [play_match(["random"], seed=seed).rounds for seed in range(8)]
    tally = Tally()
    for part in simulate_many(Series(), games=8):
        tally.add(part)
    assert tally.mean_rounds == pytest.approx(mean([[one] for one in rounds]))


def test_ctrl_c_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.parquet"
    add = GamesFile.add

    def interrupt(self: GamesFile, lines: Any) -> None:
        add(self, lines)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(GamesFile, "add", interrupt)
        told = run("-n", "8", "-k", "1", "--out", str(path), code=130)
    assert "of 8 games" in told
    assert "The same command goes on" in told
    assert not path.exists()
    run("-n", "8", "-k", "1", "--out", str(path))
    assert [row["game"] for row in read_games([path])] == list(range(8))


def test_a_parquet_file_that_cannot_be_written_leaves_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.parquet"

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("quartermaster.lab.games_file.write_parquet", full)
        assert "No space left" in run("-n", "3", "--out", str(path), code=2)
    assert len(rows_of(tmp_path / "games.parquet.jsonl")) == 3
    with pytest.raises(QuartermasterError):
        write_parquet(path, read_games([tmp_path / "nothing"]))
    assert not path.exists()

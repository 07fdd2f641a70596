"""The command line, used as its users do."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quartermaster import Game
from quartermaster.cli.main import app
from quartermaster.core import running_core

SOURCE = Path(__file__).parents[2] / "src"
runner = CliRunner(env={"COLUMNS": "1000"})  # no path is wrapped, however long


def run(*arguments: str, stdin: str | None = None, code: int = 0) -> str:
    result = runner.invoke(app, list(arguments), input=stdin)
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize(
    ("arguments", "count"),
    [
        (["--rules", "second"], 220),
        (["--rules", "first"], 216),
        (["--rules", "french"], 216),
        (["--rules", "first", "--air-marshal"], 270),
        (["--rules", "french", "--air-marshal"], 270),
        (["--rules", "second", "--air-marshal"], 274),
        (["--rules", "second", "--country", "italy"], 30),
        (["--rules", "second", "--type", "status"], 41),
    ],
)
def test_cards_lists_every_card_with_its_copies(arguments: list[str], count: int) -> None:
    cards = json.loads(run("cards", *arguments, "--json"))
    assert sum(card["copies"] for card in cards) == count
    assert all(card["text"] for card in cards)


def test_cards_for_people() -> None:
    assert "Blitzkrieg" in run("cards", "--country", "germany")


def test_board_has_borders_with_straits_shut_and_straits_apart() -> None:
    board = json.loads(run("board", "--rules", "second", "--json"))
    borders = {frozenset(border) for border in board["borders"]}
    assert len(board["spaces"]) == 53
    assert frozenset(("africa", "bay-of-bengal")) in borders
    assert frozenset(("north-sea", "baltic-sea")) not in borders
    assert {"controlled_from": "scandinavia", "joins": ["north-sea", "baltic-sea"]} in (
        board["straits"]
    )
    first = json.loads(run("board", "--rules", "first", "--json"))
    assert ["africa", "bay-of-bengal"] not in first["borders"]
    assert "mediterranean-sea" in run("board")


def test_rules_lists_sets_and_options_and_compares_them() -> None:
    listed = json.loads(run("rules", "--json"))
    assert [rule_set["name"] for rule_set in listed] == ["first", "french", "second"]
    assert "Reallocate Resources" in run("rules")
    compared = json.loads(run("rules", "--compare", "first", "second", "--json"))
    names = {card["name"] for card in compared["cards"]}
    assert {"Wolf Packs", "Enigma", "Guadalcanal"} <= names
    assert "Blitzkrieg" not in names
    rules = {row["rule"] for row in compared["rules"]}
    assert "discarding off an empty deck" in rules
    assert {"border": ["africa", "bay-of-bengal"], "first": False, "second": True} in (
        compared["borders"]
    )
    assert len(compared["borders"]) == 4
    told = run("rules", "--compare", "first", "second")
    assert "Wolf Packs" in told
    assert "Border only in first: madagascar - southern-ocean" in told
    same = json.loads(run("rules", "--compare", "first", "french", "--json"))
    assert same["cards"] == []
    assert [row["rule"] for row in same["rules"]] == [
        "armies in 2 enemy home spaces, or 400 VP",
        "30 VP ahead at the end of a round",
        "Reallocate Resources",
        "a status card put down",
        "taking own pieces off the board",
        "score shown as",
    ]


def test_simulate_gives_the_same_games_whatever_the_workers() -> None:
    one = json.loads(run("simulate", "-n", "8", "--seed", "3", "--workers", "1", "--json"))
    two = json.loads(run("simulate", "-n", "8", "--seed", "3", "--workers", "2", "--json"))
    assert one == two
    assert one["games"] == 8
    assert sum(one["win_rate"].values()) == pytest.approx(1)
    assert "Win rate" in run("simulate", "-n", "2", "--workers", "1")


def test_scenario_says_what_was_expected_and_what_came(tmp_path: Path) -> None:
    good = tmp_path / "good.yaml"
    good.write_text("name: nothing yet\nscript: [{expect: {score: [0, 0]}}]\n")
    assert "1 of 1 scenarios passed" in run("scenario", str(good))
    bad = tmp_path / "bad.yaml"
    bad.write_text("name: wrong\nscript:\n  - expect: {score: [5, 0]}\n")
    told = run("scenario", str(bad), code=1)
    assert "expected 5 VP for the axis" in told
    assert "found    0" in told
    data = json.loads(run("scenario", str(bad), "--json", code=1))
    assert data[0]["failures"][0]["line"] == 3


def test_scenario_folders_run_whole_whatever_is_broken_in_them(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: [")
    (tmp_path / "b.yml").write_text("name: fine\nscript: [{expect: {score: [0, 0]}}]\n")
    told = run("scenario", str(tmp_path), code=2)
    assert "a.yaml, line 1: no YAML" in told
    assert "1 of 2 scenarios passed" in told
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "no scenario files" in run("scenario", str(empty), code=2)


def test_replay_keeps_to_what_the_viewer_may_know(tmp_path: Path) -> None:
    """Whose reaction is awaited would tell that a usable card lies there."""
    game = Game.from_position(
        {
            "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["ukraine"]},
            "hand": {"germany": ["land-battle"]},
            "set": {"soviet-union": ["stalingrad"]},
        }
    )
    game.apply("play land-battle")
    game.apply("battle ukraine")
    path = tmp_path / "game.txt"
    path.write_text(game.record)
    assert "waiting for soviet-union react" in run("replay", str(path))
    assert "waiting for a reaction" in run("replay", str(path), "--as", "germany")
    data = json.loads(run("replay", str(path), "--as", "germany", "--json"))
    assert data["decision"] == "a reaction"
    assert "stalingrad" not in json.dumps(data)


def test_replay_tells_a_record(tmp_path: Path) -> None:
    game = Game.new("second", seed=4, seats=2)
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
    path = tmp_path / "game.txt"
    path.write_text(game.record)
    told = run("replay", str(path))
    assert f"the {game.winner} won" in told
    data = json.loads(run("replay", str(path), "--json", "--to", "5", "--as", "germany"))
    assert data["actions"] == 5
    assert data["view"]["countries"]["italy"]["hand"] is None


def test_bench_and_fuzz_run() -> None:
    figures = json.loads(run("bench", "-n", "2", "--json"))
    assert figures["games_per_second"] > 0
    both = json.loads(run("bench", "-n", "1", "--beside", str(SOURCE), "--json"))
    assert both.keys() == {"compiled" if running_core() else "interpreted"}
    assert "no quartermaster package" in run("bench", "--beside", "/nowhere", code=2)
    found = json.loads(run("fuzz", "--seconds", "1", "--seed", "1", "--json"))
    assert found["games"] > 0
    assert found["findings"] == []


def test_a_finding_is_written_as_a_record_that_reloads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def complain(game: Game) -> list[str]:
        return ["the sky is green"] if len(game.history) == 9 else []

    monkeypatch.setattr("quartermaster.lab.checks.fuzz.check_invariants", complain)
    run("fuzz", "--seconds", "0.2", "--rules", "second", "--out", str(tmp_path), code=1)
    path = sorted(tmp_path.iterdir())[0]
    assert "# the sky is green" in path.read_text()
    assert len(Game.from_record(path.read_text()).history) == 9


def test_play_says_what_to_do_with_a_broken_save(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    record.write_text("quartermaster record 1\nrules: second\nseed: 1\n\ngermany: fly\n")
    assert "--new" in run("play", "--record", str(record), code=2)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["cards", "--rules", "secnd"], "did you mean second"),
        (["cards", "--country", "germny"], "did you mean germany"),
        (["simulate", "--bots", "rndom"], "did you mean random"),
        (["cards", "--type", "airplane"], "expected build-army or build-navy or land-battle"),
        (["simulate", "--option", "reallocate=maybe"], "NAME=on or NAME=off"),
        (["rules", "--compare", "first", "secon"], "did you mean second"),
        (["scenario", "/nowhere.yaml"], "cannot be read"),
        (["replay", "/nowhere.txt"], "cannot be read"),
    ],
)
def test_bad_input_gets_one_clear_line(arguments: list[str], expected: str) -> None:
    assert expected in run(*arguments, code=2)


def test_play_goes_on_where_it_was_left(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    first = run(
        "play", "--as", "germany", "--seed", "5", "--record", str(record),
        stdin="1\n99\nnonsense\nb\nh\nt\nl\ns\nr\n?\n1\nu\n1\n1\nq\n",
    )  # fmt: skip
    assert "A number from 1 to" in first
    assert "'nonsense' is not legal now" in first
    assert "Undone" in first
    assert "Saved in" in first
    again = run("play", "--record", str(record), stdin="q\n")
    assert "you play Germany" in again
    assert record.read_text().startswith("quartermaster record 2")


def test_play_asks_again_for_countries_it_does_not_know(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    told = run("play", "--record", str(record), stdin="itly\ngermany,moscow\nitaly\nq\n")
    assert "did you mean italy" in told
    assert "you play Italy" in told
    assert not (tmp_path / "other.txt").exists()
    run("play", "--record", str(tmp_path / "other.txt"), stdin="q\n")
    assert not (tmp_path / "other.txt").exists()
    assert "one team" in run("play", "--as", "italy,japan,united-states", "--new", code=2)


def test_play_overwrites_nothing(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    run("play", "--as", "axis", "--seed", "1", "--record", str(record), stdin="1\n1\nq\n")
    before = record.read_text()
    told = run("play", "--as", "italy", "--new", "--record", str(record), stdin="q\n")
    assert "is kept in" in told
    assert (tmp_path / "game-1.txt").read_text() == before
    record.write_text("hello")
    run("play", "--as", "italy", "--new", "--record", str(record), stdin="q\n")
    assert (tmp_path / "game-2.txt").read_text() == "hello"


def test_play_asks_before_it_goes_on_with_another_game_than_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quartermaster.cli.play.data_folder", lambda: tmp_path)
    run("play", "--as", "italy", "--seed", "1", stdin="q\n")
    told = run("play", stdin="\nq\n")
    assert "There is an unfinished game: rules second, you play Italy; round 1" in told
    assert "<Game" not in told
    assert "you play Italy against bots (veteran)" in told
    for wish in (["--air-marshal"], ["--rules", "first"], ["--as", "japan"], ["--seed", "2"]):
        told = run("play", *wish, stdin="y\nq\n")
        assert "It is another than you ask for (" in told
        assert "you play Italy" in told
    told = run("play", "--as", "japan", "--air-marshal", stdin="\nq\n")
    assert "It is another than you ask for (air-marshal on, --as japan)." in told
    assert "is kept in" in told
    assert "you play Japan" in told
    assert "with Air Marshal, you play Japan" in run("play", stdin="y\nq\n")


def test_play_refuses_bad_arguments_before_it_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quartermaster.cli.play.data_folder", lambda: tmp_path)
    run("play", "--as", "italy", "--seed", "1", stdin="q\n")
    for wish, expected in (
        (["--bots", "vetran"], "did you mean veteran"),
        (["--as", "itly"], "did you mean italy"),
        (["--rules", "secnd"], "did you mean second"),
        (["--option", "flying=on"], "flying"),
    ):
        told = run("play", *wish, code=2)
        assert expected in told
        assert "unfinished" not in told


def test_play_says_when_the_saved_game_is_another(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    run("play", "--as", "axis", "--seed", "1", "--record", str(record), stdin="q\n")
    for wish in (["--rules", "french"], ["--as", "italy"], ["--seed", "2"], ["--air-marshal"]):
        told = run("play", "--record", str(record), *wish, code=2)
        assert "--new" in told
        assert "<Game" not in told
    told = run("play", "--record", str(record), "--as", "axis", stdin="q\n")
    assert f"--record {record}" in told


def test_a_place_that_cannot_be_written_is_an_error_not_a_traceback(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    arguments = ["play", "--as", "italy", "--record", str(blocked / "game.txt")]
    assert "error:" in run(*arguments, stdin="q\n", code=2)
    assert "error:" in run("fuzz", "--seconds", "0", "--out", str(blocked), code=2)


def test_fuzzing_that_finds_nothing_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "findings"
    run("fuzz", "--seconds", "0.1", "--out", str(folder))
    assert list(tmp_path.iterdir()) == []


COMPLETED = [
    (["cards", "--rules"], "s", ["second"]),
    (["cards", "--country"], "united-", ["united-kingdom", "united-states"]),
    (["cards", "--type"], "land", ["land-battle"]),
    (["play", "--bots"], "r", ["random", "rookie", "regular"]),
    (["play", "--as"], "a", ["axis", "allies"]),
    (["play", "--option"], "air", ["air-marshal=on", "air-marshal=off"]),
    (["arena", "--bots"], "veteran,s", ["veteran,seasoned"]),
    (["arena", "--rules"], "first,f", ["first,french"]),
    (["simulate", "--bots"], "random,v", ["random,veteran"]),
    (["replay", "--as"], "it", ["italy"]),
]


@pytest.mark.parametrize(("words", "begun", "expected"), COMPLETED)
def test_a_shell_completes_values(words: list[str], begun: str, expected: list[str]) -> None:
    """As bash asks for it."""
    line = ["quartermaster", *words, begun]
    environ = {
        "_QUARTERMASTER_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(line),
        "COMP_CWORD": str(len(line) - 1),
    }
    result = runner.invoke(app, [], prog_name="quartermaster", env=environ)
    assert result.output.split() == expected


def test_a_terminal_has_arrow_keys(tmp_path: Path) -> None:
    """In a real terminal: the arrow up brings the last line back."""
    pytest.importorskip("readline")
    pty = pytest.importorskip("pty")
    command = [sys.executable, "-m", "quartermaster", "play", "--as", "germany", "--seed", "5"]
    ours, theirs = pty.openpty()
    os.write(ours, b"nonsense\n\x1b[A\nq\n")
    with subprocess.Popen(
        [*command, "--record", str(tmp_path / "game.txt")], stdin=theirs, stdout=theirs,
        stderr=theirs, env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    ) as process:  # fmt: skip
        os.close(theirs)
        told = b""
        with contextlib.suppress(OSError):  # so a terminal ends whose last user is gone
            while part := os.read(ours, 4096):
                told += part
        assert process.wait(30) == 0
    os.close(ours)
    assert told.count(b"'nonsense' is not legal now") == 2
    assert b"Saved in" in told


def test_play_a_whole_game(tmp_path: Path) -> None:
    """Someone who always takes the first choice reaches the end."""
    record = tmp_path / "game.txt"
    told = run("play", "--as", "axis", "--seed", "1", "--record", str(record), stdin="1\n" * 3000)
    assert "win[/]" not in told
    assert "win, Axis" in told
    assert Game.from_record(record.read_text()).is_over

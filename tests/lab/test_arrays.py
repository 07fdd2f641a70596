"""Games as arrays: each row is what the country knew, might have done, and did."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from quartermaster import Game, QuartermasterError, play_match
from quartermaster.cli.main import app
from quartermaster.lab.games import Row, row_of, row_of_record

np = pytest.importorskip("numpy", reason="numpy is not installed (the extra `lab`)")

from quartermaster.lab.arrays import arrays_of  # noqa: E402
from quartermaster.lab.env import observation_of  # noqa: E402
from quartermaster.rules.names import COUNTRIES  # noqa: E402

runner = CliRunner()


def run(*arguments: str, code: int = 0) -> str:
    result = runner.invoke(app, list(arguments), env={"COLUMNS": "200"})
    assert result.exit_code == code, result.output
    return result.stdout if code == 0 else result.output


def test_each_row_is_a_decision_of_the_game(tmp_path: Path) -> None:
    path, out = tmp_path / "games.jsonl", tmp_path / "x.npz"
    run("simulate", "-n", "2", "--bots", "rookie,random", "--out", str(path))
    told = json.loads(run("arrays", str(path), "--out", str(out), "--json"))
    data: Any = np.load(out)
    assert told == [{"file": str(out), "decisions": len(data["action"])}]
    about = json.loads(str(data["about"]))
    known = observation_of("second")
    assert about["rules"] == "second"
    assert about["actions"] == known.rules.numbering.size
    assert set(about["fields"]) == set(known.fields)
    at = 0
    for line in path.read_text().splitlines():
        row = json.loads(line)
        end = Game.from_record(row["record"])
        game, record = Game.begin_record(row["record"])
        for _ in game.follow(record):
            country = game.decides[0]
            assert COUNTRIES[data["country"][at]] == country
            assert (data["observation"][at] == known.of(game, country)).all()
            legal = data["legal"][data["legal_start"][at] : data["legal_start"][at + 1]]
            numbering = game.state.rules.numbering
            assert [numbering.code(int(number)) for number in legal] == game.state.options
            assert data["action"][at] in legal
            done = end.history[len(game.history)]
            assert numbering.code(int(data["action"][at])) == done.code
            assert data["game"][at] == row["game"]
            assert data["round"][at] == game.state.round
            is_axis = country in ("germany", "japan", "italy")
            assert data["reward"][at] == (1 if (row["winner"] == "axis") == is_axis else -1)
            lead = row["score"]["axis"] - row["score"]["allies"]
            assert data["lead"][at] == (lead if is_axis else -lead)
            at += 1
    assert at == len(data["action"]) == len(data["observation"])
    assert data["observation"].dtype == np.int16


def test_a_folder_gets_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, out = tmp_path / "games.jsonl", tmp_path / "arrays"
    run("simulate", "-n", "5", "--out", str(path))
    monkeypatch.setattr("quartermaster.lab.arrays.write_arrays.__defaults__", (2,))
    told = json.loads(run("arrays", str(path), "--out", str(out), "--json"))
    assert [Path(one["file"]).name for one in told] == ["00000.npz", "00001.npz", "00002.npz"]
    games = [sorted(set(np.load(one["file"])["game"].tolist())) for one in told]
    assert games == [[0, 1], [2, 3], [4]]


def test_what_cannot_be_made_is_told(tmp_path: Path) -> None:
    rows: list[Row] = [
        row_of(play_match(["random"], rules, seed=1), 0, ["random"])
        for rules in ("second", "first")
    ]
    with pytest.raises(QuartermasterError, match="make arrays of each rule set by itself"):
        arrays_of(rows)
    with pytest.raises(QuartermasterError, match="there are no games"):
        arrays_of([])
    game = Game.new("second", seed=3)
    while not game.is_over:
        for country in COUNTRIES:
            if game.removals(country) and len(game.history) == 40:
                game.apply(str(game.removals(country)[0]), country=country)
                break
        else:
            game.apply(game.legal_actions()[-1])
    row = row_of_record(game.record, "a record", 0)
    assert row is not None
    arrays = arrays_of([row])
    assert len(arrays["action"]) == len(arrays["country"]) == len(game.history) - 1
    assert "ends in .npz, or a folder" in run("arrays", "x", "--out", "x.csv", code=2)

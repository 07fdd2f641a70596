"""The arena: fair games between bots, results that outlast a stop, honest intervals."""

import json
import pickle
import sys
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from quartermaster.bots import BOTS, levels
from quartermaster.bots.levels import Level, RandomBot
from quartermaster.cli.main import app
from quartermaster.errors import BrokenFile, QuartermasterError, UnknownName
from quartermaster.forms.notation import Action
from quartermaster.game import Game
from quartermaster.lab.arena import (
    Fixture,
    Played,
    ResultsFile,
    make_fixtures,
    play_all,
    play_fixture,
)
from quartermaster.lab.ratings import wilson
from quartermaster.lab.simulate import Series, simulate_many
from quartermaster.lab.standings import make_reports
from quartermaster.sight.look import Look

runner = CliRunner(env={"COLUMNS": "1000"})


class Lean(RandomBot):
    """Rather does something than not: better than chance alone."""

    faults = 2

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        bold = [action for action in actions if action.verb in ("play", "build", "battle", "use")]
        return bold[0] if bold else super().decide(look, actions)


@pytest.fixture
def lean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two more bots, while the test lasts; for one worker."""
    level = Level("lean", lambda seed, twice=0: Lean(seed), {"twice": int})
    monkeypatch.setitem(levels.BOTS, "lean", level)


def run(*arguments: str, code: int = 0) -> str:
    result = runner.invoke(app, ["arena", *arguments])
    assert result.exit_code == code, result.output
    return result.output


# .


def test_a_search_says_how_fast_it_was() -> None:
    fixture = make_fixtures(["general:nodes=1", "random"], [("second", {})], 1, seed=2)[0]
    played = play_fixture(fixture)
    axis = played.thinking["axis"]
    assert 0 < axis.simulations <= axis.decisions  # what to keep in hand is not searched
    assert axis.simulations_per_second > 0
    assert played.thinking["allies"].simulations == 0
    assert Played.from_dict(played.to_dict()).thinking["axis"].simulations == axis.simulations


def without_times(game: Played) -> dict[str, Any]:
    data = game.to_dict()
    for thinking in data["thinking"].values():
        del thinking["seconds"], thinking["slowest"], thinking["searching"]
    return data


# Games.


def test_both_sides_of_every_seed_are_played() -> None:
    fixtures = make_fixtures(["a", "b"], [("second", {}), ("first", {})], games=5, seed=7)
    sides = {(f.rules, f.seed, f.axis, f.allies) for f in fixtures}
    assert len(fixtures) == len(sides) == 2 * 6
    for rules in ("second", "first"):
        for seed in (7, 8, 9):
            assert {(rules, seed, "a", "b"), (rules, seed, "b", "a")} <= sides
    # Wherever one stops, at most one seed is half played.
    assert [f.seed for f in fixtures] == sorted(f.seed for f in fixtures)


def test_each_bot_meets_each_other_and_one_alone_itself() -> None:
    three = make_fixtures(["a", "b", "c"], [("second", {})], games=2)
    assert {frozenset((f.axis, f.allies)) for f in three} == {
        frozenset("ab"), frozenset("ac"), frozenset("bc"),
    }  # fmt: skip
    assert len(three) == 6
    for alone in (["a"], ["a", "a"]):
        fixtures = make_fixtures(alone, [("second", {})], games=3)
        assert [(f.seed, f.axis, f.allies) for f in fixtures] == [(s, "a", "a") for s in range(3)]


def test_options_that_mean_the_same_make_the_same_games() -> None:
    """Or a resumed run would play games anew."""
    said = make_fixtures(["a"], [("second", {"reallocate": True})], games=1)
    assert said == make_fixtures(["a"], [("second", {})], games=1)
    assert said != make_fixtures(["a"], [("second", {"air-marshal": True})], games=1)


def test_a_bot_plays_its_whole_team_with_the_cards_of_the_seed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dealt: dict[str, object] = {}

    class Spy(RandomBot):
        def decide(self, look: Look, actions: Sequence[Action]) -> Action:
            country = actions[0].country
            dealt.setdefault(country, look.view.countries[country].hand)
            return super().decide(look, actions)

    monkeypatch.setitem(levels.BOTS, "spy", Level("spy", Spy))
    spied = {}
    for fixture in make_fixtures(["spy", "random"], [("second", {})], games=2, seed=3):
        dealt.clear()
        play_fixture(fixture)
        spied[fixture.axis] = dict(dealt)
    assert spied["spy"].keys() == {"germany", "japan", "italy"}
    assert spied["random"].keys() == {"united-kingdom", "soviet-union", "united-states"}
    game = Game.new("second", seed=3)
    for country, hand in {**spied["spy"], **spied["random"]}.items():
        assert hand == game.view(country).countries[country].hand


def test_a_played_game_tells_what_happened() -> None:
    fixture = make_fixtures(["random"], [("second", {"air-marshal": True})], games=1, seed=11)[0]
    played = play_fixture(fixture)
    game = Game.new("second", seed=11, seats=2, options={"air-marshal": True})
    bots = {
        country: RandomBot(11 * 8 + index)
        for index, country in enumerate(game.look().view.countries)
    }
    decisions = 0
    first: dict[int, dict[str, int]] = {}  # the score at the first decision of each round
    last: dict[int, dict[str, int]] = {}  # and at its last
    while not game.is_over:
        first.setdefault(game.state.round, game.score)
        last[game.state.round] = game.score
        actions = game.legal_actions()
        game.apply(bots[actions[0].country].decide(game.look(actions[0].country), actions))
        decisions += 1
    assert played.winner == game.winner
    assert played.score == game.score
    assert played.length == decisions
    assert played.rounds == game.state.round == len(first)
    for team in ("axis", "allies"):
        line = played.vp[team]
        assert len(line) == played.rounds
        for number in range(1, played.rounds):
            assert last[number][team] <= line[number - 1] <= first[number + 1][team]
        assert 0 < played.thinking[team].slowest <= played.thinking[team].seconds
    assert Played.from_dict(json.loads(json.dumps(played.to_dict()))).vp == played.vp


def test_the_number_of_workers_changes_nothing() -> None:
    fixtures = make_fixtures(["random"], [("second", {}), ("french", {})], games=4, seed=1)
    one = {game.fixture: without_times(game) for game in play_all(fixtures, 1)}
    two = {game.fixture: without_times(game) for game in play_all(fixtures, 2)}
    assert one == two
    assert len(one) == 8


@pytest.mark.usefixtures("lean")
def test_faults_are_those_that_bots_tell_of() -> None:
    played = play_fixture(make_fixtures(["lean", "random"], [("second", {})], games=1)[0])
    assert played.thinking["axis"].faults == 3 * Lean.faults
    assert played.thinking["allies"].faults == 0
    assert played.faults == 6


def test_a_bot_that_plays_against_the_rules_is_named_with_its_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Cheat(RandomBot):
        def decide(self, look: Look, actions: Sequence[Action]) -> Action:
            return Action("germany", "win the war", 0, "win")

    monkeypatch.setitem(levels.BOTS, "cheat", Level("cheat", Cheat))
    fixture = make_fixtures(["cheat"], [("second", {})], games=1, seed=4)[0]
    with pytest.raises(QuartermasterError, match=r"seed 4, cheat \(axis\) .*win the war"):
        play_fixture(fixture)


# Results on file.


def test_a_cut_off_file_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tmp_path / "whole.jsonl"
    wish = ["--bots", "random", "-n", "6", "-k", "1"]
    data = json.loads(run(*wish, "--out", str(whole), "--json"))
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) == 6
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(b"".join(lines[:3]) + lines[3][:200])
    played: list[Fixture] = []

    def watch(
        fixtures: Sequence[Fixture], workers: int, *_: object
    ) -> Generator[Played, None, None]:
        played.extend(fixtures)
        return play_all(fixtures, workers)

    monkeypatch.setattr("quartermaster.cli.arena.play_all", watch)
    again = json.loads(run(*wish, "--out", str(cut), "--json"))
    assert [fixture.seed for fixture in played] == [3, 4, 5]
    for figures in (data, again):
        for rule_set in figures["rule_sets"]:
            del rule_set["thinking"]
            for pairing in rule_set["pairings"]:
                del pairing["thinking"]
    assert again == data
    read = [
        without_times(Played.from_dict(json.loads(line))) for line in cut.read_text().splitlines()
    ]
    assert read == [without_times(Played.from_dict(json.loads(line))) for line in lines]
    played.clear()
    run(*wish, "--out", str(cut))
    assert not played


def test_a_last_line_without_its_end_but_whole_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    run("--bots", "random", "-n", "2", "-k", "1", "--out", str(path))
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    with ResultsFile(path) as results:
        assert len(results.games) == 2
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[1]", "expected a game"),
        (b'{"rules": "second"}', "no game of an arena: KeyError"),
        (b'{"rules": 5, "options": {}}', "expected str, got 5"),
    ],
)
def test_a_broken_line_is_told_with_its_number(tmp_path: Path, line: bytes, reason: str) -> None:
    path = tmp_path / "games.jsonl"
    run("--bots", "random", "-n", "1", "-k", "1", "--out", str(path))
    data = path.read_bytes() + line + b"\n"
    path.write_bytes(data + path.read_bytes())
    with pytest.raises(BrokenFile, match=f"games.jsonl, line 2: .*{reason}"):
        ResultsFile(path)
    assert path.read_bytes().startswith(data)


def test_a_file_of_something_else_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes")
    told = run("--bots", "random", "-n", "1", "--out", str(path), code=2)
    assert "line 1: no JSON" in " ".join(told.split())
    assert path.read_text() == "my notes"


def test_ctrl_c_leaves_the_games_the_table_and_how_to_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(fixtures: Sequence[Fixture], *_: object) -> Generator[Played, None, None]:
        yield from map(play_fixture, fixtures[:3])
        raise KeyboardInterrupt

    monkeypatch.setattr("quartermaster.cli.arena.play_all", interrupt)
    path = tmp_path / "the games.jsonl"
    wish = ["--bots", "random", "-n", "8", "--option", "reallocate=off", "--seed", "2"]
    told = run(*wish, "--out", str(path), code=130)
    assert "3 games, rules second, reallocate off" in told
    assert "Stopped after 3 of 8 games" in told
    assert (
        "quartermaster arena --bots random --rules second --option reallocate=off --games 8"
        f" --seed 2 --workers 0 --out '{path}'" in told
    )
    assert len(path.read_text().splitlines()) == 3
    assert "--out FILE" in run(*wish, code=130)


# Numbers.


@pytest.mark.usefixtures("lean")
def test_a_report_does_not_depend_on_the_order_games_finished_in() -> None:
    bots = ["random", "lean", "lean:twice=1"]
    games = list(play_all(make_fixtures(bots, [("second", {})], games=6)))
    assert make_reports(bots, games[::-1]) == make_reports(bots, games)


@pytest.mark.usefixtures("lean")
def test_a_report_against_counting_by_hand() -> None:
    games = list(play_all(make_fixtures(["random", "lean"], [("second", {})], games=24)))
    report = make_reports(["random", "lean"], games)[0]
    pairing = report.pairings[0]
    won = {
        team: sum(getattr(g.fixture, team) == "random" and g.winner == team for g in games)
        for team in ("axis", "allies")
    }
    ahead = [
        (g.score["axis"] - g.score["allies"]) * (1 if g.fixture.axis == "random" else -1)
        for g in games
    ]
    assert pairing.as_axis == wilson(won["axis"], 12)
    assert pairing.as_allies == wilson(won["allies"], 12)
    assert pairing.win_rate.value == sum(won.values()) / 24
    assert pairing.margin.value == pytest.approx(sum(ahead) / 24)
    assert pairing.margin.value < 0  # the bolder bot is the better one
    assert report.axis_wins.value == sum(g.winner == "axis" for g in games) / 24
    assert report.thinking["lean"].decisions + report.thinking["random"].decisions == sum(
        g.length for g in games
    )
    last = {bot: line[-1].value for bot, line in report.vp_by_round.items()}
    assert last["random"] - last["lean"] == pytest.approx(pairing.margin.value)


# The command.


@pytest.mark.usefixtures("lean")
def test_the_table_and_the_same_as_json(tmp_path: Path) -> None:
    # A name may hold settings: only commas part names.
    wish = ["--bots", "lean:twice=1,random", "-n", "19", "-k", "1", "--out", str(tmp_path / "g")]
    told = run(*wish)
    data = json.loads(run(*wish, "--json"))
    assert data["games"] == 20
    assert data["missing"] == 0
    (rule_set,) = data["rule_sets"]
    (pairing,) = rule_set["pairings"]
    assert (pairing["a"], pairing["b"]) == ("lean:twice=1", "random")
    rates = pairing["win_rate"]
    assert 0.5 < rates["low"] < rates["value"] < rates["high"]
    assert f"{rates['value']:.1%} [{100 * rates['low']:.1f}".replace("%", "") in told
    assert "as Axis" in told
    assert "as Allies" in told
    assert f"{pairing['vp_margin']['value']:+.1f} ±" in told
    balance = rule_set["axis_win_rate"]
    assert (
        f"Axis wins {balance['value']:.1%} [{100 * balance['low']:.1f},"
        f" {100 * balance['high']:.1f}] of all games" in told
    )
    assert rule_set["ratings"] == {}
    assert [each["faults"] for each in pairing["thinking"]] == [20 * 6, 0]


@pytest.mark.usefixtures("lean")
def test_several_bots_and_rule_sets_get_ratings_each() -> None:
    bots = "lean,random,lean:twice=1"
    wish = ["--bots", bots, "-n", "12", "--rules", "first,second", "-k", "1", "--json"]
    data = json.loads(run(*wish))
    assert [rule_set["rules"] for rule_set in data["rule_sets"]] == ["first", "second"]
    for rule_set in data["rule_sets"]:
        assert len(rule_set["pairings"]) == 3
        assert rule_set["games"] == 36
        found = rule_set["ratings"]
        assert found["random"]["value"] == 0
        assert found["lean"]["low"] > 0


def test_a_bot_against_itself_tells_of_the_sides() -> None:
    wish = ["--bots", "random,random", "-n", "5", "-k", "1"]
    (rule_set,) = json.loads(run(*wish, "--json"))["rule_sets"]
    assert rule_set["games"] == 5
    assert rule_set["pairings"][0]["win_rate"]["value"] == rule_set["axis_win_rate"]["value"]
    assert rule_set["mean_vp_by_round"].keys() == {"random (Axis)", "random (Allies)"}
    assert "random: Axis" in run(*wish)


@pytest.mark.usefixtures("lean")
def test_plots_are_written_and_always_the_same(tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    bots = ["--bots", "lean,random", "-n", "4", "-k", "1", "--out", str(games)]
    for name in ("a.svg", "b.svg", "c.PNG"):
        run(*bots, "--plot", str(tmp_path / name))
    drawn = (tmp_path / "a.svg").read_bytes()
    assert b"<svg" in drawn
    assert drawn == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "c.PNG").read_bytes().startswith(b"\x89PNG")
    run("--bots", "random", "-n", "1", "-k", "1", "--plot", str(tmp_path / "alone.svg"))
    assert (tmp_path / "alone.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--bots", "rndom,random"], "did you mean random"),
        (["--bots", "random,"], "unknown bot ''"),
        (["--bots", "random", "--rules", "second,frst"], "did you mean first"),
        (["--bots", "random", "--rules", "first,second", "-o", "lead-victory=on"],
         "unknown option of rule set 'second' 'lead-victory'"),
        (["--bots", "random", "-o", "reallocate=maybe"], "NAME=on or NAME=off"),
        (["--bots", "random", "-n", "0"], "--games"),
        (["--bots", "random", "--plot", "chart.pdf"], "ends in .png or .svg"),
        (["--bots", "random", "--plot", "/nowhere/chart.png"], "no folder /nowhere"),
        (["--bots", "random", "--out", "/dev/null/games"], "error:"),
        ([], "Missing option '--bots'"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_before_any_game(
    arguments: list[str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a game was played")

    monkeypatch.setattr("quartermaster.cli.arena.play_all", refuse)
    assert expected in " ".join(run(*arguments, code=2).replace("│", " ").split())


def test_a_plot_without_matplotlib_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    told = run("--bots", "random", "--plot", "chart.png", code=2)
    assert "quartermaster-game[plot]" in told


def test_a_rate_lies_within_its_interval() -> None:
    """Of a bot that won all games too, whatever the rounding: a chart must be drawn of it."""
    for games in range(1, 400):
        for wins in (0, 1, games // 2, games):
            won = wilson(wins, games)
            assert 0 <= won.low <= won.value <= won.high <= 1, (wins, games)


@pytest.mark.parametrize("is_arena", [True, False])
def test_a_bot_that_workers_do_not_know_is_told_so(
    is_arena: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where processes begin afresh, they know only what they import."""

    def pool(workers: int, **how: Any) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), **how)

    monkeypatch.setitem(BOTS, "mine", Level("mine", RandomBot))
    monkeypatch.setattr("quartermaster.lab.spread.ProcessPoolExecutor", pool)
    games: Iterator[object] = (
        play_all(make_fixtures(["mine"], [("second", {})], games=2), workers=2)
        if is_arena
        else simulate_many(Series(bots=("mine",)), games=2, workers=2)
    )
    with pytest.raises(QuartermasterError, match="'mine' is registered in this process alone"):
        list(games)


def test_errors_travel_between_processes() -> None:
    for error in (UnknownName("bot", "mine", ["random"]), BrokenFile("a.txt", 3, "no game")):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert (str(again), vars(again)) == (str(error), vars(error))

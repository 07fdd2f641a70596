"""The library as its users call it: asking, acting, undoing, refusing."""

import json
import pickle
from collections.abc import Callable
from copy import deepcopy

import pytest

from quartermaster import (
    RULE_SETS,
    BrokenFile,
    Game,
    IllegalAction,
    QuartermasterError,
    UnknownName,
)
from quartermaster.forms.notation import made_actions
from quartermaster.lab.scenario import load_scenarios, parse_scenarios


def duel() -> Game:
    """Germany about to play a Land Battle against Ukraine."""
    return Game.from_position(
        {
            "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["ukraine"]},
            "hand": {"germany": ["land-battle", "blitzkrieg"]},
        }
    )


def test_decision_says_who_what_and_why() -> None:
    game = duel()
    assert (game.decision.country, game.decision.kind) == ("germany", "play")
    game.apply("play land-battle")
    assert game.decision.kind == "battle"
    assert game.decision.source == "land-battle"


def test_action_by_itself_by_text_and_cut_short() -> None:
    by_action, by_text, cut = duel(), duel(), duel()
    [action] = [a for a in by_action.legal_actions() if a.text == "play land-battle"]
    by_action.apply(action)
    by_text.apply("germany:  play   land-battle")
    cut.apply("play land-battle")
    assert by_action == by_text == cut
    by_text.apply("battle ukraine soviet-union")
    cut.apply("battle ukraine")
    assert by_text == cut


@pytest.mark.parametrize(
    ("text", "country", "expected"),
    [
        ("play landbattle", None, "did you mean 'play land-battle'"),
        ("play sea-battle", None, "the decision is germany's (play:"),
        ("", None, "legal: play land-battle"),
        ("pass", "italy", "italy cannot 'pass' now"),
        ("remove army moscow", "germany", "not legal now"),
        ("remove army italy", None, "not legal now"),
        ("play", None, "could be"),
    ],
)
def test_illegal_action_is_refused_and_changes_nothing(
    text: str, country: str | None, expected: str
) -> None:
    game = duel()
    before = game.copy()
    with pytest.raises(IllegalAction) as refused:
        game.apply(text, country=country)
    assert expected in str(refused.value)
    assert game == before
    assert game.history == []
    assert game.events == before.events


def test_something_else_than_an_action_is_refused() -> None:
    with pytest.raises(IllegalAction, match="expected an action or its text"):
        duel().apply(7)  # type: ignore[arg-type]


def test_nothing_is_legal_once_the_game_is_over() -> None:
    game = Game.new(seed=2)
    while not game.is_over:
        game.apply(game.legal_actions()[0])
    assert game.legal_actions() == []
    assert game.removals("germany") == []
    with pytest.raises(IllegalAction, match="the game is over"):
        game.apply("pass")
    with pytest.raises(IllegalAction, match="the game is over"):
        _ = game.decision


def test_unknown_names_come_with_the_nearest() -> None:
    for call, nearest in (
        (lambda: Game.new("secnd"), "second"),
        (lambda: Game.new(options={"realocate": True}), "reallocate"),
        (lambda: Game.new().view("germny"), "germany"),
        (lambda: Game.new().supply("germany", "ukrane"), "ukraine"),
        (lambda: Game.from_position({"pieces": {"italy": ["itly"]}}), "italy"),
        (lambda: Game.from_position({"hand": {"italy": ["plundr"]}}), "plunder"),
        (lambda: Game.from_position({"peices": {}}), "pieces"),
        (lambda: Game.from_position({"step": "pley"}), "play"),
    ):
        with pytest.raises(UnknownName) as unknown:
            call()
        assert nearest in unknown.value.nearest, str(unknown.value)


@pytest.mark.parametrize(
    "position",
    [
        {"pieces": {"italy": ["moscow"]}, "round": 21},
        {"pieces": {"italy": ["balkans"], "soviet-union": ["balkans"]}},
        {"pieces": {"italy": ["balkans", "balkans"]}},
        {"pieces": {"soviet-union": ["baltic-sea", "black-sea"]}},
        {"hand": {"germany": ["blitzkrieg", "blitzkrieg"]}},
        {"table": {"japan": ["truk"]}},
        {"air": {"japan": ["japan"]}},
        {"score": 3},
        {"round": "two"},
        {"pieces": ["italy"]},
        {"pieces": {"italy": "rome"}},
    ],
)
def test_impossible_positions_are_refused(position: dict[str, object]) -> None:
    with pytest.raises(QuartermasterError):
        Game.from_position(position)


def test_seats() -> None:
    for rules in RULE_SETS:
        for players in range(2, 7):
            seats = Game.new(rules, seats=players).seats
            assert len(seats) == players
            assert sorted(sum(seats, ())) == sorted(sum(Game.new(rules).seats, ()))
    assert Game.new("second", seats=3).seats == (
        ("germany",), ("united-kingdom", "soviet-union", "united-states"), ("japan", "italy"),
    )  # fmt: skip
    assert Game.new("first", seats=3).seats[0] == ("germany", "italy")
    own = [["germany"], ["japan", "italy"], ["united-kingdom", "soviet-union", "united-states"]]
    assert Game.new(seats=own).seats[1] == ("japan", "italy")
    for wrong in (
        1,
        7,
        [["germany", "united-kingdom"], ["japan", "italy"], ["soviet-union", "united-states"]],
        [["germany", "japan", "italy"], ["united-kingdom", "soviet-union"]],
        [["germany", "japan", "italy"], ["united-kingdom", "soviet-union", "united-states"], []],
    ):
        with pytest.raises(QuartermasterError):
            Game.new(seats=wrong)


def test_undo_to_any_decision() -> None:
    game = Game.new(seed=5)
    seen = [game.copy()]
    for i in range(60):
        actions = game.legal_actions()
        game.apply(actions[i % len(actions)])
        seen.append(game.copy())
    for number in (60, 59, 30, 7, 0):
        game.undo(number)
        assert game == seen[number]
        assert game.events == seen[number].events
    with pytest.raises(QuartermasterError, match="there is no action to undo"):
        game.undo()


def test_who_would_fetch_nothing_is_told_so() -> None:
    position = {
        "hand": {"germany": ["land-battle"] * 3 + ["plunder"]},
        "deck": {"germany": ["blitzkrieg"]},
    }
    told = "Reallocate Resources would fetch nothing: your deck holds no such card"
    assert told in Game.from_position(position).decision.prompt
    position["deck"]["germany"].append("build-navy")
    assert told not in Game.from_position(position).decision.prompt


def test_undo_takes_back_a_piece_taken_off() -> None:
    game = duel()
    before = game.copy()
    game.apply("italy: remove army italy")
    assert "italy" not in game.view("italy").countries["italy"].armies
    assert game.decision.country == "germany"
    game.undo()
    assert game == before


def test_supply_explains_itself() -> None:
    game = Game.from_position(
        {
            "pieces": {
                "united-states": [
                    "western-united-states",
                    "east-pacific",
                    "central-pacific",
                    "new-zealand",
                    "siberia",
                ],
            }
        }
    )
    supply = game.supply("united-states")
    assert supply["east-pacific"].is_supplied
    assert supply["east-pacific"].port == "western-united-states"
    assert supply["new-zealand"].path == ("new-zealand", "east-pacific", "western-united-states")
    assert supply["new-zealand"].source == "western-united-states"
    assert supply["central-pacific"].missing == "no army of its team on an adjacent land space"
    assert "no line" in (supply["siberia"].missing or "")
    with pytest.raises(QuartermasterError, match="no army or navy in japan"):
        game.supply("united-states", "japan")


def test_supply_names_the_strait_that_is_shut() -> None:
    italy = ["italy", "mediterranean-sea", "bay-of-bengal"]
    game = Game.from_position({"pieces": {"italy": italy, "japan": ["southeast-asia"]}})
    assert game.supply("italy")["bay-of-bengal"].missing == "the strait of the Middle East is shut"
    game = Game.from_position({"pieces": {"italy": [*italy, "middle-east"]}})
    assert game.supply("italy")["bay-of-bengal"].is_supplied
    britain = ["united-kingdom", "north-sea", "mediterranean-sea"]
    game = Game.from_position(
        {"pieces": {"united-kingdom": britain, "italy": ["italy", "north-africa"]}}
    )
    assert game.supply("united-kingdom")["mediterranean-sea"].missing == (
        "the strait of North Africa is shut"
    )


def test_records_hold_whole_actions_only() -> None:
    """A record cut off in the midst of its last action is broken, not shorter."""
    game = Game.new(seed=4)
    for _ in range(20):
        game.apply(game.legal_actions()[0])
    assert Game.from_record("\N{ZERO WIDTH NO-BREAK SPACE}" + game.record) == game
    assert len(Game.from_record(game.record.replace("\n", "\r\n"), to=7).history) == 7
    with pytest.raises(BrokenFile, match="not legal now"):
        Game.from_record(game.record[:-4])


def test_a_position_is_kept_as_it_was_given() -> None:
    pieces = ["germany", "balkans"]
    game = Game.from_position({"pieces": {"germany": pieces}})
    pieces.append("ukraine")
    assert Game.from_record(game.record) == game


@pytest.mark.parametrize(
    "call",
    [
        lambda: Game.new(seed="7"),
        lambda: Game.new(seed=7.5),  # type: ignore[arg-type]
        lambda: Game.new(["second"]),  # type: ignore[arg-type]
        lambda: Game.new(options=["reallocate"]),  # type: ignore[arg-type]
        lambda: Game.new(options={"reallocate": 1}),  # type: ignore[dict-item]
        lambda: Game.new(seats="six"),
        lambda: Game.new(seats=[[0, 2, 4], [1, 3, 5]]),  # type: ignore[list-item]
        lambda: Game.from_position(None),  # type: ignore[arg-type]
        lambda: Game.from_position({"turn": 1}),
        lambda: Game.new().undo("a"),  # type: ignore[arg-type]
        lambda: Game.new().view(9),
    ],
)
def test_wrong_kinds_of_values_are_refused(call: Callable[[], object]) -> None:
    with pytest.raises(QuartermasterError):
        call()


def test_options_that_the_expansion_settles_are_told_as_they_are() -> None:
    game = Game.new("first", options={"air-marshal": True, "reallocate": False})
    assert game.options == {"air-marshal": True, "lead-victory": True, "reallocate": True}


def test_equal_states_hash_alike() -> None:
    assert len({Game.new(seed=1), Game.new(seed=1), Game.new(seed=2)}) == 2
    assert Game.new("first") != Game.new("second")


@pytest.mark.parametrize("start", [Game.new(seed=8, seats=4), duel()])
def test_saves_and_pickles_keep_history_log_and_record(start: Game) -> None:
    game = start.copy()
    for _ in range(25):
        game.apply(game.legal_actions()[-1])
    for other in (
        Game.load(json.loads(json.dumps(game.save()))),
        pickle.loads(pickle.dumps(game)),
        deepcopy(game),
    ):
        assert other == game
        assert other.record == game.record
        assert other.events == game.events
        assert other.seats == game.seats
        other.undo(3)
        assert len(game.history) == 25
        assert other.history == game.history[:3]


@pytest.mark.parametrize("key", ["rules", "options", "seats", "seed", "state", "history", "log"])
def test_a_broken_save_is_refused(key: str) -> None:
    good = Game.new(seed=1).save()
    with pytest.raises(QuartermasterError):
        Game.load({name: value for name, value in good.items() if name != key})
    with pytest.raises(QuartermasterError):
        Game.load({**good, key: "garbage"})


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "first line"),
        ("quartermaster record 9\nrules: second\n", 1, "version 9"),
        ("quartermaster record 1\nseed: 3\n", 2, "lacks 'rules'"),
        ("quartermaster record 1\nrules: [\n\n", 2, "no YAML"),
        ("quartermaster record 1\nrules: secnd\n", None, "did you mean second"),
        ("quartermaster record 1\nrules: second\ncolour: red\n", 3, "unknown key 'colour'"),
        ("quartermaster record 1\nrules: second\nseed: x\n", 3, "seed: expected a whole number"),
        ("quartermaster record 1\nrules: second\nseed: 1\nseed: 2\n", 4, "stands twice"),
        ("quartermaster record 1\nrules: second\nseats: [1, 2]\n", None, "seats: expected"),
        ("quartermaster record 1\nrules: second\nseed: 1\n\ngermany\n", 5, "country: action"),
        ("quartermaster record 1\nrules: second\nseed: 1\n\ngermany: fly\n", 5, "not legal"),
        ("quartermaster record 1\nrules: second\nseed: 1\n\nitaly: pass\n", 5, "decision is"),
        ("quartermaster record 1\nrules: second\nseed: 1\n\nitly: pass\n", 5, "did you mean italy"),
    ],
)
def test_broken_records_are_refused_with_line_and_reason(
    text: str, line: int | None, reason: str
) -> None:
    with pytest.raises(BrokenFile) as broken:
        Game.from_record(text, "game.txt")
    assert reason in str(broken.value)
    assert str(broken.value).startswith("game.txt")
    if line is not None:
        assert broken.value.line == line


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", None, "no scenario"),
        ("name: [x", 1, "no YAML"),
        ("just a word", 1, "mapping"),
        ("name: a\npeices: {}\n", 2, "did you mean pieces"),
        ("name: a\nscript: no\n", 2, "expected a list"),
        ("name: a\nscript:\n  - germany: 3\n", 3, "expected an action"),
        ("name: a\nscript:\n  - germny: pass\n", 3, "did you mean germany"),
        ("name: a\nscript:\n  - expect: {skore: 1}\n", 3, "did you mean score"),
        ("name: a\nscript:\n  - [1, 2]\n", 3, "expected 'country: action'"),
        ("name: a\npieces: {italy: [rom]}\n", 2, "unknown space 'rom'"),
        ("name: a\nturn: italy\nround: 30\n", 3, "round: expected 1 to 20"),
        ("name: a\nhand: {italy: [], italy: []}\n", 2, "stands twice"),
        ("name: a\nscript: []\nscript: []\n", 3, "stands twice"),
        ("name: a\noptions: [x]\n", 2, "options: expected"),
        ("name: a\nseats: four\n", 2, "seats: expected"),
        ("name: a\nset: {germany: [land-battle]}\n", 2, "cannot lie there"),
        ("name: a\nstep: air\n", 2, "only in games with Air Marshal"),
        ("name: a\nscript:\n  - expect: {illegal: pley}\n", 3, "did you mean play"),
        ("name: a\nscript:\n  - expect: {illegal: use blitzkreig}\n", 3, "blitzkrieg"),
        ("name: a\nscript:\n  - expect: {illegal: []}\n", 3, "one or more words"),
        ("name: a\nscript:\n  - expect: {pieces: [germany]}\n", 3, "for each country"),
        ("name: a\nscript:\n  - expect: {pieces: {germany: germany}}\n", 3, "list of spaces"),
        ("name: a\nscript:\n  - expect: {hand: {germany: true}}\n", 3, "a number or a list"),
        ("name: a\nscript:\n  - expect: {score: [0]}\n", 3, "[axis, allies]"),
        ("name: a\nscript:\n  - expect: {supplied: [germany]}\n", 3, "for each country"),
        ("name: a\nname: b\n", 2, "stands twice"),
        ("name: b\n", 1, "expects nothing"),
        ("name: b\nscript: []\n", 1, "expects nothing"),
        ("name: b\nscript:\n  - germany: play build-army\n", 1, "expects nothing"),
        ("name: a\nscript:\n  - refused: {germny: pass}\n", 3, "did you mean germany"),
        ("name: a\nscript:\n  - refused: pass\n", 3, "refused: expected"),
        ("name: a\nscript:\n  - refused: {italy: pass, germany: pass}\n", 3, "refused: expected"),
        ("name: a\nscript:\n  - refused: {italy: fly}\n", 3, "unknown action 'fly'"),
        ("name: a\nscript:\n  - expect: {illegal: use rasputitsa}\n", 3, "card of germany"),
        ("name: a\nscript:\n  - expect: {illegal: battle ukraine army}\n", 3, "country 'army'"),
        ("name: a\nscript:\n  - expect: {illegal: pass pass}\n", 3, "of the form 'pass'"),
        ("name: a\nscript:\n  - expect: {illegal: build army north-sea}\n", 3, "for an army"),
        ("name: a\nscript:\n  - expect: {legal: {itly: pass}}\n", 3, "did you mean italy"),
        ("name: a\nscript:\n  - expect: {view: {italy: 3}}\n", 3, "parts of a view"),
        ("name: a\nscript:\n  - expect: {view: {italy: {colour: 3}}}\n", 3, "'colour'"),
        ("name: a\nscript:\n  - expect: {used: {germany: [plunder]}}\n", 3, "once a turn"),
        ("name: a\nscript:\n  - expect: {reserve: {germany: {tank: 1}}}\n", 3, "'tank'"),
        ("name: a\nprotected: {germany: [ukraine]}\n", 2, "no army or navy in 'ukraine'"),
        ("name: a\nused: {germany: [plunder]}\n", 2, "once a turn"),
        ("name: a\nplayed: [pass]\n", 2, "played: expected"),
        ("name: a\nplayed: ['italy: pass']\n", 1, "the decision is germany's"),
        ("name: a\nair: {germany: [germany]}\n", 2, "air-marshal: true"),
        ("name: a\nscript:\n  - expect: {empty: [atlantis]}\n", 3, "unknown space"),
    ],
)
def test_broken_scenarios_are_refused_with_line_and_reason(
    text: str, line: int | None, reason: str
) -> None:
    def run() -> None:
        # The rest of a scenario must be in order for its one fault to be found.
        more = "" if "script" in text or not text.startswith("name: a\n") else _ENOUGH
        for scenario in parse_scenarios(text + more, "bug.yaml"):
            scenario.run()

    with pytest.raises(BrokenFile) as broken:
        run()
    assert reason in str(broken.value)
    assert broken.value.line == line
    with pytest.raises(BrokenFile, match="cannot be read"):
        load_scenarios("no/such/file.yaml")


_ENOUGH = "script:\n  - expect: {round: 1}\n"


def test_every_failure_is_told_and_what_happened_since() -> None:
    """One that comes after does not hide it, be it broken; and what the game did by itself
    since the last line of the script can be read."""
    [scenario] = parse_scenarios(
        "hand: {germany: [land-battle]}\nscript:\n"
        "  - germany: discard land-battle\n"
        "  - expect: {turn: italy, round: 2}\n"
        "  - expect: {pieces: {atlantis: []}}\n",
        "bug.yaml",
    )
    result = scenario.run()
    assert [failure.expected for failure in result.failures] == ["turn 'italy'", "round 2"]
    assert result.broken is not None
    assert result.broken.startswith("bug.yaml, line 5: unknown country 'atlantis'")
    assert result.failures[0].since[0] == "Germany discards Land Battle"
    assert "Round 1: the United Kingdom's turn" in str(result.failures[0])


def test_an_action_that_is_not_refused_fails() -> None:
    text = "script:\n  - refused: {germany: play build-army}\n  - expect: {turn: italy}\n"
    [failure] = parse_scenarios(text)[0].run().failures
    assert failure.found == "it was carried out"
    text = "script:\n  - refused: {italy: pass, says: it is night}\n"
    [failure] = parse_scenarios(text)[0].run().failures
    assert "the decision is germany's" in failure.found


def test_every_expectation_can_fail() -> None:
    """A check that could not fail would make scenarios worthless."""
    wrong = {
        "decision": "italy play",
        "legal": ["play sea-battle"],
        "illegal": ["play land-battle"],
        "options": ["play land-battle"],
        "view": "{italy: {round: 2}}",
        "log": "{italy: Germany plays Plunder}",
        "unlogged": "{italy: Germany draws a card}",
        "protected": "{germany: [germany]}",
        "used": "{germany: [blitzkrieg]}",
        "reserve": "{germany: {army: 7}}",
        "pieces": "{germany: [moscow]}",
        "air": "{germany: [germany]}",
        "empty": ["germany"],
        "supplied": "{soviet-union: [moscow]}",
        "unsupplied": "{germany: [germany]}",
        "hand": "{germany: [sea-battle]}",
        "deck": "{germany: 1}",
        "discard": "{germany: [sea-battle]}",
        "discarded": "{germany: 2}",
        "pile": "{germany: 2}",
        "table": "{germany: [blitzkrieg]}",
        "set": "{soviet-union: 1}",
        "in-pile": "{germany: sea-battle}",
        "score": "[1, 0]",
        "winner": "axis",
        "round": 2,
        "turn": "italy",
        "step": "draw",
    }
    from quartermaster.lab.scenario import CHECKS

    assert wrong.keys() == CHECKS.keys()
    for key, value in wrong.items():
        text = f"hand: {{germany: [land-battle]}}\nscript:\n  - expect: {{{key}: {value}}}\n"
        if key == "unlogged":
            text = text.replace("script:\n", "script:\n  - germany: discard land-battle\n")
        [scenario] = parse_scenarios(text.replace("'", ""))
        result = scenario.run()
        if key == "supplied":
            assert result.is_passed  # Moscow is in supply; Ukraine has no piece
            text = text.replace("[moscow]", "[ukraine]")
            [scenario] = parse_scenarios(text)
            result = scenario.run()
        assert not result.is_passed, key


def test_nothing_is_no_action_even_where_none_was_made_yet() -> None:
    made_actions.cache_clear()  # so that no action of these rules has been made
    game = Game.new("second", seed=7)
    with pytest.raises(IllegalAction, match="expected an action or its text, got None"):
        game.apply(None)  # type: ignore[arg-type]
    assert game == Game.new("second", seed=7)


def test_undoing_writes_no_log_where_there_was_none() -> None:
    game = Game.new(seed=7)
    for _ in range(30):
        game.apply(game.legal_actions()[-1])
    other = game.copy()
    assert len(other.events) > 30
    game.undo()
    assert game.state.log is None
    other.undo()
    assert other.state.log is not None
    assert (game == other, game.events) == (True, other.events)


def test_a_chooser_that_plays_in_the_game_itself_is_refused() -> None:
    game = Game.new(seed=7)

    def choose(count: int) -> int:
        if not game.history:
            game.apply(game.legal_actions()[0])
        return 0

    with pytest.raises(QuartermasterError, match="has played in the game itself"):
        game.play_unseen([choose] * 6)
    assert len(game.history) == 1
    assert Game.from_record(game.record) == game

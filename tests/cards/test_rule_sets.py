"""What differs between the rule sets beyond the reach of a scenario: setup, pieces, options,
taking pieces off, how the score is shown, what a discard shows."""

from collections.abc import Iterable
from typing import Any

import pytest

from quartermaster import RULE_SETS, Game, IllegalAction
from quartermaster.lab.checks.fuzz import variants


def spaces(game: Game, country: str) -> set[str]:
    side = game.view(country).countries[country]
    return {*side.armies, *side.navies}


@pytest.mark.parametrize(("rules", "options"), variants())
def test_setup(rules: str, options: dict[str, bool]) -> None:
    game = Game.new(rules, seed=3, options=options)
    drawn = 12 if options["air-marshal"] else 10
    homes = {
        "germany": "germany", "united-kingdom": "united-kingdom", "japan": "japan",
        "soviet-union": "moscow", "italy": "italy", "united-states": "eastern-united-states",
    }  # fmt: skip
    for country, home in homes.items():
        side = game.view(country).countries[country]
        assert side.armies == (home,)
        assert side.hand_size == drawn
    while game.decision.kind == "setup":
        game.apply(game.legal_actions()[0])
    assert game.score == {"axis": 0, "allies": 0}
    assert game.state.round == 1
    for country in homes:
        side = game.view(country).countries[country]
        assert (side.hand_size, side.discard_size) == (7, drawn - 7)
        assert game.view(None).countries[country].face_down is None


@pytest.mark.parametrize(("rules", "options"), variants())
def test_pieces(rules: str, options: dict[str, bool]) -> None:
    sides = Game.new(rules, options=options).view().countries.values()
    armies = [side.reserve["army"] + len(side.armies) for side in sides]
    navies = [side.reserve["navy"] for side in sides]
    assert armies == [7, 5, 5, 7, 4, 5]
    assert navies == [3, 5, 5, 1, 3, 6 if rules == "second" else 5]
    if options["air-marshal"]:
        assert [side.reserve["air-force"] for side in sides] == [2, 2, 2, 1, 1, 3]
    else:
        assert all("air-force" not in side.reserve for side in sides)


def has_reallocate(rules: str, options: dict[str, bool]) -> bool:
    game = Game.new(rules, seed=1, options=options)
    while game.decision.kind == "setup":
        game.apply(game.legal_actions()[0])
    while game.decision.country != "germany":
        game.apply("pass")  # Operation Banquet is asked before
    return "use reallocate-resources" in [str(action) for action in game.legal_actions()]


def test_reallocate_resources_is_there_where_the_rule_set_says() -> None:
    assert has_reallocate("second", {})
    assert not has_reallocate("second", {"reallocate": False})
    assert not has_reallocate("first", {})
    assert has_reallocate("first", {"reallocate": True})
    assert has_reallocate("french", {})
    for rules in RULE_SETS:
        assert has_reallocate(rules, {"air-marshal": True})
    assert has_reallocate("second", {"air-marshal": True, "reallocate": False})


ALL_GERMANS = [
    "germany", "western-europe", "eastern-europe", "balkans", "ukraine", "russia", "scandinavia",
    "baltic-sea", "north-sea", "mediterranean-sea",
]  # fmt: skip


def germany(pieces: Iterable[str], rules: str = "french", **more: Any) -> Game:
    position = {
        "pieces": {"germany": list(pieces), "soviet-union": ["moscow"]},
        "hand": {"germany": ["build-army", "land-battle"]},
        **more,
    }
    return Game.from_position(position, rules=rules)


def test_french_pieces_come_off_in_the_own_turn_when_all_are_on_the_board() -> None:
    game = germany(ALL_GERMANS)
    game.apply("germany: remove army balkans")
    game.apply("germany: remove navy north-sea")  # one or several
    assert spaces(game, "germany") == {*ALL_GERMANS} - {"balkans", "north-sea"}
    assert germany(ALL_GERMANS[1:]).removals("germany") == []
    assert germany(ALL_GERMANS, turn="italy").removals("germany") == []


def test_french_pieces_do_not_come_off_after_something_else_was_done() -> None:
    game = germany([*ALL_GERMANS[:-1], "black-sea"])
    game.apply("germany: remove army balkans")
    game.apply("discard land-battle")
    with pytest.raises(IllegalAction):
        game.apply("germany: remove army russia")


def test_french_a_piece_a_card_needs_must_be_there_when_the_card_is_played() -> None:
    game = germany(ALL_GERMANS)
    game.apply("play build-army")
    assert game.decision.kind == "build"
    assert all(action.verb != "remove" for action in game.legal_actions())
    with pytest.raises(IllegalAction):
        game.apply("germany: remove army balkans")
    first = germany(ALL_GERMANS, "first")
    first.apply("play build-army")
    first.apply("remove army balkans")
    first.apply("build army balkans")
    assert spaces(first, "germany") == {*ALL_GERMANS}


def test_french_a_piece_may_come_off_before_a_reaction_that_needs_it() -> None:
    game = germany(ALL_GERMANS, table={"germany": ["blitzkrieg"]})
    game.apply("play land-battle")
    game.apply("battle moscow")
    assert "use blitzkrieg" not in [str(action) for action in game.legal_actions()]
    game = germany(ALL_GERMANS, table={"germany": ["blitzkrieg", "dive-bombers"]})
    game.apply("play land-battle")
    game.apply("battle moscow")
    assert game.decision.kind == "react"
    game.apply("germany: remove army balkans")
    game.apply("use blitzkrieg")
    assert "moscow" in spaces(game, "germany")


@pytest.mark.parametrize("rules", ["first", "second"])
def test_pieces_come_off_at_any_time_in_anyones_turn(rules: str) -> None:
    """Italy may leave a shared star before Germany scores."""
    game = Game.from_position(
        {
            "pieces": {"germany": ["germany", "western-europe"], "italy": ["italy", "germany"]},
            "hand": {"germany": ["build-army"]},
        },
        rules=rules,
    )
    game.apply("italy: remove army germany")
    assert game.decision.country == "germany"
    game.apply("discard build-army")
    assert game.score["axis"] == 4


def test_the_score_is_shown_as_two_totals_or_one_difference() -> None:
    for score, text in (([3, 5], "Allies 2 ahead"), ([7, 4], "Axis 3 ahead"), ([2, 2], "even")):
        assert Game.from_position({"score": score}, rules="french").view().score_text == text
    assert Game.from_position({"score": [3, 5]}).view().score_text == "Axis 3, Allies 5"


def test_yamamotos_discard_is_shown_by_its_kind_alone() -> None:
    """Air Marshal's example: the others see that it is a response, not which."""
    game = Game.from_position(
        {
            "turn": "japan",
            "pieces": {"japan": ["japan", "sea-of-japan"]},
            "hand": {"japan": ["yamamoto-aboard-the-yamato", "destroyer-transport", "kamikaze"]},
        },
        rules="first",
        options={"air-marshal": True},
    )
    game.apply("use yamamoto-aboard-the-yamato")
    game.apply("discard destroyer-transport")
    told = [str(entry) for entry in game.log("germany")]
    assert "Japan discards a card" in told
    assert "Japan shows that it was a response card" in told
    assert not any("Destroyer" in text for text in told)
    assert any("Destroyer" in str(entry) for entry in game.log("japan"))
    assert "destroyer-transport" not in str(game.view("germany"))

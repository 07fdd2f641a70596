"""Who is asked in secret after an action, and who might be for all that anyone can see.

The second list opens the windows of a table, so two things are held of it here, at many decisions
of lively and of good play: whoever is asked is on it, and no hidden card has a part in it.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from quartermaster import Game
from quartermaster.bots import make_bot, take_decision
from quartermaster.forms.notation import make_action
from quartermaster.lab.checks.fuzz import crowded_game, lively_action
from quartermaster.rules.actions import PASS, REMOVE_AIR, space_of, verb_of
from quartermaster.rules.engine import apply, decider, take_piece_off
from quartermaster.rules.names import COUNTRIES
from quartermaster.rules.state import State
from quartermaster.server.table.choices import told_choice
from quartermaster.sight.decision import decision_of
from quartermaster.sight.look import Look
from quartermaster.sight.reactions import asks_after, is_hidden_ask, might_react, outlook
from variants import every_variant

ONLOOKER: frozenset[int] = frozenset()
UKRAINE: dict[str, Any] = {
    "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow", "ukraine"]},
    "hand": {"germany": ["land-battle", "build-army"]},
}


def after(game: Game, text: str) -> list[str]:
    """Who might react to an action of a game that stays as it is."""
    code = next(action.code for action in game.legal_actions() if action.text == text)
    return might_react(game.state, decider(game.state), code)


def lively_games(rules: str, options: dict[str, bool], seeds: range) -> Iterator[Game]:
    """Games in which much happens, at each of their decisions; every second begins crowded."""
    for seed in seeds:
        rng = random.Random(seed)
        if seed % 2:
            game = crowded_game(rules, options, rng)
        else:
            game = Game.new(rules, seed=seed, options=options)
        while not game.is_over:
            yield game
            removals = game.removals(rng.choice(COUNTRIES)) if rng.random() < 0.02 else []
            game.apply(rng.choice(removals) if removals else lively_action(game, rng))


def public_decisions(
    rules: str, options: dict[str, bool], seeds: range, every: int
) -> Iterator[tuple[Game, list[State]]]:
    """Decisions that everyone knows of, one in so many, and the same with the hidden cards dealt
    otherwise, twice: nobody who only watches could tell the three apart."""
    for number, game in enumerate(lively_games(rules, options, seeds)):
        if number % every or is_hidden_ask(game.state):
            continue
        look = game.look()
        dealt = [look.deal(number), look.deal(number + 1)]
        # A deal in which the country would have had nothing to decide is not the same.
        if all(
            s.winner < 0 and decision_of(s) == game.decision and Look.at(s, ONLOOKER) == look
            for s in dealt
        ):
            yield game, dealt


def outcome(before: State, country: int, code: int, is_free: bool = False) -> object:
    """What everyone sees once an action is done and nobody has reacted to it."""
    s = before.copy()
    s.log = None
    if is_free:
        take_piece_off(s, country, space_of(code), verb_of(code) == REMOVE_AIR)
    else:
        apply(s, code)
    while is_hidden_ask(s):
        apply(s, PASS)
    awaited = (decider(s), decision_of(s).kind) if s.winner < 0 else None
    return Look.at(s, ONLOOKER), awaited


# -- one battle ------------------------------------------------------------------------


@pytest.mark.parametrize("card", ["stalingrad", "rasputitsa", "moscow"])
def test_any_card_face_down_might_be_the_one(card: str) -> None:
    game = Game.from_position({**UKRAINE, "set": {"soviet-union": [card]}})
    game.apply("play land-battle")
    assert after(game, "battle ukraine soviet-union") == ["soviet-union"]
    assert after(game, "battle western-europe") == []
    game.apply("battle ukraine soviet-union")
    assert [ask.country for ask in asks_after(game.state)] == (
        ["soviet-union"] if card == "stalingrad" else []
    )


def test_nobody_might_react_without_a_card_face_down() -> None:
    game = Game.from_position(UKRAINE)
    assert after(game, "play land-battle") == []
    game.apply("play land-battle")
    assert after(game, "battle ukraine soviet-union") == []


def test_a_card_that_everyone_has_seen_used_might_not_react() -> None:
    """The five other responses of the Soviet Union lie open in its pile; none that is left could
    save the army."""
    position = {
        **UKRAINE,
        "set": {"soviet-union": ["rasputitsa"]},
        "discard": {"soviet-union": ["stalingrad"]},
    }
    game = Game.from_position(position)
    game.apply("play land-battle")
    assert after(game, "battle ukraine soviet-union") == []


def test_questions_come_in_their_order_each_if_those_before_pass() -> None:
    game = Game.from_position({
        "turn": "japan",
        "pieces": {
            "japan": ["japan", "sea-of-japan", "south-china-sea", "southeast-asia"],
            "united-kingdom": ["united-kingdom", "india", "bay-of-bengal"],
        },
        "hand": {"japan": ["sea-battle"]},
        "set": {"united-kingdom": ["destroyers"], "japan": ["surprise-attack"]},
    })  # fmt: skip
    game.apply("play sea-battle")
    assert after(game, "battle bay-of-bengal united-kingdom") == ["united-kingdom", "japan"]
    game.apply("battle bay-of-bengal united-kingdom")
    before = game.state.key()
    first, second = asks_after(game.state)
    assert [action.text for action in first.actions] == ["pass", "use destroyers"]
    assert [action.text for action in second.actions] == ["pass", "use surprise-attack"]
    assert first.decision.event["kind"] == "about-to-be-removed"
    assert second.decision.event["kind"] == "battled"
    assert game.state.key() == before, "asking has changed the game"


def test_a_status_asks_openly() -> None:
    game = Game.from_position({
        **UKRAINE, "table": {"germany": ["blitzkrieg"]}, "set": {"soviet-union": ["rasputitsa"]}
    })  # fmt: skip
    game.apply("play land-battle")
    game.apply("battle ukraine soviet-union")
    assert game.decision.country == "germany"
    assert "use blitzkrieg" in [action.text for action in game.legal_actions()]
    assert not is_hidden_ask(game.state)
    assert asks_after(game.state) == []


def test_the_first_card_laid_face_down_might_be_any() -> None:
    """In the first edition Truk may be used at the start of the next step, Kamikaze may not."""
    position = {"turn": "japan", "hand": {"japan": ["truk", "kamikaze", "build-navy"]}}
    game = Game.from_position(position, rules="first")
    assert after(game, "play truk") == after(game, "play kamikaze") == ["japan"]


def test_a_card_discarded_in_secret_might_be_any() -> None:
    """Partisans may be used at the start of the discard step, unless they were discarded."""
    cards = ["build-army", "build-army", "land-battle", "land-battle", "sea-battle", "partisans"]
    game = Game.from_position(
        {"turn": "soviet-union", "hand": {"soviet-union": cards}}, options={"air-marshal": True}
    )
    game.apply("pass")  # and do not reallocate
    for card in ("partisans", "sea-battle"):
        at_air_step = game.copy()
        at_air_step.apply(f"discard {card}")
        assert after(at_air_step, "pass") == ["soviet-union"]


def test_where_a_card_leads_does_not_tell_how_a_deck_lies() -> None:
    """The top four cards, all Build Army here, go to the pile, and one from there is played."""
    position = {"turn": "united-states", "table": {"united-states": ["flexible-resources"]}}
    game = Game.from_position(position, rules="first")
    actions = {action.text: action.code for action in game.legal_actions()}
    assert outlook(game.state, actions["use flexible-resources"]).spaces == []
    assert "canada" in outlook(game.state, actions["play build-army"]).spaces


# -- in good play ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("rules", "options"), [("second", {}), ("first", {}), ("second", {"air-marshal": True})]
)
def test_good_players_are_asked_only_where_they_might_react(
    rules: str, options: dict[str, bool], seed: int
) -> None:
    game = Game.new(rules, seed=seed, options=options)
    bots = {name: make_bot("veteran", seed * 8 + n) for n, name in enumerate(COUNTRIES)}
    asked = 0
    while not game.is_over:
        before = game.state.copy()
        take_decision(game, bots)
        asked += check_asks(before, game)
    assert asked


@every_variant
def test_whoever_is_asked_might_react(rules: str, options: dict[str, bool]) -> None:
    asked = 0
    before: tuple[int, State] | None = None
    for game in lively_games(rules, options, range(6)):
        if before is not None and before[0] == len(game.codes) - 1:
            asked += check_asks(before[1], game)
        before = len(game.codes), game.state.copy()
    assert asked > 10


def check_asks(before: State, game: Game) -> int:
    """How many are asked after the last action of a game, each of whom might react."""
    country, code, is_free = game.codes[-1]
    if game.is_over or (code == PASS and is_hidden_ask(before)):
        return 0
    asks = asks_after(game.state)
    might = might_react(before, country, code, is_free)
    assert {ask.country for ask in asks} <= set(might), (game.record, game.history[-1])
    return len(asks)


# -- nothing hidden has a part in it ---------------------------------------------------


@every_variant
def test_hidden_cards_do_not_say_who_might_react(rules: str, options: dict[str, bool]) -> None:
    """The same action where other cards are hidden: unless everyone sees something else come of
    it, the same countries might react."""
    compared = 0
    for _, (s, other) in public_decisions(rules, options, range(6), every=8):
        country = decider(s)
        for code in set(s.options) & set(other.options):
            one, two = (might_react(state, country, code) for state in (s, other))
            if one != two:
                text = make_action(s.rules, country, code).text
                assert outcome(s, country, code) != outcome(other, country, code), (text, one, two)
            compared += bool(one)
    assert compared > 10


@pytest.mark.parametrize("options", [{}, {"air-marshal": True}])
@pytest.mark.parametrize("rules", ["first", "second"])
def test_taking_a_piece_off_tells_nothing_hidden(rules: str, options: dict[str, bool]) -> None:
    compared = 0
    for game, (s, other) in public_decisions(rules, options, range(6), every=25):
        for name in COUNTRIES:
            for action in game.removals(name)[:3]:
                what = COUNTRIES.index(name), action.code, True
                one, two = might_react(s, *what), might_react(other, *what)
                assert one == two or outcome(s, *what) != outcome(other, *what), (action, one, two)
                compared += 1
    assert compared > 10


@every_variant
def test_what_is_done_in_secret_does_not_tell_itself(rules: str, options: dict[str, bool]) -> None:
    """Whichever card a country lays face down or discards, the same countries might react."""
    compared = 0
    for game, _ in public_decisions(rules, options, range(8), every=6):
        s = game.state
        country = decider(s)
        alike: dict[object, list[tuple[str, list[str]]]] = {}
        for action in game.legal_actions():
            told = told_choice(s.rules, action, ONLOOKER)
            if action.card is not None and told.card is None:
                seen = told.text, outcome(s, country, action.code)
                might = might_react(s, country, action.code)
                alike.setdefault(seen, []).append((action.text, might))
        for same in alike.values():
            assert all(might == same[0][1] for _, might in same), same
            compared += len(same)
    assert compared > 10


@every_variant
def test_a_card_used_does_not_tell_who_passed_before(rules: str, options: dict[str, bool]) -> None:
    """Where someone uses a card in secret, others may have been asked and have passed, or not."""
    compared = 0
    for game in lively_games(rules, options, range(1, 12, 2)):
        if not is_hidden_ask(game.state):
            continue
        look = game.look()
        alike: dict[object, list[list[str]]] = {}
        for seed in range(3):
            dealt = look.deal(len(game.codes) + seed)
            if Look.at(dealt, ONLOOKER) != look:
                continue
            for ask in asks_after(dealt):
                country = decider(ask.state)
                for action in ask.actions[1:]:
                    seen = Look.at(ask.state, ONLOOKER), action.text, country
                    end = outcome(ask.state, country, action.code)
                    might = might_react(ask.state, country, action.code)
                    alike.setdefault((seen, end), []).append(might)
        for same in alike.values():
            assert all(might == same[0] for might in same), same
            compared += len(same)
    assert compared > 10


@every_variant
def test_where_an_action_leads_tells_nothing_hidden(rules: str, options: dict[str, bool]) -> None:
    """What a country is told of the spaces it will choose from comes of its own cards."""
    compared = 0
    for game, _ in public_decisions(rules, options, range(8), every=9):
        look = game.look(game.decision.country)
        s, other = look.deal(1), look.deal(2)
        for action in game.legal_actions():
            spaces = [outlook(state, action.code).spaces for state in (game.state, s, other)]
            assert spaces[0] == spaces[1] == spaces[2], action
            compared += bool(spaces[0])
    assert compared > 10

"""What the repr of a public value says makes it again, where a line can say it."""

from typing import Any

import pytest

import quartermaster
from quartermaster import RULE_SETS, Game, load_rules
from quartermaster.bots.guard import Fault
from quartermaster.cards import rule_sets
from quartermaster.forms.deals import Deal
from quartermaster.rules.actions import VERBS, Verb
from quartermaster.rules.frames import Frame, Occasion
from quartermaster.sight import decision, explain, log, view

NAMES: dict[str, Any] = {
    **vars(rule_sets),
    **vars(log),
    **vars(view),
    **vars(explain),
    **vars(decision),
    **{name: getattr(quartermaster, name) for name in quartermaster.__all__},
    **{type.__name__: type for type in (Deal, Fault, Frame, Occasion, Verb)},
}


def again(value: object) -> Any:
    return eval(repr(value), dict(NAMES))


def under_way() -> Game:
    game = Game.new("first", seed=11, options={"air-marshal": True}, seats=2)
    for step in range(60):
        actions = game.legal_actions()
        game.apply(actions[step % len(actions)])
    return game


@pytest.mark.parametrize(
    "seats",
    [2, 5, [["germany"], ["japan", "italy"], ["united-kingdom", "soviet-union", "united-states"]]],
)
def test_a_new_game(seats: Any) -> None:
    for rules in RULE_SETS:
        game = Game.new(rules, seed=5, seats=seats)
        made = again(game)
        assert made == game
        assert made.seats == game.seats
        assert made.record == game.record


def test_a_game_under_way_says_where_it_is_and_no_secret() -> None:
    assert repr(under_way()).startswith("<Game first seed=11: round ")
    secret = quartermaster.fresh_seed()
    assert secret not in repr(Game.new(seed=secret))
    assert repr(Game.new(seed=secret)).startswith("<Game second seed=secret: ")


def test_actions_and_their_phrases() -> None:
    game = Game.new("first", seed=3, options={"air-marshal": True})
    seen = set()
    for step in range(400):
        for action in game.legal_actions():
            made = again(action)
            assert made == action
            assert made.phrase == action.phrase
            seen.add(action.verb)
        if game.is_over:
            break
        game.apply(game.legal_actions()[step * 7 % len(game.legal_actions())])
    assert len(seen) > 8


def test_what_people_and_programs_see() -> None:
    game = under_way()
    values: list[object] = [game.decision, game.view("germany"), game.view(None)]
    values += list(game.events)
    values += list(game.supply("germany").values())
    values += list(RULE_SETS.values())
    values += [Deal("0" * 64, ((0, "1" * 64),)), Fault("italy", "x", "r", "random", "k")]
    for value in values:
        assert again(value) == value
    rules = game.state.rules
    assert again(rules) is rules
    assert again(load_rules("second", is_version_1=True)) is load_rules("second", is_version_1=True)


def test_what_the_rules_are_made_of() -> None:
    frame = Frame(4, 1, 2, -1, Occasion(10, 0, 5, 3, -1, 0, 1, 7), 1, 0, (1, 2))
    assert repr(again(frame)) == repr(frame)
    assert again(frame.because).data() == frame.occasion().data()
    assert [again(verb).id for verb in VERBS] == [verb.id for verb in VERBS]
    game = under_way()
    assert repr(game.state.rules.cards[0]) == "<Card build-army of germany>"
    assert repr(game.state).startswith("<State of first: round ")

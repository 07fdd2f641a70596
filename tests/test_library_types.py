"""The types that the library tells to programs: mypy reads the assertions, not Python."""

from collections.abc import Sequence
from typing import assert_type

from quartermaster import Action, Game, Look, Match, play_match


class Builder:
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return next((action for action in actions if action.verb == "build"), actions[0])


def test_a_game_tells_the_types_of_its_actions() -> None:
    game = Game.new(seed=7)
    actions = assert_type(game.legal_actions(), list[Action])
    assert_type(actions[0].verb, str)
    assert_type(game.history, list[Action])
    game.apply(actions[0])
    game.apply(game.legal_actions()[0].text, country="germany")
    assert [action.country for action in game.history] == ["germany", "germany"]


def test_a_bot_needs_no_base_class_and_stands_beside_names() -> None:
    match = assert_type(play_match([Builder(), "random"], seed=7), Match)
    assert match.faults == ()

"""What newcomers get wrong with the library: each error says what was expected, and nothing has
changed."""

from collections.abc import Callable
from typing import Any

import pytest

import quartermaster
from quartermaster import Game, QuartermasterError, UnknownName

untyped: Any = quartermaster  # type checkers find most of this, where they are used


class Builder:
    def decide(self, look: Any, actions: Any) -> Any:
        return actions[0]


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        (lambda: Game.new().undo(), "there is no action to undo"),
        (lambda: Game.new().undo(3), "to: expected the number of an action, 0 to 0, got 3"),
        (lambda: untyped.play_match([Builder]), "got the class Builder: make one of it"),
        (lambda: untyped.play_match([5]), r"which has a method decide\(look, actions\), got 5"),
        (lambda: untyped.Guard(Game.new(seed=7), seed=1), r"got Game.new\("),
        (
            lambda: untyped.action_names("second"),
            "rules: expected what load_rules gives, got 'second'",
        ),
        (
            lambda: untyped.action_number("second", "pass"),
            "expected what load_rules gives, got 'second'",
        ),
        (
            lambda: untyped.advise(Game.new(seed=7)),
            r"expected a look, such as game.look\('germany'\), got",
        ),
        (lambda: untyped.estimate("germany"), r"expected a look, such as .*, got 'germany'"),
        (lambda: untyped.action_number([], "pass"), r"expected what load_rules gives, got \[\]"),
        (lambda: untyped.action_number(untyped.load_rules("second"), []), r"unknown action \[\]"),
        (lambda: untyped.Game.new(sets=None), "sets: expected a list of names or files, got None"),
        (lambda: untyped.load_rules("second", sets=5), "expected a list of names or files, got 5"),
        (lambda: untyped.play_match(5), "bots: expected those of each seat or country, got 5"),
        (
            lambda: untyped.play_match(["random"], seconds="x"),
            "seconds: expected more than 0, got 'x'",
        ),
        (lambda: Game.new().play_unseen([]), "expected one for each of 6 countries, got 0"),
        (lambda: Game.new().supply("germany", "xyzzy"), "expected one of 53, such as canada or"),
    ],
)
def test_an_error_says_what_was_expected(wrong: Callable[[], object], expected: str) -> None:
    with pytest.raises(QuartermasterError, match=expected):
        wrong()


def test_a_long_list_of_names_is_not_in_the_error_whole() -> None:
    error = UnknownName("space", "xyzzy", [f"space-{n}" for n in range(53)])
    assert str(error) == "unknown space 'xyzzy'; expected one of 53, such as space-0 or space-1"


def test_a_chooser_that_fails_changes_nothing() -> None:
    game = Game.new(seed=7)
    game.apply(game.legal_actions()[0])
    before = game.copy()
    asked = 0

    def fail_later(count: int) -> int:
        nonlocal asked
        asked += 1
        return 0 if asked < 40 else count

    with pytest.raises(QuartermasterError, match="expected the place of an action, 0 to"):
        game.play_unseen([fail_later] * 6)
    assert asked == 40
    assert game == before
    assert game.record == before.record
    assert game.events == before.events

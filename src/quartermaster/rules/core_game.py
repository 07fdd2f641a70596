"""The part of `Game` that a program goes through at every decision, compiled with the core.

It knows actions only as objects that stand for a country's codes: each is made once for a rule
set, so that one that is legal is found by being the same object.
"""

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from quartermaster.rules.engine import apply, decider
from quartermaster.rules.numbering import Numbering
from quartermaster.rules.state import State

if TYPE_CHECKING:  # for types alone: the core imports nothing of what is built on it
    from quartermaster.forms.notation import Action


@mypyc_attr(allow_interpreted_subclasses=True)
class CoreGame:
    """A state, what was done to come to it, and what may be done next.

    What an action is made of only `Game` knows, which overrides `_make_action` and `_apply_other`.
    """

    def __init__(self, state: State, actions: "list[list[Action | None]]") -> None:
        """`actions` has those made so far: for each country, by their numbers."""
        self.state = state
        self._history: list[tuple[int, int, bool]] = []  # country, code, taken off freely
        self._actions = actions

    def _make_action(self, country: int, code: int) -> "Action":
        """The action that a code stands for when a country does it."""
        raise NotImplementedError

    def _apply_other(self, action: "Action | str", country: object, is_whole: bool) -> None:
        """Carry out what is given in another way than as one of the legal actions."""
        raise NotImplementedError

    @property
    def is_over(self) -> bool:
        """Whether somebody has won.

        >>> from quartermaster import Game
        >>> Game.new().is_over
        False
        """
        return self.state.winner >= 0

    def legal_actions(self) -> "list[Action]":
        """What the deciding country may do; nothing once the game is over.

        >>> from quartermaster import Game
        >>> [str(action) for action in Game.new(seed=7).legal_actions()][:2]
        ['discard build-army', 'discard build-navy']
        """
        s = self.state
        if s.winner >= 0:
            return []
        country = decider(s)
        known = self._actions[country]
        numbering = s.rules.numbering
        return [_action_of(self, known, numbering, country, code) for code in s.options]

    def apply(self, action: "Action | str", country: object = None, is_whole: bool = False) -> None:
        """Carry out an action, given itself or as its text.

        A text may be cut short where only one legal action begins with it, unless `is_whole`.
        `country` is the id of the country that acts, if another than the deciding one: any may
        take an own piece off at any time, also by naming itself in the text,
        `italy: remove army ukraine`. Anything else than a legal action raises `IllegalAction`
        (a country that does not exist: `UnknownName`) and changes nothing.

        >>> from quartermaster import Game
        >>> game = Game.new(seed=7)
        >>> game.apply("discard build-n")
        >>> str(game.history[0])
        'discard build-navy'
        """
        # `country` is an object here, for compiled code would refuse what is no text with an
        # error of its own, and not with `UnknownName`.
        s = self.state
        # None is no action, though it stands where one is yet to be made.
        if action is not None and country is None and s.winner < 0:
            deciding = decider(s)
            known = self._actions[deciding]
            numbering = s.rules.numbering
            for code in s.options:
                if known[numbering.number(code)] is action:
                    apply(s, code)
                    self._history.append((deciding, code, False))
                    return
        self._apply_other(action, country, is_whole)

    def _become_copy_of(self, other: "CoreGame") -> None:
        """Become an independent copy of another, without its log."""
        self.state = other.state.copy()
        self._history = other._history.copy()
        self._actions = other._actions


def _action_of(
    game: CoreGame,
    known: "list[Action | None]",
    numbering: Numbering,
    country: int,
    code: i64,
) -> "Action":
    """The action of a code, out of those made before."""
    number = numbering.number(code)
    action = known[number]
    if action is None:
        action = game._make_action(country, code)
        known[number] = action
    return action

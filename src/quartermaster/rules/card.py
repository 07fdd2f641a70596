"""What cards are made of: the words of their programs, numbers, when they may be used.

The words themselves are in `effects/`, `when.py` and `where.py`; here is what all of them are.
"""

from typing import TYPE_CHECKING

from mypy_extensions import i64, mypyc_attr

from quartermaster.rules.frames import Frame, Occasion
from quartermaster.rules.names import COUNTRIES, NOBODY

if TYPE_CHECKING:  # a state knows its cards, not the other way round
    from quartermaster.rules.state import State


@mypyc_attr(allow_interpreted_subclasses=True)  # card sets of one's own have words of their own
class Op:
    """One word of a program. The ops of a rule set are made once and never change."""

    kind = ""  # of the decision it asks for: one of `actions.KINDS`

    def run(self, s: "State", f: Frame) -> bool:
        """Go on as far as possible: true if a decision is needed, its choices in
        `s.options`; else the op has moved `f.pc` on, or pushed a frame."""
        raise NotImplementedError

    def choose(self, s: "State", f: Frame, code: int) -> None:
        """Carry out one of the choices `run` gave."""
        raise NotImplementedError

    def decider(self, s: "State", f: Frame) -> int:
        """Whose decision it is."""
        return f.country

    def piece_lost(self, f: Frame, country: int, space: int) -> None:
        """Told of every piece that leaves the board while the op is in progress: one that is
        placed in the same space later is another piece."""

    def can_do(self, s: "State", f: Frame) -> bool:
        """Whether it could change anything; a reaction that could not is not offered."""
        return True

    def discards_from(self, s: "State", f: Frame) -> tuple[int, ...]:
        """As a cost: the zones whose cards it may put on the own discard pile."""
        return ()

    def is_in_vain(self, s: "State", f: Frame) -> bool:
        """Whether it would fetch nothing, as its country can know. It is offered all the same
        where the others, who cannot know, could tell by its not being offered."""
        return False

    def is_asked(self, s: "State", f: Frame) -> bool:
        """Whether its decision is put even if it has one choice or none: where the number of
        choices depends on hidden cards, a question that is skipped would tell of them."""
        return False

    def looks_at(self, s: "State", f: Frame) -> int:
        """How many cards on top of the own deck its country is looking at."""
        return 0

    def digs_for(self, owner: int) -> int:
        """The country that may lay a card of its discard pile face down by it."""
        return NOBODY

    def lays_shown(self) -> bool:
        """Whether it lays down the card that was shown from hand before."""
        return False


class Program:
    """Ops carried out in order. A negated program goes on at `tail`."""

    def __init__(self, ops: list[Op], tail: int) -> None:
        self.ops = ops
        self.tail = tail


@mypyc_attr(allow_interpreted_subclasses=True)  # card sets of one's own have words of their own
class Num:
    """A number that the board gives: pieces counted, a condition (1 or 0)."""

    def value(self, s: "State", f: Frame) -> int:
        raise NotImplementedError


@mypyc_attr(allow_interpreted_subclasses=True)  # card sets of one's own have words of their own
class Trigger:
    """When a card may be used."""

    def listens_to(self) -> list[int]:
        """The kinds of occasions it listens to."""
        raise NotImplementedError

    def matches(self, s: "State", country: int, occasion: Occasion) -> bool:
        raise NotImplementedError

    def is_own_turn_only(self) -> bool:
        """Whether it can match in the owner's turn alone, so that it need not be asked in
        others'."""
        return False


class Always:
    """What a status changes for as long as it lies there (rules: "simply hold")."""

    def __init__(
        self,
        no_source_mask: int = 0,
        against: int = 0,
        source_mask: int = 0,
        sustained_mask: int = 0,
        team_wide: bool = False,
        build_mask: int = 0,
        recruit_mask: int = 0,
    ) -> None:
        self.no_source_mask = no_source_mask  # no supply spaces ...
        self.against = against  # ... for these countries (a mask)
        self.source_mask = source_mask  # supply spaces for the owner alone, starred
        self.sustained_mask = sustained_mask  # the owner's pieces here are in supply ...
        self.team_wide = team_wide  # ... and its teammates'
        self.build_mask = build_mask  # armies may be built here without an adjacent piece
        self.recruit_mask = recruit_mask  # an army to be built may be recruited here


class Card:
    """One card, as declared. Its `index` is its place in the rule set's list."""

    def __init__(
        self,
        name: str,
        type: i64,
        text: str,
        cost: list[Op],
        effects: list[Op],
        trigger: Trigger | None = None,
        is_once: bool = False,
        is_auto: bool = False,
        is_in_place: bool = False,
        always: Always | None = None,
        needs: Num | None = None,
        names_target: Op | None = None,
        copies: int = 1,
    ) -> None:
        self.id = ""
        self.name = name
        self.country: i64 = NOBODY
        self.type = type
        self.text = text
        self.cost = cost
        self.effects = effects
        self.trigger = trigger
        self.is_once = is_once
        self.is_auto = is_auto  # used by itself, without a question (rules 6)
        self.is_in_place = is_in_place  # used in place of playing a card
        self.always = always
        self.needs = needs  # what must hold for the card to be played at all
        self.names_target = names_target
        self.copies = copies
        self.is_must = False  # its one part is carried out once used: its use was the choice
        self.index = -1
        self.program: i64 = -1
        self.place = -1  # among its country's cards
        self.bit = 0  # of that place, in masks of its country's cards

    def __repr__(self) -> str:
        return f"<Card {self.id} of {'nobody' if self.country < 0 else COUNTRIES[self.country]}>"

    @property
    def is_reaction(self) -> bool:
        return self.trigger is not None or self.is_in_place

"""The course of a table's game: the game itself, and the steps by which it has come so far."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from quartermaster.forms.deals import Deal
from quartermaster.game import Game
from quartermaster.rules.conceal import looked_at
from quartermaster.rules.names import DECK, HAND, SET
from quartermaster.rules.state import State
from quartermaster.server.table.events import FaultNote, Moved
from quartermaster.sight.reactions import Ask

_TELLING: Final = frozenset(
    {"draw", "mill", "show", "show-type", "shuffle", "take", "order", "discard-response"}
)


@dataclass(frozen=True)
class Step:
    """A public change of the game, for going back."""

    against: int  # the number of the table before
    user: str | None
    moves: tuple[tuple[str, str], ...]
    actions: int  # before
    is_free: bool  # its player may take it back
    is_reaction: bool  # came of a window, into which nobody goes back


@dataclass(frozen=True)
class Outcome:
    """What some actions bring."""

    game: Game  # after them
    shown: Game  # before the last of them
    asks: Sequence[Ask]  # that they lead to


@dataclass(frozen=True)
class Course:
    """A game under way. Neither it nor its game is ever changed: what happens makes others."""

    game: Game
    deal: Deal | None = None  # what the cards come from
    added_by: Mapping[int, str] = field(default_factory=dict)  # seat -> who added to it, by name
    recorded: Sequence[int] = (0,)  # moments of what the game went on from
    steps: tuple[Step, ...] = ()

    def carried_out(
        self, moves: Sequence[tuple[str, str]], faults: Sequence[FaultNote]
    ) -> tuple[Game, Game]:
        """The game after some actions, and before the last of them. What is not legal raises."""
        game = shown = self.game.copy()
        for fault in faults:
            game.note_fault(fault.country, fault.bot, fault.reason, fault.stand_in)
        for number, (country, text) in enumerate(moves, 1):
            if number == len(moves):
                shown = game.copy()
            game.apply(text, country=country, is_whole=True)
        return game, shown

    def moved(
        self,
        event: Moved,
        game: Game,
        user: str | None,
        viewers: frozenset[int],
        is_reaction: bool,
    ) -> "Course":
        """A move has led to `game`. `viewers` are the countries whose cards its player sees."""
        if not event.moves or (is_reaction and all(text == "pass" for _, text in event.moves)):
            return replace(self, game=game)
        before = self.game.state
        entries = len(self.game.raw_log)
        is_free = (
            user is not None
            and event.window is None
            and not any(entry[0] in _TELLING for entry in game.raw_log[entries:])
            and not _has_told(before, game.state, viewers)
        )
        start = len(self.game.codes)
        step = Step(event.against, user, event.moves, start, is_free, is_reaction)
        return replace(self, game=game, steps=(*self.steps, step))

    def taken_back(self, actions: int) -> "Course":
        """The course with only so many actions left: those after them are taken back."""
        game = self.game.copy()
        game.undo(actions)
        steps = tuple(step for step in self.steps if step.actions < actions)
        return replace(self, game=game, steps=steps)

    def back_to(self, user: str) -> list[int]:
        """The numbers of the table that a person may go back to without asking anyone: own
        decisions after which nothing hidden was seen, and nobody else decided."""
        numbers: list[int] = []
        for step in reversed(self.steps):
            if step.user != user or not step.is_free:
                break
            numbers.append(step.against)
        return numbers

    def moments(self, is_window_open: bool) -> list[int]:
        """The numbers of actions after which everyone could see the game: its beginning, and
        after each public change. Of a game that went on from a record, after each action that
        was no secret passing."""
        counts = [*self.recorded, *(step.actions for step in self.steps[1:])]
        if self.steps and not is_window_open:
            counts.append(len(self.game.codes))
        return counts

    def last_moment(self, is_window_open: bool) -> int:
        """How many `moments` there are but the first: the number of the last one."""
        return len(self.recorded) - 1 + max(0, len(self.steps) - is_window_open)


def _has_told(before: State, after: State, viewers: frozenset[int]) -> bool:
    """Whether someone who sees for some countries has seen something new and hidden."""
    if before.rng != after.rng:
        return True
    for country in range(6):
        if country in viewers:
            if _deck_as_known(before, country) != _deck_as_known(after, country):
                return True
            continue
        if len(before.zones[DECK + country]) != len(after.zones[DECK + country]):
            return True
        for zone in (HAND, SET):
            if before.zones[zone + country] != after.zones[zone + country]:
                return True
    return False


def _deck_as_known(s: State, country: int) -> tuple[list[int], list[int]]:
    """What a country knows of its own deck: which cards are in it, and which are those on top
    that it looks at."""
    deck = s.zones[DECK + country]
    cut = len(deck) - looked_at(s, country)
    return sorted(deck[:cut]), sorted(deck[cut:])

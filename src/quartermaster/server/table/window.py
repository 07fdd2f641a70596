"""The reaction window of a table: who is asked, what they have answered, how long it is open.

Whether a window opens, how long it stays and when it closes must not depend on what is hidden:
see `sight/reactions.py`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import msgspec

from quartermaster.forms.notation import Action
from quartermaster.game import Game
from quartermaster.server.table.events import GameSettings, Late, OpenWindow, Seat
from quartermaster.server.table.seating import Seating
from quartermaster.sight.reactions import Ask

# As long as a bot may think: a window is open at least so long, and a bot that has one choice
# takes as long as if it had several.
BOT_SECONDS: Final = {"general": 1.4}
_LEAST_BOT_SECONDS: Final = 0.3


@dataclass(frozen=True)
class Window:
    """A window that is open now. What happens in it makes another."""

    spec: OpenWindow
    asks: Sequence[Ask]
    shown: Game  # before the action that opened it: what everyone is shown meanwhile
    announced: Action  # that opened it
    until: float
    answers: Mapping[int, str] = field(default_factory=dict)
    gone_on: frozenset[int] = frozenset()  # seats
    held: frozenset[int] = frozenset()

    def answered(self, ask: int, text: str) -> "Window":
        return replace(self, answers={**self.answers, ask: text})

    def needed_no_longer(self, seat: int) -> "Window":
        return replace(self, gone_on=self.gone_on | {seat})

    def held_open(self, seat: int, until: float) -> "Window":
        return replace(self, held=self.held | {seat}, until=until)

    def after_pause(self, seconds: float) -> "Window":
        """Time does not count that passed in a pause."""
        spec = msgspec.structs.replace(self.spec, not_before=self.spec.not_before + seconds)
        return replace(self, spec=spec, until=self.until + seconds)

    def asked_anew(self, number: int, seat: Seat) -> "Window":
        """Someone else plays a seat, who was not asked: its questions are put anew."""
        kept = {
            i: text
            for i, text in self.answers.items()
            if self.asks[i].country not in seat.countries
        }
        return replace(self, answers=kept, gone_on=self.gone_on - {number})

    def bot_asks(self, seating: Seating) -> list[int]:
        """The questions that bots have to answer."""
        return [
            i for i, ask in enumerate(self.asks) if seating.seat_for(ask.country).bot is not None
        ]


def opened(
    countries: tuple[str, ...],
    is_asked: bool,
    settings: GameSettings,
    seating: Seating,
    is_hiding: bool,
    now: float,
) -> OpenWindow | None:
    """The window that opens where some countries might react; none where there is nobody to
    hide it from."""
    seats = [seating.seat_for(country) for country in countries]
    bots = [seat.bot for seat in seats if seat.bot is not None]
    least = 0.0
    if bots and seating.holders:
        seconds = [BOT_SECONDS.get(bot, _LEAST_BOT_SECONDS) for bot in bots]
        least = max([settings.pause, *seconds])
    waits = is_hiding and any(seat.bot is None for seat in seats)
    longest = max(least, settings.window) if waits else least
    if not (waits or (bots and seating.holders) or is_asked):
        return None
    # Without a wait there is nothing to be late for: who is asked is waited for.
    late: Late = settings.late if waits and settings.window > 0 else "wait"
    return OpenWindow(countries, now + least, now + longest, late, is_timed=least > 0)

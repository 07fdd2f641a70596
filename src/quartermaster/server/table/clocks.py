"""The clocks of a table: whose time runs, how much is left, and since when a decision stands."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from quartermaster.server.table.events import Clock

DAY: Final = 86400.0
_BACK: Final = 60.0  # seconds on the clock of who comes back, at least


@dataclass(frozen=True)
class Clocks:
    """The clocks of all seats. Time that passes makes other clocks."""

    banks: Mapping[int, float] = field(default_factory=dict)  # seat -> seconds left
    running: int | None = None  # seat whose clock runs
    changed_at: float = 0.0
    asked_at: float = 0.0  # when the decision at hand came up
    reminded: int = -1  # since which number the decision stands that someone was reminded of
    expired: int = -1  # since which number the decision stands for which time ran out

    def started(self, clock: Clock, seats: int) -> "Clocks":
        """The game begins: each seat has its whole time."""
        return replace(self, banks=dict.fromkeys(range(seats), 60 * clock.minutes))

    def after(self, clock: Clock, at: float) -> "Clocks":
        """Something happens that everyone learns of: the time until then is used up."""
        if self.running is None or clock.kind != "live":
            return self
        return self._with_bank(self.running, -max(0.0, at - self.changed_at))

    def with_increment(self, clock: Clock) -> "Clocks":
        """Whose clock runs has decided something."""
        if self.running is None or clock.kind != "live":
            return self
        return self._with_bank(self.running, clock.increment)

    def back(self, clock: Clock, seat: int, at: float) -> "Clocks":
        """Someone comes back for whom a bot has played: there is time to look around."""
        banks = self.banks
        if clock.kind == "live":
            banks = {**banks, seat: max(banks[seat], _BACK)}
        return replace(self, banks=banks, asked_at=at)

    def _with_bank(self, seat: int, seconds: float) -> "Clocks":
        return replace(self, banks={**self.banks, seat: self.banks[seat] + seconds})

    def deadline(self, clock: Clock) -> float | None:
        """When the time of the person who decides is over."""
        if self.running is None:
            return None
        if clock.kind == "live":
            return self.changed_at + self.banks[self.running]
        return self.asked_at + clock.days * DAY

    def seconds_left(self, clock: Clock, seat: int, now: float) -> float | None:
        """On a seat's clock; nothing where there is none."""
        if clock.kind == "none":
            return None
        if clock.kind == "live":
            spent = max(0.0, now - self.changed_at) if seat == self.running else 0.0
            return max(0.0, self.banks[seat] - spent)
        if seat != self.running:
            return None
        return max(0.0, self.asked_at + clock.days * DAY - now)

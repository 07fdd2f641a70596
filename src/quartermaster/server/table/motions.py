"""What someone proposes to a table, and who has agreed to it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from quartermaster.server.table.clocks import DAY
from quartermaster.server.table.events import Clock, Motion
from quartermaster.server.table.seating import Seating

# Seconds to answer a proposal for whom a bot plays; then it counts as agreed.
_ABSENT: Final = 600.0


@dataclass(frozen=True)
class Proposal:
    """A proposal that waits for answers. A vote makes another."""

    user: str
    what: Motion
    actions: int
    votes: frozenset[str]  # for it
    until: float  # who is absent and has not answered by then is taken to agree

    def with_vote(self, user: str) -> "Proposal":
        return replace(self, votes=self.votes | {user})

    def missing(self, seating: Seating) -> list[str]:
        """Who has not said anything to it yet."""
        return [user for user in voters(self.what, seating) if user not in self.votes]

    def absent(self, seating: Seating) -> list[str]:
        """Those of them for whom a bot plays: they are waited for, but not for ever."""
        return [user for user in self.missing(seating) if user not in seating.people]

    def is_agreed(self, seating: Seating, also: Iterable[str]) -> bool:
        """Whether all are for it once some more are."""
        return set(self.missing(seating)) <= set(also)


def voters(what: Motion, seating: Seating) -> list[str]:
    """Who must agree to something. A pause is in favour of who is absent; going back or ending
    is not, so that those are asked too."""
    return list(seating.people if what == "pause" else seating.holders)


def time_to_answer(clock: Clock) -> float:
    """How long someone absent has to answer a proposal."""
    return clock.days * DAY if clock.kind == "async" else _ABSENT

"""A table before its game: who is ready, and what people have added to the deal."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from quartermaster.server.table.events import ReadySaid
from quartermaster.server.table.seating import Seating


@dataclass(frozen=True)
class Lobby:
    """What people have said before the game. What is said makes another lobby."""

    ready: frozenset[str] = frozenset()
    agreed: frozenset[str] = frozenset()  # to hidden cards as they were recorded
    added: Mapping[str, str] = field(default_factory=dict)  # person -> what their client added

    def said(self, event: ReadySaid) -> "Lobby":
        """Someone is ready, or no longer."""
        user, agrees = {event.user}, event.is_ready and event.agrees
        return replace(
            self,
            ready=self.ready | user if event.is_ready else self.ready - user,
            agreed=self.agreed | user if agrees else self.agreed - user,
        )

    def unsaid(self, user: str) -> "Lobby":
        """Someone sits elsewhere now, and has not said that they are ready for it."""
        return replace(self, ready=self.ready - {user}, agreed=self.agreed - {user})

    def anew(self) -> "Lobby":
        """The game will be another: nobody has said that they are ready for that one."""
        return replace(self, ready=frozenset(), agreed=frozenset())

    def with_added(self, user: str, added: str) -> "Lobby":
        return replace(self, added={**self.added, user: added})

    def contributions(self, seating: Seating) -> dict[int, str]:
        """What people have added so far, by the first seat of each."""
        seats: dict[str, int] = {}
        for number, seat in enumerate(seating.seats):
            if seat.person is not None:
                seats.setdefault(seat.person, number)
        return {n: self.added[person] for person, n in seats.items() if person in self.added}

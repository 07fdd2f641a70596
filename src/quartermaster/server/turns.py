"""Who may use something next, where many want it: people take turns, however much each wants, and
so do the addresses they come from, however many names are used at one."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

_EVERY: Final = 5  # so many turns, and one is for what can wait

Future = asyncio.Future[None]


class Line:
    """Those who wait: by address, and there by person."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, deque[Future]]] = {}

    def add(self, address: str, person: str, one: Future) -> None:
        self._waiting.setdefault(address, {}).setdefault(person, deque()).append(one)

    def next(self) -> Future | None:
        """Whose turn it is; their person, and their address, are then behind all others."""
        for address in self._waiting:
            people = self._waiting.pop(address)
            person = next(iter(people))
            own = people.pop(person)
            one = own.popleft()
            if own:
                people[person] = own
            if people:
                self._waiting[address] = people
            return one
        return None


class Turns:
    """One at a time. What is urgent comes first, but for every fifth turn; among those who
    wait each address has a turn before any has the next, and there each person.
    """

    def __init__(self) -> None:
        self._urgent = Line()
        self._patient = Line()
        self._is_taken = False
        self._count = 0

    @asynccontextmanager
    async def turn(self, person: str, is_urgent: bool, address: str = "") -> AsyncIterator[None]:
        """Wait for a turn, and hold it until the context ends."""
        if self._is_taken:
            line = self._urgent if is_urgent else self._patient
            mine = asyncio.get_running_loop().create_future()
            line.add(address, person, mine)
            try:
                await mine
            except asyncio.CancelledError:
                if mine.done() and not mine.cancelled():
                    self._pass_on()  # who stops waiting had just been given the turn
                raise
        self._is_taken = True
        try:
            yield
        finally:
            self._pass_on()

    def _pass_on(self) -> None:
        self._count += 1
        lines = [self._urgent, self._patient]
        if self._count % _EVERY == 0:
            lines.reverse()
        for line in lines:
            while (one := line.next()) is not None:
                if not one.cancelled():
                    one.set_result(None)
                    return
        self._is_taken = False

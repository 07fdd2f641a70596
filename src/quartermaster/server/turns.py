"""Who may use something next, where many want it: people take turns, however much each wants."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

_EVERY: Final = 5  # so many turns, and one is for what can wait

Line = dict[str, deque[asyncio.Future[None]]]


class Turns:
    """One at a time. What is urgent comes first, but for every fifth turn; among those who
    wait each person has a turn before anyone has the next.
    """

    def __init__(self) -> None:
        self._urgent: Line = {}
        self._patient: Line = {}
        self._is_taken = False
        self._count = 0

    @asynccontextmanager
    async def turn(self, person: str, is_urgent: bool) -> AsyncIterator[None]:
        """Wait for a turn, and hold it until the context ends."""
        if self._is_taken:
            line = self._urgent if is_urgent else self._patient
            mine = asyncio.get_running_loop().create_future()
            line.setdefault(person, deque()).append(mine)
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
            while line:
                person = next(iter(line))
                waiting = line.pop(person)
                next_one = waiting.popleft()
                if waiting:
                    line[person] = waiting  # behind all others
                if not next_one.cancelled():
                    next_one.set_result(None)
                    return
        self._is_taken = False

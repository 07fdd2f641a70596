"""How a running server notices what was changed beside it: a ban, a session ended elsewhere, a
table closed by the admin command.

Whoever changes such a thing adds a row to the table `signals` in the same transaction. Every
worker reads the rows it has not seen once a second; on PostgreSQL it is told to look at once, and
what a worker has changed itself it heeds before it answers.
"""

import asyncio
import logging
import time
from contextlib import suppress
from typing import Final

from quartermaster.server.hub import Hub
from quartermaster.server.identity.sessions import Sessions
from quartermaster.server.refusals import Refused
from quartermaster.server.store.people import People

_EVERY: Final = 1.0  # seconds between looks
_TIDY_EVERY: Final = 3600.0  # seconds between clearings of what is old
_KEPT: Final = 1_000  # numbers of signals already seen

log = logging.getLogger("quartermaster.server")


class Signals:
    """Reads signals, and lets the parts of this worker know."""

    def __init__(self, people: People, hub: Hub, sessions: Sessions) -> None:
        self._people = people
        self._hub = hub
        self._sessions = sessions
        self._last = 0
        self._seen: dict[int, None] = {}
        self._looking = asyncio.Event()
        self._lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        self._last = await self._people.last_signal()
        self._seen = dict.fromkeys(number for number, _ in await self._people.signals(self._last))
        self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def look(self) -> None:
        """Have the signals read soon."""
        self._looking.set()

    async def heed(self) -> None:
        """Read the signals now, and act on those that are new."""
        async with self._lock:
            for number, what in await self._people.signals(self._last):
                if number in self._seen:
                    continue
                self._seen[number] = None
                self._last = max(self._last, number)
                await self._act(what)
            while len(self._seen) > _KEPT:
                del self._seen[next(iter(self._seen))]

    async def _watch(self) -> None:
        tidy_at = 0.0
        while True:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._looking.wait(), _EVERY)
            self._looking.clear()
            try:
                await self.heed()
                if time.monotonic() > tidy_at:
                    await self._people.drop_old_signals()
                    tidy_at = time.monotonic() + _TIDY_EVERY
            except Refused as refusal:  # the database cannot be reached
                log.warning("signals were not read: %s", refusal)
                await asyncio.sleep(_EVERY)
            except Exception:
                log.exception("signals were not read")
                await asyncio.sleep(_EVERY)

    async def _act(self, what: str) -> None:
        kind, _, rest = what.partition(":")
        id, _, number = rest.partition(":")
        match kind:
            case "user":
                self._sessions.forget_user(id)
            case "session":
                self._sessions.forget(id)
                self._hub.end_streams_of(session=id)
            case "ban":
                self._sessions.forget_user(id)
                self._hub.end_streams_of(user=id)
            case "game":
                await self._hub.catch_up(id, is_sure=True)
            case "names" | "gone":
                await self._hub.reload(id)
            case "unsaid":
                self._hub.unsay(id, int(number))

"""The time by which tables measure.

It is that of the monotonic clock, so a step of the machine's clock neither keeps a window open
nor takes anyone's time. Across restarts it goes on from what was last written: while the server
was off nobody could move, so that time counts against nobody. It lies behind the time of day by
as long as the server has been off in all.
"""

import asyncio
import logging
import time
from typing import Final

from quartermaster.server.refusals import Refused
from quartermaster.server.store.store import Store

BEAT: Final = 10.0  # seconds between two notes that the server is there
_ALONE: Final = 2.5 * BEAT  # without a note for so long, no worker has been there

log = logging.getLogger("quartermaster.clock")


class Timekeeper:
    """Tells a worker the time. Workers on one database agree on it, to a second or so."""

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()  # of the time of day, from now on
        self._off = 0.0
        self._beating: asyncio.Task[None] | None = None

    def day(self) -> float:
        """The time of day, as it goes on since the start: for lists and talk."""
        return time.monotonic() + self._ahead

    def now(self) -> float:
        """The time at tables."""
        return self.day() - self._off

    async def start(self, store: Store) -> None:
        """Go on from what was written, and keep it written."""
        found = await store.running()
        if found is not None and store.is_postgres and self.day() - found[0] > _ALONE:
            # Either nobody was there, or the machine's clock differs from that of those who are.
            await asyncio.sleep(1.2 * BEAT)
            again = await store.running()
            if again is not None and again != found:
                found = again
                self._ahead += again[0] - self.day()
        if found is not None:
            seen, self._off = found
            self._ahead += max(0.0, seen - self.day())  # time never goes back
            gap = self.day() - seen
            if gap > (_ALONE if store.is_postgres else 0.0):
                self._off += gap
                log.info("the server was off", extra={"seconds": round(gap, 1)})
        await store.note_running(self.day(), self._off)
        self._beating = asyncio.create_task(self._beat(store))

    async def close(self, store: Store) -> None:
        if self._beating is not None:
            self._beating.cancel()
            await store.note_running(self.day(), self._off)

    async def _beat(self, store: Store) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await store.note_running(self.day(), self._off)
            except Refused as refusal:  # the database cannot be reached
                log.warning("the time could not be noted: %s", refusal)
            except Exception:
                log.exception("the time could not be noted")

"""How much one person and one address may ask for in a while.

Names and tokens are free, so whatever a person may do is counted by address too: there may be
several people at one, but not any number. Behind several workers each counts what comes to it
and tells the others now and then (`Rates.news`), so that all count together; what they hear of
each other late is a second's worth.
"""

import json
import math
import time
from typing import Final

from quartermaster.server.addresses import called_from
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import Settings

MINUTE: Final = 60.0
HOUR: Final = 3600.0
DAY: Final = 86400.0
AT_ONE_ADDRESS: Final = 4  # times what a person may, together
MOST_CLIENTS: Final = 50_000  # counted at once: a bound on memory
_MOST_TOLD: Final = 100  # clients in one message to other workers, which holds 8,000 bytes


class Counter:
    """What each client has had, a minute (or longer) at a time.

    Litestar's own limit does not fit: it sees known paths only, keeps clients for good, and
    packs a list of all their times at each request.
    """

    def __init__(
        self, most: int, most_clients: int = MOST_CLIENTS, seconds: float = MINUTE
    ) -> None:
        self.most = most  # 0: no limit
        self.most_clients = most_clients
        self.seconds = seconds
        self.ends = 0.0  # when the time is over that began with the first request
        self.counts: dict[str, int] = {}
        self._news: dict[str, int] = {}  # counted here, and not told to other workers yet

    def count(self, client: str, now: float | None = None, amount: int = 1) -> int:
        """Count something; the seconds to wait if it is too much."""
        if not self.most:
            return 0
        self._add(client, time.monotonic() if now is None else now, amount)
        if client in self._news or len(self._news) < self.most_clients:
            self._news[client] = self._news.get(client, 0) + amount
        return self.wait(client, now)

    def wait(self, client: str, now: float | None = None) -> int:
        """The seconds to wait for who has had too much."""
        now = time.monotonic() if now is None else now
        if not self.most or self.counts.get(client, 0) <= self.most:
            return 0
        return max(0, math.ceil(self.ends - now))

    def _add(self, client: str, now: float, amount: int) -> None:
        if now >= self.ends:
            self.ends = now + self.seconds
            self.counts.clear()
        if client not in self.counts and len(self.counts) >= self.most_clients:
            del self.counts[next(iter(self.counts))]
        self.counts[client] = self.counts.get(client, 0) + amount

    def news(self) -> dict[str, int]:
        """What was counted here since this was last asked, of those who had most; of clients
        who had little it is not worth telling yet."""
        least = max(1, self.most // 50)
        found = sorted(self._news.items(), key=lambda item: -item[1])[:_MOST_TOLD]
        told = {client: amount for client, amount in found if amount >= least}
        for client in told:
            del self._news[client]
        return told

    def hear(self, news: dict[str, int]) -> None:
        """Count what another worker has counted."""
        if self.most:
            for client, amount in news.items():
                self._add(client, time.monotonic(), amount)


class Rates:
    """All that is counted, by what it is: of each thing by person and by address."""

    def __init__(self, settings: Settings) -> None:
        limits = {
            "requests": (settings.rate_limit, MINUTE),
            "tables": (settings.tables_limit, HOUR),
            "bytes": (1_000_000 * settings.quota, DAY),
        }
        self.counters: dict[str, Counter] = {}
        for what, (most, seconds) in limits.items():
            self.counters[what] = Counter(most, seconds=seconds)
            self.counters[f"{what} at"] = Counter(AT_ONE_ADDRESS * most, seconds=seconds)
        self.counters["guests at"] = Counter(settings.guests_limit, seconds=HOUR)

    def count(self, what: str, person: str | None, address: str | None, amount: int = 1) -> int:
        """Count something for a person and an address; the seconds to wait if it is too much.
        Strangers of one address count as one person. Who must wait is not counted for others."""
        wait = 0
        if what in self.counters and (person or address):
            wait = self.counters[what].count(person or f"at {address}", amount=amount)
        if address is not None and not wait:
            wait = self.counters[f"{what} at"].count(address, amount=amount)
        return wait

    def charge(self, person: str | None, size: int) -> None:
        """Refuse to keep what a person sends once it was enough for a day. What the server
        writes by itself is nobody's."""
        if person is not None:
            wait = self.count("bytes", person, called_from(), size)
            if wait:
                raise Refused(429, "quota", headers={"retry-after": str(wait)})

    def news(self) -> list[str]:
        """What other workers should hear, each text short enough for one message."""
        told = ((what, counter.news()) for what, counter in self.counters.items())
        return [json.dumps([what, news], separators=(",", ":")) for what, news in told if news]

    def hear(self, text: str) -> None:
        what, news = json.loads(text)
        self.counters[what].hear(news)

"""`kill -9` in the midst of play: what was acknowledged is there, once, and the tables go on.

QUARTERMASTER_KILLS sets how often; `tools/kill.py` does the same at length.
"""

import asyncio
import os
import time
from pathlib import Path

from quartermaster.server.hub import _LEASE
from quartermaster.server.store.store import Store
from servers import Server, two_seats
from storm import rage

KILLS = int(os.environ.get("QUARTERMASTER_KILLS", "3"))
SOON = 20.0  # seconds, also on a busy machine


def test_no_acknowledged_move_is_lost(empty_url: str, tmp_path: Path) -> None:
    storm = rage(empty_url, tmp_path, KILLS)
    assert storm.kills == KILLS
    assert storm.moves > 10 * KILLS
    assert not storm.lost
    assert not storm.doubled
    assert not storm.problems
    assert max(storm.stalls) < SOON


def test_nobody_waits_long_for_a_dead_worker(empty_url: str, tmp_path: Path) -> None:
    """A worker took over the bot's move that another's death left undone, and died as well."""
    server = Server(empty_url, tmp_path).start()
    try:
        with server.client("Anna") as anna:
            seats = two_seats("bot", "me")
            made = anna.post("/api/games", {"seats": seats, "pause": 1.5, "start": True})
            server.kill()
            asyncio.run(claim(empty_url, made["id"]))
            server.start()
            began = time.monotonic()
            while anna.get(f"/api/games/{made['id']}")["number"] == made["number"]:
                assert time.monotonic() < began + SOON, "nobody moves for the bot"
                time.sleep(0.1)
    finally:
        server.kill()


async def claim(url: str, game: str) -> None:
    store = Store(url)
    try:
        row = await store.game(game)
        assert row is not None
        assert row.wake_at is not None
        assert await store.claim([(game, row.wake_at)], time.time() + _LEASE)
    finally:
        await store.close()

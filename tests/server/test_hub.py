"""What a table needs by itself, with a real database and no network."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

from quartermaster.server.bots import BotPool
from quartermaster.server.hub import Hub
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.rows import EventRow, GameRow
from quartermaster.server.store.store import Store
from quartermaster.server.table import events as ev
from quartermaster.server.table.clocks import DAY
from quartermaster.server.table.commands import GameWish, SeatWish, create
from quartermaster.server.table.events import Clock
from quartermaster.server.table.table import Table
from servers import ALLIES, AXIS

SEATS = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot", "random")]


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(100):
        if is_so():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it has not come about")


async def slow_game(store: Store, began: float, id: str = "slow") -> str:
    """A game at which Anna has had something to decide for some time, two days for each."""
    wish = GameWish(seats=SEATS, clock=Clock("async", days=2), start=True)
    events = create("anna", "Anna", wish)
    rows = [
        EventRow(n, ev.tag_of(event), "anna", ev.encode(event), began)
        for n, event in enumerate(events, 1)
    ]
    row = GameRow(
        id, len(rows), "playing", False, "second", "{}", began, began,
        began + DAY, None, None, None,
    )  # fmt: skip
    await store.add_game(row, rows, {"anna": True})
    return row.id


def test_who_was_reminded_is_left_in_peace_until_time_is_up(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    upgrade(url)
    told: list[tuple[list[str], str]] = []

    def tell(_table: Table, users: list[str], kind: str) -> None:
        told.append((users, kind))

    async def run() -> None:
        store = Store(url)
        bots = BotPool(1, b"seed", lambda _level, _seconds: None)
        hub = Hub(store, bots, tell, lambda _moves: None)
        began = time.time() - 1.2 * DAY
        game = await slow_game(store, began)
        hub.start()
        try:
            await until(lambda: bool(told))
            assert told == [(["anna"], "reminder")]
            await asyncio.sleep(1.5)  # the sweeper has passed again
            row = await store.game(game)
            assert row is not None
            assert row.wake_at == began + 2 * DAY
            assert row.updated_at == began  # nothing has happened that lists would show
            assert told == [(["anna"], "reminder")]
        finally:
            await hub.close()
            bots.close()
            await store.close()

    asyncio.run(run())


def test_all_that_is_due_is_taken_up_at_once_even_beside_a_broken_game(tmp_path: Path) -> None:
    """After a restart, however many games wait."""
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    upgrade(url)
    reminded: set[str] = set()

    def tell(table: Table, _users: list[str], _kind: str) -> None:
        reminded.add(table.id)

    async def run() -> None:
        store = Store(url)
        bots = BotPool(1, b"seed", lambda _level, _seconds: None)
        hub = Hub(store, bots, tell, lambda _moves: None)
        began = time.time() - 1.2 * DAY
        games = {await slow_game(store, began, f"game{n}") for n in range(120)}
        broken = EventRow(1, "created", None, "{}", began)
        await store.add_game(
            GameRow(
                "broken", 1, "playing", False, "second", "{}", began, began, began, None, None, None
            ),
            [broken],
            {},
        )
        asked = 0
        due = store.due

        async def counted(now: float) -> list[tuple[str, float]]:
            nonlocal asked
            asked += 1
            return await due(now)

        store.due = counted  # type: ignore[assignment,method-assign]
        hub.start()
        try:
            await until(lambda: reminded == games)
            assert asked == 1, "the sweeper went round only once"
        finally:
            await hub.close()
            bots.close()
            await store.close()

    asyncio.run(run())

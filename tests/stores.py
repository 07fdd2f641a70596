"""A store for tests, and rows to put into it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from msgspec.structs import replace

from quartermaster.server.store.rows import EventRow, GameRow, User
from quartermaster.server.store.store import Store

T = TypeVar("T")


ANN = User("ann-1", "Ann", "ann", "secret", None, None, 1.5)


def with_store(url: str, work: Callable[[Store], Awaitable[T]]) -> T:
    async def run() -> T:
        store = Store(url)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def event(seq: int, data: str = "{}", user_id: str | None = "ann-1") -> EventRow:
    return EventRow(seq, "moved", user_id, data, 10.0 + seq)


def game(id: str = "g", **columns: Any) -> GameRow:
    made = GameRow(id, 1, "lobby", True, "second", "{}", 1.0, 1.0, None, None, None, None)
    return replace(made, **columns)


async def add(store: Store, *games: GameRow, players: dict[str, bool] | None = None) -> None:
    for one in games:
        await store.add_game(one, [event(1)], players or {})

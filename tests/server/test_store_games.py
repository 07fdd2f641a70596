"""The store keeps people and games, the same on both databases."""

import asyncio
import time
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from quartermaster.server.refusals import Refused
from quartermaster.server.store.databases import is_postgres
from quartermaster.server.store.rows import Change, EventRow, GameRow, User
from quartermaster.server.store.store import Store
from stores import ANN, add, event, game, with_store

GUEST = User("guest-1", "Ann", None, None, None, None, 2.0)


# Users.


def test_users(database_url: str) -> None:
    async def work(store: Store) -> None:
        assert await store.user("ann-1") is None
        assert await store.user_named("ann") is None
        await store.add_user(ANN)
        await store.add_user(GUEST)
        assert await store.user("ann-1") == ANN
        assert await store.user("guest-1") == GUEST
        assert await store.user_named("ann") == ANN
        await store.change_user(
            "ann-1", reserved="ann", webhook="https://example.org", email="a@b.c"
        )
        changed = replace(ANN, reserved="ann", webhook="https://example.org", email="a@b.c")
        assert await store.user("ann-1") == changed
        await store.change_user("ann-1", webhook=None)
        assert await store.user("ann-1") == replace(changed, webhook=None)
        assert await store.user("guest-1") == GUEST
        await store.change_user("ann-1")
        await store.change_user("nobody", name="Eve")

    with_store(database_url, work)


def test_a_name_is_claimed_once(database_url: str) -> None:
    async def work(store: Store) -> None:
        await store.add_user(ANN)
        await store.add_user(GUEST)
        with pytest.raises(Refused, match="this name is taken"):
            await store.change_user("guest-1", claimed="ann", password="mine")
        assert await store.user("guest-1") == GUEST
        with pytest.raises(Refused, match="this name is taken"):
            await store.add_user(replace(ANN, id="ann-2"))
        with pytest.raises(IntegrityError):  # an id given twice is a bug, not a taken name
            await store.add_user(replace(ANN, claimed="other"))
        with pytest.raises(IntegrityError):
            await store.change_user("guest-1", name=None)
        await store.change_user("ann-1", claimed="ann")  # one's own
        others = [replace(GUEST, id=f"guest-{number}") for number in range(2, 10)]
        for other in others:
            await store.add_user(other)
        claims = (store.change_user(other.id, claimed="bob") for other in others)
        results = await asyncio.gather(*claims, return_exceptions=True)
        assert results.count(None) == 1
        assert sum(isinstance(result, Refused) for result in results) == len(others) - 1

    with_store(database_url, work)


# Games.


def test_a_game_as_it_was_added(database_url: str) -> None:
    full = GameRow(
        id="g-1",
        seq=2,
        status="playing",
        is_public=False,
        rules="first",
        summary='{"name": "Straße ☃ \\u0000"}',
        created_at=1700000000.123456,
        updated_at=1700000001.654321,
        wake_at=1700000002.1,
        result="{}",
        winner="axis",
        rematch="g-2",
    )
    events = [event(1, '"☃"'), event(2, user_id=None)]

    async def write(store: Store) -> None:
        assert await store.game("g-1") is None
        assert await store.events("g-1") == []
        await store.add_game(full, events, {"ann-1": True, "bob-1": False})
        with pytest.raises(IntegrityError):
            await store.add_game(full, events, {})

    async def read(store: Store) -> None:
        assert await store.game("g-1") == full
        assert await store.events("g-1") == events
        assert await store.events("g-1", after=1) == events[1:]
        assert await store.events("g-1", after=2) == []
        assert await store.turns_of("ann-1", ["g-1"]) == {"g-1": True}

    with_store(database_url, write)
    with_store(database_url, read)


def test_append(database_url: str) -> None:
    async def write(store: Store) -> None:
        await add(store, game(wake_at=5.0), players={"ann-1": True, "bob-1": False})
        assert await store.append("g", 1, [event(2), event(3)], Change(), 20.5)
        assert await store.game("g") == game(seq=3, updated_at=20.5, wake_at=5.0)
        change = Change(
            status="over",
            is_public=False,
            summary='{"a": 1}',
            wake_at=None,
            result="[]",
            winner="axis",
            rematch="g-2",
            players={"ann-1": False, "cid-1": True},
        )
        assert await store.append("g", 3, [event(4)], change, 30.0)

    changed = game(
        seq=4,
        status="over",
        is_public=False,
        summary='{"a": 1}',
        updated_at=30.0,
        result="[]",
        winner="axis",
        rematch="g-2",
    )

    async def read(store: Store) -> None:
        assert await store.game("g") == changed
        assert await store.events("g") == [event(seq) for seq in (1, 2, 3, 4)]
        assert await store.turns_of("ann-1", ["g"]) == {"g": False}
        assert await store.turns_of("bob-1", ["g"]) == {}
        assert await store.turns_of("cid-1", ["g"]) == {"g": True}
        # What can be emptied is emptied, and no event is needed for it.
        empty = Change(wake_at=7.0, result=None, winner=None, rematch=None, players={})
        assert await store.append("g", 4, [], empty, 40.0)
        assert await store.game("g") == replace(
            changed, updated_at=40.0, wake_at=7.0, result=None, winner=None, rematch=None
        )
        assert await store.turns_of("ann-1", ["g"]) == {}

    with_store(database_url, write)
    with_store(database_url, read)


def test_append_refused_changes_nothing(database_url: str) -> None:
    async def work(store: Store) -> None:
        await add(store, game(), players={"ann-1": True})
        change = Change(status="over", players={"eve-1": True})
        assert not await store.append("g", 0, [event(1)], change, 9.0)
        assert not await store.append("g", 2, [event(3)], change, 9.0)
        assert not await store.append("other", 1, [event(2)], change, 9.0)
        with pytest.raises(ValueError, match="event 3 stands where 2 must"):
            await store.append("g", 1, [event(3)], change, 9.0)
        with pytest.raises(ValueError, match="has 1 events, not 2"):
            await store.add_game(game("h", seq=2), [event(1)], {})
        assert await store.game("g") == game()
        assert await store.events("g") == [event(1)]
        assert await store.turns_of("ann-1", ["g"]) == {"g": True}
        assert await store.turns_of("eve-1", ["g"]) == {}

    with_store(database_url, work)


def test_append_that_fails_midway_changes_nothing(database_url: str) -> None:
    async def work(store: Store) -> None:
        await add(store, game())
        broken = EventRow(3, None, None, "{}", 1.0)  # type: ignore[arg-type]
        with pytest.raises(IntegrityError):
            await store.append("g", 1, [event(2), broken], Change(status="over"), 9.0)
        assert await store.game("g") == game()
        assert await store.events("g") == [event(1)]
        assert await store.append("g", 1, [event(2)], Change(), 9.0)

    with_store(database_url, work)


def test_one_of_many_appends_at_once_wins(database_url: str) -> None:
    async def work(store: Store) -> None:
        other = Store(database_url)  # another worker
        try:
            await add(store, game())
            for seq in range(2, 8):
                results = await asyncio.gather(
                    *(
                        worker.append("g", seq - 1, [event(seq, str(number))], Change(), 1.0)
                        for number, worker in enumerate([store, other] * 4)
                    )
                )
                assert sum(results) == 1
                assert (await store.events("g"))[-1] == event(seq, str(results.index(True)))
        finally:
            await other.close()

    with_store(database_url, work)


def test_many_games_at_once(database_url: str) -> None:
    """Two workers write to the same database, and none is told that it is locked."""

    async def play(store: Store, id: str) -> None:
        await add(store, game(id), players={"ann-1": True})
        for seq in range(2, 6):
            change = Change(players={"ann-1": seq % 2 == 0})
            assert await store.append(id, seq - 1, [event(seq, id)], change, float(seq))
            assert len(await store.events(id)) == seq

    async def work(store: Store) -> None:
        other = Store(database_url)
        try:
            await asyncio.gather(
                *(play([store, other][number % 2], f"g-{number}") for number in range(20))
            )
        finally:
            await other.close()
        assert await store.counts() == {"lobby": 20}
        for number in range(20):
            events = await store.events(f"g-{number}")
            assert events[1:] == [event(seq, f"g-{number}") for seq in range(2, 6)]

    with_store(database_url, work)


def test_writing_after_reading(database_url: str) -> None:
    """Two workers read and then write at once: one waits, and none is told that it is locked."""

    def work(connection: Connection) -> None:
        connection.exec_driver_sql("SELECT * FROM games").all()
        if not is_postgres(database_url):
            time.sleep(0.05)  # the writers of SQLite have a thread each
        connection.exec_driver_sql("UPDATE games SET seq = seq + 1")

    async def run(store: Store) -> None:
        other = Store(database_url)
        try:
            await add(store, game())
            await asyncio.gather(*(worker._write(work) for worker in [store, other] * 2))
        finally:
            await other.close()
        assert await store.game("g") == game(seq=5)

    with_store(database_url, run)


def test_a_cancelled_append_harms_no_other(database_url: str) -> None:
    async def work(store: Store) -> None:
        await add(store, game("g"), game("h"))
        for steps in range(12):
            seq = (await store.events("g"))[-1].seq
            task = asyncio.create_task(store.append("g", seq, [event(seq + 1)], Change(), 1.0))
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
        seq = 1
        for _ in range(12):
            assert await store.append("h", seq, [event(seq + 1)], Change(), 1.0)
            seq += 1
        row, events = await store.game("g"), await store.events("g")
        assert row is not None
        assert [one.seq for one in events] == list(range(1, row.seq + 1))

    with_store(database_url, work)


def test_waking(database_url: str) -> None:
    async def work(store: Store) -> None:
        at = 1700000000.123457
        await add(store, game("late", wake_at=at), game("later", wake_at=at + 1))
        await add(store, game("never"), game("soon", wake_at=at + 100))
        assert await store.due(at - 1) == []
        assert await store.due(at) == [("late", at)]
        assert await store.due(at + 50) == [("late", at), ("later", at + 1)]
        assert await store.due(at + 50, limit=1) == [("late", at)]
        claims = await asyncio.gather(*(store.claim([("late", at)], at + 30) for _ in range(5)))
        assert sorted(claims) == [[], [], [], [], ["late"]]
        assert await store.due(at + 20) == [("later", at + 1)]
        assert await store.due(at + 30) == [("later", at + 1), ("late", at + 30)]
        assert not await store.claim([("never", at), ("nowhere", at)], at + 30)
        both = [("later", at + 1), ("late", at), ("late", at + 30)]
        assert await store.claim(both, at + 60) == ["later", "late"]

    with_store(database_url, work)


def test_lists_of_games(database_url: str) -> None:
    async def work(store: Store) -> None:
        games = [
            game(
                f"g-{number}",
                updated_at=float(number),
                status=("lobby", "playing", "over")[number % 3],
                is_public=number % 2 == 0,
                rules="first" if number < 4 else "second",
            )
            for number in range(8)
        ]
        for number, one in enumerate(games):
            players = {"ann-1": number == 3, "bob-1": True} if number in (1, 3, 6) else {}
            await add(store, one, players=players)

        async def ids(**filters: Any) -> str:
            rows = await store.list_games(**filters)
            assert all(row == games[int(row.id[2:])] for row in rows)
            return "".join(row.id[2:] for row in rows)

        assert await ids() == "76543210"
        assert await ids(limit=3) == "765"
        assert await ids(limit=3, before=5.0) == "432"
        assert await ids(status="lobby") == "630"
        assert await ids(is_public=True) == "6420"
        assert await ids(is_public=False) == "7531"
        assert await ids(rules="first") == "3210"
        assert await ids(user_id="ann-1") == "631"
        assert await ids(user_id="ann-1", is_turn=True) == "3"
        assert await ids(user_id="ann-1", is_turn=False) == "61"
        assert await ids(user_id="nobody") == ""
        assert await ids(user_id="bob-1", status="lobby", is_public=True, before=7.0) == "6"
        with pytest.raises(ValueError, match="whose turn"):
            await ids(is_turn=True)
        asked = ["g-0", "g-1", "g-3", "g-99"]
        assert await store.turns_of("ann-1", asked) == {"g-1": False, "g-3": True}
        assert await store.turns_of("ann-1", []) == {}
        assert await store.counts() == {"lobby": 3, "playing": 3, "over": 2}

    with_store(database_url, work)

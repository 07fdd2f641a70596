"""How a table is put together: each event changes parts of it, and a move is carried out once."""

import asyncio
import dataclasses
from pathlib import Path
from typing import Any, get_args

import pytest

from quartermaster.game import Game
from quartermaster.server.bots import BotPool
from quartermaster.server.hub import Hub
from quartermaster.server.ledger import read_table
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.rows import EventRow
from quartermaster.server.store.store import Store
from quartermaster.server.table import commands, table
from quartermaster.server.table import events as ev
from quartermaster.server.table.clocks import DAY, Clocks
from quartermaster.server.table.commands import GameWish, SeatWish, create
from quartermaster.server.table.course import Course
from quartermaster.server.table.events import Clock
from quartermaster.server.table.lobby import Lobby
from quartermaster.server.table.motions import Proposal
from quartermaster.server.table.orders import Orders
from quartermaster.server.table.todo import Todo
from quartermaster.server.table.window import Window
from rooms import UKRAINE, Room, battle_ukraine, two_at


def test_every_event_has_what_applies_it() -> None:
    assert set(table._APPLIED) == set(get_args(ev.Event))


@pytest.mark.parametrize("part", [Clocks, Course, Lobby, Orders, Proposal, Window])
def test_parts_are_values_that_a_copy_can_share(part: type) -> None:
    value: Any = object.__new__(part)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(part)[0].name, None)


def test_what_happens_on_a_copy_leaves_the_table_as_it_was() -> None:
    room = two_at(UKRAINE, window=20.0)
    battle_ukraine(room)
    before = room.see("boris"), room.see("anna"), room.table.todo()
    other = Room.__new__(Room)
    other.table, other.now, other.rng = room.table.copy(), room.now, room.rng
    other.answer("boris", "use stalingrad")
    other.go_on("boris")
    other.hold("boris")
    other.propose("anna", "pause")
    other.vote("boris")
    other.do("anna", commands.resume(other.table, "anna"))
    other.next()
    assert other.table.seq > room.table.seq + 5
    assert (room.see("boris"), room.see("anna"), room.table.todo()) == before


def test_a_move_is_carried_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    applied: list[str] = []
    apply = Game.apply

    def counted(self: Game, action: str, **options: object) -> None:
        applied.append(action)
        apply(self, action, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Game, "apply", counted)
    room = two_at(UKRAINE)
    applied.clear()
    [event] = commands.move(
        room.table, "anna", room.table.number, "germany", "play land-battle", room.now
    )
    after = room.table.copy()  # as the hub does
    after.add(event, "anna", room.now)
    assert applied == ["play land-battle"]
    assert after.game.record == after.copy().game.record != room.table.game.record
    # One that comes from the database is carried out anew, to the same end.
    again = room.table.copy()
    again.add(ev.decode(ev.encode(event)), "anna", room.now)
    assert applied == ["play land-battle"] * 2
    assert again.game.record == after.game.record


def test_a_reminder_is_an_event_that_nobody_sees() -> None:
    room = Room(GameWish(seats=2, clock=Clock("async", days=2)))
    room.sit("boris")
    room.start()
    before = [room.see(user) for user in ("anna", "boris", None)]
    at = room.now
    assert room.next() == Todo("remind", at + DAY, "germany", seat=0)
    room.now = at
    assert [room.see(user) for user in ("anna", "boris", None)] == before
    assert room.table.todo() == Todo("time-out", at + 2 * DAY, seat=0)


def test_a_reminder_is_remembered_by_who_reads_the_table_anew(tmp_path: Path) -> None:
    """Before, a server that was started again reminded of the same decision again."""

    async def play() -> None:
        url = f"sqlite:///{tmp_path}/games.db"
        await asyncio.to_thread(upgrade, url)
        store, pool = Store(url), BotPool(1, b"seed", lambda _level, _seconds: None)
        told: list[str] = []
        now = 1000.0
        hub = Hub(store, pool, lambda t, u, kind: told.append(kind), lambda n: None, lambda: now)
        seats = [SeatWish(["germany", "japan", "italy"], "me"), SeatWish(
            ["united-kingdom", "soviet-union", "united-states"], "bot", "rookie"
        )]  # fmt: skip
        wish = GameWish(seats=seats, clock=Clock("async", days=2), start=True)
        made = await hub.create("anna", create("anna", "Anna", wish))
        entry = await hub.entry(made.id)
        now += 1.5 * DAY
        todo = entry.table.todo()
        assert todo is not None
        assert todo.what == "remind"
        told.clear()
        await hub._do(entry, todo)
        assert told == ["reminder"]
        rows: list[EventRow] = await store.events(made.id)
        assert [row.kind for row in rows] == ["created", "started", "reminded"]
        read = read_table(made.id, rows).todo()
        assert read == entry.table.todo()
        assert read is not None
        assert read.what == "time-out"
        [row] = [await store.game(made.id)]
        assert row is not None
        assert row.wake_at == read.at
        await hub.close()
        pool.close()
        await store.close()

    asyncio.run(play())

"""Whose bots think next, tables that stand still, and the time by which tables measure."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest

from quartermaster.server import clock
from quartermaster.server.clock import Timekeeper
from quartermaster.server.hub import MOST_SHOWS, Hub, Watcher
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.store import Store
from quartermaster.server.table.commands import GameWish, SeatWish, create
from quartermaster.server.table.events import Clock
from quartermaster.server.turns import Turns
from servers import ALLIES, AXIS
from slow_bots import SlowBots


def test_people_take_turns_however_much_each_wants() -> None:
    """One has three hundred tables that wait, another has one."""
    order: list[str] = []

    async def run() -> None:
        turns = Turns()

        async def work(person: str, is_urgent: bool) -> None:
            async with turns.turn(person, is_urgent):
                order.append(person)
                await asyncio.sleep(0)

        greedy = [asyncio.create_task(work("greedy", True)) for _ in range(300)]
        await asyncio.sleep(0)
        other = asyncio.create_task(work("other", True))
        await asyncio.gather(*greedy, other)

    asyncio.run(run())
    assert len(order) == 301
    assert order.index("other") <= 3


def test_what_is_watched_comes_first_but_nobody_waits_for_ever() -> None:
    order: list[str] = []

    async def run() -> None:
        turns = Turns()

        async def work(person: str, is_urgent: bool) -> None:
            async with turns.turn(person, is_urgent):
                order.append(person)
                await asyncio.sleep(0)

        tasks = [asyncio.create_task(work("absent", False)) for _ in range(4)]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(work(f"present {n % 3}", True)) for n in range(40)]
        await asyncio.sleep(0)
        tasks[3].cancel()  # who no longer wants it holds nobody up
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    assert len(order) == 43
    waits = [n for n, person in enumerate(order) if person == "absent"]
    assert waits[0] == 0
    assert waits[1] <= 6
    assert waits[2] <= 11
    assert order[:8].count("absent") <= 3, "but most turns are for who is there"


def show(host: str) -> Any:
    seats = [SeatWish(AXIS, "bot", "random"), SeatWish(ALLIES, "bot", "random")]
    return create(host, host.title(), GameWish(seats=seats, start=True, pause=0.0))


def test_games_of_bots_alone_stand_still_unless_their_host_watches(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    upgrade(url)

    async def run() -> None:
        store = Store(url)
        bots: Any = SlowBots(0)
        hub = Hub(store, bots, lambda *_: None, lambda _: None)
        try:
            tables = [await hub.create("anna", show("anna")) for _ in range(MOST_SHOWS + 2)]
            entries = [await hub.entry(table.id) for table in tables]
            hub.watch(entries[0], Watcher("boris"))
            hub.watch(entries[0], Watcher(None))
            await asyncio.sleep(0.3)
            assert bots.asked == 0
            assert [entry.table.number for entry in entries] == [t.number for t in tables]
            row = await store.game(tables[0].id)
            assert row is not None
            assert row.wake_at is None
            watcher = Watcher("anna")
            hub.watch(entries[0], watcher)
            for _ in range(100):
                await asyncio.sleep(0.05)
                if entries[0].table.number > tables[0].number + 3:
                    break
            assert entries[0].table.number > tables[0].number + 3
            entries[0].watchers.clear()
            await asyncio.sleep(0.3)
            stopped = entries[0].table.number
            await asyncio.sleep(0.3)
            assert entries[0].table.number == stopped
            assert hub.shows_of("anna") == MOST_SHOWS + 2
            assert hub.shows_of("boris") == 0
        finally:
            await hub.close()
            await store.close()

    asyncio.run(run())


# -- clocks ------------------------------------------------------------------------------


class Machine:
    """A machine whose clock can be set, in a world whose time can pass."""

    def __init__(self) -> None:
        self.day = 1_800_000_000.0
        self.up = 5000.0

    def time(self) -> float:
        return self.day

    def monotonic(self) -> float:
        return self.up

    def passes(self, seconds: float) -> None:
        self.day += seconds
        self.up += seconds


@pytest.mark.parametrize("step", [3600.0, -3600.0])
def test_a_step_of_the_machines_clock_moves_no_table(
    step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Machine()
    monkeypatch.setattr(clock, "time", machine)
    keeper = Timekeeper()
    before = keeper.now()
    machine.passes(5)
    machine.day += step
    machine.passes(5)
    assert keeper.now() - before == 10


@pytest.mark.parametrize("step", [0.0, 3600.0, -7200.0])
def test_while_the_server_is_off_no_time_passes_at_tables(
    tmp_path: Path, step: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor if the machine's clock was set meanwhile, forward or back."""
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    upgrade(url)
    machine = Machine()
    monkeypatch.setattr(clock, "time", machine)

    async def uptime(seconds: float) -> tuple[float, float, float]:
        store = Store(url)
        keeper = Timekeeper()
        await keeper.start(store)
        began = keeper.now()
        machine.passes(seconds)
        ended = keeper.now()
        await keeper.close(store)
        await store.close()
        return began, ended, keeper.day()

    first = asyncio.run(uptime(60))
    machine.passes(1800)
    machine.day += step
    second = asyncio.run(uptime(60))
    assert first[1] - first[0] == 60
    assert second[0] == pytest.approx(first[1]), "it goes on where it was"
    assert second[1] - second[0] == pytest.approx(60)
    assert second[2] >= first[2]


def test_a_live_clock_does_not_run_while_the_server_is_off(tmp_path: Path) -> None:
    """A person with six seconds left has them after ten seconds without a server."""
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    upgrade(url)

    async def left(hub: Hub, id: str) -> float:
        table = (await hub.entry(id)).table
        assert table.seats[0].bot is None, "no bot plays for her"
        seconds = table.seconds_left(0, hub.now())
        assert seconds is not None
        return seconds

    async def serve(ahead: float, id: str | None) -> tuple[str, float]:
        store = Store(url)
        keeper = Timekeeper()
        keeper._ahead += ahead  # a later start of the server
        await keeper.start(store)
        bots: Any = SlowBots(0)
        hub = Hub(store, bots, lambda *_: None, lambda _: None, keeper.now, keeper.day)
        hub.start()
        try:
            if id is None:
                seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot", "random")]
                live = Clock("live", minutes=0.1, increment=0)
                wish = GameWish(seats=seats, clock=live, start=True)
                id = (await hub.create("anna", create("anna", "Anna", wish))).id
            await asyncio.sleep(1.2)
            return id, await left(hub, id)
        finally:
            await hub.close()
            await keeper.close(store)
            await store.close()

    id, before = asyncio.run(serve(0.0, None))
    began = time.monotonic()
    _, after = asyncio.run(serve(3600.0, id))
    assert before - after < time.monotonic() - began + 0.5
    assert after > 0

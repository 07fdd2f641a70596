"""Names are free, so bots think for addresses in turn: many guests at one take no more than one."""

import asyncio

from quartermaster.server.addresses import calling
from quartermaster.server.hub import Entry, Hub, Watcher
from quartermaster.server.table.commands import GameWish, SeatWish, create
from quartermaster.server.turns import Turns
from servers import ALLIES, AXIS
from stores import with_store


def test_many_names_at_one_address_have_its_turns() -> None:
    """A hundred guests of one address, with three tables each, and one person elsewhere."""
    order: list[str] = []

    async def run() -> None:
        turns = Turns()

        async def work(person: str, address: str) -> None:
            async with turns.turn(person, True, address):
                order.append(person)
                await asyncio.sleep(0)

        names = [f"guest {n % 100}" for n in range(300)]
        tasks = [asyncio.create_task(work(name, "203.0.113.9")) for name in names]
        await asyncio.sleep(0)
        tasks += [asyncio.create_task(work("other", "192.0.2.1")) for _ in range(3)]
        await asyncio.gather(*tasks)

    asyncio.run(run())
    assert len(order) == 303
    assert [n for n, name in enumerate(order) if name == "other"] == [3, 5, 7]
    guests = [name for name in order if name != "other"]
    assert len(set(guests[1:101])) == 100, "there, each has a turn before anyone has the next"


def test_a_tables_bots_think_for_where_it_is_played_from(database_url: str) -> None:
    asked: list[str] = []

    class Bots:
        async def decide(self, *given: object) -> object:
            asked.append(str(given[-1]))
            return given[4][0]  # type: ignore[index]

        def faults(self, *_: object) -> tuple[()]:
            return ()

        def forget(self, game: str) -> None:
            pass

    async def work(store: object) -> None:
        hub = Hub(store, Bots(), lambda *_: None, lambda _: None)  # type: ignore[arg-type]
        seats = [SeatWish(AXIS, "bot", "random"), SeatWish(ALLIES, "bot", "random")]
        wish = GameWish(seats=seats, pause=0, start=True)
        with calling("203.0.113.9"):
            table = await hub.create("anna", create("anna", "Anna", wish))
        entry: Entry = await hub.entry(table.id)
        with calling("192.0.2.1"):
            hub.watch(entry, Watcher(None))  # a stranger's look changes nothing
            hub.watch(entry, Watcher("anna"))
        while len(asked) < 3:
            await asyncio.sleep(0.01)
        await hub.close()

    with_store(database_url, work)
    assert set(asked) == {"192.0.2.1"}

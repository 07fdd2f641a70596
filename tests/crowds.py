"""A table that many look at while its game is played by chance."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from quartermaster import Game
from quartermaster.errors import QuartermasterError
from quartermaster.forms.notation import country_index, deck_of
from quartermaster.forms.seats import make_seats
from quartermaster.lab.checks.fuzz import crowded_game
from quartermaster.rules.names import COUNTRIES, HAND, RESPONSE
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.events import Clock, Event
from quartermaster.server.table.projection import project
from quartermaster.server.table.queries import asks_of, is_to_decide
from quartermaster.server.table.table import Table
from quartermaster.server.table.views import TableView
from quartermaster.sight.log import SECRET
from rooms import (
    Room,
    seen,
)

USERS = ["anna", "boris", "clara", "dora"]


class Crowd(Room):
    """A table that is looked at through all eyes after each event, beside one that was read from
    the disk."""

    def __init__(self, wish: GameWish, seed: int) -> None:
        self.stored = Table("room")
        self.logs: dict[str | None, tuple[int, list[str]]] = {}
        super().__init__(wish, seed)

    def do(self, user: str | None, events: Sequence[Event]) -> list[Event]:
        for event in events:
            before, viewer = self.table, self.rng.choice([*USERS, None])
            was = seen(self, viewer, before.number)
            after = before.copy()
            after.add(event, user, self.now)
            assert seen(self, viewer, before.number) == was, "the copy is not its own"
            self.table = after
            self.stored.add(ev.decode(ev.encode(event)), user, self.now)
            for each in self.rng.sample([*USERS, None], 2):
                self.check(each)
            assert after.todo() == self.stored.todo()
            self.check_no_stall()
        return list(events)

    def check(self, user: str | None) -> None:
        table = self.table
        since = table.number - 1 if self.rng.random() < 0.95 else None
        view = project(table, user, self.now, since)
        assert view == project(self.stored, user, self.now, since)
        own = {c for n in table.seats_of(user) for c in table.seats[n].countries}
        if table.has_begun:
            check_hidden(table, view, own)
        if view.window is not None:
            check_window(table, view, own)
            self.check_blind(user, view)
        self.check_log(user)

    def check_blind(self, user: str | None, view: TableView) -> None:
        """Who is not asked would see the same if nobody were asked."""
        table = self.table
        if not asks_of(table, user or ""):
            blind = table.copy()
            assert blind.window is not None
            blind.window = replace(blind.window, asks=[], answers={})
            since = None if view.log.start == 0 else table.number - 1
            other = project(blind, user, self.now, since)
            assert msgspec.structs.replace(other, log=view.log) == view

    def check_log(self, user: str | None) -> None:
        """A client that puts together what it is sent has the whole log."""
        if self.rng.random() < 0.3:
            number, log = self.logs.get(user, (0, []))
            news = project(self.table, user, self.now, number).log
            log = [*log[: news.start], *(entry.what for entry in news.entries)]
            whole = self.table.shown.raw_log if self.table.has_begun else []
            assert log == [entry[0] for entry in whole]
            self.logs[user] = self.table.number, log

    def check_no_stall(self) -> None:
        table = self.table
        if table.status == "playing" and not table.is_paused and table.todo() is None:
            assert any(is_to_decide(table, user) for user in table.people), "nobody can go on"

    def act(self) -> None:
        """Someone does something, or what comes by itself comes."""
        table, rng = self.table, self.rng
        deciding = [user for user in table.people if is_to_decide(table, user)]
        self.now += rng.choice([0, 0.1, 0.7, 3.3])
        if rng.random() < 0.15:
            self.meddle(rng.choice(USERS))
        elif table.is_paused:
            self.do("anna", commands.resume(table, rng.choice(table.people or USERS)))
        elif table.todo() is not None and (not deciding or rng.random() < 0.2):
            self.next()
        elif table.window is not None:
            user = rng.choice(deciding)
            ask = table.window.asks[asks_of(table, user)[0]]
            self.answer(user, rng.choice(ask.actions).text)
        else:
            country = table.game.decision.country
            self.move(deciding[0], country, rng.choice(table.game.legal_actions()).text)

    def meddle(self, user: str) -> None:
        """Something that may be refused, or that may not matter."""
        table, rng = self.table, self.rng
        seat = rng.randrange(len(table.seats))
        country = rng.choice(table.seats[seat].countries)
        cards = [c for c in table.game.state.rules.cards if c.trigger is not None]
        orders: dict[str, ev.Order] = {}
        for card in rng.sample(cards, 12):
            if COUNTRIES[card.country] in table.seats[seat].countries:
                orders[card.id] = rng.choice(["ask", "every", "always", "never"])
        removals = [action.text for action in table.game.removals(country)] or ["pass"]
        hand = table.game.state.zones[HAND + country_index(country)]
        surplus = max(0, min(len(hand), table.surplus(country)))
        first = [table.game.state.rules.cards[card].id for card in rng.sample(hand, surplus)]
        what: list[Callable[[], object]] = [
            lambda: self.go_on(user),
            lambda: self.hold(user),
            lambda: self.prepare(user, country, *(first if rng.random() < 0.8 else ())),
            lambda: self.order(user, seat, orders, rng.random() < 0.3),
            lambda: self.answer(user, "pass", rng.randrange(2)),
            lambda: self.move(user, country, rng.choice([*removals, "pass", "play nothing"])),
            lambda: self.move(user, country, "pass", table.number - rng.randrange(4)),
            lambda: self.undo(user, rng.choice([None, None, table.number - rng.randrange(4)])),
            lambda: self.propose(user, "pause"),
            lambda: self.vote(user, rng.random() < 0.6),
            lambda: self.hand_over(user, seat, rng.choice(["bot", "person"])),
            lambda: self.take(user, seat, rng.choice([None, table.seats[seat].invitation])),
            lambda: self.leave(user, seat) if rng.random() < 0.3 else None,
        ]
        try:
            rng.choice(what)()
        except QuartermasterError:
            assert self.table is table, "it was refused, but has changed something"


def check_hidden(table: Table, view: TableView, own: set[str]) -> None:
    """Of other countries nothing hidden is shown, nor told."""
    assert view.view is not None
    shown = set(view.view.seat)
    seats = [n for n, seat in enumerate(table.seats) if set(seat.countries) <= shown]
    real = table.shown.view_of(table.countries_of(seats))
    if table.status != "over":
        assert shown <= own
        assert view.view.countries == real.countries
        for name in set(COUNTRIES) - shown:
            country = view.view.countries[name]
            assert (country.hand, country.face_up, country.face_down) == (None, None, None)
            assert (country.set, country.deck) == (None, None)
        for entry in view.log.entries:
            if entry.what in SECRET and entry.country not in shown:
                assert entry.card is None
    if view.decision is not None and table.status == "playing":
        assert view.decision.country in shown
        assert view.waiting_for == view.decision.country
    for action in (*view.actions, *view.removals):
        assert action.country in shown


def check_window(table: Table, view: TableView, own: set[str]) -> None:
    window = view.window
    assert window is not None
    assert (view.decision, view.waiting_for) == (None, None)
    assert view.actions == view.removals == []
    for ask in window.asks:
        assert ask.decision.country in own
        assert ask.decision.country in window.countries, "asked where nobody could expect it"
    action = window.action
    if action.card is not None and view.view is not None and action.country not in view.view.seat:
        rules = table.shown.state.rules
        card = deck_of(rules, country_index(action.country)).get(action.card)
        assert action.verb in ("play", "use")
        assert action.verb == "use" or (card is not None and card.type != RESPONSE)


def crowded_room(rules: str, options: dict[str, bool], seed: int) -> Crowd:
    """People and bots at a table of two to six seats; the game is about to end, or begins."""
    rng = random.Random(seed)
    record = None
    if seed % 3:
        position = crowded_game(rules, options, rng).position
        late = {**(position or {}), "round": rng.choice([19, 20])}
        record = Game.from_position(late, rules=rules, options=options).record
    countries = make_seats(rules, rng.randint(2, 6))
    whos: list[commands.Who] = ["open", "open", "bot", "me"]
    seats = [SeatWish(list(countries[0]), "me")]
    seats += [SeatWish(list(c), rng.choice(whos), "random") for c in countries[1:]]
    clocks = [Clock(), Clock("live", minutes=0.5, increment=1), Clock("async", days=0.01)]
    room = Crowd(
        GameWish(
            rules=rules, options=options, record=record, seats=seats, clock=rng.choice(clocks),
            late=rng.choice(["pass", "pass", "wait"]), window=rng.choice([0.0, 4.0]),
            is_public=rng.random() < 0.3, pause=rng.choice([0.0, 0.6]),
        ),
        seed,
    )  # fmt: skip
    for user in rng.choices(USERS[1:], k=sum(seat.is_open for seat in room.table.seats)):
        room.sit(user)
    room.start()
    return room

"""A table of people for tests: what they do there, what comes by itself, and what they see.

There is no server here and no clock on the wall; a test says what happens, and when.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from quartermaster import Game
from quartermaster.rules.names import COUNTRIES
from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.events import Event
from quartermaster.server.table.projection import project
from quartermaster.server.table.table import Table
from quartermaster.server.table.todo import Todo
from quartermaster.server.table.views import TableView

AXIS = ["germany", "japan", "italy"]
ALLIES = ["united-kingdom", "soviet-union", "united-states"]
UKRAINE: dict[str, Any] = {
    "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow", "ukraine"]},
    "hand": {"germany": ["land-battle", "build-army"]},
    "set": {"soviet-union": ["stalingrad"]},
}
BENGAL: dict[str, Any] = {
    "turn": "japan",
    "pieces": {
        "japan": ["japan", "sea-of-japan", "south-china-sea", "southeast-asia"],
        "united-kingdom": ["united-kingdom", "india", "bay-of-bengal"],
    },
    "hand": {"japan": ["sea-battle", "build-army"]},
    "set": {"united-kingdom": ["destroyers"], "japan": ["surprise-attack"]},
}
LAST_TURN: dict[str, Any] = {"turn": "united-states", "round": 20, "step": "discard"}


class Room:
    """A table, and what time it is there. Anna is the host."""

    def __init__(self, wish: GameWish, seed: int = 0) -> None:
        self.table = Table("room")
        self.now = 1000.0
        self.rng = random.Random(seed)  # bots choose by it
        if wish.record is not None and wish.deal is None:
            wish = msgspec.structs.replace(wish, deal="as-recorded")
        created, *rest = commands.create("anna", "Anna", wish)
        assert isinstance(created, ev.Created)
        self.do("anna", [msgspec.structs.replace(created, secret=f"{seed:064x}"), *rest])

    def do(self, user: str | None, events: Sequence[Event]) -> list[Event]:
        """What someone's command has brought happens."""
        for event in events:
            self.table.add(event, user, self.now)
        return list(events)

    def sit(self, *people: str) -> None:
        """Each takes the next open seat, and is ready."""
        for user in people:
            number = next(n for n, seat in enumerate(self.table.seats) if seat.is_open)
            self.do(user, commands.take_seat(self.table, user, user.title(), number, None))
            self.do(user, commands.say_ready(self.table, user, True, agrees=True))

    def start(self) -> None:
        self.do("anna", commands.start(self.table, "anna"))

    def move(self, user: str, country: str, text: str, number: int | None = None) -> list[Event]:
        number = self.table.number if number is None else number
        events = commands.move(self.table, user, number, country, text, self.now)
        return self.do(user, events)

    def answer(self, user: str, text: str, ask: int = 0) -> list[Event]:
        return self.do(user, commands.answer(self.table, user, self.table.number, ask, text))

    def go_on(self, user: str) -> list[Event]:
        return self.do(user, commands.go_on(self.table, user, self.table.number))

    def hold(self, user: str) -> list[Event]:
        return self.do(user, commands.hold(self.table, user, self.table.number, self.now))

    def order(
        self, user: str, seat: int, cards: dict[str, ev.Order], passes: bool = False
    ) -> list[Event]:
        return self.do(user, commands.order(self.table, user, seat, cards, passes))

    def prepare(self, user: str, country: str, *discards: str) -> list[Event]:
        return self.do(user, commands.prepare(self.table, user, country, discards))

    def undo(self, user: str, to: int | None = None) -> list[Event]:
        return self.do(user, commands.undo(self.table, user, to))

    def propose(self, user: str, what: ev.Motion) -> list[Event]:
        return self.do(user, commands.propose(self.table, user, what))

    def vote(self, user: str, is_for: bool = True) -> list[Event]:
        return self.do(user, commands.vote(self.table, user, is_for))

    def take(self, user: str, seat: int, code: str | None = None) -> list[Event]:
        events = commands.take_seat(self.table, user, user.title(), seat, code, agrees=True)
        return self.do(user, events)

    def hand_over(self, user: str, seat: int, to: str, bot: str = "rookie") -> list[Event]:
        return self.do(user, commands.hand_over(self.table, user, seat, to, bot))

    def leave(self, user: str, seat: int) -> list[Event]:
        return self.do(user, commands.leave_seat(self.table, user, seat))

    def see(self, user: str | None, since: int | None = None, seat: int | None = None) -> TableView:
        return project(self.table, user, self.now, since, seat)

    def next(self) -> Todo:
        """What comes by itself comes, when its time has come. Bots choose by chance."""
        todo = self.table.todo()
        assert todo is not None, "nothing comes by itself"
        self.now = max(self.now, todo.at)
        table = self.table
        if todo.what == "answer":
            assert table.window is not None
            action = self.rng.choice(table.window.asks[todo.ask].actions)
            self.do(None, [ev.Answered(todo.ask, todo.country, action.text)])
        elif todo.what == "move":
            action = self.rng.choice(table.game.legal_actions())
            self.do(None, [table.moved([(todo.country, action.text)], table.number, self.now)])
        elif todo.what == "order":
            self.do(None, [table.moved([(todo.country, todo.text)], table.number, self.now)])
        elif todo.what == "close":
            asks = table.bot_asks()
            assert table.window is not None
            by_bots = {i: self.rng.choice(table.window.asks[i].actions).text for i in asks}
            self.do(None, [table.moved(table.closing(by_bots), table.number, self.now)])
        elif todo.what == "consent":
            self.do(None, commands.time_out_votes(table))
        elif todo.what == "remind":
            self.do(None, [ev.Reminded(todo.seat)])
        else:
            away = msgspec.structs.replace(table.seats[todo.seat], bot="veteran", is_away=True)
            self.do(None, [ev.SeatChanged(todo.seat, away)])
        return todo

    def idle(self) -> None:
        """Whoever decides does nothing with it; a window passes."""
        if self.table.window is not None:
            self.next()
            return
        country = self.table.awaited
        assert country is not None
        user = self.table.seats[self.table.seat_of(country)].holder
        assert user is not None
        texts = [action.text for action in self.table.game.legal_actions()]
        idle = [text for text in texts if text == "pass" or text.startswith("discard ")]
        self.move(user, country, idle[0])


def record_of(
    position: dict[str, Any], rules: str = "second", options: dict[str, bool] | None = None
) -> str:
    return Game.from_position(position, rules=rules, options=options).record


def two_at(position: dict[str, Any], rules: str = "second", **wish: Any) -> Room:
    """Anna has the Axis and Boris the Allies, and the game goes on from a position."""
    room = Room(GameWish(record=record_of(position, rules), seats=2, **wish))
    room.sit("boris")
    room.start()
    return room


def three_at(position: dict[str, Any], rules: str = "second", **wish: Any) -> Room:
    """Anna has the Axis, Boris the Soviet Union and Clara the other Allies."""
    seats = [
        SeatWish(AXIS, "me"),
        SeatWish(["soviet-union"]),
        SeatWish(["united-kingdom", "united-states"]),
    ]
    room = Room(GameWish(record=record_of(position, rules), seats=seats, **wish))
    room.sit("boris", "clara")
    room.start()
    return room


def alone_at(position: dict[str, Any], mine: list[str], bot: str = "rookie", **wish: Any) -> Room:
    """Anna plays some countries of a team, and bots the others."""
    others = [country for country in COUNTRIES if country not in mine]
    seats = [SeatWish(mine, "me"), *(SeatWish([country], "bot", bot) for country in others)]
    record = record_of(position)
    return Room(GameWish(record=record, seats=seats, start=True, **wish))


def battle_ukraine(room: Room) -> None:
    """Germany battles the Soviet army in Ukraine: a window opens."""
    room.move("anna", "germany", "play land-battle")
    room.move("anna", "germany", "battle ukraine soviet-union")


def texts(room: Room, user: str) -> list[list[str]]:
    """What a person is asked in the window."""
    window = room.see(user).window
    assert window is not None
    return [[action.text for action in ask.actions] for ask in window.asks]


def seen(room: Room, user: str | None, since: int | None = None) -> bytes:
    """All that leaves the server for someone, as it leaves it."""
    return msgspec.json.encode(room.see(user, since))


def refuses(status: int, words: str, command: Callable[[], object]) -> None:
    with pytest.raises(Refused, match=words) as refused:
        command()
    assert refused.value.status == status

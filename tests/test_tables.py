"""A table of people: what they may do, what comes by itself, and what each of them sees.

There is no server here and no clock on the wall; a test says what happens, and when.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from quartermaster import Game
from quartermaster.cards.rulesets import RULE_SETS
from quartermaster.checks.fuzz import crowded_game
from quartermaster.errors import IllegalAction, QuartermasterError, UnknownName
from quartermaster.game import make_seats
from quartermaster.log import SECRET
from quartermaster.notation import country_index, deck_of
from quartermaster.rules.names import COUNTRIES, RESPONSE
from quartermaster.web import commands
from quartermaster.web import events as ev
from quartermaster.web.commands import GameWish, SeatWish
from quartermaster.web.events import Clock, Event, Seat
from quartermaster.web.projection import TableView, is_to_decide, project, version_of
from quartermaster.web.refusals import Refused
from quartermaster.web.replays import replay_at
from quartermaster.web.table import DAY, Table, Todo
from variants import VARIANTS

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
        created, *rest = commands.create("anna", "Anna", wish)
        assert isinstance(created, ev.Created)
        self.do("anna", [msgspec.structs.replace(created, seed=seed), *rest])

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
            self.do(user, commands.say_ready(self.table, user, True))

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

    def undo(self, user: str, to: int | None = None) -> list[Event]:
        return self.do(user, commands.undo(self.table, user, to))

    def propose(self, user: str, what: ev.Motion) -> list[Event]:
        return self.do(user, commands.propose(self.table, user, what))

    def vote(self, user: str, is_for: bool = True) -> list[Event]:
        return self.do(user, commands.vote(self.table, user, is_for))

    def take(self, user: str, seat: int, code: str | None = None) -> list[Event]:
        return self.do(user, commands.take_seat(self.table, user, user.title(), seat, code))

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
            self.do(None, [table.moved(table.closing(), table.number, self.now)])
        elif todo.what == "remind":
            table.reminded = table.settled
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


# -- making a table --------------------------------------------------------------------


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_table_for_so_many(rules: str, players: int) -> None:
    room = Room(GameWish(rules=rules, seats=players))
    seats = room.table.seats
    assert tuple(seat.countries for seat in seats) == make_seats(rules, players)
    assert [seat.holder for seat in seats] == ["anna", *[None] * (players - 1)]
    assert [seat.is_open for seat in seats] == [False, *[True] * (players - 1)]
    view = room.see("anna")
    assert (view.status, view.host, view.is_host, view.number) == ("lobby", "Anna", True, 1)
    assert view.view is None
    assert view.log.entries == []
    assert [seat.who for seat in view.seats] == ["person", *["open"] * (players - 1)]
    assert not view.settings.has_hints


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_table_with_seats_as_listed(rules: str) -> None:
    wishes = [
        SeatWish(["italy", "germany"], "me"),
        SeatWish(["japan"], "hot-seat", name="Grandpa"),
        SeatWish(["united-kingdom"], "open"),
        SeatWish(["soviet-union"], "invite"),
        SeatWish(["united-states"], "bot", "general"),
    ]
    room = Room(GameWish(rules=rules, seats=wishes, options={"air-marshal": True}))
    mine, grandpa, free, invited, bot = room.table.seats
    assert mine == Seat(("germany", "italy"), "anna", "Anna")
    assert grandpa == Seat(("japan",), "anna", "Grandpa")
    assert free.is_open
    assert invited.invitation is not None
    assert not invited.is_open
    assert bot.bot == "general"
    assert room.table.people == ["anna"]
    assert [s.who for s in room.see(None).seats] == ["person", "person", "open", "invited", "bot"]
    assert room.table.settings.options["air-marshal"]


def test_who_wants_to_begin_at_once_against_bots_does() -> None:
    seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot", "rookie")]
    room = Room(GameWish(seats=seats, start=True, title="  An   evening "))
    view = room.see("anna")
    assert view.status == "playing"
    assert view.settings.title == "An evening"
    assert view.settings.has_hints, "nobody is there who could mind"
    assert view.waiting_for == "germany"
    refuses(409, "seat 1 .* is empty", lambda: Room(GameWish(seats=2, start=True)))


def test_slow_games_have_long_windows() -> None:
    assert Room(GameWish()).table.settings.window == 8
    assert Room(GameWish(clock=Clock("async"))).table.settings.window == 600
    assert Room(GameWish(clock=Clock("async"), window=5)).table.settings.window == 5


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"rules": "third"}, "expected first or french or second"),
        ({"options": {"flying": True}}, "expected reallocate or air-marshal"),
        ({"options": {"lead-victory": True}}, "expected reallocate or air-marshal"),
        ({"seats": 1}, "expected 2 to 6 players, got 1"),
        ({"seats": 7}, "expected 2 to 6 players, got 7"),
        ({"seats": []}, "every country must be in exactly one seat"),
        ({"seats": [AXIS, ALLIES[1:]]}, "every country must be in exactly one seat"),
        ({"seats": [AXIS, ALLIES, ["italy"]]}, "every country must be in exactly one seat"),
        ({"seats": [AXIS, ALLIES, []]}, "a seat without a country"),
        ({"seats": [[*AXIS, "moon"], ALLIES]}, "unknown country 'moon'; expected germany"),
        ({"seats": [["germany", "soviet-union"]]}, "germany, soviet-union are on both teams"),
        ({"stand_in": "champion"}, "expected random or rookie or veteran or general"),
        ({"clock": Clock("live", minutes=0)}, "clock.minutes: expected 0.1 to 6000, got 0"),
        ({"clock": Clock("live", minutes=6001)}, "clock.minutes: expected 0.1 to 6000"),
        ({"clock": Clock("live", minutes=float("nan"))}, "clock.minutes: expected 0.1 to 6000"),
        ({"clock": Clock("live", increment=-1)}, "clock.increment: expected 0 to 3600, got -1"),
        ({"clock": Clock("live", increment=3601)}, "clock.increment: expected 0 to 3600"),
        ({"clock": Clock("async", days=0)}, "clock.days: expected 0.0006.* to 60, got 0"),
        ({"clock": Clock("async", days=61)}, "clock.days: expected .* to 60, got 61"),
        ({"window": -1.0}, "window: expected 0 to 3600, got -1"),
        ({"window": 3601.0}, "window: expected 0 to 3600, got 3601"),
        ({"window": float("inf")}, "window: expected 0 to 3600, got inf"),
        ({"pause": -0.5}, "pause: expected 0 to 10"),
        ({"pause": 10.5}, "pause: expected 0 to 10"),
        ({"title": "x" * 61}, "expected a text of 1 to 60 characters"),
        ({"record": "Once upon a time"}, "expected 'quartermaster record 1' as the first line"),
        ({"at": 3}, "at: needs a record"),
        ({"record": record_of(UKRAINE), "at": -1}, "at: expected 0 to 0, got -1"),
        ({"record": record_of(UKRAINE), "at": 1}, "at: expected 0 to 0, got 1"),
    ],
)
def test_a_wish_that_cannot_be_met_says_what_was_expected(wish: dict[str, Any], words: str) -> None:
    if isinstance(wish.get("seats"), list):
        wish = {"seats": [SeatWish(countries) for countries in wish["seats"]]}
    with pytest.raises(QuartermasterError, match=words):
        commands.create("anna", "Anna", GameWish(**wish))


def test_a_bot_that_does_not_exist_takes_no_seat() -> None:
    seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot", "champion")]
    with pytest.raises(UnknownName, match="expected random or rookie or veteran or general"):
        commands.create("anna", "Anna", GameWish(seats=seats))
    room = Room(GameWish(seats=2))
    with pytest.raises(UnknownName, match="unknown bot 'champion'"):
        commands.set_seat(room.table, "anna", "Anna", 1, "bot", "champion")


def test_a_record_that_does_not_go_on_says_where() -> None:
    record = record_of(UKRAINE) + "germany: play blitzkrieg\n"
    with pytest.raises(QuartermasterError, match="line 8: 'play blitzkrieg' is not legal"):
        commands.create("anna", "Anna", GameWish(record=record))


def test_a_table_goes_on_from_a_record() -> None:
    game = Game.from_position(UKRAINE, rules="first", options={"reallocate": False})
    for text in ("play land-battle", "battle ukraine", "pass"):
        game.apply(text)
    room = Room(GameWish(record=game.record, at=1, seats=2))
    assert room.table.settings.rules == "first"
    room.sit("boris")
    room.start()
    assert [action.text for action in room.table.game.history] == ["play land-battle"]
    assert room.table.game.seats == make_seats("first", 2)
    assert "battle ukraine soviet-union" in [action.text for action in room.see("anna").actions]


# -- before the game -------------------------------------------------------------------


def test_the_host_sets_the_table_up_anew() -> None:
    room = Room(GameWish(seats=6))
    room.sit("boris", "clara", "dora")  # the United Kingdom, Japan, the Soviet Union
    wish = GameWish(rules="second", seats=4, title="Four are enough")
    room.do("anna", commands.set_up(room.table, "anna", "Anna", wish))
    table = room.table
    assert [seat.holder for seat in table.seats] == ["anna", None, None, "dora"]
    assert table.settings.title == "Four are enough"
    assert table.ready == set(), "they were ready for another game"
    refuses(403, "only the host", lambda: commands.set_up(table, "dora", "Dora", wish))
    with pytest.raises(QuartermasterError, match="expected first or french or second"):
        commands.set_up(table, "anna", "Anna", GameWish(rules="third"))
    with pytest.raises(QuartermasterError, match="window: expected 0 to 3600"):
        commands.set_up(table, "anna", "Anna", GameWish(window=-1))
    again = GameWish(record=record_of(UKRAINE))
    refuses(422, "only be given when", lambda: commands.set_up(table, "anna", "Anna", again))


def test_the_host_may_put_a_bot_where_someone_sat() -> None:
    room = Room(GameWish(seats=2))
    room.sit("boris")
    seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot", "rookie")]
    room.do("anna", commands.set_up(room.table, "anna", "Anna", GameWish(seats=seats)))
    assert room.table.people == ["anna"]
    room.start()


def test_a_table_set_up_anew_still_goes_on_from_its_record() -> None:
    """The rules come with the record: whatever else changes, the table says what is played."""
    room = Room(GameWish(record=record_of(UKRAINE, "first"), seats=2))
    wish = GameWish(rules="second", seats=[SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot")])
    try:
        room.do("anna", commands.set_up(room.table, "anna", "Anna", wish))
    except Refused:
        return
    room.start()
    assert room.table.game.rules == room.table.settings.rules


def test_the_host_says_who_gets_a_seat() -> None:
    room = Room(GameWish(seats=6))
    table = room.table

    def give(seat: int, who: commands.Who) -> Seat:
        room.do("anna", commands.set_seat(table, "anna", "Anna", seat, who, "rookie"))
        return table.seats[seat]

    assert give(1, "bot").bot == "rookie"
    assert give(1, "open").is_open
    assert give(1, "me").holder == "anna"
    assert give(1, "invite").invitation is not None
    assert give(1, "hot-seat").holder == "anna"
    refuses(404, "no seat 6; expected 0 to 5", lambda: give(6, "bot"))
    refuses(404, "no seat -1", lambda: give(-1, "bot"))
    room.sit("boris")
    refuses(
        403,
        "only the host",
        lambda: commands.set_seat(table, "boris", "Boris", 3, "bot", "rookie"),
    )


def test_an_open_seat_is_for_anyone() -> None:
    room = Room(GameWish(seats=6))
    assert room.take("boris", 1) == [ev.SeatChanged(1, Seat(("united-kingdom",), "boris", "Boris"))]
    assert room.take("boris", 1) == [], "sits there already"
    refuses(409, "seat 1 is taken", lambda: room.take("clara", 1))
    refuses(409, "seat 0 is taken", lambda: room.take("boris", 0))
    refuses(404, "no seat 7", lambda: room.take("clara", 7))
    room.take("boris", 3)
    assert room.table.seats_of("boris") == [1, 3]


def test_an_invitation_is_for_one_seat() -> None:
    seats = [SeatWish(["germany", "italy"], "me"), SeatWish(["japan"], "invite")]
    room = Room(GameWish(seats=[*seats, SeatWish(ALLIES, "invite")]))
    japan, allies = (seat.invitation for seat in room.table.seats[1:])
    assert room.see("anna").seats[1].invitation == japan != allies
    assert room.see("boris").seats[1].invitation is None
    assert room.see(None).seats[1].invitation is None
    refuses(409, "seat 1 needs its invitation", lambda: room.take("boris", 1))
    refuses(403, "not for that seat", lambda: room.take("boris", 1, allies))
    refuses(403, "not for that seat", lambda: room.take("boris", 1, "übungshalber"))
    room.take("boris", 1, japan)
    assert room.table.seats[1] == Seat(("japan",), "boris", "Boris")
    refuses(409, "seat 1 is taken", lambda: room.take("clara", 1, japan))


def test_who_gets_up_leaves_an_open_seat() -> None:
    room = Room(GameWish(seats=2))
    room.sit("boris")
    refuses(403, "seat 1 is not yours", lambda: room.leave("clara", 1))
    room.leave("boris", 1)
    assert room.table.seats[1] == Seat(tuple(ALLIES), is_open=True)
    room.take("boris", 1)
    assert not room.see("anna").seats[1].is_ready, "sat down anew, and has not said so"


def test_a_game_begins_when_all_are_there_and_ready() -> None:
    room = Room(GameWish(seats=3))
    refuses(409, r"seat 1 \(United Kingdom, Soviet Union, United States\) is empty", room.start)
    refuses(403, "you have no seat", lambda: commands.say_ready(room.table, "boris", is_ready=True))
    room.take("boris", 1)
    room.take("clara", 2)
    refuses(409, "not ready yet: Boris, Clara", room.start)
    room.do("boris", commands.say_ready(room.table, "boris", True))
    room.do("clara", commands.say_ready(room.table, "clara", True))
    assert [seat.is_ready for seat in room.see(None).seats] == [True, True, True]
    room.do("boris", commands.say_ready(room.table, "boris", False))
    refuses(409, "not ready yet: Boris", room.start)
    room.do("boris", commands.say_ready(room.table, "boris", True))
    refuses(403, "only the host", lambda: commands.start(room.table, "boris"))
    room.start()
    assert room.see("boris").status == "playing"


def test_what_belongs_before_a_game_is_over_once_it_has_begun() -> None:
    room = two_at(UKRAINE)
    table = room.table
    for command in (
        room.start,
        lambda: commands.say_ready(table, "boris", True),
        lambda: commands.set_up(table, "anna", "Anna", GameWish()),
        lambda: commands.set_seat(table, "anna", "Anna", 1, "bot", "rookie"),
    ):
        refuses(409, "the game has begun", command)


def test_what_belongs_to_a_game_waits_until_it_has_begun() -> None:
    room = Room(GameWish(seats=2))
    refuses(409, "has not begun", lambda: room.move("anna", "germany", "pass"))
    refuses(409, "has not begun", lambda: room.undo("anna"))
    refuses(409, "has not begun", lambda: room.propose("anna", "pause"))
    refuses(409, "has not begun", lambda: room.order("anna", 0, {"blitzkrieg": "always"}))
    refuses(409, "nothing is proposed", lambda: room.vote("anna"))
    refuses(409, "window has closed", lambda: room.answer("anna", "pass"))
    refuses(409, "window has closed", lambda: room.hold("anna"))
    refuses(409, "not over yet", lambda: commands.rematch(room.table, "anna", False))
    assert room.go_on("anna") == []
    assert room.table.todo() is None
    assert room.table.moments() == []
    room.order("anna", 0, {}, passes=True)
    assert room.see("anna").orders[0].passes


# -- moves -----------------------------------------------------------------------------


def test_a_move_is_made_by_who_plays_the_country() -> None:
    room = two_at(UKRAINE)
    refuses(403, "Germany is not yours", lambda: room.move("boris", "germany", "play land-battle"))
    refuses(403, "Germany is not yours", lambda: room.move("clara", "germany", "play land-battle"))
    refuses(409, "not Japan's decision", lambda: room.move("anna", "japan", "play build-army"))
    with pytest.raises(UnknownName, match="unknown country 'moon'"):
        room.move("anna", "moon", "play land-battle")
    room.move("anna", "germany", "  play   land-battle ")
    assert room.table.game.history[-1].text == "play land-battle"


def test_an_illegal_move_changes_nothing() -> None:
    room = two_at(UKRAINE)
    before = seen(room, "anna")
    for text in ("battle moscow", "play", "play land", "", "remove army moscow", "germany: pass"):
        with pytest.raises(IllegalAction):
            room.move("anna", "germany", text)
    assert seen(room, "anna") == before


def test_a_move_against_an_older_table_is_refused() -> None:
    room = two_at(UKRAINE)
    number = room.table.number
    room.move("anna", "germany", "play land-battle")
    refuses(
        409,
        f"moved on from {number} to {number + 1}",
        lambda: room.move("anna", "germany", "battle western-europe", number),
    )
    refuses(409, "moved on", lambda: room.move("anna", "germany", "pass", number + 2))


def test_a_move_is_not_outdated_by_talk_about_a_pause() -> None:
    room = two_at(UKRAINE)
    number = room.table.number
    room.propose("boris", "pause")
    room.move("anna", "germany", "play land-battle", number)
    assert room.table.proposal is None, "the game went on"


def test_a_move_sent_again_is_recognised() -> None:
    room = two_at(UKRAINE)
    number = room.table.number
    room.move("anna", "germany", "play land-battle", number)
    before = seen(room, "anna")
    assert room.move("anna", "germany", "play land-battle", number) == []
    assert room.move("anna", "germany", " play land-battle", number) == []
    assert seen(room, "anna") == before
    battled = room.table.number
    room.move("anna", "germany", "battle ukraine soviet-union", battled)
    assert room.move("anna", "germany", "battle ukraine soviet-union", battled) == []
    assert room.move("anna", "germany", "play land-battle", number) == []
    room.next()
    assert room.move("anna", "germany", "battle ukraine soviet-union", battled) == []
    room.undo("anna")
    room.vote("boris")
    refuses(
        409,
        "moved on",
        lambda: room.move("anna", "germany", "battle ukraine soviet-union", battled),
    )


def test_the_last_move_sent_again_after_the_end() -> None:
    room = two_at(LAST_TURN)
    number = room.table.number
    room.move("boris", "united-states", "pass")
    assert room.see(None).status == "over"
    assert room.move("boris", "united-states", "pass", number) == []
    refuses(409, "the game is over", lambda: room.move("boris", "united-states", "pass"))


def test_nobody_moves_in_a_window_or_a_pause() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    refuses(409, "window is open", lambda: room.move("anna", "germany", "pass"))
    refuses(409, "window is open", lambda: room.move("boris", "soviet-union", "use stalingrad"))
    refuses(409, "window is open", lambda: room.move("boris", "soviet-union", "remove army moscow"))
    room.next()
    room.propose("anna", "pause")
    room.vote("boris")
    refuses(409, "the game is paused", lambda: room.move("anna", "germany", "pass"))
    assert not room.see("anna").your_turn


def test_who_has_a_bot_play_does_not_move() -> None:
    room = two_at(UKRAINE)
    room.hand_over("anna", 0, "bot")
    refuses(409, "a bot plays for you", lambda: room.move("anna", "germany", "play land-battle"))
    assert room.see("anna").removals == []


def test_pieces_may_be_taken_off_whosever_decision_it_is() -> None:
    room = two_at(UKRAINE)
    assert "remove army ukraine" in [action.text for action in room.see("boris").removals]
    assert room.see(None).removals == []
    number = room.table.number
    room.move("boris", "soviet-union", "remove army ukraine")
    assert room.move("boris", "soviet-union", "remove army ukraine", number) == []
    view = room.see("anna")
    assert view.view is not None
    assert view.view.countries["soviet-union"].armies == ("moscow",)
    assert view.waiting_for == "germany"
    assert view.log.entries[-1].text == "The Soviet army in Ukraine is taken off by its owner"
    refuses(403, "not yours", lambda: room.move("anna", "soviet-union", "remove army moscow"))
    with pytest.raises(IllegalAction):
        room.move("boris", "soviet-union", "remove army ukraine")


# -- windows ---------------------------------------------------------------------------


def test_without_cards_face_down_nobody_waits() -> None:
    room = two_at({**UKRAINE, "set": {}})
    battle_ukraine(room)
    assert room.table.window is None
    view = room.see("boris")
    assert view.view is not None
    assert view.view.countries["soviet-union"].armies == ("moscow",)


def test_a_battle_opens_a_window_for_who_might_react() -> None:
    room = three_at(UKRAINE)
    battle_ukraine(room)
    for user in ("anna", "boris", "clara", None):
        view = room.see(user)
        assert view.window is not None
        assert view.window.action.text == "battle ukraine soviet-union"
        assert view.window.countries == ("soviet-union",)
        assert view.window.seconds_left == 8
        assert view.window.is_yours == view.window.can_hold == (user == "boris")
        assert not view.window.has_gone_on
        assert view.waiting_for is None
        assert view.actions == view.removals == []
        assert view.decision is None
        # Until it closes everyone sees the game as it was before the battle.
        assert view.view is not None
        assert (view.view.decision, view.view.waiting_for) == (None, None)
        assert view.view.legal_actions == ()
        assert view.view.countries["soviet-union"].armies == ("ukraine", "moscow")
        assert [entry.text for entry in view.log.entries] == ["Germany plays Land Battle"]
        assert view.your_turn == (user == "boris")
    assert texts(room, "anna") == texts(room, "clara") == []
    assert texts(room, "boris") == [["pass", "use stalingrad"]]


def test_a_window_that_nobody_needs_closes_with_the_battle_won() -> None:
    room = three_at(UKRAINE)
    battle_ukraine(room)
    assert room.table.todo() == Todo("close", 1008.0)
    room.next()
    view = room.see(None)
    assert view.window is None
    assert view.waiting_for == "germany"
    assert view.view is not None
    assert view.view.countries["soviet-union"].armies == ("moscow",)
    assert "The Soviet army in Ukraine is removed" in [entry.text for entry in view.log.entries]


def test_a_card_used_in_the_window_saves_the_army() -> None:
    room = three_at(UKRAINE)
    battle_ukraine(room)
    room.now += 3
    assert room.answer("boris", "use stalingrad") == [
        ev.Answered(0, "soviet-union", "use stalingrad")
    ]
    assert room.answer("boris", " use  stalingrad") == [], "said so already"
    assert not room.see("boris").your_turn
    window = room.see("boris").window
    assert window is not None
    assert window.asks[0].answer == "use stalingrad"
    room.next()
    view = room.see(None)
    assert view.view is not None
    assert view.view.countries["soviet-union"].armies == ("ukraine", "moscow")
    assert view.view.countries["soviet-union"].set_size == 0
    assert "Soviet Union uses Stalingrad" in [entry.text for entry in view.log.entries]


def test_the_last_answer_counts() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.answer("boris", "use stalingrad")
    room.answer("boris", "pass")
    room.next()
    assert room.table.game.history[2].text == "pass"


def test_answers_that_are_none() -> None:
    room = three_at(UKRAINE)
    battle_ukraine(room)
    refuses(422, "expected pass or use stalingrad", lambda: room.answer("boris", "use moscow"))
    refuses(409, "you are not asked that", lambda: room.answer("boris", "pass", ask=1))
    refuses(409, "you are not asked that", lambda: room.answer("boris", "pass", ask=-1))
    refuses(409, "you are not asked that", lambda: room.answer("clara", "pass"))
    refuses(409, "you are not asked that", lambda: room.answer("dora", "pass"))
    number = room.table.number
    room.next()
    refuses(
        409, "has closed", lambda: commands.answer(room.table, "boris", number, 0, "use stalingrad")
    )


@pytest.mark.parametrize("answer", ["use stalingrad", "pass", None])
@pytest.mark.parametrize("other", ["rasputitsa", "leningrad", "moscow"])
def test_nobody_else_can_tell_which_card_lies_there(other: str, answer: str | None) -> None:
    """Stalingrad, that could save the army, or a card that could not: for everyone else, before,
    during and after the window, it is the same table to the last byte."""
    room = three_at(UKRAINE)
    twin = three_at({**UKRAINE, "set": {"soviet-union": [other]}})

    def look_the_same() -> None:
        assert twin.now == room.now
        for user in ("anna", "clara", "dora", None):
            assert seen(room, user) == seen(twin, user)
            assert version_of(room.table, user) == version_of(twin.table, user)
        assert [e.text for e in room.see("anna", since=3).log.entries] == [
            e.text for e in twin.see("anna", since=3).log.entries
        ]

    look_the_same()
    for each in (room, twin):
        battle_ukraine(each)
    look_the_same()
    assert room.table.todo() == twin.table.todo() == Todo("close", 1008.0)
    assert seen(room, "boris") != seen(twin, "boris")
    for each in (room, twin):
        each.now += 2
        each.hold("boris")
    look_the_same()
    assert room.table.todo() == twin.table.todo() == Todo("close", 1032.0)
    if answer is not None:
        room.answer("boris", answer)
    look_the_same()
    room.order("boris", 1, {"stalingrad": "never"})
    look_the_same()
    if answer != "use stalingrad":
        for each in (room, twin):
            each.now = 1032.0
            each.do(None, [each.table.moved(each.table.closing(), each.table.number, each.now)])
        look_the_same()
        assert len(room.table.moments()) == len(twin.table.moments())
        for step in range(len(room.table.moments())):
            one, two = (
                msgspec.json.encode(replay_at(each.table, "anna", step, None, None))
                for each in (room, twin)
            )
            assert one == two
        for to in range(room.table.number + 1):
            assert result_of(room, to) == result_of(twin, to)
        for each in (room, twin):
            each.idle()
        look_the_same()


def result_of(room: Room, to: int) -> str:
    """What comes of Anna's wish to go back to a number."""
    try:
        return str([ev.tag_of(event) for event in commands.undo(room.table, "anna", to)])
    except Refused as refused:
        return str(refused)


def test_nobody_goes_back_into_a_window() -> None:
    """Japan's attack followed on a passing that nobody knows of; going back to just before it
    would show whose."""
    room = two_at(BENGAL)
    room.move("anna", "japan", "play sea-battle")
    room.move("anna", "japan", "battle bay-of-bengal united-kingdom")
    inside = room.table.number
    room.answer("anna", "use surprise-attack")
    room.next()
    assert room.table.game.history[-2].text == "pass"
    assert room.table.game.history[-1].text == "use surprise-attack"
    refuses(409, f"no decision {inside}", lambda: room.undo("anna", inside))


def test_cards_laid_or_discarded_in_secret_are_not_named_to_others() -> None:
    """Japan has a card on the table already, so a window opens whatever it lays there."""
    position = {
        "turn": "japan",
        "hand": {"japan": ["truk", "kamikaze", "build-navy"]},
        "set": {"japan": ["battleship-repair"]},
    }
    for text, told in (
        ("play truk", "Lay a response face down"),
        ("play kamikaze", "Lay a response face down"),
    ):
        room = two_at(position, rules="first")
        room.move("anna", "japan", text)
        own, other = room.see("anna").window, room.see("boris").window
        assert own is not None
        assert other is not None
        assert own.action.text == text
        assert (other.action.card, other.action.phrase) == (None, told)
        assert b"truk" not in seen(room, "boris")
        assert b"kamikaze" not in seen(room, "boris")
        room.next()
        assert b"truk" not in seen(room, "boris")
        assert "Japan sets a card face down" in [e.text for e in room.see("boris").log.entries]


def test_discards_are_not_named_to_others() -> None:
    position = {
        "turn": "japan",
        "hand": {"japan": ["truk", "kamikaze", "build-navy"]},
        "set": {"japan": ["battleship-repair"]},
    }
    room = two_at(position, rules="first")
    room.move("anna", "japan", "discard kamikaze")
    view = room.see("boris")
    assert view.window is not None
    assert view.window.action.phrase == "Discard a card"
    assert b"amikaze" not in seen(room, "boris")
    assert b"kamikaze" in seen(room, "anna")


def test_two_countries_are_asked_one_after_the_other() -> None:
    """Each is asked on the condition that those before it pass, and numbers its own questions."""
    room = two_at(BENGAL)
    room.move("anna", "japan", "play sea-battle")
    room.move("anna", "japan", "battle bay-of-bengal united-kingdom")
    assert texts(room, "boris") == [["pass", "use destroyers"]]
    assert texts(room, "anna") == [["pass", "use surprise-attack"]]
    refuses(409, "you are not asked that", lambda: room.answer("anna", "pass", ask=1))
    assert room.answer("anna", "use surprise-attack") == [
        ev.Answered(1, "japan", "use surprise-attack")
    ]
    assert room.table.todo() == Todo("close", 1008.0)
    room.answer("boris", "use destroyers")
    assert room.table.todo() == Todo("close", 1000.0)
    room.next()
    assert room.table.game.history[-1].text == "use destroyers"
    # Japan's answer was given in case the navy is lost; now it is asked anew.
    while room.table.window is None or not texts(room, "anna"):
        room.next()
    assert room.see("anna").your_turn
    room.answer("anna", "use surprise-attack")
    room.next()
    assert "use surprise-attack" in [action.text for action in room.table.game.history]


def test_where_the_first_passes_the_second_has_its_answer() -> None:
    room = two_at(BENGAL)
    room.move("anna", "japan", "play sea-battle")
    room.move("anna", "japan", "battle bay-of-bengal united-kingdom")
    room.answer("anna", "use surprise-attack")
    room.next()
    assert [action.text for action in room.table.game.history[2:]] == [
        "pass",
        "use surprise-attack",
    ]


def test_a_window_closes_early_when_all_who_might_react_go_on() -> None:
    room = three_at(BENGAL)
    room.move("anna", "japan", "play sea-battle")
    room.move("anna", "japan", "battle bay-of-bengal united-kingdom")
    refuses(403, "no part in this window", lambda: room.go_on("boris"))
    room.go_on("clara")
    window = room.see("clara").window
    assert window is not None
    assert window.has_gone_on
    assert room.go_on("clara") == []
    other = room.see("anna").window
    assert other is not None
    assert not other.has_gone_on
    assert room.table.todo() == Todo("close", 1008.0)
    room.go_on("anna")
    assert room.table.todo() == Todo("close", 1000.0)
    number = room.table.number
    room.next()
    assert "use destroyers" not in [action.text for action in room.table.game.history]
    assert commands.go_on(room.table, "anna", number) == [], "it has closed, as was wished"


def test_who_passes_seems_to_have_no_card() -> None:
    """A window that closed as soon as someone had passed would tell that they were asked; one that
    closes because a card is used tells no more than the card does."""
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.answer("boris", "pass")
    assert room.table.todo() == Todo("close", 1008.0)
    room.answer("boris", "use stalingrad")
    assert room.table.todo() == Todo("close", 1000.0)


def test_who_goes_on_may_still_think_better_of_it() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.go_on("boris")
    room.answer("boris", "use stalingrad")
    room.next()
    assert room.table.game.history[-1].text == "use stalingrad"


def test_more_time_is_had_once_by_who_might_react() -> None:
    """Whether or not they can: Boris has no card that helps."""
    room = three_at({**UKRAINE, "set": {"soviet-union": ["rasputitsa"]}})
    battle_ukraine(room)
    refuses(403, "no part", lambda: room.hold("clara"))
    room.now += 7
    assert room.hold("boris") == [ev.Held(1, 1037.0)]
    view = room.see("clara").window
    assert view is not None
    assert view.seconds_left == 30
    refuses(403, "have asked for time before", lambda: room.hold("boris"))
    own = room.see("boris").window
    assert own is not None
    assert not own.can_hold
    room.go_on("boris")
    assert room.table.todo() == Todo("close", 1000.0)


def test_more_time_is_never_less() -> None:
    room = two_at(UKRAINE, window=100.0)
    battle_ukraine(room)
    assert room.hold("boris") == [ev.Held(1, 1100.0)]


def test_a_table_that_waits_does_not_pass_for_anyone() -> None:
    room = two_at(UKRAINE, late="wait")
    battle_ukraine(room)
    assert room.table.todo() is None
    assert room.see("boris").your_turn
    room.now += 100
    room.answer("boris", "pass")
    assert room.table.todo() is not None
    room.next()
    twin = two_at({**UKRAINE, "set": {"soviet-union": ["rasputitsa"]}}, late="wait")
    battle_ukraine(twin)
    assert twin.table.todo() == Todo("close", 1008.0)


def test_a_slow_table_that_waits_does_so_for_its_days() -> None:
    room = two_at(UKRAINE, late="wait", clock=Clock("async", days=3))
    battle_ukraine(room)
    assert room.table.todo() == Todo("close", 1600.0 + 3 * DAY)


def test_a_live_table_that_waits_does_so_for_the_time_on_the_clock() -> None:
    room = two_at(UKRAINE, late="wait", clock=Clock("live", minutes=5))
    battle_ukraine(room)
    assert room.table.todo() == Todo("close", 1008.0 + 300)


def test_bots_are_asked_at_once_and_need_their_pause() -> None:
    room = alone_at(UKRAINE, AXIS)
    battle_ukraine(room)
    window = room.table.window
    assert window is not None
    assert window.spec == ev.OpenWindow(("soviet-union",), 1000.6, 1000.6, "wait")
    assert texts(room, "anna") == []
    assert room.next().what == "answer"
    assert room.table.todo() == Todo("close", 1000.6)
    twin = alone_at({**UKRAINE, "set": {"soviet-union": ["rasputitsa"]}}, AXIS)
    battle_ukraine(twin)
    assert twin.table.todo() == Todo("close", 1000.6)
    assert seen(room, "anna") == seen(twin, "anna")


def test_a_bot_that_thinks_long_has_long_windows() -> None:
    room = alone_at({**UKRAINE, "set": {"soviet-union": ["rasputitsa"]}}, AXIS, bot="general")
    battle_ukraine(room)
    assert room.table.todo() == Todo("close", 1001.4)


def test_a_window_that_takes_no_time_tells_nothing_either() -> None:
    """Against bots that do not pause: not even by its number."""
    numbers = []
    for card in ("stalingrad", "rasputitsa"):
        room = alone_at({**UKRAINE, "set": {"soviet-union": [card]}}, AXIS, pause=0.0)
        battle_ukraine(room)
        while room.table.window is not None:
            if room.table.todo() == Todo("answer", 1000.0, "soviet-union", ask=0, seat=2):
                room.do(None, [ev.Answered(0, "soviet-union", "pass")])
            room.next()
        assert room.now == 1000.0
        numbers.append(room.table.number)
    assert numbers[0] == numbers[1]


def test_against_bots_nobody_waits_for_oneself() -> None:
    """There is nobody to hide from: a window opens only for a question, and waits for it."""
    room = alone_at({**UKRAINE, "turn": "germany"}, ["soviet-union"])
    room.do(None, [room.table.moved([("germany", "play land-battle")], room.table.number, 1000)])
    battle = [("germany", "battle ukraine soviet-union")]
    room.do(None, [room.table.moved(battle, room.table.number, 1000)])
    assert texts(room, "anna") == [["pass", "use stalingrad"]]
    assert room.table.todo() is None
    room.answer("anna", "pass")
    assert room.table.todo() == Todo("close", 1000.0)
    twin = alone_at({**UKRAINE, "set": {"soviet-union": ["rasputitsa"]}}, ["soviet-union"])
    twin.do(None, [twin.table.moved([("germany", "play land-battle")], twin.table.number, 1000)])
    twin.do(None, [twin.table.moved(battle, twin.table.number, 1000)])
    assert twin.table.window is None


def test_where_others_may_watch_one_hides_from_them() -> None:
    position = {**UKRAINE, "set": {"soviet-union": ["rasputitsa"]}}
    room = alone_at(position, ["soviet-union"], is_public=True)
    room.do(None, [room.table.moved([("germany", "play land-battle")], room.table.number, 1000)])
    battle = [("germany", "battle ukraine soviet-union")]
    room.do(None, [room.table.moved(battle, room.table.number, 1000)])
    assert room.table.todo() == Todo("close", 1008.0)


def test_people_and_bots_at_one_table_are_waited_for() -> None:
    seats = [
        SeatWish(AXIS, "me"),
        SeatWish(["united-kingdom"], "bot", "rookie"),
        SeatWish(["soviet-union", "united-states"]),
    ]
    room = Room(GameWish(record=record_of(BENGAL), seats=seats))
    room.sit("boris")
    room.start()
    room.move("anna", "japan", "play sea-battle")
    room.move("anna", "japan", "battle bay-of-bengal united-kingdom")
    window = room.table.window
    assert window is not None
    assert (window.spec.not_before, window.until) == (1000.6, 1008.0)
    assert room.next().what == "answer"
    room.go_on("anna")
    assert room.table.todo() == Todo("close", 1000.6)


# -- standing orders -------------------------------------------------------------------


def test_an_order_answers_at_once_but_nobody_can_tell() -> None:
    for order, text in (("always", "use stalingrad"), ("never", "pass")):
        room = two_at(UKRAINE)
        twin = two_at(UKRAINE)
        for each in (room, twin):
            each.move("anna", "germany", "play land-battle")
        order_of: dict[str, ev.Order] = {"stalingrad": "always" if order == "always" else "never"}
        room.order("boris", 1, order_of)
        for each in (room, twin):
            each.move("anna", "germany", "battle ukraine soviet-union")
        assert seen(room, "anna") == seen(twin, "anna")
        assert room.table.todo() == twin.table.todo() == Todo("close", 1008.0)
        window = room.see("boris").window
        assert window is not None
        assert window.asks[0].answer == text
        assert not room.see("boris").your_turn
        room.next()
        assert room.table.game.history[2].text == text


def test_an_order_can_be_overruled() -> None:
    room = two_at(UKRAINE)
    room.order("boris", 1, {"stalingrad": "always"})
    battle_ukraine(room)
    room.answer("boris", "pass")
    room.next()
    assert room.table.game.history[2].text == "pass"


def test_going_on_leaves_it_to_the_orders() -> None:
    room = two_at(UKRAINE)
    room.order("boris", 1, {"stalingrad": "always"})
    battle_ukraine(room)
    room.go_on("boris")
    room.next()
    assert room.table.game.history[2].text == "use stalingrad"


def test_passing_until_the_own_turn() -> None:
    room = three_at(UKRAINE)
    room.order("boris", 1, {}, passes=True)
    battle_ukraine(room)
    assert not room.see("boris").your_turn
    assert room.table.todo() == Todo("close", 1000.0), "nobody needs to be waited for"
    room.next()
    assert "use stalingrad" not in [action.text for action in room.table.game.history]
    while room.table.shown.state.country != country_index("soviet-union"):
        assert room.see("boris").orders[0].passes
        room.idle()
    assert not room.see("boris").orders[0].passes
    room.order("boris", 1, {}, passes=True)
    while room.table.shown.state.country == country_index("soviet-union"):
        room.idle()
    assert room.see("boris").orders[0].passes, "it was meant for the turns after this one"


def test_passing_until_the_own_turn_tells_nothing() -> None:
    """The battle is Germany's last act. Where nobody is asked the game stands in the British turn
    already, behind the window; Clara, who passes until then, must not notice, nor anyone else by
    the time it takes."""

    def battle(card: str) -> Room:
        position = {
            "pieces": {
                "germany": ["germany", "western-europe"],
                "united-kingdom": ["united-kingdom", "north-sea", "italy"],
                "italy": [],
            },
            "hand": {"germany": ["land-battle"]},
            "set": {"united-kingdom": [card]},
        }
        room = three_at(position)
        room.order("clara", 2, {}, passes=True)
        room.move("anna", "germany", "play land-battle")
        room.move("anna", "germany", "battle italy united-kingdom")
        return room

    room, twin = battle("defensive-posture"), battle("loyal-to-the-crown")
    assert len(room.table.window.asks if room.table.window else []) == 1
    assert len(twin.table.window.asks if twin.table.window else [0]) == 0
    assert room.table.todo() == twin.table.todo()
    assert [o.passes for o in room.see("clara").orders] == [
        o.passes for o in twin.see("clara").orders
    ]
    for user in ("anna", "boris", None):
        assert seen(room, user) == seen(twin, user)


@pytest.mark.parametrize("order", ["ask", "every", "always", "never"])
def test_a_card_for_any_time_is_not_asked_for_at_every_step(order: ev.Order) -> None:
    """In the first edition Stalingrad may be used in any step of the own turn."""
    room = two_at({**UKRAINE, "turn": "japan", "step": "discard"}, rules="first")
    room.order("boris", 1, {"stalingrad": order})
    room.move("anna", "japan", "pass")  # and the Soviet turn begins
    window = room.see("boris").window
    assert window is not None
    assert window.asks[0].decision.event["kind"] == "start-of-turn"
    answers: dict[ev.Order, str | None] = {
        "ask": "pass", "every": None, "always": "use stalingrad", "never": "pass"
    }  # fmt: skip
    assert window.asks[0].answer == answers[order]
    assert room.see("boris").your_turn == (order == "every")


def test_a_card_for_any_time_is_asked_for_when_it_matters() -> None:
    room = two_at(UKRAINE, rules="first")
    battle_ukraine(room)
    window = room.see("boris").window
    assert window is not None
    assert window.asks[0].decision.event["kind"] == "about-to-be-removed"
    assert window.asks[0].answer is None
    assert room.see("boris").your_turn


def test_an_order_takes_an_open_decision_too() -> None:
    """Blitzkrieg is a status: everyone may know that Germany is asked."""
    position = {**UKRAINE, "set": {}, "table": {"germany": ["blitzkrieg"]}}
    room = two_at(position)
    room.order("anna", 0, {"blitzkrieg": "never"})
    battle_ukraine(room)
    assert room.see("boris").waiting_for == "germany"
    assert room.table.todo() == Todo("order", 1000.0, "germany", seat=0, text="pass")
    room.next()
    assert room.table.game.decision.kind == "discard-step"


def test_orders_are_for_own_cards_that_react() -> None:
    room = two_at(UKRAINE)
    for card in ("atlantis", "kamikaze", "build-army", "guards"):
        with pytest.raises(UnknownName, match="card that reacts"):
            room.order("boris", 1, {card: "always"})
    refuses(403, "seat 1 is not yours", lambda: room.order("anna", 1, {"stalingrad": "never"}))


@pytest.mark.parametrize("now", [1000.0, 1_790_000_000.123])
def test_orders_are_private(now: float) -> None:
    """Not even the clock of who thinks meanwhile shows that someone gave some."""
    room = three_at(UKRAINE, clock=Clock("live", minutes=20))
    room.now = now
    room.move("anna", "germany", "play land-battle")
    room.now = now + 10.7
    before = {user: seen(room, user) for user in ("anna", "clara", None)}
    todo = room.table.todo()
    at_first = version_of(room.table, "boris")
    room.now = now + 3.3
    room.order("boris", 1, {"stalingrad": "always"})
    room.now = now + 5.9
    room.order("boris", 1, {"stalingrad": "never"}, passes=True)
    room.now = now + 10.7
    assert {user: seen(room, user) for user in ("anna", "clara", None)} == before
    assert room.table.todo() == todo
    assert version_of(room.table, "boris") != at_first
    assert room.see("boris").orders[0].cards == {"stalingrad": "never"}


def test_orders_do_not_hold_up_the_bots() -> None:
    room = alone_at({"turn": "japan"}, ["germany"])
    todo = room.table.todo()
    assert todo is not None
    room.now += 0.5
    room.order("anna", 0, {"blitzkrieg": "never"})
    assert room.table.todo() == todo


# -- taking back -----------------------------------------------------------------------


def test_own_decisions_are_taken_back_freely() -> None:
    room = two_at(UKRAINE)
    start = room.table.game.copy()
    first = room.table.number
    room.move("anna", "germany", "play build-army")
    second = room.table.number
    room.move("anna", "germany", "build army western-europe")
    assert room.see("anna").undo == [second, first]
    assert room.see("boris").undo == room.see(None).undo == []
    assert room.undo("anna") == [ev.TakenBack(1)]
    assert room.table.game.decision.kind == "build"
    room.move("anna", "germany", "build army balkans")
    assert room.undo("anna", first) == [ev.TakenBack(0)]
    assert room.table.game == start
    assert room.see("anna").undo == []
    refuses(409, "you have decided nothing yet", lambda: room.undo("anna"))
    room.move("anna", "germany", "play land-battle")
    refuses(409, "no decision 77", lambda: room.undo("anna", 77))


def test_what_showed_cards_is_not_taken_back_freely() -> None:
    room = two_at({"step": "discard"})
    room.move("anna", "germany", "pass")  # draws
    assert room.see("anna").undo == []
    assert room.undo("anna") == [ev.Proposed("anna", "undo", 0)]


def test_a_look_at_the_deck_is_not_taken_back_freely() -> None:
    deck = ["build-army", "build-navy", "land-battle", "sea-battle", "blitzkrieg"]
    room = two_at(
        {"step": "turn", "table": {"germany": ["superior-planning"]}, "deck": {"germany": deck}}
    )
    room.move("anna", "germany", "use superior-planning")
    assert room.table.game.decision.kind == "order"
    assert room.see("anna").undo == []
    assert room.undo("anna") == [ev.Proposed("anna", "undo", 0)]


def test_shuffling_is_not_taken_back_freely() -> None:
    """What is in the own deck is no secret, but what comes next is."""
    room = two_at({"hand": {"germany": ["guns-and-butter", "build-army"]}}, rules="first")
    room.move("anna", "germany", "play guns-and-butter")
    assert len(room.see("anna").undo) == 1
    room.idle()
    assert "Germany shuffles its deck" in [entry.text for entry in room.see("anna").log.entries]
    assert room.see("anna").undo == []


def test_what_a_window_was_open_for_is_not_taken_back_freely() -> None:
    for card in ("stalingrad", "rasputitsa"):
        room = two_at({**UKRAINE, "set": {"soviet-union": [card]}})
        battle_ukraine(room)
        assert room.see("anna").undo == []
        room.next()
        assert room.see("anna").undo == []
        assert room.undo("anna") == [ev.Proposed("anna", "undo", 1)]


def test_what_someone_else_has_followed_is_not_taken_back_freely() -> None:
    room = two_at(UKRAINE)
    room.move("anna", "germany", "play build-army")
    room.move("boris", "soviet-union", "remove army ukraine")
    assert room.see("anna").undo == []
    assert len(room.see("boris").undo) == 1
    room.undo("boris")
    assert len(room.see("anna").undo) == 1


def test_two_agree_to_take_something_back() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.next()
    room.undo("anna")
    proposal = room.see("boris").proposal
    assert proposal is not None
    assert (proposal.what, proposal.by, proposal.votes, proposal.needed) == ("undo", "Anna", 1, 2)
    assert not proposal.is_yours
    assert not proposal.has_your_vote
    own = room.see("anna").proposal
    assert own is not None
    assert own.is_yours
    assert own.has_your_vote
    refuses(409, "another proposal", lambda: room.propose("boris", "pause"))
    refuses(409, "another proposal", lambda: room.undo("anna"))
    refuses(403, "you have no seat", lambda: room.vote("clara"))
    assert room.vote("anna") == [], "is for it already"
    assert room.vote("boris") == [ev.Voted("boris", True), ev.TakenBack(1)]
    view = room.see("boris")
    assert view.proposal is None
    assert view.view is not None
    assert view.view.countries["soviet-union"].armies == ("ukraine", "moscow")
    assert room.table.game.decision.kind == "battle"


def test_one_is_against_it() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.next()
    room.undo("anna")
    assert room.vote("boris", False) == [ev.Voted("boris", False)]
    assert room.see("anna").proposal is None
    assert len(room.table.game.history) == 3
    room.undo("anna")
    room.vote("anna", False)
    assert room.see("boris").proposal is None, "Anna has thought better of it"


def test_who_leaves_has_no_say() -> None:
    room = two_at(UKRAINE)
    room.propose("anna", "pause")
    room.leave("boris", 1)
    room.vote("anna")
    assert room.see("anna").is_paused


def test_alone_one_takes_back_anything() -> None:
    room = alone_at(UKRAINE, AXIS)
    battle_ukraine(room)
    while room.table.window is not None:
        room.next()
    assert room.undo("anna") == [ev.Proposed("anna", "undo", 1), ev.TakenBack(1)]
    assert room.table.game.decision.kind == "battle"
    assert room.see("anna").proposal is None
    refuses(403, "no seat", lambda: room.undo("boris"))


def test_a_window_is_taken_back_with_what_opened_it() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.undo("anna")
    room.vote("boris")
    assert room.table.window is None
    assert room.table.game.decision.kind == "battle"
    assert room.see("anna").waiting_for == "germany"


def test_a_log_that_was_taken_back_is_sent_anew_from_there() -> None:
    """A client keeps what it had before `start` and puts the rest after it."""
    room = two_at(UKRAINE)
    log = room.see("boris").log.entries
    number = room.table.number

    def catch_up() -> None:
        nonlocal log, number
        news = room.see("boris", since=number).log
        assert news.start <= len(log)
        log = [*log[: news.start], *news.entries]
        number = room.table.number
        assert log == room.see("boris").log.entries

    room.move("anna", "germany", "play build-army")
    catch_up()
    room.move("anna", "germany", "build army western-europe")
    catch_up()
    assert room.see("boris", since=number).log.entries == []
    room.undo("anna")
    catch_up()
    room.move("anna", "germany", "build army balkans")
    catch_up()
    room.undo("anna")  # two changes that it sees as one
    room.undo("anna")
    room.move("anna", "germany", "play land-battle")
    catch_up()
    room.move("anna", "germany", "battle ukraine soviet-union")
    catch_up()
    room.next()
    catch_up()
    for unknown in (None, -1, room.table.number + 1):
        assert room.see("boris", since=unknown).log.start == 0


def test_the_last_move_of_a_finished_game_is_taken_back() -> None:
    room = two_at(LAST_TURN)
    room.move("boris", "united-states", "pass")
    assert room.see("anna").winner is not None
    assert room.see("boris").undo == []
    room.undo("boris")
    assert room.vote("anna")[-1] == ev.TakenBack(0)
    view = room.see("boris")
    assert (view.status, view.winner, view.waiting_for) == ("playing", None, "united-states")
    room.move("boris", "united-states", "discard build-army")


# -- pauses and ends -------------------------------------------------------------------


def test_a_pause_is_agreed_on() -> None:
    room = two_at(UKRAINE)
    assert room.propose("anna", "pause") == [ev.Proposed("anna", "pause")]
    refuses(403, "no seat", lambda: room.propose("clara", "end"))
    assert room.vote("boris") == [ev.Voted("boris", True), ev.Paused()]
    view = room.see("boris")
    assert view.is_paused
    assert view.proposal is None
    assert room.table.todo() is None
    refuses(403, "no seat", lambda: commands.resume(room.table, "clara"))
    room.do("boris", commands.resume(room.table, "boris"))
    assert not room.see("anna").is_paused
    assert commands.resume(room.table, "boris") == []
    room.move("anna", "germany", "play land-battle")


def test_a_pause_stops_a_window_too() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.now += 3
    room.propose("anna", "pause")
    room.vote("boris")
    refuses(409, "paused", lambda: room.answer("boris", "pass"))
    room.now += 600
    room.do("boris", commands.resume(room.table, "boris"))
    window = room.see("boris").window
    assert window is not None
    assert window.seconds_left == 5
    assert room.table.todo() == Todo("close", 1608.0)


def test_an_end_is_agreed_on() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.propose("boris", "end")
    assert room.vote("anna") == [ev.Voted("anna", True), ev.Ended()]
    assert room.table.todo() is None
    for user in ("anna", "boris", None):
        view = room.see(user)
        assert (view.status, view.is_abandoned, view.winner) == ("over", True, None)
        assert (view.window, view.waiting_for) == (None, None)
        assert not view.your_turn
        assert view.view is not None
        assert view.view.countries["soviet-union"].set == ("stalingrad",), "all is open now"
    refuses(409, "the game is over", lambda: room.move("anna", "germany", "pass"))
    refuses(409, "the game is over", lambda: room.undo("anna"))
    refuses(409, "the game is over", lambda: room.propose("anna", "pause"))
    refuses(409, "the game is over", lambda: room.leave("boris", 1))
    refuses(409, "the game is over", lambda: room.take("clara", 1))
    refuses(409, "the game is over", lambda: room.order("boris", 1, {}))


def test_when_all_have_agreed_to_stop_nothing_is_to_be_decided() -> None:
    room = two_at(UKRAINE)
    room.propose("boris", "end")
    room.vote("anna")
    for user in ("anna", "boris", None):
        view = room.see(user)
        assert view.decision is None
        assert view.actions == view.removals == []


def test_alone_one_stops_at_once() -> None:
    room = alone_at(UKRAINE, AXIS)
    assert room.propose("anna", "pause") == [ev.Proposed("anna", "pause"), ev.Paused()]
    room.do("anna", commands.resume(room.table, "anna"))
    assert room.propose("anna", "end") == [ev.Proposed("anna", "end"), ev.Ended()]


# -- clocks ----------------------------------------------------------------------------


def seconds(room: Room) -> list[float | None]:
    return [seat.seconds_left for seat in room.see(None).seats]


def test_without_a_clock_nobody_is_in_a_hurry() -> None:
    room = two_at(UKRAINE)
    assert seconds(room) == [None, None]
    assert room.table.todo() is None
    assert room.table.running is None


def test_a_live_clock_runs_for_who_decides() -> None:
    room = two_at(UKRAINE, clock=Clock("live", minutes=1, increment=5))
    assert seconds(room) == [60, 60]
    assert [seat.is_running for seat in room.see(None).seats] == [True, False]
    room.now += 10
    assert seconds(room) == [50, 60]
    room.move("anna", "germany", "play land-battle")
    assert seconds(room) == [55, 60]
    assert room.table.todo() == Todo("time-out", 1065.0, seat=0)
    room.now += 20
    room.move("anna", "germany", "battle ukraine soviet-union")
    assert seconds(room) == [40, 60]


def test_no_clock_runs_in_a_window() -> None:
    room = two_at(UKRAINE, clock=Clock("live", minutes=1, increment=5))
    battle_ukraine(room)
    assert room.table.running is None
    room.now += 6
    room.go_on("boris")
    room.next()
    assert room.now == 1006
    assert seconds(room) == [70, 60], "two increments, and not a second spent"
    assert room.table.running == 0


def test_no_clock_runs_in_a_pause() -> None:
    room = two_at(UKRAINE, clock=Clock("live", minutes=1))
    room.now += 10
    room.propose("anna", "pause")
    room.vote("boris")
    room.now += 1000
    assert seconds(room) == [50, 60]
    room.do("anna", commands.resume(room.table, "anna"))
    room.now += 1
    assert seconds(room) == [49, 60]


def test_no_clock_runs_for_bots_or_after_the_end() -> None:
    room = alone_at({"turn": "japan"}, ["germany"], clock=Clock("live", minutes=1))
    assert room.table.running is None
    todo = room.table.todo()
    assert todo is not None
    assert (todo.what, todo.at) == ("move", 1000.6)
    room.propose("anna", "end")
    room.now += 1000
    assert seconds(room) == [60] * 6


def test_taking_a_piece_off_wins_no_time() -> None:
    room = two_at(UKRAINE, clock=Clock("live", minutes=1, increment=5))
    room.move("anna", "germany", "remove army eastern-europe")
    assert seconds(room) == [60, 60]


def test_whose_time_is_up_has_a_bot_play() -> None:
    room = two_at(UKRAINE, clock=Clock("live", minutes=0.5, increment=5))
    room.now += 29
    assert room.table.todo() == Todo("time-out", 1030.0, seat=0)
    room.next()
    view = room.see("boris").seats[0]
    assert (view.who, view.bot, view.is_away, view.name) == ("bot", "veteran", True, "Anna")
    assert view.seconds_left == 0
    own = room.see("anna")
    assert own.is_yours
    assert not own.your_turn
    assert own.view is not None
    assert own.view.countries["germany"].hand is not None, "still sees the own cards"
    assert room.next().what == "move"
    room.now += 5
    room.take("anna", 0)
    seat = room.table.seats[0]
    assert (seat.bot, seat.is_away) == (None, False)
    assert seconds(room)[0] == 60, "enough to go on with"


def test_who_comes_back_with_time_left_keeps_it() -> None:
    room = two_at(UKRAINE, clock=Clock("live", minutes=30))
    room.hand_over("anna", 0, "bot")
    room.take("anna", 0)
    assert seconds(room) == [1800, 1800]


def test_a_slow_clock_gives_days_for_each_decision() -> None:
    room = two_at(UKRAINE, clock=Clock("async", days=2))
    assert seconds(room) == [2 * DAY, None]
    room.now += DAY / 2
    assert seconds(room) == [1.5 * DAY, None]
    todo = room.table.todo()
    assert todo == Todo("remind", 1000 + DAY, "germany", seat=0)
    room.next()
    assert room.table.todo() == Todo("time-out", 1000 + 2 * DAY, seat=0)
    room.move("anna", "germany", "play land-battle")
    assert seconds(room) == [2 * DAY, None]
    todo = room.table.todo()
    assert todo == Todo("remind", room.now + DAY, "germany", seat=0), "a new decision, a new hint"
    room.next()
    room.next()
    assert room.table.seats[0].is_away


def test_who_comes_back_to_a_slow_game_has_time_again() -> None:
    room = two_at(UKRAINE, clock=Clock("async", days=2))
    room.next()
    room.next()
    assert room.table.seats[0].is_away
    room.now += 0.3  # before the bot has moved
    room.take("anna", 0)
    assert seconds(room) == [2 * DAY, None]


# -- seats in the midst of a game ------------------------------------------------------


def hand_of(room: Room, user: str, country: str) -> tuple[str, ...] | None:
    view = room.see(user).view
    assert view is not None
    return view.countries[country].hand


def test_a_bot_plays_for_a_while() -> None:
    room = two_at(UKRAINE)
    room.order("anna", 0, {"blitzkrieg": "never"})
    refuses(403, "seat 0 is not yours", lambda: room.hand_over("boris", 0, "bot"))
    with pytest.raises(UnknownName, match="unknown bot"):
        room.hand_over("anna", 0, "bot", "champion")
    room.hand_over("anna", 0, "bot", "rookie")
    assert room.table.seats[0].bot == "rookie"
    assert room.see("boris").seats[0].who == "bot"
    assert hand_of(room, "anna", "germany") is not None
    todo = room.table.todo()
    assert todo is not None
    assert (todo.what, todo.country) == ("move", "germany")
    refuses(403, "no seat", lambda: room.propose("anna", "end"))
    refuses(409, "seat 0 is taken", lambda: room.take("clara", 0))
    room.take("anna", 0)
    assert room.see("anna").your_turn
    assert room.see("anna").orders[0].cards == {"blitzkrieg": "never"}


def test_someone_else_plays_on() -> None:
    room = two_at(UKRAINE)
    room.order("anna", 0, {"blitzkrieg": "never"})
    room.hand_over("anna", 0, "person")
    code = room.see("anna").seats[0].invitation
    assert code is not None
    assert room.see("boris").seats[0].invitation is None
    assert hand_of(room, "anna", "germany") is not None
    assert hand_of(room, "clara", "germany") is None
    assert room.see("anna").your_turn, "until Clara has come"
    refuses(403, "not for that seat", lambda: room.take("clara", 0, "no code"))
    refuses(409, "needs its invitation", lambda: room.take("clara", 0))
    room.take("clara", 0, code)
    assert hand_of(room, "clara", "germany") == ("build-army", "land-battle")
    assert hand_of(room, "anna", "germany") is None
    assert not room.see("anna").is_yours
    assert room.see("clara").your_turn
    assert room.see("clara").orders == [], "Anna's orders went with her"
    room.move("clara", "germany", "play land-battle")
    refuses(403, "not yours", lambda: room.move("anna", "germany", "battle western-europe"))


def test_who_leaves_a_game_leaves_it_to_a_bot() -> None:
    room = two_at(UKRAINE, stand_in="rookie")
    room.order("boris", 1, {"stalingrad": "always"})
    room.leave("boris", 1)
    assert room.table.seats[1] == Seat(tuple(ALLIES), bot="rookie", is_open=True)
    assert hand_of(room, "boris", "soviet-union") is None
    assert room.table.orders == {}
    battle_ukraine(room)
    assert room.next().what == "answer"
    room.take("clara", 1)
    assert texts(room, "clara") == [["pass", "use stalingrad"]]
    assert room.see("clara").your_turn, "the bot's answer went with it"


def test_who_has_seen_one_side_does_not_play_the_other() -> None:
    room = three_at(UKRAINE)
    room.leave("boris", 1)
    refuses(409, "seen the cards of the other side", lambda: room.take("anna", 1))
    room.leave("anna", 0)
    refuses(409, "seen the cards of the other side", lambda: room.take("anna", 1))
    refuses(409, "seen the cards of the other side", lambda: room.take("boris", 0))
    room.take("clara", 1)
    room.take("dora", 0)
    assert room.table.people == ["dora", "clara"]


def test_where_nobody_else_is_left_one_may_play_both_sides() -> None:
    room = two_at(UKRAINE)
    room.leave("boris", 1)
    room.take("anna", 1)
    assert room.table.seats_of("anna") == [0, 1]
    assert shown_countries(room) == tuple(AXIS)


def test_a_bot_answers_for_who_goes_in_the_midst_of_a_window() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.answer("boris", "use stalingrad")
    room.hand_over("boris", 1, "bot")
    assert texts(room, "boris") == []
    assert room.table.todo() == Todo("answer", 1000.0, "soviet-union", ask=0, seat=1)
    room.take("boris", 1)
    assert texts(room, "boris") == [["pass", "use stalingrad"]]


def test_an_invitation_does_not_void_an_answer() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.answer("boris", "use stalingrad")
    room.hand_over("boris", 1, "person")
    room.next()
    assert room.table.game.history[2].text == "use stalingrad"


# -- looking back ----------------------------------------------------------------------


def test_moments_are_what_everyone_could_see() -> None:
    """A passing in secret makes none, whether there was one or not."""
    for card in ("stalingrad", "rasputitsa"):
        room = two_at({**UKRAINE, "set": {"soviet-union": [card]}})
        assert room.table.moments() == [0]
        room.move("anna", "germany", "play land-battle")
        assert room.table.moments() == [0, 1]
        room.move("anna", "germany", "battle ukraine soviet-union")
        assert room.table.moments() == [0, 1], "the battle is still in the window"
        room.next()
        moments = room.table.moments()
        assert len(moments) == 3
        assert moments[-1] == len(room.table.game.codes)
        assert room.see(None).steps == 2
        room.idle()
        assert len(room.table.moments()) == 4


def test_a_card_used_makes_a_moment_of_its_own() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.answer("boris", "use stalingrad")
    room.next()
    assert room.table.moments() == [0, 1, 2, 3]


@pytest.mark.parametrize("card", ["stalingrad", "rasputitsa"])
def test_moments_of_a_record_come_first(card: str) -> None:
    game = Game.from_position({**UKRAINE, "set": {"soviet-union": [card]}})
    game.apply("play land-battle")
    game.apply("battle ukraine")
    if card == "stalingrad":
        game.apply("pass")
    room = Room(GameWish(record=game.record, seats=2))
    room.sit("boris")
    room.start()
    moments = room.table.moments()
    assert len(moments) == 3
    assert (moments[0], moments[-1]) == (0, len(game.codes)), "from the first to the present"
    room.idle()
    assert len(room.table.moments()) == 4
    room.undo("anna")
    room.vote("boris")
    assert len(room.table.moments()) == 3


def test_a_game_does_not_begin_with_a_question_that_nobody_may_know_of() -> None:
    """The record stops where the Soviet Union is asked whether it uses Stalingrad."""
    game = Game.from_position(UKRAINE)
    game.apply("play land-battle")
    game.apply("battle ukraine")
    try:
        room = Room(GameWish(record=game.record, seats=2))
    except Refused:
        return
    room.sit("boris")
    room.start()
    assert room.see("anna").waiting_for != "soviet-union"


# -- again -----------------------------------------------------------------------------


def over_at(seats: list[SeatWish], *people: str) -> Room:
    room = Room(GameWish(record=record_of(LAST_TURN), seats=seats))
    room.sit(*people)
    room.start()
    while room.table.status != "over":
        if room.table.todo() is not None:
            room.next()
        else:
            room.idle()
    return room


def test_the_same_people_play_again() -> None:
    seats = [SeatWish(AXIS, "me"), SeatWish(["united-kingdom"]), SeatWish(ALLIES[1:], "bot")]
    room = over_at(seats, "boris")
    refuses(403, "no seat", lambda: commands.rematch(room.table, "clara", False))
    (created,) = commands.rematch(room.table, "boris", False)
    assert isinstance(created, ev.Created)
    assert created.host == "boris"
    assert created.record is None
    assert created.settings == room.table.settings
    assert [(s.countries, s.holder, s.bot) for s in created.seats] == [
        (tuple(AXIS), "anna", None),
        (("united-kingdom",), "boris", None),
        (tuple(ALLIES[1:]), None, "veteran"),
    ]
    (noted,) = commands.note_rematch(room.table, "next")
    room.do("boris", [noted])
    assert room.see("anna").rematch == "next"
    assert commands.note_rematch(room.table, "another") == []


def test_they_swap_sides() -> None:
    room = over_at([SeatWish(AXIS, "me"), SeatWish(ALLIES)], "boris")
    (created,) = commands.rematch(room.table, "anna", True)
    assert isinstance(created, ev.Created)
    assert [(seat.countries, seat.holder) for seat in created.seats] == [
        (tuple(AXIS), "boris"),
        (tuple(ALLIES), "anna"),
    ]


def test_sides_that_do_not_match_are_not_swapped() -> None:
    room = over_at(
        [SeatWish(AXIS, "me"), SeatWish(["united-kingdom"]), SeatWish(ALLIES[1:])], "boris", "clara"
    )
    (created,) = commands.rematch(room.table, "anna", True)
    assert isinstance(created, ev.Created)
    assert [seat.holder for seat in created.seats] == ["anna", "boris", "clara"]


def test_against_bots_it_begins_at_once() -> None:
    room = over_at([SeatWish(AXIS, "bot", "random"), SeatWish(ALLIES, "me")])
    assert [ev.tag_of(e) for e in commands.rematch(room.table, "anna", True)] == [
        "created", "started"
    ]  # fmt: skip


def test_who_had_a_bot_play_is_asked_again_in_person() -> None:
    room = Room(GameWish(record=record_of(LAST_TURN), seats=2))
    room.sit("boris")
    room.start()
    room.hand_over("boris", 1, "bot")
    while room.table.status != "over":
        room.next()
    (created,) = commands.rematch(room.table, "anna", False)
    assert isinstance(created, ev.Created)
    assert created.seats[1] == Seat(tuple(ALLIES), "boris", "Boris")


# -- at one screen ---------------------------------------------------------------------


def one_screen(position: dict[str, Any], **wish: Any) -> Room:
    seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "hot-seat", name="Ben")]
    return Room(GameWish(record=record_of(position), seats=seats, start=True, **wish))


def shown_countries(room: Room, seat: int | None = None) -> tuple[str, ...]:
    view = room.see("anna", seat=seat).view
    assert view is not None
    return view.seat


def test_two_at_one_screen_see_the_cards_of_who_decides() -> None:
    room = one_screen(UKRAINE)
    assert shown_countries(room) == tuple(AXIS)
    assert hand_of(room, "anna", "soviet-union") is None
    assert b"stalingrad" not in seen(room, "anna")
    assert shown_countries(room, seat=1) == tuple(ALLIES)
    assert shown_countries(room, seat=0) == tuple(AXIS)
    assert shown_countries(room, seat=5) == ()
    assert room.see("anna", seat=1).actions == []
    battle_ukraine(room)
    assert shown_countries(room) == tuple(ALLIES), "the question is Ben's"
    room.answer("anna", "pass")
    room.next()
    assert shown_countries(room) == tuple(AXIS)
    while room.table.game.decision.country != "united-kingdom":
        room.idle()
    assert shown_countries(room) == tuple(ALLIES)


def test_two_at_one_screen_are_asked_one_after_the_other() -> None:
    room = one_screen(BENGAL)
    room.move("anna", "japan", "play sea-battle")
    room.move("anna", "japan", "battle bay-of-bengal united-kingdom")
    assert shown_countries(room) == tuple(ALLIES)
    room.answer("anna", "pass")
    assert room.see("anna").your_turn
    assert shown_countries(room) == tuple(AXIS), "now it is up to Japan"


def test_at_one_screen_a_question_is_for_one_pair_of_eyes() -> None:
    room = one_screen(BENGAL)
    room.move("anna", "japan", "play sea-battle")
    room.move("anna", "japan", "battle bay-of-bengal united-kingdom")
    assert shown_countries(room) == tuple(ALLIES)
    assert b"surprise-attack" not in seen(room, "anna")


def test_seats_of_one_team_are_seen_together() -> None:
    seats = [SeatWish(["germany"], "me"), SeatWish(["japan"], "me"), SeatWish(["italy"], "me")]
    room = Room(GameWish(seats=[*seats, SeatWish(ALLIES, "bot")], start=True))
    assert shown_countries(room) == tuple(AXIS)
    assert shown_countries(room, seat=1) == ("japan",)
    assert room.see("boris", seat=1).view == room.see(None).view


# -- whole games, by chance ------------------------------------------------------------

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
            self.stored.reminded = after.reminded  # is not kept
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
        if not commands.asks_of(table, user or ""):
            blind = table.copy()
            assert blind.window is not None
            blind.window.asks = []
            blind.window.answers = {}
            since = None if view.log.start == 0 else table.number - 1
            other = project(blind, user, self.now, since)
            assert msgspec.structs.replace(other, log=view.log) == view

    def check_log(self, user: str | None) -> None:
        """A client that puts together what it is sent has the whole log."""
        if self.rng.random() < 0.3:
            number, log = self.logs.get(user, (0, []))
            news = project(self.table, user, self.now, number).log
            log = [*log[: news.start], *(entry.what for entry in news.entries)]
            whole = self.table.shown.state.log or [] if self.table.has_begun else []
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
            ask = table.window.asks[commands.asks_of(table, user)[0]]
            self.answer(user, rng.choice(ask.actions).text)
        else:
            country = table.game.decision.country
            action = rng.choice(table.game.legal_actions())
            self.move(deciding[0], country, action.text)

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
        what: list[Callable[[], object]] = [
            lambda: self.go_on(user),
            lambda: self.hold(user),
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


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("rules", "options"), VARIANTS)
def test_whole_games_of_people_and_bots(rules: str, options: dict[str, bool], seed: int) -> None:
    room = crowded_room(rules, options, seed)
    for _ in range(100):
        if room.table.status == "over":
            break
        room.act()
    if room.table.status != "over":
        room.do("anna", [ev.Ended()])
    table = room.table
    assert table.todo() is None
    moments = table.moments()
    assert moments == sorted(set(moments))
    assert moments[-1] == len(table.game.codes)
    assert Game.from_record(table.game.record) == table.game

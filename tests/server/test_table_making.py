"""Making a table, and what people do there before the game (`rooms.py`)."""

from typing import Any

import pytest

from quartermaster import Game
from quartermaster.cards.rule_sets import RULE_SETS
from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.forms.seats import make_seats
from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.events import Clock, Seat
from rooms import (
    ALLIES,
    AXIS,
    UKRAINE,
    Room,
    record_of,
    refuses,
    two_at,
)

# Making a table.


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
        ({"stand_in": "champion"}, "expected random or rookie or regular or seasoned or"),
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
        ({"record": "Once upon a time"}, "expected 'quartermaster record 2' as the first line"),
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
    with pytest.raises(UnknownName, match="expected random or rookie or regular or seasoned or"):
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


# Before the game.


def test_the_host_sets_the_table_up_anew() -> None:
    room = Room(GameWish(seats=6))
    room.sit("boris", "clara", "dora")  # the United Kingdom, Japan, the Soviet Union
    wish = GameWish(rules="second", seats=4, title="Four are enough")
    room.do("anna", commands.set_up(room.table, "anna", "Anna", wish))
    table = room.table
    assert [seat.holder for seat in table.seats] == ["anna", None, None, "dora"]
    assert table.settings.title == "Four are enough"
    assert table.lobby.ready == set(), "they were ready for another game"
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

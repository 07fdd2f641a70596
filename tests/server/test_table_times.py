"""Pauses, clocks and looking back at a table of people (`rooms.py`)."""

import pytest

from quartermaster import Game
from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.clocks import DAY
from quartermaster.server.table.commands import GameWish
from quartermaster.server.table.events import Clock
from quartermaster.server.table.todo import Todo
from rooms import AXIS, UKRAINE, Room, alone_at, battle_ukraine, refuses, two_at

# Pauses and ends.


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


def seconds(room: Room) -> list[float | None]:
    return [seat.seconds_left for seat in room.see(None).seats]


# Clocks.


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
    assert room.next().what == "move"
    room.now += 5
    room.take("anna", 0)
    assert seconds(room) == [2 * DAY, None]


# Looking back.


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

"""Taking back, pauses, clocks and looking back at a table of people (`rooms.py`)."""

import msgspec
import pytest

from quartermaster import Game
from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish
from quartermaster.server.table.events import Clock
from quartermaster.server.table.table import DAY, Todo
from rooms import ALLIES, AXIS, LAST_TURN, UKRAINE, Room, alone_at, battle_ukraine, refuses, two_at

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


def absent(room: Room, user: str, seat: int) -> None:
    """A bot plays for someone because time ran out."""
    away = msgspec.structs.replace(room.table.seats[seat], bot="rookie", is_away=True)
    room.do(None, [ev.SeatChanged(seat, away)])


@pytest.mark.parametrize("is_away", [True, False])
@pytest.mark.parametrize("what", ["undo", "end"])
def test_who_is_absent_is_asked(what: ev.Motion, is_away: bool) -> None:
    """A bot that stands in agrees to nothing for its person."""
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.next()
    if is_away:
        absent(room, "boris", 1)
    else:
        room.hand_over("boris", 1, "bot")
    events = room.undo("anna") if what == "undo" else room.propose("anna", what)
    assert [type(event) for event in events] == [ev.Proposed]
    asked = room.see("boris").proposal
    assert asked is not None
    assert (asked.votes, asked.needed, asked.waits_for) == (1, 2, ["Boris"])
    assert asked.seconds_left == 600
    refuses(403, "no seat", lambda: room.vote("clara"))
    assert room.vote("boris", False) == [ev.Voted("boris", False)]
    assert room.table.status == "playing"
    assert len(room.table.game.history) == 3


def test_who_is_absent_has_a_fair_time_to_answer() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.next()
    absent(room, "boris", 1)
    room.undo("anna")
    assert room.table.todo() == Todo("consent", room.now + 600)
    room.now += 599
    assert room.see("anna").proposal is not None
    assert room.next().what == "consent"
    assert len(room.table.game.history) == 1
    assert room.see("anna").proposal is None


def test_at_a_slow_table_the_time_to_answer_is_that_of_a_decision() -> None:
    room = two_at(UKRAINE, clock=Clock("async", days=3))
    room.propose("anna", "end")
    assert room.table.absent_votes() == []
    absent(room, "boris", 1)
    assert room.table.absent_votes() == ["boris"]
    proposal = room.see("anna").proposal
    assert proposal is not None
    assert proposal.seconds_left == 3 * DAY
    room.take("boris", 1)
    proposal = room.see("anna").proposal
    assert proposal is not None
    assert proposal.seconds_left is None, "who is there answers for himself"
    assert room.vote("boris") == [ev.Voted("boris", True), ev.Ended()]


def test_bots_that_play_on_do_not_drop_a_question_to_who_is_absent() -> None:
    room = two_at(UKRAINE)
    battle_ukraine(room)
    room.next()
    absent(room, "boris", 1)
    room.propose("anna", "end")
    while room.table.awaited not in ALLIES:
        room.idle()
    while room.table.awaited in ALLIES:
        room.next()
    assert room.see("anna").proposal is not None
    assert room.table.status == "playing"


def test_a_pause_needs_nobody_who_is_absent() -> None:
    room = two_at(UKRAINE)
    absent(room, "boris", 1)
    assert room.propose("anna", "pause") == [ev.Proposed("anna", "pause"), ev.Paused()]


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

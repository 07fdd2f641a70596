"""Taking back and ending by agreement at a table of people (`rooms.py`)."""

import msgspec
import pytest

from quartermaster.server.table import events as ev
from quartermaster.server.table.clocks import DAY
from quartermaster.server.table.events import Clock
from quartermaster.server.table.todo import Todo
from rooms import ALLIES, AXIS, LAST_TURN, UKRAINE, Room, alone_at, battle_ukraine, refuses, two_at


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
    assert asked.about == (
        "Germany battles Ukraine against the Soviet army" if what == "undo" else None
    )
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

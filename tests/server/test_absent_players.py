"""Who has a bot play for them, or has left, may look on and come back: they learn nothing by it,
and gain no time."""

import pytest

from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table.events import Clock
from rooms import UKRAINE, Room, seen, two_at

BATTLE = ("play land-battle", "battle ukraine soviet-union")


def fought_by_a_bot(card: str, how: str) -> Room:
    """Germany battles in Ukraine, and its person is absent; the Soviet Union has a card face
    down."""
    room = two_at({**UKRAINE, "set": {"soviet-union": [card]}})
    if how == "left":
        room.leave("anna", 0)
    else:
        room.hand_over("anna", 0, "bot")
    if how == "both absent":
        room.hand_over("boris", 1, "bot")
    for text in BATTLE:
        move = room.table.moved([("germany", text)], room.table.number, room.now)
        room.do(None, [move])
    return room


@pytest.mark.parametrize("how", ["stood in for", "left", "both absent"])
def test_who_is_absent_cannot_tell_a_card_by_a_window(how: str) -> None:
    """Stalingrad answers this battle, Leningrad does not."""
    can, cannot = fought_by_a_bot("stalingrad", how), fought_by_a_bot("leningrad", how)
    assert can.table.window is not None
    assert can.table.window.asks
    assert cannot.table.window is not None
    assert not cannot.table.window.asks
    assert seen(can, "anna") == seen(cannot, "anna")
    ends = [room.table.todo() for room in (can, cannot)]
    assert ends[0] is not None
    assert (ends[0].what, ends[0].at) == ("close", can.table.window.until)
    assert ends[0] == ends[1], "both windows close at the same time"


@pytest.mark.parametrize("how", ["stood in for", "left"])
def test_who_is_absent_cannot_tell_a_choice_of_one(how: str) -> None:
    """Boris has one choice, which would be made for him at once if nobody were there to see."""
    hand = ["build-army"] * 2
    room = two_at({"turn": "united-kingdom", "step": "discard", "hand": {"united-kingdom": hand}})
    if how == "left":
        room.leave("anna", 0)
    else:
        room.hand_over("anna", 0, "bot")
    assert room.table.awaited == "united-kingdom"
    assert room.table.todo() is None, "Boris is waited for"


def test_where_nobody_can_look_on_who_has_left_is_not_hidden_from() -> None:
    room = two_at(UKRAINE, has_spectators=False)
    assert room.table.is_hiding
    room.leave("anna", 0)
    assert not room.table.is_hiding


# Time.

LIVE = Clock("live", minutes=0.1, increment=0)
SLOW = Clock("async", days=1 / 1440)


def timed_out(clock: Clock) -> Room:
    """Anna's time has run out at her decision, and a bot is about to take it."""
    room = two_at(UKRAINE, clock=clock)
    while room.next().what != "time-out":
        pass
    assert room.table.seats[0].is_away
    return room


@pytest.mark.parametrize("clock", [LIVE, SLOW])
@pytest.mark.parametrize("leaves", [False, True])
def test_nobody_comes_back_to_a_decision_for_more_time(clock: Clock, leaves: bool) -> None:
    room = timed_out(clock)
    decision = room.table.settled
    if leaves:
        room.leave("anna", 0)
    with pytest.raises(Refused, match="time for this decision is over") as refused:
        commands.take_seat(room.table, "anna", "Anna", 0, None)
    assert refused.value.status == 409
    assert room.next().what == "move"
    assert room.table.settled > decision
    if room.table.window is None:
        room.take("anna", 0)
        assert room.table.seats[0].person == "anna"


def test_who_plays_alone_may_come_back_at_once() -> None:
    """Nobody waits for them; and where all are absent, no bot might go on."""
    room = timed_out(LIVE)
    room.hand_over("boris", 1, "bot")
    room.take("anna", 0)
    assert room.table.seats[0].person == "anna"
    left = room.see("anna").seats[0].seconds_left
    assert left is not None
    assert left >= 59

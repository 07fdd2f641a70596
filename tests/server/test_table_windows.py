"""Reaction windows at a table of people (`rooms.py`)."""

import msgspec
import pytest

from quartermaster.server.api.replays import replay_at
from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.clocks import DAY
from quartermaster.server.table.events import Clock
from quartermaster.server.table.projection import version_of
from quartermaster.server.table.todo import Todo
from rooms import (
    BENGAL,
    UKRAINE,
    Room,
    battle_ukraine,
    refuses,
    seen,
    texts,
    three_at,
    two_at,
)


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

"""Bots in reaction windows, and standing orders (`rooms.py`)."""

import pytest

from quartermaster.errors import UnknownName
from quartermaster.forms.notation import country_index
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.events import Clock
from quartermaster.server.table.projection import version_of
from quartermaster.server.table.todo import Todo
from rooms import (
    AXIS,
    BENGAL,
    UKRAINE,
    Room,
    alone_at,
    battle_ukraine,
    record_of,
    refuses,
    seen,
    texts,
    three_at,
    two_at,
)

# Windows.


def test_bots_are_asked_at_once_and_need_their_pause() -> None:
    room = alone_at(UKRAINE, AXIS)
    battle_ukraine(room)
    window = room.table.window
    assert window is not None
    spec = ev.OpenWindow(("soviet-union",), 1000.6, 1000.6, "wait", is_timed=True)
    assert window.spec == spec
    assert texts(room, "anna") == []
    assert room.table.bot_asks() == [0]
    assert room.table.todo() == Todo("close", 1000.6)
    twin = alone_at({**UKRAINE, "set": {"soviet-union": ["rasputitsa"]}}, AXIS)
    battle_ukraine(twin)
    assert twin.table.todo() == Todo("close", 1000.6)
    assert seen(room, "anna") == seen(twin, "anna")


def test_a_bot_that_thinks_long_has_long_windows() -> None:
    room = alone_at({**UKRAINE, "set": {"soviet-union": ["rasputitsa"]}}, AXIS, bot="general")
    battle_ukraine(room)
    assert room.table.todo() == Todo("close", 1001.4)


def test_bots_that_do_not_pause_have_a_moment_in_which_to_answer() -> None:
    """The same with a card and without; not even the number tells."""
    numbers = []
    for card in ("stalingrad", "rasputitsa"):
        room = alone_at({**UKRAINE, "set": {"soviet-union": [card]}}, AXIS, pause=0.0)
        battle_ukraine(room)
        while room.table.window is not None:
            todo = room.table.todo()
            assert todo == Todo("close", 1000.3)
            room.now = todo.at
            room.do(None, [room.table.moved(room.table.closing(), room.table.number, room.now)])
        assert room.now == 1000.3
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
    assert room.table.todo() == Todo("close", 1008.0)
    room.go_on("anna")
    assert room.table.todo() == Todo("close", 1000.6)


# Standing orders.


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

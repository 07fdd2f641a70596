"""Reaction windows at a table of people, and standing orders (`rooms.py`)."""

import msgspec
import pytest

from quartermaster.errors import UnknownName
from quartermaster.forms.notation import country_index
from quartermaster.server.api.replays import replay_at
from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.events import Clock
from quartermaster.server.table.projection import version_of
from quartermaster.server.table.table import DAY, Todo
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

"""A table of people: what they may do, and what each of them sees (`rooms.py`)."""

from typing import Any

import msgspec
import pytest

from quartermaster import Game
from quartermaster.cards.rule_sets import RULE_SETS
from quartermaster.errors import IllegalAction, QuartermasterError, UnknownName
from quartermaster.game import make_seats
from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.events import Clock, Seat
from quartermaster.server.table.projection import has_to_do
from quartermaster.server.table.table import Todo
from rooms import (
    ALLIES,
    AXIS,
    BENGAL,
    LAST_TURN,
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


# -- first cards -----------------------------------------------------------------------


def at_setup(**wish: Any) -> Room:
    """Anna has the Axis, Boris the United Kingdom, Clara the other Allies; Germany is asked
    which of its first cards to keep."""
    seats = [
        SeatWish(AXIS, "me"),
        SeatWish(["united-kingdom"]),
        SeatWish(["soviet-union", "united-states"]),
    ]
    room = Room(GameWish(seats=seats, **wish), seed=3)
    room.sit("boris", "clara")
    room.start()
    return room


def first_hand(room: Room, user: str, country: str) -> list[str]:
    view = room.see(user).view
    assert view is not None
    hand = view.countries[country].hand
    assert hand is not None
    return list(hand)


def test_first_cards_are_chosen_while_others_choose_theirs() -> None:
    room = at_setup()
    [choosing] = room.see("boris").first_cards
    assert (choosing.country, choosing.count, choosing.discards) == ("united-kingdom", 3, ())
    hand = first_hand(room, "boris", "united-kingdom")
    room.prepare("boris", "united-kingdom", *hand[:3])
    assert room.see("boris").first_cards[0].discards == tuple(hand[:3])
    for _ in range(3):
        room.idle()  # Germany
    assert [room.next().what for _ in range(3)] == ["order"] * 3
    assert room.table.awaited == "japan"
    assert sorted(first_hand(room, "boris", "united-kingdom")) == sorted(hand[3:])
    assert room.see("boris").first_cards == []


def test_what_was_prepared_can_be_thought_over() -> None:
    room = at_setup()
    hand = first_hand(room, "clara", "soviet-union")
    room.prepare("clara", "soviet-union", *hand[:3])
    assert not room.see("boris").first_cards[0].discards
    room.prepare("clara", "soviet-union")
    assert [one.discards for one in room.see("clara").first_cards] == [(), ()]
    for _ in range(9):
        room.idle()
    assert room.table.awaited == "soviet-union"
    assert room.table.todo() is None  # she is asked after all
    assert [one.country for one in room.see("clara").first_cards] == []  # both are hers now


def test_nobody_can_tell_that_first_cards_were_prepared() -> None:
    room = at_setup()
    before = [seen(room, user) for user in ("anna", "clara", None)]
    hand = first_hand(room, "boris", "united-kingdom")
    own = seen(room, "boris")
    room.prepare("boris", "united-kingdom", *hand[:3])
    assert [seen(room, user) for user in ("anna", "clara", None)] == before
    assert seen(room, "boris") != own


def test_it_waits_for_everyone_who_has_cards_to_choose() -> None:
    room = at_setup()
    assert [has_to_do(room.table, user) for user in ("anna", "boris", "clara")] == [True] * 3
    assert [room.see(user).your_turn for user in ("anna", "boris")] == [True, False]
    room.prepare("boris", "united-kingdom", *first_hand(room, "boris", "united-kingdom")[:3])
    assert not has_to_do(room.table, "boris")
    begun = room.table.waits_since
    while room.table.game.decision.kind == "setup":
        assert room.table.waits_since == begun  # nobody is told twice
        room.idle() if room.table.todo() is None else room.next()
    assert room.table.waits_since == room.table.settled > begun


def test_what_cannot_be_prepared() -> None:
    room = at_setup()
    hand = first_hand(room, "boris", "united-kingdom")
    foreign = next(card for card in first_hand(room, "anna", "germany") if card not in hand)
    refuses(403, "not yours", lambda: room.prepare("anna", "united-kingdom", *hand[:3]))
    refuses(409, "Germany's first cards", lambda: room.prepare("anna", "germany"))  # it is asked
    refuses(422, "expected 3", lambda: room.prepare("boris", "united-kingdom", *hand[:2]))
    with pytest.raises(UnknownName, match="card in hand"):
        room.prepare("boris", "united-kingdom", *hand[:2], foreign)
    twice = next(card for card in hand if hand.count(card) == 1)
    with pytest.raises(UnknownName, match="card in hand"):
        room.prepare("boris", "united-kingdom", twice, twice, hand[0])
    while room.table.awaited != "germany" or room.table.game.decision.kind == "setup":
        room.idle()
    refuses(409, "cannot be chosen ahead", lambda: room.prepare("boris", "united-kingdom"))


def test_who_takes_over_a_seat_chooses_anew() -> None:
    room = at_setup()
    room.prepare("boris", "united-kingdom", *first_hand(room, "boris", "united-kingdom")[:3])
    room.hand_over("boris", 1, "bot")
    room.take("boris", 1)
    assert room.table.prepared["united-kingdom"]  # the same person
    room.hand_over("boris", 1, "person")
    room.take("doris", 1, room.table.seats[1].invitation)
    assert room.see("doris").first_cards[0].discards == ()


def test_against_bots_there_is_nothing_to_prepare() -> None:
    seats = [SeatWish(AXIS, "bot", "rookie"), SeatWish(ALLIES, "me")]
    room = Room(GameWish(seats=seats, start=True))
    assert room.table.awaited == "germany"
    assert room.see("anna").first_cards == []


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
    assert room.table.bot_asks() == [0]
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


def test_an_empty_seat_keeps_its_secrets_from_the_other_side() -> None:
    """Boris may come back, so nobody looks into his hand meanwhile."""
    room = two_at(UKRAINE)
    room.leave("boris", 1)
    refuses(409, "seen the cards of the other side", lambda: room.take("anna", 1))
    room.leave("anna", 0)
    refuses(409, "seen the cards of the other side", lambda: room.take("anna", 1))
    room.take("boris", 1)
    assert room.table.people == ["boris"]


def test_where_nobody_else_has_ever_sat_one_may_play_both_sides() -> None:
    room = alone_at(UKRAINE, AXIS)
    room.leave("anna", 0)
    for seat in (0, 1):
        room.table.seats = tuple(
            msgspec.structs.replace(one, is_open=True) for one in room.table.seats
        )
        room.take("anna", seat)
    assert room.table.seats_of("anna") == [0, 1]


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


def test_at_one_screen_first_cards_are_chosen_in_turn() -> None:
    """Neither may see what the other has decided."""
    seats = [
        SeatWish(["germany"]),
        SeatWish(["japan", "italy"], "me"),
        SeatWish(ALLIES, "hot-seat", name="Ben"),
    ]
    room = Room(GameWish(seats=seats))
    room.sit("boris")
    room.start()
    assert room.table.awaited == "germany"
    assert room.see("anna").first_cards == []
    assert not has_to_do(room.table, "anna")
    refuses(409, "Japan's first cards", lambda: room.prepare("anna", "japan"))


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

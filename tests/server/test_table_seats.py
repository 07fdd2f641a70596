"""Seats that pass on, playing again, and two at one screen (`rooms.py`)."""

from typing import Any

import msgspec
import pytest

from quartermaster.errors import UnknownName
from quartermaster.rules.names import COUNTRIES
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.events import Seat
from quartermaster.server.table.queries import has_to_do, is_setup
from quartermaster.server.table.seating import Seating
from quartermaster.server.table.table import Table
from quartermaster.server.table.todo import Todo
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


def hand_of(room: Room, user: str, country: str) -> tuple[str, ...] | None:
    view = room.see(user).view
    assert view is not None
    return view.countries[country].hand


# Seats in the midst of a game.


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
    assert room.table.orders.standing == {}
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
        seats = (msgspec.structs.replace(one, is_open=True) for one in room.table.seats)
        room.table.seating = Seating(tuple(seats))
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


def test_who_moves_before_the_game_gives_up_the_seats_until_then() -> None:
    room = Room(GameWish(seats=[SeatWish(AXIS, "me"), SeatWish(ALLIES[:1]), SeatWish(ALLIES[1:])]))
    room.take("boris", 1)
    room.do("boris", commands.take_seat(room.table, "boris", "Boris", 2, None, moves=True))
    assert [seat.holder for seat in room.table.seats] == ["anna", None, "boris"]
    assert room.table.seats[1].is_open
    # Nothing is given up for a seat that cannot be had.
    refuses(
        409,
        "is taken",
        lambda: commands.take_seat(room.table, "boris", "Boris", 0, None, moves=True),
    )


def test_who_has_another_name_now_sits_down_under_it() -> None:
    room = Room(GameWish(seats=[SeatWish(AXIS, "me"), SeatWish(ALLIES)]))
    room.take("boris", 1)
    assert room.take("boris", 1) == []
    room.do("boris", commands.take_seat(room.table, "boris", "Borya", 1, None))
    assert room.table.seats[1] == Seat(tuple(ALLIES), "boris", "Borya")
    room.do("boris", commands.say_ready(room.table, "boris", True))
    room.do("anna", commands.start(room.table, "anna"))
    assert commands.take_seat(room.table, "boris", "Somebody", 1, None) == []


# Again.


def again(id: str, created: ev.Created) -> Table:
    table = Table(id)
    table.add(created, created.host, 0.0)
    return table


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
    (noted,) = commands.note_rematch(room.table, again("next", created))
    room.do("boris", [noted])
    seen = room.see("anna")
    assert (seen.rematch, seen.rematch_by, seen.is_rematch_swapped) == ("next", "Boris", False)
    assert commands.note_rematch(room.table, again("another", created)) == []


def test_they_swap_sides() -> None:
    room = over_at([SeatWish(AXIS, "me"), SeatWish(ALLIES)], "boris")
    (created,) = commands.rematch(room.table, "anna", True)
    assert isinstance(created, ev.Created)
    assert [(seat.countries, seat.holder) for seat in created.seats] == [
        (tuple(AXIS), "boris"),
        (tuple(ALLIES), "anna"),
    ]
    room.do("anna", commands.note_rematch(room.table, again("next", created)))
    assert room.see("boris").is_rematch_swapped


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


def one_screen(position: dict[str, Any], **wish: Any) -> Room:
    seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "hot-seat", name="Ben")]
    return Room(GameWish(record=record_of(position), seats=seats, start=True, **wish))


def shown_countries(room: Room, seat: int | None = None) -> tuple[str, ...]:
    view = room.see("anna", seat=seat).view
    assert view is not None
    return view.seat


# At one screen.


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


def first_three(room: Room, country: str) -> list[str]:
    cards = hand_of(room, "anna", country)
    assert cards is not None
    return list(cards[:3])


def test_at_one_screen_each_chooses_all_their_first_cards_at_once() -> None:
    """The screen goes round once, and neither sees what the other has decided."""
    room = Room(
        GameWish(seats=[SeatWish(AXIS, "me"), SeatWish(ALLIES, "hot-seat", name="Ben")], start=True)
    )
    shown: list[tuple[str, ...]] = []  # whose cards lie open, as often as they change
    while is_setup(room.table):
        now = room.see("anna")
        if shown_countries(room) not in ((), *shown[-1:]):
            shown.append(shown_countries(room))
        assert all(one.country in shown[-1] for one in now.first_cards)
        open_cards = [one for one in now.first_cards if not one.discards]
        if open_cards:
            country = open_cards[0].country
            room.prepare("anna", country, *first_three(room, country))
        elif now.decision is not None:
            assert now.decision.country in shown[-1]
            room.move("anna", now.decision.country, now.actions[0].text)
        else:
            room.next()
    assert shown == [tuple(AXIS), tuple(ALLIES)]


def test_at_one_screen_a_client_may_choose_first_cards_country_by_country() -> None:
    """Whoever decides sees what they may do, whether or not they choose ahead of time."""
    room = Room(
        GameWish(seats=[SeatWish(AXIS, "me"), SeatWish(ALLIES, "hot-seat", name="Ben")], start=True)
    )
    asked = []
    while is_setup(room.table):
        now = room.see("anna")
        assert now.decision is not None
        asked.append(now.decision.country)
        room.move("anna", now.decision.country, now.actions[0].text)
    assert list(dict.fromkeys(asked)) == list(COUNTRIES)


def test_at_one_screen_first_cards_are_chosen_while_someone_else_does() -> None:
    seats = [
        SeatWish(["germany"]),
        SeatWish(["japan", "italy"], "me"),
        SeatWish(ALLIES, "hot-seat", name="Ben"),
    ]
    room = Room(GameWish(seats=seats))
    room.sit("boris")
    room.start()
    assert room.table.awaited == "germany"
    assert has_to_do(room.table, "anna")
    assert shown_countries(room) == tuple(ALLIES)
    assert [one.country for one in room.see("anna").first_cards] == ALLIES
    refuses(409, "Japan's first cards", lambda: room.prepare("anna", "japan"))
    for country in ALLIES:
        room.prepare("anna", country, *first_three(room, country))
    assert shown_countries(room) == ("japan", "italy")
    assert [one.country for one in room.see("anna").first_cards] == ["japan", "italy"]
    for country in ("japan", "italy"):
        room.prepare("anna", country, *first_three(room, country))
    assert not has_to_do(room.table, "anna")
    assert shown_countries(room) == ()


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

"""First cards and moves at a table of people (`rooms.py`)."""

from typing import Any

import pytest

from quartermaster.errors import IllegalAction, UnknownName
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.queries import has_to_do
from rooms import (
    ALLIES,
    AXIS,
    LAST_TURN,
    UKRAINE,
    Room,
    battle_ukraine,
    refuses,
    seen,
    two_at,
)


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


# First cards.


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
    assert room.table.orders.prepared["united-kingdom"]  # the same person
    room.hand_over("boris", 1, "person")
    room.take("doris", 1, room.table.seats[1].invitation)
    assert room.see("doris").first_cards[0].discards == ()


def test_against_bots_there_is_nothing_to_prepare() -> None:
    seats = [SeatWish(AXIS, "bot", "rookie"), SeatWish(ALLIES, "me")]
    room = Room(GameWish(seats=seats, start=True))
    assert room.table.awaited == "germany"
    assert room.see("anna").first_cards == []


# Moves.


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

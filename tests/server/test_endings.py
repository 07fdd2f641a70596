"""How a game came to its end, and what lead wins it: as the server tells it to the page."""

from typing import Any

import pytest

from rooms import two_at

# The last turn of a round, at its last step.
CLOSE: dict[str, Any] = {"turn": "united-states", "step": "discard"}
TWO_HOMES: dict[str, Any] = {
    "turn": "germany",
    "round": 20,
    "pieces": {
        "germany": ["germany", "western-europe", "north-sea"],
        "japan": ["japan", "moscow"],
        "united-kingdom": ["canada"],
    },
    "hand": {"germany": ["build-army", "build-army"]},
}


@pytest.mark.parametrize(
    ("rules", "position", "ending"),
    [
        ("second", {"round": 20, "score": [90, 10]}, "rounds"),
        ("second", {"round": 9, "score": [90, 10]}, "lead"),
        ("first", {"round": 20, "score": [90, 10]}, "rounds"),
    ],
)
def test_the_end_of_a_round_is_told(rules: str, position: dict[str, Any], ending: str) -> None:
    room = two_at({**CLOSE, **position}, rules)
    assert room.see("anna").ending is None
    assert room.see("anna").lead_to_win == (30 if rules == "second" else 0)
    while room.table.status != "over":
        country = room.table.awaited
        assert country is not None
        room.move("boris", country, "pass")
    assert [room.see(user).ending for user in ("anna", "boris", None)] == [ending] * 3


def test_two_homes_are_told_even_in_the_last_round() -> None:
    room = two_at(TWO_HOMES, "first")
    room.move("anna", "germany", "play build-army")
    room.move("anna", "germany", "build army united-kingdom")
    assert room.see("boris").winner == "axis"
    assert room.see("boris").ending == "homes"


def test_points_for_a_sudden_victory_are_told() -> None:
    room = two_at({**CLOSE, "step": "play", "round": 12, "score": [0, 399]}, "first")
    while room.table.status != "over":
        country = room.table.awaited
        assert country is not None
        user = "boris" if country in room.see("boris").view.seat else "anna"  # type: ignore[union-attr]
        action = room.table.game.legal_actions()[-1]
        room.move(user, country, action.text)
    assert room.see("anna").ending == "points"


def test_an_end_by_agreement_is_told() -> None:
    room = two_at({"round": 3})
    room.propose("boris", "end")
    room.vote("anna")
    assert room.see("anna").ending == "abandoned"

"""Reaction windows on a real server."""

import math
import random
import sqlite3
import time
from contextlib import ExitStack, closing

import pytest

from guests import (
    Table,
    Watching,
    armies,
    at,
    attack,
    battle_ahead,
    decide,
    look,
    make,
    refused,
    sit,
    until,
)
from servers import ALLIES, Client, Server, two_seats

WINDOW = {"window": 1.0, "late": "pass"}


WINDOW_CASES = {
    "passes at once": "stalingrad",
    "says nothing": "stalingrad",
    "has nothing": "leningrad",
}


def time_windows(anna: Client, ben: Client) -> dict[str, float]:
    """The seconds that a window is open, by what another does who might react, or cannot."""
    took: dict[str, float] = {}
    views: dict[str, Table] = {}
    with ExitStack() as stack:
        streams, began = {}, {}
        for case, card in WINDOW_CASES.items():
            table = sit(anna, ben, record=battle_ahead(card), **WINDOW)
            streams[case] = stack.enter_context(Watching(anna, table))
            streams[case].next()
            began[case] = time.monotonic()
            opened = attack(anna, table)
            views[case] = {
                key: value for key, value in opened["window"].items() if key != "seconds_left"
            }
            asks = look(ben, table)["window"]["asks"]
            assert bool(asks) == (card == "stalingrad")
            if case == "passes at once":
                body = {"number": opened["number"], "text": "pass"}
                ben.post(at(table, "answers"), body)
        for case, stream in streams.items():
            closed = stream.until(lambda t: t["window"] is None)
            took[case] = closed["at"] - began[case]
            assert armies(closed["data"]) == ["moscow"]
            assert closed["data"]["number"] == table["number"] + 2
    assert views["passes at once"] == views["has nothing"] == views["says nothing"]
    return took


def test_a_window_takes_the_same_time_whatever_is_in_hand(anna: Client, ben: Client) -> None:
    """A busy machine makes single windows seem longer, never shorter. So the shortest of several
    counts: what tells of a card by its time does so each time."""
    shortest = dict.fromkeys(WINDOW_CASES, math.inf)
    for _ in range(8):
        took = time_windows(anna, ben)
        shortest = {case: min(took[case], shortest[case]) for case in WINDOW_CASES}
        assert min(took.values()) > 0.9
        if max(shortest.values()) < min(1.3, min(shortest.values()) + 0.15):
            break
    assert shortest == {case: pytest.approx(shortest["has nothing"], abs=0.15) for case in shortest}
    assert max(shortest.values()) < 1.3


def test_a_card_is_used_in_a_window(anna: Client, ben: Client) -> None:
    table = sit(anna, ben, record=battle_ahead(), **WINDOW)
    with Watching(anna, table) as stream:
        opened = attack(anna, table)
        window = opened["window"]
        assert window["countries"] == ["soviet-union"]
        assert window["action"]["text"] == "battle ukraine soviet-union"
        assert (window["is_yours"], window["asks"], opened["your_turn"]) == (False, [], False)
        assert opened["waiting_for"] is None
        assert armies(opened) == ["moscow", "ukraine"]  # not yet
        with refused(409, "window is open"):
            anna.move(opened, {"country": "germany", "text": "pass"})
        with refused(409, "not asked"):
            anna.post(at(table, "answers"), {"number": opened["number"], "text": "pass"})
        asked = look(ben, table)
        assert asked["your_turn"]
        assert asked["window"]["is_yours"]
        texts = [one["text"] for one in asked["window"]["asks"][0]["actions"]]
        assert sorted(texts) == ["pass", "use stalingrad"]
        with refused(422, "expected"):
            ben.post(at(table, "answers"), {"number": asked["number"], "text": "use leningrad"})
        body = {"number": asked["number"], "text": "use stalingrad"}
        answered = ben.post(at(table, "answers"), body)
        assert answered["number"] == asked["number"]  # nobody else may notice
        closed = stream.until(lambda t: t["window"] is None and t["number"] > opened["number"])
    assert armies(closed["data"]) == ["moscow", "ukraine"]
    assert any("Stalingrad" in entry["text"] for entry in closed["data"]["log"]["entries"])
    with refused(409, "has closed"):
        ben.post(at(table, "answers"), body)


@pytest.mark.parametrize(
    ("order", "left"), [("always", ["moscow", "ukraine"]), ("never", ["moscow"])]
)
def test_standing_orders(anna: Client, ben: Client, order: str, left: list[str]) -> None:
    table = sit(anna, ben, record=battle_ahead(), window=0.4, late="pass")
    with refused(422, "unknown card"):
        ben.put(at(table, "orders"), {"seat": 1, "cards": {"blitzkrieg": "never"}})
    with refused(403, "not yours"):
        ben.put(at(table, "orders"), {"seat": 0})
    with refused(400):
        ben.put(at(table, "orders"), {"seat": 1, "cards": {"stalingrad": "perhaps"}})
    ordered = ben.put(at(table, "orders"), {"seat": 1, "cards": {"stalingrad": order}})
    assert ordered["orders"] == [{"seat": 1, "cards": {"stalingrad": order}, "passes": False}]
    assert look(anna, table)["orders"] == []
    began = time.monotonic()
    attack(anna, table)
    assert not look(ben, table)["your_turn"]
    assert armies(until(anna, table, lambda t: t["window"] is None)) == left
    assert time.monotonic() - began > 0.35  # it takes its time all the same


def test_passing_until_the_next_turn(anna: Client, ben: Client) -> None:
    table = sit(anna, ben, record=battle_ahead(), window=5.0, late="pass")
    ben.put(at(table, "orders"), {"seat": 1, "passes": True})
    attack(anna, table)
    now = until(anna, table, lambda t: t["window"] is None, seconds=2)
    assert armies(now) == ["moscow"]
    rng = random.Random(1)
    while now["waiting_for"] not in ALLIES:
        decide(anna, now, rng)
        now = look(anna, table)
    assert look(ben, table)["orders"] == [{"seat": 1, "cards": {}, "passes": False}]


def test_a_window_closes_when_nobody_needs_it(anna: Client, ben: Client) -> None:
    for card in ("stalingrad", "leningrad"):
        table = sit(anna, ben, record=battle_ahead(card), window=5.0, late="pass")
        opened = attack(anna, table)
        with refused(403, "no part"):
            anna.post(at(table, "go-on"), {"number": opened["number"]})
        ben.post(at(table, "go-on"), {"number": opened["number"]})
        assert armies(until(anna, table, lambda t: t["window"] is None, seconds=2)) == ["moscow"]
        ben.post(at(table, "go-on"), {"number": opened["number"]})  # too late is no harm


def test_more_time_in_a_window(anna: Client, ben: Client) -> None:
    table = sit(anna, ben, record=battle_ahead("leningrad"), window=0.3, late="pass")
    opened = attack(anna, table)
    with refused(403):
        anna.post(at(table, "hold"), {"number": opened["number"]})
    held = ben.post(at(table, "hold"), {"number": opened["number"]})
    assert held["window"]["seconds_left"] > 25
    assert not held["window"]["can_hold"]
    with refused(403, "asked for time before"):
        ben.post(at(table, "hold"), {"number": held["number"]})
    time.sleep(0.5)
    assert look(anna, table)["window"] is not None
    ben.post(at(table, "go-on"), {"number": held["number"]})
    until(anna, table, lambda t: t["window"] is None, seconds=2)


def test_lists_do_not_tell_that_a_bot_was_asked(server: Server, anna: Client, cora: Client) -> None:
    """A bot with a card thinks in secret while the window is open; nothing is written of it."""
    wish = {"record": battle_ahead(), "is_public": True, "start": True, "pause": 1}
    table = make(anna, seats=two_seats("me", "bot", "random"), **wish)
    attack(anna, table)
    time.sleep(0.3)
    shown = cora.get("/api/games", show="watch", limit=100)
    assert look(cora, table)["window"] is not None
    with closing(sqlite3.connect(server.environment["DATABASE_URL"].partition("///")[2])) as file:
        query = "SELECT kind, at FROM events WHERE game_id = ? ORDER BY seq DESC LIMIT 1"
        [(kind, at_time)] = file.execute(query, [table["id"]]).fetchall()
    assert kind == "moved"
    listed = next(item for item in shown if item["id"] == table["id"])
    assert listed["updated_at"] == pytest.approx(at_time, abs=0.05)

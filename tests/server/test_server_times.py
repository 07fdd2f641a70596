"""Taking back, pausing and ending on a real server, and who is told."""

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from guests import Guests, Table, Watching, at, decide, look, record_of, refused, sit, until
from quartermaster import Game
from servers import ALLIES, AXIS, Client, Server
from webhooks import receiver, wait_for


@pytest.fixture(scope="module", autouse=True)
def running_out(server: Server) -> Iterator[tuple[Client, Table]]:
    """A game of Anna's, whose time runs out while other tests are at work."""
    with server.client("Anna") as anna, server.client("Ben") as ben:
        clock = {"kind": "live", "minutes": 0.1, "increment": 0}
        yield anna, sit(anna, ben, clock=clock, stand_in="random", pause=1)


# Taking back, pausing, ending.


def test_a_move_nobody_has_reacted_to_is_taken_back_freely(anna: Client, ben: Client) -> None:
    position = {"hand": {"germany": ["build-army", "land-battle"]}}
    table = sit(anna, ben, record=record_of(position))
    with refused(409, "decided nothing"):
        anna.post(at(table, "undo"))
    with Watching(ben, table) as stream:
        before = stream.next()["data"]
        moved = anna.move(table, action_of(table, "play build-army"))
        assert moved["undo"] == [table["number"]]
        assert look(ben, table)["undo"] == []
        back = anna.post(at(table, "undo"))
        assert back["view"] == table["view"]
        assert back["number"] == moved["number"] + 1
        assert back["steps"] == 0
        seen = stream.until(lambda t: t["number"] == back["number"])["data"]
        assert seen["log"]["start"] + len(seen["log"]["entries"]) == len(before["log"]["entries"])
    with refused(409, "moved on"):  # not the old decision: another one, at another time
        anna.move(table, action_of(table, "play build-army"))
    assert anna.move(back, action_of(back, "play land-battle"))["steps"] == 1


def action_of(table: Table, text: str) -> Any:
    return next(action for action in table["actions"] if action["text"] == text)


def play_turn(client: Client, table: Table, country: str) -> Table:
    """Let a country end its turn, anyhow."""
    rng = random.Random(7)
    while table["waiting_for"] == country:
        decide(client, table, rng)
        table = look(client, table)
    return table


def test_else_all_must_agree(anna: Client, ben: Client) -> None:
    table = sit(anna, ben, record=record_of({"hand": {"germany": ["build-army"]}}))
    first = table["number"]
    play_turn(anna, table, "germany")
    now = anna.post(at(table, "undo"), {"to": first})
    assert now["proposal"]["what"] == "undo"
    assert now["proposal"] == now["proposal"] | {"by": "Anna", "votes": 1, "needed": 2}
    with refused(409, "another proposal"):
        ben.post(at(table, "proposals"), {"what": "pause"})
    assert ben.post(at(table, "votes"), {"is_for": False})["proposal"] is None
    with refused(409, "nothing is proposed"):
        ben.post(at(table, "votes"), {"is_for": True})
    anna.post(at(table, "undo"), {"to": first})
    back = ben.post(at(table, "votes"), {"is_for": True})
    assert back["proposal"] is None
    assert back["steps"] == 0
    assert look(anna, table)["view"] == table["view"]
    with refused(409, "no decision"):
        anna.move(look(anna, table), table["actions"][0])
        anna.post(at(table, "undo"), {"to": 99999})


def test_pauses(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    anna.post(at(table, "proposals"), {"what": "pause"})
    assert not look(ben, table)["is_paused"]
    paused = ben.post(at(table, "votes"), {"is_for": True})
    assert paused["is_paused"]
    assert not look(anna, table)["your_turn"]
    with refused(409, "paused"):
        anna.move(look(anna, table), table["actions"][0])
    resumed = ben.post(at(table, "resume"))
    assert not resumed["is_paused"]
    assert anna.move(look(anna, table), table["actions"][0])["steps"] == 1
    with refused(400):
        anna.post(at(table, "proposals"), {"what": "victory"})


def test_the_end_by_agreement(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben)
    with refused(403, "no seat"):
        cora.post(at(table, "proposals"), {"what": "end"})
    ben.post(at(table, "proposals"), {"what": "end"})
    with refused(403, "no seat"):
        cora.post(at(table, "votes"), {"is_for": True})
    over = anna.post(at(table, "votes"), {"is_for": True})
    assert over["status"] == "over"
    assert over["is_abandoned"]
    assert over["winner"] is None
    assert all(one["hand"] is not None for one in over["view"]["countries"].values())
    with refused(409, "over"):
        anna.move(over, table["actions"][0])
    with refused(409, "over"):
        anna.post(at(table, "undo"))
    assert Game.from_record(anna.get(at(table, "record"))).decision.country == "germany"


def test_who_lets_time_run_out_is_away_until_they_come_back(
    running_out: tuple[Client, Table],
) -> None:
    anna, table = running_out
    assert table["seats"][0]["is_running"]
    assert 5 < table["seats"][0]["seconds_left"] <= 6
    assert table["seats"][1]["seconds_left"] == 6
    away = until(anna, table, lambda t: t["seats"][0]["is_away"])
    assert away["seats"][0]["bot"] == "random"
    assert away["seats"][0]["is_yours"]
    with Watching(anna, table):  # the bot plays on for who watches, as no other person is here
        until(anna, table, lambda t: t["steps"] > away["steps"])
    back = anna.post(at(table, "seats", 0, "take"))
    assert not back["seats"][0]["is_away"]
    assert back["seats"][0]["who"] == "person"
    assert back["seats"][0]["seconds_left"] >= 59


def count_calls(told: list[str], least: int) -> int:
    """How many were told, once so many have come at the least and none for a while."""
    give_up = time.monotonic() + 20
    while len(told) < least and time.monotonic() < give_up:
        time.sleep(0.05)
    count = -1
    while count != len(told):
        count = len(told)
        time.sleep(1)
    return count


# Telling people.


def test_who_does_not_watch_is_called_once_for_each_decision(mortal: Server, guest: Guests) -> None:
    anna, ben = guest(mortal, "Anna"), guest(mortal, "Ben")
    with receiver() as (url, told):
        ben.http.patch("/api/me", json={"webhook": url}).raise_for_status()
        table = sit(anna, ben, title="Long war")
        now = table
        while now["waiting_for"] in AXIS:
            decide(anna, now, random.Random(2))
            now = look(anna, table)
        wait_for(told, 1)
        nations = "United Kingdom, Soviet Union, United States"
        assert told[0].startswith(f"A game waits for your decision ({nations}).")
        assert told[0].endswith(f"/games/{table['id']}")
        anna.post(at(table, "proposals"), {"what": "pause"})  # nothing to decide in the game
        ben.post(at(table, "votes"), {"is_for": False})
        ben.put(at(table, "orders"), {"seat": 1, "passes": True})
        wait_for(told, 1)

        mortal.stop()
        mortal.start()
        ben.put(at(table, "orders"), {"seat": 1, "passes": False})
        ben.post(at(table, "chat"), {"text": "still thinking"})
        wait_for(told, 1)

        seen = look(ben, table)
        ben.move(seen, seen["actions"][0])
        wait_for(told, 1)  # all first cards are one decision
        while (seen := look(ben, table))["decision"] is None or seen["view"]["turn"] not in ALLIES:
            decide(ben, seen, random.Random(2))
            decide(anna, look(anna, table), random.Random(2))
        calls = count_calls(told, 2)
        assert calls >= 2  # he was asked in windows too, perhaps
        with Watching(ben, table) as stream:  # who looks on needs no call
            seen = stream.next()["data"]
            ben.move(seen, seen["actions"][-1])
            assert stream.next()["data"]["your_turn"]
            wait_for(told, calls)

"""Moves on a real server, and the streams that tell of them."""

import json
import time
from collections.abc import Iterator

import httpx

from guests import (
    Guests,
    Watching,
    at,
    check_races,
    look,
    make,
    on_other_device,
    record_of,
    refused,
    sit,
    until,
)
from servers import ALLIES, Client, Server, two_seats

# Moves.


def test_moves_are_accepted_once(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    action, other = table["actions"][:2]
    moved = anna.move(table, action)
    assert moved["number"] == table["number"] + 1
    assert moved["log"]["entries"]  # only what is new
    again = anna.move(table, action)  # the answer got lost, say, and the client sends it again
    assert again["number"] == moved["number"]
    assert look(anna, table)["steps"] == 1
    with refused(409, "moved on"):
        anna.move(table, other)
    with refused(409, "moved on"):
        anna.move(moved | {"number": moved["number"] + 5}, moved["actions"][0])
    assert look(anna, table)["number"] == moved["number"]


def test_first_cards_need_not_wait_for_the_others(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    assert table["first_cards"] == []  # Anna's turn
    theirs = look(ben, table)
    assert [one["country"] for one in theirs["first_cards"]] == list(ALLIES)
    for one in theirs["first_cards"]:
        hand = theirs["view"]["countries"][one["country"]]["hand"]
        body = {"country": one["country"], "discards": hand[: one["count"]]}
        assert not ben.put(at(table, "first-cards"), body)["your_turn"]
    with refused(422, "expected 3 cards for United States"):
        ben.put(at(table, "first-cards"), body | {"discards": hand[:1]})
    while table["actions"] and table["decision"]["kind"] == "setup":
        table = anna.move(table, table["actions"][0])
        table = until(anna, table, lambda now: now["decision"] is not None)
    assert {entry["what"] for entry in table["log"]["entries"]} >= {"turn"}  # all have chosen


def test_moves_that_are_not_legal(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben)
    action = table["actions"][0]
    with refused(422, f"legal: .*{table['actions'][-1]['text'][:5]}"):
        anna.move(table, action | {"text": "discard the-moon"})
    with refused(422, f"did you mean '{action['text']}'"):
        anna.move(table, action | {"text": action["text"][:-1]})  # whole texts only
    with refused(403, "Germany is not yours"):
        ben.move(table, action)
    with refused(403, "Germany is not yours"):
        cora.move(table, action)
    with refused(409, "not the United Kingdom's decision"):
        ben.move(table, action | {"country": "united-kingdom"})
    with refused(422, "unknown country 'utopia'"):
        anna.move(table, action | {"country": "utopia"})
    assert look(anna, table)["number"] == table["number"]
    lobby = make(anna)
    with refused(409, "not begun"):
        anna.move(lobby, action)


def test_requests_that_are_not_well_formed(server: Server, anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True)
    moves = at(table, "moves")
    body = {"number": table["number"], "country": "germany", "text": "pass"}

    def send(content: bytes) -> httpx.Response:
        headers = {"content-type": "application/json"}
        return anna.http.post(moves, content=content, headers=headers)

    for broken in (
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff",
        b'{"number": 1, "country": "germany", "text": "\xff"}',
        json.dumps(body | {"number": "one"}).encode(),
        json.dumps(body | {"number": -1}).encode(),
        json.dumps(body | {"surprise": 1}).encode(),
        json.dumps(body | {"text": "x" * 201}).encode(),
    ):
        answer = send(broken)
        assert answer.status_code == 400, broken
        assert answer.json()["error"]
    assert send(b" " * 70_000).status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(70):
            yield b" " * 1000

    assert anna.http.post(moves, content=endless()).status_code == 413
    assert look(anna, table)["number"] == table["number"]
    assert httpx.get(f"{server.url}/api/games/no").status_code == 400
    assert httpx.get(f"{server.url}/api/nowhere").json() == {
        "code": "not-found", "error": "Not Found",
    }  # fmt: skip
    assert httpx.delete(f"{server.url}/api/me").status_code == 405


def test_two_clients_race(anna: Client) -> None:
    with on_other_device(anna) as phone:
        check_races(anna, phone, make(anna, seats=two_seats("me", "hot-seat"), start=True))


def test_pieces_are_taken_off_at_any_time(anna: Client, ben: Client) -> None:
    position = {"turn": "germany", "pieces": {"soviet-union": ["moscow", "ukraine"]}}
    table = sit(anna, ben, record=record_of(position))
    seen = look(ben, table)
    assert not seen["your_turn"]
    texts = [one["text"] for one in seen["removals"]]
    assert "remove army ukraine" in texts
    assert not any("ukraine" in one["text"] for one in table["removals"])
    action = {"country": "soviet-union", "text": "remove army ukraine"}
    seen = ben.move(seen, action)
    assert seen["view"]["countries"]["soviet-union"]["armies"] == ["moscow"]


# Streams.


def test_a_stream_begins_with_the_table(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    with Watching(anna, table) as mine, Watching(ben, table) as bens:
        first = mine.next()
        assert first["data"] == look(anna, table)
        assert first["id"] == f"{table['version']}.0"
        assert bens.next()["data"] == look(ben, table)
        moved = anna.move(table, table["actions"][0])
        seen = mine.next()["data"]
        assert seen == look(anna, table, since=table["number"])
        assert seen["log"] == moved["log"]
        assert seen["log"]["start"] == len(first["data"]["log"]["entries"])
        assert bens.next()["data"]["number"] == moved["number"]
        assert mine.is_quiet()


def test_who_comes_back_gets_what_was_missed_and_no_more(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    with Watching(anna, table) as stream:
        seen = stream.next()
        anna.post(at(table, "chat"), {"text": "hello"})
        said = stream.next("chat")
    assert said["data"]["text"] == "hello"
    with Watching(anna, table, last=said["id"]) as stream:
        assert stream.is_quiet()  # nothing was missed
        ben.post(at(table, "chat"), {"text": "hi"})
        assert stream.next("chat")["data"]["text"] == "hi"
    with Watching(anna, table, last=seen["id"]) as stream:
        assert [stream.next("chat")["data"]["text"] for _ in range(2)] == ["hello", "hi"]
        assert stream.is_quiet()
    entries = seen["data"]["log"]["entries"]
    for _ in range(2):
        now = look(anna, table)
        now = anna.move(now, now["actions"][0])
    with Watching(anna, table, last=said["id"]) as stream:
        missed = stream.next()
        assert missed["data"]["number"] == table["number"] + 2
        assert missed["data"]["log"]["start"] == len(entries)
        assert entries + missed["data"]["log"]["entries"] == look(anna, table)["log"]["entries"]
    for strange in ("", "x", "1.2", "999999.0.0", "1.0.x", "-1.0.0", "9" * 30 + ".0.0"):
        with Watching(anna, table, last=strange) as stream:
            assert stream.next()["data"]["number"] == now["number"]


def test_streams_go_on_after_a_restart(mortal: Server, guest: Guests) -> None:
    anna, ben = guest(mortal, "Anna"), guest(mortal, "Ben")
    table = sit(anna, ben)
    anna.move(table, table["actions"][0])
    with httpx.Client(base_url=mortal.url) as browser:
        browser.post("/api/me", json={"name": "Browser"}).raise_for_status()
        with Watching(anna, table) as stream:
            seen = stream.next()
            ben.post(at(table, "chat"), {"text": "soon back"})
            last = stream.next("chat")["id"]
            started = time.monotonic()
            mortal.stop()
            stopped = time.monotonic() - started
        mortal.start()
        assert browser.get("/api/me").json()["name"] == "Browser"  # sessions hold
    assert look(anna, table) == seen["data"] | {"log": look(anna, table)["log"]}
    with Watching(anna, table, last=last) as stream:
        assert stream.is_quiet()
        now = look(anna, table)
        anna.move(now, now["actions"][0])
        missed = stream.next()["data"]
        assert missed["number"] == now["number"] + 1
        assert missed["log"]["start"] == len(now["log"]["entries"])
    assert stopped < 3, "open streams hold up the end of the server"


def test_bots_go_on_after_a_restart(mortal: Server, guest: Guests) -> None:
    anna = guest(mortal, "Anna")
    table = make(anna, seats=two_seats("bot", "bot", "random"), start=True, pause=0.1)
    with Watching(anna, table):  # bots among themselves play for who watches
        number = until(anna, table, lambda t: t["number"] > 4)["number"]
        mortal.kill()
    mortal.start()
    with Watching(anna, table):
        assert until(anna, table, lambda t: t["number"] > number + 4)


def test_some_tables_are_not_for_onlookers(server: Server, anna: Client, cora: Client) -> None:
    table = make(anna, seats=two_seats(), start=True, has_spectators=False, is_public=True)
    for path in ("", "/stream", "/chat", "/supply", "/replay/0", "/record", "/estimates"):
        assert cora.http.get(at(table) + path).status_code == 403, path
        assert httpx.get(f"{server.url}{at(table)}{path}").status_code == 403, path
    with refused(403):
        cora.post(at(table, "chat"), {"text": "hello", "room": "spectators"})
    assert look(anna, table)["is_yours"]
    open_table = make(anna, seats=two_seats(), start=True)
    seen = httpx.get(f"{server.url}{at(open_table)}").json()  # not even a guest
    assert all(one["hand"] is None for one in seen["view"]["countries"].values())
    assert seen["actions"] == []

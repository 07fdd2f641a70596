"""The server itself: the library, health, its description, records that do harm."""

import time
from collections import Counter
from itertools import pairwise
from typing import Any

import httpx
import pytest

from guests import QUICK, Guests, Watching, at, look, make, record_of, refused, sit
from quartermaster.rules.names import COUNTRIES
from servers import Client, Server, two_seats

# Advice and the library.


def test_hints(anna: Client, ben: Client) -> None:
    alone = make(anna, seats=two_seats(), start=True)
    hints = anna.get(at(alone, "hints"))
    texts = [action["text"] for action in alone["actions"]]
    assert hints
    assert all(hint["action"]["text"] in texts for hint in hints)
    assert all(0 <= hint["chance"] <= 1 and hint["reason"] for hint in hints)
    with refused(409, "nothing waits"):
        ben.get(at(alone, "hints"))
    with refused(403, "without hints"):
        anna.get(at(sit(anna, ben), "hints"))


def test_hints_for_the_play_step_that_comes_after_a_question(anna: Client) -> None:
    """The question before it, whether to use Reallocate Resources, is part of the step."""
    hand = ["build-army", "build-navy", "land-battle", "plunder", "build-army", "sea-battle"]
    position = {"pieces": {"germany": ["germany"]}, "hand": {"germany": hand}}
    table = make(anna, seats=two_seats(), record=record_of(position), start=True)
    assert table["decision"]["kind"] == "react"
    texts = {action["text"] for action in (*table["actions"], *table["ahead"]["actions"])}
    hints = anna.get(at(table, "hints"), ahead=True)
    assert 1 <= len(hints) <= 3
    assert {hint["action"]["text"] for hint in hints} <= texts - {"pass"}
    assert any(hint["action"]["verb"] == "play" for hint in hints)
    assert not any("cards" in hint for hint in hints)
    chances = [hint["chance"] for hint in hints]
    assert chances == sorted(chances, reverse=True)


def test_hints_for_several_discards_are_as_many_and_tell_the_best_set(anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True)
    decision = table["decision"]
    assert (decision["kind"], decision["count"] > 1) == ("setup", True)
    hints = anna.get(at(table, "hints"))
    assert len(hints) >= min(max(3, decision["count"]), len(table["actions"]))
    held = Counter(table["view"]["countries"]["germany"]["hand"])
    for hint in hints:
        assert len(hint["cards"]) == decision["count"]
        assert hint["action"]["card"] in hint["cards"]
        assert not Counter(hint["cards"]) - held


def test_supply(anna: Client) -> None:
    position = {"pieces": {"germany": ["germany", "baltic-sea", "india"]}}
    table = make(anna, seats=two_seats(), start=True, record=record_of(position))
    supply = anna.get(at(table, "supply"))
    assert set(supply) == {*COUNTRIES}
    assert set(supply["germany"]) == {"germany", "baltic-sea", "india"}
    assert supply["germany"]["baltic-sea"] != supply["germany"]["india"]
    assert anna.get(at(make(anna), "supply")) == {}


def test_the_library(server: Server) -> None:
    def get(path: str) -> Any:
        answer = httpx.get(f"{server.url}/api{path}")
        answer.raise_for_status()
        return answer.json()

    rules = get("/rules")
    assert [one["name"] for one in rules] == ["first", "french", "second"]
    assert set(rules[0]["seats"]) == {"2", "3", "4", "5", "6"}
    for one in rules:
        cards = get(f"/rules/{one['name']}/cards")
        assert {card["country"] for card in cards} == {*COUNTRIES}
        assert all(card["text"] and card["name"] for card in cards)
        assert len(get(f"/rules/{one['name']}/board")["spaces"]) > 40
    more = get("/rules/second/cards?air-marshal=true")
    assert len(more) > len(get("/rules/second/cards"))
    assert get("/rules/first/compare/second")["cards"]
    assert not any(get("/rules/first/compare/first").values())
    assert get("/bots")[0]["name"] == "random"
    for path in ("/rules/third/cards", "/rules/third/board", "/rules/first/compare/third"):
        answer = httpx.get(f"{server.url}/api{path}")
        assert answer.status_code == 422
        assert "expected first or french or second" in answer.json()["error"]


# The server itself.


def test_health_and_numbers(server: Server, anna: Client) -> None:
    health = httpx.get(f"{server.url}/healthz").json()
    assert health["status"] == "ok"
    before = numbers(server)
    table = make(anna, seats=two_seats(), start=True)
    anna.move(table, table["actions"][0])
    with refused(422):
        anna.move(look(anna, table), {"country": "germany", "text": "nonsense"})
    with Watching(anna, table):
        now = numbers(server)
    assert now['quartermaster_games{status="playing"}'] >= 1
    assert now["quartermaster_moves_accepted_total"] > before["quartermaster_moves_accepted_total"]
    assert now["quartermaster_moves_refused_total"] > before["quartermaster_moves_refused_total"]
    assert now["quartermaster_open_streams"] == before["quartermaster_open_streams"] + 1
    passed_on = {"x-forwarded-for": "203.0.113.1"}
    assert httpx.get(f"{server.url}/metrics", headers=passed_on).status_code == 403


def numbers(server: Server) -> dict[str, float]:
    text = httpx.get(f"{server.url}/metrics").text
    lines = [line.rpartition(" ") for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in lines}


ROUTES = """
GET /healthz
GET /metrics
POST /api/me
GET /api/me
PATCH /api/me
POST /api/me/password
POST /api/sign-in
POST /api/password-reset
GET /api/me/sessions
DELETE /api/me/sessions/{session}
POST /api/sign-out
GET /api/games
POST /api/games
GET /api/games/{game}
PUT /api/games/{game}
PUT /api/games/{game}/seats/{seat}
POST /api/games/{game}/seats/{seat}/take
POST /api/games/{game}/seats/{seat}/leave
POST /api/games/{game}/seats/{seat}/hand-over
POST /api/games/{game}/contribution
POST /api/games/{game}/ready
POST /api/games/{game}/start
POST /api/games/{game}/rematch
POST /api/games/{game}/moves
POST /api/games/{game}/answers
POST /api/games/{game}/go-on
POST /api/games/{game}/hold
PUT /api/games/{game}/orders
POST /api/games/{game}/undo
POST /api/games/{game}/proposals
POST /api/games/{game}/votes
POST /api/games/{game}/resume
GET /api/games/{game}/supply
GET /api/games/{game}/hints
GET /api/games/{game}/chat
POST /api/games/{game}/chat
GET /api/games/{game}/stream
GET /api/games/{game}/replay/{step}
GET /api/games/{game}/record
POST /api/records
GET /api/games/{game}/deal
GET /api/games/{game}/estimates
GET /api/rules
GET /api/rules/{name}/cards
GET /api/rules/{name}/board
GET /api/rules/{name}/compare/{other}
GET /api/bots
"""


def test_the_api_describes_itself(server: Server) -> None:
    answer = httpx.get(f"{server.url}/api/schema/openapi.json")
    answer.raise_for_status()
    paths = answer.json()["paths"]
    found = {f"{method.upper()} {path}" for path, item in paths.items() for method in item}
    assert found >= {*ROUTES.split("\n")} - {""}
    for path, item in paths.items():
        for method, operation in item.items():
            assert operation.get("summary"), (method, path)
            assert operation.get("tags"), (method, path)


def test_every_answer_has_security_headers(server: Server, anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True)
    over = make(anna, seats=two_seats(), start=True)
    anna.post(at(over, "proposals"), {"what": "end"})
    http = anna.http
    answers = {
        "json": http.get("/api/me"),
        "made": http.post("/api/games", json=QUICK),
        "malformed": http.post("/api/games", content=b"{"),
        "nobody": httpx.get(f"{server.url}/api/me"),
        "forbidden": http.get(at(table, "record")),
        "unknown": http.get("/api/nowhere"),
        "no page": http.get("/nowhere/at/all"),
        "method": http.delete("/api/me"),
        "moved on": http.post(at(table, "start")),
        "too large": http.post("/api/games", content=b" " * 100_000),
        "refused": http.post("/api/games", json={"rules": "third"}),
        "text": http.get(at(over, "record")),
        "health": http.get("/healthz"),
        "metrics": http.get("/metrics"),
        "schema": http.get("/api/schema/openapi.json"),
        "origin": http.post("/api/me", json={}, headers={"cookie": "quartermaster=x"}),
    }
    with http.stream("GET", at(table, "stream")) as stream:
        answers["stream"] = stream
    for kind, answer in answers.items():
        headers = answer.headers
        assert "default-src 'self'" in headers["content-security-policy"], kind
        assert headers["x-content-type-options"] == "nosniff", kind
        assert headers["referrer-policy"] == "same-origin", kind
        assert "server" not in headers, kind
        if answer.url.path.startswith("/api/"):
            assert headers["cache-control"] == "no-store", kind
    statuses = [answer.status_code for answer in answers.values()]
    assert statuses[:11] == [200, 201, 400, 401, 403, 404, 404, 405, 409, 413, 422]


@pytest.mark.parametrize(
    "position",
    [
        "{[1]: 2}",
        "{pieces: {[1]: [a]}}",
        "!!python/name:os.system {}",
        "&a {pieces: *a}",
        "[" * 3000,
        "{a: " * 3000,
    ],
)
def test_strange_records_are_refused(anna: Client, position: str) -> None:
    record = f"quartermaster record 1\nrules: second\nposition: {position}\n\n"
    with refused(422, "record"):
        make(anna, record=record)


def test_a_record_cannot_keep_the_server_busy(server: Server, guest: Guests) -> None:
    """Lists of lists of lists, each named once and used nine times."""
    anna = guest(server, "Anna")
    levels = ["{a: &a [x, x, x, x, x, x, x, x, x]"]
    for one, two in pairwise("abcdef"):
        levels.append(f"{two}: &{two} [{', '.join([f'*{one}'] * 9)}]")
    record = f"quartermaster record 1\nrules: second\nposition: {', '.join(levels)}}}\n\n"
    began = time.monotonic()
    with refused(422, "record"):
        make(anna, record=record)
    assert time.monotonic() - began < 0.5


def test_a_record_cannot_bring_the_server_down(mortal: Server, guest: Guests) -> None:
    anna = guest(mortal, "Anna")
    record = f"quartermaster record 1\nrules: second\nposition: {'[' * 60_000}\n\n"
    try:
        with refused(422, "record"):
            make(anna, record=record)
    finally:
        assert mortal.process is not None
        if mortal.process.poll() is not None:
            mortal.start()

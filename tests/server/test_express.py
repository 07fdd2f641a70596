"""The short way of a move: it answers what the long way would, and nothing that is refused."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from guests import at, look, sit
from quartermaster.server.api import playing
from quartermaster.server.app import create_app
from quartermaster.server.store.migrate import upgrade
from servers import Client, Server, two_seats
from toy_app import make_settings

ROUTE = 'quartermaster_requests_total{method="POST",route="/api/games/{game}/moves",status="200"}'


def body_of(table: Any, action: Any) -> dict[str, Any]:
    return {"number": table["number"], "country": action["country"], "text": action["text"]}


def on_the_long_way(body: dict[str, Any]) -> dict[str, Any]:
    """The same move, written so that only the framework takes it: a number as text."""
    return body | {"number": str(body["number"])}


def counted(client: Client) -> float:
    found = re.search(re.escape(ROUTE) + r" (\S+)", client.http.get("/metrics").text)
    return float(found[1]) if found else 0.0


@pytest.mark.parametrize("headers", [{}, {"accept-language": "fr"}, {"x-forwarded-proto": "https"}])
def test_both_ways_answer_alike(anna: Client, ben: Client, headers: dict[str, str]) -> None:
    table = sit(anna, ben)
    for _ in range(4):
        body = body_of(table, table["actions"][0])
        before = counted(anna)
        short, long = (
            anna.http.post(at(table, "moves"), json=one, headers=headers)
            for one in (body, on_the_long_way(body))
        )
        assert short.status_code == long.status_code == 200
        assert short.content == long.content
        assert [one for one in short.headers.raw if one[0] != b"date"] == [
            one for one in long.headers.raw if one[0] != b"date"
        ]
        assert counted(anna) == before + 2, "both are counted under one name"
        table = short.json()
        if not table["actions"]:
            break
    assert table["steps"] > 0


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"number": -1}, 400),
        ({"number": 10**6}, 409),
        ({"country": "japan"}, 409),
        ({"country": "united-kingdom"}, 403),
        ({"country": "atlantis"}, 422),
        ({"text": "play nothing"}, 422),
        ({"text": 7}, 400),
        ({"more": 1}, 400),
    ],
)
def test_what_is_refused_is_refused_in_the_same_words(
    anna: Client, ben: Client, change: dict[str, Any], status: int
) -> None:
    table = sit(anna, ben)
    body = body_of(table, table["actions"][0]) | change
    short = anna.http.post(at(table, "moves"), json=body)
    assert short.status_code == status
    assert set(short.json()) >= {"code", "error"}
    if "number" not in change:
        long = anna.http.post(at(table, "moves"), json=on_the_long_way(body))
        assert (long.status_code, long.content) == (short.status_code, short.content)
    assert look(anna, table)["steps"] == 0


def test_no_other_request_takes_the_short_way(anna: Client, ben: Client, server: Server) -> None:
    table = sit(anna, ben)
    body = body_of(table, table["actions"][0])
    path = at(table, "moves")
    assert anna.http.get(path).status_code == 405
    assert anna.http.post(path, content=b"").status_code == 400
    assert anna.http.post(path, content=b"[" * 50_000).status_code == 400
    assert anna.http.post(path, content=b" " * 70_000).status_code == 413
    assert anna.http.post(path, json=body, headers={"host": "a b"}).status_code == 400
    assert anna.http.post(path, json=body, headers={"authorization": "none"}).status_code == 401
    assert anna.http.post(path, json=body, headers={"origin": "https://x.example"}).is_success, (
        "a bearer token no other site can know"
    )
    assert ben.http.post(path, json=body).status_code == 403
    assert anna.http.post("/api/games/0000000000000000/moves", json=body).status_code == 404
    assert look(anna, table)["steps"] == 1

    def in_parts() -> Iterator[bytes]:
        yield b'{"number":'
        yield f'{body["number"]},"country":"germany","text":"{body["text"]}"}}'.encode()

    assert anna.http.post(path, content=in_parts()).is_success, "recognised"
    assert look(anna, table)["steps"] == 1


def test_an_accepted_move_needs_no_framework(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    upgrade(url)
    with TestClient(create_app(make_settings(database_url=url, rate_limit=0))) as http:
        token = http.post("/api/me", json={"name": "Anna"}).json()["token"]
        http.cookies.clear()
        http.headers["authorization"] = f"Bearer {token}"
        made = http.post("/api/games", json={"seats": two_seats("me", "me")}).json()
        table = http.post(f"/api/games/{made['id']}/start").json()

        def unused(*_: object) -> None:
            raise AssertionError("this is the long way")

        monkeypatch.setattr(playing, "as_response", unused)
        body = body_of(table, table["actions"][0])
        path = f"/api/games/{made['id']}/moves"
        assert http.post(path, json=body).json()["number"] == table["number"] + 1
        assert http.post(path, json=on_the_long_way(body)).status_code == 500

"""The log and the numbers of a server."""

import json
import logging
import time
from collections.abc import Iterator
from typing import Any, Literal

import httpx
import msgspec
import pytest
from litestar import Litestar, post
from litestar.params import JSONBody
from litestar.testing import TestClient

from quartermaster.server.edge.defence import EXCEPTION_HANDLERS
from quartermaster.server.edge.telemetry import configure_logging
from quartermaster.server.identity import tokens
from toy_app import COOKIE, ORDER, SECRET, make_settings, own, serve


@pytest.fixture
def quiet_again() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    yield
    root.setLevel(level)
    root.handlers[:] = handlers


@pytest.mark.usefixtures("quiet_again")
def test_the_log_is_json_without_secrets(
    client: httpx.Client, capsys: pytest.CaptureFixture[str]
) -> None:
    configure_logging("warning")
    configure_logging("info")  # the last call counts
    token = tokens.sign(SECRET, "anna", "x")
    headers = {"cookie": f"{tokens.COOKIE}={token}", "origin": own(client)}
    client.post("/api/orders?key=swordfish", json=ORDER, headers=headers)
    client.get("/api/hello", headers={"authorization": "Bearer swordfish"})
    lines: list[str] = []
    while not any("/api/hello" in line for line in lines):  # written after the answer
        lines += capsys.readouterr().err.splitlines()
    entries = [json.loads(line) for line in lines]
    requests = [one for one in entries if one["logger"] == "quartermaster.server.requests"]
    assert [(one["method"], one["path"], one["status"]) for one in requests] == [
        ("POST", "/api/orders", 201),
        ("GET", "/api/hello", 200),
    ]
    assert requests[0]["level"] == "info"
    assert requests[0]["ms"] >= 0
    assert len(requests[0]["user"]) == 8
    assert requests[1]["user"] is None
    everything = "\n".join(lines)
    for secret in ("swordfish", token, "anna", "germany"):
        assert secret not in everything


class Chair(msgspec.Struct):
    who: Literal["me", "bot"] | None = None


class Room(msgspec.Struct):
    clock: Literal["none", "live"] = "none"
    seats: list[Chair] = []


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"clock": "fast"}, "clock: Invalid enum value 'fast'; expected live or none"),
        ({"seats": [{}, {"who": "x"}]}, "seats[1].who: Invalid enum value 'x'; expected bot or me"),
    ],
)
def test_a_word_that_is_none_of_a_few_is_refused_with_those(body: Any, told: str) -> None:
    @post("/rooms")
    async def make(data: JSONBody[Room]) -> None: ...

    with TestClient(Litestar([make], exception_handlers=EXCEPTION_HANDLERS)) as client:
        answer = client.post("/rooms", json=body)
    assert (answer.status_code, answer.json()["error"]) == (400, told)


def test_metrics_of_one_app() -> None:
    with serve(make_settings(rate_limit=0)) as client:
        for game in ("a", "b"):
            client.get(f"/api/games/{game}")
        client.get("/api/nothing")
        client.request("PROPFIND", "/api/hello")
        client.post("/api/orders", json=ORDER)
        client.post("/api/orders", headers=COOKIE)
        assert '{"open": 1.0}' in client.get("/api/stream").text
        asked, lines = 0, [""]
        while "quartermaster_open_streams 0.0" not in lines and asked < 100:
            time.sleep(0.02)  # the server counts a stream off a moment after its last byte
            answer = client.get("/metrics")
            asked, lines = asked + 1, answer.text.splitlines()
        assert answer.headers["content-type"].startswith("text/plain")
        name = "quartermaster_requests_total"
        route = "/api/games/{game_id}"
        assert f'{name}{{method="GET",route="{route}",status="200"}} 2.0' in lines
        assert f'{name}{{method="GET",route="unknown",status="404"}} 1.0' in lines
        assert f'{name}{{method="POST",route="unknown",status="403"}} 1.0' in lines
        assert any(line.startswith(f'{name}{{method="other",route="unknown"') for line in lines)
        assert "quartermaster_open_streams 0.0" in lines
        assert "quartermaster_moves_accepted_total 1.0" in lines
        assert "quartermaster_moves_refused_total 0.0" in lines
        assert f'quartermaster_bot_decision_seconds_count{{bot="general"}} {asked}.0' in lines
        assert 'quartermaster_games{status="running"} 3.0' in lines
        assert f'quartermaster_request_seconds_count{{method="GET",route="{route}"}} 2.0' in lines


def test_who_may_see_metrics(client: httpx.Client) -> None:
    assert client.get("/metrics").status_code == 200
    for headers in (
        {"x-forwarded-for": "127.0.0.1"},
        {"forwarded": "for=127.0.0.1"},
        {"host": "games.example.org"},
    ):
        answer = client.get("/metrics", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "metrics-elsewhere")
    with serve(make_settings(metrics_token="keeper")) as guarded:
        answer = guarded.get("/metrics")
        assert (answer.status_code, answer.json()["code"]) == (401, "metrics-token")
        assert "QUARTERMASTER_METRICS_TOKEN" in answer.json()["error"]
        assert answer.headers["www-authenticate"] == "Bearer"
        for token, status in (("wrong", 401), ("kéeper", 401), ("keeper", 200)):
            bearer = [(b"authorization", f"Bearer {token}".encode())]
            assert guarded.get("/metrics", headers=bearer).status_code == status
        cookie = {"cookie": f"{tokens.COOKIE}=keeper"}
        assert guarded.get("/metrics", headers=cookie).status_code == 401

"""What stands before the API: headers, origins, limits, errors of one form."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from quartermaster.server.addresses import parse_proxies
from quartermaster.server.edge.rates import Counter
from quartermaster.server.edge.telemetry import JsonFormatter
from quartermaster.server.identity import tokens
from toy_app import COOKIE, ORDER, SECRET, make_settings, own, serve


def test_security_headers_are_on_every_response(client: httpx.Client) -> None:
    paths = ["/api/hello", "/healthz", "/nowhere", "/api/fail/crash", "/api/fail/refused"]
    answers = [client.get(path) for path in paths]
    answers.append(client.post("/api/orders", headers=COOKIE))  # refused by the guard itself
    assert [one.status_code for one in answers] == [200, 200, 404, 500, 422, 403]
    for one in answers:
        policy = one.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert one.headers["x-content-type-options"] == "nosniff"
        assert one.headers["referrer-policy"] == "same-origin"
        assert one.headers["cross-origin-opener-policy"] == "same-origin"
        assert one.headers["cross-origin-resource-policy"] == "same-origin"
        assert "permissions-policy" in one.headers
        assert "strict-transport-security" not in one.headers
    assert client.get(f"{own(client)}//api/hello").headers["cache-control"] == "no-store"
    assert "cache-control" not in client.get("/healthz").headers
    secure = client.get("/healthz", headers={"x-forwarded-proto": "https"})
    assert "strict-transport-security" in secure.headers


def test_another_site_cannot_change_anything(client: httpx.Client) -> None:
    here, host = own(client), own(client).removeprefix("http://")

    def status(**headers: str) -> int:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.post("/api/orders", json=ORDER, headers=named).status_code

    cookie = COOKIE["cookie"]
    assert status(cookie=cookie, origin=here) == 201
    assert status(cookie=cookie, sec_fetch_site="same-origin") == 201
    assert status(cookie=cookie, origin=f"https://{host}", x_forwarded_proto="https") == 201
    proxied = {"x_forwarded_host": "games.example.org", "x_forwarded_proto": "https"}
    assert status(cookie=cookie, origin="https://games.example.org", **proxied) == 201

    assert status(cookie=cookie) == 403
    assert status(cookie=cookie, sec_fetch_site="cross-site") == 403
    assert status(cookie=cookie, sec_fetch_site="none") == 403
    assert status(cookie=cookie, origin="null") == 403
    assert status(cookie=cookie, origin="https://evil.example", sec_fetch_site="same-origin") == 403
    assert status(cookie=cookie, origin=f"{here}.evil.example") == 403
    assert status(cookie=cookie, origin=f"https://{host}") == 403  # another scheme
    assert status(cookie=cookie, origin=here, authorization="Bearer x") == 201
    assert status(cookie=cookie, authorization="Bearer x") == 403

    assert status() == 201  # a program's first request
    assert status(authorization="Bearer x") == 201
    assert status(authorization="Bearer x", origin="https://evil.example") == 201
    assert status(origin="https://evil.example") == 403  # would sign in as somebody
    assert status(sec_fetch_site="cross-site") == 403


def test_another_site_cannot_read(client: httpx.Client) -> None:
    events = {"accept": "text/event-stream"}
    evil = {"origin": "https://evil.example"}
    assert client.get("/api/stream", headers=events).status_code == 200
    assert client.get("/api/stream", headers=events | {"origin": own(client)}).status_code == 200
    refused = client.get("/api/stream", headers=events | evil)
    assert refused.status_code == 403
    assert refused.json()["code"] == "other-site"
    crossed = events | {"sec-fetch-site": "cross-site"}
    assert client.get("/api/stream", headers=crossed).status_code == 403
    assert client.get("/api/hello", headers=COOKIE | evil).status_code == 403
    link = COOKIE | {"sec-fetch-site": "cross-site"}
    assert client.get("/api/hello", headers=link).status_code == 200


def test_only_the_public_host_is_served() -> None:
    proxies = parse_proxies("127.0.0.1")
    settings = make_settings(public_url="https://games.example.org", rate_limit=3, proxies=proxies)
    with serve(settings) as client:

        def get_as(host: str, **headers: str) -> httpx.Response:
            return client.get("/api/hello", headers={"host": host} | headers)

        assert client.get("/healthz", headers={"host": "10.0.0.7"}).status_code == 200
        misdirected = get_as("evil.example", **{"x-forwarded-host": "games.example.org"})
        assert (misdirected.status_code, misdirected.json()["code"]) == (421, "other-host")
        assert "https://games.example.org" in misdirected.json()["error"]
        here = own(client)
        public = {"host": "games.example.org:8000", **COOKIE}
        for headers, expected in [
            (public | {"origin": "https://games.example.org", "x-forwarded-for": "1.1.1.1"}, 201),
            (public | {"origin": "http://games.example.org", "x-forwarded-for": "1.1.1.2"}, 403),
            (COOKIE | {"origin": here}, 201),
            (COOKIE | {"origin": "https://games.example.org"}, 201),
        ]:
            answer = client.post("/api/orders", json=ORDER, headers=headers)
            assert answer.status_code == expected
        # Behind a proxy, the last address counts; those before it are made up.
        forwarded = [{"x-forwarded-for": f"{n}.0.0.1, 9.9.9.9"} for n in range(4)]
        answers = [get_as("games.example.org", **one).status_code for one in forwarded]
        assert answers == [200, 200, 200, 429]
        other = {"x-forwarded-for": "9.9.9.9, 8.8.8.8"}
        assert get_as("games.example.org", **other).status_code == 200


def test_bodies_are_limited(client: httpx.Client) -> None:
    def pieces(size: int) -> Iterator[bytes]:
        for _ in range(size // 1024):
            yield b"x" * 1024

    fits = client.post("/api/bytes", content=b"x" * 64 * 1024)
    assert fits.json() == {"bytes": 64 * 1024}
    assert client.post("/api/bytes", content=pieces(60 * 1024)).json() == {"bytes": 60 * 1024}
    for answer in (
        client.post("/api/orders", content=b"x" * (64 * 1024 + 1)),
        client.post("/api/orders", content=pieces(70 * 1024)),
    ):
        assert (answer.status_code, answer.json()["code"]) == (413, "too-large")
        assert "too large" in answer.json()["error"]
        assert "content-security-policy" in answer.headers


def test_requests_are_counted() -> None:
    with serve(make_settings(rate_limit=3)) as client:
        spoofed = [{"x-forwarded-for": f"1.1.1.{n}"} for n in range(4)]
        answers = [client.get("/api/hello", headers=one) for one in spoofed]
        assert [one.status_code for one in answers] == [200, 200, 200, 429]
        assert answers[-1].json()["code"] == "too-many-requests"
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
        assert client.get("/healthz").status_code == 200
        assert client.get("/static/no.js").status_code == 404
        assert client.get("/nowhere").status_code == 429
        garbage = {"authorization": "Bearer made.up"}
        assert client.get("/api/hello", headers=garbage).status_code == 429
        anna = {"authorization": f"Bearer {tokens.sign(SECRET, 'anna', 'x')}"}
        boris = {"cookie": f"{tokens.COOKIE}={tokens.sign(SECRET, 'boris', 'x')}"}
        for headers in (anna, boris):
            answers = [client.get("/api/hello", headers=headers) for _ in range(4)]
            assert [one.status_code for one in answers] == [200, 200, 200, 429]


def test_the_counter_starts_anew_and_stays_small() -> None:
    counter = Counter(2, most_clients=10)
    assert [counter.count("a", now=61 + n) for n in range(3)] == [0, 0, 58]
    assert counter.count("a", now=121) == 0
    for n in range(100):
        counter.count(str(n), now=121)
    assert len(counter.counts) == 10


def test_errors_have_one_form(client: httpx.Client) -> None:
    def answer_to(path: str) -> tuple[int, Any]:
        answer = client.get(path)
        return answer.status_code, answer.json()

    assert answer_to("/nowhere") == (404, {"code": "not-found", "error": "Not Found"})
    refused = {"code": "illegal-action", "error": "it is not your turn"}
    assert answer_to("/api/fail/refused") == (422, refused)
    status, unknown = answer_to("/api/fail/unknown")
    assert (status, unknown["code"], unknown["expected"]) == (422, "unknown-name", ["ukraine"])
    status, invalid = answer_to("/api/fail/invalid")
    assert status == 400
    assert invalid == {"code": "malformed", "error": "Expected `str`, got `int` - at `$.country`"}
    wrong = client.delete("/api/hello")
    assert wrong.status_code == 405
    assert "GET" in wrong.headers["allow"]
    assert wrong.json() == {"code": "wrong-method", "error": "Method Not Allowed"}


@pytest.mark.parametrize(
    ("body", "field", "expected"),
    [
        (b'{"country": "germany", "armies": "two"}', "armies", "Expected `int`, got `str`"),
        (b'{"country": "germany"}', "", "armies"),
        (b"[]", "", "Expected `object`, got `array`"),
        (b"{", "", "truncated"),
        (b"{x", "", "malformed"),
        (b"", "", ""),
    ],
)
def test_what_is_wrong_in_a_body_is_said(
    client: httpx.Client, body: bytes, field: str, expected: str
) -> None:
    headers = {"content-type": "application/json"}
    answer = client.post("/api/orders?secret=swordfish", content=body, headers=headers)
    assert answer.status_code == 400
    found = answer.json()
    assert expected in found["error"]
    assert field in found["error"]
    assert found["code"] == "malformed"
    assert "swordfish" not in answer.text
    if field:
        assert found["expected"] == {field: expected}


def test_crashes_tell_nothing(client: httpx.Client, caplog: pytest.LogCaptureFixture) -> None:
    answer = client.get("/api/fail/crash")
    assert answer.status_code == 500
    assert "swordfish" not in answer.text
    assert answer.json()["code"] == "crash"
    text = answer.json()["error"]
    assert text.startswith("something went wrong; it was logged as ")
    crash = next(one for one in caplog.records if one.message == f"crash {text.split()[-1]}")
    entry = json.loads(JsonFormatter().format(crash))
    assert "the password is swordfish" in entry["traceback"]
    assert entry["id"] == text.split()[-1]

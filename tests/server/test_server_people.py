"""People on a real server: guests, devices, webhooks, and what they say to each other."""

from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from guests import QUICK, Guests, Watching, at, refused, sit
from servers import Client, Server

# People.


def test_a_guest_needs_only_a_name(server: Server) -> None:
    with httpx.Client(base_url=server.url) as browser:
        answer = browser.post("/api/me", json={"name": "  Anna \n B. "})
        assert answer.status_code == 201
        me = answer.json()["me"]
        assert me["name"] == "Anna B."
        assert me == me | {"has_password": False, "webhook": None, "email": None}
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=lax" in cookie
        assert browser.get("/api/me").json() == me  # by cookie
    token = answer.json()["token"]
    bearer = {"authorization": f"Bearer {token}"}
    assert httpx.get(f"{server.url}/api/me", headers=bearer).json() == me


@pytest.mark.parametrize("name", ["", "   ", "x" * 25, "a\u202eb", "a\u200bb", "\u3164", "a\x00b"])
def test_names_that_nobody_can_read_are_refused(server: Server, anna: Client, name: str) -> None:
    answer = httpx.post(f"{server.url}/api/me", json={"name": name})
    assert answer.status_code == 422
    assert "1 to 24 characters" in answer.json()["error"]
    assert anna.http.patch("/api/me", json={"name": name}).status_code == 422
    assert anna.get("/api/me")["name"] == "Anna"


def test_who_is_not_known_is_told_how_to_be(server: Server, anna: Client) -> None:
    token = anna.http.headers["authorization"]
    for header in ({}, {"authorization": token + "x"}, {"authorization": "Basic YTpi"}):
        answer = httpx.get(f"{server.url}/api/me", headers=header)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == "Bearer"
        assert "POST /api/me" in answer.json()["error"]
        assert httpx.post(f"{server.url}/api/games", json={}, headers=header).status_code == 401


def test_the_same_person_on_another_device(server: Server, guest: Guests) -> None:
    anna = guest(server, "Anna of Ulm")
    for short in ("", "seven77", "x" * 129):
        with refused(422, "8 to 128 characters"):
            anna.post("/api/me/password", {"password": short})
    old = anna.http.headers["authorization"]
    session = anna.post("/api/me/password", {"password": "swordfish"})
    assert session["me"]["has_password"]
    anna.http.cookies.clear()
    with refused(401):
        anna.get("/api/me")  # the token from before the password is void
    anna.http.headers["authorization"] = f"Bearer {session['token']}"
    assert anna.get("/api/me")["id"] == anna.id
    assert httpx.get(f"{server.url}/api/me", headers={"authorization": old}).status_code == 401

    phone = httpx.post(
        f"{server.url}/api/sign-in", json={"name": "ANNA  of Ulm", "password": "swordfish"}
    )
    assert phone.status_code == 200
    assert phone.json()["me"]["id"] == anna.id
    for name, password in (
        ("Anna of Ulm", "Swordfish"),
        ("Nobody", "swordfish"),
        ("\u3164", "swordfish"),
        ("Anna of Ulm", ""),
    ):
        answer = httpx.post(f"{server.url}/api/sign-in", json={"name": name, "password": password})
        assert answer.status_code == 403
        assert answer.json() == {
            "code": "wrong-password", "error": "no such name with that password",
        }  # fmt: skip
        assert "set-cookie" not in answer.headers


def test_other_sites_cannot_act_for_people(server: Server) -> None:
    with httpx.Client(base_url=server.url) as browser:
        browser.post("/api/me", json={"name": "Anna"}).raise_for_status()
        assert browser.cookies
        own = {"origin": server.url}
        for headers, status in (
            (own, 201),
            ({"sec-fetch-site": "same-origin"}, 201),
            ({}, 403),
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
        ):
            answer = browser.post("/api/games", json=QUICK, headers=headers)
            assert answer.status_code == status, headers
        game = browser.post("/api/games", json=QUICK, headers=own).json()["id"]
        spy = {"origin": "https://evil.example", "accept": "text/event-stream"}
        assert browser.get(f"/api/games/{game}/stream", headers=spy).status_code == 403
        token = browser.cookies["quartermaster"]
    bearer = {"authorization": f"Bearer {token}", "origin": "https://evil.example"}
    answer = httpx.post(f"{server.url}/api/games", json=QUICK, headers=bearer)
    assert answer.status_code == 201  # a token no page can know


def test_webhooks_and_addresses(anna: Client) -> None:
    def change(**what: str) -> Any:
        return anna._read(anna.http.patch("/api/me", json=what))

    with refused(422, "sends no mail"):
        change(email="anna@example.org")
    hook = "https://discord.com/api/webhooks/1/abc"
    assert change(webhook=hook) == anna.get("/api/me")
    assert anna.get("/api/me")["webhook"] == hook
    for wrong in ("http://discord.com/x", "https://localhost/x", "https://10.0.0.1/", "nowhere"):
        with refused(422, "webhook"):
            change(webhook=wrong)
    for wrong in ("anna", "a b@example.org", "anna@example.org\n"):
        with refused(422, "email"):
            change(email=wrong)
    assert change(email="", webhook="")["email"] is None


# Talk.


def test_rooms_are_private(anna: Client, ben: Client, cora: Client, server: Server) -> None:
    table = sit(anna, ben)
    rooms = {"axis": [anna], "allies": [ben], "spectators": [cora], "all": [anna, ben]}
    everyone = {"anna": anna, "ben": ben, "cora": cora}
    with ExitStack() as stack:
        streams = {
            name: stack.enter_context(Watching(one, table)) for name, one in everyone.items()
        }
        for room, talkers in rooms.items():
            for talker in talkers:
                said = talker.post(at(table, "chat"), {"text": f"in {room}", "room": room})
                assert said["is_yours"]
                assert (said["room"], said["name"]) == (room, talker.name)
            for one in everyone.values():
                if one not in talkers:
                    with refused(403, "cannot talk"):
                        one.post(at(table, "chat"), {"text": "psst", "room": room})
        heard = {
            "anna": ["in axis", "in all", "in all"],
            "ben": ["in allies", "in all", "in all"],
            "cora": ["in spectators", "in all", "in all"],
        }
        for name, texts in heard.items():
            said = everyone[name].get(at(table, "chat"))
            assert [one["text"] for one in said] == texts
            assert [streams[name].next("chat")["data"] for _ in texts] == said
            later = everyone[name].get(at(table, "chat"), after=said[0]["id"])
            assert [one["text"] for one in later] == texts[1:]
    stranger = httpx.get(f"{server.url}{at(table)}/chat").json()
    assert [one["text"] for one in stranger] == ["in spectators", "in all", "in all"]
    for wrong in ("", " \n ", "x" * 501, "a\u202eb"):
        with refused(422, "1 to 500 characters"):
            anna.post(at(table, "chat"), {"text": wrong})
    with refused(400):
        anna.post(at(table, "chat"), {"text": "hello", "room": "kitchen"})
    # When all is over people may read what was said of them.
    anna.post(at(table, "proposals"), {"what": "end"})
    ben.post(at(table, "votes"), {"is_for": True})
    assert "in spectators" in [one["text"] for one in anna.get(at(table, "chat"))]
    assert "in allies" not in [one["text"] for one in anna.get(at(table, "chat"))]

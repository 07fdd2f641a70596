"""Keeping the place: the admin command beside running servers, reports, and going for good."""

import io
import json
import re
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from sqlalchemy import Connection, update
from typer.testing import CliRunner

from places import Place, Stream, claim, refused
from quartermaster.cli.main import app
from quartermaster.server.api import privacy
from quartermaster.server.store.migrate import run as _run
from quartermaster.server.store.schema import events, games, sessions, users
from servers import Client, Server, two_seats

runner = CliRunner(env={"COLUMNS": "300"})
QUICK = {"pause": 0, "window": 0}


def admin(place: Place | Server, *arguments: str, status: int = 0) -> str:
    """What `quartermaster admin` says."""
    server = place.servers[0] if isinstance(place, Place) else place
    environment = server.environment | {"SUDO_USER": "keeper"}
    done = runner.invoke(app, ["admin", *arguments], env=environment)
    assert done.exit_code == status, done.output
    return done.output


def as_json(place: Place, *arguments: str) -> Any:
    return json.loads(admin(place, *arguments, "--json"))


def on_database(place: Place, work: Callable[[Connection], Any]) -> Any:
    return _run(place.servers[0].environment["DATABASE_URL"], work, writes=True)


def sit(anna: Client, ben: Client, **wish: Any) -> dict[str, Any]:
    """A game of two people that has begun."""
    table = anna.post("/api/games", QUICK | {"seats": two_seats("me", "open")} | wish)
    ben.post(f"/api/games/{table['id']}/seats/1/take")
    ben.post(f"/api/games/{table['id']}/ready")
    begun: dict[str, Any] = anna.post(f"/api/games/{table['id']}/start")
    return begun


def until(condition: Callable[[], object], seconds: float = 5) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def everything_in(place: Place) -> str:
    """All texts in the database but for the audit log."""

    def work(connection: Connection) -> str:
        tables = ["users", "games", "events", "messages", "players", "notices", "sessions"]
        rows = [connection.exec_driver_sql(f"SELECT * FROM {one}").all() for one in tables]
        return repr(rows)

    found: str = on_database(place, work)
    return found


def test_a_ban_ends_sessions_and_streams_at_once(place: Place) -> None:
    troll, anna = claim(place.client("Troll", 1)), place.client("Anna B")
    game = sit(anna, troll)["id"]
    stream, kept = Stream(troll, game), Stream(anna, game)
    said = admin(place, "people", "ban", "Troll", "--reason", "rude", "--days", "3")
    assert game in said
    assert stream.over.wait(5)
    with refused(403, "banned-until"):
        troll.get("/api/me")
    answer = place.sign_in("Troll", "swordfish")
    assert (answer.status_code, answer.json()["code"]) == (403, "banned-until")
    assert "rude" in answer.json()["error"]
    until(lambda: anna.get(f"/api/games/{game}")["seats"][1]["who"] == "bot")
    assert not kept.over.is_set()
    assert [one["name"] for one in as_json(place, "people", "list", "--banned")] == ["Troll"]
    admin(place, "people", "unban", troll.id)
    until(lambda: troll.http.get("/api/me").status_code == 200)
    [unbanned, banned] = as_json(place, "log", "--limit", "2")
    assert (banned["who"], banned["action"], banned["target"]) == ("keeper", "ban", troll.id)
    assert unbanned["action"] == "unban"
    assert abs(banned["at"] - time.time()) < 60


def test_tables_are_listed_shown_and_closed(place: Place) -> None:
    anna, ben = place.client("Anna C"), place.client("Ben C", 1)
    table = sit(anna, ben, title="Rude words", is_public=True)
    stream = Stream(ben, table["id"])
    [row] = as_json(place, "tables", "list", "--person", ben.id)
    assert (row["id"], row["status"], row["title"]) == (table["id"], "playing", "Rude words")
    assert row["people"] == "Anna C, Ben C"
    shown = admin(place, "tables", "show", table["id"])
    assert "Ben C" in shown
    admin(place, "tables", "untitle", table["id"])
    until(lambda: anna.get(f"/api/games/{table['id']}")["settings"]["title"] == "")
    until(lambda: stream.events[-1]["data"]["settings"]["title"] == "")  # on open pages, too
    assert "Rude words" not in everything_in(place)
    admin(place, "tables", "close", table["id"], "--reason", "asked for")
    until(lambda: stream.events[-1]["data"]["status"] == "over")
    assert ben.get(f"/api/games/{table['id']}")["is_abandoned"]
    assert "over already" in admin(place, "tables", "close", table["id"])
    lobby = ben.post("/api/games", QUICK)["id"]
    admin(place, "tables", "close", lobby)
    until(lambda: anna.get(f"/api/games/{lobby}")["status"] == "over")
    assert "no game" in admin(place, "tables", "show", "nosuchgame", status=2)
    assert "lobby" in admin(place, "tables", "list", "--status", "odd", status=2)


def test_a_name_is_taken_away_everywhere(place: Place) -> None:
    rude, ben = place.client("Rude Name"), place.client("Ben D", 1)
    table = sit(ben, rude)
    other = sit(rude, ben)
    rude.post(f"/api/games/{other['id']}/chat", {"text": "hello"})
    stream = Stream(ben, table["id"])
    admin(place, "people", "rename", "Rude Name", "Guest of honour")
    until(lambda: stream.events[-1]["data"]["seats"][1]["name"] == "Guest of honour")
    assert "Rude Name" not in everything_in(place)
    assert ben.get(f"/api/games/{other['id']}/chat")[0]["name"] == "Guest of honour"
    assert ben.get(f"/api/games/{other['id']}")["host"] == "Guest of honour"
    until(lambda: rude.get("/api/me")["name"] == "Guest of honour")
    claim(place.client("Owned"))
    assert "taken" in admin(place, "people", "rename", rude.id, "0wned", status=2)


def test_messages_are_reported_and_removed(place: Place) -> None:
    anna, rude = place.client("Anna E"), place.client("Rude E", 1)
    table = sit(anna, rude)
    path = f"/api/games/{table['id']}"
    secret = rude.post(f"{path}/chat", {"text": "to my team", "room": "allies"})
    said = rude.post(f"{path}/chat", {"text": "something rude"})
    stream = Stream(anna, table["id"])
    report = {"what": "message", "message": said["id"], "text": "please look"}
    number = anna.post(f"{path}/reports", report)["id"]
    anna.post(f"{path}/reports", {"what": "name", "seat": 1})
    with refused(404, "no-such-message"):  # what she cannot see she cannot find out about
        anna.post(f"{path}/reports", report | {"message": secret["id"]})
    for wrong in ({"what": "person"}, {"what": "person", "seat": 0}, {"what": "name", "seat": 5}):
        with refused(422, "whom-to-report"):
            anna.post(f"{path}/reports", wrong)
    with refused(400, "malformed"):
        anna.post(f"{path}/reports", {"what": "everything"})
    for _ in range(8):
        anna.post(f"{path}/reports", {"what": "person", "seat": 1})
    with refused(429, "too-many-reports"):
        anna.post(f"{path}/reports", {"what": "person", "seat": 1})

    found = {one["id"]: one for one in as_json(place, "reports", "list")}
    assert found[number]["quote"] == "something rude"
    assert found[number]["person"] == rude.id
    assert found[number]["says"] == "please look"
    listed = as_json(place, "messages", "list", table["id"])
    assert [one["text"] for one in listed] == ["to my team", "something rude"]
    admin(place, "messages", "remove", str(said["id"]))
    until(lambda: any(e["event"] == "unsaid" for e in stream.events))
    [gone] = [event for event in stream.events if event["event"] == "unsaid"]
    assert gone["data"] == {"id": said["id"]}
    assert anna.get(f"{path}/chat") == []
    assert "no message" in admin(place, "messages", "remove", str(said["id"]), status=2)
    admin(place, "reports", "close", str(number), "--note", "removed")
    assert number not in [one["id"] for one in as_json(place, "reports", "list")]
    again = as_json(place, "reports", "list", "--closed")
    assert [one["note"] for one in again if one["id"] == number] == ["removed"]
    assert "no open report" in admin(place, "reports", "close", str(number), status=2)


def test_who_deletes_their_account_is_gone(place: Place) -> None:
    anna, ben = claim(place.client("Anna Leaving")), place.client("Ben F", 1)
    over, live = sit(anna, ben), sit(ben, anna)
    path = f"/api/games/{over['id']}"
    anna.post(f"{path}/chat", {"text": "a word of Anna"})
    anna.post(f"{path}/proposals", {"what": "end"})
    ben.post(f"{path}/votes", {"is_for": True})
    alone = anna.post("/api/games", QUICK | {"seats": two_seats(), "start": True})["id"]
    hosted = anna.post("/api/games", QUICK)["id"]
    before = ben.http.get(f"{path}/record").text
    stream = Stream(anna, over["id"])

    with refused(422, "old-password-needed"):
        anna.post("/api/me/delete", {})
    with refused(403, "wrong-old-password"):
        anna.post("/api/me/delete", {"password": "not that one"})
    assert anna.get("/api/me")["name"] == "Anna Leaving"
    assert anna.post("/api/me/delete", {"password": "swordfish"}) == {"deleted": True}

    assert stream.over.wait(5)
    with refused(401, "who-are-you"):
        anna.get("/api/me")
    assert place.sign_in("Anna Leaving", "swordfish").status_code == 403
    kept = everything_in(place)
    assert "Anna Leaving" not in kept
    assert "a word of Anna" not in kept
    until(lambda: ben.get(path)["seats"][0]["name"] == "")
    seen = ben.get(path)
    assert (seen["seats"][0]["who"], seen["seats"][1]["name"]) == ("person", "Ben F")
    assert ben.http.get(f"{path}/record").text == before
    until(lambda: ben.get(f"/api/games/{live['id']}")["seats"][1]["who"] == "bot")
    for gone in (alone, hosted):
        assert ben.http.get(f"/api/games/{gone}").status_code == 404
    guest = place.client("Guest who goes")
    with refused(422, "name-to-delete"):
        guest.post("/api/me/delete", {})
    guest.post("/api/me/delete", {"name": "Guest who goes"})
    with refused(401, "who-are-you"):
        guest.get("/api/me")
    claim(place.client("Anna Leaving"))  # the name is free again


def test_everything_about_me(place: Place) -> None:
    anna, ben = claim(place.client("Anna G")), place.client("Ben G", 1)
    over, live = sit(anna, ben), sit(ben, anna)
    anna.post(f"/api/games/{over['id']}/chat", {"text": "well played"})
    ben.post(f"/api/games/{over['id']}/chat", {"text": "words of Ben"})
    anna.post(f"/api/games/{over['id']}/proposals", {"what": "end"})
    ben.post(f"/api/games/{over['id']}/votes", {"is_for": True})
    answer = anna.http.get("/api/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    found = answer.json()
    assert found["profile"]["name"] == "Anna G"
    assert "argon2" not in answer.text
    assert [one["user_id"] for one in found["devices"]] == [anna.id]
    by_id = {one["id"]: one for one in found["games"]}
    assert by_id[over["id"]]["record"] == anna.http.get(f"/api/games/{over['id']}/record").text
    assert "record" not in by_id[live["id"]]  # it would tell all cards
    assert by_id[live["id"]]["table"]["id"] == live["id"]
    assert [one["text"] for one in found["messages"]] == ["well played"]
    assert "words of Ben" not in answer.text
    with refused(429, "export-again"):
        anna.get("/api/me/export")


def test_large_exports_are_zipped() -> None:
    content = b"[" + b"1," * 900_000 + b"1]"
    with zipfile.ZipFile(io.BytesIO(privacy._zipped("all.json", content))) as archive:
        assert archive.read("all.json") == content


def test_pruning_spares_what_is_in_play(place: Place) -> None:
    player, idle, gone = place.client("In play"), place.client("Idle"), place.client("Long gone")
    ben = place.client("Ben H", 1)
    live, over = sit(ben, player), sit(ben, gone)
    gone.post(f"/api/games/{over['id']}/proposals", {"what": "end"})
    ben.post(f"/api/games/{over['id']}/votes", {"is_for": True})
    lobby = idle.post("/api/games", QUICK)["id"]
    fresh = ben.post("/api/games", QUICK)["id"]
    old = time.time() - 400 * 86400

    def age(connection: Connection) -> None:
        ids = [player.id, gone.id]
        connection.execute(update(users).where(users.c.id.in_(ids)).values(created_at=old))
        connection.execute(update(sessions).where(sessions.c.user_id.in_(ids)).values(seen_at=old))
        ids = [lobby, live["id"]]
        connection.execute(update(games).where(games.c.id.in_(ids)).values(updated_at=old))

    on_database(place, age)
    assert "Would be deleted" in admin(place, "prune")
    assert ben.http.get(f"/api/games/{lobby}").status_code == 200
    assert "Long gone" in everything_in(place)
    assert "1 guests, 1 tables" in admin(place, "prune", "--yes")
    until(lambda: ben.http.get(f"/api/games/{lobby}").status_code == 404)
    assert ben.get(f"/api/games/{live['id']}")["seats"][1]["name"] == "In play"
    assert ben.http.get(f"/api/games/{fresh}").status_code == 200
    assert "Long gone" not in everything_in(place)
    until(lambda: ben.get(f"/api/games/{over['id']}")["seats"][1]["name"] == "")
    assert idle.get("/api/me")["name"] == "Idle"
    assert "0 guests, 0 tables" in admin(place, "prune", "--yes")


def test_a_link_for_a_lost_password(place: Place) -> None:
    anna = claim(place.client("Anna I"))
    link = admin(place, "people", "password-link", "Anna I").strip()
    assert httpx.post(link, data={"password": "found again"}).status_code == 200
    with refused(401, "who-are-you"):
        anna.get("/api/me")
    assert place.sign_in("Anna I", "found again").status_code == 200
    guest = place.client("Only a guest")
    assert "guest" in admin(place, "people", "password-link", guest.id, status=2)


def test_people_are_found_by_name_or_told_apart(place: Place) -> None:
    one, two = place.client("Twin"), place.client("Twin")
    said = admin(place, "people", "ban", "Twin", status=2)
    assert one.id in said
    assert two.id in said
    assert "Twin" in admin(place, "people", "ban", "Twni", status=2)
    assert one.get("/api/me")["name"] == "Twin"
    assert len(as_json(place, "people", "list", "twi")) == 2


def test_the_admin_command_needs_a_database(tmp_path: Path) -> None:
    server = Server(f"sqlite:///{tmp_path}/none.db", tmp_path)
    assert "DATABASE_URL" in admin(server, "people", "list", status=2)
    assert list(tmp_path.glob("none.db")) == []


def test_only_names_and_titles_in_events_change(place: Place) -> None:
    """Events are only ever added; blanking a name must leave all else as it was."""
    anna, ben = place.client("Ann Onymous"), place.client("Ben J")
    game = sit(anna, ben)["id"]

    def rows(connection: Connection) -> list[tuple[Any, ...]]:
        found = connection.execute(events.select().where(events.c.game_id == game))
        return sorted(tuple(row) for row in found)

    before = on_database(place, rows)
    admin(place, "people", "rename", "Ann Onymous", "Another")
    after = on_database(place, rows)
    assert [re.sub("Ann Onymous", "Another", repr(row)) for row in before] == list(map(repr, after))
    assert before != after

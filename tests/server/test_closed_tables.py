"""A table without spectators is closed to strangers by every way there is."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from servers import ALLIES, AXIS, ApiError, Client, Server, two_seats

CLOSED = {"has_spectators": False, "pause": 0, "window": 0}
# Sitting down is for people who could not watch before; it has rules of its own.
JOINING = "/api/games/{game}/seats/{seat}/take"
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("closed")
    with Server(f"sqlite:///{folder}/games.db", folder) as one:
        yield one


@pytest.fixture(scope="module")
def anna(server: Server) -> Iterator[Client]:
    with server.client("Anna") as one:
        yield one


@pytest.fixture(scope="module")
def boris(server: Server) -> Iterator[Client]:
    with server.client("Boris") as one:
        yield one


def made_up(schema: dict[str, Any], all_schemas: dict[str, Any]) -> Any:
    """Something that fits a schema, so that a request is not refused for its form."""
    if "$ref" in schema:
        return made_up(all_schemas[schema["$ref"].rpartition("/")[2]], all_schemas)
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    for several in ("oneOf", "anyOf", "allOf"):
        if several in schema:
            return made_up(schema[several][0], all_schemas)
    kind = schema.get("type", "object")
    if kind == "object":
        fields = schema.get("properties", {})
        return {name: made_up(fields[name], all_schemas) for name in schema.get("required", [])}
    if "pattern" in schema:
        return schema["pattern"].strip("^$").strip("()").partition("|")[0]
    plain: dict[str, Any] = {
        "array": [], "string": "x", "integer": 0, "number": 1.0, "boolean": True, "null": None,
    }  # fmt: skip
    return plain[kind[0] if isinstance(kind, list) else kind]


def ways_in(server: Server) -> Iterator[tuple[str, str, Any]]:
    """Every address with a game in it, with a body that has the right form."""
    described = httpx.get(f"{server.url}/api/schema/openapi.json").json()
    schemas = described["components"]["schemas"]
    for path, methods in described["paths"].items():
        if "{game}" in path:
            for method in METHODS:
                if method in methods:
                    body = methods[method].get("requestBody")
                    content = body["content"]["application/json"] if body is not None else None
                    example = None if content is None else made_up(content["schema"], schemas)
                    yield method, path, example


@pytest.mark.parametrize("is_over", [False, True])
def test_no_way_leads_a_stranger_to_a_closed_table(
    server: Server, anna: Client, boris: Client, is_over: bool
) -> None:
    table = anna.post("/api/games", CLOSED | {"seats": two_seats(), "start": True})
    if is_over:
        anna.post(f"/api/games/{table['id']}/proposals", {"what": "end"})
    ways = list(ways_in(server))
    assert len(ways) > 25
    codes = set()
    for method, path, body in ways:
        address = path.replace("{game}", table["id"]).replace("{seat}", "1").replace("{step}", "0")
        for sender in (boris.http.headers["authorization"], ""):
            headers = {"authorization": sender}
            answer = httpx.request(method, server.url + address, json=body, headers=headers)
            where = f"{method} {path}: {answer.status_code} {answer.text[:200]}"
            assert answer.status_code in (401, 403, 409), where
            code = answer.json()["code"]
            codes.add(code)
            if path != JOINING and answer.status_code != 401:
                assert code == "no-spectators", where
    assert codes >= {"no-spectators", "who-are-you"}


def test_a_closed_game_is_not_played_on_by_strangers(anna: Client, boris: Client) -> None:
    table = anna.post("/api/games", CLOSED | {"seats": two_seats(), "start": True})
    anna.post(f"/api/games/{table['id']}/proposals", {"what": "end"})
    with pytest.raises(ApiError, match="not open to spectators"):
        boris.post("/api/games", {"game": table["id"], "seats": 2})
    anna.post("/api/games", {"game": table["id"], "seats": 2})


def test_a_rematch_leads_nobody_into_a_closed_game(anna: Client, boris: Client) -> None:
    """Boris has played the first game, is not at the second, and may not see it."""
    seats = [{"countries": AXIS, "who": "me"}, {"countries": ALLIES, "who": "open"}]
    table = anna.post("/api/games", CLOSED | {"seats": seats})
    path = f"/api/games/{table['id']}"
    boris.post(f"{path}/seats/1/take")
    boris.post(f"{path}/ready")
    anna.post(f"{path}/start")
    anna.post(f"{path}/proposals", {"what": "end"})
    boris.post(f"{path}/votes", {"is_for": True})
    again = anna.post(f"{path}/rematch")
    assert boris.post(f"{path}/rematch")["id"] == again["id"]
    anna.put(f"/api/games/{again['id']}/seats/1", {"who": "bot", "bot": "random"})
    anna.post(f"/api/games/{again['id']}/start")
    with pytest.raises(ApiError, match="not open to spectators"):
        boris.post(f"{path}/rematch")


def test_one_who_was_invited_can_sit_down_at_a_closed_table(anna: Client, boris: Client) -> None:
    table = anna.post("/api/games", CLOSED | {"seats": two_seats(), "start": True})
    path = f"/api/games/{table['id']}"
    view = anna.post(f"{path}/seats/0/hand-over", {"to": "person"})
    with pytest.raises(ApiError, match="invitation"):
        boris.post(f"{path}/seats/0/take", {"code": "wrong"})
    seated = boris.post(f"{path}/seats/0/take", {"code": view["seats"][0]["invitation"]})
    assert seated["is_yours"]
    left = boris.post(f"{path}/seats/0/leave")
    assert left["view"]["countries"]["germany"]["hand"] is None
    with pytest.raises(ApiError, match="not open to spectators"):
        boris.get(path)

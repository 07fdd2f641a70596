"""The API against its own description: whatever is sent, it answers as it says it does."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from servers import Client, Server, two_seats

VOID = ("/api/me/password", "/api/sign-out", "/api/me/sessions/{session}", "/api/me/delete")
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("schema")
    with Server(f"sqlite:///{folder}/games.db", folder) as one:
        yield one


@pytest.fixture(scope="module")
def anna(server: Server) -> Iterator[Client]:
    with server.client("Anna") as one:
        yield one


@pytest.fixture(scope="module")
def games(anna: Client) -> list[str]:
    """A table before, in, and after a game."""
    quick = {"pause": 0, "window": 0}
    lobby = anna.post("/api/games", quick)
    playing = anna.post("/api/games", quick | {"seats": two_seats(), "start": True})
    over = anna.post("/api/games", quick | {"seats": two_seats(), "start": True})
    anna.post(f"/api/games/{over['id']}/proposals", {"what": "end"})
    return [lobby["id"], playing["id"], over["id"]]


@pytest.fixture(scope="module")
def api(server: Server) -> Any:
    return schemathesis.openapi.from_url(f"{server.url}/api/schema/openapi.json")


@settings(
    max_examples=3,  # `make fuzz-api` sends thousands
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def check(operation: Any, mode: GenerationMode, anna: Client, games: list[str], data: Any) -> None:
    case = data.draw(operation.as_strategy(generation_mode=mode))
    if "game" in (case.path_parameters or {}) and data.draw(st.integers(0, 4)):
        case.path_parameters["game"] = data.draw(st.sampled_from(games))
    headers = {"authorization": anna.http.headers["authorization"]}
    if operation.path in VOID:  # they end the session
        answer = httpx.post(anna.http.base_url.join("/api/me"), json={"name": "Guest"})
        headers = {"authorization": f"Bearer {answer.json()['token']}"}
    case.call_and_validate(headers=headers, checks=CHECKS)


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_answers_are_as_described(
    api: Any, anna: Client, games: list[str], mode: GenerationMode, subtests: pytest.Subtests
) -> None:
    """What fits the description, and what does not, at every address but the live stream."""
    count = 0
    for found in api.exclude(path_regex="/stream$|/hints$").get_all_operations():
        operation = found.ok()
        with subtests.test(operation.label), suppress(Unsatisfiable):
            check(operation, mode, anna, games)
        count += 1
    assert count > 35

"""Two tables that only a hidden card makes different are alike to everyone else."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest

from quartermaster import Game
from servers import ALLIES, AXIS, Server
from witnesses import Witness, differences

POSITION = {
    "turn": "united-kingdom",
    "pieces": {"united-kingdom": ["united-kingdom", "north-sea", "mediterranean-sea"]},
    "hand": {"united-kingdom": ["malta-submarines", "land-battle"]},
}


class Twin:
    """A table at which Anna plays Malta Submarines, and a card of Italy, which is Ben's, lies
    face down. Either might react, and the window is open until both need it no longer."""

    def __init__(self, server: Server, lies: str) -> None:
        news = threading.Condition()
        self.anna = Witness(server, "Anna", news)
        self.ben = Witness(server, "Ben", news)
        self.otto = Witness(server, "Otto", news)
        position = {**POSITION, "set": {"united-kingdom": ["raf"], "italy": [lies]}}
        record = Game.from_position({"seed": 7, **position}, seats=2).record
        seats = [{"countries": ALLIES, "who": "me"}, {"countries": AXIS, "who": "open"}]
        wish = {"record": record, "seats": seats, "window": 60, "is_public": True}
        wish["deal"] = "as-recorded"
        self.path = f"/api/games/{self.anna.ask('POST', '/api/games', wish).json()['id']}"
        self.ben.ask("POST", f"{self.path}/seats/1/take", {})
        self.ben.ask("POST", f"{self.path}/ready", {"agrees": True})
        self.anna.ask("POST", f"{self.path}/start")
        self.number = self.look(self.anna)["number"]
        body = {"country": "united-kingdom", "text": "play malta-submarines"}
        self.anna.ask("POST", f"{self.path}/moves", {"number": self.number, **body})
        self.number += 1

    def look(self, who: Witness) -> dict[str, Any]:
        view: dict[str, Any] = who.ask("GET", self.path).json()
        return view

    def go_on(self) -> None:
        """Nobody reacts, and the window closes."""
        for who in (self.ben, self.anna):
            who.ask("POST", f"{self.path}/go-on", {"number": self.number})
        for _ in range(200):
            if self.look(self.otto)["window"] is None:
                return
            time.sleep(0.05)
        raise AssertionError("the window stays open")

    def close(self) -> None:
        for who in (self.anna, self.ben, self.otto):
            who.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("twins")
    with Server(f"sqlite:///{folder}/games.db", folder) as server:
        yield server


@pytest.fixture
def twins(server: Server) -> Iterator[tuple[Twin, Twin]]:
    """At the first Ben is asked about Skilled Pilots in secret, at the second he is asked
    nothing."""
    with ExitStack() as stack:
        asked = stack.enter_context(closing(Twin(server, "skilled-pilots")))
        idle = stack.enter_context(closing(Twin(server, "monte-cassino")))
        assert len(asked.look(asked.ben)["window"]["asks"]) == 1
        assert idle.look(idle.ben)["window"]["asks"] == []
        yield asked, idle


def told(message: Any) -> Any:
    """A message without what is different for any two tables."""
    if isinstance(message, dict):
        return {k: told(v) for k, v in message.items() if k not in ("id", "seconds_left")}
    return [told(one) for one in message] if isinstance(message, list) else message


def test_others_cannot_tell_who_is_asked(twins: tuple[Twin, Twin]) -> None:
    for name in ("anna", "otto"):
        one, other = (told(twin.look(getattr(twin, name))) for twin in twins)
        assert not list(differences(one, other))


def test_others_cannot_tell_who_has_passed(twins: tuple[Twin, Twin]) -> None:
    for twin in twins:
        twin.go_on()
    for name in ("anna", "otto"):
        one, other = (told(twin.look(getattr(twin, name))) for twin in twins)
        assert not list(differences(one, other))


def test_replays_do_not_tell_who_has_passed(twins: tuple[Twin, Twin]) -> None:
    for twin in twins:
        twin.go_on()
    for name in ("anna", "otto"):
        for step in range(5):
            one, other = (
                told(getattr(twin, name).ask("GET", f"{twin.path}/replay/{step}").json())
                for twin in twins
            )
            assert not list(differences(one, other)), f"step {step}"


def test_lists_do_not_tell_of_answers(twins: tuple[Twin, Twin]) -> None:
    """Nothing that anyone can fetch changes while someone answers in secret."""
    twin, _ = twins

    def listed() -> Any:
        found = twin.otto.ask("GET", "/api/games?show=watch").json()
        return next(game for game in found if twin.path.endswith(game["id"]))

    before = listed()
    for text in ("use skilled-pilots", "pass"):
        body = {"number": twin.number, "ask": 0, "text": text}
        assert twin.ben.ask("POST", f"{twin.path}/answers", body).is_success
        assert twin.look(twin.otto)["window"] is not None
        assert not list(differences(before, listed()))

"""What others see, in bytes and in time, is the same with and without a hidden card."""

import asyncio
import random
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from quartermaster import Game
from quartermaster.rules.engine import current_op, decider
from quartermaster.rules.names import BOLSTER, RESPONSE
from quartermaster.rules.state import State
from quartermaster.server.api import playing
from quartermaster.server.hub import Hub, Watcher
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.store import Store
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.table import Table
from quartermaster.sight.look import Look
from rooms import ALLIES, AXIS, UKRAINE, Room, record_of, seen
from slow_bots import SlowBots

AIR = {"air-marshal": True}


VARIANTS: list[tuple[str, dict[str, bool]]] = [
    ("second", {}), ("second", AIR), ("first", AIR), ("french", {}),
]  # fmt: skip


def asked(s: State) -> tuple[int, int, int, str]:
    """What everyone sees of the decision that a game waits for."""
    return s.round, s.step, decider(s), current_op(s).kind


# Whether a question is put.


@pytest.mark.parametrize(("rules", "options"), VARIANTS)
@pytest.mark.parametrize("seed", range(3))
def test_whether_a_decision_is_put_tells_no_card(
    rules: str, options: dict[str, bool], seed: int
) -> None:
    """Whatever the hidden cards are, for all that an onlooker knows, the same is asked next."""
    game = Game.new(rules, seed=seed, options=options)
    rng = random.Random(seed)
    compared = 0
    while not game.is_over:
        if game.decision.kind not in ("react", "setup") and rng.random() < 0.4:
            dealt = Look.at(game.state, frozenset()).deal(rng.getrandbits(30))
            assert asked(dealt) == asked(game.state), game.record
            compared += 1
        game.apply(rng.choice(game.legal_actions()))
    assert compared > 50


@pytest.mark.parametrize("card", ["deploy-air-force", "build-army"])
def test_the_air_step_is_put_with_and_without_a_card_for_it(card: str) -> None:
    position = {"pieces": {"germany": ["germany"]}, "hand": {"germany": ["land-battle", card]}}
    game = Game.from_position(position, options=AIR)
    game.apply("discard land-battle")
    assert game.decision.kind == "air"
    assert len(game.legal_actions()) == (2 if card == "deploy-air-force" else 1)


def test_nobody_is_asked_where_all_can_see_that_there_is_no_choice() -> None:
    position = {"pieces": {"germany": ["germany"]}, "hand": {"germany": ["land-battle"]}}
    game = Game.from_position(position, options=AIR)
    game.apply("discard land-battle")
    assert game.decision.country != "germany", "with an empty hand there is nothing to deploy"


@pytest.mark.parametrize("other", ["build-army", "land-battle"])
def test_a_hand_of_equal_cards_is_discarded_from_like_any(other: str) -> None:
    hand = ["build-army"] * 4 + [other]
    game = Game.from_position({"pieces": {"germany": ["germany"]}, "hand": {"germany": hand}})
    game.apply("use reallocate-resources")
    for _ in range(4):
        assert (game.decision.country, game.decision.kind) == ("germany", "discard")
        game.apply("discard build-army")


@pytest.mark.parametrize("has_response", [True, False])
def test_who_may_lay_a_card_of_its_pile_is_asked_whatever_lies_there(has_response: bool) -> None:
    """What is named nowhere lies face down in the pile of the United Kingdom."""
    rules = Game.new("second", options=AIR).state.rules
    own = [card for card in rules.cards if card.country == 1 and card.type == RESPONSE]
    position: dict[str, Any] = {
        "turn": "united-states",
        "step": "discard",
        "hand": {"united-states": ["our-philosophy-of-government", "build-army"]},
        "deck": {
            "united-kingdom": [card.id for card in own[1 if has_response else 0 :]],
            "united-states": ["build-navy"] * 3,
        },
    }
    game = Game.from_position(position, options=AIR)
    game.apply("pass")
    game.apply("use our-philosophy-of-government")
    assert (game.decision.country, game.decision.kind) == ("united-kingdom", "lay")
    texts = [action.text for action in game.legal_actions()]
    assert texts == ([f"lay {own[0].id}", "pass"] if has_response else ["pass"])


def test_games_of_before_are_terse_and_can_be_made_to_ask() -> None:
    game = Game.new("second", seed=3, options=AIR, is_version_1=True)
    rng = random.Random(3)
    while not game.is_over:
        assert len(game.legal_actions()) > 1
        game.apply(rng.choice(game.legal_actions()))
    assert game.record.startswith("quartermaster record 1\n")
    assert Game.from_record(game.record).record == game.record
    assert Game.load(game.save()).is_version_1
    asking = game.asking()
    assert asking.record.startswith("quartermaster record 2\n")
    assert len(asking.codes) > len(game.codes)
    assert (asking.score, asking.winner) == (game.score, game.winner)
    assert asking.state.zones == game.state.zones
    assert Game.from_record(asking.record) == asking


def ending(hand: list[str], **wish: Any) -> Room:
    """The last decision of a game, which the United States take."""
    position = {
        "turn": "united-states", "round": 20, "step": "discard", "score": [10, 5],
        "hand": {"united-states": hand},
        "deck": {country: ["land-battle"] for country in (*AXIS, *ALLIES)},
    }  # fmt: skip
    record = record_of(position, "second", AIR)
    room = Room(GameWish(record=record, seats=2, **wish))
    room.sit("boris")
    room.start()
    return room


# Windows.


def test_an_action_that_ends_the_game_opens_a_window_whatever_is_held() -> None:
    rules = Game.new("second", options=AIR).state.rules
    own = [card for card in rules.cards if card.country == 5]
    cards = [card.id for card in own if card.type in (BOLSTER, RESPONSE)]
    tables = [ending(["build-army", card]) for card in cards]
    views = []
    reacting = 0
    for room in tables:
        while room.table.game.decision.kind != "discard-step":
            room.idle()
        room.move("boris", "united-states", "pass")
        assert room.table.window is not None
        reacting += bool(room.table.window.asks)
        views.append(seen(room, "anna"))
        assert room.table.status == "playing"
        todo = room.next()
        assert todo.what == "close"
    assert 0 < reacting < len(tables), "some can react, others cannot"
    assert len(set(views)) == 1, "Anna cannot tell one from the other"
    assert {room.table.status for room in tables} >= {"over"}


async def until(is_so: Any) -> None:
    for _ in range(400):
        if is_so():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it has not come about")


def given(events: list[ev.Event], _table: Table) -> list[ev.Event]:
    return events


def started(position: dict[str, Any]) -> list[ev.Event]:
    seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot", "rookie")]
    wish = GameWish(record=record_of(position), seats=seats, start=True, pause=0.5)
    return commands.create("anna", "Anna", wish)


@pytest.mark.parametrize("seconds", [0.0, 3.0])
@pytest.mark.parametrize("card", ["stalingrad", "guards"])
def test_a_window_closes_in_its_time_however_long_a_bot_thinks(
    tmp_path: Path, card: str, seconds: float
) -> None:
    """With a card that answers the battle and with one that does not."""
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    upgrade(url)
    is_reaction = card == "stalingrad"
    position = UKRAINE if is_reaction else UKRAINE | {"set": {"soviet-union": ["rasputitsa"]}}

    async def run() -> None:
        store = Store(url)
        bots = SlowBots(seconds)
        hub = Hub(store, bots, lambda *_: None, lambda _: None)  # type: ignore[arg-type]
        table = await hub.create("anna", started(position))
        try:
            for text in ("play land-battle", "battle ukraine soviet-union"):
                events = commands.move(table, "anna", table.number, "germany", text, hub.now())
                table = await hub.act(table.id, "anna", partial(given, events))
            window = table.window
            assert window is not None
            number = table.number
            entry = await hub.entry(table.id)
            await until(lambda: entry.table.number > number)
            late = hub.now() - window.spec.not_before
            assert 0 <= late < 2.0, "not later than the machine's load makes anything"
            used = any("use stalingrad" in str(moves) for moves in entry.table.steps[-1].moves)
            assert used == (is_reaction and seconds == 0.0), "who is late has passed"
        finally:
            await hub.close()
            await store.close()

    asyncio.run(run())


# Streams.


def test_beats_keep_their_times_whatever_happens_in_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One table at which somebody gives orders all the time, and one at which nobody does."""
    monkeypatch.setattr(playing, "HEARTBEAT", 0.5)
    url = f"sqlite:///{tmp_path / 'hub.db'}"
    upgrade(url)

    async def beats(hub: Hub, store: Store, is_busy: bool) -> tuple[int, bytes]:
        table = await hub.create("anna", started(UKRAINE))
        entry = await hub.entry(table.id)

        class Services:
            def __init__(self) -> None:
                self.hub, self.store = hub, store

            def now(self) -> float:
                return hub.now()

        services: Any = Services()
        watcher = Watcher(None)
        stream = playing._stream(services, entry, watcher, None, None, None)
        heard: list[bytes] = []

        async def listen() -> None:
            async for chunk in stream:
                heard.append(chunk)

        listening = asyncio.create_task(listen())
        ends = time.monotonic() + 2.3
        while time.monotonic() < ends:
            await asyncio.sleep(0.2)
            if is_busy:
                events = commands.order(entry.table, "anna", 0, {"blitzkrieg": "every"}, False)
                await hub.act(table.id, "anna", partial(given, events))
        watcher.is_ended = True
        watcher.changed.set()
        await listening
        return sum(b"beat" in chunk for chunk in heard), b"".join(heard).replace(
            table.id.encode(), b""
        )

    async def run() -> None:
        store = Store(url)
        hub = Hub(store, SlowBots(0), lambda *_: None, lambda _: None)  # type: ignore[arg-type]
        try:
            quiet, busy = await asyncio.gather(beats(hub, store, False), beats(hub, store, True))
        finally:
            await hub.close()
            await store.close()
        assert quiet[0] >= 3
        assert abs(quiet[0] - busy[0]) <= 1, "orders do not put beats off"
        assert quiet[1].count(b"event: table") == busy[1].count(b"event: table") == 1

    asyncio.run(run())

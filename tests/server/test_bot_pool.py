"""The server's bots: they go on in new processes once a compiled core is there."""

import asyncio
from pathlib import Path

import pytest

from quartermaster import Game
from quartermaster.server import bots
from quartermaster.server.bots import BotPool


def test_bots_change_over_to_a_core_that_is_kept_later(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new("second", seed=3)
    kept: list[Path] = []
    looked = 0

    def kept_core() -> Path | None:
        nonlocal looked
        looked += 1
        return kept[0] if kept else None

    monkeypatch.setattr(bots, "kept_core", kept_core)

    async def decide(pool: BotPool) -> int | None:
        country = game.decision.country
        look = game.look(country)
        chosen = await pool.decide("g", country, "rookie", look, game.legal_actions())
        game.apply(chosen)
        process = pool._processes[0]._process
        assert process is not None
        return process.pid

    async def play() -> None:
        pool = BotPool(1, b"seed", lambda _level, _seconds: None)
        try:
            first = await decide(pool)
            kept.append(Path("core"))
            assert await decide(pool) == first  # it does not look all the time
            assert looked == 1
            monkeypatch.setattr(bots, "_LOOK_EVERY", 0.0)
            pool._next_look = 0.0
            second = await decide(pool)
            assert second != first
            assert await decide(pool) == second
            assert looked == 2  # and no more, once it has one
            assert not pool.faults("g", "germany", "rookie")
        finally:
            pool.close()

    asyncio.run(play())

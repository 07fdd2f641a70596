"""Bots under load, for tests."""

import asyncio

from quartermaster.forms.notation import Action
from quartermaster.server.table import events as ev
from quartermaster.sight.look import Look


class SlowBots:
    """Bots under load: nobody knows when they answer."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.asked = 0

    async def decide(
        self, game: str, country: str, level: str, look: Look, actions: list[Action], *_: object
    ) -> Action:
        self.asked += 1
        await asyncio.sleep(self.seconds)
        return actions[-1]

    def faults(self, *_: object) -> tuple[ev.FaultNote, ...]:
        return ()

    def forget(self, game: str) -> None:
        pass

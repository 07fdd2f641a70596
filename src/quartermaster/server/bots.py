"""Bots beside the server: in processes of their own, standing back behind people's requests."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from hashlib import blake2b
from multiprocessing import get_context
from typing import TypeVar

from quartermaster.bots import BotProcess, Estimate, Guard, Hint, advise, estimate
from quartermaster.bots.process import stand_back
from quartermaster.core import kept_core, running_core
from quartermaster.forms.notation import Action
from quartermaster.game import Game
from quartermaster.server.addresses import called_from
from quartermaster.server.refusals import Refused
from quartermaster.server.table.events import FaultNote
from quartermaster.server.turns import Turns
from quartermaster.sight.look import Look
from quartermaster.speech.say import speaking, spoken

_NICENESS = 10
_PATIENCE = 20.0  # seconds a bot may think; then a lower level decides
_HINT_SECONDS = 1.0
_LONGEST_QUEUE = 20  # hints that may wait
_MOST_OF_ONE = 6  # for one address
_LOOK_EVERY = 5.0  # seconds between looks for a compiled core

T = TypeVar("T")


class BotPool:
    """A few processes; the bots of one game are always in the same."""

    def __init__(
        self, processes: int, seed: bytes, on_decision: Callable[[str, float], None]
    ) -> None:
        self._seed = seed
        self._on_decision = on_decision  # counts: the level, and the seconds it took
        self._processes = [BotProcess(_NICENESS) for _ in range(processes)]
        # One thread for each process: its bots think one at a time anyway.
        self._threads = [ThreadPoolExecutor(1, "bots") for _ in self._processes]
        self._turns = [Turns() for _ in self._processes]
        self._guards: dict[tuple[str, str, str], Guard] = {}
        self._told: dict[tuple[str, str, str], int] = {}
        self._advisers: ProcessPoolExecutor | None = None
        self._advice_turns = Turns()
        self._hints: Counter[str] = Counter()  # that wait, by the address they are for
        self._core = running_core()
        self._next_look = 0.0

    async def decide(
        self,
        game: str,
        country: str,
        level: str,
        look: Look,
        actions: list[Action],
        owner: str = "",
        is_urgent: bool = True,
        address: str = "",
    ) -> Action:
        """A bot's choice; what it was asked before it may remember. Its time is the time of who
        owns the table, and of the address it is played from: nobody's tables keep the bots of
        others waiting, under however many names."""
        self._change_over()
        key = (game, country, level)
        place = _hash(game) % len(self._processes)
        if key not in self._guards:
            seed = _hash(f"{game} {country} {self._seed.hex()}")
            self._guards[key] = Guard(level, seed, _PATIENCE, self._processes[place])
        guard = self._guards[key]
        loop = asyncio.get_running_loop()
        async with self._turns[place].turn(owner, is_urgent, address):
            began = time.perf_counter()
            action = await loop.run_in_executor(self._threads[place], guard.decide, look, actions)
            self._on_decision(level, time.perf_counter() - began)
        return action

    def faults(self, game: str, country: str, level: str) -> tuple[FaultNote, ...]:
        """What went wrong since it was last asked for."""
        key = (game, country, level)
        if key not in self._guards:
            return ()
        faults = self._guards[key].faults[self._told.get(key, 0) :]
        self._told[key] = self._told.get(key, 0) + len(faults)
        return tuple(FaultNote(f.country, f.bot, f.kind, f.stand_in) for f in faults)

    def forget(self, game: str) -> None:
        """Drop the bots of a game that needs them no more."""
        place = _hash(game) % len(self._processes)
        for key in [key for key in self._guards if key[0] == game]:
            self._told.pop(key, None)
            self._threads[place].submit(self._guards.pop(key).close)

    async def advise(self, look: Look, count: int) -> list[Hint]:
        """The best few actions, by a good bot."""
        return await self._advice(_advise, look, count, spoken())

    async def estimates(self, record: str, actions: list[int]) -> list[Estimate]:
        """Who was likely to win after so many actions of a game, by what anyone could see."""
        return await self._advice(_estimates, record, actions)

    def _change_over(self) -> None:
        """Let the bots go on in new processes once a compiled core is there (`make play`)."""
        now = time.monotonic()
        if self._core is not None or now < self._next_look:
            return
        self._next_look = now + _LOOK_EVERY
        self._core = kept_core()
        if self._core is None:
            return
        for process, thread in zip(self._processes, self._threads, strict=True):
            thread.submit(process.close)  # after what is being thought of
        if self._advisers is not None:
            self._advisers.shutdown(wait=False)
            self._advisers = None

    async def _advice(self, work: Callable[..., T], *args: object) -> T:
        self._change_over()
        if self._advisers is None:
            self._advisers = ProcessPoolExecutor(
                1,
                mp_context=get_context("spawn"),
                initializer=stand_back,
                initargs=(_NICENESS // 2,),
            )
        asker = called_from() or ""
        if self._hints.total() >= _LONGEST_QUEUE or self._hints[asker] >= _MOST_OF_ONE:
            raise Refused(503, "advice-busy")
        self._hints[asker] += 1
        try:
            async with self._advice_turns.turn("", True, asker):
                loop = asyncio.get_running_loop()
                return await loop.run_in_executor(self._advisers, work, *args)
        finally:
            self._hints[asker] -= 1
            self._hints += Counter()  # drop who waits no longer

    def close(self) -> None:
        for process in self._processes:
            process.close()
        for thread in self._threads:
            thread.shutdown(wait=False, cancel_futures=True)
        if self._advisers is not None:
            self._advisers.shutdown(wait=False, cancel_futures=True)


def _advise(look: Look, count: int, language: str) -> list[Hint]:
    with speaking(language):  # another process does not know
        return advise(look, count, seconds=_HINT_SECONDS)


def _estimates(record: str, actions: list[int]) -> list[Estimate]:
    game, told = Game.begin_record(record)
    found = []
    for number in range(len(told.actions) + 1):
        if number in actions:
            found.append(estimate(game.look()))
        if number < len(told.actions):
            country, text, _ = told.actions[number]
            game.apply(text, country=country, is_whole=True)
    return found


def _hash(text: str) -> int:
    """A number for a text: the same in every process, and it tells nothing about the text."""
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest())

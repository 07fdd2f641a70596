"""Bots: anything that picks one of the legal actions, knowing what its seat may know."""

import random
from collections.abc import Callable, Sequence
from typing import Protocol

from quartermaster.errors import UnknownName
from quartermaster.notation import Action
from quartermaster.view import View


class Bot(Protocol):
    """A player that is a program.

    `look` gives the seat's view when it is called; a bot that does not look costs nothing.
    """

    def decide(self, look: Callable[[], View], actions: Sequence[Action]) -> Action: ...


class RandomBot:
    """Picks any legal action, each as likely as the others."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def decide(self, look: Callable[[], View], actions: Sequence[Action]) -> Action:
        return self._random.choice(actions)


BOTS: dict[str, Callable[[int], Bot]] = {"random": RandomBot}


def make_bot(name: str, seed: int) -> Bot:
    """A bot by its name."""
    if name not in BOTS:
        raise UnknownName("bot", name, BOTS)
    return BOTS[name](seed)

"""The levels of play, from weak to strong."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from quartermaster.errors import UnknownName
from quartermaster.look import Look
from quartermaster.notation import Action


class Bot(Protocol):
    """A player that is a program; one for each country.

    `look` is all that the country knows; the answer is one of `actions`.
    """

    def decide(self, look: Look, actions: Sequence[Action]) -> Action: ...


@dataclass(frozen=True)
class Level:
    """A named way to play."""

    name: str
    about: str  # how it plays, in a line
    make: Callable[[int], Bot]


class RandomBot:
    """Picks any legal action, each as likely as the others."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return self._random.choice(actions)


BOTS: dict[str, Level] = {
    level.name: level
    for level in (Level("random", "Any legal action, each as likely as the others.", RandomBot),)
}
LEVELS = tuple(BOTS)  # from weak to strong


def make_bot(name: str, seed: int) -> Bot:
    """A bot by its name, for one country."""
    if name not in BOTS:
        raise UnknownName("bot", name, BOTS)
    return BOTS[name].make(seed)

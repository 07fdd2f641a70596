"""The tree search on one core or several."""

import atexit
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache

from quartermaster.bots.knowledge import knowledge_of
from quartermaster.bots.mind.planner import Planner
from quartermaster.bots.mind.tree import Search
from quartermaster.look import Look
from quartermaster.rules.engine import decider

LINES = 8  # that each country looks at when a line is played on
WIDTH = 5  # options of a decision that are looked at then
_TURNS = 6  # that are looked ahead
_ENDLESS = 10**9


@dataclass(frozen=True)
class Found:
    """What a search has found, option by option: how often each was tried, and the
    chance to win it promises."""

    visits: tuple[int, ...]
    chances: tuple[float, ...]
    simulations: int
    seconds: float

    @property
    def best(self) -> int:
        """The place of the option most tried, which is the one most trusted."""
        places = range(len(self.visits))
        return max(places, key=lambda i: (self.visits[i], self.chances[i]))


def search(look: Look, seed: int, seconds: float, nodes: int = 0, cores: int = 1) -> Found:
    """Search the decision at hand for so many seconds, or for so many nodes in all.

    Each core searches a tree of its own; what they found is added up.
    """
    share = -(-nodes // cores) if nodes else _ENDLESS
    others = []
    if cores > 1:
        others = [
            _pool(cores - 1).submit(_search, look, seed + number, seconds, share)
            for number in range(1, cores)
        ]
    parts = [_search(look, seed, seconds, share), *(job.result() for job in others)]
    if len(parts) == 1:
        return parts[0]
    visits = [sum(part.visits[i] for part in parts) for i in range(len(parts[0].visits))]
    chances = [
        sum(part.visits[i] * part.chances[i] for part in parts) / visits[i] if visits[i] else 0.0
        for i in range(len(visits))
    ]
    return Found(
        tuple(visits),
        tuple(chances),
        sum(part.simulations for part in parts),
        max(part.seconds for part in parts),
    )


def _search(look: Look, seed: int, seconds: float, nodes: int) -> Found:
    known = knowledge_of(look.seen.rules)
    tree = Search(Planner(known.judge, known.habits, LINES, WIDTH), _TURNS)
    found = tree.run(look.dealer, decider(look.seen), seed, nodes, seconds)
    return Found(
        tuple(visits for _, visits, _ in found),
        tuple(chance for _, _, chance in found),
        tree.simulations,
        tree.seconds,
    )


@cache
def _pool(workers: int) -> ProcessPoolExecutor:
    pool = ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn"))
    atexit.register(pool.shutdown, wait=False, cancel_futures=True)
    return pool

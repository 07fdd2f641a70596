"""How the general finds its move: the race of its options, on one core or several."""

import contextlib
import multiprocessing
import signal
from dataclasses import dataclass
from math import sqrt
from multiprocessing.connection import Connection
from time import perf_counter

from quartermaster.bots.knowledge import knowledge_of
from quartermaster.bots.mind.planner import Planner, is_about_hand
from quartermaster.bots.mind.race import Race, Runner
from quartermaster.rules.engine import decider
from quartermaster.sight.look import Look

LINES = 3  # that each country looks at when a line is played on
WIDTH = 3  # options of a decision that are looked at then
TURNS = 12  # that are looked ahead: two rounds
_ENDLESS = 10**9


@dataclass(frozen=True)
class Found:
    """What a search has found, option by option: how often each was tried (or its rank, where
    nothing was), and the chance to win it promises, which is nowhere above the best one's. Where
    a game is as good as decided all chances are one; there the `promises` tell options apart: what
    the judge expects at the end of the own turn. The `doubts` are the standard errors of how far
    options are behind the best."""

    visits: tuple[int, ...]
    chances: tuple[float, ...]
    simulations: int
    seconds: float
    promises: tuple[float, ...]
    doubts: tuple[float, ...]

    @property
    def best(self) -> int:
        """The place of the option most tried, which is the one most trusted."""
        places = range(len(self.visits))
        return max(places, key=lambda i: (self.visits[i], self.chances[i], self.promises[i]))


def search(
    look: Look,
    seed: int,
    seconds: float,
    nodes: int = 0,
    cores: int = 1,
    is_thorough: bool = False,
) -> Found:
    """Search the decision at hand for so many seconds, or for so many nodes in all.

    Each core runs a race of its own; what they found is added up. Unless it shall be
    thorough, a search that can no longer change its mind stops before its time.
    """
    if is_about_hand(look.seen):
        return _by_worth(look, seed)
    helpers = _helpers(cores - 1)
    share = -(-nodes // (1 + len(helpers))) if nodes else _ENDLESS
    try:
        for number, helper in enumerate(helpers, 1):
            helper.ask((look, seed + number, seconds, share, is_thorough))
        parts = [_search(look, seed, seconds, share, is_thorough)]
        parts += [helper.answer() for helper in helpers]
    except BaseException:
        _started.clear()  # a late answer must not be taken for the next one
        raise
    if len(parts) == 1:
        return parts[0]
    return _together(parts)


def _together(parts: list[Found]) -> Found:
    """Add up what several races found."""
    visits = [sum(part.visits[i] for part in parts) for i in range(len(parts[0].visits))]
    chances = [
        sum(part.visits[i] * part.chances[i] for part in parts) / visits[i] if visits[i] else 0.0
        for i in range(len(visits))
    ]
    promises = [sum(part.promises[i] for part in parts) / len(parts) for i in range(len(visits))]
    doubts = [sqrt(sum(p.doubts[i] ** 2 for p in parts)) / len(parts) for i in range(len(visits))]
    most = chances[max(range(len(visits)), key=lambda i: (visits[i], chances[i], promises[i]))]
    return Found(
        tuple(visits),
        tuple(min(chance, most) for chance in chances),
        sum(part.simulations for part in parts),
        max(part.seconds for part in parts),
        tuple(promises),
        tuple(doubts),
    )


def _search(look: Look, seed: int, seconds: float, nodes: int, is_thorough: bool) -> Found:
    known = knowledge_of(look.seen.rules)
    race = Race(Planner(known.judge, known.habits, LINES, WIDTH), TURNS)
    runners = race.run(look.dealer, decider(look.seen), seed, nodes, seconds, is_thorough)
    best = max(runners, key=lambda each: (len(each.values), each.mean(), each.promise))
    return Found(
        tuple(len(runner.values) for runner in runners),
        tuple(_chance(runner, best) for runner in runners),
        race.simulations,
        race.seconds,
        tuple(runner.promise for runner in runners),
        tuple(_doubt(runner, best) for runner in runners),
    )


def _chance(runner: Runner, best: Runner) -> float:
    """What an option promises: as much less than the best one as it brought in the deals in
    which both were tried. Those that dropped out early met other cards than the best did later,
    so their means alone cannot be compared."""
    tried = len(runner.values)
    if not tried:
        return 0.0
    behind = (sum(best.values[:tried]) - runner.total) / tried
    return max(0.0, best.mean() - max(0.0, behind))


def _doubt(runner: Runner, best: Runner) -> float:
    """The standard error of how far an option is behind, by the deals in which both were tried.
    One deal tells nothing of that."""
    tried = len(runner.values)
    if tried < 2:
        return 0.0 if runner is best else 1.0
    off = [best.values[i] - runner.values[i] for i in range(tried)]
    mean = sum(off) / tried
    return sqrt(sum((each - mean) ** 2 for each in off) / (tried - 1) / tried)


def _by_worth(look: Look, seed: int) -> Found:
    """What to keep in hand: no search can tell that in the time there is, for it shows only
    in many rounds; what the cards are worth in the long run can."""
    start = perf_counter()
    known = knowledge_of(look.seen.rules)
    s = look.deal(seed)
    values = Planner(known.judge, known.habits, LINES).values(s)
    order = sorted(range(len(values)), key=lambda i: values[i])
    visits = [0] * len(values)
    for place, i in enumerate(order, 1):
        visits[i] = place
    is_axis = decider(s) & 1 == 0
    lead = known.judge.lead(s) if is_axis else -known.judge.lead(s)
    time = known.judge.time(s)
    chances = [known.judge.chance_of(lead + value - max(values), time) for value in values]
    doubts = (0.0,) * len(values)
    return Found(tuple(visits), tuple(chances), 0, perf_counter() - start, tuple(values), doubts)


class _Helper:
    """A process that searches beside this one. A pipe without threads: while compiled code
    searches here, no other thread runs."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        process = context.Process(target=_help, args=(theirs,), daemon=True, name="search")
        process.start()
        theirs.close()

    def ask(self, question: tuple[Look, int, float, int, bool]) -> None:
        self._connection.send(question)

    def answer(self) -> Found:
        found: Found = self._connection.recv()
        return found


_started: list[_Helper] = []


def _helpers(count: int) -> list[_Helper]:
    """Processes that help, started once and kept; none where processes may not have any,
    as in the one of a guarded bot."""
    if count and multiprocessing.current_process().daemon:
        return []
    while len(_started) < count:
        _started.append(_Helper())
    return _started[:count]


def _help(connection: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    with contextlib.suppress(EOFError, OSError):  # who asks is gone
        while True:
            connection.send(_search(*connection.recv()))

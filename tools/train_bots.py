"""Learns the bots' judgement and habits from games they play against themselves.

    python tools/train_bots.py --rules second
    python tools/train_bots.py --rules first --air-marshal --start first --turns 2

A turn of learning: games played by plan give positions with their final leads, and what
was chosen in them; games played by habit add positions that no plan leads to. From the
positions come the judge's weights (ridge regression), from the choices the habits (softmax
regression). Then the new judge plays the old one, and is kept if it does not lose. The
table goes to `src/quartermaster/bots/weights`. Needs the extra `train` and, to be done
in an hour, the compiled core (PYTHONPATH=build/compiled).

The games are played here or on Ray (`--on`). With `--keep FOLDER` what was played lies there:
one that was stopped comes quickly to where it was. The table is the same in any case.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, diags, hstack
from scipy.sparse.linalg import lsmr

from quartermaster.bots.knowledge import Knowledge, format_knowledge, parse_knowledge
from quartermaster.bots.mind.habits import N_SLOTS, Habits
from quartermaster.bots.mind.judge import Judge
from quartermaster.bots.mind.planner import Planner
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import QuartermasterError
from quartermaster.lab.bench import is_compiled
from quartermaster.lab.spread import HERE, connected, spread_all
from quartermaster.rules.actions import (
    BATTLE,
    DISCARD,
    NO_COUNTRY,
    PASS,
    country_of,
    verb_of,
)
from quartermaster.rules.conceal import Dealer, conceal
from quartermaster.rules.engine import apply, current_op, decider, new_state
from quartermaster.rules.state import State

WEIGHTS = Path(__file__).parent.parent / "src" / "quartermaster" / "bots" / "weights"
MOST = 120.0  # leads beyond it are all the same, unless a smaller one ends the game
LINES = 8  # that a plan looks at: as good as more, and quicker
AHEAD = 0.1  # of a game: two rounds
PRIOR = 100.0  # positions that what was known before counts for

Numbers = npt.NDArray[Any]


@dataclass
class Minds:
    """A rule set's judge and habits as arrays: two rows, for early and late."""

    rules: str
    options: dict[str, bool]
    judge: Numbers
    habits: Numbers
    slope: tuple[float, float]
    is_new: bool  # nothing learned yet

    @classmethod
    def begin(cls, rules: str, options: dict[str, bool], start: str | None) -> "Minds":
        loaded = load_rules(rules, options)
        if start is None:
            size = Judge(loaded).size
            return cls(
                rules, options, np.zeros((2, size)), np.zeros((2, N_SLOTS)), (0.08, 0.12), True
            )
        known = parse_knowledge(loaded, (WEIGHTS / f"{start}.tsv").read_text(), start)
        judge, habits = known.judge, known.habits
        return cls(
            rules, options, np.array([judge.early, judge.late]),
            np.array([habits.early, habits.late]), (judge.slope, judge.slope_late), False,
        )  # fmt: skip

    def copy(self) -> "Minds":
        return Minds(
            self.rules, self.options, self.judge.copy(), self.habits.copy(), self.slope, self.is_new
        )

    def knowledge(self) -> Knowledge:
        loaded = load_rules(self.rules, self.options)
        judge = Judge(loaded)
        judge.learn(self.judge[0].tolist(), self.judge[1].tolist())
        judge.slope, judge.slope_late = self.slope
        habits = Habits(loaded)
        habits.learn(self.habits[0].tolist(), self.habits[1].tolist())
        return Knowledge(judge, habits)


@dataclass
class Positions:
    """Features of positions, one after the other, and how their games ended."""

    at: Numbers
    x: Numbers
    lengths: Numbers
    times: Numbers
    leads: Numbers
    wins: Numbers


@dataclass
class Choices:
    """Slots of options, one after the other, and which was chosen."""

    slots: Numbers
    lengths: Numbers
    chosen: Numbers
    times: Numbers


def first_pick(s: State, rng: random.Random) -> int:
    """Before anything is learned: play rather than discard, battle what is there."""
    kind = current_op(s).kind
    weights = []
    for code in s.options:
        verb = verb_of(code)
        weight = 1.0
        if verb == DISCARD and kind in ("play", "discard-step"):
            weight = 0.03
        elif (verb == BATTLE and country_of(code) == NO_COUNTRY) or (
            verb == PASS and kind not in ("react", "discard-step")
        ):
            weight = 0.05
        weights.append(weight)
    return rng.choices(s.options, weights)[0]


def plan(planner: Planner, s: State, rng: random.Random) -> int:
    """The place of the option with the best plan, by what its country knows."""
    me = 1 << decider(s)
    values = planner.values(Dealer(conceal(s, me), me).deal(rng.getrandbits(40)))
    return max(range(len(values)), key=values.__getitem__)


def play(minds: Minds, is_planned: bool, keep: float, seeds: range) -> tuple[Positions, Choices]:
    """Games by plan, with a habit now and then for variety, or by habit alone."""
    known = minds.knowledge()
    judge, habits = known.judge, known.habits
    planner = Planner(judge, habits, LINES)
    most = float(judge.rules.lead_to_win) or MOST
    at: list[int] = []
    x: list[float] = []
    slots: list[int] = []
    rows: list[tuple[int, float, float, float]] = []
    made: list[tuple[int, int, float]] = []
    for seed in seeds:
        rng = random.Random(seed * 2 + is_planned)
        s = new_state(judge.rules, seed)
        turn = -1
        kept: list[tuple[int, float, float]] = []
        while s.winner < 0:
            if s.country != turn:
                turn = s.country
                if rng.random() < keep:
                    found, amounts = judge.features(s)
                    at += found
                    x += amounts
                    kept.append((len(found), judge.time(s), judge.lead(s)))
            if minds.is_new:
                code = first_pick(s, rng)
            elif not is_planned or rng.random() < 0.15:
                code = habits.pick(s, rng.getrandbits(31))
            else:
                best = plan(planner, s, rng)
                code = s.options[best]
                slots += habits.slots(s)
                made.append((len(s.options), best, judge.time(s)))
            apply(s, code)
        end = max(-most, min(most, s.axis_score - s.allies_score))
        won = float(s.winner == 0)
        for i, (length, when, _) in enumerate(kept):
            # Half of what it led to, half of what it was judged to lead to some time later:
            # chance plays a smaller part in that.
            later = next((lead for _, then, lead in kept[i:] if then >= when + AHEAD), end)
            soon = end if minds.is_new else max(-most, min(most, later))
            rows.append((length, when, (end + soon) / 2, won))
    table = np.array(rows, np.float32).reshape(-1, 4)
    choices = np.array(made, np.float32).reshape(-1, 3)
    return (
        Positions(
            np.array(at, np.int32), np.array(x, np.float32), table[:, 0].astype(np.int32),
            table[:, 1], table[:, 2], table[:, 3],
        ),
        Choices(
            np.array(slots, np.int32), choices[:, 0].astype(np.int32),
            choices[:, 1].astype(np.int32), choices[:, 2],
        ),
    )  # fmt: skip


def joined(parts: list[Any]) -> Any:
    """Several `Positions` or `Choices` as one."""
    fields = vars(parts[0])
    return type(parts[0])(*(np.concatenate([vars(p)[name] for p in parts]) for name in fields))


Spread = Callable[[Callable[[range], Any], Sequence[range]], list[Any]]


def gather(
    spread: Spread, minds: Minds, seeds: range, is_planned: bool, keep: float
) -> tuple[Positions, Choices]:
    step = max(1, len(seeds) // 32)
    some = [seeds[i : i + step] for i in range(0, len(seeds), step)]
    parts = spread(partial(play, minds, is_planned, keep), some)
    return joined([part[0] for part in parts]), joined([part[1] for part in parts])


def fit_judge(minds: Minds, positions: Positions) -> float:
    """The share of the leads' variance that the new weights explain."""
    size = minds.judge.shape[1]
    starts = np.concatenate([[0], np.cumsum(positions.lengths)])
    base = csr_matrix(
        (positions.x, positions.at, starts), shape=(len(positions.lengths), size), dtype=np.float32
    )
    base.sum_duplicates()
    both = hstack([base, diags(positions.times) @ base]).tocsr()
    # What is rare stays near what was known before.
    before = minds.judge.reshape(-1)
    rest = positions.leads - both @ before
    weights = before + ridge(both, rest)
    minds.judge = weights.reshape(2, size)
    predicted = both @ weights
    fit_slope(minds, predicted, positions)
    return float(1 - np.var(positions.leads - predicted) / np.var(positions.leads))


def ridge(rows: Any, rest: Numbers) -> Numbers:
    """The weights with the least squares: exact on a GPU, by iteration without one."""
    try:
        import torch
    except ImportError:
        return np.asarray(lsmr(rows, rest, damp=PRIOR**0.5, maxiter=80)[0])
    device = "cuda" if torch.cuda.is_available() else "cpu"
    size = rows.shape[1]
    square = PRIOR * torch.eye(size, dtype=torch.float64, device=device)
    right = torch.zeros(size, dtype=torch.float64, device=device)
    for i in range(0, rows.shape[0], 20_000):
        part = torch.from_numpy(rows[i : i + 20_000].toarray()).to(device, torch.float32)
        square += (part.T @ part).double()
        right += part.T.double() @ torch.from_numpy(rest[i : i + 20_000]).to(device).double()
    return np.asarray(torch.linalg.solve(square, right).cpu())


def fit_slope(minds: Minds, predicted: Numbers, positions: Positions) -> None:
    """How steeply the chance to win rises with the lead: two numbers by Newton's method."""
    a, b = minds.slope
    times = positions.times
    for _ in range(40):
        chance = 1 / (1 + np.exp(-np.clip(predicted * (a + b * times), -30, 30)))
        slope = (chance - positions.wins) * predicted
        bend = chance * (1 - chance) * predicted**2
        ga, gb = slope.mean(), (slope * times).mean()
        haa, hab, hbb = bend.mean(), (bend * times).mean(), (bend * times**2).mean()
        area = haa * hbb - hab * hab + 1e-12
        a -= 0.7 * (hbb * ga - hab * gb) / area
        b -= 0.7 * (haa * gb - hab * ga) / area
    minds.slope = (float(a), float(b))


def fit_habits(minds: Minds, choices: Choices, steps: int = 120, ridge: float = 2.0) -> float:
    """The mean share that habit gives to what was chosen."""
    few = len(choices.lengths) // 4  # enough, and quicker
    choices = Choices(
        choices.slots[: choices.lengths[:few].sum()], choices.lengths[:few],
        choices.chosen[:few], choices.times[:few],
    )  # fmt: skip
    used, place = np.unique(choices.slots, return_inverse=True)
    starts = np.concatenate([[0], np.cumsum(choices.lengths)])
    row = np.repeat(np.arange(len(choices.lengths)), choices.lengths)
    times = choices.times[row]
    picked = starts[:-1] + choices.chosen
    is_chosen = np.zeros(len(choices.slots), np.float32)
    is_chosen[picked] = 1
    weights = minds.habits[:, used]
    mean = np.zeros_like(weights)
    spread = np.zeros_like(weights)
    shares = is_chosen
    for step in range(1, steps + 1):  # Adam
        z = weights[0][place] + weights[1][place] * times
        z = np.exp(z - np.maximum.reduceat(z, starts[:-1])[row])
        shares = z / np.add.reduceat(z, starts[:-1])[row]
        off = shares - is_chosen
        sums = [np.bincount(place, part, len(used)) for part in (off, off * times)]
        slope = np.stack(sums).astype(np.float64) + ridge * weights
        mean = 0.9 * mean + 0.1 * slope
        spread = 0.99 * spread + 0.01 * slope * slope
        rate = 0.15 * min(1.0, 2 - 2 * step / steps)
        scale = np.sqrt(spread / (1 - 0.99**step)) + 1e-3
        weights = weights - rate * (mean / (1 - 0.9**step)) / scale
    minds.habits[:, used] = np.clip(weights, -8, 8)
    return float(shares[picked].mean())


def duel(new: Minds, old: Minds, seeds: range) -> tuple[int, float]:
    """New against old by plan, both sides of each seed: wins and points of the new."""
    planners = [Planner(k.judge, k.habits, LINES) for k in (new.knowledge(), old.knowledge())]
    won = 0
    margin = 0.0
    for seed in seeds:
        for side in (0, 1):  # of the new
            rng = random.Random(seed)
            s = new_state(planners[0].judge.rules, seed)
            while s.winner < 0:
                best = plan(planners[decider(s) & 1 ^ side], s, rng)
                apply(s, s.options[best])
            won += s.winner == side
            lead = s.axis_score - s.allies_score
            margin += lead if side == 0 else -lead
    return won, margin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="second")
    parser.add_argument("--air-marshal", action="store_true")
    parser.add_argument("--start", help="A table to start from, by name.")
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--games", type=int, default=3000, help="By plan in each turn.")
    parser.add_argument("--duels", type=int, default=100, help="Seeds of new against old.")
    parser.add_argument("--workers", type=int, default=2, help="0 on Ray: all it has.")
    parser.add_argument("--on", default=HERE, help="here, ray, ray:HOST:PORT or ray://HOST:PORT.")
    parser.add_argument("--keep", type=Path, help="A folder for what was played, to go on with.")
    parser.add_argument("--out", type=Path, default=WEIGHTS, help="The folder of the table.")
    arguments = parser.parse_args()
    try:
        with connected(arguments.on):
            train(arguments)
    except QuartermasterError as error:
        parser.error(str(error))


def train(arguments: argparse.Namespace) -> None:
    name = arguments.rules + "-air-marshal" * arguments.air_marshal
    minds = Minds.begin(
        arguments.rules, {"air-marshal": True} if arguments.air_marshal else {}, arguments.start
    )
    start = time.time()

    def say(text: str) -> None:
        print(f"{time.time() - start:6.0f} s  {text}", flush=True)

    say(f"{name}, {'compiled' if is_compiled() else 'interpreted'}")

    def spread(work: Callable[[range], Any], parts: Sequence[range]) -> list[Any]:
        def tell(count: int) -> None:
            if sys.stderr.isatty():
                end = "\r" if count < len(parts) else "\r\033[K"
                print(f"         {count} of {len(parts)} parts", end=end, file=sys.stderr)

        return spread_all(
            work, parts, arguments.workers, arguments.on, arguments.keep, on_done=tell
        )

    seed = 1_000_000
    games = arguments.games
    kept: list[Positions] = []
    if minds.is_new:
        positions, _ = gather(spread, minds, range(seed, seed + 2 * games), False, 0.3)
        say(f"first judge explains {fit_judge(minds, positions):.1%}")
        minds.is_new = False
    for _ in range(arguments.turns):
        seed += 1_000_000
        positions, choices = gather(spread, minds, range(seed, seed + games), True, 0.5)
        more, _ = gather(spread, minds, range(seed, seed + games), False, 0.3)
        kept += [positions, more]  # the more the better
        say(f"Axis won {positions.wins.mean():.1%} of the planned games")
        new = minds.copy()
        say(f"habits give what was chosen {fit_habits(new, choices):.1%}")
        say(f"judge explains {fit_judge(new, joined(kept)):.1%}, slope {new.slope}")
        seeds = range(arguments.duels)
        some = [seeds[i : i + 20] for i in range(0, len(seeds), 20)]
        results = spread(partial(duel, new, minds), some)
        won, margin = (sum(r[i] for r in results) / (2 * len(seeds)) for i in (0, 1))
        say(f"new beats old in {won:.1%}, by {margin:+.1f} points")
        if won >= 0.48:
            minds = new
            arguments.out.mkdir(parents=True, exist_ok=True)
            (arguments.out / f"{name}.tsv").write_text(format_knowledge(minds.knowledge()))


if __name__ == "__main__":
    main()

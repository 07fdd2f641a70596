"""Many games between bots, on one core or several."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial

from quartermaster.bots import BOTS, BotProcess, load_bot
from quartermaster.bots.levels import need_of
from quartermaster.cards.card_sets import load_card_sets
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.game import make_seats
from quartermaster.lab.match import by_country, play_match
from quartermaster.rules.engine import new_state, play_unseen
from quartermaster.rules.names import COUNTRIES, TEAMS


@dataclass
class Tally:
    """What came of some games."""

    games: int = 0
    wins: dict[str, int] = field(default_factory=lambda: {"axis": 0, "allies": 0})
    points: dict[str, int] = field(default_factory=lambda: {"axis": 0, "allies": 0})
    rounds: int = 0
    decisions: int = 0
    faults: int = 0  # decisions that a bot failed to take

    def add(self, other: "Tally") -> None:
        self.games += other.games
        self.rounds += other.rounds
        self.decisions += other.decisions
        self.faults += other.faults
        for team in self.wins:
            self.wins[team] += other.wins[team]
            self.points[team] += other.points[team]

    def to_dict(self) -> dict[str, object]:
        """Rates and means, for people and for JSON."""
        n = max(self.games, 1)
        return {
            "games": self.games,
            "win_rate": {team: round(won / n, 4) for team, won in self.wins.items()},
            "mean_vp": {team: round(points / n, 2) for team, points in self.points.items()},
            "mean_rounds": round(self.rounds / n, 2),
            "mean_decisions": round(self.decisions / n, 1),
            "faults": self.faults,
        }


def simulate(
    rules: str,
    options: Mapping[str, bool],
    seats: int,
    bots: Sequence[str],
    seed: int,
    first: int,
    count: int,
    sets: Sequence[str] = (),
    seconds: float | None = None,
) -> Tally:
    """Games number `first` to `first + count - 1` of a series. Game i has seed `seed + i`,
    whoever plays it, so that the number of workers changes nothing."""
    tally = Tally()
    if seconds is None and all(need_of(load_bot(name, 0)) == "number" for name in bots):
        _simulate_unseen(
            tally, rules, options, seats, bots, range(seed + first, seed + first + count), sets
        )
        return tally
    with BotProcess() if seconds is not None else nullcontext() as process:
        for i in range(first, first + count):
            match = play_match(
                bots, rules, seed=seed + i, seats=seats, options=options, sets=sets,
                seconds=seconds, process=process,
            )  # fmt: skip
            tally.decisions += match.decisions
            tally.games += 1
            tally.faults += len(match.faults)
            tally.wins[match.winner] += 1
            tally.rounds += match.rounds
            for team, points in match.score.items():
                tally.points[team] += points
    return tally


def _simulate_unseen(
    tally: Tally,
    rules: str,
    options: Mapping[str, bool],
    seats: int,
    bots: Sequence[str],
    seeds: range,
    sets: Sequence[str],
) -> None:
    """The same games where no bot looks: the engine alone plays them, and nothing is kept of
    what happened in them."""
    loaded = load_rules(rules, options, load_card_sets(sets))
    names = by_country(bots, make_seats(rules, seats))
    for seed in seeds:
        s = new_state(loaded, seed)
        choosers = [
            load_bot(names[country], 8 * seed + index).choose  # type: ignore[attr-defined]
            for index, country in enumerate(COUNTRIES)
        ]
        tally.decisions += len(play_unseen(s, choosers))
        tally.games += 1
        tally.wins[TEAMS[s.winner]] += 1
        tally.rounds += s.round
        tally.points["axis"] += s.axis_score
        tally.points["allies"] += s.allies_score


def simulate_many(
    rules: str,
    options: Mapping[str, bool],
    seats: int,
    bots: Sequence[str],
    seed: int,
    games: int,
    workers: int,
    sets: Sequence[str] = (),
    seconds: float | None = None,
) -> Iterator[Tally]:
    """The tallies of parts of a series, as they come."""
    part = max(1, min(50, games // (4 * workers) or 1))
    parts = [(first, min(part, games - first)) for first in range(0, games, part)]
    run = partial(
        simulate, rules, dict(options), seats, tuple(bots), seed, sets=tuple(sets), seconds=seconds
    )
    if workers == 1:
        for first, count in parts:
            yield run(first, count)
        return
    with ProcessPoolExecutor(workers) as pool:
        try:
            for future in as_completed([pool.submit(run, first, count) for first, count in parts]):
                yield future.result()
        except UnknownName as error:
            raise unknown_to_workers(error) from None


def unknown_to_workers(error: UnknownName) -> QuartermasterError:
    """Why a worker does not know what this process knows: a bot that was registered here is
    not there in processes that begin afresh, as they do on most systems."""
    if error.what != "bot" or error.name not in BOTS:
        return error
    return QuartermasterError(
        f"the bot {error.name!r} is registered in this process alone; worker processes"
        " begin afresh and do not know it: play with one worker"
    )

"""Many games between bots, on one core or several."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial

from quartermaster.bots import BOTS, Bot, Guard, take_decision
from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.forms.notation import country_index
from quartermaster.game import Game


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


def play_game(game: Game, bots: Mapping[str, Bot]) -> int:
    """Play a game to its end, a bot for each country, each by what its country knows; the
    number of decisions. What a `Guard` has caught goes into the game's log."""
    decisions = 0
    while not game.is_over:
        take_decision(game, bots)
        decisions += 1
    return decisions


def simulate(
    rules: str,
    options: Mapping[str, bool],
    seats: int,
    bots: Sequence[str],
    seed: int,
    first: int,
    count: int,
    sets: Sequence[str] = (),
) -> Tally:
    """Games number `first` to `first + count - 1` of a series. Game i has seed `seed + i`,
    whoever plays it, so that the number of workers changes nothing."""
    tally = Tally()
    for i in range(first, first + count):
        game = Game.new(rules, seed=seed + i, seats=seats, options=options, sets=sets)
        players = {
            country: Guard(bots[number % len(bots)], (seed + i) * 8 + country_index(country))
            for number, seat in enumerate(game.seats)
            for country in seat
        }
        tally.decisions += play_game(game, players)
        tally.games += 1
        tally.faults += sum(len(player.faults) for player in players.values())
        assert game.winner is not None
        tally.wins[game.winner] += 1
        tally.rounds += game.state.round
        for team, points in game.score.items():
            tally.points[team] += points
    return tally


def simulate_many(
    rules: str,
    options: Mapping[str, bool],
    seats: int,
    bots: Sequence[str],
    seed: int,
    games: int,
    workers: int,
    sets: Sequence[str] = (),
) -> Iterator[Tally]:
    """The tallies of parts of a series, as they come."""
    part = max(1, min(50, games // (4 * workers) or 1))
    parts = [(first, min(part, games - first)) for first in range(0, games, part)]
    run = partial(simulate, rules, dict(options), seats, tuple(bots), seed, sets=tuple(sets))
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

"""Many games between bots: on one core, on several, or on several machines."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from quartermaster.bots import BotProcess, load_bot
from quartermaster.bots.levels import RandomBot, chooser_of, close_bot
from quartermaster.bots.plugins import is_level, need_of_name
from quartermaster.cards.card_sets import load_card_sets
from quartermaster.cards.rule_sets import load_rules
from quartermaster.forms.seats import make_seats
from quartermaster.lab.faults import Reasons, add_reasons, reasons_of
from quartermaster.lab.games import Row, row_of
from quartermaster.lab.games_file import GamesFile, line_of
from quartermaster.lab.match import Match, by_country, play_match
from quartermaster.lab.ratings import Interval, mean_of_sums, wilson
from quartermaster.lab.spread import HERE, spread
from quartermaster.rules.dice import Dice
from quartermaster.rules.engine import new_state, play_by_dice, play_unseen
from quartermaster.rules.names import COUNTRIES, TEAMS

_MOST = 50  # games of a part
_MOST_AFAR = 500  # where only the tally of a part travels, and the way there costs something
_MANY = 16  # workers there may be where nobody says how many


@dataclass
class Tally:
    """What came of some games."""

    games: int = 0
    wins: dict[str, int] = field(default_factory=lambda: {"axis": 0, "allies": 0})
    points: dict[str, int] = field(default_factory=lambda: {"axis": 0, "allies": 0})
    rounds: int = 0
    decisions: int = 0
    faults: int = 0  # decisions that a bot failed to take
    reasons: Reasons = field(default_factory=dict)  # of games that were played now
    # Of the points of the teams, the rounds and the decisions, for their intervals.
    squares: dict[str, int] = field(
        default_factory=lambda: {"axis": 0, "allies": 0, "rounds": 0, "decisions": 0}
    )

    def add(self, other: "Tally") -> None:
        self.games += other.games
        self.rounds += other.rounds
        self.decisions += other.decisions
        self.faults += other.faults
        add_reasons(self.reasons, other.reasons)
        for team in self.wins:
            self.wins[team] += other.wins[team]
            self.points[team] += other.points[team]
        for name in self.squares:
            self.squares[name] += other.squares[name]

    def add_game(
        self, winner: str, score: Mapping[str, int], rounds: int, decisions: int, faults: int
    ) -> None:
        self.games += 1
        self.wins[winner] += 1
        self.rounds += rounds
        self.decisions += decisions
        self.faults += faults
        self.squares["rounds"] += rounds**2
        self.squares["decisions"] += decisions**2
        for team, points in score.items():
            self.points[team] += points
            self.squares[team] += points**2

    def add_row(self, row: Row) -> None:
        self.add_game(row["winner"], row["score"], row["rounds"], row["decisions"], row["faults"])

    def win_rate(self, team: str) -> Interval:
        return wilson(self.wins[team], self.games)

    def mean_vp(self, team: str) -> Interval:
        return mean_of_sums(self.games, self.points[team], self.squares[team])

    @property
    def mean_rounds(self) -> Interval:
        return mean_of_sums(self.games, self.rounds, self.squares["rounds"])

    @property
    def mean_decisions(self) -> Interval:
        return mean_of_sums(self.games, self.decisions, self.squares["decisions"])

    def to_dict(self) -> dict[str, object]:
        """Rates and means, for people and for JSON; `intervals` are those of 95%."""
        n = max(self.games, 1)
        return {
            "games": self.games,
            "win_rate": {team: round(won / n, 4) for team, won in self.wins.items()},
            "mean_vp": {team: round(points / n, 2) for team, points in self.points.items()},
            "mean_rounds": round(self.rounds / n, 2),
            "mean_decisions": round(self.decisions / n, 1),
            "faults": self.faults,
            "reasons": dict(self.reasons),
            "intervals": {
                "win_rate": {team: ends(self.win_rate(team), 4) for team in self.wins},
                "mean_vp": {team: ends(self.mean_vp(team), 2) for team in self.wins},
                "mean_rounds": ends(self.mean_rounds, 2),
                "mean_decisions": ends(self.mean_decisions, 1),
            },
        }


def ends(estimate: Interval, digits: int) -> list[float] | None:
    """Both ends of an interval; none where so few games tell nothing."""
    if estimate.high - estimate.low > 1e9:
        return None
    return [round(estimate.low, digits), round(estimate.high, digits)]


@dataclass(frozen=True)
class Series:
    """Games that follow from what stands here: number i has seed `seed + i`, whoever plays it."""

    rules: str = "second"
    options: Mapping[str, bool] = field(default_factory=dict)
    seats: int = 2
    bots: tuple[str, ...] = ("random",)  # by seat
    seed: int = 0
    sets: tuple[str, ...] = ()
    seconds: float | None = None  # that a decision may take

    def alike(self) -> dict[str, Any]:
        """What the rows of all its games have in common."""
        loaded = load_rules(self.rules, self.options, load_card_sets(self.sets))
        seats = make_seats(self.rules, self.seats)
        return {
            "rules": loaded.name,
            "options": dict(loaded.options),
            "sets": list(loaded.sets),
            "seats": [list(seat) for seat in seats],
            "bots": [self.bots[seat % len(self.bots)] for seat in range(len(seats))],
        }


def play_part(series: Series, is_kept: bool, part: tuple[int, int]) -> tuple[Tally, list[bytes]]:
    """Games of a series, from a number on, so many: what came of them and, where they are kept,
    the games as lines of a file."""
    first, count = part
    tally = Tally()
    lines: list[bytes] = []
    is_unseen = series.seconds is None and all(
        need_of_name(name) == "number" for name in series.bots
    )
    if is_unseen and not is_kept:
        _play_unseen(series, part, tally)
        return tally, lines
    with BotProcess() if series.seconds is not None else nullcontext() as process:
        for i in range(first, first + count):
            match = _play_guarded(series, i, tally, process)
            if is_kept:
                lines.append(line_of(row_of(match, i, series.bots)))
    return tally, lines


def _play_guarded(
    series: Series, number: int, tally: Tally, process: BotProcess | None = None
) -> Match:
    """A game of a series in which lower levels stand in for bots that fail."""
    match = play_match(
        series.bots, series.rules, seed=series.seed + number, seats=series.seats,
        options=series.options, sets=series.sets, seconds=series.seconds, process=process,
    )  # fmt: skip
    faults = len(match.faults)
    tally.add_game(match.winner, match.score, match.rounds, match.decisions, faults)
    add_reasons(tally.reasons, reasons_of(match.faults))
    return match


def _play_unseen(series: Series, part: tuple[int, int], tally: Tally) -> None:
    """The same games where no bot looks: the engine alone plays them, and nothing is kept of
    what happened in them."""
    first, count = part
    loaded = load_rules(series.rules, series.options, load_card_sets(series.sets))
    names = by_country(series.bots, make_seats(series.rules, series.seats))
    # Bots that are dice and nothing else need not even be made.
    is_random = all(
        is_level(name) and type(load_bot(name, 0)) is RandomBot for name in names.values()
    )
    for seed in range(series.seed + first, series.seed + first + count):
        s = new_state(loaded, seed)
        if is_random:
            decisions = play_by_dice(s, [Dice(8 * seed + index) for index in range(6)])
        else:
            bots = [load_bot(names[c], 8 * seed + index) for index, c in enumerate(COUNTRIES)]
            choosers = [choose for bot in bots if (choose := chooser_of(bot)) is not None]
            try:
                decisions = len(play_unseen(s, choosers))
            except KeyboardInterrupt:
                raise
            except BaseException:  # a bot has failed, or would end the program
                _play_guarded(series, seed - series.seed, tally)
                continue
            finally:
                for bot in bots:
                    close_bot(bot)
        score = {"axis": s.axis_score, "allies": s.allies_score}
        tally.add_game(TEAMS[s.winner], score, s.round, decisions, 0)


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
    """Games number `first` to `first + count - 1` of a series."""
    series = Series(rules, dict(options), seats, tuple(bots), seed, tuple(sets), seconds)
    return play_part(series, False, (first, count))[0]


def simulate_many(
    series: Series, games: int, workers: int = 1, on: str = HERE, file: GamesFile | None = None
) -> Generator[Tally, None, None]:
    """The tallies of parts of a series, as they come; those of games that are in the file already
    come first. The other games are written to it, in their order."""
    begun = 0
    if file is not None:
        old = Tally()
        for row in file.rows:
            if begun < games:
                old.add_row(row)
                begun += 1
        if begun:
            yield old
    left = games - begun
    if not left:
        return
    most = _MOST if on == HERE or file is not None else _MOST_AFAR
    part = max(1, min(most, left // (4 * (workers or _MANY))))
    parts = [(first, min(part, games - first)) for first in range(begun, games, part)]
    play = partial(play_part, series, file is not None)
    early: dict[int, list[bytes]] = {}  # parts that came before those in front of them
    following = 0
    with closing(spread(play, parts, workers, on)) as results:
        for place, (tally, lines) in results:
            early[place] = lines
            while file is not None and following in early:
                file.add(early.pop(following))
                following += 1
            yield tally

"""Bots against each other: games with the sides swapped, and results on file. What they tell is in
`lab/standings.py`.

Two bots play every seed twice, each holding the Axis once, so that neither the cards nor the
better side can favour one of them.

>>> games = list(play_all(make_fixtures(["random"], [("second", {})], games=2, seed=5)))
>>> [game.rounds for game in games]
[20, 13]
"""

import json
import math
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from pathlib import Path
from time import perf_counter
from typing import Any

from quartermaster.bots import Bot, BotProcess, Guard, load_bot, make_bot
from quartermaster.bots.levels import SearchingBot, need_of
from quartermaster.bots.plugins import is_level
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import BrokenFile, QuartermasterError
from quartermaster.forms.notation import Action, country_index
from quartermaster.game import Game
from quartermaster.lab.faults import Reasons, add_reasons, reasons_of
from quartermaster.lab.match import play_game
from quartermaster.lab.spread import HERE, spread
from quartermaster.rules.names import COUNTRIES, TEAMS, team_of
from quartermaster.sight.look import Look

Options = tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Fixture:
    """A game to be played; what tells it from all others."""

    rules: str
    options: Options  # all that the rule set has
    seed: int
    axis: str  # the bots
    allies: str

    def __str__(self) -> str:
        return f"rules {self.rules}, seed {self.seed}, {self.axis} (axis) v {self.allies} (allies)"


@dataclass
class Thinking:
    """What deciding took."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0  # seconds of the longest decision
    faults: int = 0  # decisions a bot failed to make by itself
    simulations: int = 0  # of a bot that searches
    searching: float = 0.0  # seconds of that
    reasons: Reasons = field(default_factory=dict)  # of the faults, where they are known

    @property
    def simulations_per_second(self) -> float:
        return self.simulations / self.searching if self.searching else math.nan

    @property
    def seconds_per_decision(self) -> float:
        return self.seconds / self.decisions if self.decisions else math.nan

    def add(self, other: "Thinking") -> None:
        self.decisions += other.decisions
        self.seconds += other.seconds
        self.slowest = max(self.slowest, other.slowest)
        self.faults += other.faults
        self.simulations += other.simulations
        self.searching += other.searching
        add_reasons(self.reasons, other.reasons)

    def to_dict(self) -> dict[str, Any]:
        return {
            "decisions": self.decisions,
            "seconds": round(self.seconds, 6),
            "slowest": round(self.slowest, 6),
            "faults": self.faults,
            "simulations": self.simulations,
            "searching": round(self.searching, 6),
            **({"reasons": self.reasons} if self.reasons else {}),
        }


@dataclass
class Played:
    """A finished game. What belongs to a team is by `axis` and `allies`."""

    fixture: Fixture
    winner: str
    vp: dict[str, list[int]]  # at the end of each round
    thinking: dict[str, Thinking]

    @property
    def score(self) -> dict[str, int]:
        return {team: points[-1] for team, points in self.vp.items()}

    @property
    def rounds(self) -> int:
        return len(self.vp["axis"])

    @property
    def length(self) -> int:
        """The number of decisions."""
        return sum(thinking.decisions for thinking in self.thinking.values())

    @property
    def faults(self) -> int:
        return sum(thinking.faults for thinking in self.thinking.values())

    def to_dict(self) -> dict[str, Any]:
        fixture = self.fixture
        return {
            "rules": fixture.rules,
            "options": dict(fixture.options),
            "seed": fixture.seed,
            "axis": fixture.axis,
            "allies": fixture.allies,
            "winner": self.winner,
            "score": self.score,
            "rounds": self.rounds,
            "length": self.length,
            "faults": self.faults,
            "vp": self.vp,
            "thinking": {team: thinking.to_dict() for team, thinking in self.thinking.items()},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Played":
        """The game `to_dict` gave; `QuartermasterError` if it is none."""
        try:
            fixture = Fixture(
                _a(str, data["rules"]),
                _options({name: _a(bool, value) for name, value in data["options"].items()}),
                _a(int, data["seed"]),
                _a(str, data["axis"]),
                _a(str, data["allies"]),
            )
            vp = {team: [_a(int, points) for points in data["vp"][team]] for team in TEAMS}
            thinking = {
                team: Thinking(
                    _a(int, data["thinking"][team]["decisions"]),
                    float(data["thinking"][team]["seconds"]),
                    float(data["thinking"][team]["slowest"]),
                    _a(int, data["thinking"][team]["faults"]),
                    _a(int, data["thinking"][team].get("simulations", 0)),
                    float(data["thinking"][team].get("searching", 0.0)),
                    dict(data["thinking"][team].get("reasons", {})),
                )
                for team in TEAMS
            }
            winner = data["winner"]
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise QuartermasterError(f"no game of an arena: {error!r}") from None
        if winner not in TEAMS:
            raise QuartermasterError(f"winner: expected axis or allies, got {winner!r}")
        if not vp["axis"] or len(vp["axis"]) != len(vp["allies"]):
            raise QuartermasterError("vp: expected the points of both teams after each round")
        return cls(fixture, winner, vp, thinking)


def _a(kind: type, value: Any) -> Any:
    if type(value) is not kind:
        raise TypeError(f"expected {kind.__name__}, got {value!r}")
    return value


def _options(options: Mapping[str, bool]) -> Options:
    return tuple(sorted(options.items()))


# -- playing -------------------------------------------------------------------------------


def make_fixtures(
    bots: Sequence[str],
    rule_sets: Sequence[tuple[str, Mapping[str, bool]]],
    games: int,
    seed: int = 0,
) -> list[Fixture]:
    """The games of every bot with every other, or of a single one with itself, on rule sets
    with their options.

    `games` are those of each pair on each rule set, one more if it is odd. They are in an
    order that leaves few seeds half played wherever one stops.
    """
    names = list(dict.fromkeys(bots))
    loaded = [load_rules(name, options) for name, options in rule_sets]
    sides = [side for a, b in combinations(names, 2) for side in ((a, b), (b, a))]
    seeds = (games + 1) // 2
    if len(names) == 1:
        sides = [(names[0], names[0])]
        seeds = games
    return [
        Fixture(rules.name, _options(rules.options), number, axis, allies)
        for number in range(seed, seed + seeds)
        for rules in loaded
        for axis, allies in sides
    ]


class _Watched:
    """A bot with a clock beside it."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        # Its decisions are timed one by one, so it is asked in full.
        self.needs = "look" if need_of(bot) == "look" else "actions"
        self.thinking = Thinking()

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        start = perf_counter()
        action = self.bot.decide(look, actions)
        seconds = perf_counter() - start
        self.thinking.add(Thinking(1, seconds, seconds))
        return action


def play_fixture(fixture: Fixture, seconds: float | None = None) -> Played:
    """Play a game. Everything in it but the times follows from the fixture.

    Bots that people bring along are guarded, and all bots are where a decision may not take
    longer than some `seconds`: what they fail to decide counts as a fault. A level of the game
    itself that fails has a fault of ours, which stops all.
    """
    with BotProcess() if seconds is not None else nullcontext() as process:
        return _play(fixture, seconds, process)


def _play(fixture: Fixture, seconds: float | None, process: BotProcess | None) -> Played:
    game = Game.new(fixture.rules, seed=fixture.seed, seats=2, options=dict(fixture.options))
    names = {"axis": fixture.axis, "allies": fixture.allies}
    bots = {
        country: _Watched(
            _player(names[_team(country)], fixture.seed * 8 + index, seconds, process)
        )
        for index, country in enumerate(COUNTRIES)
    }
    try:
        play_game(game, bots)
    except QuartermasterError as error:
        # A plain error: one with fields of its own could not be sent from another process.
        raise QuartermasterError(f"{fixture}: {error}") from None
    except Exception as error:
        error.add_note(f"in the game of {fixture}")
        raise
    finally:
        for watched in bots.values():
            if isinstance(watched.bot, Guard):
                watched.bot.close()
    thinking = {team: Thinking() for team in TEAMS}
    for country, watched in bots.items():
        thinking[_team(country)].add(watched.thinking)
        thinking[_team(country)].faults += _faults(watched.bot)
        if isinstance(watched.bot, Guard):
            add_reasons(thinking[_team(country)].reasons, reasons_of(watched.bot.faults))
        if isinstance(watched.bot, SearchingBot):
            thinking[_team(country)].simulations += watched.bot.simulations
            thinking[_team(country)].searching += watched.bot.thinking
    assert game.winner is not None
    return Played(fixture, game.winner, _points_by_round(game), thinking)


def _player(name: str, seed: int, seconds: float | None, process: BotProcess | None) -> Bot:
    if is_level(name) and seconds is None:
        return make_bot(name, seed)
    return Guard(name, seed, seconds, process, load_bot)


def _faults(bot: Bot) -> int:
    """How often a bot says it failed, as a number or a list; most say nothing."""
    faults = getattr(bot, "faults", 0)
    return faults if isinstance(faults, int) else len(faults)


def _team(country: str) -> str:
    return TEAMS[team_of(country_index(country))]


def _points_by_round(game: Game) -> dict[str, list[int]]:
    """Each team's points at the end of every round, read from the log: a round may end between
    two decisions."""
    now = dict.fromkeys(TEAMS, 0)
    vp: dict[str, list[int]] = {team: [] for team in TEAMS}
    for what, country, _, _, _, n, _ in game.raw_log:
        if what == "score":
            now[TEAMS[team_of(country)]] += n
        elif what == "round":
            for team in TEAMS:
                vp[team].append(now[team])
    for team in TEAMS:
        vp[team].append(now[team])
    return vp


def play_all(
    fixtures: Sequence[Fixture],
    workers: int = 1,
    seconds: float | None = None,
    on: str = HERE,
) -> Generator[Played, None, None]:
    """The games as they finish, in that many processes or on Ray; a decision may take so many
    seconds."""
    play = partial(play_fixture, seconds=seconds)
    with closing(spread(play, fixtures, workers, on)) as results:
        for _, played in results:
            yield played


# -- results on file -----------------------------------------------------------------------

_START = b'{"rules": '  # how each line begins


class ResultsFile:
    """Games on file, one JSON line each, written as they finish.

    `games` are those it holds. A last line that was cut off is not one of them and is
    overwritten; any other line that is no game is a `BrokenFile`.
    """

    def __init__(self, path: Path) -> None:
        self.games: dict[Fixture, Played] = {}
        path.parent.mkdir(parents=True, exist_ok=True)
        data = path.read_bytes() if path.exists() else b""
        *lines, rest = data.split(b"\n")
        for number, line in enumerate(lines, 1):
            self._take(line, str(path), number)
        end = len(data)
        if rest:
            try:
                self._take(rest, str(path), len(lines) + 1)
            except BrokenFile:
                if not rest.startswith(_START[: len(rest)]):
                    raise  # nothing that was ever written here
                end -= len(rest)
        self._file = path.open("ab")
        self._file.truncate(end)
        if end and rest and end == len(data):
            self._write(b"\n")

    def _take(self, line: bytes, source: str, number: int) -> None:
        try:
            data = json.loads(line)
            if not isinstance(data, dict):
                raise QuartermasterError(f"expected a game, got {line[:40].decode()!r}")
            game = Played.from_dict(data)
        except QuartermasterError as error:
            raise BrokenFile(source, number, str(error)) from None
        except ValueError as error:
            raise BrokenFile(source, number, f"no JSON: {error}") from None
        self.games.setdefault(game.fixture, game)

    def add(self, game: Played) -> None:
        self.games[game.fixture] = game
        self._write(json.dumps(game.to_dict()).encode() + b"\n")

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()

    def __enter__(self) -> "ResultsFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

"""What games of bots against each other tell (`lab/arena.py`): who wins how often, ratings, points,
time to think, with what chance may account for.

>>> from quartermaster.lab.arena import make_fixtures, play_all
>>> games = list(play_all(make_fixtures(["random"], [("second", {})], games=2, seed=5)))
>>> report = make_reports(["random"], games)[0]
>>> report.games, report.pairings[0].is_self_play
(2, True)
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from quartermaster.cards.rule_sets import load_rules
from quartermaster.lab.arena import Options, Played, Thinking
from quartermaster.lab.ratings import Interval, as_rating, mean, rate, ratings, wilson
from quartermaster.rules.names import TEAMS


@dataclass
class PairingReport:
    """Two bots, told from the first one's side; of a bot and itself, from the Axis'."""

    a: str
    b: str
    games: int
    win_rate: Interval
    as_axis: Interval
    as_allies: Interval
    margin: Interval  # VP ahead
    thinking: tuple[Thinking, Thinking]

    @property
    def is_self_play(self) -> bool:
        return self.a == self.b

    @property
    def labels(self) -> tuple[str, str]:
        if self.is_self_play:
            return f"{self.a} (Axis)", f"{self.b} (Allies)"
        return self.a, self.b

    @property
    def rating_difference(self) -> Interval:
        return as_rating(self.win_rate)

    def to_dict(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            "games": self.games,
            "win_rate": _plain(self.win_rate, 4),
            "as_axis": _plain(self.as_axis, 4),
            "as_allies": _plain(self.as_allies, 4),
            "rating_difference": _plain(self.rating_difference, 1),
            "vp_margin": _plain(self.margin, 2),
            "thinking": [_plain_thinking(thinking) for thinking in self.thinking],
        }


@dataclass
class Report:
    """All games on one rule set."""

    rules: str
    options: dict[str, bool]
    games: int = 0
    axis_wins: Interval = field(default_factory=lambda: wilson(0, 0))
    pairings: list[PairingReport] = field(default_factory=list)
    ratings: dict[str, Interval] = field(default_factory=dict)  # of more than two bots
    thinking: dict[str, Thinking] = field(default_factory=dict)  # by bot
    vp_by_round: dict[str, list[Interval]] = field(default_factory=dict)  # by bot, or side

    @property
    def title(self) -> str:
        """The rule set with those of its options that are not as usual."""
        if self.options["air-marshal"]:
            return f"rules {self.rules} with Air Marshal"
        usual = load_rules(self.rules).options
        words = [f"rules {self.rules}"]
        for name, value in self.options.items():
            if value != usual[name]:
                words.append(f"{name} {'on' if value else 'off'}")
        return ", ".join(words)

    def to_dict(self) -> dict[str, Any]:
        return {
            "rules": self.rules,
            "options": self.options,
            "games": self.games,
            "axis_win_rate": _plain(self.axis_wins, 4),
            "pairings": [pairing.to_dict() for pairing in self.pairings],
            "ratings": {bot: _plain(value, 1) for bot, value in self.ratings.items()},
            "thinking": {bot: _plain_thinking(value) for bot, value in self.thinking.items()},
            "mean_vp_by_round": {
                label: [round(points.value, 2) for points in line]
                for label, line in self.vp_by_round.items()
            },
        }


def _plain(estimate: Interval, digits: int) -> dict[str, float | None]:
    """Data for JSON, which has no infinite numbers: None stands for them."""
    return {
        name: round(value, digits) if math.isfinite(value) else None
        for name, value in estimate._asdict().items()
    }


def _plain_thinking(thinking: Thinking) -> dict[str, Any]:
    each = thinking.seconds_per_decision
    per_decision = None if math.isnan(each) else round(each, 6)
    return {**thinking.to_dict(), "seconds_per_decision": per_decision}


def make_reports(bots: Sequence[str], games: Iterable[Played]) -> list[Report]:
    """What games between these bots tell, by rule set, in whatever order they finished."""
    names = list(dict.fromkeys(bots))
    by_rules: dict[tuple[str, Options], list[Played]] = {}
    for game in games:
        fixture = game.fixture
        if fixture.axis in names and fixture.allies in names:
            by_rules.setdefault((fixture.rules, fixture.options), []).append(game)
    return [
        _report(names, rules, options, sorted(some, key=_order))
        for (rules, options), some in by_rules.items()
    ]


def _order(game: Played) -> tuple[int, str, str]:
    return game.fixture.seed, game.fixture.axis, game.fixture.allies


def _report(bots: list[str], rules: str, options: Options, games: list[Played]) -> Report:
    report = Report(rules, dict(options), len(games))
    report.axis_wins = rate(_by_seed(games, lambda game: game.winner == "axis"))
    pairs = list(combinations(bots, 2)) or [(bots[0], bots[0])]
    for a, b in pairs:
        of_pair = [game for game in games if {game.fixture.axis, game.fixture.allies} == {a, b}]
        if of_pair:
            report.pairings.append(_pairing(a, b, of_pair))
    for bot in bots:
        report.thinking[bot] = Thinking()
        for game in games:
            for team in _teams_of(bot, game):
                report.thinking[bot].add(game.thinking[team])
    if len(bots) > 2:
        anchor = "random" if "random" in bots else bots[0]
        report.ratings = ratings(bots, _wins_by_seed(games), anchor)
    if len(bots) == 1:
        for label, team in zip(report.pairings[0].labels, TEAMS, strict=True):
            report.vp_by_round[label] = _vp_by_round(games, bots[0], [team])
    else:
        for bot in bots:
            report.vp_by_round[bot] = _vp_by_round(games, bot, TEAMS)
    return report


def _teams_of(bot: str, game: Played) -> list[str]:
    names = {"axis": game.fixture.axis, "allies": game.fixture.allies}
    return [team for team in TEAMS if names[team] == bot]


def _pairing(a: str, b: str, games: list[Played]) -> PairingReport:
    def side(game: Played) -> str:
        return "axis" if game.fixture.axis == a else "allies"

    def margin(game: Played) -> float:
        ahead = game.score["axis"] - game.score["allies"]
        return ahead if side(game) == "axis" else -ahead

    as_axis, as_allies = (
        [game.winner == team for game in games if side(game) == team] for team in TEAMS
    )
    thinking = (Thinking(), Thinking())
    for game in games:
        for team in TEAMS:
            thinking[team != side(game)].add(game.thinking[team])
    return PairingReport(
        a,
        b,
        len(games),
        win_rate=rate(_by_seed(games, lambda game: game.winner == side(game))),
        as_axis=wilson(sum(as_axis), len(as_axis)),
        as_allies=wilson(sum(as_allies), len(as_allies)),
        margin=mean(_by_seed(games, margin)),
        thinking=thinking,
    )


def _by_seed(games: list[Played], value: Callable[[Played], float]) -> list[list[float]]:
    """A number of each game, those with the same seed together: they share their cards."""
    groups: dict[int, list[float]] = {}
    for game in games:
        groups.setdefault(game.fixture.seed, []).append(value(game))
    return list(groups.values())


def _wins_by_seed(games: list[Played]) -> list[dict[tuple[str, str], float]]:
    seeds: dict[int, dict[tuple[str, str], float]] = {}
    for game in games:
        axis, allies = game.fixture.axis, game.fixture.allies
        pair = (axis, allies) if game.winner == "axis" else (allies, axis)
        wins = seeds.setdefault(game.fixture.seed, {})
        wins[pair] = wins.get(pair, 0) + 1
    return list(seeds.values())


def _vp_by_round(games: list[Played], bot: str, teams: Sequence[str]) -> list[Interval]:
    """A bot's mean points after each round; a game that ended early keeps its last score, or
    only the close games would be left in the late rounds."""
    line = []
    for number in range(max(game.rounds for game in games)):
        groups: dict[int, list[float]] = {}
        for game in games:
            at = min(number, game.rounds - 1)
            for team in _teams_of(bot, game):
                if team in teams:
                    groups.setdefault(game.fixture.seed, []).append(game.vp[team][at])
        line.append(mean(list(groups.values())))
    return line

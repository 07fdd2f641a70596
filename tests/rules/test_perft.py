"""Golden numbers: how many lines of play there are, and how fixed games end.

As a chess engine's perft: a change of the rules that nobody meant shows as a number that
is different. Where a change was meant, `python tests/rules/golden/regenerate.py` writes the
numbers anew; the difference belongs into the same commit.
"""

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from quartermaster import Game
from quartermaster.rules.engine import apply
from quartermaster.rules.state import State

GOLDEN = Path(__file__).parent / "golden"
MEANT = "if games are meant to differ: python tests/rules/golden/regenerate.py"


@dataclass(frozen=True)
class Start:
    """Where counting begins: a position, or a new game some way on."""

    name: str
    depth: int
    rules: str = "second"
    options: dict[str, bool] = field(default_factory=dict)
    position: dict[str, Any] | None = None
    seed: int = 0
    way: int = 0  # actions played first, by the rule of `fixed_action`

    def game(self) -> Game:
        if self.position is not None:
            return Game.from_position(self.position, rules=self.rules, options=self.options)
        game = Game.new(self.rules, seed=self.seed, options=self.options)
        for _ in range(self.way):
            fixed_action(game)
        return game


# Germany may battle, and both sides have something to say about it.
EASTERN_FRONT: dict[str, Any] = {
    "turn": "germany",
    "pieces": {
        "germany": ["germany", "eastern-europe", "balkans"],
        "soviet-union": ["moscow", "ukraine", "russia"],
    },
    "hand": {"germany": ["land-battle", "build-army"], "soviet-union": ["build-army"]},
    "table": {"germany": ["blitzkrieg", "dive-bombers"]},
    "set": {"soviet-union": ["stalingrad", "rasputitsa"]},
}
# Straits, ports and fleets.
PACIFIC: dict[str, Any] = {
    "turn": "japan",
    "pieces": {
        "japan": ["japan", "sea-of-japan", "southeast-asia", "south-china-sea", "china"],
        "united-kingdom": ["united-kingdom", "india", "bay-of-bengal", "australia"],
        "united-states": ["eastern-united-states", "western-united-states", "east-pacific"],
    },
    "hand": {
        "japan": ["sea-battle", "build-navy", "land-battle"],
        "united-kingdom": ["sea-battle"],
        "soviet-union": ["land-battle"],
    },
    "set": {"japan": ["destroyer-transport", "surprise-attack"]},
}
AIR_WAR: dict[str, Any] = {
    **EASTERN_FRONT,
    "air": {"germany": ["eastern-europe", "balkans"], "soviet-union": ["ukraine"]},
    "hand": {
        "germany": ["land-battle", "deploy-air-force", "build-army"],
        "soviet-union": ["build-army", "deploy-air-force"],
    },
}
AIR = {"air-marshal": True}

STARTS = [
    Start("setup, first", 4, "first", seed=1),
    Start("setup, french", 4, "french", seed=1),
    Start("setup, second", 4, "second", seed=1),
    Start("setup, second with air marshal", 4, "second", AIR, seed=1),
    Start("eastern front, first", 10, "first", position=EASTERN_FRONT),
    Start("eastern front, french", 10, "french", position=EASTERN_FRONT),
    Start("eastern front, second", 10, "second", position=EASTERN_FRONT),
    Start("pacific, first", 9, "first", position=PACIFIC),
    Start("pacific, french", 9, "french", position=PACIFIC),
    Start("pacific, second", 9, "second", position=PACIFIC),
    Start("air war, first", 9, "first", AIR, AIR_WAR),
    Start("air war, french", 9, "french", AIR, AIR_WAR),
    Start("air war, second", 9, "second", AIR, AIR_WAR),
    Start("on the way, first", 6, "first", seed=2, way=120),
    Start("on the way, first with all options", 6, "first",
          {"reallocate": True, "lead-victory": True}, seed=2, way=120),
    Start("on the way, first with air marshal", 6, "first", AIR, seed=2, way=150),
    Start("on the way, french", 6, "french", seed=3, way=120),
    Start("on the way, french with air marshal", 6, "french", AIR, seed=3, way=150),
    Start("on the way, second", 6, "second", seed=4, way=120),
    Start("on the way, second without reallocating", 6, "second",
          {"reallocate": False}, seed=4, way=120),
    Start("on the way, second with air marshal", 6, "second", AIR, seed=4, way=150),
]  # fmt: skip

PLAYTHROUGHS = [
    ("first", {"reallocate": True}, 101),
    ("french", AIR, 102),
    ("second", {}, 103),
    ("second", AIR, 104),
]


def fixed_action(game: Game) -> None:
    """Play on by a rule that takes every kind of action now and then."""
    actions = game.legal_actions()
    game.apply(actions[7 * len(game.history) % len(actions)])


def perft(state: State, depth: int) -> int:
    """The number of ways to play so many actions. Games that end before do not count."""
    if depth == 1:
        return len(state.options)
    count = 0
    for code in state.options:
        after = state.copy()
        apply(after, code)
        count += perft(after, depth - 1)
    return count


def counts(start: Start) -> list[int]:
    state = start.game().state
    return [perft(state, depth) for depth in range(1, start.depth + 1)]


def playthrough(rules: str, options: dict[str, bool], seed: int) -> dict[str, Any]:
    game = Game.new(rules, seed=seed, options=options)
    while not game.is_over:
        fixed_action(game)
    return {
        "rules": rules,
        "options": options,
        "seed": seed,
        "score": game.score,
        "winner": game.winner,
        "actions": len(game.history),
        "record-sha256": hashlib.sha256(game.record.encode()).hexdigest(),
    }


def regenerate() -> None:
    """Write the golden files anew from what the engine does now."""
    numbers = {start.name: counts(start) for start in STARTS}
    lines = [f" {json.dumps(name)}: {json.dumps(counted)}" for name, counted in numbers.items()]
    (GOLDEN / "perft.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    games = [playthrough(*given) for given in PLAYTHROUGHS]
    (GOLDEN / "playthroughs.json").write_text(json.dumps(games, indent=1) + "\n", encoding="utf-8")


def golden(name: str) -> Any:
    return json.loads((GOLDEN / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.name)
def test_perft(start: Start) -> None:
    assert counts(start) == golden("perft.json")[start.name], MEANT


@pytest.mark.parametrize("place", range(len(PLAYTHROUGHS)))
def test_playthrough(place: int) -> None:
    assert playthrough(*PLAYTHROUGHS[place]) == golden("playthroughs.json")[place], MEANT


def test_every_golden_number_is_asked_for() -> None:
    assert list(golden("perft.json")) == [start.name for start in STARTS]
    assert len(golden("playthroughs.json")) == len(PLAYTHROUGHS)

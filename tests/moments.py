"""Decisions of lively games, for tests of what bots make of them."""

import random
from collections.abc import Iterator

from quartermaster import Game
from quartermaster.lab.checks.fuzz import crowded_game, lively_action


def moments(rules: str, air: bool, every: int) -> Iterator[Game]:
    """Decisions of two lively games, one in so many."""
    options = {"air-marshal": air}
    rng = random.Random(9)
    for game in (Game.new(rules, seed=9, options=options), crowded_game(rules, options, rng)):
        while not game.is_over:
            if len(game.history) % every == every - 1:
                yield game
            game.apply(lively_action(game, rng))

"""How much one must click to play. `make clicks` plays more games, and prints figures."""

import importlib
import sys
from pathlib import Path
from statistics import mean, median

from playwright.sync_api import Browser

from browsers import needs_chromium
from servers import Server

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))


@needs_chromium
def test_a_normal_turn_takes_three_clicks_and_few_decisions_are_a_pass(
    chromium: Browser, server: Server
) -> None:
    figures = importlib.import_module("clicks").measure(chromium, server, games=2)
    print(f"\n{figures}")
    assert len(figures.turns) > 5 * figures.games
    assert mean(figures.turns) <= 3
    assert median(figures.turns) <= 3
    assert figures.passes < figures.decisions / 10

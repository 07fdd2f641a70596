"""Points for stars: what the victory step gives is what `income` foretold, by one rule."""

from typing import Any

import pytest

from quartermaster import Game
from quartermaster.rules.names import COUNTRIES, TEAMS, team_of
from quartermaster.rules.victory import LAST_ROUND, income

ALONE = {"germany": ["germany", "western-europe"]}
SHARED = {**ALONE, "italy": ["italy", "western-europe"]}
CUT_OFF = {"germany": ["germany", "ukraine"], "soviet-union": ["moscow"]}
OCCUPIED = {"germany": ["western-europe"], "soviet-union": ["moscow", "germany"]}


@pytest.mark.parametrize(
    ("pieces", "germany"),
    [({}, 2), (ALONE, 4), (SHARED, 3), (OCCUPIED, 0), ({"germany": ["balkans"]}, 0)],
)
def test_stars_bring_points(pieces: dict[str, list[str]], germany: int) -> None:
    game = Game.from_position({"pieces": pieces})
    assert income(game.state, 0) == germany


@pytest.mark.parametrize("pieces", [{}, ALONE, SHARED, CUT_OFF, OCCUPIED])
@pytest.mark.parametrize("country", range(6))
def test_the_victory_step_gives_what_was_foretold(
    pieces: dict[str, list[str]], country: int
) -> None:
    """Supply is looked at before the victory step, so `income` counts supplied pieces only."""
    position: dict[str, Any] = {"turn": COUNTRIES[country], "pieces": pieces}
    foretold = income(Game.from_position(position).state, country)
    after = Game.from_position({**position, "step": "supply"})
    assert after.score[TEAMS[team_of(country)]] == foretold


def test_there_is_one_last_round() -> None:
    last = {"round": LAST_ROUND, "turn": "united-states", "step": "victory"}
    game = Game.from_position(last)
    while not game.is_over:
        game.apply(game.legal_actions()[-1])
        assert game.state.round == LAST_ROUND
    with pytest.raises(ValueError, match=f"round: expected 1 to {LAST_ROUND}"):
        Game.from_position({"round": LAST_ROUND + 1})

"""Records of deals that a server could have made up, though all their hashes are right."""

import random
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quartermaster import Deal, Game
from quartermaster.cli.main import app
from quartermaster.fairness import verify

SECRET, ANNA, BEN, MORE = ("11" * 32, "aa" * 32, "bb" * 32, "cc" * 32)


def played(deal: Deal, seats: int = 2) -> str:
    """The record of a game that began with a deal."""
    game = Game.new(seed=deal.seed, seats=seats)
    game.deal = deal
    rng = random.Random(1)
    for _ in range(40):
        game.apply(rng.choice(game.legal_actions()))
    return game.record


@pytest.mark.parametrize(
    ("added", "is_fair"),
    [
        (((0, ANNA), (1, BEN)), True),
        (((1, BEN),), True),
        ((), True),
        (((0, ANNA), (1, BEN), (2, MORE)), False),  # there are two seats
        (((0, ANNA), (1, BEN), (1, MORE)), False),
        (((1, BEN), (0, ANNA)), False),
        (((-1, MORE), (0, ANNA), (1, BEN)), False),
    ],
)
def test_nothing_is_added_but_once_by_a_seat(
    added: tuple[tuple[int, str], ...], is_fair: bool
) -> None:
    """Whoever runs the server could else try additions of nobody until the cards suit them."""
    record = played(Deal(SECRET, added))
    verdict = verify(record, commitment=Deal(SECRET).commitment)
    assert verdict.result == ("fair" if is_fair else "unfair")
    assert [check.id for check in verdict.checks if not check.is_right] == (
        [] if is_fair else ["seats"]
    )


def test_a_game_that_goes_on_from_a_position_is_said_to(tmp_path: Path) -> None:
    """Also where nothing was done before the deal: who set it up has chosen the board."""
    game = Game.from_position({"pieces": {"germany": ["germany", "ukraine"]}})
    game.deal_anew(Deal(SECRET).seed)
    game.deal = Deal(SECRET)
    verdict = verify(game.record)
    assert (verdict.result, verdict.since, verdict.goes_on) == ("fair", 0, True)
    file = tmp_path / "game.txt"
    file.write_text(game.record)
    told = CliRunner().invoke(app, ["verify", str(file)])
    assert told.exit_code == 0
    assert "goes on from a record: checked from action 0 on" in told.output
    assert not verify(played(Deal(SECRET))).goes_on

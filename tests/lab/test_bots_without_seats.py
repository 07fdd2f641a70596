"""Bots that would never play are refused: who names three for two seats thinks that all play."""

import pytest
from typer.testing import CliRunner

from quartermaster import QuartermasterError, play_match
from quartermaster.cli.main import app


def test_a_match_refuses_more_bots_than_seats() -> None:
    with pytest.raises(QuartermasterError, match="at most one for each of 2 seats, got 3"):
        play_match(["random", "rookie", "veteran"])
    assert play_match(["random"] * 3, seats=3).faults == ()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--bots", "random,rookie,veteran"], "at most one for each of 2 seats, got 3"),
        (["--seed", "99999999999999999999999"], "seed: expected a whole number of at most 64 bits"),
    ],
)
def test_simulate_refuses_before_it_plays(arguments: list[str], expected: str) -> None:
    result = CliRunner().invoke(app, ["simulate", "--games", "1", *arguments])
    assert result.exit_code == 2
    assert expected in " ".join(result.output.split())

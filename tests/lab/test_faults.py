"""A bot that fails is told with its reason, wherever many games are played."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quartermaster.cli.main import app

REASON = "raised RuntimeError: boom"
runner = CliRunner(env={"COLUMNS": "300"})


@pytest.fixture
def failing(tmp_path: Path) -> str:
    (tmp_path / "failing.py").write_text(
        "class Fails:\n"
        "    needs = 'actions'\n"
        "    def decide(self, look, actions):\n"
        "        raise RuntimeError('boom')\n"
    )
    return f"{tmp_path / 'failing.py'}:Fails"


def run(*arguments: str) -> str:
    result = runner.invoke(app, [*arguments, "--workers", "1"])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_simulate_tells_why(failing: str) -> None:
    command = ("simulate", "-n", "2", "--bots", f"{failing},random")
    told = run(*command)
    assert "Bots failed 18 times; lower levels stood in for them" in told
    assert f"18x {failing}: {REASON}" in told
    data = json.loads(run(*command, "--json"))
    assert data["reasons"] == {f"{failing}: {REASON}": 18}
    assert json.loads(run("simulate", "-n", "2", "--json"))["reasons"] == {}


def test_the_arena_tells_why_also_of_games_on_file(failing: str, tmp_path: Path) -> None:
    out = tmp_path / "arena.jsonl"
    command = ("arena", "-n", "2", "--bots", f"{failing},random", "--out", str(out))
    for _ in range(2):  # the second time all games are on file
        told = run(*command)
        assert f"18x {failing}: {REASON}" in told
    assert "reasons" not in out.read_text().partition('"allies": {"decisions"')[2].split("}")[0]

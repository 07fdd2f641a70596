"""Every line of the benchmarks has a command that can be given as it stands."""

import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from quartermaster import load_rules
from quartermaster.bots.plugins import need_of_name

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "benchmarks.md").read_text(encoding="utf-8")
COMMANDS = {
    letter: shlex.split(command)
    for command, letters in re.findall(r"^(\S.*?) +# ([A-Z](?: [A-Z])*)$", PAGE, re.MULTILINE)
    for letter in letters.split()
}


def test_every_line_has_one_command() -> None:
    lines = re.findall(r"^\| ([A-Z]): ", PAGE, re.MULTILINE)
    assert lines == sorted(COMMANDS)
    assert len(lines) >= 8


@pytest.mark.parametrize("letter", COMMANDS)
def test_a_line_says_what_its_command_plays(letter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command = COMMANDS[letter]
    [(told, rules, games)] = re.findall(
        rf"^\| {letter}: (.*?) \| `(\w+)` \| (\d+), from ", PAGE, re.MULTILINE
    )
    given = dict(pairwise(command))
    load_rules(rules)
    if command[0] == "quartermaster":
        assert (given["--rules"], given["--games"]) == (rules, games)
        first, second = given["--bots"].split(",")
        need_of_name(first)
        assert told.endswith(f"against `{second}`")
        assert ".py:" in first or f"`{first}`" in told
    else:
        example = (ROOT / command[1]).read_text(encoding="utf-8")
        for option in command[2::2]:
            assert f'"{option}"' in example
        assert given["--tests"] == games

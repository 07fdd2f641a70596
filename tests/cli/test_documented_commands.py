"""Every command line that a page shows names a command that there is, and options that it has."""

import re
from pathlib import Path

import pytest
import typer
from typer.core import TyperCommand, TyperGroup

from quartermaster.cli.main import app

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]
COMMANDS = typer.main.get_command(app)
OTHERS = ("import ", "record ", "deal ")  # begin what is no command: Python, and heads of files


def command_lines(text: str) -> list[str]:
    """What stands behind `quartermaster` where a command is shown: in a block, or in marks.

    >>> command_lines("`quartermaster play --new` begins.\\n\\n.venv/bin/quartermaster serve  # so")
    ['play --new', 'serve']
    """
    found = re.findall(r"(?:^ *|`)(?:[\w./-]*/)?quartermaster ([a-z][^`\n]*)", text, re.MULTILINE)
    shown = [re.split(r"\s#\s|\\$", line)[0].strip() for line in found]
    return [line for line in shown if not line.startswith(OTHERS)]


def unknown_in(line: str) -> list[str]:
    """What a command line names that is not there.

    >>> unknown_in("play --as italy"), unknown_in("play --sa italy"), unknown_in("plya")
    ([], ['--sa'], ['plya'])
    """
    command, words = COMMANDS, line.split()
    while isinstance(command, TyperGroup) and words:
        if words[0] not in command.commands:
            return [words[0]]
        inner = command.commands[words.pop(0)]
        assert isinstance(inner, TyperGroup | TyperCommand)
        command = inner
    known = {"-h", "--help"}
    known |= {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    return [word for word in words if re.fullmatch(r"--?[a-z][a-z-]*", word) and word not in known]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_commands_of_a_page_are_there(page: Path) -> None:
    lines = command_lines(page.read_text(encoding="utf-8"))
    assert {line: lost for line in lines if (lost := unknown_in(line))} == {}


def test_pages_show_commands() -> None:
    shown = [line for page in PAGES for line in command_lines(page.read_text(encoding="utf-8"))]
    assert len(shown) > 50

"""The pages name files that are there, and the architecture names every module of the core and
of the server."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "quartermaster"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = {"desert.py", "dunes.py", "bots/mine.py", "mine.py", "builder.py", "FILE.py"}
EXAMPLES |= {"tests/cards/scenarios/EDITION/COUNTRY.yaml"}


@cache
def tracked_files() -> list[str]:
    """The files of the repository. A page may leave out where a path begins."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return listed.stdout.splitlines()


def named_files(text: str) -> set[str]:
    """Paths of source files in `marks`, with nothing but a path in them.

    >>> sorted(named_files("`rules/turn.py`, `python tools/load.py`, `x.py:Bot`, `compile.py`"))
    ['compile.py', 'rules/turn.py']
    """
    return set(re.findall(r"`(\w[\w./-]*\.(?:py|js|css|sh|json|service|yaml))`", text))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_page_names_is_there(page: Path) -> None:
    there = {f"/{path}" for path in tracked_files()}
    named = named_files(page.read_text(encoding="utf-8")) - EXAMPLES
    assert {name for name in named if not any(path.endswith(f"/{name}") for path in there)} == set()


@pytest.mark.parametrize(("room", "heading"), [("rules", "The core"), ("server", "The server")])
def test_the_architecture_names_every_module(room: str, heading: str) -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = re.split(rf"^## {heading}.*$", page, flags=re.MULTILINE)[1].split("\n## ")[0]
    modules = {path.name for path in (SOURCE / room).glob("*.py")} - {"__init__.py"}
    modules |= {f"{path.parent.name}/" for path in (SOURCE / room).glob("*/__init__.py")}
    assert {name for name in modules if f"`{name}`" not in section and name != "table/"} == set()

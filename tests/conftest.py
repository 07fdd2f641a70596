"""Fixtures that any test may use, and the same terminal for all."""

import os
from functools import cache
from pathlib import Path

import pytest

# Output that tests read does not depend on the terminal they run in. Set before anything is
# imported: rich and typer look at these once.
LANGUAGES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
TERMINAL = ("COLUMNS", "FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS", "TTY_COMPATIBLE")
for name in (*LANGUAGES, *TERMINAL):
    os.environ.pop(name, None)
# Tests are of the sources unless asked otherwise (`make test`), even where they are kept compiled.
os.environ.setdefault("QUARTERMASTER_COMPILE", "never")

from databases import database_url, empty_url, postgres_server, postgres_url  # noqa: E402
from places import place  # noqa: E402
from remembered import nothing_remembered  # noqa: E402
from servers import Server  # noqa: E402

__all__ = [
    "database_url",
    "empty_url",
    "nothing_remembered",
    "place",
    "postgres_server",
    "postgres_url",
]

Server.is_forked = True

# Several processes share the files out in this order: one that takes long should not begin last.
_LONGEST = (
    *("server/test_leaks.py", "server/test_kill.py", "server/test_backups.py", "page", "server"),
    *("rules/test_invariants.py", "packaging", "rules/test_compiled.py"),
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = Path(__file__).parent

    @cache
    def place(path: Path) -> int:
        long = [tests / name in (path, *path.parents) for name in _LONGEST]
        return long.index(True) if True in long else len(long)

    items.sort(key=lambda item: place(item.path))

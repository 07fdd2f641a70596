"""When the database fails: a full disk, a lock that another program holds, a lost file or server.

That is nobody's bug and comes to an end: people are told so with 503, and the log gets one line
without a traceback. What was not acknowledged may be sent again, and is recognised if it was done.
"""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
)

from quartermaster.server.refusals import Refused

log = logging.getLogger("quartermaster.server.database")

_OURS = (DataError, IntegrityError, NotSupportedError, ProgrammingError)  # what we asked is wrong
_LOST = (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, TimeoutError)
_FULL = ("disk is full", "no space left", "disk i/o error", "could not extend file")
_AGAIN = {"retry-after": "5"}  # seconds


@contextmanager
def telling_failures() -> Iterator[None]:
    """Refuse with 503 what fails because the database does."""
    try:
        yield
    except (SQLAlchemyError, *_LOST) as error:
        if is_ours(error):
            raise
        said = str(getattr(error, "orig", None) or error)
        log.warning("the database fails: %s", said)
        if any(words in said.lower() for words in _FULL):
            raise Refused(503, "disk-full", headers=_AGAIN) from None
        raise Refused(503, "no-database", headers=_AGAIN) from None


def is_ours(error: Exception) -> bool:
    """Whether the database works, and what it was asked is at fault."""
    if isinstance(error, SQLAlchemyError):
        if isinstance(error, _OURS):
            return True
        state = str(getattr(getattr(error, "orig", None), "sqlstate", None) or "")
        return isinstance(error, DBAPIError) and state[:2] in ("22", "42")
    return False


class DatabaseFile:
    """The file of a database, as it was when it was opened.

    One that was deleted or replaced under a running server can still be written, as far as
    anyone can tell, and is gone when the server ends.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._opened = self._now()

    def check(self) -> None:
        if self._opened is None:
            self._opened = self._now()
        if self._now() != self._opened:
            raise FileNotFoundError(f"{self._file} was deleted or replaced while the server runs")

    def _now(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self._file)
        except OSError:
            return None
        return found.st_dev, found.st_ino

"""Which server runs on a SQLite file: one at a time.

Two would not hear of each other's moves. The server locks a file beside the database as long as
it lives, and writes its address there; the system lets go of the lock however the server ends.
PostgreSQL needs none of this: there workers tell each other.
"""

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from quartermaster.errors import QuartermasterError
from quartermaster.server.store.databases import is_postgres, sqlite_file

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_LOCKED_AT = 1 << 20  # a byte that Windows locks: far behind what others read


class AlreadyRunning(QuartermasterError):
    """Another server has this data."""

    def __init__(self, file: Path, address: str) -> None:
        self.address = address
        super().__init__(
            f"a server at {address} has {file} already: stop it first, or name other data by"
            " DATABASE_URL"
        )


@contextmanager
def only_server(database_url: str, address: str) -> Iterator[None]:
    """Be the only server of a database; `AlreadyRunning` where there is one."""
    if is_postgres(database_url):
        yield
        return
    database = sqlite_file(database_url)
    database.parent.mkdir(parents=True, exist_ok=True)
    path = _lock_file(database)
    with open(os.open(path, os.O_CREAT | os.O_RDWR, 0o600), "r+", encoding="utf-8") as file:
        if not _lock(file):
            raise AlreadyRunning(database, _address(file))
        file.truncate(0)
        json.dump({"address": address, "pid": os.getpid()}, file)
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


def running_server(database_url: str) -> str | None:
    """The address of the server that runs on a database, if one does."""
    if is_postgres(database_url):
        return None
    with suppress(FileNotFoundError), open(_lock_file(sqlite_file(database_url)), "r+") as file:
        if not _lock(file):
            return _address(file)
    return None


def _lock_file(database: Path) -> Path:
    return database.with_name(f"{database.name}.server")


def _address(file: IO[str]) -> str:
    try:
        file.seek(0)
        return str(json.load(file)["address"])
    except (ValueError, KeyError, TypeError):  # it has only just begun
        return "an address not yet known"


def _lock(file: IO[str]) -> bool:
    """Take the lock until the file is closed; false if another has it."""
    try:
        if sys.platform == "win32":
            file.seek(_LOCKED_AT)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            file.seek(0)
        else:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:  # a file system without locks: better two servers than none
        return True
    return True

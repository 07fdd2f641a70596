"""Statements that every move needs: SQLAlchemy writes them once, and SQLite's driver runs them.

SQLAlchemy takes several times as long to hand a statement to the driver as SQLite to carry it out.
On PostgreSQL, where the way to the server takes longest, it does so all the same.
"""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Delete, Insert, Select, Update
from sqlalchemy.dialects import sqlite

_DIALECT = sqlite.dialect()

Values = dict[str, Any]


class Prepared:
    """A statement, and how it is written for each set of parameters that it is run with."""

    def __init__(self, statement: Insert | Update | Delete | Select[Any]) -> None:
        self._statement = statement
        self._written: dict[tuple[str, ...], tuple[str, Sequence[str]]] = {}

    def run(self, connection: Connection, values: Values) -> Any:
        """Run it; what comes back has `rowcount` and `fetchall()` on either database."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self._statement, values)
        text, names = self._as_written(values)
        return _driver(connection).execute(text, [values[name] for name in names])

    def run_for_each(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Run it for each of some rows, which have the same columns."""
        if not rows:
            return
        if connection.dialect.name != "sqlite":
            connection.execute(self._statement, rows)
            return
        text, names = self._as_written(rows[0])
        _driver(connection).executemany(text, [[row[name] for name in names] for row in rows])

    def _as_written(self, values: Values) -> tuple[str, Sequence[str]]:
        """The text of the statement, and the names of its parameters in their order."""
        columns = tuple(values)
        found = self._written.get(columns)
        if found is None:
            written = self._statement.compile(dialect=_DIALECT, column_keys=list(columns))
            found = self._written[columns] = str(written), tuple(written.positiontup or ())
        return found


def _driver(connection: Connection) -> Any:
    return connection.connection.driver_connection

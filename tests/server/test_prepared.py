"""Statements that SQLite's driver runs itself do what SQLAlchemy would have them do."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Select, bindparam, select
from sqlalchemy.exc import IntegrityError

from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.prepared import Prepared
from quartermaster.server.store.schema import notices
from quartermaster.server.store.store import Store

ADD = notices.insert()
CHANGE = notices.update().where(notices.c.key == bindparam("of_key"))
ALL: Select[Any] = select(notices.c.key, notices.c.state).order_by(notices.c.key)


def notice(key: str, state: str = "claimed") -> dict[str, Any]:
    return {"key": key, "game_id": "g", "user_id": "u", "kind": "turn", "state": state, "at": 1.5}


def test_statements_write_and_find_rows_as_sqlalchemy_does(tmp_path: Path) -> None:
    def work(connection: Connection) -> list[Any]:
        Prepared(ADD).run_for_each(connection, [notice("a"), notice("b")])
        Prepared(ADD).run_for_each(connection, [])
        connection.execute(ADD, notice("c"))  # in the same transaction
        assert Prepared(CHANGE).run(connection, {"of_key": "b", "state": "sent"}).rowcount == 1
        assert Prepared(CHANGE).run(connection, {"of_key": "x", "state": "sent"}).rowcount == 0
        found = [tuple(row) for row in connection.execute(ALL)]
        assert Prepared(ALL).run(connection, {}).fetchall() == found
        return found

    async def run() -> None:
        url = f"sqlite:///{tmp_path}/games.db"
        await asyncio.to_thread(upgrade, url)
        store = Store(url)
        wanted = [("a", "claimed"), ("b", "sent"), ("c", "claimed")]
        assert await store.write(work) == wanted
        # What goes wrong in the driver is told as by SQLAlchemy, and nothing is written of it.
        with pytest.raises(IntegrityError):
            await store.write(lambda c: Prepared(ADD).run_for_each(c, [notice("d"), notice("a")]))
        found = await store.read(lambda c: [tuple(row) for row in c.execute(ALL)])
        assert found == wanted
        await store.close()

    asyncio.run(run())

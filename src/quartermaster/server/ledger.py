"""What the database keeps of a table: its events, and what lists and timers need of it."""

import time
from collections.abc import Callable
from typing import Final

import msgspec

from quartermaster.server.refusals import Refused
from quartermaster.server.store.rows import Change, EventRow, GameRow
from quartermaster.server.store.store import Store
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Event
from quartermaster.server.table.queries import players_of
from quartermaster.server.table.summary import summary_of
from quartermaster.server.table.table import Table
from quartermaster.server.table.wire import to_json

TRIES: Final = 8  # against other workers
_ROW: Final = 100  # bytes that an event takes beside its data

Command = Callable[[Table], list[Event]]


def event_rows(events: list[Event], seq: int, user: str | None, now: float) -> list[EventRow]:
    return [
        EventRow(seq + n, ev.tag_of(event), user, ev.encode(event), now)
        for n, event in enumerate(events, 1)
    ]


def size_of(rows: list[EventRow]) -> int:
    """About the bytes that events take on disk."""
    return sum(len(row.data) + _ROW for row in rows)


def add_rows(table: Table, rows: list[EventRow]) -> None:
    """Bring a table up to date by events that were read."""
    for row in rows:
        table.add(ev.decode(row.data), row.user_id, row.at)


def read_table(id: str, rows: list[EventRow]) -> Table:
    """A table as all its events make it."""
    table = Table(id)
    add_rows(table, rows)
    return table


def game_row(table: Table, day: float) -> GameRow:
    """A new table as lists and timers need it."""
    settings = table.settings
    return GameRow(
        id=table.id, seq=table.seq, status=table.status, is_public=settings.is_public,
        rules=settings.rules, summary=to_json(summary_of(table)).decode(),
        created_at=day, updated_at=day, wake_at=wake_at(table),
        result=standing_of(table), winner=None, rematch=None,
    )  # fmt: skip


def wake_at(table: Table) -> float | None:
    if not table.people:
        return None  # it stands still until someone watches
    todo = table.todo()
    return None if todo is None else todo.at


def standing_of(table: Table) -> str | None:
    """How a game stands or has ended, as everyone at the table may know it."""
    if not table.has_begun and table.status != "over":
        return None
    score = table.shown.score if table.has_begun else {}
    round = table.shown.state.round if table.has_begun else 0
    return msgspec.json.encode(
        {"score": score, "round": round, "abandoned": table.is_abandoned}
    ).decode()


def change_of(after: Table, before: Table) -> Change:
    """What the list of games must know of a changed table."""
    players = players_of(after)
    summary = summary_of(after)
    return Change(
        status=after.status,
        is_public=after.settings.is_public,
        summary=None if summary is summary_of(before) else to_json(summary).decode(),
        wake_at=wake_at(after),
        result=standing_of(after),
        winner=after.game.winner if after.status == "over" and after.has_begun else None,
        rematch=after.rematch,
        players=None if players == players_of(before) else players,
    )


async def carry_out(store: Store, id: str, user: str | None, command: Command) -> bool:
    """Carry out a command at a table without a server, as the admin command does; whether
    anything came of it. Servers that have the table in memory must be told (signals.py)."""
    for _ in range(TRIES):
        rows = await store.events(id)
        if not rows:
            raise Refused(404, "no-such-game", game=id)
        before = read_table(id, rows)
        events = command(before)
        if not events:
            return False
        running = await store.running()
        day, after = time.time(), before.copy()
        now = before.clocks.changed_at
        if running is not None:
            # As the server's own (clock.py), which notes every few seconds what it is. The clock
            # of the machine may have been set since, and then would take someone's time.
            now = max(now, running[0] - running[1])
        for event in events:
            after.add(event, user, now)
        added = event_rows(events, before.seq, user, now)
        if await store.append(id, before.seq, added, change_of(after, before), day):
            return True
    raise Refused(503, "table-busy")

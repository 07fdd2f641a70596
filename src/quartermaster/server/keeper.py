"""What whoever runs the place can do: on the database itself, while servers run beside it.

Servers notice by signals (signals.py). Tables are changed by the same commands and under the same
condition as by a server: whoever adds events says after which one. Everything that is done is
written to the audit log first.
"""

import time
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, func, or_, select

from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.server.ledger import carry_out
from quartermaster.server.names import clean_name, fold
from quartermaster.server.refusals import Refused
from quartermaster.server.store import erase
from quartermaster.server.store.people import (
    DAY,
    FOREVER,
    People,
    Report,
    is_banned,
    is_reserved,
    signal,
)
from quartermaster.server.store.rows import GameRow, User
from quartermaster.server.store.schema import (
    audit,
    games,
    mails,
    messages,
    notices,
    players,
    reports,
    sessions,
    signals,
    silenced,
    users,
)
from quartermaster.server.store.store import Store
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Event
from quartermaster.server.table.table import Table

LIVE: Final = ("lobby", "playing")


class AuditEntry(msgspec.Struct, frozen=True):
    """A line of the audit log."""

    id: int
    at: float
    who: str
    action: str
    target: str
    detail: str


class Prunable(msgspec.Struct):
    """What `admin prune` would delete."""

    guests: list[str]
    tables: list[str]
    sessions: int
    notices: int
    reports: int


class Keeper:
    """What an administrator does to tables and people, under the name that the audit log gets."""

    def __init__(self, store: Store, who: str) -> None:
        self.store = store
        self.people = People(store)
        self.who = who

    async def note(self, action: str, target: str, detail: str = "") -> None:
        """Write to the audit log."""
        columns = {
            "at": time.time(), "who": self.who, "action": action, "target": target,
            "detail": detail,
        }  # fmt: skip
        await self.store.write(lambda connection: connection.execute(audit.insert(), columns))

    async def log(self, limit: int) -> list[AuditEntry]:
        query = select(audit).order_by(audit.c.id.desc()).limit(limit)
        return await self.store.read(
            lambda connection: [AuditEntry(*row) for row in connection.execute(query)]
        )

    # -- tables ------------------------------------------------------------------------

    async def tables(self, status: str | None, user_id: str | None, limit: int) -> list[GameRow]:
        return await self.store.list_games(status=status, user_id=user_id, limit=limit)

    async def table(self, id: str) -> GameRow:
        row = await self.store.game(id)
        if row is None:
            raise Refused(404, "no-such-game", game=id)
        return row

    async def close_table(self, id: str, reason: str) -> bool:
        """End a game, or a table before it; False if it was over already."""
        await self.table(id)
        await self.note("close table", id, reason)
        return await self._act(
            id, None, lambda table: [] if table.status == "over" else [ev.Ended()]
        )

    async def untitle(self, id: str) -> None:
        """Take a table's title away."""
        await self.table(id)
        await self.note("remove title", id)
        await self._write(
            lambda connection: erase.rename_in_game(connection, id, lambda seat: seat.name, "")
        )

    # -- people ------------------------------------------------------------------------

    async def list_people(self, words: str, banned: bool, limit: int) -> list[dict[str, Any]]:
        """People whose name has these words in it, who was here last first."""
        seen = func.coalesce(func.max(sessions.c.seen_at), users.c.created_at).label("seen_at")
        query = (
            select(users.c.id, users.c.name, users.c.password.is_not(None), users.c.banned_until)
            .add_columns(users.c.created_at, seen)
            .join(sessions, sessions.c.user_id == users.c.id, isouter=True)
            .group_by(users.c.id)
            .order_by(seen.desc())
            .limit(limit)
        )
        if words:
            query = query.where(func.lower(users.c.name).contains(words.lower(), autoescape=True))
        if banned:
            query = query.where(users.c.banned_until > time.time())
        keys = ("id", "name", "has_password", "banned_until", "created_at", "seen_at")
        return await self.store.read(
            lambda connection: [
                dict(zip(keys, row, strict=True)) for row in connection.execute(query)
            ]
        )

    async def person(self, words: str) -> User:
        """A person by id, or by a name that only one has; who has claimed it goes first."""
        by_id = await self.store.user(words)
        if by_id is not None:
            return by_id
        claimed = await self.store.user_named(words.casefold())
        if claimed is not None:
            return claimed
        query = select(users).where(users.c.name == words).limit(20)
        found = await self.store.read(
            lambda connection: [User(*row) for row in connection.execute(query)]
        )
        if len(found) == 1:
            return found[0]
        if found:
            ids = ", ".join(user.id for user in found)
            raise QuartermasterError(
                f"several guests are called {words}; name one by its id: {ids}"
            )
        near = await self.list_people(words[:2], False, 1000)
        raise UnknownName("person", words, [one["name"] for one in near])

    async def ban(self, user: User, days: float | None, reason: str) -> list[str]:
        """Ban someone, and let bots play on in their seats; the tables they left."""
        until = FOREVER if days is None else time.time() + days * DAY
        await self.note("ban", user.id, f"{user.name}: {reason or 'no reason given'}")

        def work(connection: Connection) -> None:
            connection.execute(
                users.update()
                .where(users.c.id == user.id)
                .values(banned_until=until, ban_reason=reason or None)
            )
            signal(connection, f"ban:{user.id}")

        await self._write(work)
        return await self.get_up(user.id)

    async def unban(self, user: User) -> bool:
        await self.note("unban", user.id, user.name)
        await self.people.change(user.id, banned_until=None, ban_reason=None)
        return is_banned(user)

    async def rename(self, user: User, name: str) -> None:
        """Give someone another name: wherever the old one is kept."""
        name = clean_name(name)
        if await self.store.read(lambda connection: is_reserved(connection, name, user.id)):
            raise Refused(422, "name-taken")
        await self.note("rename", user.id, f"{user.name} -> {name}")

        def work(connection: Connection) -> None:
            if is_reserved(connection, name, user.id):
                raise Refused(422, "name-taken")
            columns: dict[str, Any] = {"name": name}
            if user.claimed is not None:
                columns |= {"claimed": name.casefold(), "reserved": fold(name)}
            connection.execute(users.update().where(users.c.id == user.id).values(**columns))
            connection.execute(
                messages.update().where(messages.c.user_id == user.id).values(name=name)
            )
            for game_id in erase.games_of(connection, [user.id])[user.id]:
                erase.rename_in_game(connection, game_id, _renamer(user.id, name))
            signal(connection, f"user:{user.id}")

        await self._write(work)

    async def delete(self, user: User) -> None:
        """Delete an account, as its owner could."""
        await self.note("delete", user.id)
        await delete_account(self.store, user.id)

    async def get_up(self, user_id: str) -> list[str]:
        """Leave all seats of a person; the tables that were left."""
        return await leave_tables(self.store, user_id, for_good=False)

    # -- messages and reports ----------------------------------------------------------

    async def said(self, game_id: str, limit: int) -> list[Any]:
        rooms = ["all", "axis", "allies", "spectators"]
        await self.table(game_id)
        return list(await self.store.messages(game_id, rooms, limit=limit))

    async def remove_message(self, id: int) -> None:
        found = await self.store.read(
            lambda connection: connection.execute(
                select(messages.c.game_id, messages.c.name).where(messages.c.id == id)
            ).first()
        )
        if found is None:
            raise QuartermasterError(f"there is no message {id}")
        game_id, name = found
        await self.note("remove message", str(id), f"of {name} at {game_id}")
        await self._write(lambda connection: erase.unsay(connection, game_id, id))

    async def reports(self, closed: bool, limit: int) -> list[Report]:
        query = select(reports).order_by(reports.c.id.desc()).limit(limit)
        if not closed:
            query = query.where(reports.c.closed_at.is_(None))
        return await self.store.read(
            lambda connection: [Report(*row) for row in connection.execute(query)]
        )

    async def close_report(self, id: int, note: str) -> None:
        def work(connection: Connection) -> bool:
            change = reports.update().where(reports.c.id == id, reports.c.closed_at.is_(None))
            closed = change.values(closed_at=time.time(), note=note)
            return connection.execute(closed).rowcount > 0

        still = select(reports.c.id).where(reports.c.id == id, reports.c.closed_at.is_(None))
        if await self.store.read(lambda connection: connection.execute(still).first()) is None:
            raise QuartermasterError(f"there is no open report {id}")
        await self.note("close report", str(id), note)
        await self.store.write(work)

    async def allow_mail(self, hashed: str) -> bool:
        """Let mail go again to an address that had asked for none."""
        await self.note("allow mail", hashed)
        gone = silenced.delete().where(silenced.c.address == hashed)
        return await self.store.write(lambda connection: connection.execute(gone).rowcount > 0)

    # -- pruning -----------------------------------------------------------------------

    async def prunable(self, guest_days: float, table_days: float) -> Prunable:
        """Guests who were not here for long and sit at no table that is open or in play; tables
        where no game has begun and nothing happened for long; and what is out of date."""
        now = time.time()
        seen = select(sessions.c.user_id).where(sessions.c.seen_at > now - guest_days * DAY)
        sits = (
            select(players.c.user_id)
            .join(games, games.c.id == players.c.game_id)
            .where(games.c.status.in_(LIVE))
        )
        guests = select(users.c.id).where(
            users.c.password.is_(None),
            users.c.created_at < now - guest_days * DAY,
            users.c.id.not_in(seen),
            users.c.id.not_in(sits),
            or_(users.c.banned_until.is_(None), users.c.banned_until < now),
        )
        idle = select(games.c.id).where(
            games.c.status == "lobby", games.c.updated_at < now - table_days * DAY
        )

        def work(connection: Connection) -> Prunable:
            def count(query: Any) -> int:
                number: int = connection.execute(
                    select(func.count()).select_from(query.subquery())
                ).scalar_one()
                return number

            return Prunable(
                list(connection.execute(guests).scalars()),
                list(connection.execute(idle).scalars()),
                count(select(sessions.c.id).where(sessions.c.expires_at < now)),
                count(select(notices.c.key).where(notices.c.at < now - 90 * DAY)),
                count(select(reports.c.id).where(reports.c.closed_at < now - 365 * DAY)),
            )

        return await self.store.read(work)

    async def prune(self, found: Prunable, table_days: float) -> None:
        """Let go of it. Each table is looked at once more: one that is in use by now stays."""
        now = time.time()
        detail = f"{len(found.guests)} guests, {len(found.tables)} tables"
        await self.note("prune", "", detail)
        for id in found.tables:
            still = select(games.c.id).where(
                games.c.id == id, games.c.status == "lobby",
                games.c.updated_at < now - table_days * DAY,
            )  # fmt: skip

            def drop(connection: Connection, id: str = id, still: Any = still) -> None:
                if connection.execute(still.with_for_update()).first():
                    erase.delete_game(connection, id)

            await self._write(drop)
        named = await self.store.read(lambda connection: erase.games_of(connection, found.guests))
        for id in found.guests:
            await delete_account(self.store, id, named[id])

        def tidy(connection: Connection) -> None:
            old = [
                sessions.delete().where(sessions.c.expires_at < now),
                notices.delete().where(notices.c.at < now - 90 * DAY),
                reports.delete().where(reports.c.closed_at < now - 365 * DAY),
                mails.delete().where(mails.c.at < now - 2 * DAY),
                signals.delete().where(signals.c.at < now - 2 * DAY),
            ]
            for one in old:
                connection.execute(one)

        await self._write(tidy)

    # -- what all of it needs ----------------------------------------------------------

    async def _write(self, work: Any) -> None:
        await self.store.write(work)
        await self.people.tell()

    async def _act(self, id: str, user: str | None, command: Any) -> bool:
        return await act(self.store, id, user, command)


def _renamer(user_id: str, name: str) -> erase.Rename:
    """What gives a person's seats at one table a new name. Several people may share one account
    at one screen: those who were told apart by their names stay so, as "Anna" and "Anna 2"."""
    called: dict[str, str] = {}

    def rename(seat: ev.Seat) -> str:
        if seat.holder != user_id:
            return seat.name
        return called.setdefault(seat.name, name if not called else f"{name} {len(called) + 1}")

    return rename


async def act(store: Store, id: str, user: str | None, command: Any) -> bool:
    """Carry out a command at a table, and let servers know."""
    is_done = await carry_out(store, id, user, command)
    if is_done:
        await store.write(lambda connection: signal(connection, f"game:{id}"))
        await store.tell("signals")
    return is_done


async def leave_tables(store: Store, user_id: str, for_good: bool) -> list[str]:
    """Leave all seats of a person at tables that are not over; which tables. A table before its
    game that loses its host is closed. A game without other people waits, for bots alone are
    not to go on; unless its person leaves for good, which ends it."""
    query = (
        select(games.c.id)
        .join(players, players.c.game_id == games.c.id)
        .where(players.c.user_id == user_id, games.c.status.in_(LIVE))
    )
    ids = await store.read(lambda connection: list(connection.execute(query).scalars()))

    def leave(table: Table) -> list[Event]:
        if table.status == "over":
            return []
        if table.status == "lobby" and table.host == user_id:
            return [ev.Ended()]
        seats = table.seats_of(user_id)
        if table.has_begun and all(seat.holder in (None, user_id) for seat in table.seats):
            return [ev.Ended()] if for_good else []
        return [event for seat in seats for event in commands.leave_seat(table, user_id, seat)]

    return [id for id in ids if await act(store, id, user_id, leave)]


async def delete_account(
    store: Store, user_id: str, named: dict[str, set[str]] | None = None
) -> None:
    """Delete a person: out of the games they play, out of those they have played, and all else
    that is kept of them. `named`: the games they ever sat at, with who did, if known."""
    await leave_tables(store, user_id, for_good=True)
    if named is None:
        found = await store.read(lambda connection: erase.games_of(connection, [user_id]))
        named = found[user_id]
    for game_id, people in named.items():  # each by itself: others write between
        await store.write(
            lambda connection, id=game_id, people=people: erase.leave_game(  # type: ignore[misc]
                connection, id, user_id, people
            )
        )
    await store.write(lambda connection: erase.delete_person(connection, user_id))
    await store.tell("signals")

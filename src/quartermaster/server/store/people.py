"""What the database keeps of people beside their games: sessions, names, bans, mail, reports.

Whatever is changed here that a server may hold in memory is put into `signals` in the same
transaction: every server reads that table once a second, and at once where it is told to (see
`Services.heed`), whether the change was made by it, by another worker, or by the admin command.
"""

import time
from collections.abc import Iterable
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, func, select, text

from quartermaster.server.names import OFFICIAL, fold, other_names
from quartermaster.server.refusals import Refused
from quartermaster.server.store.rows import Message, User
from quartermaster.server.store.schema import (
    mails,
    messages,
    reports,
    sessions,
    signals,
    silenced,
    users,
)
from quartermaster.server.store.store import Store

DAY: Final = 86400.0
SESSION_DAYS: Final = 180  # since it was last used
MOST_SESSIONS: Final = 50  # of one person; the one unused for longest goes
SEEN_EVERY: Final = 3600.0  # seconds between notes that a session is in use
FOREVER: Final = 1e11  # as a time
_LOOK_BACK: Final = 200  # signals: PostgreSQL commits them in any order

THESE_SIGNALS = select(signals.c.id, signals.c.what).order_by(signals.c.id)
LOCK = text("SELECT pg_advisory_xact_lock(:lock)")
COUNTING = 0x434F554E  # any number, as long as nothing else in the database locks it
LAST_SIGNAL = select(func.max(signals.c.id))


class SessionRow(msgspec.Struct, frozen=True):
    """A device on which someone is signed in."""

    id: str
    user_id: str
    device: str
    created_at: float
    seen_at: float
    expires_at: float


class Report(msgspec.Struct, frozen=True):
    """What a player reported to who runs the place."""

    id: int
    game_id: str
    reporter: str
    what: str
    user_id: str
    name: str
    message_id: int | None
    quote: str
    text: str
    at: float
    closed_at: float | None
    note: str | None


class People:
    """People in a store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # -- signals -----------------------------------------------------------------------

    async def last_signal(self) -> int:
        def work(connection: Connection) -> int:
            return connection.execute(LAST_SIGNAL).scalar() or 0

        return await self.store.read(work)

    async def signals(self, after: int) -> list[tuple[int, str]]:
        """Number and text of what was signalled after a number, or shortly before it."""
        query = THESE_SIGNALS.where(signals.c.id > after - _LOOK_BACK)
        return await self.store.read(
            lambda connection: [(id, what) for id, what in connection.execute(query)]
        )

    async def drop_old_signals(self) -> None:
        """Let go of signals that every server has long read."""
        old = signals.delete().where(signals.c.at < time.time() - 2 * DAY)
        await self.store.write(lambda connection: connection.execute(old))

    async def tell(self) -> None:
        """Have servers look for signals at once."""
        await self.store.tell("signals")

    # -- sessions ----------------------------------------------------------------------

    async def add_session(self, id: str, user_id: str, device: str) -> SessionRow:
        now = time.time()
        row = SessionRow(id, user_id, device, now, now, now + SESSION_DAYS * DAY)

        def work(connection: Connection) -> None:
            connection.execute(sessions.insert(), msgspec.structs.asdict(row))
            found = connection.execute(
                select(sessions.c.id)
                .where(sessions.c.user_id == user_id)
                .order_by(sessions.c.seen_at.desc(), sessions.c.id)
                .offset(MOST_SESSIONS)
            ).scalars()
            drop_sessions(connection, found.all())

        await self.store.write(work)
        return row

    async def session(self, id: str) -> tuple[SessionRow, User] | None:
        """A session that holds, and whose it is."""
        query = select(sessions, users).join(users, users.c.id == sessions.c.user_id)
        query = query.where(sessions.c.id == id, sessions.c.expires_at > time.time())

        def work(connection: Connection) -> tuple[SessionRow, User] | None:
            row = connection.execute(query).first()
            return None if row is None else (SessionRow(*row[:6]), User(*row[6:]))

        return await self.store.read(work)

    async def sessions_of(self, user_id: str) -> list[SessionRow]:
        """Where someone is signed in, the device used last first."""
        query = select(sessions).where(
            sessions.c.user_id == user_id, sessions.c.expires_at > time.time()
        )
        query = query.order_by(sessions.c.seen_at.desc(), sessions.c.id)
        return await self.store.read(
            lambda connection: [SessionRow(*row) for row in connection.execute(query)]
        )

    async def see_session(self, id: str) -> None:
        """Note that a session is in use: it holds for longer."""
        now = time.time()
        change = sessions.update().where(sessions.c.id == id)
        change = change.values(seen_at=now, expires_at=now + SESSION_DAYS * DAY)
        await self.store.write(lambda connection: connection.execute(change))

    async def end_sessions(
        self, user_id: str, only: str | None = None, but: str | None = None
    ) -> int:
        """Sign someone out on all devices, on one, or on all others; how many there were."""

        def work(connection: Connection) -> int:
            query = select(sessions.c.id).where(sessions.c.user_id == user_id)
            if only is not None:
                query = query.where(sessions.c.id == only)
            if but is not None:
                query = query.where(sessions.c.id != but)
            found = connection.execute(query).scalars().all()
            drop_sessions(connection, found)
            return len(found)

        ended = await self.store.write(work)
        await self.tell()
        return ended

    # -- users -------------------------------------------------------------------------

    async def change(self, user_id: str, **columns: Any) -> None:
        """Change what is kept of someone, and let every server know."""
        if columns:
            await self.store.change_user(user_id, **columns)
            await self.store.write(lambda connection: signal(connection, f"user:{user_id}"))
            await self.tell()

    # -- names -------------------------------------------------------------------------

    async def check_name(self, name: str, user_id: str | None = None) -> None:
        """Refuse a name that is another's, or of those who run the place, with names to take."""

        def work(connection: Connection) -> list[str] | None:
            if not is_reserved(connection, name, user_id):
                return None
            return other_names(name, lambda one: not is_reserved(connection, one, user_id))

        offers = await self.store.read(work)
        if offers is not None:
            offer = offers[0] if offers else ""
            raise Refused(422, "name-reserved", offers=offers, name=name, other=offer)

    # -- mail --------------------------------------------------------------------------

    async def count_mail(
        self, columns: dict[str, Any], limits: dict[str, int], total: int
    ) -> str | None:
        """Note a mail that is to go out, unless there were too many within a day: by the
        columns of which `limits` says how many. What it was too many of, or "silenced"."""
        since = columns["at"] - DAY

        def work(connection: Connection) -> str | None:
            self._one_at_a_time(connection)
            if connection.execute(
                select(silenced.c.at).where(silenced.c.address == columns["address"])
            ).first():
                return "silenced"
            recent = select(func.count()).select_from(mails).where(mails.c.at > since)
            same_kind = recent.where(mails.c.kind == columns["kind"])
            for column, most in limits.items():
                query = same_kind.where(mails.c[column] == columns[column])
                if columns[column] and connection.execute(query).scalar_one() >= most:
                    return column
            if connection.execute(recent).scalar_one() >= total:
                return "total"
            connection.execute(mails.insert(), columns)
            return None

        return await self.store.write(work)

    def _one_at_a_time(self, connection: Connection) -> None:
        """Keep others from writing until this transaction ends: what is counted must not change
        before a row is added. SQLite has one writer anyway."""
        if self.store.is_postgres:
            connection.execute(LOCK, {"lock": COUNTING})

    async def silence(self, address: str, email: str) -> None:
        """Send nothing any more to an address: its hash, and itself where accounts name it."""

        def work(connection: Connection) -> None:
            if not connection.execute(
                select(silenced.c.at).where(silenced.c.address == address)
            ).first():
                connection.execute(silenced.insert(), {"address": address, "at": time.time()})
            for column in (users.c.email, users.c.pending_email):
                found = connection.execute(select(users.c.id).where(column == email)).scalars()
                for id in found.all():
                    connection.execute(
                        users.update().where(users.c.id == id).values({column.name: None})
                    )
                    signal(connection, f"user:{id}")

        await self.store.write(work)
        await self.tell()

    # -- reports -----------------------------------------------------------------------

    async def message(self, game_id: str, id: int, rooms: list[str]) -> Message | None:
        """A message, if it is in one of these rooms of a game."""
        query = select(
            messages.c.id, messages.c.room, messages.c.user_id, messages.c.name,
            messages.c.text, messages.c.at,
        ).where(
            messages.c.id == id, messages.c.game_id == game_id, messages.c.room.in_(rooms)
        )  # fmt: skip

        def work(connection: Connection) -> Message | None:
            row = connection.execute(query).first()
            return None if row is None else Message(*row)

        return await self.store.read(work)

    async def add_report(self, columns: dict[str, Any], most: int) -> int | None:
        """Keep a report; its number, or None after too many of one person within a day."""
        recent = (
            select(func.count())
            .select_from(reports)
            .where(reports.c.reporter == columns["reporter"], reports.c.at > columns["at"] - DAY)
        )

        def work(connection: Connection) -> int | None:
            self._one_at_a_time(connection)
            if connection.execute(recent).scalar_one() >= most:
                return None
            added = connection.execute(reports.insert().returning(reports.c.id), columns)
            number: int = added.scalar_one()
            return number

        return await self.store.write(work)


def signal(connection: Connection, what: str) -> None:
    """Let servers know of a change, when it is committed: `user:ID` (read them anew),
    `session:ID` (it has ended), `ban:USER`, `game:ID` (events were added), `names:ID` (names in
    a game were changed), `gone:ID` (a game was deleted), `unsaid:GAME:MESSAGE`."""
    connection.execute(signals.insert(), {"what": what, "at": time.time()})


def drop_sessions(connection: Connection, ids: Iterable[str]) -> None:
    for id in ids:
        connection.execute(sessions.delete().where(sessions.c.id == id))
        signal(connection, f"session:{id}")


def is_reserved(connection: Connection, name: str, user_id: str | None) -> bool:
    """Whether a name is another's."""
    folded = fold(name)
    if folded in OFFICIAL:
        return True
    query = select(users.c.id).where(users.c.reserved == folded)
    owner = connection.execute(query).scalar()
    return owner is not None and owner != user_id


def is_banned(user: User) -> bool:
    return user.banned_until is not None and user.banned_until > time.time()


def device_of(agent: str) -> str:
    """What to call a device, by its header User-Agent.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> device_of("python-httpx/0.28")
    'python-httpx'
    """
    browsers = {"Edg": "Edge", "OPR": "Opera", "Firefox": "", "Chrome": "", "Safari": ""}
    systems = dict.fromkeys(("Windows", "Android", "iPhone", "iPad", "Mac OS", "Linux"), "")
    found = [
        next((nice or word for word, nice in words.items() if word in agent), "")
        for words in (browsers, systems)
    ]
    known = ", ".join(word for word in found if word)
    first = agent.partition("/")[0].strip()[:30]
    return known or (first if first.isascii() and first.isprintable() else "")

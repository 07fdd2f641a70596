"""Where users, games and messages are kept: SQLite or PostgreSQL, behind one set of methods.

A game is its events, numbered from 1. They are only ever added, and only by someone who knows
the number of the last one: of two workers that add at the same time, one is told to look again.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, TypeVar

import msgspec
from sqlalchemy import (
    Connection,
    select,
)
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from quartermaster.server.refusals import Refused
from quartermaster.server.store.databases import (
    CHANNEL,
    Listener,
    is_postgres,
    make_postgres_engine,
    make_sqlite_engine,
    postgres_dsn,
    sqlite_file,
)
from quartermaster.server.store.failures import DatabaseFile, telling_failures
from quartermaster.server.store.rows import Change, EventRow, GameRow, Message, User
from quartermaster.server.store.schema import (
    games,
    players,
    users,
)
from quartermaster.server.store.statements import (
    ADD_EVENT,
    ADD_MESSAGE,
    CHANGE_GAME,
    CHANGE_TURN,
    CHANGE_USER,
    CLAIM,
    CLAIM_NOTICE_POSTGRES,
    CLAIM_NOTICE_SQLITE,
    COUNTS,
    DROP_PLAYERS,
    DUE,
    EVENTS_AFTER,
    FINISH_NOTICE,
    LATEST_MESSAGES,
    LOCK_CHAT,
    NOTE_RUNNING_POSTGRES,
    NOTE_RUNNING_SQLITE,
    NOTIFY,
    PLAYERS,
    RUNNING,
    THIS_GAME,
    THIS_USER,
    TOUCH,
    TURNS,
    USER_NAMED,
)
from quartermaster.server.store.writer import Writer

T = TypeVar("T")

TIDY_EVERY = 4.0  # seconds
CHAT_LOCK = 0x43484154  # any number, as long as nothing else in the database locks it


class Store:
    """A database. Open it once per worker, within the event loop that uses it.

    On SQLite all writing is done one after the other (`writer.py`), and reading by threads beside
    it; on PostgreSQL everything shares a pool of connections. The work itself is written once,
    for a plain connection. A task that is cancelled while it writes cannot know whether that was
    done.
    """

    def __init__(self, url: str, pool_size: int = 5) -> None:
        self.is_postgres = is_postgres(url)
        self._url = url
        if self.is_postgres:
            engine = make_postgres_engine(url, pool_size)
            self._postgres_writing = engine
            # A transaction around a single SELECT would cost two more round trips.
            self._postgres_reading = engine.execution_options(isolation_level="AUTOCOMMIT")
        else:
            place = DatabaseFile(sqlite_file(url))
            self._reading = make_sqlite_engine(url, pool_size + 3, check=place.check)
            self._writer = Writer(self._reading, place.check)
            self._readers = ThreadPoolExecutor(pool_size, "store-reader")
            self._is_closing = threading.Event()
            self._tidier = threading.Thread(target=self._tidy, name="store-tidier", daemon=True)
            self._tidier.start()

    async def close(self) -> None:
        """Finish what is under way, and let go of the database."""
        if self.is_postgres:
            await self._postgres_writing.dispose()
        else:
            await self._writer.close()
            await asyncio.to_thread(self._close_sqlite)

    def _tidy(self) -> None:
        """Move what was written from the log into the database now and then.

        SQLite does so by itself, but within a commit, which then takes a tenth of a second; here
        commits go on beside it.
        """
        while not self._is_closing.wait(TIDY_EVERY):
            with suppress(SQLAlchemyError), self._reading.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").all()

    def _close_sqlite(self) -> None:
        self._is_closing.set()
        self._tidier.join()
        self._readers.shutdown()
        self._reading.dispose()

    async def _read(self, work: Callable[[Connection], T]) -> T:
        def run() -> T:
            with self._reading.connect() as connection:
                return work(connection)

        with telling_failures():
            if self.is_postgres:
                async with self._postgres_reading.connect() as connection:
                    return await connection.run_sync(work)
            return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def _write(self, work: Callable[[Connection], T], is_quick: bool = False) -> T:
        """Do work in one transaction, which is durable when this returns."""
        with telling_failures():
            if self.is_postgres:
                async with self._postgres_writing.begin() as connection:
                    return await connection.run_sync(work)
            return await self._writer.write(work, is_quick)

    async def _tell(self, notice: str) -> None:
        """Tell other workers of what was committed.

        Not within the transaction: PostgreSQL lets only one commit at a time that tells
        something, and each waits for the disk. Should this worker die here, the others find out
        when they next look (`Hub.catch_up`).
        """
        if self.is_postgres:
            async with self._postgres_reading.connect() as connection:
                await connection.execute(NOTIFY, {"channel": CHANNEL, "payload": notice})

    # For others who keep things in the same database (people.py).
    read, write, tell = _read, _write, _tell

    async def ping(self) -> None:
        """Refuse unless the database answers and can be written: a full disk is still read."""
        await self._write(lambda connection: connection.execute(TOUCH))

    async def running(self) -> tuple[float, float] | None:
        """When a worker was last there, and how long none was in all; nothing at first."""

        def work(connection: Connection) -> tuple[float, float] | None:
            row = connection.execute(RUNNING).first()
            return (row.seen, row.off) if row else None

        return await self._read(work)

    async def note_running(self, seen: float, off: float) -> None:
        statement = NOTE_RUNNING_POSTGRES if self.is_postgres else NOTE_RUNNING_SQLITE
        values = {"id": 1, "seen": seen, "off": off, "new_seen": seen, "new_off": off}
        await self._write(lambda connection: connection.execute(statement, values))

    # Users

    async def add_user(self, user: User) -> None:
        with _name_taken():
            await self._write(
                lambda connection: connection.execute(users.insert(), msgspec.structs.asdict(user))
            )

    async def user(self, id: str) -> User | None:
        def work(connection: Connection) -> User | None:
            row = connection.execute(THIS_USER, {"of_user": id}).first()
            return User(*row) if row else None

        return await self._read(work)

    async def user_named(self, claimed: str) -> User | None:
        """The user who claimed a name, given casefolded."""

        def work(connection: Connection) -> User | None:
            row = connection.execute(USER_NAMED, {"claimed": claimed}).first()
            return User(*row) if row else None

        return await self._read(work)

    async def change_user(self, id: str, **columns: Any) -> None:
        if not columns:
            return
        with _name_taken():
            await self._write(
                lambda connection: connection.execute(CHANGE_USER, {"of_user": id, **columns})
            )

    # Games

    async def add_game(
        self, game: GameRow, events: list[EventRow], players: dict[str, bool]
    ) -> None:
        _check_numbers(0, events)
        if game.seq != len(events):
            raise ValueError(f"game {game.id} has {len(events)} events, not {game.seq}")

        def work(connection: Connection) -> None:
            connection.execute(games.insert(), msgspec.structs.asdict(game))
            _add_events(connection, game.id, events)
            _add_players(connection, game.id, players)

        await self._write(work)
        await self._tell(f"game:{game.id}:{game.seq}")

    async def game(self, id: str) -> GameRow | None:
        def work(connection: Connection) -> GameRow | None:
            row = connection.execute(THIS_GAME, {"of_game": id}).first()
            return GameRow(*row) if row else None

        return await self._read(work)

    async def events(self, game_id: str, after: int = 0) -> list[EventRow]:
        """The events of a game in order, those after a number."""

        def work(connection: Connection) -> list[EventRow]:
            rows = connection.execute(EVENTS_AFTER, {"of_game": game_id, "after": after})
            return [EventRow(*row) for row in rows]

        return await self._read(work)

    async def append(
        self, game_id: str, expected: int, events: list[EventRow], change: Change, now: float | None
    ) -> bool:
        """Add events after number `expected`, all or none.

        False, and nothing is changed, when that is not the last number (any more). Without
        events only the row changes, on the same condition. Without `now` the game keeps its
        place in lists: nobody may see that something happened.
        """
        _check_numbers(expected, events)
        seq = expected + len(events)
        columns = {
            "of_game": game_id,
            "expected": expected,
            "seq": seq,
            **change.columns(),
        }
        if now is not None:
            columns["updated_at"] = now

        def work(connection: Connection) -> bool:
            if not CHANGE_GAME.run(connection, columns).rowcount:
                return False
            _add_events(connection, game_id, events)
            if change.players is not None:
                _change_players(connection, game_id, change.players)
            return True

        is_done = await self._write(work, is_quick=True)
        if is_done:
            await self._tell(f"game:{game_id}:{seq}")
        return is_done

    async def claim(self, due: Sequence[tuple[str, float]], until: float) -> list[str]:
        """Take games that are due, each with since when, so that no other worker does: those
        that nobody else has taken. They are due again at `until`."""

        def work(connection: Connection) -> list[str]:
            return [
                game_id
                for game_id, wake_at in due
                if connection.execute(
                    CLAIM, {"of_game": game_id, "expected": wake_at, "wake_at": until}
                ).rowcount
            ]

        return await self._write(work)

    async def due(self, now: float, limit: int = 1_000_000) -> list[tuple[str, float]]:
        """The games that are to be woken and since when, the one that waits longest first."""

        def work(connection: Connection) -> list[tuple[str, float]]:
            rows = connection.execute(DUE, {"now": now, "most": limit})
            return [(game_id, wake_at) for game_id, wake_at in rows]

        return await self._read(work)

    async def list_games(
        self,
        *,
        user_id: str | None = None,
        status: str | None = None,
        is_public: bool | None = None,
        rules: str | None = None,
        is_turn: bool | None = None,
        before: float | None = None,
        limit: int = 50,
    ) -> list[GameRow]:
        """Games that fit all that is given, the one changed last first.

        user_id: games this user sits at, and is_turn: those where it is their turn, or not.
        before: only those changed earlier, to go on where a list ended.
        """
        if is_turn is not None and user_id is None:
            raise ValueError("whose turn? give user_id too")
        query = select(games).order_by(games.c.updated_at.desc(), games.c.id).limit(limit)
        if user_id is not None:
            query = query.join(players).where(players.c.user_id == user_id)
            if is_turn is not None:
                query = query.where(players.c.is_turn == is_turn)
        if status is not None:
            query = query.where(games.c.status == status)
        if is_public is not None:
            query = query.where(games.c.is_public == is_public)
        if rules is not None:
            query = query.where(games.c.rules == rules)
        if before is not None:
            query = query.where(games.c.updated_at < before)
        return await self._read(
            lambda connection: [GameRow(*row) for row in connection.execute(query)]
        )

    async def turns_of(self, user_id: str, game_ids: list[str]) -> dict[str, bool]:
        """Of these games those where a user sits, and whether it is their turn."""
        if not game_ids:
            return {}

        def work(connection: Connection) -> dict[str, bool]:
            rows = connection.execute(TURNS, {"of_user": user_id, "game_ids": game_ids})
            return dict(rows.all())

        return await self._read(work)

    async def counts(self) -> dict[str, int]:
        """How many games have each status."""

        def work(connection: Connection) -> dict[str, int]:
            return dict(connection.execute(COUNTS).all())

        return await self._read(work)

    # Chat

    async def add_message(
        self, game_id: str, room: str, user_id: str, name: str, text: str, at: float
    ) -> Message:
        columns = {
            "game_id": game_id,
            "room": room,
            "user_id": user_id,
            "name": name,
            "text": text,
            "at": at,
        }

        def work(connection: Connection) -> Message:
            if self.is_postgres:
                # Numbers are drawn before they are committed. One at a time in each game, or
                # a reader who has number 6 already would never be given a late number 5.
                connection.execute(LOCK_CHAT, {"lock": CHAT_LOCK, "game": game_id})
            id = connection.execute(ADD_MESSAGE, columns).scalar_one()
            return Message(id, room, user_id, name, text, at)

        message = await self._write(work)
        await self._tell(f"chat:{game_id}:{message.id}")
        return message

    async def messages(
        self, game_id: str, rooms: list[str], after: int = 0, limit: int = 200
    ) -> list[Message]:
        """The latest messages in some rooms, in order, those after a number."""
        if not rooms:
            return []
        parameters = {"of_game": game_id, "rooms": rooms, "after": after, "most": limit}

        def work(connection: Connection) -> list[Message]:
            return [Message(*row) for row in connection.execute(LATEST_MESSAGES, parameters)][::-1]

        return await self._read(work)

    # Notices

    async def claim_notice(
        self, key: str, game_id: str, user_id: str, kind: str, at: float
    ) -> bool:
        """Take a notice to send it; False when someone did, so that none is sent twice."""
        columns = {
            "key": key,
            "game_id": game_id,
            "user_id": user_id,
            "kind": kind,
            "state": "claimed",
            "at": at,
        }
        claim = CLAIM_NOTICE_POSTGRES if self.is_postgres else CLAIM_NOTICE_SQLITE
        return await self._write(lambda connection: connection.execute(claim, columns).rowcount > 0)

    async def finish_notice(self, key: str, state: str) -> None:
        await self._write(
            lambda connection: connection.execute(FINISH_NOTICE, {"of_key": key, "state": state})
        )

    # What other workers do

    @asynccontextmanager
    async def listen(self, on_notice: Callable[[str], None]) -> AsyncIterator[None]:
        """Within `async with store.listen(...)`, be called with what any worker committed.

        That is "game:<id>:<seq>" and "chat:<id>:<number>", one's own included, in the order of
        commits. A connection that breaks is made again; "lost" is then told, for notices may
        have been missed and everything must be looked at. It is called in the event loop, so
        it must be quick. On SQLite nothing is ever told: there nobody can tell it.
        """
        if not self.is_postgres:
            yield
            return
        listener = Listener(postgres_dsn(self._url), on_notice)
        try:
            await listener.connect()  # what is committed from now on is heard
            keeping = asyncio.create_task(listener.keep())
            try:
                yield
            finally:
                keeping.cancel()
                await asyncio.wait([keeping])
        finally:
            await listener.close()


def _check_numbers(expected: int, events: list[EventRow]) -> None:
    for seq, one in enumerate(events, expected + 1):
        if one.seq != seq:
            raise ValueError(f"event {one.seq} stands where {seq} must")


def _add_events(connection: Connection, game_id: str, rows: list[EventRow]) -> None:
    ADD_EVENT.run_for_each(
        connection, [{"game_id": game_id, **msgspec.structs.asdict(row)} for row in rows]
    )


def _add_players(connection: Connection, game_id: str, turns: dict[str, bool]) -> None:
    if turns:
        connection.execute(
            players.insert(),
            [
                {"game_id": game_id, "user_id": user_id, "is_turn": is_turn}
                for user_id, is_turn in turns.items()
            ],
        )


def _change_players(connection: Connection, game_id: str, turns: dict[str, bool]) -> None:
    """Bring the rows of a game's players up to date. Most moves change only whose turn it is, so
    the rows are written anew only where somebody has come or gone."""
    found = PLAYERS.run(connection, {"of_game": game_id}).fetchall()
    before = {user_id: bool(is_turn) for user_id, is_turn in found}
    if before.keys() != turns.keys():
        connection.execute(DROP_PLAYERS, {"of_game": game_id})
        _add_players(connection, game_id, turns)
        return
    changed = [
        {"of_game": game_id, "of_user": user_id, "now": is_turn}
        for user_id, is_turn in turns.items()
        if before[user_id] != is_turn
    ]
    CHANGE_TURN.run_for_each(connection, changed)


_NAMES = ("users_claimed", "users.claimed", "users_reserved", "users.reserved")


@contextmanager
def _name_taken() -> Iterator[None]:
    """Refuse a name that is taken, which each database says in its own way."""
    try:
        yield
    except IntegrityError as error:
        said = str(error.orig)
        if any(name in said for name in _NAMES):
            raise Refused(422, "name-taken") from None
        raise

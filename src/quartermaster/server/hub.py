"""The tables that are in use: commands come in one at a time, go to disk, then to everyone.

A table in memory is only a copy of what is on disk. Whoever adds events says which event he
takes to be the last; if that is no longer so (another worker was faster), the table is brought
up to date and the command put again.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Final

import msgspec

from quartermaster.server.addresses import called_from
from quartermaster.server.bots import BotPool
from quartermaster.server.ledger import (
    TRIES,
    Command,
    add_rows,
    change_of,
    event_rows,
    game_row,
    read_table,
    size_of,
)
from quartermaster.server.names import new_id
from quartermaster.server.refusals import Refused
from quartermaster.server.store.store import Store
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Event
from quartermaster.server.table.queries import players_of
from quartermaster.server.table.table import Table
from quartermaster.server.table.todo import Todo
from quartermaster.server.thoughts import DECISION, Thoughts

_SWEEP: Final = 1.0  # seconds between looks for what is due
_GRACE: Final = 2.0  # seconds overdue before a worker takes over another's work
_CLAIMED: Final = 50  # games that are taken over at once
_LEASE: Final = 3.0  # seconds until someone else may take it over again: done twice does no harm
MOST_SHOWS: Final = 3  # games of bots alone that go on at a time for one host
_IDLE: Final = 600.0  # seconds that an unused table stays in memory

log = logging.getLogger("quartermaster.hub")


class Entry:
    """A table in memory, with who watches it."""

    def __init__(self, table: Table, bots: BotPool) -> None:
        self.table = table
        self.thoughts = Thoughts(bots)
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.used_at = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None
        self.task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        for watcher in self.watchers:
            watcher.changed.set()

    def visit(self) -> None:
        """Someone plays or watches here: its bots think in the turn of where they come from."""
        self.thoughts.address = called_from() or self.thoughts.address


class Watcher:
    """Someone with an open stream."""

    def __init__(self, user: str | None, session: str | None = None) -> None:
        self.user = user
        self.session = session  # with which the stream was opened, and ends
        self.is_ended = False
        self.is_stale = False  # names were changed: the view must be sent anew
        self.unsaid: list[int] = []  # messages that were taken away
        self.changed = asyncio.Event()
        self.has_talk = True  # something was said since it was last looked for
        self.is_beat_due = False

    def beat(self) -> None:
        """Have the stream send a beat, which shows the client that the line is not dead."""
        self.is_beat_due = True
        self.changed.set()


class Hub:
    """All tables of this worker."""

    def __init__(
        self,
        store: Store,
        bots: BotPool,
        on_turn: Callable[[Table, list[str], str], None],
        on_moves: Callable[[int], None],
        now: Callable[[], float] = time.time,
        day: Callable[[], float] = time.time,
    ) -> None:
        self.store = store
        self.bots = bots
        self._on_turn = on_turn  # tells people that something waits for them
        self._on_moves = on_moves  # counts
        # Told before something is written, and for whom; it may refuse.
        self.charge: Callable[[str | None, int], None] = lambda user, size: None
        self.now = now  # the time by which tables measure
        self._day = day  # the time of day, for lists
        self._entries: dict[str, Entry] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self.is_closed = False

    # -- tables ------------------------------------------------------------------------

    async def entry(self, id: str, is_fresh: bool = True) -> Entry:
        """A table, brought up to date where others may have changed it."""
        entry = self._entries.get(id)
        if entry is None:
            entry = await self._load(id)
        elif is_fresh and self.store.is_postgres:
            async with entry.lock:
                await self._catch_up(entry)
        entry.used_at = time.monotonic()
        return entry

    async def _load(self, id: str) -> Entry:
        lock = self._loading.setdefault(id, asyncio.Lock())
        try:
            async with lock:
                if id in self._entries:
                    return self._entries[id]
                rows = await self.store.events(id)
                if not rows:
                    raise Refused(404, "no-such-game", game=id)
                entry = self._entries[id] = Entry(read_table(id, rows), self.bots)
                return entry
        finally:
            self._loading.pop(id, None)

    async def _catch_up(self, entry: Entry) -> None:
        rows = await self.store.events(entry.table.id, entry.table.seq)
        if rows:
            entry.table = entry.table.copy()  # others may still work with the old one
            add_rows(entry.table, rows)
            self._settled(entry)

    async def create(self, user: str, events: list[Event], id: str | None = None) -> Table:
        now = self.now()
        table = Table(id or new_id())
        for event in events:
            table.add(event, user, now)
        rows = event_rows(events, 0, user, now)
        self.charge(user, size_of(rows))
        await self.store.add_game(game_row(table, self._day()), rows, players_of(table))
        entry = self._entries[table.id] = Entry(table, self.bots)
        entry.visit()
        self._settled(entry, is_ours=True)
        return table

    async def act(self, id: str, user: str | None, command: Command) -> Table:
        """Carry out a command: check it, put it on disk, then take it in and tell everyone."""
        entry = await self.entry(id, is_fresh=False)
        if user is not None:
            entry.visit()
        async with entry.lock:
            for _ in range(TRIES):
                try:
                    events = command(entry.table)
                except Refused:
                    # Perhaps only this worker is behind.
                    if not self.store.is_postgres or not await self._is_behind(entry):
                        raise
                    continue
                if not events:
                    return entry.table
                if await self._commit(entry, events, user):
                    return entry.table
                await self._catch_up(entry)
        raise Refused(503, "table-busy")

    async def _is_behind(self, entry: Entry) -> bool:
        seq = entry.table.seq
        await self._catch_up(entry)
        return entry.table.seq != seq

    async def _commit(self, entry: Entry, events: list[Event], user: str | None) -> bool:
        now = self.now()
        before, after = entry.table, entry.table.copy()
        for event in events:
            after.add(event, user, now)
        rows = event_rows(events, before.seq, user, now)
        self.charge(user, size_of(rows))
        shown_at = self._day() if after.number > before.number else None  # else it was private
        change = change_of(after, before)
        if not await self.store.append(before.id, before.seq, rows, change, shown_at):
            return False
        entry.table = after
        moves = sum(len(event.moves) for event in events if isinstance(event, ev.Moved))
        if moves:
            self._on_moves(moves)
        is_silent = all(isinstance(event, ev.SILENT) for event in events)
        self._settled(entry, is_ours=True, is_silent=is_silent)
        return True

    def _settled(self, entry: Entry, is_ours: bool = False, is_silent: bool = False) -> None:
        """A table has changed: tell who watches, and see to what comes next by itself. Of what
        another worker has changed, that one takes care; of what is silent nobody is told."""
        table = entry.table
        entry.wake()
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        if is_ours:
            self._schedule(entry)
        if is_ours and not is_silent:
            turns = players_of(table)
            waiting = [user for user in table.people if turns[user]]
            if waiting:
                absent = [u for u in waiting if all(w.user != u for w in entry.watchers)]
                self._on_turn(table, absent, "turn")
            asked = table.absent_votes()
            if asked:
                self._on_turn(table, asked, "proposal")
            if table.status == "over":
                self.bots.forget(table.id)

    # -- what comes by itself ----------------------------------------------------------

    def start(self) -> None:
        self._sweeper = asyncio.create_task(self._sweep())

    def end_streams(self) -> None:
        """Let those who watch go; the server will not end before."""
        self.is_closed = True
        for entry in self._entries.values():
            entry.wake()

    def end_streams_of(self, user: str | None = None, session: str | None = None) -> None:
        """End the streams of a person, or of a session, here."""
        for entry in self._entries.values():
            for watcher in entry.watchers:
                if (user and watcher.user == user) or (session and watcher.session == session):
                    watcher.is_ended = True
                    watcher.changed.set()

    def unsay(self, id: str, message: int) -> None:
        """A message was taken away: tell who watches."""
        if id in self._entries:
            for watcher in self._entries[id].watchers:
                watcher.unsaid.append(message)
            self._entries[id].wake()

    async def reload(self, id: str) -> None:
        """Read a table anew: names in its events were changed, or it was deleted."""
        entry = self._entries.get(id)
        if entry is None:
            return
        async with entry.lock:
            rows = await self.store.events(id)
            if rows:
                entry.table = read_table(id, rows)
                for watcher in entry.watchers:
                    watcher.is_stale = True
                self._settled(entry)
            else:
                del self._entries[id]
                for watcher in entry.watchers:
                    watcher.is_ended = True
                entry.wake()

    async def close(self) -> None:
        self.is_closed = True
        tasks = [entry.task for entry in self._entries.values() if entry.task is not None]
        for entry in self._entries.values():
            entry.thoughts.cancel()
        for entry in self._entries.values():
            if entry.timer is not None:
                entry.timer.cancel()
            entry.wake()
        for task in [*tasks, *([self._sweeper] if self._sweeper else [])]:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def catch_up(self, id: str, seq: int | None = None, is_sure: bool = False) -> None:
        """Bring a table up to date if someone watches it here: another worker has changed it to
        `seq`, or may have; or surely someone has (the admin command). Where nobody watches, a
        table of several workers is read when it is next asked for."""
        entry = self._entries.get(id)
        if entry is not None and (self.store.is_postgres or is_sure):
            if not entry.watchers and not is_sure:
                if entry.timer is not None and seq is not None and entry.table.seq < seq:
                    entry.timer.cancel()  # whoever has changed it sees to what comes next
                    entry.timer = None
                return
            async with entry.lock:
                if seq is None or entry.table.seq < seq:
                    await self._catch_up(entry)

    async def catch_up_all(self) -> None:
        for id in list(self._entries):
            await self.catch_up(id)

    def wake(self, id: str) -> None:
        """Something beside the table has changed: the talk."""
        if id in self._entries:
            for watcher in self._entries[id].watchers:
                watcher.has_talk = True
            self._entries[id].wake()

    def watch(self, entry: Entry, watcher: Watcher) -> None:
        """Someone opens a stream: a table that stands still may go on."""
        entry.watchers.add(watcher)
        if watcher.user is not None:
            entry.visit()
        if not entry.table.people:
            self._schedule(entry)

    def runs(self, entry: Entry) -> bool:
        """Whether a table goes on by itself. One at which no person plays stands still unless
        somebody whose table it is watches, and not more of the same host's than a few."""
        table = entry.table
        if table.people:
            return True
        own = {table.host, *table.seating.holders}
        if all(watcher.user not in own for watcher in entry.watchers):
            return False
        others = [
            one
            for one in self._entries.values()
            if one is not entry and one.table.host == table.host and (one.task or one.timer)
        ]
        return sum(not one.table.people for one in others) < MOST_SHOWS

    def shows_of(self, host: str) -> int:
        """How many games of bots alone a person has begun here that are not over."""
        tables = [entry.table for entry in self._entries.values()]
        return sum(
            table.host == host and table.status == "playing" and not table.people
            for table in tables
        )

    def _schedule(self, entry: Entry) -> None:
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        todo = entry.table.todo()
        if todo is None or self.is_closed or (entry.task is not None and not entry.task.done()):
            return
        if not self.runs(entry):
            return
        entry.thoughts.begin(entry.table, todo, bool(entry.watchers))
        delay = max(0.0, todo.at - self.now())
        if delay < _IDLE:  # what is later is found by the sweeper
            loop = asyncio.get_running_loop()
            entry.timer = loop.call_later(delay, self._begin, entry)

    def _begin(self, entry: Entry) -> None:
        entry.timer = None
        if entry.task is None or entry.task.done():
            entry.task = asyncio.create_task(self._work(entry))

    async def _work(self, entry: Entry) -> None:
        """Do what is due at a table, one thing after the other."""
        try:
            while not self.is_closed and self.runs(entry):
                todo = entry.table.todo()
                if todo is None or todo.at > self.now():
                    break
                await self._do(entry, todo)
        except Refused as refusal:  # the database fails, and was told of: the sweeper tries again
            log.warning("work waits: %s", refusal)
            return
        except Exception:
            # The sweeper will try again; people can still act meanwhile.
            log.exception("work failed", extra={"game": entry.table.id})
            return
        finally:
            entry.task = None
        self._schedule(entry)

    async def _do(self, entry: Entry, todo: Todo) -> None:
        table = entry.table
        events: list[Event] = []
        if todo.what == "answer":
            assert table.window is not None
            action = await entry.thoughts.about(table, todo.ask, bool(entry.watchers))
            country = table.window.asks[todo.ask].country
            events = [ev.Answered(todo.ask, country, action.text)]
        elif todo.what == "move":
            level = table.seats[todo.seat].bot or table.settings.stand_in
            action = await entry.thoughts.about(table, DECISION, bool(entry.watchers))
            faults: tuple[ev.FaultNote, ...] = ()
            if table.game.decision.kind != "react":
                faults = self.bots.faults(table.id, todo.country, level)
            moves = [(todo.country, action.text)]
            events = [table.moved(moves, table.number, self.now(), faults)]
        elif todo.what == "order":
            moves = [(todo.country, todo.text)]
            events = [table.moved(moves, table.number, self.now())]
        elif todo.what == "close":
            # By what has been answered when it is closed, not when that began.
            answers = entry.thoughts.answers(table)
            await self.act(
                table.id,
                None,
                lambda t: (
                    [t.moved(t.closing(answers), t.number, self.now())]
                    if t.number == table.number
                    else []
                ),
            )
        elif todo.what == "remind":
            events = [ev.Reminded(todo.seat)]
        elif todo.what == "consent":
            events = commands.time_out_votes(table)
        elif todo.what == "time-out":
            seat = table.seats[todo.seat]
            away = msgspec.structs.replace(seat, bot=table.settings.stand_in, is_away=True)
            events = [ev.SeatChanged(todo.seat, away)]
        if events:
            # What others do in private does not make a bot think again, which would tell of it.
            is_private = todo.what in ("answer", "order")

            def unless_changed(now: Table) -> list[Event]:
                is_same = now.seq == table.seq if is_private else now.number == table.number
                return events if is_same else []

            now = await self.act(table.id, None, unless_changed)
            person = table.seats[todo.seat].person if todo.what == "remind" else None
            if person is not None and now.clocks.reminded == table.settled:
                self._on_turn(now, [person], "reminder")

    async def _sweep(self) -> None:
        """Look for what is due and nobody does: after a restart, and when a worker has died."""
        while True:
            try:
                due = await self.store.due(self.now() - self._patience)
                left = [one for one in due if not self._is_seen_to(one[0])]
                # A few at a time, so that no lease runs out before its game is begun.
                for start in range(0, len(left), _CLAIMED):
                    some = left[start : start + _CLAIMED]
                    for id in await self.store.claim(some, self.now() + _LEASE):
                        await self._take_up(id)
                self._drop_idle()
            except Refused as refusal:
                log.warning("the sweep waits: %s", refusal)
            except Exception:
                log.exception("sweep failed")
            await asyncio.sleep(_SWEEP)

    def _is_seen_to(self, id: str) -> bool:
        entry = self._entries.get(id)
        return entry is not None and (entry.task is not None or entry.timer is not None)

    async def _take_up(self, id: str) -> None:
        try:
            self._begin(await self.entry(id))
        except Exception:  # others must not wait for a game that is broken
            log.exception("a game that is due cannot be taken up", extra={"game": id})

    @property
    def _patience(self) -> float:
        return _GRACE if self.store.is_postgres else 0.0

    def _drop_idle(self) -> None:
        now = time.monotonic()
        for id, entry in list(self._entries.items()):
            is_busy = entry.watchers or entry.task or entry.timer or entry.lock.locked()
            if not is_busy and now - entry.used_at > _IDLE:
                del self._entries[id]

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

from quartermaster.forms.notation import Action, country_index
from quartermaster.server.bots import BotPool
from quartermaster.server.names import new_id
from quartermaster.server.refusals import Refused
from quartermaster.server.store.store import Change, EventRow, GameRow, Store
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Event
from quartermaster.server.table.projection import has_to_do, summary_of, to_json
from quartermaster.server.table.table import Table, Todo
from quartermaster.sight.look import Look

_TRIES: Final = 8  # against other workers
_SWEEP: Final = 1.0  # seconds between looks for what is due
_GRACE: Final = 2.0  # seconds overdue before a worker takes over another's work
_CLAIMED: Final = 50  # games that are taken over at once
_LEASE: Final = 3.0  # seconds until someone else may take it over again: done twice does no harm
_ROW: Final = 100  # bytes that an event takes beside its data
MOST_SHOWS: Final = 3  # games of bots alone that go on at a time for one host
_IDLE: Final = 600.0  # seconds that an unused table stays in memory

log = logging.getLogger("quartermaster.hub")
Command = Callable[[Table], list[Event]]


class Entry:
    """A table in memory, with who watches it."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.lock = asyncio.Lock()
        self.watchers: set[Watcher] = set()
        self.used_at = time.monotonic()
        self.timer: asyncio.TimerHandle | None = None
        self.task: asyncio.Task[None] | None = None
        # What bots think about: since which number, the question of the window or -1, the level.
        self.thoughts: dict[tuple[int, int, str], asyncio.Task[Action]] = {}

    def wake(self) -> None:
        for watcher in self.watchers:
            watcher.changed.set()


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
        """It is time to show that the line is not dead."""
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
                entry = Entry(Table(id))
                _add(entry.table, rows)
                self._entries[id] = entry
                return entry
        finally:
            self._loading.pop(id, None)

    async def _catch_up(self, entry: Entry) -> None:
        rows = await self.store.events(entry.table.id, entry.table.seq)
        if rows:
            entry.table = entry.table.copy()  # who works with the old one must not be surprised
            _add(entry.table, rows)
            self._settled(entry)

    async def create(self, user: str, events: list[Event], id: str | None = None) -> Table:
        now = self.now()
        table = Table(id or new_id())
        for event in events:
            table.add(event, user, now)
        settings = table.settings
        row = GameRow(
            id=table.id, seq=table.seq, status=table.status, is_public=settings.is_public,
            rules=settings.rules, settings=to_json(summary_of(table)).decode(),
            created_at=self._day(), updated_at=self._day(), wake_at=_wake_at(table),
            result=standing_of(table), winner=None, rematch=None,
        )  # fmt: skip
        rows = _rows(events, 0, user, now)
        self.charge(user, _size(rows))
        await self.store.add_game(row, rows, players_of(table))
        entry = self._entries[table.id] = Entry(table)
        self._settled(entry, is_ours=True)
        return table

    async def act(self, id: str, user: str | None, command: Command) -> Table:
        """Carry out a command: check it, put it on disk, then take it in and tell everyone."""
        entry = await self.entry(id, is_fresh=False)
        async with entry.lock:
            for _ in range(_TRIES):
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
        rows = _rows(events, before.seq, user, now)
        self.charge(user, _size(rows))
        shown_at = self._day() if after.number > before.number else None  # else it was private
        change = _change(after, before)
        if not await self.store.append(before.id, before.seq, rows, change, shown_at):
            return False
        entry.table = after
        moves = sum(len(event.moves) for event in events if isinstance(event, ev.Moved))
        if moves:
            self._on_moves(moves)
        self._settled(entry, is_ours=True)
        return True

    def _settled(self, entry: Entry, is_ours: bool = False) -> None:
        """A table has changed: tell who watches, and see to what comes next by itself. Of what
        another worker has changed, that one takes care."""
        table = entry.table
        entry.wake()
        if entry.timer is not None:
            entry.timer.cancel()
            entry.timer = None
        if is_ours:
            self._schedule(entry)
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
                table = Table(id)
                _add(table, rows)
                table.reminded = entry.table.reminded
                entry.table = table
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
            for thought in entry.thoughts.values():
                thought.cancel()
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
        if not entry.table.people:
            self._schedule(entry)

    def runs(self, entry: Entry) -> bool:
        """Whether a table goes on by itself. One at which no person plays stands still unless
        somebody whose table it is watches, and not more of the same host's than a few."""
        table = entry.table
        if table.people:
            return True
        own = {table.host, *table.holders}
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
        self._let_bots_think(entry, todo)
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

    def _let_bots_think(self, entry: Entry, todo: Todo) -> None:
        """Bots think while the pause before their move goes by, or the window they are asked in."""
        table = entry.table
        for key in [key for key in entry.thoughts if key[0] != table.settled]:
            entry.thoughts.pop(key).cancel()
        if todo.what == "move":
            self._thought(entry, -1)
        elif table.window is not None and table.window.spec.is_timed:
            for ask in table.bot_asks():
                self._thought(entry, ask)

    def _thought(self, entry: Entry, ask: int) -> "asyncio.Task[Action]":
        """A bot's thinking about the decision at hand (-1), or about a question of the window."""
        table = entry.table
        if ask >= 0:
            assert table.window is not None
            asked = table.window.asks[ask]
            country, actions = asked.country, list(asked.actions)
            look = Look.at(asked.state, frozenset({country_index(country)}))
        else:
            game = table.game
            country, actions = game.decision.country, game.legal_actions()
            look = game.look(country)
        level = table.seats[table.seat_of(country)].bot or table.settings.stand_in
        key = (table.settled, ask, level)
        task = entry.thoughts.get(key)
        if task is None or (task.done() and not _has_result(task)):
            is_urgent = ask >= 0 or bool(entry.watchers)
            entry.thoughts[key] = asyncio.create_task(
                self.bots.decide(table.id, country, level, look, actions, table.host, is_urgent)
            )
            entry.thoughts[key].add_done_callback(_noted)
        return entry.thoughts[key]

    def _answers(self, entry: Entry) -> dict[int, str]:
        """What bots have answered in time to the questions of the window."""
        settled = entry.table.settled
        return {
            ask: task.result().text
            for (number, ask, _), task in entry.thoughts.items()
            if number == settled and ask >= 0 and task.done() and _has_result(task)
        }

    async def _do(self, entry: Entry, todo: Todo) -> None:
        table = entry.table
        events: list[Event] = []
        if todo.what == "answer":
            assert table.window is not None
            action = await self._thought(entry, todo.ask)
            country = table.window.asks[todo.ask].country
            events = [ev.Answered(todo.ask, country, action.text)]
        elif todo.what == "move":
            level = table.seats[todo.seat].bot or table.settings.stand_in
            action = await self._thought(entry, -1)
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
            answers = self._answers(entry)
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
            table.reminded = table.settled
            # What comes next is the end of the time: let nobody look before.
            await self.store.append(table.id, table.seq, [], Change(wake_at=_wake_at(table)), None)
            person = table.seats[todo.seat].person
            if person is not None:
                self._on_turn(table, [person], "reminder")
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

            await self.act(table.id, None, unless_changed)

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


async def carry_out(store: Store, id: str, user: str | None, command: Command) -> bool:
    """Carry out a command at a table without a server, as the admin command does; whether
    anything came of it. Servers that have the table in memory must be told (signals.py)."""
    for _ in range(_TRIES):
        rows = await store.events(id)
        if not rows:
            raise Refused(404, "no-such-game", game=id)
        before = Table(id)
        _add(before, rows)
        events = command(before)
        if not events:
            return False
        running = await store.running()
        day, after = time.time(), before.copy()
        now = day - (running[1] if running else 0.0)  # as the server's own (clock.py)
        for event in events:
            after.add(event, user, now)
        added = _rows(events, before.seq, user, now)
        if await store.append(id, before.seq, added, _change(after, before), day):
            return True
    raise Refused(503, "table-busy")


def _rows(events: list[Event], seq: int, user: str | None, now: float) -> list[EventRow]:
    return [
        EventRow(seq + n, ev.tag_of(event), user, ev.encode(event), now)
        for n, event in enumerate(events, 1)
    ]


def _size(rows: list[EventRow]) -> int:
    """About the bytes that events take on disk."""
    return sum(len(row.data) + _ROW for row in rows)


def _add(table: Table, rows: list[EventRow]) -> None:
    for row in rows:
        table.add(ev.decode(row.data), row.user_id, row.at)


def _noted(task: "asyncio.Task[Action]") -> None:
    """Say what went wrong with a thought, for it may be that nobody asks for it any more."""
    if not task.cancelled() and task.exception() is not None:
        log.error("a bot's thinking failed", exc_info=task.exception())


def _has_result(task: "asyncio.Task[Action]") -> bool:
    return not task.cancelled() and task.exception() is None


def _wake_at(table: Table) -> float | None:
    if not table.people:
        return None  # it stands still until someone watches
    todo = table.todo()
    return None if todo is None else todo.at


def players_of(table: Table) -> dict[str, bool]:
    """Who sits at a table, and whether it is their turn."""
    found: dict[str, bool] | None = table.derived.get("players")
    if found is None:
        users = dict.fromkeys(seat.holder for seat in table.seats if seat.holder is not None)
        found = {user: has_to_do(table, user) for user in users}
        table.derived["players"] = found
    return found


def standing_of(table: Table) -> str | None:
    """How a game stands or has ended, as everyone at the table may know it."""
    if not table.has_begun and table.status != "over":
        return None
    score = table.shown.score if table.has_begun else {}
    round = table.shown.state.round if table.has_begun else 0
    return msgspec.json.encode(
        {"score": score, "round": round, "abandoned": table.is_abandoned}
    ).decode()


def _change(after: Table, before: Table) -> Change:
    """What the list of games must know of a changed table."""
    players = players_of(after)
    summary = summary_of(after)
    return Change(
        status=after.status,
        is_public=after.settings.is_public,
        settings=None if summary == summary_of(before) else to_json(summary).decode(),
        wake_at=_wake_at(after),
        result=standing_of(after),
        winner=after.game.winner if after.status == "over" and after.has_begun else None,
        rematch=after.rematch,
        players=None if players == players_of(before) else players,
    )

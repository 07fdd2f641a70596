"""What the handlers work with: the tables, the users, and how people are told."""

import asyncio
import hmac
import logging
import time
from collections.abc import Coroutine, Sequence
from hashlib import sha256
from typing import Any, Final

from litestar import MediaType, Response

from quartermaster.server.bots import BotPool
from quartermaster.server.clock import Timekeeper
from quartermaster.server.edge.mail import Mail
from quartermaster.server.edge.notify import Notifier
from quartermaster.server.edge.rates import Rates
from quartermaster.server.edge.telemetry import Telemetry
from quartermaster.server.hub import MOST_SHOWS, Entry, Hub
from quartermaster.server.identity.passwords import Hashing, Tries
from quartermaster.server.identity.sessions import Sessions
from quartermaster.server.ledger import Command
from quartermaster.server.names import new_id
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import Settings
from quartermaster.server.signals import Signals
from quartermaster.server.store.people import People
from quartermaster.server.store.rows import User
from quartermaster.server.store.store import Store
from quartermaster.server.table.events import Event, Seat
from quartermaster.server.table.projection import Seen, see
from quartermaster.server.table.table import Table
from quartermaster.server.table.views import TableView
from quartermaster.speech.nouns import country_noun
from quartermaster.speech.say import ENGLISH, say, speaking

_SHARE: Final = 1.0  # seconds between what workers tell each other of the limits
_WELL: Final = 2.0  # seconds for which a database that works is not tried again
_MOST_RUNNING: Final = 100  # games that one person is in at a time, to begin another
_NOTICES: Final = {
    "proposal": "notice.proposal",
    "reminder": "notice.reminder",
    "turn": "notice.turn",
}

log = logging.getLogger("quartermaster.server")


class Services:
    """One for each worker."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = Store(settings.database_url)
        self.rates = Rates(settings)
        self.telemetry = Telemetry(settings, self.store.counts)
        self.bots = BotPool(settings.bot_processes, settings.secret, self.telemetry.bot_decided)
        self.notifier = Notifier(settings)
        self.clock = Timekeeper()
        self.hub = Hub(
            self.store,
            self.bots,
            self._tell_turn,
            self.telemetry.moves_accepted.inc,
            self.clock.now,
            self.clock.day,
        )
        self.hub.charge = self.rates.charge
        self.people = People(self.store)
        self.sessions = Sessions(settings, self.people)
        self.hashing = Hashing()
        self.sign_ins = Tries()
        self.mail = Mail(settings, self.people, self.notifier)
        self.signals = Signals(self.people, self.hub, self.sessions)
        self._exports: dict[str, float] = {}  # when each person last had their data
        self._id = new_id()  # of this worker
        self._sharing: asyncio.Task[None] | None = None
        self._telling: set[asyncio.Task[None]] = set()
        self._looking = asyncio.Lock()
        self._well_until = 0.0

    async def start(self) -> None:
        await self.clock.start(self.store)
        self.hub.start()
        await self.signals.start()
        if self.store.is_postgres:
            self._sharing = asyncio.create_task(self._share_rates())

    async def close(self) -> None:
        if self._sharing is not None:
            self._sharing.cancel()
        await self.signals.close()
        await self.hub.close()
        await self.clock.close(self.store)
        await asyncio.gather(*self._telling, return_exceptions=True)
        await self.notifier.close()
        self.bots.close()
        await self.store.close()

    def now(self) -> float:
        """The time at tables; the time of day is `clock.day()`."""
        return self.clock.now()

    async def _share_rates(self) -> None:
        """Let other workers count what was asked of this one."""
        while True:
            await asyncio.sleep(_SHARE)
            try:
                for news in self.rates.news():
                    await self.store.tell(f"rates:{self._id}:{news}")
            except Refused as refusal:  # the database cannot be reached
                log.warning("other workers were not told: %s", refusal)
            except Exception:
                log.exception("telling other workers failed")

    async def check_health(self) -> None:
        """Refuse unless all works. Looked at every few seconds, however often it is asked: each
        look is a write that waits for the disk."""
        async with self._looking:
            if time.monotonic() > self._well_until:
                await self.store.ping()
                self._well_until = time.monotonic() + _WELL

    def hear(self, notice: str) -> None:
        """Another worker has done something: `game:ID:SEQ`, `chat:ID:MESSAGE`, `rates:WORKER:NEWS`,
        `signals` when
        there are some to read, or `lost` when notices may have been missed."""
        kind, _, rest = notice.partition(":")
        id, _, number = rest.partition(":")
        if kind == "rates":
            if id != self._id:
                self.rates.hear(number)
            return
        if kind == "chat":
            self.hub.wake(id)
            return
        if kind == "signals":
            self.signals.look()
            return
        work = self.hub.catch_up_all() if kind == "lost" else self.hub.catch_up(id, int(number))
        self.spawn(work)

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something beside; it is waited for when the server ends."""
        task = asyncio.create_task(work)
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    # -- users -------------------------------------------------------------------------

    async def user(self, token: str | None) -> User | None:
        """Whose token it is; nobody's if it is not ours or no longer holds."""
        return await self.sessions.user(token)

    async def signed_in(self, token: str | None) -> User:
        user = await self.user(token)
        if user is None:
            raise Refused(401, "who-are-you", headers={"www-authenticate": "Bearer"})
        return user

    def may_export(self, user_id: str, seconds: float) -> bool:
        """Whether someone may ask for all their data: it is much work, so not too often."""
        now = time.monotonic()
        self._exports = {id: at for id, at in self._exports.items() if now - at < seconds}
        return self._exports.setdefault(user_id, now) == now

    # -- quotas ------------------------------------------------------------------------

    async def may_begin(self, user: str, seats: Sequence[Seat]) -> None:
        """Refuse a person more games than anyone can play, or more of bots alone than anyone can
        watch."""
        if all(seat.bot is not None for seat in seats):
            if self.hub.shows_of(user) >= MOST_SHOWS:
                raise Refused(429, "too-many-shows", most=MOST_SHOWS)
            return
        running = await self.store.list_games(
            user_id=user, status="playing", limit=_MOST_RUNNING + 1
        )
        if len(running) >= _MOST_RUNNING:
            raise Refused(429, "too-many-games", most=_MOST_RUNNING)

    # -- telling people ----------------------------------------------------------------

    def _tell_turn(self, table: Table, users: list[str], kind: str) -> None:
        """Tell people by webhook or mail that a table waits for them, each once a decision."""
        once = f"{table.waits_since} {kind}"
        if kind == "proposal" and table.proposal is not None:
            # Who proposes the same over and over has others told once.
            once += f" {table.proposal.what}"
        for user in users:
            self.spawn(self._tell(table, once, user, kind))

    async def _tell(self, table: Table, once: str, id: str, kind: str) -> None:
        try:
            user = await self.store.user(id)
            if user is None or not (user.webhook or user.email):
                return
            key = f"{table.id} {once} {id}"
            if not await self.store.claim_notice(key, table.id, id, kind, time.time()):
                return
            link = f"{self.settings.public_url or ''}/games/{table.id}"
            # No words of others in here (titles, names): a stranger may have chosen them.
            own = [c for n in table.seats_of(id) for c in table.seats[n].countries]
            email = user.email if await self.mail.may_notify(user) else None
            stop = self.mail.stop_link(user)
            with speaking(user.language or ENGLISH):  # whoever moved may speak another
                text = say(_NOTICES[kind], countries=", ".join(str(country_noun(c)) for c in own))
                subject = say("notice.subject")
                is_sent = await self.notifier.send(user.webhook, email, subject, text, link, stop)
            await self.store.finish_notice(key, "sent" if is_sent else "failed")
        except Refused as refusal:
            log.warning("someone was not told: %s", refusal)
        except Exception:
            log.exception("telling someone failed")

    # -- ids ---------------------------------------------------------------------------

    def rematch_id(self, game: str) -> str:
        """The id of a game's rematch: the same whoever asks first, and not to be guessed."""
        return hmac.new(self.settings.secret, f"rematch {game}".encode(), sha256).hexdigest()[:16]


class Visitor:
    """Someone who looks at a table, known or not."""

    def __init__(self, services: Services, user: User | None, game: str) -> None:
        self.services = services
        self.id = None if user is None else user.id
        self.game = game
        self.now = services.now()

    async def entry(self) -> Entry:
        """The table, if it is any of their business."""
        entry = await self.services.hub.entry(self.game)
        may_watch(entry.table, self.id)
        return entry

    async def table(self) -> Table:
        return (await self.entry()).table

    async def view(self, since: int | None = None, seat: int | None = None) -> Response[TableView]:
        """The table as they may see it, if it is any of their business."""
        return as_response(see(await self.table(), self.id, self.now, since, seat))


class Player(Visitor):
    """Someone known who does something at a table."""

    def __init__(self, services: Services, user: User, game: str) -> None:
        super().__init__(services, user, game)
        self.id: str = user.id
        self.name = user.name
        self._user = user
        self.is_guest = user.password is None

    async def check_name(self, *others: str) -> None:
        """Refuse who would appear under a name that belongs to someone else, or calls others at
        the same screen so."""
        for name in [*([self.name] if self.is_guest else []), *others]:
            await self.services.people.check_name(name, self.id)

    def at(self, game: str) -> "Player":
        """The same person at another table."""
        return Player(self.services, self._user, game)

    async def act(
        self, command: Command, since: int | None = None, is_joining: bool = False
    ) -> Response[TableView]:
        """`do` it, and answer with what has become of the table."""
        return as_response(await self.do(command, since, is_joining))

    async def do(
        self, command: Command, since: int | None = None, is_joining: bool = False
    ) -> Seen:
        """Do it, and see what has become of the table, with the log since a number. Who only
        comes to sit down need not have been allowed to watch before."""

        def checked(table: Table) -> list[Event]:
            if not is_joining:
                may_watch(table, self.id)
            return command(table)

        # Who gets up sees once more what they have left, with nothing in it that is new to them.
        table = await self.services.hub.act(self.game, self.id, checked)
        return see(table, self.id, self.services.now(), since)


def as_response(seen: Seen) -> Response[TableView]:
    """A view as the same person's streams are sent it, so that it is encoded once."""
    encoded: Any = seen.json
    return Response(encoded, media_type=MediaType.JSON)


def may_watch(table: Table, user: str | None) -> None:
    """Refuse who has no business at a table. Every way to a table asks this first."""
    if table.seats_of(user) or table.status == "lobby" or table.settings.has_spectators:
        return
    raise Refused(403, "no-spectators")

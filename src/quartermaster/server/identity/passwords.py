"""Passwords: hashing without letting it take the machine, and slowing down who guesses.

Hashing is slow on purpose, so whoever may ask for it can keep the processors busy. One thread
does it, that stands back behind all others; few may wait for it, fewer of one client, and who
comes when the queue is full is asked to come again (503 with Retry-After).

Guessing is slowed by refusing, never by locking an account: a name is nobody's secret, so whoever
knows it could lock its owner out. Wrong tries count for a client and a name, and each doubles
the time until that client may try that name again. A browser that its owner has signed in from
before keeps a signed cookie and counts by itself: whatever strangers do, and from however many
addresses, it is let try. When a name is guessed at from many addresses, those that are not known
so wait for one of few places and some seconds each, after which the right password still fits.
"""

import asyncio
import os
import threading
import time
import unicodedata
from collections import Counter
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, NoReturn, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from quartermaster.server.names import fold
from quartermaster.server.refusals import Refused

T = TypeVar("T")

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 128
MOST_WAITING: Final = 8  # for a hash, in all
MOST_OF_ONE: Final = 2  # of one client
FREE_TRIES: Final = 5  # wrong ones of a client at a name, before it must wait
LONGEST_WAIT: Final = 900.0  # seconds until the next try
FORGOTTEN: Final = 3600.0  # seconds after which a wrong try counts no longer
UNDER_ATTACK: Final = 50  # wrong tries at a name, from wherever, within that time
PLACES: Final = 4  # for strangers who try a name under attack at once
PATIENCE: Final = 4.0  # seconds that each of them takes
MOST_REMEMBERED: Final = 50_000  # clients and names: a bound on memory

# What every list of guesses begins with; longer ones with these in them are fine.
_COMMON = """
password passw0rd password1 password123 12345678 123456789 1234567890 87654321 12341234 abcd1234
qwertyui qwertyuiop qwerty123 1q2w3e4r 1qaz2wsx asdfghjk abc12345 iloveyou sunshine princess
football baseball superman trustno1 welcome1 letmein1 whatever computer internet michelle jennifer
starwars dragon123 monkey123 changeme quartermaster
"""
# The least that OWASP recommends; one lane, so that a hash takes one processor and no more.
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def _stand_back() -> None:
    """Give way to what people wait for; on Linux a thread may."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 10)


class Hashing:
    """The thread that hashes, and the few who may wait for it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "password", initializer=_stand_back)
        self._waiting: Counter[str] = Counter()  # by client

    async def run(self, client: str, work: Callable[[], T]) -> T:
        if self._waiting.total() >= MOST_WAITING or self._waiting[client] >= MOST_OF_ONE:
            raise Refused(503, "hashing-busy", headers={"retry-after": "2"})
        self._waiting[client] += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting[client] -= 1
            self._waiting += Counter()  # drop who waits no longer

    async def hash(self, client: str, text: str, name: str) -> str:
        """The hash to keep of a new password."""
        password = _password(text)
        if password is None:
            raise Refused(422, "bad-password", least=SHORTEST_PASSWORD, most=LONGEST_PASSWORD)
        if text.casefold() in _COMMON.split() or len(set(text)) < 3 or fold(text) == fold(name):
            raise Refused(422, "common-password")
        return await self.run(client, lambda: _HASHER.hash(password))

    async def renew(self, client: str, text: str) -> str:
        """The hash to keep of a password that has just been found right."""
        password = _password(text)
        assert password is not None
        return await self.run(client, lambda: _HASHER.hash(password))

    async def check(self, client: str, hashed: str | None, text: str) -> bool:
        """Whether a password fits. Without a hash (no such user) it takes as long to say no."""
        password = _password(text)
        if password is None:
            return False  # nobody has such a password: tells nothing about a user
        return await self.run(client, lambda: _fits(hashed, password))


class Tries:
    """Wrong tries at names, by who made them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._wrong: dict[tuple[str, str], tuple[int, float]] = {}  # how many, and the last
        self._at_name: dict[str, list[float]] = {}
        self._places: Counter[str] = Counter()

    def wait(self, client: str, name: str) -> float:
        """Seconds until a client may try a name (again)."""
        count, last = self._wrong.get((client, name), (0, 0.0))
        if count < FREE_TRIES:
            return 0.0
        pause = min(2.0 ** (count - FREE_TRIES), LONGEST_WAIT)
        return max(0.0, last + pause - self._clock())

    def note(self, client: str, name: str, is_right: bool) -> None:
        """Note whether a try was right."""
        key, now = (client, name), self._clock()
        count, last = self._wrong.pop(key, (0, now))
        if is_right:
            return
        _make_room(self._wrong)
        _make_room(self._at_name)
        self._wrong[key] = (count + 1 if now - last < FORGOTTEN else 1, now)
        recent = [at for at in self._at_name.pop(name, []) if now - at < FORGOTTEN]
        self._at_name[name] = [*recent, now][-UNDER_ATTACK:]

    def is_under_attack(self, name: str) -> bool:
        recent = self._at_name.get(name, [])
        return len(recent) >= UNDER_ATTACK and self._clock() - recent[0] < FORGOTTEN

    @asynccontextmanager
    async def place(
        self, client: str, name: str, is_known: bool, patience: float = PATIENCE
    ) -> AsyncIterator[None]:
        """Wait for a place among those who may try, or refuse and say when to come again."""
        seconds = self.wait(client, name)
        if seconds:
            _refuse(seconds)
        if is_known or not self.is_under_attack(name):
            yield
            return
        if self._places[name] >= PLACES:
            _refuse(patience)
        self._places[name] += 1
        try:
            await asyncio.sleep(patience)
            yield
        finally:
            self._places[name] -= 1
            self._places += Counter()


def _refuse(seconds: float) -> NoReturn:
    whole = max(1, int(seconds + 0.999))
    raise Refused(429, "too-many-tries", headers={"retry-after": str(whole)}, seconds=whole)


def _make_room(remembered: dict[Any, Any]) -> None:
    while len(remembered) >= MOST_REMEMBERED:
        del remembered[next(iter(remembered))]


def needs_new_hash(hashed: str) -> bool:
    """Whether a hash was made with other parameters than we use now."""
    try:
        return _HASHER.check_needs_rehash(hashed)
    except InvalidHashError:
        return False


def _password(text: str) -> bytes | None:
    """The bytes to hash: the same whichever way a keyboard composes letters."""
    if not SHORTEST_PASSWORD <= len(text) <= LONGEST_PASSWORD:
        return None
    try:
        return unicodedata.normalize("NFC", text).encode()
    except UnicodeEncodeError:  # half a character
        return None


def _fits(hashed: str | None, password: bytes) -> bool:
    if hashed is None:
        _HASHER.hash(password)  # the same work as a check
        return False
    try:
        return _HASHER.verify(hashed, password)
    except (Argon2Error, InvalidHashError):
        return False

"""A process in which bots think, so that a bot that stalls or crashes can be ended.

A thread would not do: compiled code lets no other thread run, so nobody could end it.
"""

import contextlib
import multiprocessing
import os
import pickle
import signal
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from quartermaster.bots.levels import Bot, close_bot
from quartermaster.forms.notation import Action
from quartermaster.sight.look import Look

START_LIMIT = 30.0  # seconds for a process to start, and for a bot to be made in it
_GRACE = 0.5  # seconds for a process to end by itself
Maker = Callable[[str, int], Bot]  # of a bot, by its name and with a seed

_READY = -1  # what a process says when it has started, and when a bot begins to think
_LONGEST = 300  # characters of a message that are kept


class Failure(Exception):
    """Why a bot gave no answer: as everyone may read it, and in full. A message in full may
    name hidden cards."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(kind, reason)
        self.kind = kind
        self.reason = reason


@dataclass(frozen=True)
class Question:
    """What a process is asked.

    A bot is made when it is first asked, by its name and seed or from its pickle, and lives
    on under a key: the number of who asks it, and one of its own.
    """

    key: tuple[int, int]
    source: tuple["Maker", str, int] | bytes
    look: Look
    actions: tuple[Action, ...]
    seconds: float


class BotProcess:
    """Any number of bots in one process; they think one at a time.

    The process starts with the first question. A bot that takes too long is stopped by ending
    the process, which starts anew with the next question: its bots have lost their memory.
    """

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness  # how far its work stands back behind other work
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._connection: Connection | None = None
        self._end: Callable[[], object] = _nothing

    def choose(self, question: Question) -> int:
        """The place of the bot's answer among the actions, or `Failure`. The limit is on its
        thinking: the start of the process and the making of the bot do not count."""
        with self._lock:
            try:
                connection = self._start()
                connection.send(question)
                self._receive(connection, START_LIMIT, "start")
                return self._receive(connection, question.seconds, "answer")
            except Failure:
                raise
            except Exception as error:  # it died before it was asked
                self._stop()
                raise Failure("could not be asked", f"could not be asked: {error!r}") from None
            except BaseException:
                self._stop()  # a late answer must not be taken for the next one
                raise

    def forget(self, number: int) -> None:
        """Drop the bots of someone who asks no more."""
        with self._lock:
            if self._connection is not None:
                with contextlib.suppress(OSError):  # it has died, and they with it
                    self._connection.send(number)

    def close(self) -> None:
        """End the process, its bots being closed first. It ends with this one in any case."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._stop(_GRACE)

    def __enter__(self) -> "BotProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _start(self) -> Connection:
        if self._process is not None and self._connection is not None:
            if self._process.is_alive():
                return self._connection
            self._stop()
        try:
            context = multiprocessing.get_context("spawn")  # safe beside threads, and everywhere
            connection, theirs = context.Pipe()
            process = context.Process(
                target=_serve, args=(theirs, self._niceness), daemon=True, name="bots"
            )
            process.start()
            theirs.close()
        except Exception as error:
            raise Failure("could not be started", f"could not be started: {error!r}") from None
        self._process, self._connection = process, connection
        self._end = weakref.finalize(self, _end, process, connection)
        self._receive(connection, START_LIMIT, "start")
        return connection

    def _receive(self, connection: Connection, limit: float, to_do: str) -> int:
        if not connection.poll(limit):
            self._stop()
            took = f"{limit:g} second{'' if limit == 1 else 's'}"
            if to_do == "start":
                raise Failure("did not start", f"did not start within {took}")
            raise Failure("took too long", f"took longer than {took}")
        try:
            reply: int | Failure = connection.recv()
        except (EOFError, OSError):
            code = self._stop(_GRACE)
            raise Failure("ended its process", f"ended its process (exit code {code})") from None
        if isinstance(reply, Failure):
            raise reply
        return reply

    def _stop(self, patience: float = 0) -> int | None:
        """End the process; the exit code it had by itself, after some waiting for it."""
        code = None
        if self._process is not None:
            self._process.join(patience)
            code = self._process.exitcode
        self._end()
        self._process, self._connection, self._end = None, None, _nothing
        return code


def _nothing() -> None:
    pass


def _end(process: BaseProcess, connection: Connection) -> None:
    connection.close()
    process.terminate()
    process.join(_GRACE)
    if process.is_alive():
        process.kill()
        process.join()


# -- in the process --------------------------------------------------------------------


def stand_back(niceness: int) -> None:
    """Let other processes go first, where the system knows how (Windows does not)."""
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)


def _serve(connection: Connection, niceness: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for who asks
    stand_back(niceness)
    bots: dict[tuple[int, int], Bot] = {}
    with contextlib.suppress(EOFError, OSError):  # who asks is gone
        connection.send(_READY)
        while True:
            asked: Question | int = connection.recv()
            if isinstance(asked, int):
                for key in [key for key in bots if key[0] == asked]:
                    close_bot(bots.pop(key))
            else:
                connection.send(_answer(connection, bots, asked))
    for bot in bots.values():
        close_bot(bot)


def _answer(
    connection: Connection, bots: dict[tuple[int, int], Bot], asked: Question
) -> int | Failure:
    try:
        if asked.key not in bots:
            bots[asked.key] = _make(asked.source)
        connection.send(_READY)
        _die_in(asked.seconds + 10 * _GRACE)
        return choose(bots[asked.key], asked.look, asked.actions)
    except Failure as failure:
        return failure
    finally:
        _die_in(0)


def _make(source: tuple[Maker, str, int] | bytes) -> Bot:
    try:
        if isinstance(source, bytes):
            bot: Bot = pickle.loads(source)
            return bot
        make, name, seed = source
        return make(name, seed)
    except (Exception, SystemExit) as error:
        raise raised(error) from None


def _die_in(seconds: float) -> None:
    """Have the system end this process after some seconds, in case the process that would do so
    is gone; 0 takes that back."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)


# -- in any process --------------------------------------------------------------------


def choose(bot: Bot, look: Look, actions: Sequence[Action]) -> int:
    """The place of a bot's answer among the actions, or `Failure`."""
    try:
        answer = bot.decide(look, list(actions))
    except (Failure, KeyboardInterrupt):  # it knows itself what went wrong; Ctrl-C is no bot's
        raise
    except BaseException as error:  # no bot may end the program either
        raise raised(error) from None
    if type(answer) is Action and answer in actions:
        return actions.index(answer)
    raise Failure("gave an illegal answer", f"answered {_cut(_named, answer)}, which is not legal")


def _named(answer: object) -> str:
    """What a bot gave: an action by its text, anything else as Python shows it."""
    return f"<{answer.country}: {answer.text}>" if type(answer) is Action else repr(answer)


def raised(error: BaseException) -> Failure:
    """The failure that an exception is."""
    kind = f"raised {type(error).__name__}"
    return Failure(kind, f"{kind}: {_cut(str, error)}")


def _cut(words: Callable[[object], str], what: object) -> str:
    """Something in words, but not too many. Even to tell what a bot gave may fail."""
    try:
        text = words(what)
    except Exception:
        return "something that cannot be shown"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."

"""Bots that are other programs, in any language: a line of JSON asks, a line of JSON answers.

`docs/plugins.md` tells the protocol. A program thinks in a process of its own anyway, so it can
be stopped: one that is silent for too long, writes nonsense or writes without end is ended, and
started anew with the next question. It ends with its bot, unless programs are kept for the next
game (`keeping_programs`).
"""

import contextlib
import json
import os
import queue
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from multiprocessing.util import Finalize
from typing import Any

from quartermaster.bots.process import START_LIMIT, Failure
from quartermaster.errors import QuartermasterError, show
from quartermaster.forms.notation import Action
from quartermaster.sight.look import Look

PROTOCOL = 1
SECONDS = 60.0  # for a decision, where nobody says otherwise
LONGEST = 64 * 1024  # bytes of an answer
_TAIL = 300  # bytes of what it writes to standard error that are kept, to be told with a failure
_WAITING = 6  # programs that wait for their next game, of each command
_GRACE = 1.0  # seconds for a program to end by itself once its input has ended

_games = count(1)


class ProgramBot:
    """A bot that asks another program.

    Each bot has a process of its own, so that no country plays by what another knows. It begins
    with the first question and ends when the bot is closed, or nobody has the bot any more.

    >>> import sys
    >>> with ProgramBot(f"{sys.executable} bot.py", seed=1) as bot:
    ...     bot.seconds
    60.0
    """

    def __init__(self, command: str, seed: int, seconds: float = SECONDS) -> None:
        self.command = _parts(command)
        self.seconds = seconds
        self._seed = seed
        self._game = next(_games)
        self._number = 0  # of the last question
        self._running: _Running | None = None
        self._end: weakref.finalize[..., ProgramBot] | None = None

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        """Ask the program, which is started if it does not run; `Failure` if it does not answer
        as it should, and then it is ended.

        >>> import sys
        >>> from quartermaster import Game
        >>> game = Game.new(seed=7)
        >>> with ProgramBot(f"{sys.executable} -c pass", seed=1) as bot:
        ...     bot.decide(game.look(), game.legal_actions())
        Traceback (most recent call last):
        quartermaster.bots.process.Failure: ('ended its process', 'ended its process (exit code 0)')
        """
        running = self._start()
        self._number += 1
        view = look.view.to_dict()
        question = {
            "number": self._number,
            "game": self._game,
            "seed": self._seed,
            "country": actions[0].country,
            "actions": [action.text for action in actions],
            "view": view,
        }
        try:
            place = self._read(running.ask(question, self.seconds), actions)
        except BaseException:
            self._stop()  # nothing it says later is taken for the next answer
            raise
        return actions[place]

    def close(self) -> None:
        """End the program, or leave it to the next bot where programs are kept. A question after
        that starts it anew.

        >>> import sys
        >>> ProgramBot(f"{sys.executable} bot.py", seed=1).close()
        """
        if self._end is not None:
            self._end()
        self._running = None

    def __enter__(self) -> "ProgramBot":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self, answer: dict[str, Any], actions: Sequence[Action]) -> int:
        """The place of the action that an answer names."""
        if answer.get("number") != self._number:
            raise _nonsense(f"answered number {show(answer.get('number'))}, not {self._number}")
        named = answer.get("action")
        texts = [action.text for action in actions]
        if isinstance(named, str) and named in texts:
            return texts.index(named)
        if type(named) is int and 0 <= named < len(texts):
            return named
        raise Failure("gave an illegal answer", f"answered {show(named)}, which is not legal")

    def _start(self) -> "_Running":
        if self._running is None or not self._running.is_alive:
            self._stop()
            self._running = _take(self.command)
            self._end = weakref.finalize(self, _give_back, self.command, self._running)
        return self._running

    def _stop(self) -> None:
        if self._end is not None:
            self._end.detach()
        if self._running is not None:
            self._running.stop()
            self._running = None


def _parts(command: str) -> tuple[str, ...]:
    """A command line as its words."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise QuartermasterError(f"program:{command}: {error}") from None
    if not words:
        raise QuartermasterError("program: expected a command after it, as program:perl bot.pl")
    if shutil.which(words[0]) is None:
        raise QuartermasterError(f"program:{command}: there is no program {words[0]!r}")
    return words


_idle: dict[tuple[str, ...], list["_Running"]] = {}
_keepers = 0  # who wants programs to be kept
_worker = 0  # the process that keeps them until its end


@contextmanager
def keeping_programs() -> Iterator[None]:
    """Keep programs for several games, for some take long to start: one whose bot is closed
    waits for the next bot of the same command. Those that wait in the end are ended.

    >>> from quartermaster import play_match
    >>> with keeping_programs():
    ...     matches = [play_match(["random"], seed=seed) for seed in range(2)]
    """
    global _keepers
    _keepers += 1
    try:
        yield
    finally:
        _keepers -= 1
        if not _keepers:
            _end_waiting()


def keep_programs() -> None:
    """Keep programs until this process ends, which is a worker of some other."""
    global _keepers, _worker
    if _worker != os.getpid():
        _worker = os.getpid()
        _keepers += 1
        _idle.clear()  # a worker that was forked off plays with none of its parent's
        Finalize(None, _end_waiting, exitpriority=0)  # workers run nothing that `atexit` knows


def _end_waiting() -> None:
    waiting = [running for same in _idle.values() for running in same]
    _idle.clear()
    for running in waiting:
        running.hush()  # all of them end while the first is waited for
    for running in waiting:
        running.end()


def _take(command: tuple[str, ...]) -> "_Running":
    waiting = _idle.get(command, [])
    while waiting:
        running = waiting.pop()
        if running.is_alive and running.owner == os.getpid():
            return running
        running.stop()
    return _Running(command)


def _give_back(command: tuple[str, ...], running: "_Running") -> None:
    is_kept = _keepers and running.is_alive and not sys.is_finalizing()
    if is_kept and len(_idle.setdefault(command, [])) < _WAITING:
        _idle[command].append(running)
    else:
        running.end()


class _Running:
    """A program that runs. A thread writes to it and reads from it, for either may last; whoever
    waits no longer ends the program, and the thread with it."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self.owner = os.getpid()
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C is for who asks
            )
        except OSError as error:
            raise Failure("could not be started", f"could not be started: {error}") from None
        self._questions: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._end = weakref.finalize(self, _kill, self._process, self._questions, self.owner)
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._tail = bytearray()
        shared = self._process, self._questions, self._answers, self._tail
        self._listener = threading.Thread(target=_listen, args=shared, daemon=True)
        for thread in (
            threading.Thread(target=_exchange, args=shared, daemon=True),
            self._listener,
        ):
            thread.start()
        try:
            told = self.ask({"hello": PROTOCOL}, START_LIMIT)
            if told.get("hello") != PROTOCOL:
                raise _nonsense(f'answered {show(told)} to a hello, not {{"hello": {PROTOCOL}}}')
        except BaseException:
            self.stop()
            raise

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Put a question to the program; its answer, or `Failure`."""
        self._questions.put(json.dumps(question, ensure_ascii=False).encode() + b"\n")
        try:
            line = self._answers.get(timeout=seconds)
        except queue.Empty:
            took = f"{seconds:g} second{'' if seconds == 1 else 's'}"
            raise self._failed("took too long", f"took longer than {took}") from None
        if not line:
            code = self._exit_code()
            raise self._failed("ended its process", f"ended its process (exit code {code})")
        if not line.endswith(b"\n"):
            if len(line) >= LONGEST:
                raise self._failed("answered nonsense", f"wrote a line of over {LONGEST} bytes")
            raise self._failed("answered nonsense", f"ended within a line: {show(line)}")
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            raise self._failed("answered nonsense", f"answered no JSON: {show(line)}") from None
        if not isinstance(answer, dict):
            raise self._failed("answered nonsense", f"answered no JSON object: {show(line)}")
        return answer

    def stop(self) -> None:
        """End the program at once."""
        self._end()

    def hush(self) -> None:
        """Tell the program that nothing more is asked: its input ends."""
        self._questions.put(None)

    def end(self) -> None:
        """Let the program end by itself, as one does whose input has ended; stop it if not."""
        if self.owner == os.getpid():
            self.hush()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE)
        self.stop()

    def _exit_code(self) -> int | None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(0.5)
        return None

    def _failed(self, kind: str, reason: str) -> Failure:
        if not self.is_alive:
            self._listener.join(0.5)  # its last words may still be on their way
        said = bytes(self._tail).decode(errors="replace").strip()
        return Failure(kind, f"{reason}; it said: {said}" if said else reason)


def _nonsense(reason: str) -> Failure:
    return Failure("answered nonsense", reason)


def _exchange(
    process: "subprocess.Popen[bytes]",
    questions: "queue.SimpleQueue[bytes | None]",
    answers: "queue.SimpleQueue[bytes]",
    tail: bytearray,
) -> None:
    assert process.stdin is not None
    assert process.stdout is not None
    # A program that is gone breaks the pipe, also when that is closed.
    with contextlib.suppress(OSError), process.stdout, process.stdin:
        while (question := questions.get()) is not None:
            try:
                process.stdin.write(question)
                process.stdin.flush()
                answers.put(process.stdout.readline(LONGEST))
            except OSError:
                answers.put(b"")


def _listen(
    process: "subprocess.Popen[bytes]",
    questions: "queue.SimpleQueue[bytes | None]",
    answers: "queue.SimpleQueue[bytes]",
    tail: bytearray,
) -> None:
    """Keep the end of what it complains of, however much that is."""
    assert process.stderr is not None
    with contextlib.suppress(OSError), process.stderr:
        while said := os.read(process.stderr.fileno(), 4096):
            tail += said
            del tail[:-_TAIL]


def _kill(
    process: "subprocess.Popen[bytes]", questions: "queue.SimpleQueue[bytes | None]", owner: int
) -> None:
    """End a program and what it has started; only whoever started it may."""
    if os.getpid() != owner:
        return
    questions.put(None)  # its thread ends too
    with contextlib.suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()

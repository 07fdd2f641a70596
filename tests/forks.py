"""Processes of `quartermaster` that begin with its modules imported.

Tests start a hundred of them, and most of the work of a start is importing. So one process imports
everything once, and whoever asks gets a fork of it: a process with its own environment, output and
session, to be stopped and killed like any other. `test_serve` starts programs as people do.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

# What a server imports, also what it does not import before it has read its settings.
_MODULES = (
    "quartermaster.cli.main",
    "quartermaster.server.app",
    "quartermaster.server.store.backups",
    "httpx",
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.websockets.auto",
    "litestar.plugins.attrs",
    "litestar.plugins.pydantic",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "sqlalchemy.dialects.sqlite.aiosqlite",
)


class Fork:
    """A process that is another's child; what `subprocess.Popen` can do, as far as tests need."""

    def __init__(self, forks: "Forks", pid: int) -> None:
        self.pid = pid
        self._forks = forks
        self._code: int | None = None

    def poll(self) -> int | None:
        """Its exit code once it has ended."""
        if self._code is None:
            self._code = self._forks.ask({"poll": self.pid})
        return self._code

    def wait(self, timeout: float | None = None) -> int:
        until = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired("quartermaster", timeout or 0)
            time.sleep(0.01)
        return code

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


class Forks:
    """The process that has imported everything, asked line by line."""

    def __init__(self) -> None:
        # Without this folder on its path: a server finds no modules of the tests.
        self._process = subprocess.Popen(
            [sys.executable, "-P", __file__],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._lock = threading.Lock()
        atexit.register(self.close)

    def ask(self, question: dict[str, Any]) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with self._lock:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the process that is forked has ended; its errors stand above")
        return json.loads(answer)

    def start(
        self, arguments: Sequence[str], environment: Mapping[str, str], out: Path, err: Path
    ) -> Fork:
        """`python -m quartermaster ...`; what it writes is added to two files."""
        wish = {
            "arguments": [*arguments], "environment": {**environment}, "folder": os.getcwd(),
            "out": str(out), "err": str(err),
        }  # fmt: skip
        return Fork(self, self.ask(wish))

    def close(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


@cache
def forks() -> Forks | None:
    """The one of this process; none where a system has no forks."""
    return Forks() if hasattr(os, "fork") else None


def run(
    arguments: Sequence[str], environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """`python -m quartermaster ...` to its end, with what it wrote."""
    mother = forks()
    if mother is None:
        command = [sys.executable, "-m", "quartermaster", *arguments]
        return subprocess.run(command, env=environment, capture_output=True, text=True)
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        code = mother.start(arguments, environment, out, err).wait()
        return subprocess.CompletedProcess(arguments, code, out.read_text(), err.read_text())


# -- in the process that is forked -----------------------------------------------------


def _answer() -> dict[str, Any] | None:
    """Fork whenever asked. In a fork: what it is to do. Else none, once nobody asks any more."""
    for line in sys.stdin:
        asked = json.loads(line)
        if "poll" in asked:
            pid, status = os.waitpid(asked["poll"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        else:
            answer = os.fork()
            if not answer:
                return dict(asked)
        print(json.dumps(answer), flush=True)
    return None


def _become(wish: dict[str, Any]) -> None:
    os.setsid()
    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    adding = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    files = [(os.devnull, os.O_RDONLY), (wish["out"], adding), (wish["err"], adding)]
    for number, (path, flags) in enumerate(files):
        opened = os.open(path, flags, 0o666)
        os.dup2(opened, number)
        os.close(opened)
    sys.argv = ["quartermaster", *wish["arguments"]]
    runpy.run_module("quartermaster", run_name="__main__", alter_sys=True)


def _main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asks decides when this ends
    for name in _MODULES:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()
    wish = _answer()
    if wish is not None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        _become(wish)


if __name__ == "__main__":
    _main()

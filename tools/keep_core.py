"""Compiles the core of this checkout and keeps it where `quartermaster.core` finds it.

`make play` runs it beside the server, whose bots change over when it is done. A copy of the sources
is compiled, so that it does not matter who edits them meanwhile: what is kept goes by a digest of
the copy. Without a C compiler, or with one that fails, nothing is kept, and all runs as before.
Only one process compiles at a time; that compiling failed is remembered in `build/core.failed`.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform != "win32":
    import fcntl

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "src")]

from backend import can_compile  # noqa: E402
from quartermaster.core import KEPT, core_digest, kept_core  # noqa: E402

_SOURCES = ("LICENSE", "MANIFEST.in", "README.md", "packaging", "pyproject.toml", "setup.py", "src")
_NICENESS = 10
_FORGOTTEN = 24 * 3600  # seconds after which it is tried again: perhaps only the network failed
_MOST = 3  # cores that are kept: processes may still run those of sources as they were


def keep_core() -> str:
    """Compile and keep the core; what became of it, in words."""
    if kept_core() is not None:
        return "kept already"
    if not can_compile():
        return "no C compiler; the core stays interpreted"
    with _alone():
        for left in KEPT.parent.glob("core-*"):  # by one that was killed
            shutil.rmtree(left, ignore_errors=True)
        if kept_core() is not None:  # by now
            return "kept already"
        told = KEPT.parent / "core.failed"
        if _is_known(told, _attempt(core_digest())):
            return f"compiling has failed before; {told} says why, and is deleted to try again"
        return _compile(told)


def _compile(told: Path) -> str:
    with tempfile.TemporaryDirectory(prefix="core-", dir=KEPT.parent) as made:
        source, target = Path(made, "source"), Path(made, "target")
        for name in _SOURCES:
            if (ROOT / name).is_dir():
                shutil.copytree(
                    ROOT / name, source / name, ignore=shutil.ignore_patterns("*.egg-info")
                )
            else:
                source.mkdir(exist_ok=True)
                shutil.copy2(ROOT / name, source / name)
        done = subprocess.run(
            [*installer(), "--no-deps", "--target", str(target), str(source)],
            env={**os.environ, "QUARTERMASTER_COMPILE": "always"},
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
        print(done.stdout, end="")
        digest = core_digest(source / "src" / "quartermaster")
        if done.returncode:
            told.write_text(f"{_attempt(digest)}\n{done.stdout}", encoding="utf-8")
            return f"compiling failed, {told} says why; the core stays interpreted"
        told.unlink(missing_ok=True)
        _keep(target, digest)
    return f"kept as {digest}"


def keep_made(made: Path) -> str:
    """Keep a core that was compiled before, as `make test` does, from where it was installed."""
    if not list(made.glob("*.so")):
        return "not compiled; the core stays interpreted"
    digest = core_digest(made / "quartermaster")
    with _alone(), tempfile.TemporaryDirectory(prefix="core-", dir=KEPT.parent) as aside:
        shutil.copytree(made, Path(aside, "target"))
        _keep(Path(aside, "target"), digest)
    return f"kept as {digest}"


def _keep(made: Path, digest: str) -> None:
    """Put a core in its place, whole at once, for processes may look for it meanwhile."""
    KEPT.mkdir(exist_ok=True)
    if (KEPT / digest).exists():
        return
    for old in sorted(KEPT.iterdir(), key=os.path.getmtime, reverse=True)[_MOST - 1 :]:
        shutil.rmtree(old)
    made.rename(KEPT / digest)


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process compiles here. The system lets go of a lock whose holder is
    killed; where it knows no such locks, which no `make play` runs on, there is none."""
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    with (KEPT.parent / "core.lock").open("w") as lock:
        if sys.platform != "win32":
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _attempt(digest: str) -> str:
    """Sources and the compiler that is tried on them: the same would fail again."""
    names = [os.environ.get("CC", ""), "cc", "gcc", "clang", "cl"]
    compiler = next((path for name in names if (path := shutil.which(name))), "")
    version = ""
    if compiler:
        asked = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False)
        version = asked.stdout.partition("\n")[0]
    return f"{digest} {compiler} {version}".rstrip()


def _is_known(told: Path, attempt: str) -> bool:
    """Whether the same has been tried today, and failed."""
    if not told.is_file() or time.time() - told.stat().st_mtime > _FORGOTTEN:
        return False
    return told.read_text(encoding="utf-8", errors="replace").partition("\n")[0] == attempt


def installer() -> list[str]:
    """The command that installs packages: uv where it is there, else pip."""
    uv = shutil.which("uv")
    if uv is not None:
        return [uv, "pip", "install", "-q", "--python", sys.executable]
    return [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(_NICENESS)  # behind the game
    print(keep_made(Path(sys.argv[1])) if len(sys.argv) > 1 else keep_core())

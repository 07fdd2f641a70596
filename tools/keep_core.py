"""Compiles the core of this checkout and keeps it where `quartermaster.core` finds it.

`make play` runs it beside the server, whose bots change over when it is done. A copy of the sources
is compiled, so that it does not matter who edits them meanwhile: what is kept goes by a digest of
the copy. Without a C compiler, or with one that fails, nothing is kept, and all runs as before.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "src")]

from backend import can_compile  # noqa: E402
from quartermaster.core import KEPT, core_digest, kept_core  # noqa: E402

_SOURCES = ("LICENSE", "MANIFEST.in", "README.md", "packaging", "pyproject.toml", "setup.py", "src")
_NICENESS = 10
_MOST = 3  # cores that are kept: processes may still run those of sources as they were


def keep_core() -> str:
    """Compile and keep the core; what became of it, in words."""
    if kept_core() is not None:
        return "kept already"
    if not can_compile():
        return "no C compiler; the core stays interpreted"
    KEPT.parent.mkdir(parents=True, exist_ok=True)
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
        )
        if done.returncode:
            return "compiling failed; the core stays interpreted"
        digest = core_digest(source / "src" / "quartermaster")
        KEPT.mkdir(exist_ok=True)
        for old in sorted(KEPT.iterdir(), key=os.path.getmtime, reverse=True)[_MOST - 1 :]:
            shutil.rmtree(old)
        target.rename(KEPT / digest)
    return f"kept as {digest}"


def keep_made(made: Path) -> str:
    """Keep a core that was compiled before, as `make test` does, from where it was installed."""
    if not list(made.glob("*.so")):
        return "not compiled; the core stays interpreted"
    digest = core_digest(made / "quartermaster")
    if not (KEPT / digest).exists():
        shutil.copytree(made, KEPT / digest)
    return f"kept as {digest}"


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

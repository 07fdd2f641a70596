"""Which core runs: a compiled one that was kept for these very sources, else the sources.

An installed package has its core beside it, compiled or not. A checkout runs its sources; but
`make play` compiles them while the server runs (`tools/keep_core.py`) and keeps the result in
`build/core/`, under a digest of the sources it was made of. Whoever edits a source has another
digest, and runs what they edit.
"""

import os
import sys
import sysconfig
from functools import cache
from hashlib import sha256
from pathlib import Path

# What is compiled, in the package's folder. Each folder's `__init__.py` asks `compiled_path`.
FOLDERS = ("rules", "bots/mind", "lab/tensors")
_PACKAGE = Path(__file__).parent
KEPT = _PACKAGE.parent.parent / "build" / "core"  # of a checkout


def core_files(package: Path = _PACKAGE) -> list[Path]:
    """The modules that are compiled. A folder's `__init__.py` is not: it finds the others."""
    found = [path for folder in FOLDERS for path in (package / folder).rglob("*.py")]
    return sorted(path for path in found if path.name != "__init__.py")


def core_digest(package: Path = _PACKAGE) -> str:
    """A digest of the core's sources, and of the Python they would be compiled for."""
    digest = sha256(str(sysconfig.get_config_var("EXT_SUFFIX")).encode())
    for path in core_files(package):
        digest.update(f"\n{path.relative_to(package).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:20]


def kept_core() -> Path | None:
    """The compiled core that is kept for the sources as they are now."""
    if os.environ.get("QUARTERMASTER_COMPILE") == "never":
        return None
    if _PACKAGE.parent.name != "src" or not KEPT.is_dir():
        return None
    core = KEPT / core_digest()
    return core if core.is_dir() else None


def failed_core() -> Path | None:
    """What a compiler said that failed at the sources as they are now, if one did: a file that
    begins with their digest. `tools/keep_core.py` writes it."""
    told = KEPT.parent / "core.failed"
    if _PACKAGE.parent.name != "src" or not told.is_file() or kept_core() is not None:
        return None
    with told.open(encoding="utf-8", errors="replace") as lines:
        return told if lines.readline().startswith(core_digest()) else None


@cache
def running_core() -> Path | None:
    """The one that this process runs: whatever is kept later is for processes to come, for
    modules of both kinds cannot be mixed."""
    core = kept_core()
    if core is not None:
        sys.path.append(str(core))  # where the compiled modules find what they share
    return core


def compiled_path(folder: str) -> list[str]:
    """Where a folder's compiled modules are; to be looked at before the folder itself."""
    core = running_core()
    return [] if core is None else [str(core / "quartermaster" / folder)]


def heed_signals() -> None:
    """Let Python see to signals: to Ctrl-C, or to a clock that is to stop a long computation.

    Compiled code never looks for them. But Python does at the beginning of every function that is
    not compiled, as this one is not: so the core calls it now and then, where it can be left.
    """

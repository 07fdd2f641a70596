"""How the package is built: by setuptools, with mypy only where the core will be compiled.

An installation that does not compile must not fetch a compiler's 60 MB first.
QUARTERMASTER_COMPILE=never leaves the core interpreted; =always compiles it or fails, for
wheels that are given to others; unset compiles it where there is a C compiler.
"""

import os
import shutil
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    build_editable,
    build_sdist,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

MYPY = "mypy>=2.4"


def must_compile() -> bool:
    return os.environ.get("QUARTERMASTER_COMPILE") == "always"


def can_compile() -> bool:
    """Whether there is a C compiler, and nobody forbade to use it."""
    if must_compile():
        return True
    if os.environ.get("QUARTERMASTER_COMPILE") == "never":
        return False
    return any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang", "cl"))


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    wanted: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    return [*wanted, MYPY] if can_compile() else wanted

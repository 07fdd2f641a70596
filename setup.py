"""Compiles the rules core where a C compiler is there; installs the same code without one.

QUARTERMASTER_COMPILE=never leaves it interpreted. Editable installs always are: compiled
files in src/ would shadow what one edits.
"""

import os
import shutil
import sys
from pathlib import Path

from setuptools import Extension, setup


def extensions() -> list[Extension]:
    is_editable = {"develop", "editable_wheel"} & set(sys.argv)
    if is_editable or os.environ.get("QUARTERMASTER_COMPILE") == "never":
        return []
    if not any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang", "cl")):
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    core = sorted(str(path) for path in Path("src/quartermaster/rules").glob("*.py"))
    compiled: list[Extension] = mypycify(["--strict", *core], opt_level="3")
    for extension in compiled:
        extension.optional = True  # a compiler that fails is like none
    return compiled


setup(ext_modules=extensions())

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
    is_wheel = {"bdist_wheel", "build", "build_ext", "install"} & set(sys.argv)
    if not is_wheel or os.environ.get("QUARTERMASTER_COMPILE") == "never":
        return []
    if not any(shutil.which(name) for name in (os.environ.get("CC", "cc"), "gcc", "clang", "cl")):
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    folders = (Path("src/quartermaster/rules"), Path("src/quartermaster/bots/mind"))
    core = sorted(str(path) for folder in folders for path in folder.glob("*.py"))
    # The core alone is checked: what else the package imports need not be installed to build.
    flags = ["--strict", "--follow-imports=silent", "--ignore-missing-imports"]
    compiled: list[Extension] = mypycify([*flags, *core], opt_level="3")
    for extension in compiled:
        extension.optional = True  # a compiler that fails is like none
    return compiled


setup(ext_modules=extensions())

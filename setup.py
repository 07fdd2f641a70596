"""Compiles the rules core where that can be done; installs the same code without.

`packaging/backend.py` tells when. Editable installs stay interpreted: compiled files in src/
would shadow what one edits.
"""

import os
import runpy
import sys
from pathlib import Path

from setuptools import Extension, setup

sys.path.insert(0, str(Path(__file__).parent / "packaging"))

from backend import can_compile, must_compile
from index_page import index_page, project_urls
from link_time import link_time_flags
from side_by_side import BuildSideBySide

PACKAGE = Path("src/quartermaster")


def extensions() -> list[Extension]:
    is_wheel = {"bdist_wheel", "build", "build_ext", "install"} & set(sys.argv)
    if not is_wheel or not can_compile():
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        if must_compile():
            raise
        return []
    # The core alone is checked: what else the package imports need not be installed to build.
    flags = ["--strict", "--follow-imports=silent", "--ignore-missing-imports"]
    core_files = runpy.run_path(str(PACKAGE / "core.py"))["core_files"]
    core = [str(path) for path in core_files(PACKAGE)]
    try:
        # One C file for each module, so that they can be compiled side by side.
        compiled: list[Extension] = mypycify(
            [*flags, *core], opt_level="3", debug_level="0", multi_file=True
        )
    except SystemExit:  # a later mypy than we know may find fault with what runs well
        if must_compile():
            raise
        return []
    if os.name == "posix":
        # Nothing outside calls into the core by name: its functions may call each other directly.
        for extension in compiled:
            extension.extra_compile_args += ["-fvisibility=hidden", "-fno-semantic-interposition"]
        # All but a door to each module is in one extension.
        rooms = [extension for extension in compiled if extension.name.endswith("__mypyc")]
        for extension in rooms:
            extension.extra_compile_args += (more := link_time_flags())
            extension.extra_link_args += ["-O3", *more]
    return compiled


repository = os.environ.get("QUARTERMASTER_REPOSITORY") or None
setup(
    ext_modules=extensions(),
    cmdclass={"build_ext": BuildSideBySide},
    long_description=index_page(Path("README.md").read_text(encoding="utf-8"), repository),
    long_description_content_type="text/markdown",
    project_urls=project_urls(repository),
)

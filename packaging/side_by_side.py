"""Compiles the core's C files side by side, on all cores; all of them or none.

setuptools builds several extensions at a time if told to, but the files of one after the other; and
nearly all of the core is one extension. The others are doors to it: if it cannot be compiled, none
of them may be left.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from setuptools.command.build_ext import build_ext
from setuptools.errors import BaseError, CCompilerError

from backend import must_compile


class BuildSideBySide(build_ext):  # type: ignore[misc]  # setuptools tells no types
    def build_extensions(self) -> None:
        one_by_one = self.compiler.compile
        if hasattr(self.compiler, "initialize"):  # that of Windows finds itself at first use
            self.compiler.initialize()

        def compile(sources: list[str], **how: Any) -> list[str]:
            def compile_one(source: str) -> list[str]:
                objects: list[str] = one_by_one([source], **how)
                return objects

            largest_first = sorted(sources, key=os.path.getsize, reverse=True)
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                made = list(pool.map(compile_one, largest_first))
            found = dict(zip(largest_first, made, strict=True))
            return [name for source in sources for name in found[source]]

        self.compiler.compile = compile
        try:
            super().build_extensions()
        except (BaseError, CCompilerError, OSError) as error:
            if must_compile():
                raise
            self.warn(f"the core stays interpreted: {error}")  # a compiler that fails is like none
            for extension in self.extensions:
                Path(self.get_ext_fullpath(extension.name)).unlink(missing_ok=True)
            self.extensions: list[Any] = []

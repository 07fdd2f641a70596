"""Whether the C compiler can still optimize when the files are linked.

Each module is a C file of its own, so that they can be compiled side by side. Calls between them,
and to mypyc's own helpers, are most of what the core does: seen together they become a good part of
their callers.
"""

import os
import subprocess
import sysconfig
import tempfile
from pathlib import Path

FLAGS = ["-flto=auto", "-fno-plt"]


def link_time_flags() -> list[str]:
    """What to give the compiler and the linker for it; nothing where a trial fails."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC")
    if os.name != "posix" or not compiler:
        return []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "trial.c")
        source.write_text("int trial(void) { return 1; }\n")
        command = [*compiler.split(), "-O3", "-fPIC", "-shared", *FLAGS, str(source), "-o"]
        try:
            done = subprocess.run([*command, str(source.with_suffix(".so"))], capture_output=True)
        except OSError:
            return []
    return FLAGS if done.returncode == 0 else []

"""Where the packages of an extra are missing, importing the environments says how to get them."""

import subprocess
import sys

import pytest

IMPORT = """
import sys
sys.modules[{package!r}] = None  # as if it were not installed
import quartermaster
try:
    import quartermaster.lab.env
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.parametrize("package", ["numpy", "gymnasium"])
def test_the_error_names_the_extra(package: str) -> None:
    code = IMPORT.format(package=package)
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert package in told.stdout
    assert told.stdout.endswith(": pip install 'quartermaster-game[lab]'\n")

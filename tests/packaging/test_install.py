"""`make` on a fresh machine: a clear word for an old Python, and nothing half-made left."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name != "posix", reason="make and sh are of POSIX")

# A Python of a certain version that makes environments of itself; pip fails where it must.
PYTHON = """#!/bin/sh
case "$*" in
  --version) echo "Python 3.{minor}.0" ;;
  *"version_info < (3, 11)"*) [ {minor} -ge 11 ] ;;
  "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; touch "$3/new" ;;
  "-m pip install "*) [ ! -e "$(dirname "$0")/../../no-network" ] ;;
  "-c import pip") [ ! -e "$(dirname "$0")/../half" ] ;;
  *) exit 99 ;;
esac
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with the usual programs and no Python."""
    for name in ("sh", "make", "rm", "mkdir", "cp", "touch", "dirname", "env"):
        found = shutil.which(name)
        assert found is not None
        (tmp_path / name).symlink_to(found)
    return tmp_path


def python(machine: Path, minor: int, name: str = "python3") -> Path:
    path = machine / name
    path.write_text(PYTHON.replace("{minor}", str(minor)))
    path.chmod(0o755)
    return path


def install(machine: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(ROOT / "tools" / "install.sh"), str(machine / "venv"), "server"],
        env={"PATH": str(machine), **more}, capture_output=True, text=True,
    )  # fmt: skip


def test_an_old_python_is_refused_at_once(machine: Path) -> None:
    old = python(machine, 10)
    done = install(machine)
    assert done.returncode == 1
    assert "needs Python 3.11 or later; found only Python 3.10.0." in done.stderr
    assert "PYTHON=" in done.stderr
    done = install(machine, PYTHON=str(old))
    assert f"{old} is Python 3.10.0." in done.stderr
    assert not (machine / "venv").exists()
    told = subprocess.run(
        ["make", "-C", str(ROOT), "play", f"VENV={machine}/venv"],
        env={"PATH": str(machine)}, capture_output=True, text=True,
    )  # fmt: skip
    assert "found only Python 3.10.0" in told.stderr


def test_a_later_python_under_another_name_is_found(machine: Path) -> None:
    python(machine, 10)
    python(machine, 13, "python3.13")
    done = install(machine)
    assert done.returncode == 0, done.stderr
    assert "Installing the server and what it needs" in done.stdout
    assert "about two minutes" in done.stdout
    assert (machine / "venv" / "new").exists()


def test_nothing_half_made_stays(machine: Path) -> None:
    python(machine, 12)
    (machine / "no-network").touch()
    done = install(machine)
    assert done.returncode != 0
    assert "is removed again" in done.stderr
    assert not (machine / "venv").exists()
    (machine / "no-network").unlink()
    assert install(machine).returncode == 0
    (machine / "venv" / "half").touch()  # killed while it was made
    done = install(machine)
    assert "does not work; it is made anew" in done.stdout
    assert done.returncode == 0
    assert not (machine / "venv" / "half").exists()
    (machine / "venv" / "mine").touch()  # one that works is kept, also when an update fails
    (machine / "no-network").touch()
    assert install(machine).returncode != 0
    assert (machine / "venv" / "mine").exists()


def test_uv_is_used_where_it_is_there(machine: Path) -> None:
    python(machine, 12)
    uv = machine / "uv"
    uv.write_text(f'#!/bin/sh\necho "$@" >> {machine}/asked\nmkdir -p {machine}/venv\n')
    uv.chmod(0o755)
    done = install(machine)
    assert done.returncode == 0, done.stderr
    assert "with uv" in done.stdout
    made, installed = (machine / "asked").read_text().splitlines()
    assert made.startswith("venv ")
    assert installed.startswith("pip install ")
    assert installed.endswith("-e .[server]")

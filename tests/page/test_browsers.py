"""The browser for tests is found under whatever name it has."""

import os
from pathlib import Path

import pytest

from browsers import NAMES, find_chromium


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture(autouse=True)
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without any browser."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("QUARTERMASTER_CHROMIUM", "PLAYWRIGHT_BROWSERS_PATH"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.skipif(os.name != "posix", reason="programs are made as POSIX has them")
def test_each_usual_name_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("browsers._APPLICATIONS", ())
    assert find_chromium() is None
    for name in NAMES:
        made = program(tmp_path / "bin" / name)
        assert find_chromium() == made
        os.remove(made)
    own = program(tmp_path / ".cache/ms-playwright/chromium-1200/chrome-linux/chrome")
    assert find_chromium() == own
    kept = tmp_path / ".cache/ms-playwright/chromium_headless_shell-1200"
    shell = program(kept / "chrome-headless-shell-linux64/chrome-headless-shell")
    assert find_chromium() == shell
    monkeypatch.setenv("QUARTERMASTER_CHROMIUM", program(tmp_path / "mine"))
    assert find_chromium() == str(tmp_path / "mine")

"""A browser for the tests of the page: any Chromium that this machine has."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

# The shell without windows first: it takes half of the time for the same pages.
NAMES = (
    "chromium-headless-shell",
    *("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"),
    *("microsoft-edge", "microsoft-edge-stable", "msedge"),
)
_APPLICATIONS = ("Chromium", "Google Chrome", "Microsoft Edge")  # of macOS
# Where `playwright install chromium` puts its own, by system.
_CACHES = (".cache/ms-playwright", "Library/Caches/ms-playwright", "AppData/Local/ms-playwright")
_INSIDE = (
    *("chromium_headless_shell-*/*/*headless*shell", "chromium_headless_shell-*/*/*shell.exe"),
    *("chromium-*/chrome-*/chrome", "chromium-*/chrome-*/chrome.exe"),
    "chromium-*/chrome-*/*.app/Contents/MacOS/*",
)


def find_chromium() -> str | None:
    """The program of QUARTERMASTER_CHROMIUM, else the first found under any usual name."""
    return next(_found(), None)


def _found() -> Iterator[str]:
    for name in (os.environ.get("QUARTERMASTER_CHROMIUM", ""), *NAMES):
        if path := shutil.which(name):
            yield path
    for name in _APPLICATIONS:
        application = Path(f"/Applications/{name}.app/Contents/MacOS/{name}")
        if application.exists():
            yield str(application)
    kept = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    for folder in [Path(kept)] if kept else [Path.home() / cache for cache in _CACHES]:
        for inside in _INSIDE:
            yield from map(str, sorted(folder.glob(inside)))


CHROMIUM = find_chromium()
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None,
    reason="no Chromium or Chrome found: install one, or set QUARTERMASTER_CHROMIUM to its path",
)

"""A browser, a server and people for the tests of the page."""

from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    Page,
    expect,
    sync_playwright,
)

from browsers import CHROMIUM
from pages import PATIENCE, Visitors, ids_without_words
from servers import Client, Server

# One browser and one server serve all files of this folder that a process runs in a row. Everyone
# comes as a new guest and plays at tables of their own, so files share nothing else. Both end where
# the next test is in another folder: while Playwright is open, no test of the process could use
# asyncio.
_open = ExitStack()


@cache
def _browser() -> Browser:
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"]
    options += [
        "--disable-gpu",
        "--renderer-process-limit=1",
    ]  # processes that are started take long
    expect.set_options(timeout=PATIENCE)
    playwright = _open.enter_context(sync_playwright())
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
    _open.callback(browser.close)
    return browser


@cache
def _server(folder: Path) -> Server:
    return _open.enter_context(Server(f"sqlite:///{folder}/games.db", folder))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    try:
        yield
    finally:
        if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
            _browser.cache_clear()
            _server.cache_clear()
            _open.close()


@pytest.fixture(scope="module")
def chromium() -> Browser:
    return _browser()


@pytest.fixture(scope="session")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def server(_folder: Path) -> Server:
    return _server(_folder)


@pytest.fixture(scope="module")
def anna(server: Server) -> Iterator[Client]:
    with server.client("Anna") as client:
        yield client


@pytest.fixture(scope="module")
def ben(server: Server) -> Iterator[Client]:
    with server.client("Ben") as client:
        yield client


@pytest.fixture(scope="module")
def kept() -> Iterator[dict[str, Page]]:
    pages: dict[str, Page] = {}
    yield pages
    for page in pages.values():
        page.context.close()


@pytest.fixture
def visitors(chromium: Browser, server: Server, kept: dict[str, Page]) -> Iterator[Visitors]:
    those = Visitors(chromium, server, kept)
    yield those
    unspoken = [text for page in those.pages for text in ids_without_words(page)]
    those.leave()
    assert those.unexpected() == []
    assert unspoken == []

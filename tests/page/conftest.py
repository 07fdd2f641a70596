"""A browser, a server and people for the tests of the page."""

from collections.abc import Iterator

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


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-background-networking"]
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("page")
    with Server(f"sqlite:///{folder}/games.db", folder) as one:
        yield one


@pytest.fixture(scope="module")
def anna(server: Server) -> Iterator[Client]:
    with server.client("Anna") as client:
        yield client


@pytest.fixture(scope="module")
def ben(server: Server) -> Iterator[Client]:
    with server.client("Ben") as client:
        yield client


@pytest.fixture(scope="module")
def kept() -> dict[str, Page]:
    return {}


@pytest.fixture
def visitors(chromium: Browser, server: Server, kept: dict[str, Page]) -> Iterator[Visitors]:
    those = Visitors(chromium, server, kept)
    yield those
    unspoken = [text for page in those.pages for text in ids_without_words(page)]
    those.leave()
    assert those.unexpected() == []
    assert unspoken == []

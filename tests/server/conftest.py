"""Servers, and people who come for one test."""

from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest

from guests import Guests
from servers import Client, Server
from toy_app import make_settings, serve


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a process that do not stop it; its games are in a file."""
    folder = tmp_path_factory.mktemp("server")
    with Server(f"sqlite:///{folder}/games.db", folder) as one:
        yield one


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that may be stopped and started again."""
    folder = tmp_path_factory.mktemp("mortal")
    url = f"sqlite:///{folder}/games.db"
    with Server(url, folder, QUARTERMASTER_PRIVATE_WEBHOOKS="1") as one:
        yield one


@pytest.fixture
def guest() -> Iterator[Guests]:
    """People who come for a test, and go with it."""
    with ExitStack() as stack:

        def come(server: Server, name: str) -> Client:
            return stack.enter_context(server.client(name))

        yield come


@pytest.fixture
def anna(server: Server, guest: Guests) -> Client:
    return guest(server, "Anna")


@pytest.fixture
def ben(server: Server, guest: Guests) -> Client:
    return guest(server, "Ben")


@pytest.fixture
def cora(server: Server, guest: Guests) -> Client:
    return guest(server, "Cora")


@pytest.fixture(scope="module")
def client() -> Iterator[httpx.Client]:
    with serve(make_settings(rate_limit=0)) as one:
        yield one

"""`serve` and `migrate`: the game server."""

import os
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from quartermaster.cli.common import console, friendly
from quartermaster.core import failed_core
from quartermaster.errors import QuartermasterError

_IN_TERMINALS = ("www-browser", "links", "links2", "elinks", "lynx", "w3m", "browsh")
NEEDS = "the server needs more packages: pip install 'quartermaster-game[server]'"


@friendly
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="The port; 0: any. Left out: 8080, or the next that is free."
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Processes; more than one needs PostgreSQL.")
    ] = 1,
    browser: Annotated[
        bool | None, typer.Option(help="Open the page; done if only this machine can reach it.")
    ] = None,
) -> None:
    """Host games: one command, no configuration, everything kept in one file.

    DATABASE_URL names a PostgreSQL database instead. docs/hosting.md tells the rest.
    """
    with needs_server():
        import uvicorn

        from quartermaster.server.edge.connections import raise_descriptor_limit
        from quartermaster.server.settings import Settings
        from quartermaster.server.store.databases import is_postgres
        from quartermaster.server.store.migrate import upgrade
        from quartermaster.server.store.running import AlreadyRunning, only_server
    if sys.stderr.isatty():  # who looks on wants to see what goes wrong, not every request
        os.environ.setdefault("QUARTERMASTER_LOG", "warning")
    settings = Settings.from_environment()
    if workers > 1 and not is_postgres(settings.database_url):
        raise QuartermasterError("several workers need PostgreSQL: set DATABASE_URL")
    is_anywhere = port is None and host == "127.0.0.1"
    port = _free_port(host, port)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    address = settings.public_url or f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"
    opens = browser if browser is not None else host == "127.0.0.1"
    try:
        with only_server(settings.database_url, address):
            upgrade(settings.database_url)
            raise_descriptor_limit()
            _tell(f"Quartermaster is at [bold]{address}[/]  (Ctrl-C ends it)")
            failed = failed_core()
            if failed is not None:
                _tell(f"The core could not be compiled, so bots think less deep; see {failed}")
            if opens:
                threading.Thread(target=_open, args=(address,), daemon=True).start()
            uvicorn.run(
                "quartermaster.server.app:create_app",
                factory=True,
                http="quartermaster.server.edge.connections:Connection",
                host=host,
                port=port,
                workers=workers,
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,  # the app itself knows when to trust them
                timeout_graceful_shutdown=5,
            )
    except AlreadyRunning as running:
        if not is_anywhere:
            raise
        _tell(f"Quartermaster runs already, at [bold]{running.address}[/]")
        if opens:
            _open(running.address)


@friendly
def migrate() -> None:
    """Bring the database to this version's form; `serve` does so too."""
    with needs_server():
        from quartermaster.server.settings import Settings
        from quartermaster.server.store.migrate import current, upgrade
    settings = Settings.from_environment()
    before = current(settings.database_url)
    upgrade(settings.database_url)
    after = current(settings.database_url)
    console.print(
        f"The database is at {after}." if before == after
        else f"The database went from {before or 'nothing'} to {after}.",
        highlight=False,
    )  # fmt: skip


@contextmanager
def needs_server() -> Iterator[None]:
    """Say which packages are missing where only the library is installed."""
    try:
        yield
    except ImportError as error:
        raise QuartermasterError(f"{NEEDS} ({error})") from None


def _tell(line: str) -> None:
    console.print(line, highlight=False, soft_wrap=True)


def _free_port(host: str, wanted: int | None) -> int:
    """The port that is wanted, any if that is 0; without a wish 8080 or one near it."""
    for candidate in range(8080, 8100) if wanted is None else [wanted]:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
                port: int = probe.getsockname()[1]
                return port
            except OSError as error:
                reason = error.strerror or str(error)
    raise QuartermasterError(f"cannot listen on {host}:{wanted or '8080 to 8099'}: {reason}")


def _open(address: str) -> None:
    """Open the page once it is there."""
    browser = graphical_browser()
    if browser is None:
        return
    for _ in range(100):
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=1).close()
        except OSError:
            time.sleep(0.1)
            continue
        browser.open(address)
        return


def graphical_browser() -> webbrowser.BaseBrowser | None:
    """A browser with a window of its own; one in the terminal would take it from the server."""
    if sys.platform not in ("win32", "darwin"):
        if not any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
            return None
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return None
    return None if os.path.basename(getattr(found, "name", "")) in _IN_TERMINALS else found

"""`serve` and `migrate`: the game server."""

import os
import socket
import sys
import threading
import time
import urllib.request
import webbrowser
from typing import Annotated

import typer

from quartermaster.cli.common import console, friendly
from quartermaster.errors import QuartermasterError

_NEEDS = "the server needs more packages: pip install 'quartermaster-game[server]'"


@friendly
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int, typer.Option(help="The port; if it is taken and was not asked for, the next free.")
    ] = 8080,
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
    try:
        import uvicorn

        from quartermaster.web.engines import is_postgres
        from quartermaster.web.migrate import upgrade
        from quartermaster.web.settings import Settings
    except ImportError as error:
        raise QuartermasterError(f"{_NEEDS} ({error})") from None
    if sys.stderr.isatty():  # who looks on wants to see what goes wrong, not every request
        os.environ.setdefault("QUARTERMASTER_LOG", "warning")
    settings = Settings.from_environment()
    if workers > 1 and not is_postgres(settings.database_url):
        raise QuartermasterError("several workers need PostgreSQL: set DATABASE_URL")
    upgrade(settings.database_url)
    port = _free_port(host, port, is_fixed=port != 8080)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host
    address = settings.public_url or f"http://{shown}:{port}"
    console.print(f"Quartermaster is at [bold]{address}[/]  (Ctrl-C ends it)", highlight=False)
    if browser if browser is not None else host == "127.0.0.1":
        threading.Thread(target=_open, args=(address,), daemon=True).start()
    uvicorn.run(
        "quartermaster.web.app:create_app",
        factory=True,
        host=host,
        port=port,
        workers=workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the app itself knows when to trust them
        timeout_graceful_shutdown=5,
    )


@friendly
def migrate() -> None:
    """Bring the database to this version's form; `serve` does so too."""
    try:
        from quartermaster.web.migrate import current, upgrade
        from quartermaster.web.settings import Settings
    except ImportError as error:
        raise QuartermasterError(f"{_NEEDS} ({error})") from None
    settings = Settings.from_environment()
    before = current(settings.database_url)
    upgrade(settings.database_url)
    after = current(settings.database_url)
    console.print(
        f"The database is at {after}." if before == after
        else f"The database went from {before or 'nothing'} to {after}.",
        highlight=False,
    )  # fmt: skip


def _free_port(host: str, port: int, is_fixed: bool) -> int:
    """The port, or one near it that is free, if nobody asked for that very one."""
    for candidate in [port] if is_fixed else range(port, port + 20):
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as probe:
            if os.name == "posix":
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, candidate))
                return candidate
            except OSError as error:
                reason = error
    raise QuartermasterError(f"cannot listen on {host}:{port}: {reason.strerror}")


def _open(address: str) -> None:
    """Open the page once it is there."""
    for _ in range(100):
        time.sleep(0.1)
        try:
            urllib.request.urlopen(f"{address}/healthz", timeout=1).close()
        except OSError:
            continue
        webbrowser.open(address)
        return

"""A webhook that somebody has given to the server."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def receiver() -> Iterator[tuple[str, list[str]]]:
    """The address of a webhook, and what it was told."""
    told: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            told.append(json.loads(self.rfile.read(length))["content"])
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as web:
        thread = threading.Thread(target=web.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{web.server_port}/hook", told
        finally:
            web.shutdown()
            thread.join()


def wait_for(told: list[str], count: int) -> None:
    """Until so many were told, and no more are."""
    give_up = time.monotonic() + 5
    while len(told) < count and time.monotonic() < give_up:
        time.sleep(0.02)
    time.sleep(0.2)
    assert len(told) == count, told

"""Draws the rooms of the package, and one move's way through them, into docs/architecture.md.

    python tools/draw_architecture.py          # writes the drawings
    python tools/draw_architecture.py --check  # fails if the page no longer tells the truth

The first drawing comes from the imports. The second comes from a move that a client really
makes: every first call from one module into another is written down, in its order.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

import grimp
import httpx

os.environ["QUARTERMASTER_COMPILE"] = "never"  # calls inside a compiled core are not to be seen

from quartermaster.server.app import create_app
from quartermaster.server.settings import Settings

PACKAGE = "quartermaster"
_URL = "http://127.0.0.1"
PAGE = Path(__file__).parent.parent / "docs" / "architecture.md"
SOURCE = Path(__file__).parent.parent / "src" / PACKAGE
# Where a reader of the second drawing would look; what is called from everywhere is left out.
_UNTOLD = (
    "speech", "errors", "version", "cards", "forms.notation", "rules.card", "rules.state",
    "rules.names", "rules.board", "rules.actions", "server.edge", "server.identity",
    "server.names", "server.table.events",
)  # fmt: skip


def rooms() -> str:
    """The rooms and who imports whom. An arrow that other arrows imply is left out."""
    graph = grimp.build_graph(PACKAGE, exclude_type_checking_imports=True)
    names = sorted(name.rpartition(".")[2] for name in graph.find_children(PACKAGE))
    names = [name for name in names if name not in ("__main__", "page")]
    uses: dict[str, set[str]] = {name: set() for name in names}
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            one, other = _room(importer), _room(imported)
            if one in uses and other in uses and one != other:
                uses[one].add(other)

    def reaches(start: str, end: str) -> bool:
        return any(next == end or reaches(next, end) for next in uses[start])

    lines = ["flowchart TD"]
    for one in names:
        for other in sorted(uses[one]):
            if not any(reaches(between, other) for between in uses[one] - {other}):
                lines.append(f"    {one} --> {other}")
    return "\n".join(lines)


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


class Tracer:
    """Writes down the first call from each module into each other."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str]] = []

    def __call__(self, frame: FrameType, what: str, _argument: object) -> None:
        if what != "call" or frame.f_code.co_name.startswith("<"):
            return
        callee = _module(frame)
        caller = frame.f_back
        while caller is not None and not _module(caller):
            caller = caller.f_back  # through libraries
        if not callee or caller is None:
            return
        name = _module(caller)
        if name == callee or frame.f_code.co_name.startswith("_"):
            return
        if (name, callee) not in [(one, other) for one, other, _ in self.calls]:
            self.calls.append((name, callee, frame.f_code.co_name))


def _module(frame: FrameType) -> str:
    """The module of a frame, as it is called inside the package; "" for others."""
    name: str = frame.f_globals.get("__name__", "")
    inside = name.removeprefix(PACKAGE + ".") if name.startswith(PACKAGE + ".") else ""
    return "" if inside.startswith(_UNTOLD) else inside


def _in_one_piece(app: Any) -> Any:
    """An app that is given every request whole, as a server gives what comes in one packet."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        async def receive_all() -> Any:
            message = await receive()
            while message.get("more_body"):
                more = await receive()
                message = {**more, "body": message["body"] + more["body"]}
            return message

        await app(scope, receive_all, send)

    return answer


async def _play() -> list[tuple[str, str, str]]:
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.from_environment(
            {
                **os.environ,
                "DATABASE_URL": f"sqlite:///{folder}/games.db",
                "QUARTERMASTER_LOG": "error",
            }
        )
        app = create_app(settings)
        wire = httpx.ASGITransport(_in_one_piece(app))
        async with app.lifespan(), httpx.AsyncClient(transport=wire, base_url=_URL) as client:
            guest = (await client.post("/api/me", json={"name": "Anna"})).json()
            client.cookies.clear()  # the token alone says who it is
            headers = {"authorization": f"Bearer {guest['token']}"}
            wish = {"seats": [{"countries": [c], "who": "me"} for c in _COUNTRIES], "start": True}
            table = (await client.post("/api/games", json=wish, headers=headers)).json()
            action = table["actions"][0]
            move = {"number": table["number"], "country": action["country"], "text": action["text"]}
            tracer = Tracer()
            sys.setprofile(tracer)
            try:
                path = f"/api/games/{table['id']}/moves"
                answer = await client.post(path, json=move, headers=headers)
            finally:
                sys.setprofile(None)
            assert answer.status_code < 300, answer.text
            return tracer.calls


_COUNTRIES = (
    "germany", "united-kingdom", "japan", "soviet-union", "italy", "united-states",
)  # fmt: skip


def one_move() -> str:
    """A move's way from the wire to the rules, to disk and back: each module when it is first
    reached, who called it, and by which function."""
    reached: dict[str, str] = {}
    for caller, callee, function in asyncio.run(_play()):
        reached.setdefault(callee, f"    {caller} ->> {callee}: {function}")
    return "\n".join(["sequenceDiagram", *reached.values()])


def drawn(page: str) -> str:
    """The page with both drawings as they are now."""
    for name, drawing in (("rooms", rooms()), ("one move", one_move())):
        before, start, rest = page.partition(f"<!-- drawn: {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        assert end, f"{PAGE.name} has no place for the drawing of {name}"
        page = f"{before}{start}```mermaid\n{drawing}\n```\n{end}{after}"
    return page


def main() -> None:
    page = PAGE.read_text(encoding="utf-8")
    new = drawn(page)
    if "--check" in sys.argv and new != page:
        sys.exit("docs/architecture.md is out of date: run python tools/draw_architecture.py")
    PAGE.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()

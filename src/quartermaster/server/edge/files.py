"""The page's files, as they are sent.

A first visit asks for about a hundred of them, and the web framework would read and compress each
anew for everyone. Here each is read and compressed once, and answered before the framework. Styles
that import others are sent with them in one.

The page names them by addresses that hold their version (`/static/VERSION/js/main.js`), which
changes with any of them: what a browser has fetched from such an address is good for ever, and
after an upgrade no page is put together of old and new files. An address without a version, or
with another one, gives the file as it is now, and the browser asks each time whether it has
changed.
"""

import gzip
import mimetypes
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Final

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send

from quartermaster.server.folders import PAGE
from quartermaster.server.identity.tokens import headers_of

AT: Final = "/static/"
_ROUTE: Final = "/static/{path}"  # for the metrics
_TYPES: Final = {".js": "text/javascript", ".woff2": "font/woff2"}  # not all systems know them
_TEXT: Final = ("text/javascript", "application/json", "image/svg+xml")  # besides text/…
# Comments that have their lines to themselves. Those of `vendor/` hold licences.
_COMMENTS: Final = {
    "js": re.compile(r"^[ \t]*(?://.*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE),
    "styles": re.compile(r"^[ \t]*/\*(?:(?!\*/)[\s\S])*\*/[ \t]*$", re.MULTILINE),
}
_IMPORT: Final = re.compile(r'^@import "([\w-]+\.css)";$', re.MULTILINE)
_INDENTS: Final = re.compile(r"^[ \t]+", re.MULTILINE)
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_FIRST: Final = "no-cache"


def without_comments(text: str, folder: str) -> str:
    """Our own scripts and styles as they are sent: a tenth of a first visit would be comments and
    types, and something the room before lines. Every line keeps its number, so that errors name
    the place in the source.

    >>> without_comments("/** @param {string} a */\\n  use(a); // ours\\n// Why.\\nend();", "js")
    '\\nuse(a); // ours\\n\\nend();'
    """
    comment = _COMMENTS.get(folder)
    if comment is None:
        return text
    return _INDENTS.sub("", comment.sub(lambda one: "\n" * one.group().count("\n"), text))


def joined(files: Mapping[str, "File"]) -> dict[str, "File"]:
    """Files as they are sent: styles with those that they import in their place, which compresses
    better than many small files and is asked for once."""

    def whole(path: str) -> bytes:
        folder = path.rpartition("/")[0]
        return _IMPORT.sub(
            lambda found: whole(f"{folder}/{found[1]}").decode(), files[path].content.decode()
        ).encode()

    return {
        path: replace(file, content=whole(path)) if path.endswith(".css") else file
        for path, file in files.items()
    }


@dataclass(frozen=True)
class File:
    """A file as it is sent."""

    kind: str  # its media type
    content: bytes
    stamp: tuple[int, int]  # when it was written, and how long it is

    @classmethod
    def read(cls, path: Path, folder: str, stamp: tuple[int, int]) -> "File":
        """`folder` is the uppermost one that the file is in."""
        kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "text/plain"
        if kind.startswith("text/"):
            kind += "; charset=utf-8"
        content = path.read_bytes()
        if folder in _COMMENTS:
            content = without_comments(content.decode(), folder).encode()
        return cls(kind, content, stamp)

    @cached_property
    def packed(self) -> bytes | None:
        """The content compressed; pictures and fonts are so already."""
        is_text = self.kind.startswith(("text/", *_TEXT))
        return gzip.compress(self.content, mtime=0) if is_text else None

    @cached_property
    def tag(self) -> str:
        """The same for the same content, on every machine."""
        return blake2b(self.content, digest_size=12).hexdigest()


class Files:
    """The files of a folder, by their paths within it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, File] = {}
        self._files: dict[str, File] = {}  # the same, as they are sent
        self._version = ""

    def version(self) -> str:
        """What stands for all files as they are now. Those that were written anew are read anew,
        so that who works on the page sees it at once."""
        found: dict[str, File] = {}
        for base, _, names in os.walk(self._folder):
            for name in names:
                path = Path(base, name)
                status = path.stat()
                stamp = (status.st_mtime_ns, status.st_size)
                within = path.relative_to(self._folder).as_posix()
                known = self._read.get(within)
                is_same = known is not None and known.stamp == stamp
                found[within] = (
                    known if known and is_same else File.read(path, within.partition("/")[0], stamp)
                )
        if found != self._read:
            tags = "".join(f"{path} {found[path].tag}\n" for path in sorted(found))
            self._read, self._files = found, joined(found)
            self._version = blake2b(tags.encode(), digest_size=6).hexdigest()
        return self._version

    def find(self, path: str) -> tuple[File, bool] | None:
        """The file at what follows /static/ in an address, and whether the address holds the
        version that it has."""
        if not self._version:
            self.version()
        version, _, rest = path.partition("/")
        if rest in self._files:
            return self._files[rest], version == self._version
        return (self._files[path], False) if path in self._files else None


PAGE_FILES: Final = Files(PAGE)


def add_files(app: Litestar, files: Files = PAGE_FILES) -> None:
    """Answer for files before all that an app answers; `guard_app` then guards them too."""
    inner: ASGIApp = app.asgi_handler

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        found = None
        if scope["type"] == ScopeType.HTTP and scope["method"] in ("GET", "HEAD"):
            path = scope["path"]
            found = files.find(path.removeprefix(AT)) if path.startswith(AT) else None
            if found is not None:
                await _send(scope, send, *found)
        if found is None:
            await inner(scope, receive, send)

    app.asgi_handler = answer


async def _send(scope: HTTPScope, send: Send, file: File, is_lasting: bool) -> None:
    scope["path_template"] = _ROUTE
    asked = headers_of(scope)
    packed = file.packed if "gzip" in asked.get("accept-encoding", "") else None
    tag = f'"{file.tag}"' if packed is None else f'"{file.tag}-gzip"'
    headers = {
        "cache-control": FOR_EVER if is_lasting else ASK_FIRST,
        "etag": tag,
        "vary": "accept-encoding",
    }
    status, body = 304, b""
    if tag not in asked.get("if-none-match", ""):
        status, body = 200, file.content if packed is None else packed
        headers |= {"content-type": file.kind, "content-length": str(len(body))}
        headers |= {} if packed is None else {"content-encoding": "gzip"}
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": pairs})
    body = b"" if scope["method"] == "HEAD" else body
    await send({"type": "http.response.body", "body": body, "more_body": False})

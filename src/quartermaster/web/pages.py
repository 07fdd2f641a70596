"""The page: its files, its words, and the addresses under which people find it."""

from functools import cache
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po
from litestar import Response, Router, get
from litestar.params import FromPath
from litestar.static_files import create_static_files_router

from quartermaster.web.commands import Refused

FOLDER = Path(__file__).parent / "page"
_WORDS = Path(__file__).parent.parent / "locale"
# Addresses that the page itself reads.
_PLACES = ["/", "/new", "/games", "/games/{game:str}", "/cards", "/rules", "/learn", "/me"]


@get(_PLACES, include_in_schema=False, sync_to_thread=False, media_type="text/html")
def page() -> Response[bytes]:
    return Response(
        (FOLDER / "index.html").read_bytes(),
        media_type="text/html; charset=utf-8",
        headers={"cache-control": "no-cache"},
    )


@get("/manifest.webmanifest", include_in_schema=False, sync_to_thread=False)
def manifest() -> Response[bytes]:
    return Response(
        (FOLDER / "manifest.webmanifest").read_bytes(), media_type="application/manifest+json"
    )


@get("/favicon.ico", include_in_schema=False, sync_to_thread=False)
def icon() -> Response[bytes]:
    return Response((FOLDER / "icon.svg").read_bytes(), media_type="image/svg+xml")


@get("/api/words/{language:str}", tags=["Rules"], sync_to_thread=False, summary="The page's words")
def words(language: FromPath[str]) -> dict[str, str]:
    """All texts of the page by their ids."""
    found = catalogues()
    if language not in found:
        raise Refused(404, f"no words in {language[:20]!r}; expected {' or '.join(found)}")
    return found[language]


@cache
def catalogues() -> dict[str, dict[str, str]]:
    """Language -> id -> text, from the Babel catalogues."""
    found = {}
    for path in sorted(_WORDS.glob("*/LC_MESSAGES/page.po")):
        with open(path, "rb") as file:
            catalogue = read_po(file)
        found[path.parent.parent.name] = {
            str(message.id): str(message.string) for message in catalogue if message.id
        }
    return found


def page_routes() -> list[Any]:
    files: Router = create_static_files_router(
        path="/static", directories=[FOLDER], include_in_schema=False, name="static"
    )
    return [page, manifest, icon, words, files]

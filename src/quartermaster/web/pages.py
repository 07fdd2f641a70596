"""The page: its files, its words, and the addresses under which people find it."""

from pathlib import Path
from typing import Any

from litestar import Request, Response, Router, get
from litestar.params import FromPath
from litestar.static_files import create_static_files_router

from quartermaster import words
from quartermaster.web.refusals import Refused, either

FOLDER = Path(__file__).parent / "page"
# Addresses that the page itself reads.
_PLACES = ["/", "/new", "/games", "/games/{game:str}", "/cards", "/rules", "/learn", "/me"]


@get(_PLACES, include_in_schema=False, sync_to_thread=False, media_type="text/html")
def page() -> Response[bytes]:
    return Response(
        (FOLDER / "index.html").read_bytes(),
        media_type="text/html",
        headers={"cache-control": "no-cache"},
    )


def is_for_people(request: Request[Any, Any, Any]) -> bool:
    """Whether someone has followed a link, so that an answer for programs would not help."""
    accepts = request.headers.get("accept", "")
    path = request.scope["path"]
    return "text/html" in accepts and not path.startswith(("/api/", "/static/"))


def missing() -> Response[bytes]:
    """The page, which says that there is nothing at this address."""
    return Response((FOLDER / "index.html").read_bytes(), media_type="text/html", status_code=404)


@get("/manifest.webmanifest", include_in_schema=False, sync_to_thread=False)
def manifest() -> Response[bytes]:
    return Response(
        (FOLDER / "manifest.webmanifest").read_bytes(), media_type="application/manifest+json"
    )


@get("/favicon.ico", include_in_schema=False, sync_to_thread=False)
def icon() -> Response[bytes]:
    return Response((FOLDER / "icon.svg").read_bytes(), media_type="image/svg+xml")


@get("/api/words", tags=["Rules"], sync_to_thread=False, summary="The page's words, for you")
def own_words() -> dict[str, str]:
    """All texts of the page by their ids, in the language of the request: `Content-Language`
    says which."""
    return page_words(words.spoken())


@get("/api/words/{language:str}", tags=["Rules"], sync_to_thread=False, summary="The page's words")
def words_in(language: FromPath[str]) -> Response[dict[str, str]]:
    """All texts of the page by their ids."""
    known = words.languages()
    if language not in known:
        raise Refused(404, "no-such-words", language=language[:20], expected=either(known))
    return Response(page_words(language), headers={"content-language": language})


def page_words(language: str) -> dict[str, str]:
    """Id -> text; in English what a language has no words for."""
    return words.catalogue("page", words.ENGLISH) | words.catalogue("page", language)


def page_routes() -> list[Any]:
    files: Router = create_static_files_router(
        path="/static", directories=[FOLDER], include_in_schema=False, name="static"
    )
    return [page, manifest, icon, own_words, words_in, files]

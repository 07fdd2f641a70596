"""The page: its words, and the addresses under which people find it. Its files come before the
framework, by `edge/files.py`."""

import re
from typing import Any, Final

import msgspec
from litestar import Response, get
from litestar.params import FromPath

from quartermaster.server.edge import shell
from quartermaster.server.folders import PAGE
from quartermaster.server.refusals import Refused, either
from quartermaster.speech import say as words

# Addresses that the page itself reads.
_PLACES = ["/", "/new", "/games", "/games/{game:str}", "/cards", "/rules", "/learn", "/me"]


@get(_PLACES, include_in_schema=False, sync_to_thread=False, media_type="text/html")
def page() -> Response[bytes]:
    return Response(shell.index(), media_type="text/html", headers=shell.HEADERS)


@get("/manifest.webmanifest", include_in_schema=False, sync_to_thread=False)
def manifest() -> Response[bytes]:
    return Response(shell.manifest(), media_type="application/manifest+json", headers=shell.HEADERS)


@get("/favicon.ico", include_in_schema=False, sync_to_thread=False)
def icon() -> Response[bytes]:
    return Response((PAGE / "icon.svg").read_bytes(), media_type="image/svg+xml")


class Language(msgspec.Struct, frozen=True):
    """A language that there are words in."""

    language: str  # its code
    name: str  # as those call it who speak it


@get("/api/languages", tags=["Rules"], sync_to_thread=False, summary="The languages there are")
def languages() -> list[Language]:
    """`?lang=CODE` in any address asks for one; `PATCH /api/me` keeps it."""
    return [Language(one, words.own_name(one)) for one in words.languages()]


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


_FORM: Final = re.compile(r"(country|team)\.[a-z-]+\.(the|of|to)|space\.[a-z-]+\.(the|in)")


def page_words(language: str) -> dict[str, str]:
    """Id -> text; in English what a language has no words for. Countries, teams and spaces
    also in the forms that the page's sentences need."""
    game = words.catalogue("game", language)
    forms = {id: text for id, text in game.items() if _FORM.fullmatch(id)}
    return words.catalogue("page", words.ENGLISH) | forms | words.catalogue("page", language)


def page_routes() -> list[Any]:
    return [page, manifest, icon, languages, own_words, words_in]

"""The language of a request, among those that there are words in."""

import re
from functools import lru_cache
from urllib.parse import parse_qs

from quartermaster.server.identity.tokens import Caller, find_cookie
from quartermaster.server.refusals import Refused, either
from quartermaster.speech import say as words

COOKIE = "language"
ASKED = ("lang", "language")  # in a query
_LONGEST = 500  # characters of a header that are read
_WISH = re.compile(r"\s*([a-zA-Z0-9-]+)\s*(?:;\s*q\s*=\s*([01](?:\.\d*)?)\s*)?")


def language_of(caller: Caller, query: bytes) -> str:
    """The language that the query asks for, else that of the cookie, else the browser's."""
    given = parse_qs(query.decode("latin-1")) if query else {}
    asked = tuple(name for key in ASKED for name in given.get(key, ()))
    kept = find_cookie(caller.header("cookie"), COOKIE)
    return _chosen(asked, kept, caller.header("accept-language"))


@lru_cache(maxsize=1000)
def _chosen(asked: tuple[str, ...], kept: str | None, wished: str) -> str:
    wishes = [*asked, *([kept] if kept else []), *wished_languages(wished)]
    return words.known_language(wishes) or words.ENGLISH


def wished_languages(header: str) -> list[str]:
    """The languages of an Accept-Language header, the dearest first.

    >>> wished_languages("de;q=0.5, fr-CH, en;q=0.8, it;q=0")
    ['fr-CH', 'en', 'de']
    """
    found = [_WISH.fullmatch(one) for one in header[:_LONGEST].split(",")]
    wishes = [(float(one[2] or 1), one[1]) for one in found if one is not None]
    return [name for q, name in sorted(wishes, key=lambda wish: -wish[0]) if q]


def check_language(name: str) -> str:
    """A language to be kept, or an error."""
    known = words.languages()
    if name not in known:
        raise Refused(422, "no-such-words", language=name[:20], expected=either(known))
    return name

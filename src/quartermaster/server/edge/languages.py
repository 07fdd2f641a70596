"""The language of a request, among those that there are words in."""

import re
from collections.abc import Iterable
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
    """What the query asks for, else what a cookie keeps, else what the browser is set to."""
    given = parse_qs(query.decode("latin-1")) if query else {}
    asked = tuple(name for key in ASKED for name in given.get(key, ()))
    kept = find_cookie(caller.header("cookie"), COOKIE)
    return _chosen(asked, kept, caller.header("accept-language"))


@lru_cache(maxsize=1000)
def _chosen(asked: tuple[str, ...], kept: str | None, wished: str) -> str:
    return known_language([*asked, *([kept] if kept else []), *wished_languages(wished)])


def wished_languages(header: str) -> list[str]:
    """The languages of an Accept-Language header, the dearest first.

    >>> wished_languages("de;q=0.5, fr-CH, en;q=0.8, it;q=0")
    ['fr-CH', 'en', 'de']
    """
    found = [_WISH.fullmatch(one) for one in header[:_LONGEST].split(",")]
    wishes = [(float(one[2] or 1), one[1]) for one in found if one is not None]
    return [name for q, name in sorted(wishes, key=lambda wish: -wish[0]) if q]


def known_language(wishes: Iterable[str]) -> str:
    """The first that there are words in, or of which there is another variety; else English.

    >>> known_language(["tlh", "en-GB"])
    'en'
    """
    known = words.languages()
    for wish in map(_parts, wishes):
        same = [name for name in known if _parts(name)[0] == wish[0]]
        if same:
            return next((name for name in same if _parts(name) == wish), same[0])
    return words.ENGLISH


def check_language(name: str) -> str:
    """A language to be kept, or an error."""
    known = words.languages()
    if name not in known:
        raise Refused(422, "no-such-words", language=name[:20], expected=either(known))
    return name


def _parts(name: str) -> list[str]:
    """A language and its variety.

    >>> _parts("pt_BR")
    ['pt', 'br']
    """
    return name.lower().replace("_", "-").split("-")

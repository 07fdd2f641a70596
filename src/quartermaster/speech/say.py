"""Words for people, by their ids, from the catalogues in `locale/`.

Code names what is to be said, a catalogue says it: `say("log.build.army", country=..., ...)`
looks up a whole sentence, so that every language orders its words as it likes. What a
sentence speaks of is a `Noun`, with as many forms as the language needs: a catalogue may
write `{space}`, or `{space.the}`, and has `space.north-sea.the` where that form differs.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files

from quartermaster.speech.po import plural_form, read_po

ENGLISH = "en"
LOCALE = files("quartermaster.speech") / "locale"
# The catalogues that `say` looks into. The page asks the server for its own, `page`.
_DOMAINS = ("game", "cards", "server", "terminal")

_spoken: ContextVar[str] = ContextVar("language", default=ENGLISH)


def say(id: str, **parts: object) -> str:
    """The text of an id in the language spoken, with what stands in {braces} filled in.

    >>> say("log.build.army", country=Noun("country.italy"), space=Noun("space.balkans"))
    'Italy builds an army in the Balkans'
    """
    for texts in _texts(_spoken.get()):
        if id in texts:
            return texts[id].format(**parts) if parts else texts[id]
    raise KeyError(f"no words for {id!r}")


def say_many(id: str, n: int, **parts: object) -> str:
    """The text of an id for a number of things, in the plural form that goes with it.

    >>> say_many("ask.discard", 1), say_many("ask.discard", 2)
    ('Discard 1 card from hand', 'Discard 2 cards from hand')
    """
    language = _spoken.get()
    for texts in _texts(language):
        for form in (_plural_form(language)(n), "other"):
            if f"{id}.{form}" in texts:
                return texts[f"{id}.{form}"].format(n=n, **parts)
    raise KeyError(f"no words for {id!r}")


def sentence(text: str) -> str:
    """A text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


class Noun:
    """A thing that sentences speak of. `.the` and other forms are those its language has;
    one that is not in the catalogue is the noun as it is.

    >>> sea = Noun("space.north-sea", "North Sea")
    >>> str(sea), sea.the
    ('North Sea', 'the North Sea')
    """

    def __init__(self, id: str, name: str | None = None) -> None:
        self._id = id
        self._name = name  # where the catalogue has none

    def __str__(self) -> str:
        return self._form(self._id)

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __getattr__(self, form: str) -> str:
        if form.startswith("_"):
            raise AttributeError(form)
        return self._form(f"{self._id}.{form}")

    def _form(self, id: str) -> str:
        for texts in _texts(_spoken.get()):
            text = texts.get(id) or texts.get(self._id)
            if text is not None:
                return text
        if self._name is None:
            raise KeyError(f"no words for {id!r}")
        return self._name


def spoken() -> str:
    """The language spoken now."""
    return _spoken.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say things in a language for a while; in English what it has no words for."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


@cache
def languages() -> tuple[str, ...]:
    """The languages there are catalogues in, English first."""
    names = {folder.name for folder in LOCALE.iterdir()}
    return (ENGLISH, *sorted(names - {ENGLISH}))


def own_name(language: str) -> str:
    """The name of a language in that language itself.

    >>> own_name("en")
    'English'
    """
    with speaking(language):
        return say("language")


def known_language(wishes: Iterable[str]) -> str | None:
    """Of the languages that someone wishes for, the first that there is a catalogue in. One that
    has none for the wished variety (`en-GB`) is given in the variety there is (`en`).

    >>> known_language(["tlh", "en-GB"])
    'en'
    """
    known = languages()
    for wish in map(_parts, wishes):
        same = [name for name in known if _parts(name)[0] == wish[0]]
        if same:
            return next((name for name in same if _parts(name) == wish), same[0])
    return None


def _parts(name: str) -> list[str]:
    """A language and its variety.

    >>> _parts("pt_BR")
    ['pt', 'br']
    """
    return name.lower().replace("_", "-").split("-")


@cache
def catalogue(domain: str, language: str) -> dict[str, str]:
    """The texts of a domain by their ids; empty where a language has no such catalogue."""
    texts = dict(_read(domain, language))
    texts.pop("", None)
    return texts


def head(language: str) -> str:
    """What a language says of itself, at the head of its `game.po`."""
    return _read("game", language).get("", "")


@cache
def _read(domain: str, language: str) -> dict[str, str]:
    path = LOCALE / language / "LC_MESSAGES" / f"{domain}.po"
    return read_po(path.read_text("utf-8"), str(path)) if path.is_file() else {}


@cache
def _texts(language: str) -> tuple[dict[str, str], ...]:
    """The texts in which an id is looked up, in this order: those of a language, then English."""
    texts: dict[str, str] = {}
    for domain in _DOMAINS:
        texts |= catalogue(domain, language)
    return (texts,) if language == ENGLISH else (texts, *_texts(ENGLISH))


@cache
def _plural_form(language: str) -> Callable[[int], str]:
    """What says which plural form goes with a number, by the head of the language's catalogue."""
    return plural_form(head(language))

"""What has happened, entry by entry, as each viewer may know it."""

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from quartermaster.rules.board import LAND_SPACES, SPACES
from quartermaster.rules.names import BY_OWNER, BY_SUPPLY, CARD_TYPES, COUNTRIES, TEAMS
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import RawEntry
from quartermaster.speech.nouns import (
    HIDDEN_CARD,
    card_noun,
    country_noun,
    piece_noun,
    space_noun,
    team_noun,
    type_noun,
)
from quartermaster.speech.say import Noun, say, say_many, spoken

_COUNTED = frozenset({"score", "turn", "round", "order"})
# Entries whose card only its owner may know.
SECRET = frozenset({"discard", "mill", "draw", "set", "discard-response", "put-under"})
# The ways in which bots fail, in the words of their guards.
FAULTS = frozenset(
    {
        "could not be asked", "could not be started", "did not start", "ended its process",
        "gave an illegal answer", "took too long",
    }
)  # fmt: skip
_CAUSES = {BY_SUPPLY: "log.remove.supply", BY_OWNER: "log.remove.owner"}


@dataclass(frozen=True)
class LogEntry:
    """One thing that happened. Ids are `None` where they do not apply, or where the viewer
    may not know them. `n` is a number where one belongs: points (`score`), the round (`turn`,
    `round`), cards (`order`); `source` the space an air force came from. `marks` are the places of
    the text that speak of the card or the space: from, to, and the field.

    >>> from quartermaster import Game
    >>> game = Game.new(seed=7)
    >>> game.apply("discard build-navy")
    >>> entry = game.events[0]
    >>> entry.what, entry.country, entry.card
    ('discard', 'germany', 'build-navy')
    """

    what: str
    country: str | None
    card: str | None
    space: str | None
    target: str | None
    n: int
    source: str | None
    text: str
    marks: tuple[tuple[int, int, str], ...] = ()

    def __str__(self) -> str:
        return self.text


def log_entry(rules: Rules, raw: RawEntry, viewers: frozenset[int] | None) -> LogEntry:
    """An entry as the viewing countries may know it; `None` is who may know all."""
    what, country, card, space, whose, n, words = raw
    if what in SECRET and viewers is not None and country not in viewers:
        card = -1
    return _told(rules, (what, country, card, space, whose, n, words), spoken())


@lru_cache(maxsize=20_000)
def _told(rules: Rules, raw: RawEntry, language: str) -> LogEntry:
    """An entry from which all is taken that its reader may not know. Everyone at a table reads
    the same entries, again and again, so they are made once for each language."""
    what, country, card, space, whose, n, _ = raw
    text, marks = _unwrapped(_text(rules, raw))
    return LogEntry(
        what,
        None if country < 0 else COUNTRIES[country],
        None if card < 0 else rules.cards[card].id,
        None if space < 0 else SPACES[space][0],
        None if whose < 0 else COUNTRIES[whose],
        n if what in _COUNTED else 0,
        SPACES[n][0] if what in ("marshal", "reposition") else None,
        text,
        marks,
    )


# Marks around the text of a field while a sentence is put together, by which it is found again.
# They are characters for private use, so that no name has them.
_OPEN, _NAMED, _CLOSE = "\ue000", "\ue001", "\ue002"
_WRAPPED = re.compile(f"{_OPEN}([a-z]+){_NAMED}([^{_CLOSE}]*){_CLOSE}")


class _Marked:
    """A noun, in whatever form a sentence wants it, that can be found in the sentence again."""

    def __init__(self, noun: Noun, field: str) -> None:
        self._noun = noun
        self._field = field

    def __format__(self, spec: str) -> str:
        return self._wrapped(format(self._noun, spec))

    def __getattr__(self, form: str) -> str:
        return self._wrapped(str(getattr(self._noun, form)))

    def _wrapped(self, text: str) -> str:
        return f"{_OPEN}{self._field}{_NAMED}{text}{_CLOSE}"


def _unwrapped(text: str) -> tuple[str, tuple[tuple[int, int, str], ...]]:
    """The plain text, and where its fields stand in it."""
    marks = []
    plain = ""
    at = 0
    for found in _WRAPPED.finditer(text):
        plain += text[at : found.start()]
        marks.append((len(plain), len(plain) + len(found[2]), found[1]))
        plain += found[2]
        at = found.end()
    return plain + text[at:], tuple(marks)


def fault_words(bot: str, reason: str, stand_in: str) -> str:
    """What an entry about a bot that failed keeps of it."""
    return json.dumps([bot, reason, stand_in])


def _text(rules: Rules, raw: RawEntry) -> str:
    what, country, card, space, whose, n, words = raw
    parts: dict[str, object] = {"card": HIDDEN_CARD}
    if country >= 0:
        parts["country"] = country_noun(COUNTRIES[country])
    if card >= 0:
        noun = card_noun(rules.cards[card].id, rules.cards[card].name)
        parts["card"] = _Marked(noun, "card")
    if whose >= 0:
        parts["target"] = country_noun(COUNTRIES[whose])
    if space >= 0:
        kind = "army" if space < LAND_SPACES else "navy"
        owner = COUNTRIES[country if whose < 0 else whose]
        parts["space"] = _Marked(space_noun(SPACES[space][0]), "space")
        parts["piece"] = piece_noun(owner, "air-force" if what == "remove-air" else kind)
        if what in ("build", "name", "recruit"):
            return say(f"log.{what}.{kind}", **parts)
    if what == "order":
        return say_many("log.order", n, **parts)
    if what == "win":
        return say("log.win", team=team_noun(TEAMS[n]))
    if what == "show-type":
        return say("log.show-type", type=type_noun(CARD_TYPES[n]), **parts)
    if what == "fault":
        bot, reason, stand_in = json.loads(words)
        names = {"bot": _bot(bot), "stand_in": _bot(stand_in)}
        return say("log.fault", reason=_reason(reason), **names, **parts)
    if what == "score" and card >= 0:
        return say("log.score.card", n=n, **parts)
    if what == "battle" and whose < 0:
        return say("log.battle.empty", **parts)
    if what == "remove":
        return say(_CAUSES.get(n, "log.remove"), **parts)
    return say(f"log.{what}", n=n, **parts)


def _bot(name: str) -> object:
    """A bot by its title, where it has one: those that people bring have only a name."""
    return Noun(f"bot.{name}.title", name)


def _reason(text: str) -> str:
    """Why a bot failed. The reasons that a guard gives are in the catalogues; any other is shown
    as it was given."""
    if text.startswith("raised "):
        return say("fault.raised", error=text.removeprefix("raised "))
    return say(f"fault.{text.replace(' ', '-')}") if text in FAULTS else text

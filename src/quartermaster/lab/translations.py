"""What there is to translate, and how much of it a language has.

A catalogue is found by its folder: no code lists languages. What a language needs is what
English says, with the plural forms of its own; the names of spaces and cards and the texts of
cards, which stand in English where they are declared; and of nouns only the plain names, for
which forms they have beside is a matter of the language.
"""

import re
from dataclasses import dataclass
from functools import cache

from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.cards.rulings import RULING_PARTS, all_rulings
from quartermaster.rules.board import SPACES
from quartermaster.rules.names import COUNTRIES, RULE
from quartermaster.rules.rule_set import Rules
from quartermaster.speech import say as words
from quartermaster.speech.po import form_names
from quartermaster.speech.say import ENGLISH

DOMAINS = ("game", "cards", "page", "server", "terminal")
NOUNS = ("card", "country", "piece", "space", "team", "type")  # how ids of nouns begin
_FIELD = re.compile(r"\{\w+\.(\w+)")


@dataclass(frozen=True)
class Share:
    """How much of a catalogue a language has."""

    done: int
    of: int

    def __str__(self) -> str:
        return f"{self.done}/{self.of}"


@cache
def english(domain: str) -> dict[str, str]:
    """All that English says, by the ids that other languages have it under."""
    if domain == "cards":
        return _cards()
    texts = words.catalogue(domain, ENGLISH)
    if domain == "game":
        texts = texts | {f"space.{id}": name for id, name in SPACES}
    return texts


def needed(domain: str, language: str) -> dict[str, str]:
    """The ids that a language needs words for, and what each says in English.

    >>> [id for id in needed("game", "en") if id.startswith("ask.discard.")]
    ['ask.discard.one', 'ask.discard.other', 'ask.discard.status', 'ask.discard.type']
    """
    source = english(domain)
    found: dict[str, str] = {}
    for id, text in source.items():
        root, _, form = id.rpartition(".")
        if form == "one" and f"{root}.other" in source:
            several = source[f"{root}.other"]
            found |= {f"{root}.{one}": several for one in _forms(language)}
            if "one" in _forms(language):
                found[id] = text
        elif form == "one" and root in source:  # as the page has it: the other form has no name
            found |= {f"{root}.{one}": source[root] for one in _forms(language) if one != "other"}
            if "one" in _forms(language):
                found[id] = text
        elif not is_form(domain, id):
            found.setdefault(id, text)
    return found


def is_form(domain: str, id: str) -> bool:
    """Whether an id is a form of a noun: `space.north-sea.the`, but not `space.north-sea`."""
    parts = id.split(".")
    plain = 3 if parts[0] == "piece" else 2
    return domain in ("game", "cards") and parts[0] in NOUNS and len(parts) > plain


def extra(domain: str, language: str) -> list[str]:
    """Ids that a language has words for, and nothing says: not in English, nor as a form of a
    noun that a sentence of its own uses."""
    wanted = needed(domain, language)
    nouns = english("game").keys() | english("cards").keys()
    used = {form for one in DOMAINS for form in _forms_used(one, language)}
    return [
        id
        for id in words.catalogue(domain, language)
        if id not in wanted
        and not (
            is_form(domain, id)
            and id.rpartition(".")[0] in nouns
            and (id.rpartition(".")[2] in used or language == ENGLISH)
        )
    ]


def missing(domain: str, language: str) -> list[str]:
    """What a language has no words for."""
    if language == ENGLISH:
        return []
    have = words.catalogue(domain, language)
    return [id for id in needed(domain, language) if id not in have]


def share(domain: str, language: str) -> Share:
    of = len(needed(domain, language))
    return Share(of - len(missing(domain, language)), of)


def claims_to_be_whole(language: str) -> bool:
    """Whether a language has all words, by the head of its `game.po`: then tests see to it."""
    return language == ENGLISH or bool(re.search(r"^X-Complete:\s*yes", words.head(language), re.M))


def shares() -> dict[str, dict[str, Share]]:
    """How much of each catalogue each language has."""
    return {one: {domain: share(domain, one) for domain in DOMAINS} for one in words.languages()}


def _forms(language: str) -> tuple[str, ...]:
    return form_names(words.head(language))


def _forms_used(domain: str, language: str) -> set[str]:
    return {
        form for text in words.catalogue(domain, language).values() for form in _FIELD.findall(text)
    }


def _cards() -> dict[str, str]:
    """Names and texts of all cards, country by country, and the rulings on them."""
    names: dict[str, str] = {}
    texts: dict[str, str] = {}
    loaded: list[Rules] = []
    for name in RULE_SETS:
        loaded += [load_rules(name), load_rules(name, {"air-marshal": True})]
    for rules in loaded:
        for card in rules.cards:
            names.setdefault(f"card.{card.id}", card.name)
            place = f"{rules.board.edition}.{COUNTRIES[card.country]}"
            if card.type == RULE:
                place = "rule.air-marshal" if rules.has_air_forces else "rule.base"
            texts.setdefault(f"text.{place}.{card.id}", card.text)
    found = {id: text for part in (names, texts) for id, text in sorted(part.items())}
    for ruling in all_rulings():
        for part in RULING_PARTS:
            found[f"ruling.{ruling.id}.{part}"] = getattr(ruling, part)
    return found

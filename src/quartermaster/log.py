"""What has happened, entry by entry, as each viewer may know it."""

from collections.abc import Callable
from dataclasses import dataclass

from quartermaster.rules.board import LAND_SPACES, PLACE_NAMES, SPACES
from quartermaster.rules.names import (
    ADJECTIVES,
    BY_OWNER,
    BY_SUPPLY,
    CARD_TYPES,
    COUNTRIES,
    COUNTRY_NAMES,
    TEAM_NAMES,
    possessive,
)
from quartermaster.rules.state import Rules

RawEntry = tuple[str, int, int, int, int, int, str]

_COUNTED = frozenset({"score", "turn", "round", "order"})
# Entries whose card only its owner may know.
SECRET = frozenset({"discard", "mill", "draw", "set", "discard-response", "put-under"})


@dataclass(frozen=True)
class LogEntry:
    """One thing that happened. Ids are `None` where they do not apply, or where the viewer
    may not know them. `n` is a number where one belongs: points (`score`), the round (`turn`,
    `round`), cards (`order`); `source` the space an air force came from."""

    what: str
    country: str | None
    card: str | None
    space: str | None
    target: str | None
    n: int
    source: str | None
    text: str

    def __str__(self) -> str:
        return self.text


def log_entry(rules: Rules, raw: RawEntry, viewers: frozenset[int] | None) -> LogEntry:
    """An entry as the viewing countries may know it; `None` is who may know all."""
    what, country, card, space, whose, n, words = raw
    if what in SECRET and viewers is not None and country not in viewers:
        card = -1
    name = "" if card < 0 else rules.cards[card].name
    text = _TEXTS[what](_Words(country, name, space, whose, n, words))
    return LogEntry(
        what,
        None if country < 0 else COUNTRIES[country],
        None if card < 0 else rules.cards[card].id,
        None if space < 0 else SPACES[space][0],
        None if whose < 0 else COUNTRIES[whose],
        n if what in _COUNTED else 0,
        SPACES[n][0] if what in ("marshal", "reposition") else None,
        text,
    )


class _Words:
    """The words an entry's sentence is made of."""

    def __init__(self, country: int, card: str, space: int, whose: int, n: int, words: str) -> None:
        self.country = "" if country < 0 else COUNTRY_NAMES[country]
        self.card = card or "a card"
        self.space = "" if space < 0 else PLACE_NAMES[space]
        self.piece = "army" if space < LAND_SPACES else "navy"
        self.whose = "" if whose < 0 else ADJECTIVES[whose]
        self.own = "" if country < 0 else ADJECTIVES[country]
        self.its = possessive(self.country)
        self.target = "" if whose < 0 else COUNTRY_NAMES[whose]
        self.n = n
        self.words = words


_CAUSES = {BY_SUPPLY: "is out of supply and removed", BY_OWNER: "is taken off by its owner"}


def _score(w: _Words) -> str:
    card = f" ({w.card})" if w.card != "a card" else ""
    return f"{w.country}: {w.n:+d} VP{card}"


def _battle(w: _Words) -> str:
    against = f" against the {w.whose} {w.piece}" if w.whose else ", which is empty"
    return f"{w.country} battles {w.space}{against}"


_TEXTS: dict[str, Callable[[_Words], str]] = {
    "turn": lambda w: f"Round {w.n}: {w.its} turn",
    "round": lambda w: f"Round {w.n} begins",
    "win": lambda w: f"The {TEAM_NAMES[w.n]} win",
    "play": lambda w: f"{w.country} plays {w.card}",
    "set": lambda w: f"{w.country} sets {w.card} face down",
    "use": lambda w: f"{w.country} uses {w.card}",
    "discard": lambda w: f"{w.country} discards {w.card}",
    "mill": lambda w: f"{w.country} discards {w.card} off its deck",
    "draw": lambda w: f"{w.country} draws {w.card}",
    "discard-status": lambda w: f"{w.its} {w.card} is discarded from the table",
    "discard-response": lambda w: f"{w.country} loses {w.card} from the table, face down",
    "show": lambda w: f"{w.country} shows {w.card}",
    "show-type": lambda w: f"{w.country} shows that it was a {CARD_TYPES[w.n]} card",
    "take": lambda w: f"{w.country} takes {w.card} into hand",
    "shuffle": lambda w: f"{w.country} shuffles its deck",
    "order": lambda w: f"{w.country} orders the top {w.n} cards of its deck",
    "on-deck": lambda w: f"{w.card} goes on top of {w.its} deck",
    "into-deck": lambda w: f"{w.card} goes into {w.its} deck",
    "under-deck": lambda w: f"{w.card} goes under {w.its} deck",
    "put-under": lambda w: f"{w.country} puts {w.card} under its deck",
    "target": lambda w: f"{w.country} names {w.target}",
    "negate": lambda w: f"{w.country} negates {w.card}",
    "no-card": lambda w: f"{w.country} has no card to play",
    "score": _score,
    "skip-victory": lambda w: f"{w.its} home space is occupied: no victory step",
    "build": lambda w: f"{w.country} builds a{'n' * (w.piece == 'army')} {w.piece} in {w.space}",
    "name": lambda w: f"{w.country} names its {w.piece} in {w.space} as just built",
    "recruit": lambda w: (
        f"{w.country} recruits a{'n' * (w.piece == 'army')} {w.piece} in {w.space}"
    ),
    "battle": _battle,
    "eliminate": lambda w: f"{w.country} eliminates the {w.whose} {w.piece} in {w.space}",
    "remove": lambda w: f"The {w.own} {w.piece} in {w.space} {_CAUSES.get(w.n, 'is removed')}",
    "saved": lambda w: f"The {w.own} {w.piece} in {w.space} is not removed",
    "protect": lambda w: f"The {w.whose} {w.piece} in {w.space} is protected this turn",
    "deploy": lambda w: f"{w.country} deploys an air force in {w.space}",
    "marshal": lambda w: f"{w.country} marshals an air force to {w.space}",
    "reposition": lambda w: f"{w.its} air force repositions to {w.space}",
    "fault": lambda w: f"{w.its} {w.words}",
    "remove-air": lambda w: f"The {w.own} air force in {w.space} is removed",
}

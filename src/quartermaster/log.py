"""What has happened, entry by entry, as each viewer may know it."""

import json
from dataclasses import dataclass

from quartermaster.nouns import (
    HIDDEN_CARD,
    card_noun,
    country_noun,
    piece_noun,
    space_noun,
    team_noun,
    type_noun,
)
from quartermaster.rules.board import LAND_SPACES, SPACES
from quartermaster.rules.names import BY_OWNER, BY_SUPPLY, CARD_TYPES, COUNTRIES, TEAMS
from quartermaster.rules.state import Rules
from quartermaster.words import say, say_many

RawEntry = tuple[str, int, int, int, int, int, str]

_COUNTED = frozenset({"score", "turn", "round", "order"})
# Entries whose card only its owner may know.
SECRET = frozenset({"discard", "mill", "draw", "set", "discard-response", "put-under"})
_CAUSES = {BY_SUPPLY: "log.remove.supply", BY_OWNER: "log.remove.owner"}


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
    return LogEntry(
        what,
        None if country < 0 else COUNTRIES[country],
        None if card < 0 else rules.cards[card].id,
        None if space < 0 else SPACES[space][0],
        None if whose < 0 else COUNTRIES[whose],
        n if what in _COUNTED else 0,
        SPACES[n][0] if what in ("marshal", "reposition") else None,
        _text(rules, (what, country, card, space, whose, n, words)),
    )


def fault_words(bot: str, reason: str, stand_in: str) -> str:
    """What an entry about a bot that failed keeps of it."""
    return json.dumps([bot, reason, stand_in])


def _text(rules: Rules, raw: RawEntry) -> str:
    what, country, card, space, whose, n, words = raw
    parts: dict[str, object] = {"card": HIDDEN_CARD}
    if country >= 0:
        parts["country"] = country_noun(COUNTRIES[country])
    if card >= 0:
        parts["card"] = card_noun(rules.cards[card].id, rules.cards[card].name)
    if whose >= 0:
        parts["target"] = country_noun(COUNTRIES[whose])
    if space >= 0:
        kind = "army" if space < LAND_SPACES else "navy"
        owner = COUNTRIES[country if whose < 0 else whose]
        parts["space"] = space_noun(SPACES[space][0])
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
        return say("log.fault", bot=bot, reason=reason, stand_in=stand_in, **parts)
    if what == "score" and card >= 0:
        return say("log.score.card", n=n, **parts)
    if what == "battle" and whose < 0:
        return say("log.battle.empty", **parts)
    if what == "remove":
        return say(_CAUSES.get(n, "log.remove"), **parts)
    return say(f"log.{what}", n=n, **parts)

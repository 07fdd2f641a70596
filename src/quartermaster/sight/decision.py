"""The decision a game waits for, in words."""

from dataclasses import dataclass, field
from typing import Any

from quartermaster.rules.actions import USE, card_of, verb_of
from quartermaster.rules.board import LAND_SPACES, SPACES
from quartermaster.rules.card import Card
from quartermaster.rules.effects.costs import StatusCost, TypeCost
from quartermaster.rules.engine import current_op, decider
from quartermaster.rules.frames import Frame
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, HAND, OCCASIONS, VICTORY
from quartermaster.rules.state import State
from quartermaster.rules.turn import HAND_SIZE
from quartermaster.speech.nouns import card_noun, country_noun, piece_noun, space_noun, type_noun
from quartermaster.speech.say import say, say_many, sentence


@dataclass(frozen=True)
class Decision:
    """Whose decision it is, of what kind, and what it is about.

    `source` is the card being carried out, if any; `event` the occasion that is being reacted
    to: its `kind`, and the ids of the `country` that caused it, of the `space`, of the `card`, and
    of the `target` whose piece it is about, each `None` where there is none; `count` how many such
    choices in a row make up the decision, as the cards to be discarded for a cost.

    >>> from quartermaster import Game
    >>> str(Game.new(seed=7).decision)
    'germany setup'
    """

    country: str
    kind: str
    prompt: str
    source: str | None = None
    event: dict[str, Any] = field(default_factory=dict)
    count: int = 1

    def __str__(self) -> str:
        return f"{self.country} {self.kind}"


def decision_of(s: State) -> Decision:
    """The decision at hand. The game must not be over."""
    op = current_op(s)
    f = s.stack[-1]
    country = decider(s)
    source = s.rules.cards[f.card].id if f.card >= 0 else None
    event = _occasion_data(s) if op.kind == "react" else {}
    prompt = _prompt(s, op.kind, country)
    return Decision(COUNTRIES[country], op.kind, prompt, source, event, _count(s, op.kind, country))


def _count(s: State, kind: str, country: int) -> int:
    if kind == "setup":
        return len(s.zones[HAND + country]) - HAND_SIZE
    if kind == "discard" and not isinstance(current_op(s), TypeCost | StatusCost):
        return s.stack[-1].owed
    return 1


def _prompt(s: State, kind: str, country: int) -> str:
    f = s.stack[-1]
    if kind == "setup":
        return say_many("ask.setup", _count(s, kind, country))
    if kind == "discard":
        op = current_op(s)
        if isinstance(op, TypeCost):
            return say("ask.discard.type", type=type_noun(CARD_TYPES[op.type]))
        if isinstance(op, StatusCost):
            return say("ask.discard.status")
        return say_many("ask.discard", _count(s, kind, country))
    if kind == "react":
        ask = say("ask.react", occasion=_occasion_text(s))
        for card in _in_vain(s):
            ask = say("ask.in-vain", ask=ask, card=card_noun(card.id, card.name))
        return ask
    if f.card < 0:
        return say(f"ask.{kind}")
    card = s.rules.cards[f.card]
    return say("ask.for-card", ask=say(f"ask.{kind}"), card=card_noun(card.id, card.name))


def _in_vain(s: State) -> list[Card]:
    """The cards on offer that would fetch nothing. Only their owner can know that, and it is the
    owner who is asked, so the question says so."""
    found = []
    for code in s.options:
        if verb_of(code) == USE:
            card = s.rules.cards[card_of(code)]
            f = Frame(card.program, 0, card.country, card.index, None)
            if any(op.is_in_vain(s, f) for op in card.effects):
                found.append(card)
    return found


def _occasion_data(s: State) -> dict[str, Any]:
    occasion = s.stack[-1].occasion()
    return {
        "kind": OCCASIONS[occasion.kind],
        "country": None if occasion.by < 0 else COUNTRIES[occasion.by],
        "space": None if occasion.space < 0 else SPACES[occasion.space][0],
        "target": None if occasion.whose < 0 else COUNTRIES[occasion.whose],
        "card": None if occasion.card < 0 else s.rules.cards[occasion.card].id,
    }


def _occasion_text(s: State) -> str:
    occasion = s.stack[-1].occasion()
    # Steps are said with whose turn it is, all else with who did it.
    country = s.country if occasion.kind <= VICTORY else occasion.by
    parts: dict[str, object] = {}
    if country >= 0:
        parts["country"] = country_noun(COUNTRIES[country])
    if occasion.space >= 0:
        parts["space"] = space_noun(SPACES[occasion.space][0])
        if occasion.whose >= 0:
            kind = "army" if occasion.space < LAND_SPACES else "navy"
            parts["piece"] = piece_noun(COUNTRIES[occasion.whose], kind)
    if occasion.card >= 0:
        card = s.rules.cards[occasion.card]
        parts["card"] = card_noun(card.id, card.name)
    return sentence(say(f"occasion.{OCCASIONS[occasion.kind]}", **parts))

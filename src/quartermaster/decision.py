"""The decision a game waits for, in words."""

from dataclasses import dataclass, field
from typing import Any

from quartermaster.rules.board import LAND_SPACES, PLACE_NAMES, SPACES
from quartermaster.rules.costs import StatusCost, TypeCost
from quartermaster.rules.engine import current_op, decider
from quartermaster.rules.names import (
    ADJECTIVES,
    CARD_TYPES,
    COUNTRIES,
    COUNTRY_NAMES,
    EVENTS,
    HAND,
    possessive,
)
from quartermaster.rules.state import State
from quartermaster.rules.turn import HAND_SIZE

_PROMPTS = {
    "play": "Play a card, or discard one for nothing",
    "build": "Build",
    "recruit": "Recruit",
    "battle": "Choose what to battle",
    "eliminate": "Choose what to eliminate",
    "protect": "Choose a piece that is not removed this turn",
    "rebuild": "Choose the next piece to take off and build anew, or where to build it",
    "choose": "Choose one",
    "target": "Choose a country",
    "warfare": "Choose: lose cards off your deck, or your navy",
    "discard-theirs": "Choose a card to be discarded",
    "play-more": "Play a card",
    "search": "Take a card into hand",
    "lay": "Put a card on the table",
    "put": "Put a card under your deck",
    "order": "Put the cards back; the first goes on top",
    "return": "Put the card back on top of your deck, for its cost",
    "air": "Deploy an air force, marshal one, or pass",
    "deploy": "Deploy an air force",
    "marshal": "Choose where the air force goes",
    "give-up": "Choose the air force to remove",
    "reposition": "Move the air force next door, or lose it",
    "discard-step": "Discard any number of cards, then pass",
}


@dataclass(frozen=True)
class Decision:
    """Whose decision it is, of what kind, and what it is about.

    `source` is the card being carried out, if any; `event` what is being reacted to, as
    plain data.
    """

    country: str
    kind: str
    prompt: str
    source: str | None = None
    event: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.country} {self.kind}"


def decision_of(s: State) -> Decision:
    """The decision at hand. The game must not be over."""
    op = current_op(s)
    f = s.stack[-1]
    country = decider(s)
    source = s.rules.cards[f.card].id if f.card >= 0 else None
    event = _event_data(s) if op.kind == "react" else {}
    return Decision(COUNTRIES[country], op.kind, _prompt(s, op.kind, country), source, event)


def _prompt(s: State, kind: str, country: int) -> str:
    f = s.stack[-1]
    if kind == "setup":
        n = len(s.zones[HAND + country]) - HAND_SIZE
        return f"Choose the cards to keep: discard {n} more"
    if kind == "discard":
        op = current_op(s)
        if isinstance(op, TypeCost):
            return f"Discard a {CARD_TYPES[op.type]} card from hand"
        if isinstance(op, StatusCost):
            return "Discard a status card of yours from the table"
        return f"Discard {f.a} {'card' if f.a == 1 else 'cards'} from hand"
    if kind == "react":
        return f"React? {_event_text(s)}"
    text = _PROMPTS[kind]
    if f.card >= 0:
        text += f" ({s.rules.cards[f.card].name})"
    return text


def _event_data(s: State) -> dict[str, Any]:
    event = s.stack[-1].event
    assert event is not None
    return {
        "kind": EVENTS[event.kind],
        "country": None if event.by < 0 else COUNTRIES[event.by],
        "space": None if event.space < 0 else SPACES[event.space][0],
        "target": None if event.whose < 0 else COUNTRIES[event.whose],
        "card": None if event.card < 0 else s.rules.cards[event.card].id,
    }


def _event_text(s: State) -> str:
    event = s.stack[-1].event
    assert event is not None
    kind = EVENTS[event.kind]
    on_turn = possessive(COUNTRY_NAMES[s.country])
    if kind.startswith("start-of-") or kind == "victory-step":
        step = kind.removeprefix("start-of-").replace("-", " ")
        start = "Start of " if kind.startswith("start-of-") else ""
        return f"{start}{on_turn} {step}"
    by = COUNTRY_NAMES[event.by] if event.by >= 0 else ""
    whose = ADJECTIVES[event.whose] if event.whose >= 0 else ""
    space = PLACE_NAMES[event.space] if event.space >= 0 else ""
    piece = "army" if event.space < LAND_SPACES else "navy"
    card = s.rules.cards[event.card].name if event.card >= 0 else ""
    a = "An" if whose[:1] in ("A", "I") else "A"
    return {
        "played": f"{by} plays {card}",
        "about-to-be-removed": f"The {whose} {piece} in {space} is about to be removed",
        "removed": f"The {whose} {piece} in {space} was removed",
        "battled": f"{by} battled {space}",
        "built": f"{a} {whose} {piece} was built in {space}",
        "recruited": f"{a} {whose} {piece} was recruited in {space}",
        "deployed": f"{by} moved an air force to {space}",
        "air-defended": f"{by} defended {space} with its air force",
        "used": f"{by} uses {card}",
        "use-done": f"{by} has used {card}",
    }[kind]

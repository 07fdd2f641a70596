"""What an action leads to for all that someone can see: who might react to it, what it brings.

Both are asked after every move at a table, so they stand here, where they are compiled.
`sight/reactions.py` tells of them in words.
"""

from quartermaster.rules.actions import (
    DISCARD,
    LAY,
    PASS,
    PLAY,
    REMOVE_AIR,
    card_of,
    on_card,
    space_of,
    verb_of,
)
from quartermaster.rules.conceal import UNKNOWN, conceal, unseen_cards
from quartermaster.rules.engine import apply, current_op, decider, take_piece_off
from quartermaster.rules.names import (
    BOLSTER,
    BY_SUPPLY,
    DECK,
    FACE_DOWN,
    FACE_UP,
    HAND,
    RESPONSE,
    SET,
    STATUS,
)
from quartermaster.rules.state import State

MOST_ASKS = 60  # no chain of questions is as long; a bound is cheaper than a proof
_MOST_DECISIONS = 300


def is_hidden_ask(s: State) -> bool:
    """Whether the decision at hand is one that only a hidden card makes: all that could be used
    lies face down or is held."""
    if s.winner >= 0 or current_op(s).kind != "react":
        return False
    for code in s.options:
        if code != PASS and s.rules.types[card_of(code)] not in (RESPONSE, BOLSTER):
            return False
    return True


class Prospect:
    """What an action brings its country right away, if nobody reacts."""

    def __init__(self, options: list[int], lost: list[int], is_idle: bool) -> None:
        self.options = options  # codes to choose from next, where that can be known
        self.lost = lost  # spaces where it loses a piece for want of supply
        self.is_idle = is_idle  # a card that would do nothing at all


def disarmed(s: State) -> State:
    """The same state, in which nothing will react that anyone holds, or that lies face down."""
    quiet = s.copy()
    for owner in range(6):
        disarm_country(quiet, owner)
    return quiet


def disarm_country(s: State, owner: int) -> None:
    """Nothing that a country holds, or that lies face down before it, will react."""
    for card in s.zones[SET + owner]:
        s.disarm(card)
    for card in s.zones[HAND + owner]:
        s.disarm(card)


def prospect(s: State, code: int) -> Prospect:
    """What an action brings at a state where nothing reacts (`disarmed`)."""
    country = decider(s)
    after = s.copy()
    after.log = []
    apply(after, code)
    lost: list[int] = []
    for what, whose, _, space, _, cause, _ in after.log:
        if what == "remove" and whose == country and cause == BY_SUPPLY:
            lost.append(space)
    is_idle = _is_idle(s, after, code)
    is_next = after.winner < 0 and decider(after) == country and current_op(after).kind != "react"
    if not is_next or after.rng != s.rng:
        return Prospect([], lost, is_idle)
    for owner in range(6):
        # What comes after a card was drawn is in the order of a deck.
        if after.zones[DECK + owner] != s.zones[DECK + owner]:
            return Prospect([], lost, is_idle)
    return Prospect(after.options, lost, is_idle)


# What the steps of a turn bring by themselves, whatever was played.
_COURSE = frozenset({"play", "draw", "turn", "round", "no-card", "skip-victory", "shuffle"})


def _is_idle(s: State, after: State, code: int) -> bool:
    """Whether a card was played that is meant to act at once, and did nothing."""
    if verb_of(code) != PLAY or s.rules.types[card_of(code)] in (STATUS, RESPONSE, BOLSTER):
        return False
    if after.winner < 0 and after.step == s.step and after.country == s.country:
        return False  # something is chosen for it
    return all(
        what in _COURSE or (what == "remove" and n == BY_SUPPLY) or (what == "score" and card < 0)
        for what, _, card, _, _, n, _ in after.log or ()
    )


def who_might_react(
    before: State, country: int, code: int, is_free: bool = False, after: State | None = None
) -> int:
    """The countries, as a mask, that might be asked in secret after an action, for all that an
    onlooker knows.

    The action is carried out on a copy in which every card that could lie face down or be held
    by someone does, up to the decision that everyone will see come next; who is asked on the way
    there, might be asked here. Nothing else that is hidden has a part in it. `after` is what the
    action has really led to, for who has carried it out.
    """
    real = (before if after is None else after).copy()
    real.log = None
    if after is None:
        _carry_out(real, country, code, is_free)
    for _ in range(MOST_ASKS):
        if not is_hidden_ask(real):
            break
        apply(real, PASS)
    end = _place(real) if real.winner < 0 else None
    s = _imagined(before, code, is_free)
    _carry_out(s, country, code if is_free else _disguised(s, country, code), is_free)
    asked = 0
    for _ in range(_MOST_DECISIONS):
        if s.winner >= 0 or (_place(s) == end and not is_hidden_ask(s)):
            break
        if current_op(s).kind == "react":
            for option in s.options:
                if option != PASS and s.rules.types[card_of(option)] in (RESPONSE, BOLSTER):
                    asked |= 1 << decider(s)
        apply(s, _idle(s))  # a question, or a decision that only imagined cards bring
    return asked


def _carry_out(s: State, country: int, code: int, is_free: bool) -> None:
    if is_free:
        take_piece_off(s, country, space_of(code), verb_of(code) == REMOVE_AIR)
    else:
        apply(s, code)


def _place(s: State) -> tuple[int | str, ...]:
    """Where a game stands, as far as a decision everyone knows of tells."""
    occasion = s.stack[-1].because
    kind = -1 if occasion is None else occasion.kind
    return s.round, s.country, s.step, decider(s), kind, current_op(s).kind


def _idle(s: State) -> int:
    """Something to do that changes as little as may be."""
    for code in s.options:
        if code == PASS or verb_of(code) == DISCARD:
            return code
    return s.options[0]


def _imagined(before: State, code: int, is_free: bool) -> State:
    """A state in which every card is wherever it could be, for all that anyone can see."""
    s = before.copy()
    s.log = None
    rules = s.rules
    seen = conceal(before, 0)
    is_looking = any(f.memory for f in s.stack)  # perhaps at a deck, which must stay as it is
    laid = -1  # whose card is laid face down by the action
    if not is_free and verb_of(code) in (PLAY, LAY) and rules.types[card_of(code)] == RESPONSE:
        laid = rules.cards[card_of(code)].country
    for owner in range(6):
        unseen = unseen_cards(seen, owner)
        lies = laid == owner or len(before.zones[SET + owner]) > 0
        holds = len(before.zones[HAND + owner]) + len(before.zones[DECK + owner]) > 0
        candidates = unseen
        if laid == owner and verb_of(code) == LAY:  # out of the discard pile
            candidates = [*unseen, *before.zones[FACE_UP + owner]]
        for card in candidates:
            kind = rules.types[card]
            is_held = kind == BOLSTER and holds
            if is_held or (lies and kind in (RESPONSE, BOLSTER)):
                if not rules.cards[card].is_auto:
                    s.arm(card)
            elif kind in (RESPONSE, BOLSTER):
                s.disarm(card)
        for zone in (HAND, FACE_DOWN, DECK):
            if s.zones[zone + owner] and not (zone == DECK and is_looking):
                known = [card for card in seen.zones[zone + owner] if card != UNKNOWN]
                s.zones[zone + owner] = tuple(sorted([*known, *unseen]))
    return s


def _disguised(s: State, country: int, code: int) -> int:
    """The same action where a card is discarded in secret, with one that never reacts, so that
    the real one does not tell itself by what it cannot do any more."""
    if verb_of(code) != DISCARD or card_of(code) not in s.zones[HAND + country]:
        return code
    for card in s.zones[HAND + country]:
        if s.rules.types[card] not in (RESPONSE, BOLSTER):
            s.add_to(HAND + country, card)
            return on_card(DISCARD, card)
    return code

"""Reaction windows as a table of people must handle them.

A card that lies face down, or is held, must not tell of itself by the time a question takes.
So a table needs two lists after every action: who is really asked (`asks_after`), and who, for
all that anyone can see, might be (`might_react`). The second depends on nothing hidden.
"""

from dataclasses import dataclass

from quartermaster.forms.notation import Action, make_action
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
from quartermaster.rules.board import SPACES
from quartermaster.rules.conceal import UNKNOWN, conceal, unseen_cards
from quartermaster.rules.engine import apply, current_op, decider, take_piece_off
from quartermaster.rules.names import (
    BOLSTER,
    BY_SUPPLY,
    COUNTRIES,
    DECK,
    FACE_DOWN,
    FACE_UP,
    HAND,
    RESPONSE,
    SET,
    STATUS,
)
from quartermaster.rules.state import State
from quartermaster.sight.decision import Decision, decision_of

_MOST_ASKS = 60  # no chain of questions is as long; the bound ends a loop that a bug might cause
_MOST_DECISIONS = 300


@dataclass(frozen=True)
class Ask:
    """A question to one country that nobody else may notice, put on the condition that all
    who are asked before it pass."""

    country: str
    decision: Decision
    actions: tuple[Action, ...]
    state: State  # at which it is asked


def asks_after(s: State) -> list[Ask]:
    """The hidden questions at a state, in their order, until a decision everyone may know of.

    >>> from quartermaster import Game
    >>> game = Game.from_position({
    ...     "pieces": {
    ...         "germany": ["germany", "eastern-europe"],
    ...         "soviet-union": ["moscow", "ukraine"],
    ...     },
    ...     "hand": {"germany": ["land-battle"]},
    ...     "set": {"soviet-union": ["stalingrad"]},
    ... })
    >>> game.apply("play land-battle")
    >>> game.apply("battle ukraine")
    >>> [(ask.country, str(ask.actions[1])) for ask in asks_after(game.state)]
    [('soviet-union', 'use stalingrad')]
    """
    asks: list[Ask] = []
    at = s
    while len(asks) < _MOST_ASKS and is_hidden_ask(at):
        country = decider(at)
        actions = tuple(make_action(at.rules, country, code) for code in at.options)
        asks.append(Ask(COUNTRIES[country], decision_of(at), actions, at))
        at = at.copy()
        apply(at, PASS)
    return asks


def is_hidden_ask(s: State) -> bool:
    """Whether the decision at hand is one that only a hidden card makes: all that could be used
    lies face down or is held."""
    if s.winner >= 0 or current_op(s).kind != "react":
        return False
    for code in s.options:
        if code != PASS and s.rules.types[card_of(code)] not in (RESPONSE, BOLSTER):
            return False
    return True


@dataclass(frozen=True)
class Outlook:
    """What an action brings its country right away, if nobody reacts."""

    spaces: list[str]  # to choose from next
    lost: list[str]  # spaces where it loses a piece for want of supply
    is_idle: bool = False  # a card that would do nothing at all


def outlook(s: State, code: int) -> Outlook:
    """What the deciding country can foresee of an action. The spaces depend on nothing that is
    hidden from it; what is lost may, so give a deal of what it knows (`Look.deal`). `outlooks`
    does the same for several actions with less work.

    >>> from quartermaster import Game
    >>> game = Game.from_position({
    ...     "pieces": {"germany": ["germany", "latin-america"]},
    ...     "hand": {"germany": ["build-army", "land-battle"]},
    ... })
    >>> build, battle, *_ = game.legal_actions()
    >>> "western-europe" in outlook(game.state, build.code).spaces
    True
    >>> outlook(game.state, game.legal_actions()[-1].code).lost
    ['latin-america']
    """
    return outlooks(s, [code])[0]


def outlooks(s: State, codes: list[int]) -> list[Outlook]:
    quiet = s.copy()
    for owner in range(6):
        _disarm(quiet, owner)
    return [_outlook(quiet, code) for code in codes]


def _disarm(s: State, owner: int) -> None:
    """Nothing that a country holds, or that lies face down before it, will react."""
    for card in (*s.zones[SET + owner], *s.zones[HAND + owner]):
        s.disarm(card)


def _outlook(s: State, code: int) -> Outlook:
    country = decider(s)
    after = s.copy()
    after.log = []
    apply(after, code)
    lost = [
        SPACES[space][0]
        for what, whose, _, space, _, cause, _ in after.log
        if what == "remove" and whose == country and cause == BY_SUPPLY
    ]
    is_next = after.winner < 0 and decider(after) == country and current_op(after).kind != "react"
    # What follows once a card was drawn depends on the order of a deck, which nobody may foresee.
    is_known = after.rng == s.rng and all(
        after.zones[DECK + owner] == s.zones[DECK + owner] for owner in range(6)
    )
    is_idle = _is_idle(s, after, code)
    if not is_next or not is_known:
        return Outlook([], lost, is_idle)
    actions = [make_action(after.rules, country, option) for option in after.options]
    spaces = dict.fromkeys(action.space for action in actions if action.space is not None)
    return Outlook(list(spaces), lost, is_idle)


# What the steps of a turn bring by themselves, whatever was played.
_COURSE = frozenset({"play", "draw", "turn", "round", "no-card", "skip-victory", "shuffle"})


def _is_idle(s: State, after: State, code: int) -> bool:
    """Whether a card was played that is meant to act at once, and did nothing.

    >>> from quartermaster import Game
    >>> game = Game.from_position({
    ...     "pieces": {"germany": ["germany"]},
    ...     "hand": {"germany": ["land-battle", "build-army"]},
    ... })
    >>> {str(a): outlook(game.state, a.code).is_idle for a in game.legal_actions()[::2]}
    {'play build-army': False, 'play land-battle': False}
    """
    if verb_of(code) != PLAY or s.rules.types[card_of(code)] in (STATUS, RESPONSE, BOLSTER):
        return False
    if after.winner < 0 and after.step == s.step and after.country == s.country:
        return False  # something is chosen for it
    return all(
        what in _COURSE or (what == "remove" and n == BY_SUPPLY) or (what == "score" and card < 0)
        for what, _, card, _, _, n, _ in after.log or ()
    )


def play_step_after(s: State) -> State | None:
    """The play step to which passing the question at hand leads its country, if nobody else has
    a say in between. So what may be done before the play step can be offered in it. Give a deal of
    what the country knows (`Look.deal`).

    >>> from quartermaster import Game
    >>> game = Game.from_position({
    ...     "pieces": {"germany": ["germany"]},
    ...     "hand": {"germany": ["build-army"] * 4 + ["land-battle"] * 2},
    ... })
    >>> game.decision.kind
    'react'
    >>> after = play_step_after(game.state)
    >>> decision_of(after).kind
    'play'
    """
    if s.winner >= 0 or current_op(s).kind != "react" or PASS not in s.options:
        return None
    country = decider(s)
    after = s.copy()
    after.log = None
    for owner in range(6):
        if owner != country:
            _disarm(after, owner)
    apply(after, PASS)
    is_next = after.winner < 0 and decider(after) == country and current_op(after).kind == "play"
    return after if is_next and after.country == country else None


def might_react(
    before: State, country: int, code: int, is_free: bool = False, after: State | None = None
) -> list[str]:
    """The countries that might be asked in secret after an action, for all an onlooker knows.

    The action is carried out on a copy in which every card that could lie face down or be held
    by someone does, up to the decision that everyone will see come next; who is asked on the way
    there, might be asked here. Nothing else that is hidden has a part in it. `after` is what the
    action has really led to, for who has carried it out.
    """
    real = (before if after is None else after).copy()
    real.log = None
    if after is None:
        _carry_out(real, country, code, is_free)
    for _ in range(_MOST_ASKS):
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
    return [COUNTRIES[index] for index in range(6) if asked >> index & 1]


def _carry_out(s: State, country: int, code: int, is_free: bool) -> None:
    if is_free:
        take_piece_off(s, country, space_of(code), verb_of(code) == REMOVE_AIR)
    else:
        apply(s, code)


def _place(s: State) -> tuple[int | str, ...]:
    """What tells one decision that everyone knows of from another: the moment of the game, who
    decides, and about what."""
    occasion = s.stack[-1].because
    kind = -1 if occasion is None else occasion.kind
    return s.round, s.country, s.step, decider(s), kind, current_op(s).kind


def _idle(s: State) -> int:
    """The option that changes least: to pass, or else to discard a card."""
    for code in s.options:
        if code == PASS or verb_of(code) == DISCARD:
            return code
    return s.options[0]


def _imagined(before: State, code: int, is_free: bool) -> State:
    """A copy in which each country has every card, in hand and face down, that it could have for
    all that anyone can see: whoever might react does so in it."""
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
            is_held = kind == BOLSTER and rules.hand_reaction_mask != 0 and holds
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
    """An action that discards a card in secret, with a card that never reacts in its place: else
    the reactions that are then missing would tell which card was discarded."""
    if verb_of(code) != DISCARD or card_of(code) not in s.zones[HAND + country]:
        return code
    for card in s.zones[HAND + country]:
        if s.rules.types[card] not in (RESPONSE, BOLSTER):
            s.add_to(HAND + country, card)
            return on_card(DISCARD, card)
    return code

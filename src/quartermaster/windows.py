"""Reaction windows as a table of people must handle them.

A card that lies face down, or is held, must not tell of itself by the time a question takes.
So a table needs two lists after every action: who is really asked (`asks_after`), and who, for
all that anyone can see, might be (`might_react`). The second depends on nothing hidden.
"""

from dataclasses import dataclass

from quartermaster.decision import Decision, decision_of
from quartermaster.notation import Action, make_action
from quartermaster.rules.actions import PASS, REMOVE_AIR, card_of, space_of, verb_of
from quartermaster.rules.engine import apply, current_op, decider, take_piece_off
from quartermaster.rules.names import BOLSTER, COUNTRIES, HAND, RESPONSE, SET
from quartermaster.rules.sight import conceal, unseen_cards
from quartermaster.rules.state import State

_MOST_ASKS = 60  # no chain of questions is as long; a bound is cheaper than a proof


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


def leads_to(s: State, code: int) -> list[str]:
    """The spaces that the same country may choose from right after an action, if nobody reacts;
    what is hidden from it plays no part.

    >>> from quartermaster import Game
    >>> game = Game.from_position({
    ...     "pieces": {"germany": ["germany"]}, "hand": {"germany": ["build-army"]},
    ... })
    >>> "western-europe" in leads_to(game.state, game.legal_actions()[0].code)
    True
    """
    country = decider(s)
    after = s.copy()
    after.log = None
    for owner in range(6):
        for card in (*after.zones[SET + owner], *after.zones[HAND + owner]):
            after.armed &= ~(1 << card)
    apply(after, code)
    if after.winner >= 0 or decider(after) != country or current_op(after).kind == "react":
        return []
    actions = [make_action(after.rules, country, option) for option in after.options]
    return list(dict.fromkeys(action.space for action in actions if action.space is not None))


def might_react(before: State, country: int, code: int, is_free: bool = False) -> list[str]:
    """The countries that might be asked in secret after an action, for all an onlooker knows.

    The action is carried out on a copy in which every card that could lie face down, or be
    held by someone, may react; who is asked there, might be asked here.
    """
    asked = _asked_if(before, country, code, is_free, holds_all=False)
    if before.rules.hand_reaction_mask:
        # What a cost could be paid with is hidden too: any unseen card might be in a hand.
        asked |= _asked_if(before, country, code, is_free, holds_all=True)
    return [COUNTRIES[index] for index in range(6) if asked >> index & 1]


def _asked_if(before: State, country: int, code: int, is_free: bool, holds_all: bool) -> int:
    """A mask of the countries asked in secret if all that is unseen may react."""
    s = before.copy()
    s.log = None
    seen = conceal(before, 0)
    for owner in range(6):
        lies = len(before.zones[SET + owner]) > 0
        holds = s.rules.hand_reaction_mask != 0 and len(before.zones[HAND + owner]) > 0
        if not lies and not holds:
            continue
        unseen = unseen_cards(seen, owner)
        for card in unseen:
            kind = s.rules.types[card]
            if kind == BOLSTER or (kind == RESPONSE and lies):
                if not s.rules.cards[card].is_auto:
                    s.arm(card)
        if holds_all and holds:
            s.zones[HAND + owner] = tuple(sorted({*s.zones[HAND + owner], *unseen}))
    if is_free:
        take_piece_off(s, country, space_of(code), verb_of(code) == REMOVE_AIR)
    else:
        apply(s, code)
    asked = 0
    for _ in range(_MOST_ASKS):
        if not is_hidden_ask(s):
            break
        asked |= 1 << decider(s)
        apply(s, PASS)
    return asked

"""Actions as people are told of them: what may be chosen, and what was done."""

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from quartermaster.forms.notation import Action, country_index, deck_of, removal_actions
from quartermaster.game import Game
from quartermaster.rules.engine import can_take_off
from quartermaster.rules.names import RESPONSE
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State
from quartermaster.sight.reactions import outlooks
from quartermaster.speech.say import say, spoken


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action that may be chosen: its text, the same for people, and what it names."""

    country: str
    text: str
    phrase: str
    verb: str
    card: str | None = None
    space: str | None = None
    piece: str | None = None
    target: str | None = None
    leads_to: list[str] = []  # spaces to choose from afterwards, if nobody reacts
    loses: list[str] = []  # spaces where a piece would be lost at once for want of supply
    is_idle: bool = False  # a card that would do nothing at all


def choice(action: Action) -> Choice:
    return _choice(action, action.card_name, spoken())


@lru_cache(maxsize=20_000)
def _choice(action: Action, card_name: str, language: str) -> Choice:
    """The same few choices come up again and again, so each is put into words once."""
    return Choice(
        action.country, action.text, action.phrase, action.verb,
        action.card, action.space, action.piece, action.target,
    )  # fmt: skip


def removals(game: Game, countries: Sequence[str]) -> list[Choice]:
    """The pieces that their owner may take off the board now. The list is shared: leave it as
    it is."""
    s = game.state
    own = []
    for country in countries:
        index = country_index(country)
        if can_take_off(s, index):
            own.append((index, s.pieces[index], s.air[index]))
    return _removals(s.rules, tuple(own), spoken())


@lru_cache(maxsize=10_000)
def _removals(rules: Rules, own: tuple[tuple[int, int, int], ...], language: str) -> list[Choice]:
    return [choice(action) for pieces in own for action in removal_actions(rules, *pieces)]


def foreseen(state: State, actions: list[Action]) -> list[Choice]:
    """Own choices, with what their player can foresee of them."""
    found = []
    aheads = outlooks(state, [action.code for action in actions])
    for action, ahead in zip(actions, aheads, strict=True):
        known = choice(action)
        if ahead.spaces or ahead.lost or ahead.is_idle:
            known = msgspec.structs.replace(
                known, leads_to=ahead.spaces, loses=ahead.lost, is_idle=ahead.is_idle
            )
        found.append(known)
    return found


# Verbs with a card that others may not know of.
_COVERED = {
    "discard": "covered.discard",
    "lay": "covered.lay",
    "put": "covered.put",
    "take": "covered.take",
}


def told_choice(rules: Rules, action: Action, viewers: frozenset[int] | None) -> Choice:
    """An action as the viewing countries may know it; `None` is who may know all. Cards that
    are played openly or used are public, a response laid face down and discards are not."""
    if viewers is None or action.card is None or country_index(action.country) in viewers:
        return choice(action)
    card = deck_of(rules, country_index(action.country)).get(action.card)
    is_set = action.verb == "play" and card is not None and card.type == RESPONSE
    if action.verb == "use" or (action.verb == "play" and not is_set):
        return choice(action)
    phrase = say("covered.response" if is_set else _COVERED[action.verb])
    return Choice(action.country, action.verb, phrase, action.verb)

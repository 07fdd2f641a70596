"""Reaction windows as a table of people must handle them.

A card that lies face down, or is held, must not tell of itself by the time a question takes.
So a table needs two lists after every action: who is really asked (`asks_after`), and who, for
all that anyone can see, might be (`might_react`). The second depends on nothing hidden.
"""

from dataclasses import dataclass

from quartermaster.forms.notation import Action, make_action
from quartermaster.rules.actions import PASS
from quartermaster.rules.board import SPACES
from quartermaster.rules.engine import apply, current_op, decider
from quartermaster.rules.imagine import (
    MOST_ASKS,
    disarm_country,
    disarmed,
    prospect,
    who_might_react,
)
from quartermaster.rules.imagine import is_hidden_ask as is_hidden_ask
from quartermaster.rules.names import COUNTRIES
from quartermaster.rules.state import State
from quartermaster.sight.decision import Decision, decision_of


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
    while len(asks) < MOST_ASKS and is_hidden_ask(at):
        country = decider(at)
        actions = tuple(make_action(at.rules, country, code) for code in at.options)
        asks.append(Ask(COUNTRIES[country], decision_of(at), actions, at))
        at = at.copy()
        apply(at, PASS)
    return asks


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
    >>> outlook(game.state, build.code).is_idle
    False
    """
    return outlooks(s, [code])[0]


def outlooks(s: State, codes: list[int]) -> list[Outlook]:
    quiet = disarmed(s)
    return [_outlook(quiet, code) for code in codes]


def _outlook(quiet: State, code: int) -> Outlook:
    found = prospect(quiet, code)
    country = decider(quiet)
    actions = [make_action(quiet.rules, country, option) for option in found.options]
    spaces = dict.fromkeys(action.space for action in actions if action.space is not None)
    return Outlook(list(spaces), [SPACES[space][0] for space in found.lost], found.is_idle)


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
            disarm_country(after, owner)
    apply(after, PASS)
    is_next = after.winner < 0 and decider(after) == country and current_op(after).kind == "play"
    return after if is_next and after.country == country else None


def might_react(
    before: State, country: int, code: int, is_free: bool = False, after: State | None = None
) -> list[str]:
    """The countries that might be asked in secret after an action, for all an onlooker knows;
    `who_might_react` says how that is found."""
    asked = who_might_react(before, country, code, is_free, after)
    return [COUNTRIES[index] for index in range(6) if asked >> index & 1]

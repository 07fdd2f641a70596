"""Quartermaster: an engine for the board game Quartermaster General.

A game from its first decision to its last:

>>> from quartermaster import Game
>>> game = Game.new("second", seed=7)
>>> while not game.is_over:
...     game.apply(game.legal_actions()[-1])
>>> game.winner in ("axis", "allies")
True

The same between bots, those that are there or your own:

>>> from quartermaster import play_match
>>> match = play_match(["rookie", "random"], seed=7)
>>> match.winner, match.rounds <= 20
('axis', True)

What else there is:

    Game, Action, Decision, View, LogEntry, Supply     a game and what it tells
    load_rules, RULE_SETS, action_names                rule sets and their actions
    Bot, Look, make_bot, load_bot, Guard, advise       bots, and what they may know
    quartermaster.lab.env                              environments for programs that learn
    quartermaster.fairness                             how deals are checked

The guides are in `docs/`; `make docs` makes a site of them.
"""

from quartermaster.bots import (
    BOTS,
    LEVELS,
    Bot,
    Guard,
    ProgramBot,
    advise,
    estimate,
    keeping_programs,
    load_bot,
    make_bot,
)
from quartermaster.cards.rule_sets import RULE_SETS, RuleSet, load_rules
from quartermaster.errors import BrokenFile, IllegalAction, QuartermasterError, UnknownName
from quartermaster.forms.deals import Deal, fresh_seed
from quartermaster.forms.notation import Action, action_names, action_number
from quartermaster.game import Game
from quartermaster.lab.match import Match, play_match
from quartermaster.rules.names import COUNTRIES, TEAMS
from quartermaster.sight.decision import Decision
from quartermaster.sight.explain import Supply
from quartermaster.sight.log import LogEntry
from quartermaster.sight.look import Look
from quartermaster.sight.view import CountryView, View
from quartermaster.version import VERSION

__version__ = VERSION

__all__ = [
    "BOTS",
    "COUNTRIES",
    "LEVELS",
    "RULE_SETS",
    "TEAMS",
    "Action",
    "Bot",
    "BrokenFile",
    "CountryView",
    "Deal",
    "Decision",
    "Game",
    "Guard",
    "IllegalAction",
    "LogEntry",
    "Look",
    "Match",
    "ProgramBot",
    "QuartermasterError",
    "RuleSet",
    "Supply",
    "UnknownName",
    "View",
    "action_names",
    "action_number",
    "advise",
    "estimate",
    "fresh_seed",
    "keeping_programs",
    "load_bot",
    "load_rules",
    "make_bot",
    "play_match",
]

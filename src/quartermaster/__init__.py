"""Quartermaster: an engine for the board game Quartermaster General.

>>> from quartermaster import Game
>>> game = Game.new("second", seed=7)
>>> while not game.is_over:
...     game.apply(game.legal_actions()[-1])
>>> game.winner in ("axis", "allies")
True
"""

from quartermaster.bots import BOTS, LEVELS, Bot, Guard, advise, estimate, make_bot
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
    "load_rules",
    "make_bot",
    "play_match",
]

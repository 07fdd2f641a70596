"""Quartermaster: an engine for the board game Quartermaster General.

>>> from quartermaster import Game
>>> game = Game.new("second", seed=7)
>>> while not game.is_over:
...     game.apply(game.legal_actions()[-1])
>>> game.winner in ("axis", "allies")
True
"""

from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.errors import BrokenFile, IllegalAction, QuartermasterError, UnknownName
from quartermaster.forms.deals import Deal, fresh_seed
from quartermaster.forms.notation import Action
from quartermaster.game import Game
from quartermaster.lab.match import Match, play_match
from quartermaster.sight.decision import Decision
from quartermaster.sight.explain import Supply
from quartermaster.sight.log import LogEntry
from quartermaster.sight.view import CountryView, View
from quartermaster.version import VERSION

__version__ = VERSION

__all__ = [
    "RULE_SETS",
    "Action",
    "BrokenFile",
    "CountryView",
    "Deal",
    "Decision",
    "Game",
    "IllegalAction",
    "LogEntry",
    "Match",
    "QuartermasterError",
    "Supply",
    "UnknownName",
    "View",
    "fresh_seed",
    "load_rules",
    "play_match",
]

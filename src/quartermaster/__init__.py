"""Quartermaster: an engine for the board game Quartermaster General.

>>> from quartermaster import Game
>>> game = Game.new("second", seed=7)
>>> while not game.is_over:
...     game.apply(game.legal_actions()[-1])
>>> game.winner in ("axis", "allies")
True
"""

from quartermaster.cards.rulesets import RULE_SETS, load_rules
from quartermaster.deals import Deal, fresh_seed
from quartermaster.decision import Decision
from quartermaster.errors import BrokenFile, IllegalAction, QuartermasterError, UnknownName
from quartermaster.explain import Supply
from quartermaster.game import Game
from quartermaster.log import LogEntry
from quartermaster.notation import Action
from quartermaster.version import VERSION
from quartermaster.view import CountryView, View

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
    "QuartermasterError",
    "Supply",
    "UnknownName",
    "View",
    "fresh_seed",
    "load_rules",
]

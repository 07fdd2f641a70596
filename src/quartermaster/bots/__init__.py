"""Bots: anything that picks one of the legal actions, knowing what its country may know.

`make_bot("veteran", seed)` gives a player; `LEVELS` names them from weak to strong; `load_bot`
also knows bots that people bring along, as classes or as other programs. Each
country of a seat gets a bot of its own, so that none plays by what another knows. `Guard` is
around a bot that may fail; `advise` and `estimate` tell people what a bot thinks.
"""

from quartermaster.bots.advice import Estimate, Hint, advise, estimate
from quartermaster.bots.guard import Fault, Guard, take_decision
from quartermaster.bots.levels import BOTS, LEVELS, Bot, BotData, Level, bots_data, make_bot
from quartermaster.bots.plugins import load_bot
from quartermaster.bots.process import BotProcess
from quartermaster.bots.program import ProgramBot, keeping_programs

__all__ = [
    "BOTS",
    "LEVELS",
    "Bot",
    "BotData",
    "BotProcess",
    "Estimate",
    "Fault",
    "Guard",
    "Hint",
    "Level",
    "ProgramBot",
    "advise",
    "bots_data",
    "estimate",
    "keeping_programs",
    "load_bot",
    "make_bot",
    "take_decision",
]

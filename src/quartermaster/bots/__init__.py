"""Bots: anything that picks one of the legal actions, knowing what its country may know.

`make_bot("veteran", seed)` gives a player; `LEVELS` names them from weak to strong. Each
country of a seat gets a bot of its own, so that none plays by what another knows.
"""

from quartermaster.bots.levels import BOTS, LEVELS, Bot, make_bot

__all__ = ["BOTS", "LEVELS", "Bot", "make_bot"]

"""`quartermaster.lab.simulate`, for programs that import it from here."""

from quartermaster.lab.match import play_game
from quartermaster.lab.simulate import simulate

__all__ = ["play_game", "simulate"]

"""`quartermaster.lab.simulate`, for programs that import it from here."""

from quartermaster.lab.simulate import play_game, simulate

__all__ = ["play_game", "simulate"]

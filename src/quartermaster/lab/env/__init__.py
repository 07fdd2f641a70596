"""Environments for programs that learn: the game as tensors, for one table or for many.

`quartermaster_v0` is the PettingZoo environment, `VectorEnv` many games in one call, `solo` one
player against bots for Gymnasium, `openspiel` the game for OpenSpiel; `observation_of(rules)` says
what their numbers mean. All need the extra `lab`: `pip install 'quartermaster-game[lab]'`.
"""

from quartermaster.errors import needs_extra

with needs_extra("lab"):
    from quartermaster.lab.env.observation import (
        OBSERVATION_VERSION,
        Field,
        Observation,
        observation_of,
    )
    from quartermaster.lab.env.vector import Step, VectorEnv

__all__ = ["OBSERVATION_VERSION", "Field", "Observation", "Step", "VectorEnv", "observation_of"]

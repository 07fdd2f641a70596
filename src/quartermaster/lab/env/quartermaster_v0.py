"""The game as a PettingZoo environment: one agent for each seat, one action at a time.

>>> from quartermaster.lab.env import quartermaster_v0
>>> env = quartermaster_v0.env("second", seats=2, rewards="points")
>>> env.reset(seed=7)
>>> for agent in env.agent_iter():
...     observation, reward, is_terminated, is_truncated, info = env.last()
...     mask = observation["action_mask"]
...     env.step(None if is_terminated else int(mask.argmax()))
>>> env.unwrapped.game.winner in ("axis", "allies")
True
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from quartermaster.errors import IllegalAction, UnknownName
from quartermaster.forms.notation import country_index, make_action
from quartermaster.game import Game
from quartermaster.lab.env.numbers import whole_number
from quartermaster.lab.env.observation import Array, observation_of
from quartermaster.lab.env.pictures import RENDER_MODES, rendered

REWARDS = ("end", "points")
_EVERYONE = 0b111111


def env(*args: Any, **settings: Any) -> AECEnv:
    """The environment with PettingZoo's usual checks around it: an illegal action ends the
    game, with a reward of -1 for who took it. Takes what `raw_env` takes.

    >>> env("second", seats=2).possible_agents
    ['player_0', 'player_1']
    """
    made: Any = raw_env(*args, **settings)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801, the name that PettingZoo knows
    """The environment itself: an illegal action raises `IllegalAction` and changes nothing.

    `seats` is as of `Game.new`: 6, the default, is an agent for each country, in turn order; 2
    is one for each team. Agent `player_1` is seat 1; `countries` tells whose it is.

    `rewards` is "end" (1 for each agent of the team that wins, -1 for the others) or "points"
    (by how much the own team's lead in victory points grew since the agent's last action).

    An observation is a dict: `observation` (`observation_of(rules)` tells what is in it), and
    `action_mask`, 1 for each number of an action that is legal now (`action_names`). What a
    player may do at any time, taking own pieces off the board, is no action here.

    `infos` of the agent that decides has `country`, for which it does, and its `action_mask` once
    more. `state()` is what all countries know together, for critics that may see it. No game is
    ever truncated: all end after 20 rounds at the latest.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "quartermaster_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: str = "second",
        *,
        seats: int | Sequence[Sequence[str]] = 6,
        options: Mapping[str, bool] | None = None,
        sets: Sequence[str] = (),
        rewards: str = "end",
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        if rewards not in REWARDS:
            raise UnknownName("kind of rewards", rewards, REWARDS)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownName("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self._begin: dict[str, Any] = {"seats": seats, "options": options, "sets": sets}
        self._rules_name = rules
        self._rewards_kind = rewards
        self.game = Game.new(rules, **self._begin)
        self.rules = self.game.state.rules
        self.known = observation_of(self.rules)
        self.possible_agents = [f"player_{seat}" for seat in range(len(self.game.seats))]
        self.agents: list[str] = []
        self._seat_of = {
            country_index(country): seat
            for seat, countries in enumerate(self.game.seats)
            for country in countries
        }
        self._random = random.Random()
        self._mask_size = self.rules.numbering.size
        self._mask = np.zeros(self._mask_size, dtype=np.int8)
        self.state_space = Box(self.known.low, self.known.high, dtype=np.int16)
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(self.known.low, self.known.high, dtype=np.int16),
                    "action_mask": Box(0, 1, (self._mask_size,), dtype=np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(self._mask_size) for agent in self.possible_agents}

    # -- what PettingZoo asks for ------------------------------------------------------

    def observation_space(self, agent: str) -> Dict:
        """
        >>> list(raw_env().observation_space("player_0"))
        ['action_mask', 'observation']
        """
        return self.observation_spaces[self.possible_agents[self._seat(agent)]]

    def action_space(self, agent: str) -> Discrete:
        """
        >>> env = raw_env()
        >>> int(env.action_space("player_0").n) == env.rules.numbering.size
        True
        """
        return self.action_spaces[self.possible_agents[self._seat(agent)]]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game. With a seed, it and those that follow are always the same. `options`
        are not used.

        >>> env = raw_env()
        >>> env.reset(seed=7)
        >>> env.agent_selection, env.infos["player_0"]["country"]
        ('player_0', 'germany')
        """
        if seed is not None:
            self._random = random.Random(whole_number("seed", seed, 0))
        self.game = Game.new(self._rules_name, seed=self._random.getrandbits(40), **self._begin)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def observe(self, agent: str) -> dict[str, Array | NDArray[np.int8]]:
        """What an agent knows now; its mask has no action unless the decision is its own.

        >>> env = raw_env()
        >>> env.reset(seed=7)
        >>> int(env.observe("player_0")["action_mask"].sum())
        10
        >>> int(env.observe("player_1")["action_mask"].sum())
        0
        """
        known = self.known.of(self.game, self._seat(agent))
        is_asked = agent == self.agent_selection and not self.game.is_over
        mask = self._mask.copy() if is_asked else np.zeros_like(self._mask)
        return {"observation": known, "action_mask": mask}

    def state(self) -> Array:
        """What all countries know together, laid out as an observation is.

        >>> env = raw_env()
        >>> env.reset(seed=7)
        >>> hands = env.known.split(env.state())["hand"]
        >>> int(hands.sum())
        60
        """
        row: Array = self.known.write([self.game.state], bytes([_EVERYONE]))[0]
        return row

    def step(self, action: int | None) -> None:
        """Take an action, given by its number, for the agent whose decision it is.

        >>> env = raw_env()
        >>> env.reset(seed=7)
        >>> env.step(0)
        Traceback (most recent call last):
        quartermaster.errors.IllegalAction: 0 (pass) is not legal now; germany may take one of 10
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        code = self._code(action)
        before = self._lead()
        self.game.apply(make_action(self.rules, country_index(self.game.decides[0]), code))
        self._cumulative_rewards[agent] = 0.0
        gain = float(self._lead() - before) if self._rewards_kind == "points" else 0.0
        if self.game.is_over and self._rewards_kind == "end":
            gain = 1.0 if self.game.winner == "axis" else -1.0
        for one in self.agents:
            self.rewards[one] = gain if self._is_axis(one) else -gain
        if self.game.is_over:
            self.terminations = dict.fromkeys(self.agents, True)
        self._ask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | NDArray[np.uint8] | None:
        """The table as everyone may see it: text, or an image of the map; `human` prints it.

        >>> env = raw_env(render_mode="ansi")
        >>> env.reset(seed=7)
        >>> env.render().splitlines()[0]
        'round 1: germany, turn step; axis 0, allies 0'
        """
        return rendered(self.game, self.render_mode)

    def close(self) -> None:
        """Nothing is left open.

        >>> raw_env().close()
        """

    # -- beyond it ---------------------------------------------------------------------

    def countries(self, agent: str) -> tuple[str, ...]:
        """The countries of an agent.

        >>> raw_env("second", seats=2).countries("player_0")
        ('germany', 'japan', 'italy')
        """
        return self.game.seats[self._seat(agent)]

    def __getstate__(self) -> dict[str, Any]:
        """All but what follows from the rule set, which is loaded anew."""
        return {key: value for key, value in vars(self).items() if key not in ("rules", "known")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.rules = self.game.state.rules
        self.known = observation_of(self.rules)

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise UnknownName("agent", agent, self.possible_agents)
        return self.possible_agents.index(agent)

    def _is_axis(self, agent: str) -> bool:
        return country_index(self.countries(agent)[0]) & 1 == 0

    def _lead(self) -> int:
        return self.game.score["axis"] - self.game.score["allies"]

    def _ask(self) -> None:
        """Select the agent whose decision it is, and say for which of its countries."""
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        if self.game.is_over:
            return  # every agent is told of the end, whoever acted last first
        country = self.game.decides[0]
        self.agent_selection = self.possible_agents[self._seat_of[country_index(country)]]
        self._mask = np.zeros(self._mask_size, dtype=np.int8)
        number = self.rules.numbering.number
        self._mask[[number(code) for code in self.game.state.options]] = 1
        asked = {"country": country, "action_mask": self._mask.copy()}
        self.infos[self.agent_selection] = asked

    def _code(self, action: int | None) -> int:
        """The engine's code of a legal action, from its number."""
        number = whole_number("action", action, 0, self._mask_size - 1)
        code = self.rules.numbering.code(number)
        legal = self.game.state.options
        if code not in legal:
            country = self.game.decides[0]
            raise IllegalAction(
                f"{number} ({make_action(self.rules, country_index(country), code)}) is not legal"
                f" now; {country} may take one of {len(legal)}"
            )
        return code

"""The game for one player against bots, as a Gymnasium environment.

>>> import gymnasium
>>> env = gymnasium.make("quartermaster.lab.env.solo:Quartermaster-v0", plays="axis", bots="random")
>>> observation, info = env.reset(seed=7)
>>> is_over = False
>>> while not is_over:
...     action = int(info["action_mask"].argmax())
...     observation, reward, is_over, is_truncated, info = env.step(action)
>>> info["winner"], reward in (1.0, -1.0)
('axis', True)
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from quartermaster.bots import Bot, Guard, load_bot, take_decision
from quartermaster.errors import IllegalAction, QuartermasterError, UnknownName, show
from quartermaster.forms.notation import country_index, make_action
from quartermaster.game import Game
from quartermaster.lab.env.numbers import whole_number
from quartermaster.lab.env.observation import Array, observation_of
from quartermaster.lab.env.pictures import RENDER_MODES, rendered
from quartermaster.lab.env.quartermaster_v0 import REWARDS
from quartermaster.rules.names import COUNTRIES, TEAMS, team_of

ILLEGAL = ("lose", "raise")


class SoloEnv(gymnasium.Env[Any, Any]):
    """One player against bots, and with bots where it does not play all of a team.

    `plays` is a team ("axis") or countries of one (["japan", "italy"]); what they know is one
    observation. `bots` is a bot for all other countries, or one for each of them by country: names
    that `--bots` takes, or bots themselves.

    An observation is a vector of int16 (`observation_of(rules)` names its numbers). `info` has the
    `action_mask` (int8, as `Discrete.sample` wants it), the `country` for which the player decides
    and the `score`; in the end the `winner`. `action_masks()` gives the mask to programs that ask
    for it so.

    `rewards` is "end" (1 for a win, -1 for a loss) or "points" (by how much the own team's lead
    grew). An `illegal` action loses the game ("lose"): -1, and `info["is_illegal"]`; or it raises
    `IllegalAction` and changes nothing ("raise"). No game is ever truncated.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012, as Gymnasium has it

    def __init__(
        self,
        rules: str = "second",
        *,
        plays: str | Sequence[str] = "axis",
        bots: str | Bot | Mapping[str, str | Bot] = "rookie",
        options: Mapping[str, bool] | None = None,
        sets: Sequence[str] = (),
        rewards: str = "end",
        illegal: str = "lose",
        render_mode: str | None = None,
    ) -> None:
        for what, given, expected in (
            ("kind of rewards", rewards, REWARDS),
            ("way with illegal actions", illegal, ILLEGAL),
        ):
            if given not in expected:
                raise UnknownName(what, given, expected)
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise UnknownName("render mode", render_mode, RENDER_MODES)
        self.render_mode = render_mode
        self.countries = _countries(plays)
        others = [country for country in COUNTRIES if country not in self.countries]
        self._bots = {country: _bot_of(country, bots) for country in others}
        self._players: dict[str, Guard] = {}
        self._begin: dict[str, Any] = {
            "options": options,
            "sets": sets,
            "seats": [list(self.countries), *([country] for country in others)],
        }
        self._rules_name = rules
        self._is_by_points = rewards == "points"
        self._is_raised = illegal == "raise"
        self.game = Game.new(rules, **self._begin)
        self._rules = self.game.state.rules
        self._is_over = True  # until it is reset
        for player in self._make_players(0).values():
            player.close()  # a name that does not do is refused here
        known = observation_of(self._rules)
        self.observation_space = Box(known.low, known.high, dtype=np.int16)
        self.action_space = Discrete(self._rules.numbering.size)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begin a new game and play it to the player's first decision. `options` are not used.

        >>> env = SoloEnv(plays=["japan"], bots="random")
        >>> observation, info = env.reset(seed=7)
        >>> info["country"], env.observation_space.contains(observation)
        ('japan', True)
        """
        super().reset(seed=None if seed is None else whole_number("seed", seed, 0))
        self.close()
        chance = int(self.np_random.integers(1 << 40))
        self.game = Game.new(self._rules_name, seed=chance, **self._begin)
        self._players = self._make_players(8 * chance)
        self._is_over = False
        self._play_on()
        return self._observe(), self._info()

    def step(self, action: Any) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Take an action, given by its number, and let the bots play to the next decision.

        >>> env = SoloEnv(bots="random", illegal="raise")
        >>> _, info = env.reset(seed=7)
        >>> env.step(0)
        Traceback (most recent call last):
        quartermaster.errors.IllegalAction: 0 (pass) is not legal now; germany may take one of 8
        """
        if self._is_over:
            raise QuartermasterError("the game is over, or was not begun: reset() begins one")
        number = whole_number("action", action, 0, self._rules.numbering.size - 1)
        code = self._rules.numbering.code(number)
        country = self.game.decides[0]
        legal = self.game.state.options
        chosen = make_action(self._rules, country_index(country), code)
        if code not in legal:
            if self._is_raised:
                raise IllegalAction(
                    f"{number} ({chosen}) is not legal now; {country} may take one of {len(legal)}"
                )
            self._is_over = True
            return self._observe(), -1.0, True, False, {**self._info(), "is_illegal": True}
        before = self._lead()
        self.game.apply(chosen)
        self._play_on()
        self._is_over = self.game.is_over
        reward = float(self._lead() - before) if self._is_by_points else self._won()
        if self.render_mode == "human":
            self.render()
        return self._observe(), reward, self._is_over, False, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """What is legal now, for programs that ask for it under this name.

        >>> env = SoloEnv(bots="random")
        >>> _, info = env.reset(seed=7)
        >>> int(env.action_masks().sum()), env.action_masks().dtype
        (8, dtype('bool'))
        """
        mask = np.zeros(self._rules.numbering.size, dtype=np.bool_)
        if not self._is_over:
            number = self._rules.numbering.number
            mask[[number(code) for code in self.game.state.options]] = True
        return mask

    def render(self) -> Any:
        """The table as everyone may see it: text, or an image of the map; `human` prints it.

        >>> env = SoloEnv(bots="random", render_mode="ansi")
        >>> _ = env.reset(seed=7)
        >>> env.render().splitlines()[0]
        'round 1: germany, turn step; axis 0, allies 0'
        """
        return rendered(self.game, self.render_mode)

    def close(self) -> None:
        """Close the bots; `reset` makes new ones.

        >>> SoloEnv(bots="random").close()
        """
        for player in self._players.values():
            player.close()
        self._players = {}

    def _make_players(self, chance: int) -> dict[str, Guard]:
        return {
            country: Guard(bot, chance + country_index(country), make=load_bot)
            for country, bot in self._bots.items()
        }

    def _play_on(self) -> None:
        """Let the bots play until the player decides."""
        while not self.game.is_over and self.game.decides[0] not in self.countries:
            take_decision(self.game, self._players)

    def _observe(self) -> Array:
        return observation_of(self._rules).of(self.game, 0)

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {
            "action_mask": self.action_masks().astype(np.int8),
            "score": self.game.score,
        }
        if self.game.is_over:
            return {**info, "winner": self.game.winner}
        return {**info, "country": self.game.decides[0]}

    @property
    def _team(self) -> int:
        return team_of(country_index(self.countries[0]))

    def _won(self) -> float:
        if not self.game.is_over:
            return 0.0
        return 1.0 if self.game.winner == TEAMS[self._team] else -1.0

    def _lead(self) -> int:
        lead = self.game.score["axis"] - self.game.score["allies"]
        return -lead if self._team else lead

    def __getstate__(self) -> dict[str, Any]:
        """All but the rule set, which is loaded anew."""
        return {key: value for key, value in vars(self).items() if key != "_rules"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._rules = self.game.state.rules


def _countries(plays: str | Sequence[str]) -> tuple[str, ...]:
    """The countries of a team, or those that are named, in the order of turns."""
    if not isinstance(plays, Iterable):
        raise QuartermasterError(f"plays: expected a team or countries of one, got {show(plays)}")
    if isinstance(plays, str) and plays in TEAMS:
        own = {index for index in range(6) if TEAMS[team_of(index)] == plays}
    else:
        own = {country_index(name) for name in ([plays] if isinstance(plays, str) else plays)}
    if len({team_of(index) for index in own}) != 1:
        raise QuartermasterError(f"plays: expected countries of one team, got {show(plays)}")
    return tuple(COUNTRIES[index] for index in sorted(own))


def _bot_of(country: str, bots: str | Bot | Mapping[str, str | Bot]) -> str | Bot:
    if not isinstance(bots, Mapping):
        return bots
    if country not in bots:
        raise QuartermasterError(f"bots: none for {country}")
    return bots[country]


gymnasium.register(id="Quartermaster-v0", entry_point=f"{__name__}:SoloEnv")

"""Many games in one call, as arrays: for programs that learn from thousands of them.

>>> import numpy as np
>>> env = VectorEnv("second", games=4, seed=7)
>>> now = env.reset()
>>> now.observation.shape == (4, env.known.size), now.mask.shape == (4, env.actions)
(True, True)
>>> for _ in range(1000):
...     now = env.step(now.mask.argmax(axis=1))
>>> now.reward.shape, now.done.dtype, env.finished > 0
((4, 6), dtype('bool'), True)
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Discrete, MultiDiscrete
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from quartermaster.cards.card_sets import load_card_sets, where_from
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import IllegalAction, QuartermasterError, UnknownName
from quartermaster.forms.notation import action_names, country_index
from quartermaster.forms.save import dump_state, load_state
from quartermaster.forms.seats import make_seats
from quartermaster.lab.env.numbers import whole_number
from quartermaster.lab.env.observation import Array, observation_of
from quartermaster.lab.tensors.sketch import last_scores
from quartermaster.rules.batch import GOES_ON, Batch
from quartermaster.rules.names import COUNTRIES

REWARDS = ("end", "points")
_SIDES = np.array([1, -1, 1, -1, 1, -1], dtype=np.float32)  # of each country, for the Axis


class Step(NamedTuple):
    """Where all the games stand after a step. The arrays are written anew by the next step: copy
    what you keep.

    `observation` (games x numbers, int16) is what the deciding seat knows, `mask` (games x
    actions, bool) what it may do, `country` (games) which country decides. `reward` (games x
    countries) is what the step brought each country, and `done` (games) whether it ended the
    game. The other arrays are then already of the next game in that place.

    >>> now = VectorEnv("second", games=2).reset()
    >>> now.country.tolist(), now.done.tolist(), now.observation.dtype
    ([0, 0], [False, False], dtype('int16'))
    """

    observation: Array
    mask: NDArray[np.bool_]
    country: NDArray[np.uint8]
    reward: NDArray[np.float32]
    done: NDArray[np.bool_]


class VectorEnv:
    """So many games, stepped together; one that ends is begun anew in the same step.

    Game n in place i has the seed `seed + i + n * games`, so that a seed repeats everything.
    `seats` is as of `Game.new`: 6, the default, gives each country its own observation; with 2
    the countries of a team know each other's cards. `rewards` is "end" (1 for the countries that
    win, -1 for the others) or "points" (by how much the own team's lead in victory points grew).

    Six countries play, so it is no `gymnasium.vector.VectorEnv`, and `step` gives other things; but
    what that has too has the same name: `num_envs`, `single_observation_space` and
    `single_action_space` of a game, `observation_space` and `action_space` of all, `metadata` with
    the kind of autoreset, `reset(seed=)`, `close()`. No game is ever truncated.

    >>> env = VectorEnv("second", games=4)
    >>> env.single_action_space, env.observation_space.shape
    (Discrete(3192), (4, 3378))
    >>> env.observation_space.contains(env.reset().observation)
    True
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        rules: str = "second",
        games: int = 64,
        *,
        seed: int = 0,
        seats: int | Sequence[Sequence[str]] = 6,
        options: Mapping[str, bool] | None = None,
        sets: Sequence[str] = (),
        rewards: str = "end",
    ) -> None:
        games = whole_number("games", games, 1)
        seed = whole_number("seed", seed, 0)
        if rewards not in REWARDS:
            raise UnknownName("kind of rewards", rewards, REWARDS)
        self.rules = load_rules(rules, options, load_card_sets(sets))
        self._made_of = {
            "rules": rules, "games": games, "seed": seed, "options": dict(self.rules.options),
            "sets": where_from(self.rules.sets), "rewards": rewards,
            "seats": [list(seat) for seat in make_seats(rules, seats)],
        }  # fmt: skip
        self.known = observation_of(self.rules)
        self.games = games
        self.seed = seed
        self.actions = self.rules.numbering.size
        low, high = self.known.low, self.known.high
        self.single_observation_space = Box(low, high, dtype=np.int16)
        self.single_action_space = Discrete(self.actions)
        self.observation_space = Box(
            np.tile(low, (games, 1)), np.tile(high, (games, 1)), dtype=np.int16
        )
        self.action_space = MultiDiscrete([self.actions] * games)
        self.finished = 0  # games since the last reset
        self._is_by_points = rewards == "points"
        self._viewers = np.zeros(6, dtype=np.uint8)
        for seat in make_seats(rules, seats):
            countries = [country_index(country) for country in seat]
            self._viewers[countries] = sum(1 << country for country in countries)
        self._observation = np.empty((games, self.known.size), dtype=np.int16)
        self._reward = np.zeros((games, 6), dtype=np.float32)
        self.reset(seed=seed)

    @property
    def num_envs(self) -> int:
        """How many games there are.

        >>> VectorEnv("second", games=3).num_envs
        3
        """
        return self.games

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Step:
        """Begin all games anew, as the environment did at first or with another seed. `options`
        are not used.

        >>> env = VectorEnv("second", games=2, seed=3)
        >>> first = env.reset().observation.copy()
        >>> _ = env.step(env.reset().mask.argmax(axis=1))
        >>> bool((env.reset(3).observation == first).all())
        True
        """
        self.seed = self.seed if seed is None else whole_number("seed", seed, 0)
        self.batch = Batch(self.rules, self.games, self.seed)
        shape = (self.games, self.actions)
        self._mask = np.frombuffer(self.batch.masks, dtype=np.bool_).reshape(shape)
        self._country = np.frombuffer(self.batch.countries, dtype=np.uint8)
        self._winner = np.frombuffer(self.batch.winners, dtype=np.uint8)
        self._lead = np.zeros(self.games, dtype=np.int64)
        self._reward[:] = 0
        self.finished = 0
        return self._now()

    def step(self, actions: NDArray[np.integer] | Sequence[int]) -> Step:
        """Take one action in each game, by its number. `IllegalAction` changes nothing.

        >>> env = VectorEnv("second", games=2)
        >>> env.step([0, 0])
        Traceback (most recent call last):
        quartermaster.errors.IllegalAction: game 0: action 0 is not legal now (pass); the mask has 8
        """
        numbers = _whole_numbers(actions)
        try:
            self.batch.step(numbers)
        except IllegalAction as error:
            raise self._explained(error, numbers) from None
        done = self._winner != GOES_ON
        if self._is_by_points:
            scores = np.array(last_scores(self.batch.states, self.batch.ended), dtype=np.int64)
            lead = scores[::2] - scores[1::2]
            self._reward[:] = (lead - self._lead)[:, None] * _SIDES
            self._lead = np.where(done, 0, lead)
        else:
            self._reward[:] = np.where(done, 1.0 - 2.0 * self._winner, 0.0)[:, None] * _SIDES
        self.finished += int(done.sum())
        return self._now(done)

    def _explained(self, error: IllegalAction, numbers: list[int]) -> IllegalAction:
        """The error as people read it, with the name of the first action that is not legal."""
        legal = zip(self._mask, numbers, strict=False)
        bad = [not (0 <= number < self.actions and mask[number]) for mask, number in legal]
        if len(numbers) != self.games or True not in bad:
            return error
        place = bad.index(True)
        number = numbers[place]
        name = self.action_names[number] if 0 <= number < self.actions else "there is no such"
        count = int(self._mask[place].sum())
        return IllegalAction(
            f"game {place}: action {number} is not legal now ({name}); the mask has {count}"
        )

    def final_observations(self) -> Array:
        """How the games ended that were over with the last step, in the order of their places
        (`done.nonzero()`): what the seat of each country knew then (ended games x countries x
        numbers). `Step.observation` is already of the games that have begun in their places.

        >>> env = VectorEnv("second", games=2)
        >>> now = env.reset()
        >>> while not now.done.any():
        ...     now = env.step(now.mask.argmax(axis=1))
        >>> env.final_observations().shape
        (1, 6, 3378)
        """
        ended = [end for end in self.batch.ended if end is not None]
        states = [end for end in ended for _ in COUNTRIES]
        rows = self.known.write(states, self._viewers.tobytes() * len(ended))
        return rows.reshape(len(ended), len(COUNTRIES), self.known.size)

    def close(self) -> None:
        """Nothing is left open; it is there as other environments have it.

        >>> VectorEnv("second", games=1).close()
        """

    def look_again(self) -> Step:
        """Where the games stand, observations and masks made anew.

        >>> env = VectorEnv("second", games=2)
        >>> bool((env.look_again().mask == env.reset().mask).all())
        True
        """
        self.batch.tell_all()
        return self._now()

    @property
    def winner(self) -> NDArray[np.int8]:
        """Who won the games that ended in the last step: 0 the Axis, 1 the Allies; -1 where a
        game goes on.

        >>> VectorEnv("second", games=3).winner.tolist()
        [-1, -1, -1]
        """
        return np.where(self._winner == GOES_ON, -1, self._winner.astype(np.int8)).astype(np.int8)

    @property
    def action_names(self) -> tuple[str, ...]:
        """What each number of an action means.

        >>> VectorEnv("second", games=1).action_names[0]
        'pass'
        """
        return action_names(self.rules)

    def __getstate__(self) -> dict[str, Any]:
        """How it was made, and its games as plain data: whoever reads that loads the rules anew,
        and the arrays look at the new batch."""
        batch = self.batch
        return {
            "made_of": {**self._made_of, "seed": self.seed},
            "states": [dump_state(s) for s in batch.states],
            "ended": [None if s is None else dump_state(s) for s in batch.ended],
            "winners": bytes(batch.winners),
            "seeds": list(batch.seeds),
            "lead": self._lead.copy(),
            "reward": self._reward.copy(),
            "finished": self.finished,
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        VectorEnv.__init__(self, **kept["made_of"])
        batch, rules = self.batch, self.rules
        batch.states[:] = [load_state(rules, data) for data in kept["states"]]
        batch.ended[:] = [
            None if data is None else load_state(rules, data) for data in kept["ended"]
        ]
        batch.winners[:] = kept["winners"]
        batch.seeds[:] = kept["seeds"]
        self._lead, self.finished = kept["lead"].copy(), kept["finished"]
        self._reward[:] = kept["reward"]
        self.look_again()

    def _now(self, done: NDArray[np.bool_] | None = None) -> Step:
        viewers = self._viewers[self._country].tobytes()
        self.known.write(self.batch.states, viewers, self._observation)
        if done is None:
            done = np.zeros(self.games, dtype=np.bool_)
        return Step(self._observation, self._mask, self._country, self._reward, done)

    def __repr__(self) -> str:
        return f"<VectorEnv of {self.games} games of {self.rules.name}, seed {self.seed}>"


def _whole_numbers(actions: NDArray[np.integer] | Sequence[int]) -> list[int]:
    """The actions as a list of ints, whatever they came in."""
    array = np.asarray(actions)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise QuartermasterError(
            "actions: expected one whole number for each game, got an array of"
            f" {array.dtype} and shape {array.shape}"
        )
    numbers: list[int] = array.tolist()
    return numbers

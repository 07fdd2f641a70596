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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from quartermaster.cards.card_sets import load_card_sets
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import QuartermasterError, UnknownName, show
from quartermaster.forms.notation import action_names, country_index
from quartermaster.game import make_seats
from quartermaster.lab.env.observation import Array, observation_of
from quartermaster.lab.tensors.sketch import last_scores
from quartermaster.rules.batch import GOES_ON, Batch

REWARDS = ("end", "points")
_SIDES = np.array([1, -1, 1, -1, 1, -1], dtype=np.float32)  # of each country, for the Axis


class Step(NamedTuple):
    """Where all the games stand after a step. The arrays are written anew by the next step: copy
    what you keep.

    `observation` (games x numbers, int16) is what the deciding seat knows, `mask` (games x
    actions, bool) what it may do, `country` (games) which country decides. `reward` (games x
    countries) is what the step brought each country, and `done` (games) whether it ended the
    game. The other arrays are then already of the next game in that place.
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
    """

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
        if type(games) is not int or games < 1:
            raise QuartermasterError(f"games: expected a number from 1, got {show(games)}")
        if rewards not in REWARDS:
            raise UnknownName("kind of rewards", rewards, REWARDS)
        self.rules = load_rules(rules, options, load_card_sets(sets))
        self.known = observation_of(self.rules)
        self.games = games
        self.seed = seed
        self.actions = self.rules.numbering.size
        self.finished = 0  # games since the last reset
        self._is_by_points = rewards == "points"
        self._viewers = np.zeros(6, dtype=np.uint8)
        for seat in make_seats(rules, seats):
            countries = [country_index(country) for country in seat]
            self._viewers[countries] = sum(1 << country for country in countries)
        self._observation = np.empty((games, self.known.size), dtype=np.int16)
        self._reward = np.zeros((games, 6), dtype=np.float32)
        self.reset(seed)

    def reset(self, seed: int | None = None) -> Step:
        """Begin all games anew, as the environment did at first or with another seed.

        >>> env = VectorEnv("second", games=2, seed=3)
        >>> first = env.reset().observation.copy()
        >>> _ = env.step(env.reset().mask.argmax(axis=1))
        >>> bool((env.reset(3).observation == first).all())
        True
        """
        self.seed = self.seed if seed is None else seed
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
        quartermaster.errors.IllegalAction: game 0: action 0 is not legal now
        """
        self.batch.step(_whole_numbers(actions))
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

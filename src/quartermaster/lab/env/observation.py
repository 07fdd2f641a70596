"""What a country knows, as a tensor of whole numbers with a name for each.

>>> from quartermaster import Game
>>> game = Game.new("second", seed=7)
>>> known = observation_of("second")
>>> array = known.of(game, "germany")
>>> array.shape == (known.size,), array.dtype
(True, dtype('int16'))
>>> array[known.index("piece germany germany")], array[known.index("piece germany ukraine")]
(np.int16(1), np.int16(0))
>>> int(known.split(array)["hand"].sum())
10
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from math import prod
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quartermaster.cards.card_sets import load_card_sets, where_from
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import QuartermasterError, UnknownName, show
from quartermaster.game import Game
from quartermaster.lab.tensors.sketch import CARD_PLANES, Sketch
from quartermaster.rules.board import LAND_MASK, SEA_MASK, SPACES
from quartermaster.rules.names import COUNTRIES, OCCASIONS, PIECES, STEPS, TEAMS
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State

# Goes up whenever a number of an observation or of an action comes to mean something else.
OBSERVATION_VERSION = 1

Array = NDArray[np.int16]

_ABOUT = {
    "piece": "1 where the country has an army (on land) or a navy (at sea)",
    "supplied": "1 where that piece is in supply",
    "supply-space": "1 where a starred supply space counts for the country, cards considered",
    "protected": "1 where the country's piece cannot be removed this turn",
    "occasion-space": "1 where that happened which the question is about, if asked",
    "air-force": "1 where the country has an air force",
    "hand": "cards in the own hand",
    "deck": "cards in the own deck, whose order nobody knows",
    "top": "cards on top of the own deck that are being looked at",
    "discarded": "cards of the own discard pile that lie face down",
    "set": "own responses face down on the table",
    "face-up": "cards of all discard piles known to lie there",
    "table": "statuses on the table, everyone's",
    "resting": "statuses on the table that do nothing now: put down too late, or out of action",
    "fresh": "statuses put down this turn",
    "used": "cards used this turn that may be used once a turn",
    "shown": "cards shown from a hand and still there",
    "occasion-card": "1 at the card that the question is about, if asked",
    "source": "1 at the card that is being carried out, if asked",
    "seat": "1 for each country that is looking",
    "asked": "1 for the country that decides, if it is one that is looking",
    "turn": "1 for the country on turn",
    "step": "1 for the step of the turn",
    "winner": "1 for the team that has won",
    "occasion": "1 for what happened that is being reacted to, if asked",
    "occasion-by": "1 for the country that caused it, if asked and there is one",
    "occasion-whose": "1 for the country whose piece it is about, if asked and there is one",
    "decision": "1 for the kind of decision, if asked",
    "round": "the round, 1 to 20",
    "decision-count": "how many such choices in a row make up the decision; 0 if not asked",
    "hand-size": "cards in each hand",
    "deck-size": "cards in each deck",
    "discard-size": "cards in each discard pile, face up and face down",
    "set-size": "responses face down on the table",
    "reserve": "pieces left to place",
    "score": "victory points; may be below 0",
}


@dataclass(frozen=True)
class Field:
    """A named part of an observation: where it begins, and what its axes are.

    >>> observation_of("second").fields["piece"]
    Field(name='piece', start=0, axes=('country', 'space'), shape=(6, 53))
    """

    name: str
    start: int
    axes: tuple[str, ...]
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many numbers it takes.

        >>> observation_of("second").fields["piece"].size
        318
        """
        return prod(self.shape)

    @property
    def about(self) -> str:
        """What its numbers mean.

        >>> observation_of("second").fields["hand"].about
        'cards in the own hand'
        """
        return _ABOUT[self.name]


class Observation:
    """The observations of one rule set: their size, the names of their numbers, and how they
    are made. `observation_of` gives the one there is for a rule set.

    >>> observation_of("second")
    <Observation 1 of second reallocate: 3378 numbers>
    """

    version = OBSERVATION_VERSION

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._sketch = Sketch(rules)
        self._lock = Lock()  # threads share this observation, and with it the sketch
        self._labels: dict[str, tuple[str, ...]] = {
            "country": COUNTRIES,
            "space": tuple(space for space, _ in SPACES),
            "card": tuple(f"{COUNTRIES[card.country]} {card.id}" for card in rules.cards),
            "step": STEPS,
            "team": TEAMS,
            "occasion": OCCASIONS,
            "kind": tuple(self._sketch.kinds),
            "piece": PIECES if rules.has_air_forces else PIECES[:2],
        }
        planes = ["piece", "supplied", "supply-space", "protected"]
        parts: list[tuple[str, tuple[str, ...]]] = [(name, ("country", "space")) for name in planes]
        parts.append(("occasion-space", ("space",)))
        if rules.has_air_forces:
            parts.append(("air-force", ("country", "space")))
        n_planes = sum(self._shape(axes)[0] if len(axes) > 1 else 1 for _, axes in parts)
        parts += [(name, ("card",)) for name in CARD_PLANES]
        parts += [
            ("seat", ("country",)), ("asked", ("country",)), ("turn", ("country",)),
            ("step", ("step",)), ("winner", ("team",)), ("occasion", ("occasion",)),
            ("occasion-by", ("country",)), ("occasion-whose", ("country",)),
            ("decision", ("kind",)), ("round", ()), ("decision-count", ()),
            ("hand-size", ("country",)), ("deck-size", ("country",)),
            ("discard-size", ("country",)), ("set-size", ("country",)),
            ("reserve", ("piece", "country")), ("score", ("team",)),
        ]  # fmt: skip
        self.fields: dict[str, Field] = {}
        start = 0
        for name, axes in parts:
            field = Field(name, start, axes, self._shape(axes))
            self.fields[name] = field
            start += field.size
        self.size = start
        self._planes = n_planes
        self._spaces = len(SPACES)
        self._sparse = slice(self.fields["hand"].start, self.fields["round"].start)
        self._counts = slice(self.fields["round"].start, self.fields["reserve"].start)
        self._reserve = slice(self.fields["reserve"].start, self.fields["score"].start)
        self._limits = np.array(rules.piece_limits, dtype=np.int16)
        # Where each list of a sketch goes: one for each plane of cards, one for the marks.
        starts = [self.fields[name].start for name in (*CARD_PLANES, "seat")]
        self._starts = np.array(starts, dtype=np.int64)

    def _shape(self, axes: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(len(self._labels[axis]) for axis in axes)

    # -- names -------------------------------------------------------------------------

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The name of every number, by its place.

        >>> observation_of("second").names[0]
        'piece germany canada'
        """
        names: list[str] = []
        for field in self.fields.values():
            labels = [""]
            for axis in field.axes:
                labels = [f"{label} {one}" for label in labels for one in self._labels[axis]]
            names += [field.name + label for label in labels]
        return tuple(names)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """The place of a number, from its name.

        >>> known = observation_of("second")
        >>> known.names[known.index("hand germany blitzkrieg")]
        'hand germany blitzkrieg'
        """
        if name not in self._places:
            raise UnknownName("number of an observation", name, self._places)
        return self._places[name]

    def describe(self) -> str:
        """Every field with its place, its shape and what it means, as a table in Markdown.

        >>> print(observation_of("second").describe()[:34])
        | from | field | shape | meaning |
        """
        lines = ["| from | field | shape | meaning |", "| --- | --- | --- | --- |"]
        for field in self.fields.values():
            axes = zip(field.axes, field.shape, strict=True)
            shape = " x ".join(f"{size} ({axis})" for axis, size in axes) or "1"
            lines.append(f"| {field.start} | `{field.name}` | {shape} | {field.about} |")
        return "\n".join(lines)

    def split(self, array: Array) -> dict[str, Array]:
        """The fields of one observation, or of many, as arrays of their own shape: they share
        the memory of what is split.

        >>> from quartermaster import Game
        >>> known = observation_of("second")
        >>> parts = known.split(known.of(Game.new(seed=7), "germany"))
        >>> parts["piece"].shape, parts["score"].tolist()
        ((6, 53), [0, 0])
        """
        if array.ndim == 0 or array.shape[-1] != self.size:
            raise QuartermasterError(
                f"array: expected rows of {self.size} numbers, got the shape {array.shape}"
            )
        return {
            field.name: array[..., field.start : field.start + field.size].reshape(
                (*array.shape[:-1], *field.shape)
            )
            for field in self.fields.values()
        }

    @cached_property
    def low(self) -> Array:
        """The least that each number can be: for the spaces of environments.

        >>> known = observation_of("second")
        >>> int(known.low[known.index("round")]), int(known.low[known.index("score axis")])
        (0, -1000)
        """
        low = np.zeros(self.size, dtype=np.int16)
        low[self.fields["score"].start :] = -1000
        return low

    @cached_property
    def high(self) -> Array:
        """The most that each number can be.

        >>> known = observation_of("second")
        >>> int(known.high[known.index("piece germany ukraine")]), int(known.high[-1])
        (1, 1000)
        """
        high = np.full(self.size, 255, dtype=np.int16)
        high[: self._sparse.start] = 1  # planes of spaces
        high[self.fields["seat"].start : self._sparse.stop] = 1  # what is so or not
        high[self.fields["score"].start :] = 1000
        return high

    # -- making ------------------------------------------------------------------------

    def of(self, game: Game, who: int | str | None = None) -> Array:
        """What a seat (its number) or a country (its id) knows of a game; `None`: an onlooker.

        >>> from quartermaster import Game
        >>> known = observation_of("second")
        >>> bool((known.of(Game.new(seed=7), 0) == known.of(Game.new(seed=7), "germany")).all())
        True
        """
        self._check(game.state)
        viewers = sum(1 << country for country in game.countries_of(who))
        row: Array = self.write([game.state], bytes([viewers]))[0]
        return row

    def write(self, states: Sequence[State], viewers: bytes, out: Array | None = None) -> Array:
        """What is known of many states, one row for each: `viewers` has for each state the mask
        of the countries that look. `out` is an array to write into.

        >>> from quartermaster import Game
        >>> game = Game.new("second", seed=7)
        >>> observation_of("second").write([game.state], bytes([1])).shape[0]
        1
        """
        n = len(states)
        if out is None:
            out = np.empty((n, self.size), dtype=np.int16)
        elif out.shape != (n, self.size) or out.dtype != np.int16 or not out.flags.c_contiguous:
            raise QuartermasterError(
                f"out: expected a contiguous array of int16 and shape {(n, self.size)}, got"
                f" {out.dtype} and {out.shape}"
            )
        if len(viewers) != n:
            raise QuartermasterError(f"viewers: expected {n} masks, got {len(viewers)}")
        if n == 0:
            return out
        with self._lock:
            self._write(list(states), viewers, out)
        return out

    def _write(self, states: list[State], viewers: bytes, out: Array) -> None:
        n = len(states)
        sketch = self._sketch
        sketch.clear()
        sketch.add_all(states, viewers)
        masks = np.fromiter(sketch.masks, dtype="<i8", count=n * self._planes)
        bits = np.unpackbits(
            masks.view(np.uint8).reshape(n, self._planes, 8),
            axis=-1,
            count=self._spaces,
            bitorder="little",
        )
        out[:, : self._sparse.start] = bits.reshape(n, -1)
        out[:, self._sparse] = 0
        starts = np.arange(0, n * self.size, self.size, dtype=np.int64)[:, None] + self._starts
        places = np.repeat(starts.ravel(), _numbers(sketch.lengths))
        places += _numbers(sketch.cards)
        np.add.at(out.reshape(-1), places, _ONE)
        out[:, self._counts] = _numbers(sketch.counts).reshape(n, -1)
        out[:, self._reserve] = self._reserves(masks.reshape(n, -1)).reshape(n, -1)
        out[:, self._reserve.stop :] = np.array(sketch.scores, dtype=np.int16).reshape(n, 2)

    def _reserves(self, masks: NDArray[np.int64]) -> Array:
        """How many pieces of each kind each country has left to place, from where they stand."""
        standing = [masks[:, :6] & LAND_MASK, masks[:, :6] & SEA_MASK]
        if self.rules.has_air_forces:
            standing.append(masks[:, -6:])
        counts = np.bitwise_count(np.stack(standing, axis=1)).astype(np.int16)
        left: Array = self._limits[: len(standing)] - counts
        return left

    def _check(self, s: State) -> None:
        if s.rules is not self.rules:
            raise QuartermasterError(
                f"this is the observation of {_name(self.rules)}, the game is of {_name(s.rules)}"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        """There is one for each rule set, whose name and options are enough to find it."""
        rules = self.rules
        return _found, (rules.name, rules.options, where_from(rules.sets))

    def __repr__(self) -> str:
        return f"<Observation {self.version} of {_name(self.rules)}: {self.size} numbers>"


_ONE = np.int16(1)


def _numbers(values: list[int]) -> NDArray[np.uint8] | NDArray[np.int64]:
    """A list as an array. Bytes are five times as quick as anything else; only card sets that
    people add can make a rule set too large for them."""
    try:
        return np.frombuffer(bytes(values), dtype=np.uint8)
    except ValueError:
        return np.fromiter(values, dtype=np.int64, count=len(values))


def _name(rules: Rules) -> str:
    chosen = [name for name, value in rules.options.items() if value]
    return " ".join([rules.name, *chosen, *rules.sets])


@cache
def _observation(rules: Rules) -> Observation:
    return Observation(rules)


def _found(name: str, options: Mapping[str, bool], sets: Sequence[str]) -> Observation:
    return _observation(load_rules(name, options, load_card_sets(sets)))


def observation_of(
    rules: str | Rules = "second", options: Mapping[str, bool] | None = None
) -> Observation:
    """The observations of a rule set, given by its name and options or itself; made once.

    >>> observation_of("second", {"air-marshal": True}).fields["air-force"].shape
    (6, 53)
    >>> observation_of("third")
    Traceback (most recent call last):
    quartermaster.errors.UnknownName: unknown rule set 'third'; expected first or french or second
    """
    if isinstance(rules, Rules):
        if options is not None:
            raise QuartermasterError(f"options: already in the rules, got {show(options)}")
        return _observation(rules)
    return _observation(load_rules(rules, options))

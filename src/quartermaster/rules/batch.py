"""Many games at once: one call carries each of them from its decision to the next.

A program that learns asks thousands of games the same question. Here the loop over them is in
compiled code; what may be done is told in buffers that arrays can share without a copy
(`numpy.frombuffer(batch.masks, numpy.uint8).reshape(batch.count, batch.width)`).
"""

from collections.abc import Iterable
from typing import Any, Final, SupportsIndex

from quartermaster.core import heed_signals
from quartermaster.errors import IllegalAction, QuartermasterError, show
from quartermaster.rules.engine import (
    apply,
    decider,
    first_chance,
    new_state,
    next_chance,
    playout,
)
from quartermaster.rules.given import whole_number, whole_numbers, whole_seed
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State

GOES_ON: Final = 255  # in `Batch.winners`
_BETWEEN_SIGNALS: Final = 4096  # actions: some milliseconds, and a call costs less than one of them


class Batch:
    """So many games, each begun anew as soon as it is over.

    `seed` and the numbers after it shuffle the cards: game `n` in place `i` has the seed
    `seed + i + n * count`, of which the lowest 64 bits count.

    After every step `states` holds the games at their decisions; `countries` who decides; `masks`
    what they may do, a byte for each number of the rule set's actions (`rules.numbering`), 1 if it
    is legal. Who wants none, and gives False for `has_masks`, saves the time to write them; `masks`
    is empty then. `winners` tells which games ended in the step: a team, or `GOES_ON`; `ended` has
    the state in which such a game ended, and None for all others.

    >>> from quartermaster import load_rules
    >>> batch = Batch(load_rules("second"), 3, seed=1)
    >>> batch.countries[0], batch.winners[0] == GOES_ON, batch.ended[0]
    (0, True, None)
    """

    def __init__(
        self,
        rules: Rules,
        count: SupportsIndex,
        seed: SupportsIndex = 0,
        has_masks: bool = True,
    ) -> None:
        self.rules = rules
        self.count: int = whole_number("count", count)
        if self.count < 1:
            raise QuartermasterError(f"count: expected a number of games, got {show(count)}")
        first = whole_seed(seed)
        self.width: int = rules.numbering.size
        self.has_masks = has_masks
        self.states: list[State] = []
        self.ended: list[State | None] = [None] * self.count
        self.masks = bytearray(self.count * self.width if has_masks else 0)
        self.countries = bytearray(self.count)
        self.winners = bytearray([GOES_ON]) * self.count
        self._marked: list[list[Any]] = [[]] * self.count  # the bytes of the masks that are 1
        self.seeds: list[int] = []  # of the next game in each place
        for place in range(self.count):
            self.states.append(new_state(rules, first + place))
            self.seeds.append(first + place + self.count)
            self._tell(place)

    def __reduce__(self) -> tuple[Any, ...]:
        """Compiled classes do not pickle by themselves. The states are copied, for `copy.copy`
        comes here too."""
        states = [s.copy() for s in self.states]
        ended = [None if s is None else s.copy() for s in self.ended]
        return _restore, (
            self.rules, self.has_masks, states, ended, bytes(self.winners), self.seeds.copy(),
        )  # fmt: skip

    def options(self, place: SupportsIndex) -> list[int]:
        """The numbers of what may be done in a game, in the order of the rules.

        >>> from quartermaster import load_rules
        >>> batch = Batch(load_rules("second"), 3)
        >>> [batch.rules.numbering.code(number) for number in batch.options(2)] == (
        ...     batch.states[2].options
        ... )
        True
        """
        numbering = self.rules.numbering
        options = self.states[whole_number("place", place)].options
        return [numbering.number(code) for code in options]

    def step(self, numbers: Iterable[SupportsIndex]) -> None:
        """Do one action in each game, given by its number. `IllegalAction` changes nothing.

        >>> from quartermaster import load_rules
        >>> batch = Batch(load_rules("second"), 3)
        >>> batch.step([batch.options(place)[0] for place in range(3)])
        """
        given = self._given("numbers", numbers)
        chosen: list[int] = []
        for place in range(self.count):
            number = given[place]
            code = self.rules.numbering.code(number) if 0 <= number < self.width else -1
            if code not in self.states[place].options:
                raise IllegalAction(f"game {place}: action {show(number)} is not legal now")
            chosen.append(code)
        self._apply(chosen)

    def step_choices(self, choices: Iterable[SupportsIndex]) -> None:
        """Step as `step` does, each action given by its place among those that are legal, the first
        being 0.

        >>> from quartermaster import load_rules
        >>> batch = Batch(load_rules("second"), 3)
        >>> batch.step_choices([count - 1 for count in batch.choices()])
        """
        given = self._given("choices", choices)
        chosen: list[int] = []
        for place in range(self.count):
            options = self.states[place].options
            choice = given[place]
            if not 0 <= choice < len(options):
                raise IllegalAction(
                    f"game {place}: expected a choice below {len(options)}, got {show(choice)}"
                )
            chosen.append(options[choice])
        self._apply(chosen)

    def choices(self) -> list[int]:
        """How many actions are legal in each game.

        >>> from quartermaster import load_rules
        >>> Batch(load_rules("second"), 3).choices()
        [8, 9, 9]
        """
        return [len(s.options) for s in self.states]

    def run(self, steps: SupportsIndex, seed: SupportsIndex) -> int:
        """So many steps at random, each action as likely as the others; how many games ended. Of
        the seed the lowest 30 bits count.

        Ctrl-C ends it between two steps where the core is compiled, so that the games can go on.

        >>> from quartermaster import load_rules
        >>> Batch(load_rules("second"), 3, has_masks=False).run(900, seed=1)
        6
        """
        chance = first_chance(seed)
        ended = 0
        actions = 0  # since signals were looked for
        for _ in range(whole_number("steps", steps)):
            actions += self.count
            if actions >= _BETWEEN_SIGNALS:
                heed_signals()
                actions = 0
            chosen: list[int] = []
            for s in self.states:
                chance = next_chance(chance)
                chosen.append(s.options[(chance >> 12) % len(s.options)])
            ended += self._apply(chosen)
        return ended

    def _given(self, what: str, numbers: object) -> list[int]:
        """What is given for each game."""
        given = whole_numbers(what, numbers)
        if len(given) != self.count:
            raise IllegalAction(f"expected {self.count} actions, got {len(given)}")
        return given

    def _apply(self, codes: list[int]) -> int:
        ended = 0
        for place in range(self.count):
            s = self.states[place]
            apply(s, codes[place])
            if s.winner >= 0:
                ended += 1
                self.winners[place] = s.winner
                self.ended[place] = s
                self.states[place] = new_state(self.rules, self.seeds[place])
                self.seeds[place] += self.count
            elif self.ended[place] is not None:
                self.winners[place] = GOES_ON
                self.ended[place] = None
            self._tell(place)
        return ended

    def tell_all(self) -> None:
        """Write down anew who decides in each game, and what they may do; for who has put other
        states into `states`.

        >>> from quartermaster import load_rules
        >>> from quartermaster.rules.engine import new_state
        >>> batch = Batch(load_rules("second"), 3)
        >>> batch.states[1] = new_state(batch.rules, 7)
        >>> batch.tell_all()
        >>> sum(batch.masks[batch.width : 2 * batch.width]) == batch.choices()[1]
        True
        """
        for place in range(self.count):
            self._tell(place)

    def _tell(self, place: int) -> None:
        """Write down who decides in a game, and what they may do."""
        s = self.states[place]
        self.countries[place] = decider(s)
        if not self.has_masks:
            return
        masks = self.masks
        for at in self._marked[place]:
            masks[at] = 0
        numbering = self.rules.numbering
        first = place * self.width
        marked: list[Any] = []
        for code in s.options:
            # As an object from here on: making one for every use would take most of the time.
            byte: Any = first + numbering.number(code)
            masks[byte] = 1
            marked.append(byte)
        self._marked[place] = marked


def _restore(
    rules: Rules,
    has_masks: bool,
    states: list[State],
    ended: list[State | None],
    winners: bytes,
    seeds: list[int],
) -> Batch:
    batch = Batch(rules, len(states), 0, has_masks)
    batch.states, batch.ended, batch.seeds = states, ended, seeds
    batch.winners[:] = winners
    batch.tell_all()
    return batch


def playouts(states: Iterable[State], seeds: Iterable[SupportsIndex]) -> list[State]:
    """Play a copy of each state on to its end, at random by its seed; the ends, in the same order.
    Of a seed the lowest 30 bits count. Ctrl-C is heeded between two games.

    >>> from quartermaster import Game
    >>> state = Game.new(seed=7).state
    >>> ends = playouts([state] * 4, [1, 2, 3, 4])
    >>> [end.winner in (0, 1) for end in ends], state.winner
    ([True, True, True, True], -1)
    """
    begun: list[State] = list(states)
    given = whole_numbers("seeds", seeds)
    if len(begun) != len(given):
        raise QuartermasterError(f"{len(begun)} states and {len(given)} seeds: one for each")
    ends: list[State] = []
    for i in range(len(begun)):
        heed_signals()
        s = begun[i].copy()
        playout(s, given[i])
        ends.append(s)
    return ends

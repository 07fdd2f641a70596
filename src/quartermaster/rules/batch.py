"""Many games at once: one call carries each of them from its decision to the next.

A program that learns asks thousands of games the same question. Here the loop over them is in
compiled code; what may be done is told in buffers that arrays can share without a copy
(`numpy.frombuffer(batch.masks, numpy.uint8).reshape(batch.count, batch.width)`).
"""

from typing import Any, Final

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
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State

GOES_ON: Final = 255  # in `Batch.winners`
_BETWEEN_SIGNALS: Final = 4096  # actions: some milliseconds, and a call costs less than one of them


class Batch:
    """So many games, each begun anew as soon as it is over.

    After every step `states` holds the games at their decisions; `countries` who decides; `masks`
    what they may do, a byte for each number of the rule set's actions (`rules.numbering`), 1 if it
    is legal. `winners` tells which games ended in the step: a team, or `GOES_ON`; the state in
    which such a game ended is in `ended`.
    """

    def __init__(self, rules: Rules, count: int, seed: int = 0, has_masks: bool = True) -> None:
        """`seed` and the numbers after it shuffle the cards: game `n` in place `i` has the seed
        `seed + i + n * count`. Who asks for no masks saves the time to write them."""
        if type(count) is not int or count < 1:
            raise QuartermasterError(f"count: expected a number of games, got {show(count)}")
        if type(seed) is not int:
            raise QuartermasterError(f"seed: expected a whole number, got {show(seed)}")
        self.rules = rules
        self.count = count
        self.width: int = rules.numbering.size
        self.has_masks = has_masks
        self.states: list[State] = []
        self.ended: list[State | None] = [None] * count
        self.masks = bytearray(count * self.width if has_masks else 0)
        self.countries = bytearray(count)
        self.winners = bytearray([GOES_ON]) * count
        self._marked: list[list[Any]] = [[]] * count  # the bytes of the masks that are 1
        self.seeds: list[int] = []  # of the next game in each place
        for place in range(count):
            self.states.append(new_state(rules, seed + place))
            self.seeds.append(seed + place + count)
            self._tell(place)

    def options(self, place: int) -> list[int]:
        """The numbers of what may be done in a game, in the order of the rules."""
        numbering = self.rules.numbering
        return [numbering.number(code) for code in self.states[place].options]

    def step(self, numbers: list[int]) -> None:
        """Do one action in each game. `IllegalAction` changes nothing."""
        self._check(numbers)
        chosen: list[int] = []
        for place in range(self.count):
            number = numbers[place]
            code = self.rules.numbering.code(number) if 0 <= number < self.width else -1
            if code not in self.states[place].options:
                raise IllegalAction(f"game {place}: action {number} is not legal now")
            chosen.append(code)
        self._apply(chosen)

    def step_choices(self, choices: list[int]) -> None:
        """Step as `step` does, each action given by its place among those that are legal, the first
        being 0."""
        self._check(choices)
        chosen: list[int] = []
        for place in range(self.count):
            options = self.states[place].options
            choice = choices[place]
            if not 0 <= choice < len(options):
                raise IllegalAction(
                    f"game {place}: expected a choice below {len(options)}, got {choice}"
                )
            chosen.append(options[choice])
        self._apply(chosen)

    def choices(self) -> list[int]:
        """How many actions are legal in each game."""
        return [len(s.options) for s in self.states]

    def run(self, steps: int, seed: int) -> int:
        """So many steps at random, each action as likely as the others; how many games ended.

        Ctrl-C ends it between two steps where the core is compiled, so that the games can go on.
        """
        chance = first_chance(seed)
        ended = 0
        actions = 0  # since signals were looked for
        for _ in range(steps):
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

    def _check(self, numbers: list[int]) -> None:
        if len(numbers) != self.count:
            raise IllegalAction(f"expected {self.count} actions, got {len(numbers)}")

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
        """Write down anew who decides in each game, and what they may do."""
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


def playouts(states: list[State], seeds: list[int]) -> list[State]:
    """Play a copy of each state on to its end, at random by its seed; the ends, in the same order.

    >>> from quartermaster import Game
    >>> state = Game.new(seed=7).state
    >>> ends = playouts([state] * 4, [1, 2, 3, 4])
    >>> [end.winner in (0, 1) for end in ends], state.winner
    ([True, True, True, True], -1)
    """
    if len(states) != len(seeds):
        raise QuartermasterError(f"{len(states)} states and {len(seeds)} seeds: one for each")
    ends: list[State] = []
    for i in range(len(states)):
        s = states[i].copy()
        playout(s, seeds[i])
        ends.append(s)
    return ends

"""Chance for bots that play at random; compiled, for it is asked at every decision."""

import random


class Dice:
    """Numbers by chance, the same as `random.Random(seed)` would choose by."""

    def __init__(self, seed: int) -> None:
        self._bits = random.Random(seed).getrandbits

    def below(self, count: int) -> int:
        """Any whole number from 0 up to, but not including, a count; each as likely.

        >>> dice = Dice(7)
        >>> [dice.below(6) for _ in range(8)] == random.Random(7).choices(range(6), k=8)
        False
        >>> dice, chance = Dice(7), random.Random(7)
        >>> [dice.below(6) for _ in range(8)] == [chance.choice(range(6)) for _ in range(8)]
        True
        """
        width = count.bit_length()
        number = self._bits(width)
        while number >= count:
            number = self._bits(width)
        return number

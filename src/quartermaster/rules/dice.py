"""Chance for players who choose at random; compiled, for it is asked at every decision."""

import random
from struct import unpack
from typing import Any, Final

_BATCH: Final = 64  # words that are drawn at once
_WIDTHS: Final = [count.bit_length() for count in range(1024)]


class Dice:
    """Numbers by chance, the same as `random.Random(seed)` would choose by.

    That draws a word of 32 bits for each try and keeps as many of its upper bits as the count
    has. Here many words are drawn at once, which is quicker.
    """

    def __init__(self, seed: int) -> None:
        self._bits = random.Random(seed).getrandbits
        self._words: tuple[int, ...] = ()
        self._at = 0

    def __reduce__(self) -> tuple[Any, ...]:
        """Compiled classes do not pickle by themselves."""
        return _restore, (self._bits, self._words, self._at)

    def below(self, count: int) -> int:
        """Any whole number from 0 up to, but not including, a count below 1024; each as likely.

        >>> dice, chance = Dice(7), random.Random(7)
        >>> counts = [1 + i * 7 % 50 for i in range(500)]
        >>> [dice.below(n) for n in counts] == [chance.choice(range(n)) for n in counts]
        True
        """
        shift = 32 - _WIDTHS[count]
        while True:
            if self._at == len(self._words):
                drawn: int = self._bits(32 * _BATCH)
                self._words = unpack(f"<{_BATCH}I", drawn.to_bytes(4 * _BATCH, "little"))
                self._at = 0
            number = self._words[self._at] >> shift
            self._at += 1
            if number < count:
                return number


def _restore(bits: Any, words: tuple[int, ...], at: int) -> Dice:
    dice = Dice(0)
    dice._bits, dice._words, dice._at = bits, words, at
    return dice

"""Shuffles that nobody can foresee who does not know the seed, and everybody can check who
does. `docs/fairness.md` says the same in words, for those who check with tools of their own.
"""

from hmac import digest
from typing import Final

SEED_BYTES: Final = 32
_WORDS: Final = 1 << 32


def shuffle_by_seed(seed: bytes, number: int, cards: list[int]) -> None:
    """Shuffle a list in place, as shuffle number `number` of a game with this seed.

    The chance is HMAC-SHA-256 of "shuffle NUMBER BLOCK", BLOCK counting from 0, read as words
    of 32 bits. A word from the incomplete last stretch is passed over, so that all orders are
    equally likely.
    """
    block = b""
    blocks = 0
    at = 0
    for i in range(len(cards) - 1, 0, -1):
        n = i + 1
        fair = _WORDS - _WORDS % n
        word = fair
        while word >= fair:
            if at == len(block):
                block = digest(seed, f"shuffle {number} {blocks}".encode(), "sha256")
                blocks += 1
                at = 0
            word = int.from_bytes(block[at : at + 4], "big")
            at += 4
        j = word % n
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card

"""How anyone checks a deal with tools of their own, as docs/fairness.md tells."""

import hashlib
import hmac
from typing import Any


def documented_shuffle(seed: bytes, number: int, cards: list[str]) -> list[str]:
    """Written from the document alone, as someone else would."""
    cards = sorted(cards)
    words: list[int] = []
    block = 0
    for i in range(len(cards) - 1, 0, -1):
        while True:
            if not words:
                message = b"shuffle %d %d" % (number, block)
                chance = hmac.new(seed, message, hashlib.sha256).digest()
                words = [int.from_bytes(chance[n : n + 4], "big") for n in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 // (i + 1) * (i + 1):
                break
        j = word % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def check_steps(seed: bytes, steps: list[dict[str, Any]]) -> None:
    """What a page does with the steps of a deal: every shuffle is the seed's, and what comes off
    a deck is what lay on top."""
    decks: dict[str, list[str]] = {}
    number = 0
    for step in steps:
        country, cards = step["country"], list(step["cards"])
        if step["what"] in ("shuffle", "pick", "deal"):
            assert cards == documented_shuffle(seed, number, cards)
            number += 1
            if step["what"] == "shuffle":
                decks[country] = cards
        elif step["what"] == "deck":
            decks[country] = cards
        else:
            assert decks[country][-len(cards) :] == cards
            del decks[country][-len(cards) :]

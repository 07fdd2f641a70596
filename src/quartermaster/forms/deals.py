"""Seeds, and what a deal that can be checked is made of.

A game's seed is a whole number, for games that are to be had again and whose cards need not
be safe from anyone, or 32 bytes written as 64 hexadecimal digits, for games of people. At a
table such a seed comes from the server's secret, of which a hash was shown before, and from
what each person's client has added (`docs/fairness.md`).

>>> deal = Deal("11" * 32, ((0, "aa" * 32), (3, "bb" * 32)))
>>> deal.commitment[:16], deal.seed[:16]
('02d449a31fbb267c', 'b5a7eb3983938862')
"""

import hmac
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from quartermaster.errors import QuartermasterError, show
from quartermaster.rules.given import is_seed
from quartermaster.rules.shuffling import SEED_BYTES

Seed = int | str
_TITLE = "quartermaster deal 1\n"
_HEX = re.compile(f"[0-9a-f]{{{2 * SEED_BYTES}}}")


def fresh_seed() -> str:
    """A seed that nobody can foresee.

    >>> len(fresh_seed())
    64
    """
    return secrets.token_hex(SEED_BYTES)


def is_hex(text: object) -> bool:
    """Whether something is 32 bytes, written as hexadecimal digits."""
    return isinstance(text, str) and _HEX.fullmatch(text) is not None


def read_seed(seed: object) -> int | bytes:
    """A seed as the engine wants it."""
    if type(seed) is int and is_seed(seed):
        return seed
    if isinstance(seed, str) and is_hex(seed):
        return bytes.fromhex(seed)
    raise QuartermasterError(
        f"seed: expected a whole number of at most 64 bits, or {2 * SEED_BYTES} hexadecimal"
        f" digits, got {show(seed)}"
    )


@dataclass(frozen=True)
class Deal:
    """The server's secret, and what people have added: the number of their (first) seat, and
    32 bytes in hexadecimal digits, by seats.

    >>> Deal("11" * 32).contributions
    ()
    """

    secret: str
    contributions: tuple[tuple[int, str], ...] = ()

    @property
    def commitment(self) -> str:
        """What is shown before the deal: it ties the server to its secret and tells nothing.

        >>> Deal("11" * 32).commitment[:16]
        '02d449a31fbb267c'
        """
        return sha256(bytes.fromhex(self.secret)).hexdigest()

    @property
    def seed(self) -> str:
        """What the cards come from.

        >>> len(Deal("11" * 32).seed)
        64
        """
        lines = [f"{seat} {added}\n" for seat, added in self.contributions]
        message = (_TITLE + "".join(lines)).encode()
        return hmac.digest(bytes.fromhex(self.secret), message, "sha256").hex()

    def to_dict(self) -> dict[str, Any]:
        """The deal as plain data, as a record has it.

        >>> Deal.read(Deal("11" * 32).to_dict()) == Deal("11" * 32)
        True
        """
        return {
            "commitment": self.commitment,
            "secret": self.secret,
            "contributions": [list(item) for item in self.contributions],
        }

    @classmethod
    def read(cls, data: dict[str, Any]) -> "Deal":
        """A deal from plain data, as a record has it.

        >>> Deal.read({"secret": "11" * 32, "contributions": []}) == Deal("11" * 32)
        True
        """
        if not isinstance(data, dict):
            raise QuartermasterError(f"deal: expected what it was made of, got {show(data)}")
        secret, added = data.get("secret"), data.get("contributions")
        if not isinstance(secret, str) or not is_hex(secret):
            raise QuartermasterError(f"secret: expected 64 hexadecimal digits, got {show(secret)}")
        if not isinstance(added, list):
            raise QuartermasterError(f"contributions: expected a list, got {show(added)}")
        for item in added:
            is_pair = isinstance(item, list) and len(item) == 2
            if not (is_pair and type(item[0]) is int and is_hex(item[1])):
                raise QuartermasterError(
                    f"contributions: expected [seat, 64 hexadecimal digits], got {show(item)}"
                )
        return cls(secret, tuple((seat, text) for seat, text in added))

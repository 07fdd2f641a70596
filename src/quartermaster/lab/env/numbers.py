"""Numbers as programs that learn give them: Python's or numpy's."""

import numpy as np

from quartermaster.errors import QuartermasterError, show


def whole_number(name: str, given: object, low: int, high: int | None = None) -> int:
    """What was given as a whole number, if it is one and within bounds.

    >>> whole_number("seed", np.int64(7), 0)
    7
    >>> whole_number("seed", 1.5, 0)
    Traceback (most recent call last):
    quartermaster.errors.QuartermasterError: seed: expected a whole number from 0, got 1.5
    """
    if isinstance(given, int | np.integer) and not isinstance(given, bool):
        number = int(given)
        if low <= number and (high is None or number <= high):
            return number
    upto = "" if high is None else f" to {high}"
    raise QuartermasterError(f"{name}: expected a whole number from {low}{upto}, got {show(given)}")

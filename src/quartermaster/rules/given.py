"""Numbers as callers give them, checked and made what the core works with.

Compiled code refuses every number that is not Python's own, a numpy one for instance, with an error
of its own, and code that is not compiled takes it. At the doors of the core both do alike.
"""

from operator import index
from typing import Any, Final

from quartermaster.errors import QuartermasterError, show

_LEAST_SEED: Final = -(1 << 63)
_MOST_SEED: Final = (1 << 64) - 1


def whole_number(what: str, given: object) -> int:
    """A whole number of any kind as one of Python's; `what` it is goes into the error.

    >>> whole_number("count", 3)
    3
    >>> whole_number("count", 3.5)
    Traceback (most recent call last):
    quartermaster.errors.QuartermasterError: count: expected a whole number, got 3.5
    """
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    if not isinstance(given, bool) and hasattr(given, "__index__"):
        try:
            return int(index(given))
        except TypeError:  # an array has the method, and may be no number
            pass
    raise QuartermasterError(f"{what}: expected a whole number, got {show(given)}")


def whole_numbers(what: str, given: object) -> list[int]:
    """Whole numbers of any kind, in a list, a tuple, an array or the like.

    >>> whole_numbers("choices", (0, 2))
    [0, 2]
    """
    if isinstance(given, list) and _are_ints(given):
        return given  # as most do at every step
    try:
        items = list(given)  # type: ignore[call-overload]
    except TypeError:
        raise QuartermasterError(f"{what}: expected whole numbers, got {show(given)}") from None
    return [whole_number(what, item) for item in items]


def _are_ints(items: list[Any]) -> bool:
    for item in items:
        if not isinstance(item, int) or isinstance(item, bool):
            return False
    return True


def is_seed(number: int) -> bool:
    """Whether a whole number may be a seed: it has at most 64 bits, with a sign or without."""
    return _LEAST_SEED <= number <= _MOST_SEED


def whole_seed(given: object) -> int:
    """A whole number that may be a seed.

    >>> whole_seed(1 << 64)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    quartermaster.errors.QuartermasterError: seed: expected at most 64 bits, got 1844674407...
    """
    seed = whole_number("seed", given)
    if not is_seed(seed):
        raise QuartermasterError(f"seed: expected at most 64 bits, got {show(seed)}")
    return seed

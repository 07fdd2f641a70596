"""Sets of small numbers (spaces, countries) as ints, a bit for each member."""

from mypy_extensions import i64


def bit_of(member: i64) -> int:
    """The set of one member.

    `1 << member` says the same, but not where `member` is an `i64`: what is compiled takes a bare 1
    for an int of 32 bits then.

    >>> bit_of(40) == 1 << 40
    True
    """
    return 1 << int(member)

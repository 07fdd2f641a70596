"""What can go wrong, said so that people can mend it."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches

_MOST_NAMES = 16  # that an error lists whole: card types, levels, countries; not spaces or cards


class QuartermasterError(ValueError):
    """Anything this library refuses. Nothing has changed when it is raised.

    >>> from quartermaster import Game
    >>> Game.new(seats=9)
    Traceback (most recent call last):
    quartermaster.errors.QuartermasterError: seats: expected 2 to 6 players, got 9
    """


class UnknownName(QuartermasterError):
    """A rule set, option, country, space or card that does not exist. `nearest` has the known
    names that are most like it.

    >>> from quartermaster import Game
    >>> Game.new("third")
    Traceback (most recent call last):
    quartermaster.errors.UnknownName: unknown rule set 'third'; expected first or french or second
    """

    def __init__(self, what: str, name: object, known: Iterable[str]) -> None:
        self.what = what
        self.name = name
        names = list(known)
        self.nearest = nearest(name, names) if isinstance(name, str) else []
        hint = f"; did you mean {' or '.join(self.nearest)}?" if self.nearest else ""
        if not hint and 0 < len(names) <= _MOST_NAMES:
            hint = f"; expected {' or '.join(names)}"
        elif not hint and names:
            hint = f"; expected one of {len(names)}, such as {' or '.join(names[:2])}"
        super().__init__(f"unknown {what} {show(name)}{hint}")
        self._known = names

    def __reduce__(self) -> tuple[type, tuple[str, object, list[str]]]:
        """How to pickle it, for it may come from another process."""
        return type(self), (self.what, self.name, self._known)


class IllegalAction(QuartermasterError):
    """An action that is malformed, or not legal now.

    >>> from quartermaster import Game, IllegalAction
    >>> try:
    ...     Game.new(seed=7).apply("build army ukraine")
    ... except IllegalAction as error:
    ...     print(str(error).partition(";")[0])
    'build army ukraine' is not legal now
    """


class BrokenFile(QuartermasterError):
    """A record or scenario that cannot be read: says where and why.

    >>> from quartermaster import BrokenFile, Game
    >>> try:
    ...     Game.from_record("nonsense")
    ... except BrokenFile as error:
    ...     print(error.line, error.reason)
    1 expected 'quartermaster record 2' as the first line
    """

    def __init__(self, source: str, line: int | None, reason: str) -> None:
        self.source = source
        self.line = line
        self.reason = reason
        where = source if line is None else f"{source}, line {line}"
        super().__init__(f"{where}: {reason}")

    def __reduce__(self) -> tuple[type, tuple[str, int | None, str]]:
        return type(self), (self.source, self.line, self.reason)


@contextmanager
def needs_extra(extra: str) -> Iterator[None]:
    """Around imports of packages that the library itself does not need: say how to get them.

    >>> with needs_extra("lab"):
    ...     import no_such_package
    Traceback (most recent call last):
    ModuleNotFoundError: No module named 'no_such_package': pip install 'quartermaster-game[lab]'
    """
    try:
        yield
    except ModuleNotFoundError as error:
        told = f"{error}: pip install 'quartermaster-game[{extra}]'"
        raise ModuleNotFoundError(told, name=error.name) from error


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """The known names most like a mistyped one.

    >>> nearest("ukrane", ["ukraine", "russia"])
    ['ukraine']
    """
    names = list(known)
    key = name.strip().lower().replace("_", "-").replace(" ", "-")
    if key in names:
        return [key]
    found = get_close_matches(key, names, n=3, cutoff=0.6)
    found += [n for n in names if key and len(key) > 2 and key in n and n not in found][:3]
    return found[:3]


def show(value: object, most: int = 200) -> str:
    """A value as an error message shows it, cut when long.

    >>> show("ukrane"), show(10**5000), show([1] * 9, most=8)
    ("'ukrane'", 'a number without end', '[1, 1, 1...')
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # too many digits to print, or lists too deep
        return "a number without end" if isinstance(value, int) else "something without end"
    return text if len(text) <= most else f"{text[:most]}..."


def why_unreadable(error: OSError | UnicodeDecodeError) -> str:
    """Why a file cannot be read, for an error that names the file already.

    >>> why_unreadable(FileNotFoundError(2, "No such file or directory", "game.txt"))
    'cannot be read: No such file or directory'
    """
    reason = getattr(error, "strerror", None) or str(error)
    return f"cannot be read: {reason}"


def shorten(items: Iterable[str], most: int = 12) -> str:
    """A list for an error message, cut when long."""
    listed = list(items)
    more = f", and {len(listed) - most} more" if len(listed) > most else ""
    return ", ".join(listed[:most]) + more

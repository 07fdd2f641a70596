"""What a person types: with arrow keys, what was typed before, and Tab to complete it, where
the system has readline."""

from collections.abc import Callable, Iterable

try:
    import readline
except ImportError:  # as on Windows
    readline = None  # type: ignore[assignment]


def ask(prompt: str, choices: Callable[[], Iterable[str]] | None = None) -> str:
    """A line that is typed, without the blanks around it; Tab completes it to one of the
    choices. `EOFError` where there is none."""
    if readline is not None:
        _complete(choices)
    return input(prompt).strip()


def matching(choices: Iterable[str], begun: str) -> list[str]:
    """The choices that a line may become.

    >>> matching(["play build-army", "play land-battle", "pass"], "play l")
    ['play land-battle']
    """
    return [choice for choice in choices if choice.startswith(begun)]


def _complete(choices: Callable[[], Iterable[str]] | None) -> None:
    def complete(begun: str, number: int) -> str | None:
        found = matching(choices() if choices is not None else (), begun)
        return found[number] if number < len(found) else None

    readline.set_completer_delims("")  # an action is completed whole, blanks and all
    readline.set_completer(complete)
    is_editline = "libedit" in (readline.__doc__ or "")  # what macOS has under this name
    readline.parse_and_bind("bind ^I rl_complete" if is_editline else "tab: complete")

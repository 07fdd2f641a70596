"""Names that look alike: the name of someone with a password is theirs alone, however written.

>>> fold("Anna B."), fold("ANNA-B"), fold("\\N{CYRILLIC CAPITAL LETTER A}nna\\N{FULLWIDTH LATIN SMALL LETTER B}")
('annab', 'annab', 'annab')
>>> fold("Bill") == fold("B1l|"), fold("Anna") == fold("Hanna")
(True, False)
>>> other_names("Anna", is_free=lambda name: name != "Anna 2")
['Anna 3', 'Anna 4', 'Anna 5']
"""  # noqa: E501

import unicodedata
from collections.abc import Callable
from itertools import count

LONGEST_NAME = 24

# Letters and signs that look like a Latin letter, after case is folded.
_LOOKS = {
    **dict.fromkeys("1|\u0131\u0456\u03b9\u04cf\u01c0", "l"),  # and i itself, for I looks like l
    "i": "l",
    "\u0457": "l",
    **dict.fromkeys("0\u043e\u03bf\u0585\u0966", "o"),
    **dict.fromkeys("\u0430\u03b1", "a"),
    **dict.fromkeys("\u0432\u03b2", "b"),
    **dict.fromkeys("\u0441\u03f2", "c"),
    **dict.fromkeys("\u0501", "d"),
    **dict.fromkeys("\u0435\u03b5\u0454", "e"),
    **dict.fromkeys("\u04bb\u043d\u03b7", "h"),
    **dict.fromkeys("\u0458\u03f3", "j"),
    **dict.fromkeys("\u043a\u03ba", "k"),
    **dict.fromkeys("\u043c\u03bc", "m"),
    **dict.fromkeys("\u0578", "n"),
    **dict.fromkeys("\u0440\u03c1", "p"),
    **dict.fromkeys("\u051b", "q"),
    **dict.fromkeys("\u0433", "r"),
    **dict.fromkeys("\u0455", "s"),
    **dict.fromkeys("\u0442\u03c4", "t"),
    **dict.fromkeys("\u057d\u03c5", "u"),
    **dict.fromkeys("\u03bd\u0475", "v"),
    **dict.fromkeys("\u051d\u03c9", "w"),
    **dict.fromkeys("\u0445\u03c7", "x"),
    **dict.fromkeys("\u0443\u03b3", "y"),
    **dict.fromkeys("\u03b6", "z"),
}
_OFFICIAL = ("Admin", "Administrator", "Moderator", "Quartermaster", "Server", "System", "Root")


def fold(name: str) -> str:
    """What names have in common that people would take for the same one: case, width, spaces,
    points and dashes do not count, nor letters of other alphabets that look like Latin ones.
    Accents do."""
    plain = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    looks = "".join(_LOOKS.get(letter, letter) for letter in plain)
    kept = "".join(one for one in looks if unicodedata.category(one)[0] in "LMN")
    return kept.replace("rn", "m").replace("vv", "w") or plain


OFFICIAL = frozenset(fold(name) for name in _OFFICIAL)  # names nobody may speak under


def other_names(name: str, is_free: Callable[[str], bool], many: int = 3) -> list[str]:
    """Names like one that is taken."""
    found: list[str] = []
    for number in count(2):
        end = f" {number}"
        other = name[: LONGEST_NAME - len(end)].rstrip() + end
        if is_free(other):
            found.append(other)
        if len(found) == many or number > 50:
            return found
    return found

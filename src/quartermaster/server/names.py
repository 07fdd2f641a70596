"""Names and texts that people give, as they are shown, and ids that nobody can guess.

The name of someone with a password is theirs alone, also written so that it looks alike.

>>> fold("Anna B."), fold("ANNA-B"), fold("\\N{CYRILLIC CAPITAL LETTER A}nna\\N{FULLWIDTH LATIN SMALL LETTER B}")
('annab', 'annab', 'annab')
>>> fold("Bill") == fold("B1l|"), fold("Anna") == fold("Hanna")
(True, False)
>>> other_names("Anna", is_free=lambda name: name != "Anna 2")
['Anna 3', 'Anna 4', 'Anna 5']
>>> clean_name("  Anna \\n  B. ")
'Anna B.'
"""  # noqa: E501

import re
import secrets
import string
import unicodedata
from collections.abc import Callable
from itertools import count

from quartermaster.server.refusals import Refused

LONGEST_NAME = 24

_LETTERS = string.ascii_letters + string.digits
# Unseen characters that Unicode counts among letters, symbols or marks.
_BLANKS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# They shape Persian and Indian script and make one emoji of several.
_JOINERS = frozenset("\u200c\u200d")

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


def new_id() -> str:
    """An id nobody can guess: 16 letters and digits, safe in URLs."""
    return "".join(secrets.choice(_LETTERS) for _ in range(16))


def clean_name(text: str) -> str:
    """A name as it will be shown, or an error."""
    name = unicodedata.normalize("NFC", " ".join(text.split()))
    if not 1 <= len(name) <= LONGEST_NAME or not _is_seen(name, frozenset()):
        raise Refused(422, "bad-name", most=LONGEST_NAME)
    return name


def clean_text(text: str, most: int = 500) -> str:
    """A chat message to show, or an error. Line breaks stay, empty lines do not pile up.

    >>> clean_text(" Well\\tplayed! \\r\\n\\n\\n\\n  Again? ")
    'Well played!\\n\\nAgain?'
    """
    lines = "\n".join(" ".join(line.split()) for line in text.splitlines())
    cleaned = unicodedata.normalize("NFC", re.sub("\n{3,}", "\n\n", lines).strip("\n"))
    if not 1 <= len(cleaned) <= most or not _is_seen(cleaned.replace("\n", ""), _JOINERS):
        raise Refused(422, "bad-text", most=most)
    return cleaned


def _is_seen(text: str, allowed: frozenset[str]) -> bool:
    """Whether no character is hidden, and at least one is more than a mark or a space.

    Hidden ones let two names look alike, or turn round the text beside them (bidi overrides).
    """
    for character in text:
        if character in _BLANKS:
            return False
        if unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs") and character not in allowed:
            return False
    return any(unicodedata.category(one)[0] in "LNPSC" and one not in allowed for one in text)

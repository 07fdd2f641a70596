"""Reads catalogues of words: the .po files that translators and their tools know.

Only what our catalogues use: an id and its text, each in one or more quoted lines. Plurals are
ids of their own (`ask.discard.one`, `ask.discard.other`). A text that is empty or marked as
fuzzy counts as not there: whoever reads it says it in English.
"""

import gettext
import re
from collections.abc import Callable

# The names of a language's plural forms, by how many it has.
_FORMS = {
    1: ("other",),
    2: ("one", "other"),
    3: ("one", "few", "other"),
    4: ("one", "two", "few", "other"),
    5: ("one", "two", "few", "many", "other"),
    6: ("zero", "one", "two", "few", "many", "other"),
}
_LINE = re.compile(r'(?:(msgid|msgstr)\s+)?"((?:[^"\\]|\\.)*)"')
_FUZZY = re.compile(r"#,.*\bfuzzy\b")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
_PLURAL = re.compile(r"^Plural-Forms:\s*nplurals\s*=\s*(\d+)\s*;\s*plural\s*=\s*([^;]+)", re.M)


def read_po(text: str, source: str = "<catalogue>") -> dict[str, str]:
    r"""The texts by their ids; the head is the text of the id that is empty.

    >>> read_po('msgid "ask"\nmsgstr ""\n"Which "\n"\\"card\\"?"')
    {'ask': 'Which "card"?'}
    """
    texts: dict[str, str] = {}
    unsure: set[str] = set()
    id, is_text, is_fuzzy = "", False, False
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            is_fuzzy |= _FUZZY.match(line) is not None
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            raise ValueError(f'{source}, line {number}: expected msgid, msgstr or "text": {line}')
        word, piece = found[1], _ESCAPE.sub(lambda one: _ESCAPED.get(one[1], one[0]), found[2])
        if word == "msgid":
            id, is_text = piece, False
        elif word == "msgstr":
            if id in texts:
                raise ValueError(f"{source}, line {number}: {id!r} stands twice")
            texts[id], is_text = piece, True
            if is_fuzzy:
                unsure.add(id)
            is_fuzzy = False
        elif is_text:
            texts[id] += piece
        else:
            id += piece
    return {id: text for id, text in texts.items() if text and not (id and id in unsure)}


def plural_form(head: str) -> Callable[[int], str]:
    """Which form goes with a number, by the line `Plural-Forms` of a catalogue's head; without
    one as in English.

    >>> form = plural_form("Plural-Forms: nplurals=2; plural=n > 1;")
    >>> form(0), form(2)
    ('one', 'other')
    """
    found = _PLURAL.search(head)
    if found is None:
        return lambda n: "one" if n == 1 else "other"
    names = form_names(head)
    index = gettext.c2py(found[2].strip())
    return lambda n: names[index(abs(n))]


def form_names(head: str) -> tuple[str, ...]:
    """The names of the plural forms that a catalogue's head speaks of.

    >>> form_names("Plural-Forms: nplurals=3; plural=0;")
    ('one', 'few', 'other')
    """
    found = _PLURAL.search(head)
    return _FORMS[2 if found is None else int(found[1])]

"""Add words to an English catalogue, the page's if none is named: lines of `id=text` on
standard input.

    python tools/new_words.py game < words.txt

Ids that are there already get the new text; the rest of the catalogue stays.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

FOLDER = Path(__file__).parent.parent / "src/quartermaster/speech/locale/en/LC_MESSAGES"

HEAD = """# The words of the {name}, by their ids.
msgid ""
msgstr ""
"Language: en\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=n != 1;\\n"

"""


def main() -> None:
    name = sys.argv[1] if len(sys.argv) > 1 else "page"
    path = FOLDER / f"{name}.po"
    catalogue = Catalog(locale="en")
    if path.exists():
        with open(path, "rb") as file:
            catalogue = read_po(file, locale="en")
    for line in sys.stdin:
        id, separator, text = line.rstrip("\n").partition("=")
        if separator:
            catalogue.delete(id)
            catalogue.add(id, text)
    with open(path, "wb") as file:
        file.write(HEAD.format(name=name).encode())
        write_po(file, catalogue, sort_output=True, omit_header=True, width=100)


if __name__ == "__main__":
    main()

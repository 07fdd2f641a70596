"""Add words to the page's English catalogue: lines of `id=text` on standard input.

    python tools/new_words.py < words.txt

Ids that are there already get the new text; the rest of the catalogue stays.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

PATH = Path(__file__).parent.parent / "src/quartermaster/locale/en/LC_MESSAGES/page.po"

HEAD = b"""# The words of the page, by their ids.
msgid ""
msgstr ""
"Language: en\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""


def main() -> None:
    catalogue = Catalog(locale="en")
    if PATH.exists():
        with open(PATH, "rb") as file:
            catalogue = read_po(file, locale="en")
    for line in sys.stdin:
        id, separator, text = line.rstrip("\n").partition("=")
        if separator:
            catalogue.delete(id)
            catalogue.add(id, text)
    PATH.parent.mkdir(parents=True, exist_ok=True)
    with open(PATH, "wb") as file:
        file.write(HEAD)
        write_po(file, catalogue, sort_output=True, omit_header=True, width=100)


if __name__ == "__main__":
    main()

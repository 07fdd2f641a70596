"""Begin a language, or bring its catalogues up to date.

    python tools/new_language.py de

Makes `locale/de/LC_MESSAGES/` with every id that has no words yet, and its English text as a
comment beside it. What is translated stays as it is. An entry that is left empty is said in
English. Prints how much is done, and ids that nothing says any more. docs/translating.md tells
how to go on.
"""

import sys
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po, write_po

from quartermaster.lab import translations
from quartermaster.speech import say as words


def new_head(language: str) -> str:
    plural = get_plural(language).plural_forms.rstrip(";") + ";"
    return (
        f"Language: {language}\nContent-Type: text/plain; charset=utf-8\nPlural-Forms: {plural}\n"
    )


def update(language: str, folder: Path) -> list[str]:
    """Write the catalogues of a language; a line for each that says what is in it."""
    folder.mkdir(parents=True, exist_ok=True)
    told = []
    for domain in translations.DOMAINS:  # the game first: its head says how plurals are formed
        path = folder / f"{domain}.po"
        before = Catalog(locale=language)
        head = f"# The words of the {domain}, by their ids.\n" + _quoted(new_head(language))
        if not path.exists():
            path.write_text(head, "utf-8")  # by which it is known what plurals there are
        else:
            with path.open("rb") as file:
                before = read_po(file, locale=language)
            head = path.read_text("utf-8").partition("\n\n")[0] + "\n"
        _forget()
        told.append(f"{path.name}: {_write(path, domain, language, head, before)}")
    _forget()
    return told


def _forget() -> None:
    for kept in (words.catalogue, words._read, words.languages):
        kept.cache_clear()


def _write(path: Path, domain: str, language: str, head: str, before: Catalog) -> str:
    catalogue = Catalog(locale=language)
    wanted = translations.needed(domain, language)
    for id, text in wanted.items():
        old = before.get(id)
        catalogue.add(
            id,
            old.string if old else "",
            flags=old.flags if old else (),
            user_comments=old.user_comments if old else (),
            auto_comments=text.splitlines() or [text],
        )
    others = [one for one in before if one.id and str(one.id) not in wanted]
    for old in others:
        catalogue.add(
            old.id, old.string, flags=old.flags, user_comments=old.user_comments,
            auto_comments=old.auto_comments,
        )  # fmt: skip
    with path.open("wb") as file:
        file.write(f"{head}\n".encode())
        write_po(file, catalogue, sort_output=True, omit_header=True, width=100)
    done = sum(1 for one in catalogue if one.id and one.string and not one.fuzzy)
    done -= sum(1 for old in others if old.string and not old.fuzzy)
    return f"{done} of {len(wanted)}"


def _quoted(head: str) -> str:
    lines = "".join(f'"{line}\\n"\n' for line in head.splitlines())
    return f'msgid ""\nmsgstr ""\n{lines}'


def main(arguments: list[str]) -> None:
    if len(arguments) != 1:
        raise SystemExit("expected the code of a language: python tools/new_language.py de")
    [language] = arguments
    try:
        name = Locale.parse(language, sep="-" if "-" in language else "_").english_name
    except (UnknownLocaleError, ValueError) as error:
        raise SystemExit(f"{language!r}: expected a code such as de or pt_BR: {error}") from None
    if language == words.ENGLISH:
        raise SystemExit("English is what the others are translated from; see tools/new_words.py")
    folder = Path(str(words.LOCALE)) / language / "LC_MESSAGES"
    print(f"{name}, in {folder}:")
    for line in update(language, folder):
        print(f"  {line}")
    for domain in translations.DOMAINS:
        for id in translations.extra(domain, language):
            print(f"  {domain}.po: nothing says {id!r} any more, take it out")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Every language is whole, or says that it is not: each is found by its folder, and taken up by
these tests by itself. `X-Complete: yes` in the head of a language's `game.po` claims that it has
all words; one that does not claim it is said in English where it has none, and only its words
that are there are looked at.
"""

import importlib
import itertools
import json
import re
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from typer.testing import CliRunner

from quartermaster.cli.main import app
from quartermaster.lab import translations
from quartermaster.lab.translations import DOMAINS, english, extra, is_form, missing, needed
from quartermaster.speech import say as words
from quartermaster.speech.say import ENGLISH, catalogue, languages

OTHERS = [name for name in languages() if name != ENGLISH]
ALL = [(domain, language) for language in OTHERS for domain in DOMAINS]
every_catalogue = pytest.mark.parametrize(("domain", "language"), ALL)
# Parts of a sentence that stand for a number, a name or a noun.
Field = tuple[str, str, str]
GUIDE = (Path(__file__).parents[2] / "docs/translating.md").read_text("utf-8")

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))


def fields(text: str) -> set[Field]:
    """What is filled in, by name, with how it is written out; whatever the form of a noun."""
    return {
        (name.partition(".")[0], spec or "", conversion or "")
        for _, name, spec, conversion in Formatter().parse(text)
        if name is not None
    }


@every_catalogue
def test_nothing_is_missing(domain: str, language: str) -> None:
    """Nor marked as fuzzy, nor without the plural forms that the language has."""
    if translations.claims_to_be_whole(language):
        assert missing(domain, language) == []


@every_catalogue
def test_nothing_is_there_that_nobody_says(domain: str, language: str) -> None:
    assert extra(domain, language) == []


def misfits(domain: str, language: str) -> Iterator[str]:
    """Ids whose fields are not those of English. Where there is one of a thing, its number may
    be a word."""
    source = needed(domain, language)
    for id, text in catalogue(domain, language).items():
        if id in source:
            theirs, ours = fields(source[id]), fields(text)
            if id.endswith(".one"):
                theirs, ours = ({one for one in both if one[0] != "n"} for both in (theirs, ours))
            if theirs != ours:
                yield f"{id}: {sorted(theirs ^ ours)}"


@every_catalogue
def test_what_is_filled_in_is_the_same(domain: str, language: str) -> None:
    assert list(misfits(domain, language)) == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_noun_has_the_forms_that_sentences_use(language: str) -> None:
    """A form that some nouns have and others lack is a slip, unless English has it so too: there
    the name itself is right."""
    texts = catalogue("game", language)
    by_kind: dict[tuple[str, str], set[str]] = {}
    for id in filter(lambda id: is_form("game", id), texts):
        noun, _, form = id.rpartition(".")
        by_kind.setdefault((noun.partition(".")[0], form), set()).add(noun)
    for (kind, form), nouns in by_kind.items():
        if kind != "space" and translations.claims_to_be_whole(language):
            every = {id for id in english("game") if id.split(".")[0] == kind}
            every = {id for id in every if not is_form("game", id)}
            assert every - nouns - {"card.hidden"} == set(), f"{kind}: {form}"


@every_catalogue
def test_texts_are_written_with_care(domain: str, language: str) -> None:
    """No blank too many, none of the marks that only typewriters need."""
    for id, text in catalogue(domain, language).items():
        source = needed(domain, language).get(id)
        assert not re.search(r"\t| \n", text), id
        assert "  " not in text or "  " in (source or ""), id
        assert "..." not in text or "..." in (source or ""), id
        if source is not None:
            assert source.count("*") == text.count("*"), f"{id}: not as many *"
            assert source[:1].isspace() == text[:1].isspace(), id
            assert source[-1:].isspace() == text[-1:].isspace(), id


# -- the glossary ----------------------------------------------------------------------


def rows_of(heading: str) -> list[list[str]]:
    """The cells of a table in docs/translating.md, its head first."""
    part = GUIDE.partition(f"{heading}\n")[2]
    lines = itertools.dropwhile(lambda line: not line.startswith("|"), part.splitlines())
    table = itertools.takewhile(lambda line: line.startswith("|"), lines)
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    return [found[0], *found[2:]]


def plain(text: str) -> str:
    """Without accents, fields and capitals."""
    text = re.sub(r"\{[^}]*\}", " ", text).replace("\u2019", "'")
    letters = unicodedata.normalize("NFKD", text)
    return "".join(one for one in letters if not unicodedata.combining(one)).lower()


def pattern(cell: str, ending: str) -> re.Pattern[str]:
    words = [re.escape(plain(one.strip())) for one in cell.split("/")]
    return re.compile(rf"\b(?:{'|'.join(words)}){ending}")


def strays(domain: str, language: str) -> Iterator[tuple[str, str]]:
    """Ids of texts that say a term in another word than the glossary's, and the term."""
    head, *rows = rows_of("## Glossary")
    if language not in head:
        return
    said = catalogue(domain, language)
    for row in rows:
        term, own = pattern(row[0], r"s?\b"), pattern(row[head.index(language)], r"\w*")
        for id, text in needed(domain, language).items():
            is_name = id.startswith("card.")
            if (
                id in said
                and not is_name
                and term.search(plain(text))
                and not own.search(plain(said[id]))
            ):
                yield id, row[0]


@every_catalogue
def test_terms_are_those_of_the_glossary(domain: str, language: str) -> None:
    allowed = {(id.strip("`"), term) for id, term, _ in rows_of("### Exceptions")[1:]}
    assert [stray for stray in strays(domain, language) if stray not in allowed] == []


def test_exceptions_are_still_needed() -> None:
    found = {stray for domain, language in ALL for stray in strays(domain, language)}
    allowed = {(id.strip("`"), term) for id, term, _ in rows_of("### Exceptions")[1:]}
    assert allowed - found == set()


@every_catalogue
def test_nothing_is_left_in_english(domain: str, language: str) -> None:
    """A translation that is the English text, but for names and for words that are the same."""
    listed = re.search(rf"^- {language}: (.*)$", GUIDE, re.M)
    same = set(listed[1].split(", ")) if listed else set()
    for id, text in needed(domain, language).items():
        is_name = id.startswith(("card.", "space.")) or id.endswith(".about")
        if catalogue(domain, language).get(id) == text and not is_name:
            assert set(re.findall(r"[a-z]{2,}", plain(text))) <= same, id


@pytest.mark.usefixtures("folder")
def test_the_check_of_terms_finds_another_word(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {"log.build.army": "Italia construye un batallón", "log.build.navy": "... una armada"}
    monkeypatch.setitem(globals(), "catalogue", lambda domain, language: said)
    found = list(strays("game", "es"))
    assert found == [("log.build.army", "army / armies"), ("log.build.navy", "build")]


# -- a language that is begun ----------------------------------------------------------


@pytest.fixture
def folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nothing_remembered: None
) -> Iterator[Path]:
    """A package with English catalogues alone."""
    here = Path(words.__file__).parent
    locale = tmp_path / "locale"
    target = locale / "en" / "LC_MESSAGES"
    target.mkdir(parents=True)
    for path in sorted((here / "locale" / "en" / "LC_MESSAGES").iterdir()):
        (target / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(words, "LOCALE", locale)
    words.languages.cache_clear()
    yield locale
    words.languages.cache_clear()


def test_one_command_begins_a_language(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Polish, with its three plural forms. Nothing is said yet, so it is said in English."""
    tool = importlib.import_module("new_language")
    tool.main(["pl"])
    assert words.languages() == ("en", "pl")
    shown = capsys.readouterr().out
    assert "Polish" in shown
    assert f"cards.po: 0 of {len(english('cards'))}" in shown
    path = folder / "pl" / "LC_MESSAGES" / "game.po"
    text = path.read_text("utf-8")
    assert '#. Discard {n} cards from hand\nmsgid "ask.discard.few"\nmsgstr ""\n' in text
    assert missing("game", "pl") == list(needed("game", "pl"))
    assert not translations.claims_to_be_whole("pl")
    with words.speaking("pl"):
        assert words.say("do.pass") == "Pass"
        assert words.say_many("ask.discard", 3) == "Discard 3 cards from hand"


def test_the_command_brings_a_language_up_to_date(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tool = importlib.import_module("new_language")
    tool.main(["pl"])
    path = folder / "pl" / "LC_MESSAGES" / "game.po"
    text = path.read_text("utf-8").replace("# The words", "# Słowa\n# The words")
    done = text.replace('msgid "do.pass"\nmsgstr ""', 'msgid "do.pass"\nmsgstr "Pas"')
    unsure = done.replace("#. Play {card}\n", "#. Play {card}\n#, fuzzy\n")
    unsure = unsure.replace('msgid "do.play"\nmsgstr ""', 'msgid "do.play"\nmsgstr "Graj {card}"')
    less = re.sub(r'#\. Put \{card\}\nmsgid "do\.put"\nmsgstr ""\n\n', "", unsure)
    assert len({text, done, unsure, less}) == 4
    path.write_text(less + '\nmsgid "do.nothing-known"\nmsgstr "?"\n', "utf-8")
    capsys.readouterr()
    tool.main(["pl"])
    again = path.read_text("utf-8")
    assert again.startswith("# Słowa\n# The words")
    assert 'msgstr "Pas"' in again
    assert 'msgid "do.put"' in again
    assert "#, fuzzy" in again
    shown = capsys.readouterr().out
    assert f"game.po: 1 of {len(needed('game', 'pl'))}" in shown
    assert "nothing says 'do.nothing-known' any more" in shown
    assert extra("game", "pl") == ["do.nothing-known"]
    with words.speaking("pl"):
        assert words.say("do.pass") == "Pas"
        assert words.say("do.play", card="x") == "Play x"  # who wrote it was not sure
    tool.main(["pl"])
    assert path.read_text("utf-8") == again


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ([], "expected the code of a language"),
        (["xx"], "'xx': expected a code such as de or pt_BR"),
        (["../de"], "expected a code such as de or pt_BR"),
        (["en"], "what the others are translated from"),
    ],
)
def test_what_is_no_language_is_refused(folder: Path, arguments: list[str], reason: str) -> None:
    tool = importlib.import_module("new_language")
    with pytest.raises(SystemExit, match=reason):
        tool.main(arguments)
    assert [one.name for one in folder.iterdir()] == ["en"]


def test_the_checks_find_what_is_wrong(folder: Path) -> None:
    importlib.import_module("new_language").main(["pl"])
    path = folder / "pl" / "LC_MESSAGES" / "game.po"
    text = path.read_text("utf-8")
    for id, said in (("do.play", "Graj {cart}"), ("log.score", "{country}: {n} PZ")):
        text = text.replace(f'msgid "{id}"\nmsgstr ""', f'msgid "{id}"\nmsgstr "{said}"')
    path.write_text(text + '\nmsgid "country.italy.dative"\nmsgstr "Włochom"\n', "utf-8")
    for kept in (words.catalogue, words._read):
        kept.cache_clear()
    assert [line.partition(":")[0] for line in misfits("game", "pl")] == ["do.play", "log.score"]
    assert extra("game", "pl") == ["country.italy.dative"]  # no sentence uses it


def test_languages_are_listed_with_how_much_is_done(folder: Path) -> None:
    importlib.import_module("new_language").main(["de"])
    done = CliRunner().invoke(app, ["languages"])
    assert done.exit_code == 0, done.output
    assert re.search(rf"^de .* 0/{len(needed('game', 'de'))} .* 0%$", done.output, re.M)
    assert re.search(r"^en .* 100%$", done.output, re.M)
    told = json.loads(CliRunner().invoke(app, ["languages", "--json"]).output)
    assert told["de"]["server"] == {"done": 0, "of": len(english("server"))}

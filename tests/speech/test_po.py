"""Our reader of catalogues reads what Babel reads, and nobody needs Babel to play."""

import subprocess
import sys
from pathlib import Path

import pytest
from babel import Locale
from babel.messages.plurals import get_plural
from babel.messages.pofile import read_po as read_by_babel

from quartermaster.speech import say as words
from quartermaster.speech.po import plural_form, read_po

CATALOGUES = sorted((Path(words.__file__).parent / "locale").rglob("*.po"))


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.name)
def test_catalogues_are_read_as_babel_reads_them(path: Path) -> None:
    with path.open("rb") as file:
        expected = {str(text.id): str(text.string) for text in read_by_babel(file) if text.id}
    found = read_po(path.read_text("utf-8"), str(path))
    assert "Content-Type" in found.pop("")
    assert found == expected
    assert len(found) > 50


def test_what_is_quoted() -> None:
    text = '# a remark\nmsgid "a"\nmsgstr ""\n"one \\"two\\"\\n"\n"\\\\three\\tfour"\n\nmsgid ""\n'
    assert read_po(text + '"b"\nmsgstr "c"\n#~ msgid "old"\nmsgid "not yet"\nmsgstr ""\n') == {
        "a": 'one "two"\n\\three\tfour',
        "b": "c",
    }


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("msgid a", "x.po, line 1: expected msgid, msgstr"),
        ('msgid "a"\nmsgstr "b" c', "x.po, line 2: expected msgid, msgstr"),
        ('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"', "x.po, line 4: 'a' stands twice"),
    ],
)
def test_broken_catalogues_say_where(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_po(text, "x.po")


@pytest.mark.parametrize("name", ["en", "de", "fr", "it", "ja", "pl", "cs", "ru", "sl", "ga"])
def test_plural_forms(name: str) -> None:
    """As Unicode has them, from the rule that translators' tools write. Where a language has
    `many` for whole numbers and `other` for fractions alone, ours is `other`."""
    plural = get_plural(name)
    form = plural_form(f"Language: {name}\nPlural-Forms: {plural.plural_forms};\n")
    locale = Locale.parse(name)
    for n in range(300):
        expected = locale.plural_form(n)
        is_last = expected == "many" and plural.num_plurals < 5
        assert form(n) == ("other" if is_last else expected), n
    assert [plural_form("")(n) for n in (0, 1, 2)] == ["other", "one", "other"]


def test_six_plural_forms() -> None:
    """Of Arabic, by the rule that its translators write; Babel's own has two forms swapped."""
    rule = "n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5"
    form = plural_form(f"Plural-Forms: nplurals=6; plural={rule};")
    arabic = Locale.parse("ar")
    assert [form(n) for n in range(300)] == [arabic.plural_form(n) for n in range(300)]


def test_babel_is_not_needed() -> None:
    code = """
import sys
sys.modules["babel"] = None
from quartermaster.cli.main import app
from quartermaster.server.app import create_app
from quartermaster.speech.say import say_many
print(say_many("ask.discard", 1), "/", say_many("ask.discard", 2))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "Discard 1 card from hand / Discard 2 cards from hand\n", done.stderr

"""The way to a new card, walked as CONTRIBUTING.md tells it."""

import os
import re
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quartermaster import Game, QuartermasterError, load_rules
from quartermaster.cards.card_sets import CARD_SETS, find_card_set
from quartermaster.cli.main import app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


# The page, letter by letter.


def blocks(kind: str) -> Iterator[str]:
    for indent, body in re.findall(rf"^( *)```{kind}\n(.*?)^ *```", PAGE, re.M | re.S):
        yield textwrap.dedent(body) if indent else body


def write_files(folder: Path) -> list[str]:
    """The files that the page shows, under the names in their first lines."""
    made = []
    for kind in ("python", "yaml"):
        for body in blocks(kind):
            named = re.match(r"# (\w+\.\w+)\n", body)
            if named is not None:
                (folder / named[1]).write_text(body, encoding="utf-8")
                made.append(named[1])
    return made


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    assert write_files(tmp_path) == ["desert.py", "dunes.py", "desert.yaml"]
    yield tmp_path
    for name in ("desert", "dunes"):
        CARD_SETS.pop(name, None)


def test_the_commands_of_the_page_do_what_it_says(folder: Path) -> None:
    [commands] = [body for body in blocks("sh") if "--set" in body]
    said = {}
    for command in commands.strip().splitlines():
        program, *words = command.split()
        assert program == "quartermaster"
        result = CliRunner().invoke(app, words)
        assert result.exit_code == 0, f"{command}\n{result.output}"
        said[words[0]] = result.output
    assert {"Giarabub Oasis", "Long Range Patrols"} <= set(
        re.findall(r"Giarabub Oasis|Long Range Patrols", said["cards"])
    )
    assert re.search(r"\b2\b.*passed", said["scenario"], re.S)


def test_a_made_up_word_counts_what_its_card_says(folder: Path) -> None:
    position = {
        "turn": "italy",
        "pieces": {"italy": ["italy", "balkans", "mediterranean-sea"]},
        "hand": {"italy": ["combined-arms", "build-army"]},
    }
    game = Game.from_position(position, sets=["dunes.py"])
    game.apply("play combined-arms")
    [points] = [entry.n for entry in game.events if entry.card == "combined-arms" and entry.n]
    assert points == 1  # two armies, one navy


def test_own_sets_leave_the_printed_decks_alone(folder: Path) -> None:
    """So no golden count and no fact can differ."""
    before = load_rules("second")
    find_card_set("desert.py")
    load_rules("second", sets=["desert"])
    assert load_rules("second") is before
    assert "giarabub-oasis" not in {card.id for card in before.cards}


def test_a_word_with_an_unknown_kind_of_decision_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "dig.py"
    file.write_text(
        "from quartermaster.cards.vocabulary import *\n"
        "class Dig(Part):\n    def __init__(self) -> None:\n        self.kind = 'made-up-biuld'\n"
        "card_set('dig', '', italy=[event('Dig', 'Dig.', Dig())])\n"
    )
    with pytest.raises(QuartermasterError, match=r"kind of decision in Dig of Dig.*made-up-biuld"):
        find_card_set(str(file))
    in_init = "def __init__(self) -> None:\n        self.kind"
    file.write_text(file.read_text().replace(in_init, "kind"))
    with pytest.raises(QuartermasterError, match=r"Dig of Dig.*set self.kind in __init__"):
        find_card_set(str(file))
    assert "dig" not in CARD_SETS


# A card of the printed decks.


CARD = '    event("Giarabub Oasis", "Build an army in Africa.", Build(ARMY, In("africa"))),\n'


def test_a_card_added_to_a_printed_deck_is_told_all_that_it_lacks(tmp_path: Path) -> None:
    """In a copy of the package and its tests of cards: first the card alone, then with all that
    the page names but the golden counts."""
    package = tmp_path / "src" / "quartermaster"
    shutil.copytree(
        ROOT / "src" / "quartermaster",
        package,
        ignore=shutil.ignore_patterns("__pycache__", "cli", "page", "server"),
    )
    tests = tmp_path / "tests" / "cards"
    shutil.copytree(ROOT / "tests" / "cards", tests)
    (tmp_path / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "rulings.md", tmp_path / "docs")

    def run() -> subprocess.CompletedProcess[str]:
        which = [str(tests / name) for name in ("test_facts.py", "test_printed_cards.py")]
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *which],
            cwd=tmp_path,
            env=os.environ
            | {"PYTHONPATH": str(tmp_path / "src"), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    deck = package / "cards" / "italy.py"
    text = deck.read_text(encoding="utf-8")
    assert "    event(\n" in text
    deck.write_text(text.replace("    event(\n", CARD + "    event(\n", 1), encoding="utf-8")
    told = run()
    assert told.returncode == 1
    for lack in ("cards.tsv", "scenarios/first/italy.yaml", "scenarios/second/italy.yaml"):
        assert re.search(rf"Giarabub Oasis: .*{lack}", told.stdout), told.stdout
    for id in ("card.giarabub-oasis", "text.second.italy.giarabub-oasis"):
        for language in ("es", "fr"):
            assert f"Giarabub Oasis: {id} in {language}/LC_MESSAGES/cards.po" in told.stdout

    facts = tests / "facts" / "cards.tsv"
    rows = [f"{edition}\titaly\tevent\t1\tGiarabub Oasis\n" for edition in ("first", "second")]
    facts.write_text(facts.read_text(encoding="utf-8") + "".join(rows), encoding="utf-8")
    counts = tests / "test_facts.py"
    text = counts.read_text(encoding="utf-8")
    text = re.sub(r'("event": \((?:\d+, ){4})(\d+)', lambda m: f"{m[1]}{int(m[2]) + 1}", text)
    counts.write_text(text, encoding="utf-8")
    for edition in ("first", "second"):
        file = tests / "scenarios" / edition / "italy.yaml"
        more = "\n---\nname: One\nhand: {italy: [giarabub-oasis]}\nscript: []\n"
        file.write_text(file.read_text(encoding="utf-8") + more * 2, encoding="utf-8")
    for language in ("es", "fr"):
        file = package / "speech" / "locale" / language / "LC_MESSAGES" / "cards.po"
        ids = ["card.giarabub-oasis"]
        ids += [f"text.{edition}.italy.giarabub-oasis" for edition in ("first", "second")]
        more = "".join(f'\nmsgid "{id}"\nmsgstr "Giarabub."\n' for id in ids)
        file.write_text(file.read_text(encoding="utf-8") + more, encoding="utf-8")
    told = run()
    assert told.returncode == 0, told.stdout

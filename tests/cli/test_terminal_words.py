"""The command line speaks the language of its user: as asked for, or as the system is set."""

import ast
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import quartermaster.cli
from quartermaster.cli.main import app
from quartermaster.speech.say import ENGLISH, catalogue, languages

runner = CliRunner()
TYPED = "1\n99\nnonsense\nb\nh\nt\nl\ns\nr\n?\n1\n1\nu\nq\n"


def run(*arguments: str, stdin: str | None = None, code: int = 0) -> str:
    result = runner.invoke(app, list(arguments), input=stdin, env={"COLUMNS": "300"})
    assert result.exit_code == code, result.output
    return result.output


@pytest.mark.parametrize(
    ("variables", "arguments", "language"),
    [
        ({}, (), "en"),
        ({"LANG": "es_MX.UTF-8"}, (), "es"),
        ({"LANG": "fr_FR@euro"}, (), "fr"),
        ({"LANG": "es_ES", "LC_ALL": "C"}, (), "en"),
        ({"LANG": "es_ES", "LC_MESSAGES": "fr_CA.UTF-8"}, (), "fr"),
        ({"LANGUAGE": "tlh:fr:es", "LANG": "es_ES"}, (), "fr"),
        ({"LANG": "tlh"}, (), "en"),
        ({"LANG": "es_ES"}, ("--lang", "fr"), "fr"),
        ({}, ("--lang", "es-AR"), "es"),
    ],
)
def test_the_language_is_asked_for_or_the_systems(
    variables: dict[str, str],
    arguments: tuple[str, ...],
    language: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    told = run(*arguments, "cards", "--country", "italy", "--type", "land-battle")
    assert catalogue("terminal", language)["list.cards.copies"] in told
    name = catalogue("cards", language).get("card.land-battle", "Land Battle")
    assert name in told


def test_a_language_that_is_not_there_is_refused() -> None:
    told = run("--lang", "tlh", "bots", code=2)
    assert "unknown language 'tlh'; expected en or es or fr" in told.replace("\n", " ")


@pytest.mark.parametrize("language", [name for name in languages() if name != ENGLISH])
def test_a_game_in_the_terminal(language: str, tmp_path: Path) -> None:
    """No sentence of it is English; actions are typed as records write them, in any language."""

    def session(spoken: str) -> str:
        record = tmp_path / f"{spoken}.txt"
        game = ("play", "--record", str(record), "--seed", "5")
        told = run("--lang", spoken, *game, stdin=f"itly\ngermany\n{TYPED}")
        return told + run("--lang", spoken, *game, "--as", "italy", stdin="q\n", code=2)

    told, english = session(language), session(ENGLISH)
    for id, text in catalogue("terminal", ENGLISH).items():
        for line in text.splitlines():
            pieces = re.split(r"\{[^}]*\}|\[[^]]*\]", line)
            for piece in (one.strip(" :;,.") for one in pieces):
                if len(piece.split()) > 2 and piece in english:
                    assert piece not in told, id
    own = catalogue("terminal", language)
    for id in ("play.undone", "play.which", "play.board.armies", "play.take-off"):
        assert own[id] in told, id
    # The game is the same, whatever language it was played in.
    assert (tmp_path / f"{language}.txt").read_text() == (tmp_path / "en.txt").read_text()


def ids_said(folder: Path) -> tuple[set[str], set[str]]:
    """The ids that sources say, and the beginnings of those they put together."""
    whole: set[str] = set()
    begun: set[str] = set()
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if re.fullmatch(r"(arrays|list|play|stats)\.[a-z.-]+", node.value):
                    (begun if node.value.endswith(".") else whole).add(node.value)
    return whole, begun


def test_the_catalogue_has_all_that_is_said_and_nothing_else() -> None:
    texts = set(catalogue("terminal", ENGLISH))
    whole, begun = ids_said(Path(quartermaster.cli.__path__[0]))
    assert whole - texts == set()
    assert {id for id in texts - whole if not id.startswith(tuple(begun))} == set()
    assert begun == {"list.bots.", "list.cards.", "play.board."}

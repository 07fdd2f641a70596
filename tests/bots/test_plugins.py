"""Bots that people bring along, by name; and what strangers cannot load."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quartermaster import QuartermasterError, UnknownName, play_match
from quartermaster.bots import Guard, load_bot, make_bot, plugins
from quartermaster.cli.main import app
from quartermaster.lab.arena import make_fixtures, play_all
from quartermaster.lab.simulate import Series, simulate_many
from quartermaster.rules.names import COUNTRIES

BOT = """
class Lowest:
    settings = {"place": int}

    def __init__(self, seed, place=1):
        self.place = place

    def decide(self, look, actions):
        return actions[min(self.place, len(actions)) - 1]

class Seedless:
    def decide(self, look, actions):
        return actions[-1]

class Broken:
    def __init__(self, seed):
        raise OSError("no weights")

class Fails:
    def decide(self, look, actions):
        raise KeyError("oh")

class Stalls:
    def decide(self, look, actions):
        while True:
            pass

nothing = 7
def none(seed):
    return None
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder one is in, with a module of bots and an installed package that offers one."""
    (tmp_path / "my_bots_here.py").write_text(BOT)
    (tmp_path / "not_python.py").write_text("class Oops(:\n")
    site = tmp_path / "site"
    info = site / "generals-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: generals\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[quartermaster.bots]\nzhukov = zhukov_bots:Zhukov\nlost = no_such_module:Bot\n"
    )
    (site / "zhukov_bots.py").write_text(BOT.replace("Lowest", "Zhukov"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    for name in ("my_bots_here", "zhukov_bots", "bot_file_my_bots_here"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    plugins._run.cache_clear()
    return tmp_path


def test_a_class_of_a_module_of_a_file_and_of_an_installed_package(folder: Path) -> None:
    names = ["my_bots_here:Lowest", "my_bots_here.py:Lowest", f"{folder}/my_bots_here.py:Lowest"]
    names += ["zhukov"]
    records = {play_match([name, "random"], seed=4).game.record for name in names}
    assert len(records) == 1
    other = play_match(["my_bots_here:Lowest:place=2", "random"], seed=4).game.record
    assert other not in records, "settings reach it"
    assert other == play_match(["zhukov:place=2", "random"], seed=4).game.record
    assert play_match(["my_bots_here:Seedless", "random"], seed=4).faults == ()
    assert plugins.installed_bots() == {
        "zhukov": "zhukov_bots:Zhukov",
        "lost": "no_such_module:Bot",
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("my_bots_here:Lovest", "did you mean Lowest?"),
        ("my_bots_here:nothing", "expected a class of bots, got 7"),
        ("my_bots_here:none", "which has a method decide(look, actions); got None"),
        ("my_bots_here:Broken", "could not be made: OSError: no weights"),
        ("my_bots_here:Lowest:speed=2", "no setting 'speed'; expected place"),
        ("my_bots_here:Lowest:place=x", "place must be a number above 0"),
        ("my_bots_here:Seedless:place=1", "no setting 'place'; expected none"),
        ("no_such_module:Bot", "no_such_module cannot be loaded: ModuleNotFoundError"),
        ("not_python:Oops", "not_python cannot be loaded: SyntaxError"),
        ("gone.py:Bot", "there is no file gone.py"),
        ("lost", "no_such_module:Bot cannot be loaded: ModuleNotFoundError"),
        ("zhukow", "unknown bot 'zhukow'; did you mean zhukov?"),
        ("nobody-here", "unknown bot 'nobody-here'"),
        ("veteran:speed=1", "no setting 'speed'; expected none"),
    ],
)
def test_a_name_that_leads_nowhere_is_told_before_any_game(
    folder: Path, name: str, expected: str
) -> None:
    with pytest.raises(QuartermasterError) as found:
        load_bot(name, 1)
    assert expected in str(found.value)
    for command in ("simulate", "arena", "play"):
        result = CliRunner().invoke(app, [command, "--bots", name], env={"COLUMNS": "300"})
        assert result.exit_code == 2
        assert expected in result.output


def test_what_strangers_name_loads_no_code(folder: Path) -> None:
    """The server makes its bots by `make_bot`, and `Guard` does where nobody says otherwise."""
    for name in ("my_bots_here:Lowest", "my_bots_here.py:Lowest", "zhukov", "program:perl x.pl"):
        with pytest.raises(UnknownName, match="unknown bot"):
            make_bot(name, 1)
        with pytest.raises(UnknownName, match="unknown bot"):
            Guard(name, 1)
    assert "my_bots_here" not in sys.modules
    assert "zhukov_bots" not in sys.modules


def test_arena_and_simulate_play_them_with_faults_told(folder: Path) -> None:
    fixtures = make_fixtures(["my_bots_here:Fails", "random"], [("second", {})], games=2)
    for game in play_all(fixtures):
        team = "axis" if game.fixture.axis != "random" else "allies"
        assert game.thinking[team].faults == 9, "three countries, three faults each"
    [tally] = simulate_many(Series(bots=("my_bots_here:Fails", "random")), games=1)
    assert tally.faults == 9


def test_a_time_limit_holds_in_simulate_and_arena(folder: Path) -> None:
    bots = dict.fromkeys(COUNTRIES, "random") | {"japan": "my_bots_here:Stalls"}
    match = play_match(bots, seed=1, seconds=0.5)
    told = [fault.reason for fault in match.faults if fault.bot == "my_bots_here:Stalls"]
    assert len(told) == 3
    assert all(reason.startswith("took longer than 0.5 seconds") for reason in told)


def test_the_commands_play_them(folder: Path) -> None:
    """In a process of their own, as their user runs them: workers find the module too."""
    command = [sys.executable, "-m", "quartermaster", "simulate", "--json", "--workers", "2"]
    told = subprocess.run(
        [*command, "--bots", "my_bots_here:Lowest,random", "--games", "4"],
        capture_output=True, text=True, check=True, cwd=folder,
    )  # fmt: skip
    assert json.loads(told.stdout)["faults"] == 0
    listed = CliRunner().invoke(app, ["bots"], env={"COLUMNS": "200"})
    assert "zhukov" in listed.output


@pytest.mark.parametrize(
    ("bots", "expected"),
    [
        ("random", "expected those of each seat or country, got 'random'"),
        ([], "expected those of each seat or country, got []"),
        ({"germany": "random"}, "bots: none for united-kingdom, japan"),
        ({"prussia": "random"}, "unknown country 'prussia'"),
    ],
)
def test_bots_that_are_none_are_refused(bots: object, expected: str) -> None:
    with pytest.raises(QuartermasterError) as found:
        play_match(bots)  # type: ignore[arg-type]
    assert expected in str(found.value)

"""Bots let go of what they hold once nobody needs them: processes, files, programs."""

import gc
import os
import shlex
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quartermaster import Game, Guard, play_match
from quartermaster.bots import BotProcess, ProgramBot, keeping_programs, load_bot
from quartermaster.cli.main import app
from quartermaster.lab.arena import Fixture, play_all
from quartermaster.lab.simulate import Series, simulate_many

PROGRAM = """
import json, os, sys
with open({started!r}, "a") as file:
    print(os.getpid(), file=file)
for line in sys.stdin:
    asked = json.loads(line)
    said = {{"hello": 1}} if "hello" in asked else {{"number": asked["number"], "action": 0}}
    print(json.dumps(said), flush=True)
with open({ended!r}, "a") as file:
    print(os.getpid(), file=file)
"""
CLASS = """
from pathlib import Path

class Holder:
    def __init__(self, seed):
        self.here = Path({folder!r})
        self._note("made")

    def decide(self, look, actions):
        return actions[0]

    def close(self):
        self._note("closed")

    def _note(self, what):
        with (self.here / what).open("a") as file:
            file.write("x")


class Stubborn(Holder):
    def close(self):
        raise OSError("no")


class Counter(Holder):
    needs = "number"

    def choose(self, count):
        return 0
"""


class Program:
    """A program that notes when it begins, and when it has ended by itself."""

    def __init__(self, folder: Path) -> None:
        self._started, self._ended = folder / "started", folder / "ended"
        source = PROGRAM.format(started=str(self._started), ended=str(self._ended))
        (folder / "bot.py").write_text(source)
        self.command = f"{shlex.quote(sys.executable)} {shlex.quote(str(folder / 'bot.py'))}"
        self.name = f"program:{self.command}"

    @property
    def started(self) -> list[int]:
        return [int(line) for line in self._started.read_text().split()]

    @property
    def ended(self) -> list[int]:
        return [int(line) for line in self._ended.read_text().split()]

    def is_over(self) -> bool:
        """Whether all that began has ended, by itself; programs get a moment."""
        for _ in range(200):
            if self._ended.exists() and sorted(self.ended) == sorted(self.started):
                return not any(is_running(process) for process in self.started)
            time.sleep(0.02)
        return False


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.fixture
def holder(tmp_path: Path) -> str:
    (tmp_path / "holder.py").write_text(CLASS.format(folder=str(tmp_path)))
    return f"{tmp_path / 'holder.py'}:Holder"


def test_a_program_ends_with_its_bot(program: Program) -> None:
    game = Game.new(seed=7)
    with ProgramBot(program.command, seed=1) as bot:
        assert bot.decide(game.look("germany"), game.legal_actions()) == game.legal_actions()[0]
    assert program.is_over()
    assert bot.decide(game.look("germany"), game.legal_actions()) == game.legal_actions()[0]
    assert len(program.started) == 2, "asked again, it starts again"
    del bot
    gc.collect()
    assert program.is_over(), "nobody has the bot any more"


def test_programs_end_with_the_match(program: Program) -> None:
    match = play_match([program.name, "random"], seed=3)
    assert match.faults == ()
    assert len(program.started) == 3
    assert program.is_over()


def test_programs_are_kept_only_as_long_as_asked(program: Program) -> None:
    with keeping_programs():
        with keeping_programs():
            play_match([program.name, "random"], seed=3)
        play_match([program.name, "random"], seed=4)
        assert len(program.started) == 3
        assert all(is_running(process) for process in program.started)
    assert program.is_over()


@pytest.mark.parametrize("workers", [1, 2])
def test_programs_end_with_simulate_and_arena(program: Program, workers: int) -> None:
    series = Series(bots=(program.name, "random"), seed=5)
    assert sum(tally.games for tally in simulate_many(series, 3, workers)) == 3
    assert program.is_over()
    fixtures = [Fixture("second", (), 5, program.name, "random")] * 2
    assert sum(game.faults for game in play_all(fixtures, workers)) == 0
    assert program.is_over()
    if workers == 1:
        assert len(program.started) == 6, "started once for all the games of a run"


def test_who_makes_a_bot_closes_it(holder: str, tmp_path: Path) -> None:
    for seconds in (None, 20.0):
        play_match([holder, "random"], seed=3, seconds=seconds)
        made, closed = ((tmp_path / name).read_text() for name in ("made", "closed"))
        assert len(made) == len(closed) > 0
    with BotProcess() as shared, Guard("random", 1, 20, shared):
        pass
    for _ in simulate_many(Series(bots=(holder.replace("Holder", "Counter"),)), 2):
        pass
    assert len((tmp_path / "made").read_text()) == len((tmp_path / "closed").read_text())


def test_who_gives_a_bot_keeps_it(tmp_path: Path, holder: str) -> None:
    bot = load_bot(holder, 1)
    play_match([bot, "random"], seed=3)
    assert not (tmp_path / "closed").exists()


def test_a_bot_that_fails_to_close_stops_nothing(holder: str) -> None:
    with pytest.warns(RuntimeWarning, match="Stubborn.close raised OSError: no"):
        match = play_match([holder.replace("Holder", "Stubborn"), "random"], seed=3)
    assert match.winner in ("axis", "allies")


def test_the_terminal_closes_its_bots(program: Program, tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    arguments = ["play", "--as", "japan", "--bots", program.name, "--record", str(record)]
    done = CliRunner().invoke(app, [*arguments, "--seed", "3"], input="1\n1\n1\nq\n")
    assert done.exit_code == 0, done.output
    assert program.started
    assert program.is_over()

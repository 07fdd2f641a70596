"""Bots that are other programs: they play, and whatever they do wrong stops no game."""

import json
import os
import shlex
import shutil
import sys
import time
from pathlib import Path

import pytest

from quartermaster import Game, QuartermasterError, play_match
from quartermaster.bots import Guard, ProgramBot, keeping_programs, load_bot, program

ROOT = Path(__file__).parent.parent.parent
HELLO = """
import json, os, sys, time
def say(**what): print(json.dumps(what), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "hello" in asked:
        say(hello=1)
        continue
    n = asked["number"]
"""

FAULTS = {
    "nonsense": ("print('what?', flush=True)", "answered no JSON: b'what?\\n'", "nonsense"),
    "a list": ("print('[1]', flush=True)", "answered no JSON object: b'[1]\\n'", "nonsense"),
    "deep": ("print('[' * 60000, flush=True)", "answered no JSON: b'[[[[", "nonsense"),
    "no action": ("say(number=n)", "answered None, which is not legal", "illegal"),
    "an illegal action": (
        "say(number=n, action='play atlantis')",
        "answered 'play atlantis', which is not legal",
        "illegal",
    ),
    "a place beyond": ("say(number=n, action=999)", "answered 999, which is", "illegal"),
    "a place before": ("say(number=n, action=-1)", "answered -1, which is", "illegal"),
    "true": ("say(number=n, action=True)", "answered True, which is", "illegal"),
    "a late answer": ("say(number=n-1, action=0)", "answered number 0, not 1", "nonsense"),
    "silence": ("time.sleep(1000)", "took longer than 1 second", "took too long"),
    "a crash": (
        "sys.stderr.write('x' * 9999 + 'it broke'); sys.stderr.flush(); os._exit(3)",
        "ended its process (exit code 3)",
        "ended its process",
    ),
    "endless output": (
        "\n    while True: sys.stdout.write('x' * 1000)",
        f"wrote a line of over {program.LONGEST} bytes",
        "nonsense",
    ),
    "half a line": ("sys.stdout.write('{'); sys.exit()", "ended within a line: b'{'", "nonsense"),
}


def write(tmp_path: Path, body: str) -> str:
    path = tmp_path / "bot.py"
    path.write_text(HELLO + "    " + body + "\n")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_program_does_wrong_is_a_fault_and_someone_else_decides(
    fault: str, tmp_path: Path
) -> None:
    body, reason, kind = FAULTS[fault]
    game = Game.new(seed=7)
    seconds = 1 if fault == "silence" else 30
    bot = ProgramBot(write(tmp_path, body), 1)
    with Guard(bot, 5, seconds) as guard:
        assert guard.decide(game.look("germany"), game.legal_actions()) in game.legal_actions()
        [found] = guard.faults
        assert found.reason.startswith(reason)
        assert kind in found.kind
        if fault == "a crash":
            assert found.reason.endswith("it broke"), "what it complained of is told"
            assert "it broke" not in found.kind, "but not to everyone: it may name hidden cards"
    assert bot._running is None, "one that failed is ended"


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("import sys; sys.exit(4)", "ended its process (exit code 4)"),
        ("print('{\"hello\": 2}', flush=True); input()", "answered {'hello': 2} to a hello"),
        ("while True: print('x' * 50)", "answered no JSON: b'xxx"),
    ],
)
def test_a_program_that_does_not_greet(start: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(start)
    game = Game.new(seed=7)
    with Guard(ProgramBot(f"{sys.executable} {path}", 1), 5) as guard:
        guard.decide(game.look("germany"), game.legal_actions())
        assert guard.faults[0].reason.startswith(reason)


def test_a_program_that_reads_nothing_is_stopped_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "START_LIMIT", 0.3)
    path = tmp_path / "bot.py"
    path.write_text("import time; time.sleep(1000)")
    game = Game.new(seed=7)
    with Guard(ProgramBot(f"{sys.executable} {path}", 1), 5) as guard:
        guard.decide(game.look("germany"), game.legal_actions())
        assert guard.faults[0].reason.startswith("took longer than 0.3 seconds")


def test_a_program_sees_what_its_country_may_know_and_no_more(tmp_path: Path) -> None:
    told = tmp_path / "told.jsonl"
    body = f"open({str(told)!r}, 'a').write(line); say(number=n, action=0)"
    game = Game.new("second", seed=7, options={"reallocate": False})
    bot = ProgramBot(write(tmp_path, body), seed=11)
    assert bot.decide(game.look("germany"), game.legal_actions()) == game.legal_actions()[0]
    bot.close()
    [asked] = map(json.loads, told.read_text().splitlines())
    assert asked["country"] == "germany"
    assert (asked["number"], asked["seed"]) == (1, 11)
    assert asked["actions"] == [action.text for action in game.legal_actions()]
    assert asked["view"] == json.loads(json.dumps(game.look("germany").view.to_dict()))
    assert asked["view"]["countries"]["germany"]["hand"]
    assert asked["view"]["countries"]["japan"]["hand"] is None


def test_each_country_has_a_process_and_games_share_them(tmp_path: Path) -> None:
    told = tmp_path / "told.txt"
    row = "print(os.getpid(), asked['game'], asked['country'], file=f, flush=True)"
    body = f"f = open({str(told)!r}, 'a'); {row}; say(number=n, action=0)"
    name = f"program:{write(tmp_path, body)}"
    with keeping_programs():
        for seed in range(2):
            assert play_match([name, "random"], seed=seed).faults == ()
    rows = {tuple(line.split()) for line in told.read_text().splitlines()}
    processes = {process for process, _, _ in rows}
    assert len(processes) == 3, "one for each country of the Axis, kept for the next game"
    assert len({game for _, game, _ in rows}) == 6, "each bot has a game of its own"
    for process in processes:
        played = [(game, country) for pid, game, country in rows if pid == process]
        assert len(played) == len(dict(played)), "a process plays one country of a game"


def test_a_program_that_failed_is_really_gone(tmp_path: Path) -> None:
    """With all it has started."""
    child = tmp_path / "child.txt"
    body = (
        f"import subprocess; p = subprocess.Popen(['sleep', '1000']);"
        f" open({str(child)!r}, 'w').write(str(p.pid)); time.sleep(1000)"
    )
    game = Game.new(seed=7)
    with Guard(ProgramBot(write(tmp_path, body), 1), 5, 1.5) as guard:
        guard.decide(game.look("germany"), game.legal_actions())
    for _ in range(100):
        try:
            os.kill(int(child.read_text()), 0)
            state = Path(f"/proc/{child.read_text()}/stat")
            if state.exists() and state.read_text().split()[2] == "Z":
                return
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("what the program has started runs on")


def test_a_program_that_is_not_there_is_refused_at_once() -> None:
    with pytest.raises(QuartermasterError, match="there is no program 'no-such-program'"):
        load_bot("program:no-such-program --fast", 1)
    with pytest.raises(QuartermasterError, match="expected a command after it"):
        load_bot("program:", 1)
    with pytest.raises(QuartermasterError, match="No closing quotation"):
        load_bot("program:perl 'bot.pl", 1)


@pytest.mark.skipif(shutil.which("perl") is None, reason="perl is not installed")
def test_the_example_in_another_language_plays_and_wins() -> None:
    path = ROOT / "examples" / "bot.pl"
    assert len(path.read_text().splitlines()) <= 30
    name = f"program:perl {shlex.quote(str(path))}"
    matches = [play_match([name, "random"], seed=seed) for seed in range(3)]
    assert [match.faults for match in matches] == [()] * 3
    assert sum(match.winner == "axis" for match in matches) == 3
    again = play_match([name, "random"], seed=1)
    assert again.game.record == matches[1].game.record, "the seed fixes its chance too"

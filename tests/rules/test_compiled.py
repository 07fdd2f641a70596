"""The compiled core plays every game as the interpreted one does, byte for byte, and the bots
choose alike in both."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from quartermaster import Game
from quartermaster.lab.checks.fuzz import variants

ROOT = Path(__file__).parents[2]
COMPILED = ROOT / "build" / "compiled"

# Run in a process of its own: replays records from stdin, prints a digest of each end.
_REPLAY = """
import hashlib, json, pickle, sys
import quartermaster.rules.engine as engine
from quartermaster import Game
records = json.load(sys.stdin)
ends = []
for record in records:
    game = Game.from_record(record)
    assert game.record == record
    assert pickle.loads(pickle.dumps(game)) == game
    ends.append(hashlib.sha256(json.dumps(game.save(), sort_keys=True).encode()).hexdigest())
print(json.dumps([engine.__file__, ends]))
"""

# Likewise: prints what bots of one name do first in some games.
_PLAY = """
import json, sys
import quartermaster.bots.mind.race as race
from quartermaster import Game
from quartermaster.bots import make_bot, take_decision
name, count, kinds = json.load(sys.stdin)
told = []
for rules, options in kinds:
    game = Game.new(rules, seed=5, options=options)
    bots = {country: make_bot(name, 7) for seat in game.seats for country in seat}
    while not game.is_over and len(game.history) < count:
        take_decision(game, bots)
    told.append([action.text for action in game.history])
print(json.dumps([race.__file__, told]))
"""

# Likewise: a clock rings now and then while games are made and played, and whoever hears it raises.
_INTERRUPT = """
import json, signal, sys
import quartermaster.rules.engine as engine
from quartermaster import Game, load_rules
from quartermaster.rules.batch import Batch, playouts

class Rung(Exception):
    pass

def ring(*_):
    raise Rung

def games():
    while True:
        Game.new(seed=(1 << 64) - 1)

def steps():
    Batch(load_rules("second"), 16, seed=7, has_masks=False).run(10**9, (1 << 62) + 1)

def ends():
    state = Game.new(seed=7).state
    playouts([state] * 10**6, range(10**6))

signal.signal(signal.SIGALRM, ring)
caught = []
for work in [getattr(sys.modules["__main__"], name) for name in json.load(sys.stdin)]:
    for milliseconds in range(50, 70):
        signal.setitimer(signal.ITIMER_REAL, milliseconds / 1000)
        try:
            work()
        except Rung:
            caught.append(work.__name__)
print(json.dumps([engine.__file__, caught]))
"""

# Likewise: whether the games of a batch that was interrupted go on.
_GO_ON = """
import json, signal
import quartermaster.rules.engine as engine
from quartermaster import load_rules
from quartermaster.rules.batch import Batch

def ring(*_):
    raise InterruptedError

signal.signal(signal.SIGALRM, ring)
batch = Batch(load_rules("second"), 16, seed=7)
going = []
for _ in range(20):
    signal.setitimer(signal.ITIMER_REAL, 0.03)
    try:
        batch.run(10**9, 1)
    except InterruptedError:
        going.append(min(batch.choices()) > 0)
print(json.dumps([engine.__file__, going]))
"""

# Likewise: what a card does whose words are made up, and its question.
_USE_OWN_WORDS = """
import json, pickle, sys
import quartermaster.rules.engine as engine
from quartermaster import Game
position = {
    "turn": "italy",
    "pieces": {"italy": ["italy", "balkans", "mediterranean-sea"]},
    "hand": {"italy": ["twin-depots", "build-army"]},
}
game = Game.from_position(position, sets=json.load(sys.stdin))
game.apply("play twin-depots")
told = [game.decision.kind, *(action.text for action in game.legal_actions())]
game.apply(game.legal_actions()[0])
assert pickle.loads(pickle.dumps(game.copy())) == game
print(json.dumps([engine.__file__, [*told, game.score]]))
"""
_OWN_WORDS = """
from quartermaster.cards.vocabulary import *


class Twice(Num):
    def __init__(self, number):
        self.number = number

    def value(self, s, f):
        return 2 * self.number.value(s, f)


class Coast(Where):
    def mask(self, s, f):
        return mask_of("western-europe", "ukraine")


class Landing(Part):
    def __init__(self, part):
        self.kind = part.kind
        self.part = part

    def options(self, s, f, out):
        self.part.options(s, f, out)

    def take(self, s, f, code):
        return self.part.take(s, f, code)


card_set(
    "depots",
    "Words of one's own.",
    italy=[
        event(
            "Twin Depots",
            "+2 VP for each navy of yours. Then build an army in Western Europe or Ukraine.",
            Score(Twice(Pieces(NAVY))),
            Landing(Build(ARMY, Coast())),
        )
    ],
)
"""


def _random_record(rules: str, options: dict[str, bool], seed: int) -> tuple[str, str]:
    game = Game.new(rules, seed=seed, options=options)
    step = seed
    while not game.is_over:
        actions = game.legal_actions()
        step = (step * 1103515245 + 12345) % 2**31
        game.apply(actions[(step >> 8) % len(actions)])
    saved = json.dumps(game.save(), sort_keys=True).encode()
    return game.record, hashlib.sha256(saved).hexdigest()


def _run_in(path: Path, script: str, data: object) -> tuple[str, list[Any]]:
    """The file of the module that tells how the script was run, and what it found."""
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=json.dumps(data), capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    module, found = json.loads(done.stdout)
    return module, found


def _run_compiled(script: str, data: object) -> list[Any]:
    if not COMPILED.is_dir():
        pytest.skip("no compiled copy; `make test` makes one")
    module, found = _run_in(COMPILED, script, data)
    if module.endswith(".py"):
        pytest.skip("no C compiler on this machine")
    return found


def test_records_replay_alike_in_a_new_process_interpreted_and_compiled() -> None:
    games = [
        _random_record(rules, options, seed) for rules, options in variants() for seed in range(4)
    ]
    records = [record for record, _ in games]
    ends = [end for _, end in games]
    module, interpreted = _run_in(ROOT / "src", _REPLAY, records)
    assert module.endswith(".py")
    assert interpreted == ends
    assert _run_compiled(_REPLAY, records) == ends


@pytest.mark.parametrize("bot", ["veteran", "general:nodes=8"])
def test_bots_choose_alike_interpreted_and_compiled(bot: str) -> None:
    data = (bot, 40, [("second", {}), ("second", {"air-marshal": True})])
    module, interpreted = _run_in(ROOT / "src", _PLAY, data)
    assert module.endswith(".py")
    assert [len(actions) for actions in interpreted] == [40, 40]
    assert _run_compiled(_PLAY, data) == interpreted


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such clock on this system")
def test_a_signal_stops_what_is_under_way_and_never_aborts_the_process() -> None:
    data = ["games", "steps", "ends"]
    module, interpreted = _run_in(ROOT / "src", _INTERRUPT, data)
    assert module.endswith(".py")
    assert interpreted == [name for name in data for _ in range(20)]
    assert _run_compiled(_INTERRUPT, data) == interpreted


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such clock on this system")
def test_a_batch_that_was_interrupted_goes_on() -> None:
    assert _run_compiled(_GO_ON, None) == [True] * 20


def test_words_of_ones_own_work_interpreted_and_compiled(tmp_path: Path) -> None:
    """They are classes in Python whose bases are compiled."""
    file = tmp_path / "depots.py"
    file.write_text(_OWN_WORDS)
    module, interpreted = _run_in(ROOT / "src", _USE_OWN_WORDS, [str(file)])
    assert module.endswith(".py")
    assert interpreted[0] == "build"
    assert interpreted[-1] == {"axis": 6, "allies": 0}  # 2 of the card, 4 of supply spaces
    assert _run_compiled(_USE_OWN_WORDS, [str(file)]) == interpreted

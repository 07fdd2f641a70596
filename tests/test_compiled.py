"""The compiled core plays every game as the interpreted one does, byte for byte."""

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from quartermaster import Game
from quartermaster.checks.fuzz import variants

ROOT = Path(__file__).parent.parent
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


def _random_record(rules: str, options: dict[str, bool], seed: int) -> tuple[str, str]:
    game = Game.new(rules, seed=seed, options=options)
    step = seed
    while not game.is_over:
        actions = game.legal_actions()
        step = (step * 1103515245 + 12345) % 2**31
        game.apply(actions[(step >> 8) % len(actions)])
    saved = json.dumps(game.save(), sort_keys=True).encode()
    return game.record, hashlib.sha256(saved).hexdigest()


def _ends_in(path: Path, records: list[str]) -> tuple[str, list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", _REPLAY],
        input=json.dumps(records), capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    module, ends = json.loads(done.stdout)
    return module, ends


def test_records_replay_alike_in_a_new_process_interpreted_and_compiled() -> None:
    games = [
        _random_record(rules, options, seed) for rules, options in variants() for seed in range(4)
    ]
    records = [record for record, _ in games]
    ends = [end for _, end in games]
    module, interpreted = _ends_in(ROOT / "src", records)
    assert module.endswith(".py")
    assert interpreted == ends
    if not COMPILED.is_dir():
        pytest.skip("no compiled copy; `make test` makes one")
    module, compiled = _ends_in(COMPILED, records)
    if module.endswith(".py"):
        pytest.skip("no C compiler on this machine")
    assert compiled == ends

"""Compiled, observations are those of the interpreted core, number for number."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from variants import VARIANTS

COMPILED = Path(__file__).parents[2] / "build" / "compiled"

# Run in a process of its own: a digest of what vector steps give, by chance that is fixed.
_STEP = """
import hashlib, json, sys
import quartermaster.lab.tensors.sketch as sketch
from quartermaster.lab.env import VectorEnv
told = []
for rules, options in json.load(sys.stdin):
    env = VectorEnv(rules, 4, seed=5, options=options, rewards="points")
    digest = hashlib.sha256()
    for step in range(90):
        choices = [env.batch.options(place) for place in range(4)]
        now = env.step([own[(step * 7 + 3) % len(own)] for own in choices])
        digest.update(now.observation.tobytes() + now.mask.tobytes() + now.reward.tobytes())
    told.append(digest.hexdigest())
print(json.dumps([sketch.__file__, told]))
"""


def steps(folder: Path | None) -> tuple[str, list[str]]:
    environment = {**os.environ, "QUARTERMASTER_COMPILE": "never"}
    if folder is not None:
        environment["PYTHONPATH"] = str(folder)
    done = subprocess.run(
        [sys.executable, "-c", _STEP],
        env=environment,
        input=json.dumps(VARIANTS),
        capture_output=True,
        text=True,
        check=True,
    )
    file, told = json.loads(done.stdout)
    return file, told


@pytest.mark.skipif(not (COMPILED / ".done").exists(), reason="no compiled core: make bench")
def test_compiled_observations_are_the_interpreted_ones() -> None:
    file, compiled = steps(COMPILED)
    if file.endswith(".py"):
        pytest.skip("there was no C compiler")
    own, interpreted = steps(None)
    assert own.endswith(".py")
    assert compiled == interpreted

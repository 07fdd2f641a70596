"""Work in parts: kept, gone on with, and learned from the same wherever it was done."""

import os
import pickle
import shutil
import subprocess
import sys
import time
from importlib.util import find_spec
from multiprocessing import active_children
from pathlib import Path

import pytest

from quartermaster.lab.spread import spread, spread_all

ROOT = Path(__file__).parent.parent.parent


def _square(number: int) -> int:
    with Path("asked.txt").open("a") as file:
        file.write(f"{number}\n")
    if number == 13:
        raise ValueError("bad luck")
    return number * number


def test_results_come_in_order_and_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    asked = tmp_path / "asked.txt"
    keep = tmp_path / "kept"
    with pytest.raises(ValueError, match="bad luck"):
        spread_all(_square, [1, 2, 13, 4], keep=keep)
    assert asked.read_text().split() == ["1", "2", "13"]
    told: list[int] = []
    assert spread_all(_square, [4, 1, 2, 3], keep=keep, on_done=told.append) == [16, 1, 4, 9]
    assert asked.read_text().split() == ["1", "2", "13", "4", "3"], "none is done again"
    assert told == [2, 3, 4]
    assert sorted(pickle.loads(path.read_bytes()) for path in keep.iterdir()) == [1, 4, 9, 16]
    assert spread_all(_square, [5, 6], workers=2) == [25, 36]
    assert sorted(spread(abs, [-1, -2], workers=2)) == [(0, 1), (1, 2)]


def _pid(part: int) -> int:
    time.sleep(0.2)
    return os.getpid()


def test_there_are_no_more_processes_than_parts() -> None:
    before = set(active_children())
    results = spread(_pid, [1, 2, 3], workers=100_000)
    pids = {next(results)[1]}
    assert len(set(active_children()) - before) <= 3
    assert len(pids | {pid for _, pid in results}) <= 3
    assert list(spread(_pid, [], workers=5)) == []


def train(folder: Path, *more: str) -> list[str]:
    """What the tool prints, less the times."""
    command = [sys.executable, str(ROOT / "tools" / "train_bots.py"), "--turns", "1"]
    command += ["--games", "1", "--duels", "1", "--out", str(folder / "table"), *more]
    command += ["--keep", str(folder / "kept")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return [line[8:] for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    if find_spec("scipy") is None:
        pytest.skip("scipy is not installed (pip install 'quartermaster-game[train]')")
    folder = tmp_path_factory.mktemp("trained")
    return folder, train(folder, "--workers", "1")


@pytest.mark.parametrize("on", ["here", "ray"])
def test_training_goes_on_where_it_was_and_learns_the_same(
    on: str, trained: tuple[Path, list[str]], tmp_path: Path
) -> None:
    if on == "ray" and find_spec("ray") is None:
        pytest.skip("Ray is not installed (pip install 'quartermaster-game[ray]')")
    folder, told = trained
    shutil.copytree(folder / "kept", tmp_path / "kept")
    parts = sorted(path.name for path in (tmp_path / "kept").iterdir())
    assert len(parts) == 5
    for name in parts[:2]:  # as if it had been stopped before those
        (tmp_path / "kept" / name).unlink()
    assert train(tmp_path, "--workers", "2", "--on", on) == told
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == parts
    tables = [
        [(path.name, path.read_bytes()) for path in sorted(one.glob("table/*.tsv"))]
        for one in (folder, tmp_path)
    ]
    assert tables[0] == tables[1]

"""On Ray the same games are played, and a machine that dies takes nothing with it."""

import json
import os
import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from quartermaster import QuartermasterError
from quartermaster.cli.main import app
from quartermaster.lab import on_ray
from quartermaster.lab.arena import make_fixtures, play_all
from quartermaster.lab.games_file import GamesFile
from quartermaster.lab.simulate import Series, Tally, play_part, simulate_many
from quartermaster.lab.spread import check_place, spread

try:
    import ray
    from ray.cluster_utils import Cluster
except ImportError:
    ray = None  # type: ignore[assignment,unused-ignore]

needs_ray = pytest.mark.skipif(
    ray is None, reason="Ray is not installed (pip install 'quartermaster-game[ray]')"
)
# Ray's own warnings, about its own future.
pytestmark = [
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

runner = CliRunner()


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two machines, as far as Ray can tell: the head does no work but what is asked of it."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made = Cluster(
        initialize_head=True,
        connect=False,
        head_node_args={"num_cpus": 1, "object_store_memory": 100 * 2**20},
    )
    ray.init(
        address=made.address, log_to_driver=False, logging_level="ERROR", configure_logging=True
    )
    yield made
    ray.shutdown()
    made.shutdown()


@pytest.fixture
def second(cluster: Any) -> Iterator[Any]:
    """A second machine, for as long as it lives."""
    node = cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20)
    cluster.wait_for_nodes()
    yield node
    if node in cluster.worker_nodes:
        cluster.remove_node(node)


def _slowly(folder: str, doomed: str, part: tuple[int, int]) -> tuple[int, int]:
    """Notes who did what, and takes its time; on the machine that is to be killed, long enough."""
    node = ray.get_runtime_context().get_node_id()
    (Path(folder) / f"{part[0]}-{node}-{time.time_ns()}").touch()
    time.sleep(60 if node == doomed else 0.5)
    return part[0] ** 2, os.getpid()


def _refuse(part: int) -> int:
    raise QuartermasterError(f"part {part} cannot be played")


def _die(part: int) -> int:
    os._exit(5)


@needs_ray
def test_a_machine_that_is_killed_loses_nothing_and_nothing_counts_twice(
    cluster: Any, second: Any, tmp_path: Path
) -> None:
    """Killed in mid-run, with work under way on it: that is done again on the other."""
    parts = [(number, 1) for number in range(12)]
    results = spread(partial(_slowly, str(tmp_path), second.node_id), parts, on="ray", workers=0)
    came = []
    killed = second.node_id
    for place, (square, _) in results:
        came.append((place, square))
        begun = [path.name.split("-") for path in tmp_path.iterdir()]
        there = {int(part) for part, node, _ in begun if node == killed}
        if there - {place for place, _ in came}:  # it is at something
            cluster.remove_node(second, allow_graceful=False)
            killed = ""
    assert not killed, "the second machine had work when it was killed"
    assert sorted(came) == [(number, number**2) for number in range(12)]
    begun_parts = [path.name.split("-")[0] for path in tmp_path.iterdir()]
    assert len(begun_parts) > 12, "something was under way there, and was begun again"


@needs_ray
def test_simulate_writes_the_same_file_though_a_machine_dies(
    cluster: Any, second: Any, tmp_path: Path
) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    series = Series(bots=("rookie", "random"), seed=4)
    tallies = []
    for path, on in ((here, "here"), (there, "ray")):
        file = GamesFile(path, series.alike(), series.seed)
        tally = Tally()
        for part in simulate_many(series, 24, 0 if on == "ray" else 1, on, file):
            tally.add(part)
            if on == "ray" and tally.games > 3 and second in cluster.worker_nodes:
                cluster.remove_node(second, allow_graceful=False)
        file.close(is_whole=True)
        tallies.append(tally)
    assert second not in cluster.worker_nodes
    assert tallies[0] == tallies[1]
    assert here.read_bytes() == there.read_bytes()


@needs_ray
def test_the_arena_plays_the_same_games(cluster: Any) -> None:
    fixtures = make_fixtures(["random", "rookie"], [("second", {})], games=4)
    here = {game.fixture: (game.winner, game.vp) for game in play_all(fixtures)}
    there = {game.fixture: (game.winner, game.vp) for game in play_all(fixtures, 0, None, "ray")}
    assert here == there


@needs_ray
def test_the_command_plays_on_ray_and_goes_on_with_files(cluster: Any, tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        result = runner.invoke(app, ["simulate", "-n", "6", "--json", *arguments])
        assert result.exit_code == 0, result.output
        return result.stdout

    path = tmp_path / "games.jsonl"
    told = run("--out", str(path))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    assert run("--out", str(path), "--on", "ray") == told
    assert path.read_bytes() == data
    assert json.loads(run("--on", "ray")) == json.loads(told)


@needs_ray
def test_bots_in_this_folder_are_found_by_workers(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bots_on_ray.py").write_text(
        "class First:\n    def decide(self, look, actions):\n        return actions[0]\n"
    )
    monkeypatch.chdir(tmp_path)
    play = partial(play_part, Series(bots=("bots_on_ray:First", "random")), False)
    [(_, (there, _))] = spread(play, [(0, 2)], on="ray")
    assert there == play((0, 2))[0]
    assert there.faults == 0


@needs_ray
def test_errors_of_the_work_come_as_they_are_and_what_kills_workers_is_told(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(QuartermasterError, match=r"^part 0 cannot be played$"):
        list(spread(_refuse, [0], on="ray"))
    monkeypatch.setattr("quartermaster.lab.on_ray.MOST_LOSSES", 1)
    with pytest.raises(QuartermasterError, match="was lost 1 times on Ray"):
        list(spread(_die, [0], on="ray"))


@needs_ray
def test_another_version_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quartermaster.lab.on_ray.VERSION", "0.0.1")
    with pytest.raises(QuartermasterError, match=r"who asks has 0\.0\.1: install the same"):
        list(spread(abs, [-1], on="ray"))


def test_places_that_are_none_are_refused_before_any_game() -> None:
    for command in (["simulate"], ["arena", "--bots", "random"]):
        result = runner.invoke(app, [*command, "--on", "mars"], env={"COLUMNS": "200"})
        assert result.exit_code == 2
        assert "--on mars: expected here, ray, ray:HOST:PORT or ray://HOST:PORT" in result.output


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(QuartermasterError, match=r"pip install 'quartermaster-game\[ray\]'"):
        check_place("ray")


@needs_ray
@pytest.mark.parametrize("kind", ["ray:", "ray://"])
def test_a_cluster_that_is_not_there_is_said_to_be_so_at_once(kind: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for place, message in (
        (f"127.0.0.1:{port}", "nobody answers at 127.0.0.1"),
        ("somewhere", "expected a host and a port"),
        ("127.0.0.1:99999", "nobody answers at 127.0.0.1"),
    ):
        with pytest.raises(QuartermasterError, match=message):
            on_ray._connect(ray, kind + place)

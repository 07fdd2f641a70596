"""How much more a second worker of Ray plays, by the clock: the table in docs/data.md.

    python tools/measure_ray.py

It begins a Ray of this machine with two workers, lets one and then both play the same games in
turns, and prints the medians. Two to three minutes; the machine must have nothing else to do, for
the clock counts that too. `--seconds` is how long each run should take.
"""

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from statistics import median

from quartermaster.core import running_core
from quartermaster.lab.on_ray import need_ray
from quartermaster.lab.simulate import Series, play_part
from quartermaster.lab.spread import spread

PARTS = 8  # of each run, so that both workers have several
IDLE = 0.3  # processors that others may use


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bots", default="random", help="by seat, with commas")
    parser.add_argument("--seconds", type=float, default=12.0, help="of a run of one worker")
    parser.add_argument("--runs", type=int, default=3, help="of each number of workers")
    given = parser.parse_args()
    cores = os.cpu_count() or 1
    if cores < 2:
        raise SystemExit("this machine has one core: there is no second to gain by")
    busy = others_use()
    if busy > IDLE:
        print(f"Note: other work uses {busy:.1f} of {cores} cores; the figures are not to be kept.")
    ray = need_ray()
    ray.init(num_cpus=2, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    try:
        measure(Series(bots=tuple(given.bots.split(","))), given.seconds, given.runs)
    finally:
        ray.shutdown()


def measure(series: Series, seconds: float, runs: int) -> None:
    play = partial(play_part, series, False)
    timed(play, [(0, 5), (5, 5)], 2)  # both workers have begun and loaded the rules
    games = 4
    while (took := timed(play, [(0, games)], 1)) < 1.0:
        games *= 4
    part = max(1, round(games * seconds / took / PARTS))
    parts = [(number * part, part) for number in range(PARTS)]
    found: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(runs):
        for workers, rates in found.items():
            rates.append(PARTS * part / timed(play, parts, workers))
            print(f"{workers} at work: {rates[-1]:.1f} games a second", flush=True)
    one, two = median(found[1]), median(found[2])
    kind = "interpreted" if running_core() is None else "compiled"
    names = ", ".join(f"`{bot}`" for bot in series.bots)
    print(f"\n{names}, {kind}, {PARTS} parts of {part} games, median of {runs} runs each:\n")
    print("| | one worker | two workers | |")
    print("| --- | ---: | ---: | ---: |")
    print(f"| games a second by the clock | {one:,.0f} | {two:,.0f} | {two / one:.2f}x |")


def timed(play: Callable[[tuple[int, int]], object], parts: list[tuple[int, int]], n: int) -> float:
    """Seconds by the clock until all parts are played, by so many workers."""
    began = time.perf_counter()
    for _ in spread(play, parts, n, "ray"):
        pass
    return time.perf_counter() - began


def others_use(seconds: float = 2.0) -> float:
    """How many processors other work keeps busy; 0 where the system does not say."""
    try:
        before = busy_and_all()
        time.sleep(seconds)
        busy, whole = (now - then for now, then in zip(busy_and_all(), before, strict=True))
    except OSError:
        return 0.0
    return (os.cpu_count() or 1) * busy / max(1, whole)


def busy_and_all() -> tuple[int, int]:
    with open("/proc/stat") as file:
        ticks = [int(word) for word in file.readline().split()[1:9]]
    return sum(ticks) - ticks[3] - ticks[4], sum(ticks)


if __name__ == "__main__":
    main()

"""Work in parts: here, in several processes, or on the machines of a Ray cluster.

What comes of a part follows from the part alone, so it does not matter where it is done, how often
it is begun, or which is done first.

>>> sorted(spread(abs, [-3, 2, -1]))
[(0, 3), (1, 2), (2, 1)]
"""

import pickle
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from hashlib import blake2b
from multiprocessing import active_children
from pathlib import Path
from signal import SIG_DFL, SIGINT, signal
from typing import TypeVar

from quartermaster.bots import BOTS, keeping_programs
from quartermaster.bots.program import keep_programs
from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.version import VERSION

HERE = "here"

Part = TypeVar("Part")
Result = TypeVar("Result")


def check_place(on: str) -> None:
    """Refuse a place that is none, before anything is begun."""
    if on != HERE and on != "ray" and not on.startswith(("ray:", "ray://")):
        raise QuartermasterError(f"--on {on}: expected here, ray, ray:HOST:PORT or ray://HOST:PORT")
    if on != HERE:
        from quartermaster.lab.on_ray import need_ray

        need_ray()


@contextmanager
def connected(on: str) -> Iterator[None]:
    """Stay connected to Ray for several pieces of work, for to begin takes some seconds."""
    check_place(on)
    if on == HERE:
        yield
        return
    from quartermaster.lab.on_ray import connected_to_ray

    with connected_to_ray(on):
        yield


def spread(
    work: Callable[[Part], Result], parts: Sequence[Part], workers: int = 1, on: str = HERE
) -> Generator[tuple[int, Result], None, None]:
    """What comes of the parts, as it comes, each with the place of its part: in so many processes
    of this machine, or `on` Ray (0 workers: as many as it has processors)."""
    check_place(on)
    if on != HERE:
        from quartermaster.lab.on_ray import spread_on_ray

        yield from spread_on_ray(work, parts, workers, on)
    elif workers == 1:
        with keeping_programs():
            for place, part in enumerate(parts):
                yield place, work(part)
    else:
        yield from _in_processes(work, parts, workers)


def spread_all(
    work: Callable[[Part], Result],
    parts: Sequence[Part],
    workers: int = 1,
    on: str = HERE,
    keep: Path | None = None,
    on_done: Callable[[int], object] = lambda count: None,
) -> list[Result]:
    """What comes of all parts, in their order.

    In a folder to `keep` them, results lie under what was asked for: whoever asks for the same
    again, after having been stopped say, gets those that are there. Only for folders of one's
    own: to read a result is to trust who wrote it. `on_done` is told how many there are.
    """
    results: dict[int, Result] = {}
    paths: dict[int, Path] = {}
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        for place, part in enumerate(parts):
            asked = pickle.dumps((VERSION, work, part))
            paths[place] = keep / f"{blake2b(asked, digest_size=16).hexdigest()}.pickle"
            if paths[place].exists():
                results[place] = pickle.loads(paths[place].read_bytes())
        on_done(len(results))
    left = [place for place in range(len(parts)) if place not in results]
    with closing(spread(work, [parts[place] for place in left], workers, on)) as found:
        for number, result in found:
            place = left[number]
            results[place] = result
            if keep is not None:
                aside = paths[place].with_suffix(".new")
                aside.write_bytes(pickle.dumps(result))
                aside.replace(paths[place])
            on_done(len(results))
    return [results[place] for place in range(len(parts))]


def _in_processes(
    work: Callable[[Part], Result], parts: Sequence[Part], workers: int
) -> Generator[tuple[int, Result], None, None]:
    others = set(active_children())
    # The pool starts all at once: more of them than there is work would only take memory.
    with ProcessPoolExecutor(max(1, min(workers, len(parts))), initializer=_begin) as pool:
        try:
            futures = {pool.submit(work, part): place for place, part in enumerate(parts)}
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool:
            raise QuartermasterError(
                "a worker process has died (out of memory?); fewer --workers may help"
            ) from None
        except UnknownName as error:
            raise unknown_to_workers(error) from None
        except BaseException:  # Ctrl-C, a bot's error, or nobody wants the rest
            for worker in set(active_children()) - others:
                worker.terminate()
            raise


def _begin() -> None:
    """Ctrl-C goes to all processes of a terminal: workers just end, with no traceback."""
    signal(SIGINT, SIG_DFL)
    keep_programs()


def unknown_to_workers(error: UnknownName) -> QuartermasterError:
    """Why a worker does not know what this process knows: a bot that was registered here is
    not there in processes that begin afresh, as they do on most systems."""
    if error.what != "bot" or error.name not in BOTS:
        return error
    return QuartermasterError(
        f"the bot {error.name!r} is registered in this process alone; worker processes"
        " begin afresh and do not know it: play with one worker, or name it MODULE:CLASS"
    )

"""Parts of work on the machines of a Ray cluster, or on a Ray of this machine alone.

A machine that is lost takes what it was doing with it: that is done again elsewhere. Each part is
handed on once, whoever did it, so that nothing is lost and nothing counts twice.
"""

import os
import socket
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from quartermaster.bots.program import keep_programs
from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.version import VERSION

MOST_LOSSES = 20  # machines that a part may lose before it is taken for what kills them
_PATIENCE = 5.0  # seconds after which it is looked how many processors there are now
_REACH = 5.0  # seconds for a cluster's head to answer
_EACH = 2  # parts that are on their way for each processor, so that none waits for the next

Part = TypeVar("Part")
Result = TypeVar("Result")


def need_ray() -> Any:
    """Ray, if it is there."""
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise QuartermasterError(
            "--on ray needs Ray: pip install 'quartermaster-game[ray]'"
        ) from None
    return ray


def spread_on_ray(
    work: Callable[[Part], Result], parts: Sequence[Part], workers: int, on: str
) -> Generator[tuple[int, Result], None, None]:
    """What comes of the parts, as it comes. `on` is `ray` (the cluster this machine belongs to, or
    one begun for this), `ray:HOST:PORT` (the address of a cluster's head, from one of its machines)
    or `ray://HOST:PORT` (from outside). At most so many at a time; 0: as many as it can do."""
    with connected_to_ray(on) as ray:
        yield from _spread(ray, work, parts, workers)


def _spread(
    ray: Any, work: Callable[[Part], Result], parts: Sequence[Part], workers: int
) -> Generator[tuple[int, Result], None, None]:
    errors = ray.exceptions
    # What a lost worker was doing is done again from here, where it is counted how often: a part
    # that kills every worker would be begun for ever.
    task = ray.remote(max_retries=0, num_cpus=1)(_carry_out)
    folder = os.getcwd()
    waiting = list(range(len(parts)))[::-1]
    losses = [0] * len(parts)
    running: dict[Any, int] = {}
    try:
        while waiting or running:
            room = workers or max(1, int(ray.cluster_resources().get("CPU", 1))) * _EACH
            while waiting and len(running) < room:
                place = waiting.pop()
                running[task.remote(folder, VERSION, work, parts[place])] = place
            done, _ = ray.wait(list(running), num_returns=1, timeout=_PATIENCE)
            for reference in done:
                place = running.pop(reference)
                try:
                    result: Result = ray.get(reference)
                except errors.RayTaskError as error:
                    raise _cause(error) from None
                except errors.RayError as error:  # the machine, not the work
                    losses[place] += 1
                    if losses[place] > MOST_LOSSES:
                        raise QuartermasterError(
                            f"a part of the work was lost {MOST_LOSSES} times on Ray:"
                            f" {str(error).splitlines()[0]}"
                        ) from None
                    waiting.append(place)
                else:
                    yield place, result
    finally:
        for reference in running:
            ray.cancel(reference, force=True)


@contextmanager
def connected_to_ray(on: str) -> Iterator[Any]:
    """Ray, connected to; a connection that was made for this is closed at the end."""
    ray = need_ray()
    if ray.is_initialized():
        yield ray
        return
    _connect(ray, on)
    try:
        yield ray
    finally:
        ray.shutdown()


def _connect(ray: Any, on: str) -> None:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is told to anybody
    address = None if on == "ray" else on if on.startswith("ray://") else on.removeprefix("ray:")
    quiet: dict[str, Any] = {
        "log_to_driver": False, "logging_level": "ERROR", "configure_logging": True,
    }  # fmt: skip
    if address is not None:
        _check_reachable(on, address.removeprefix("ray://"))
        if address.startswith("ray://"):
            quiet = {}  # it would tell that they are handed on
    try:
        ray.init(address=address, **quiet)
    except Exception as error:
        said = [line.strip() for line in str(error).splitlines() if line.strip()]
        reason = said[0] if len(said) == 1 else f"{said[0]} {said[-1]}"  # between them, a traceback
        told = f"--on {on}: no Ray could be reached: {reason}"
        if address is not None and "RAY_AUTH_MODE" not in os.environ:
            told += "; if it asks for a token: RAY_AUTH_MODE=token, and the token in ~/.ray"
        raise QuartermasterError(told) from None


def _check_reachable(on: str, place: str) -> None:
    """Ray itself would try for minutes, and tell of its own parts meanwhile."""
    host, _, port = place.rpartition(":")
    if not host or not port.isdigit():
        raise QuartermasterError(f"--on {on}: expected a host and a port, as in {on}:10001")
    try:
        socket.create_connection((host, int(port)), _REACH).close()
    except (OSError, OverflowError) as error:
        raise QuartermasterError(
            f"--on {on}: no Ray could be reached: nobody answers at {place}: {error}"
        ) from None


def _cause(error: Any) -> BaseException:
    """What was raised in the work itself, as it would have been here."""
    cause = getattr(error, "cause", None)
    if isinstance(cause, UnknownName) and cause.what == "bot":
        return QuartermasterError(f"a worker of Ray does not know the bot {cause.name!r}: {cause}")
    return cause if isinstance(cause, BaseException) else error


def _carry_out(
    folder: str, version: str, work: Callable[[Part], Result], part: Part
) -> Result:  # pragma: no cover (on another machine)
    """In a worker: first it is made sure that the same game is played there."""
    if version != VERSION:
        raise QuartermasterError(
            f"a worker of Ray has quartermaster {VERSION}, who asks has {version}: install the same"
        )
    if os.path.isdir(folder):  # where there is one: bots named by a file lie in it
        os.chdir(folder)
        if folder not in sys.path:
            sys.path.append(folder)
    keep_programs()
    return work(part)

"""Bots that people bring along, by the names that `--bots` takes:

    veteran, general:seconds=0.5     a level of the game
    mymodule:MyBot                   a class of a Python module, also one in this folder
    bots/mine.py:MyBot:depth=3       a class of a Python file, with a setting
    mybot                            what an installed package offers (entry points
                                     of the group `quartermaster.bots`)
    program:perl bot.pl              another program, in any language (`docs/plugins.md`)

To load one runs its code, so that is for who sits at the machine: commands and the library.
What strangers name goes to `make_bot`, as on the server, which knows the levels alone.
"""

import importlib
import importlib.util
import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from quartermaster.bots.levels import (
    BOTS,
    Bot,
    Need,
    close_bot,
    make_bot,
    need_of,
    read_settings,
)
from quartermaster.bots.program import ProgramBot
from quartermaster.errors import QuartermasterError, UnknownName, show

ENTRY_POINTS = "quartermaster.bots"
PROGRAM = "program:"
FORMS = ("MODULE:CLASS", "FILE.py:CLASS", f"{PROGRAM}COMMAND")
_BY_PLACE = re.compile(r"(?P<place>.*?\.py|[\w.]+):(?P<name>[^\W\d]\w*)(?P<settings>:.*)?")


def load_bot(name: str, seed: int) -> Bot:
    """A bot for one country, by any name that `--bots` takes. Runs the code it names.

    >>> load_bot("veteran", seed=1).decide.__name__
    'decide'
    """
    if name.startswith(PROGRAM):
        return ProgramBot(name.removeprefix(PROGRAM).strip(), seed)
    if name.partition(":")[0] in BOTS:
        return make_bot(name, seed)
    maker, settings = _found(name)
    try:
        bot = maker(*([seed] if _takes_seed(maker) else []), **settings)
    except QuartermasterError:
        raise
    except (Exception, SystemExit) as error:
        raise QuartermasterError(
            f"{name}: could not be made: {type(error).__name__}: {error}"
        ) from error
    if not callable(getattr(bot, "decide", None)):
        raise QuartermasterError(
            f"{name}: expected a bot, which has a method decide(look, actions); got {show(bot)}"
        )
    need_of(bot)
    made: Bot = bot
    return made


def need_of_name(name: str) -> Need:
    """What a bot needs that is given by its name. To know, one is made and closed again; a name
    that does not do is refused.

    >>> need_of_name("random"), need_of_name("veteran")
    ('number', 'look')
    """
    bot = load_bot(name, 0)
    try:
        return need_of(bot)
    finally:
        close_bot(bot)


def is_level(name: str) -> bool:
    """Whether a name is of a level of the game, so that no code of others is run for it."""
    return name.partition(":")[0] in BOTS


def installed_bots() -> dict[str, str]:
    """What installed packages offer: names, with where they come from. Loads nothing."""
    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}


def _found(name: str) -> tuple[Callable[..., Any], Mapping[str, float]]:
    """What makes a bot, and the settings its name has."""
    by_place = _BY_PLACE.fullmatch(name)
    if by_place is not None:
        place, what = by_place["place"], by_place["name"]
        maker = _attribute(name, _module(name, place), what)
        text = (by_place["settings"] or "").removeprefix(":")
    else:
        offered, _, text = name.partition(":")
        points = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
        if offered not in points:
            raise UnknownName("bot", offered, [*BOTS, *points, *FORMS])
        try:
            maker = points[offered].load()
        except (Exception, SystemExit) as error:
            raise _unloadable(name, points[offered].value, error) from error
    if not callable(maker):
        raise QuartermasterError(f"{name}: expected a class of bots, got {show(maker)}")
    known: Mapping[str, Callable[[str], float]] = getattr(maker, "settings", {})
    return maker, read_settings(name, known, text)


def _attribute(name: str, module: ModuleType, what: str) -> Any:
    if not hasattr(module, what):
        there = [
            key for key, value in vars(module).items() if callable(getattr(value, "decide", None))
        ]
        raise UnknownName(f"bot of {name.rpartition(':')[0]}", what, there)
    return getattr(module, what)


def _module(name: str, place: str) -> ModuleType:
    if place.endswith(".py"):
        path = Path(place).expanduser().resolve()
        if not path.is_file():
            raise QuartermasterError(f"{name}: there is no file {place}")
        return _run(name, str(path))
    root = place.partition(".")[0]
    if importlib.util.find_spec(root) is None and os.getcwd() not in sys.path:
        # Last, so that no file here stands in for a module of that name elsewhere.
        sys.path.append(os.getcwd())
        importlib.invalidate_caches()
    try:
        return importlib.import_module(place)
    except (Exception, SystemExit) as error:
        raise _unloadable(name, place, error) from error


@cache
def _run(name: str, path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"bot_file_{Path(path).stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # as dataclasses need
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise _unloadable(name, path, error) from error
    return module


def _unloadable(name: str, place: str, error: BaseException) -> QuartermasterError:
    told = f"{name}: {place} cannot be loaded: {type(error).__name__}: {error}"
    return QuartermasterError(told)


def _takes_seed(maker: Callable[..., Any]) -> bool:
    """Whether what makes a bot takes a seed; one that plays by no chance needs none."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return True
    return any(
        parameter.kind is not parameter.KEYWORD_ONLY and parameter.kind is not parameter.VAR_KEYWORD
        for parameter in parameters
    )

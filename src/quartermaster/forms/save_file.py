"""Reads a save that people may have passed on: its form is checked here; `Game.load` then checks
that its state is what its actions lead to."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from quartermaster.errors import QuartermasterError, show
from quartermaster.forms.record import read_anew
from quartermaster.forms.save import READABLE, SAVE_VERSION
from quartermaster.rules.state import RawEntry

# An entry of the log that a bot failed, after how many times of dealing anew it was told.
FaultEntry = tuple[int, RawEntry]


@dataclass(frozen=True)
class Save:
    """A save of the right form. Whether its game can have gone so is for `Game.load` to check."""

    history: list[tuple[int, int, bool]]
    anew: list[tuple[int, str]]
    faults: list[FaultEntry]  # of the log: what the game itself does not tell
    log: list[Any]
    state: dict[str, Any]


def read_save(data: Mapping[str, Any]) -> Save:
    """What a save holds besides the beginning of its game; `QuartermasterError` says what is
    not as `Game.save` gives it."""
    if not isinstance(data, Mapping):
        raise QuartermasterError(f"a save is a mapping, got {show(data)}")
    for key in ("rules", "options", "seats", "seed", "position", "state", "history", "log"):
        if key not in data:
            raise QuartermasterError(f"a save that lacks {key!r}")
    if not isinstance(data.get("is_version_1", True), bool):
        raise QuartermasterError(
            f"is_version_1: expected true or false, got {show(data['is_version_1'])}"
        )
    sets = data.get("sets", [])
    if not (isinstance(sets, list) and all(isinstance(name, str) for name in sets)):
        raise QuartermasterError(f"sets: expected a list of names, got {show(sets)}")
    history = []
    for entry in _list_in(data, "history"):
        if not (isinstance(entry, list) and [type(part) for part in entry] == [int, int, bool]):
            raise QuartermasterError(f"history: expected [country, code, free], got {show(entry)}")
        history.append((entry[0], entry[1], entry[2]))
    log = _list_in(data, "log")
    faults = [
        (deals, _read_fault(entry, len(history)))
        for deals, entry in fault_entries(entry for entry in log if isinstance(entry, list))
    ]
    anew = [read_anew(item, len(history)) for item in _list_in(data, "anew", [])]
    if anew != sorted(anew, key=lambda item: item[0]):
        raise QuartermasterError("anew: the earliest comes first")
    state = data["state"]
    if not isinstance(state, dict) or state.get("version") not in READABLE:
        found = state.get("version") if isinstance(state, dict) else state
        raise QuartermasterError(f"this save is of version {show(found)}; expected {SAVE_VERSION}")
    return Save(history, anew, faults, log, {"seed": "", **state, "version": SAVE_VERSION})


def fault_entries(log: Iterable[Any]) -> list[tuple[int, Any]]:
    """The entries of a log that tell of faults, in their order; see `FaultEntry`."""
    found = []
    deals = 0
    for entry in log:
        what = entry[0] if entry else None
        deals += what == "deal-anew"
        if what == "fault":
            found.append((deals, entry))
    return found


def _list_in(data: Mapping[str, Any], key: str, default: Any = None) -> list[Any]:
    value = data.get(key, default)
    if not isinstance(value, list):
        raise QuartermasterError(f"{key}: expected a list, got {show(value)}")
    return value


def _read_fault(entry: list[Any], most: int) -> RawEntry:
    """An entry of the log about a bot that failed, as `Game.note_fault` makes it."""
    try:
        what, country, card, space, whose, n, words = entry
        told = json.loads(words)
        is_right = (
            [type(number) for number in entry[1:6]] == [int] * 5
            and 0 <= country < 6
            and card == space == whose == -1
            and 0 <= n <= most
            and [type(word) for word in told] == [str] * 3
        )
    except (TypeError, ValueError, RecursionError):
        is_right = False
    if not is_right:
        raise QuartermasterError(f"log: no fault of a bot: {show(entry)}")
    return what, country, card, space, whose, n, words

"""Views as they are sent. Most of a view is told again and again: to six people at a table, and
after each of its moves. So its parts are encoded once, and put together."""

import dataclasses
from typing import Any, Final

import msgspec

from quartermaster.server.table.views import LogView, TableView, ToldToAll
from quartermaster.sight.view import View

_KNOWN: Final = 20_000  # parts that are remembered as they are sent


def to_json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def encode_view(view: TableView, told: bytes) -> bytes:
    """The same as `to_json`, with less work: what all are told alike comes encoded."""
    sent: Any = _Own(*msgspec.structs.astuple(view)[_TOLD:])
    if view.settings.clock.kind == "none":  # else its seats are told anew each time
        sent.seats = _part(view.seats)
    sent.deal = _part(view.deal)
    sent.removals = _part(view.removals)
    if view.brought is not None:
        sent.brought = _part(view.brought)
    if view.view is not None:
        sent.view = board = _View(*view.view.__dict__.values())
        board.countries = {name: _part(side) for name, side in view.view.countries.items()}
    sent.log = _Log(view.log.start, [_part(entry) for entry in view.log.entries])
    return b"%b,%b" % (told[:-1], msgspec.json.encode(sent)[1:])


def _part(value: object) -> msgspec.Raw:
    """A part as it is sent, by the very object: what is equal may be written differently."""
    known = _parts.get(id(value))
    if known is None:
        if len(_parts) >= _KNOWN:
            _parts.clear()
        # With the object, so that its id stays its own.
        known = _parts[id(value)] = value, msgspec.Raw(msgspec.json.encode(value))
    return known[1]


_parts: dict[int, tuple[object, msgspec.Raw]] = {}

# Shapes with the same fields in which parts may stand as they are sent.
_TOLD: Final = len(ToldToAll.__struct_fields__)  # which come first
_Own: Final[Any] = msgspec.defstruct("_Own", TableView.__struct_fields__[_TOLD:])
_View: Final[Any] = msgspec.defstruct("_View", [field.name for field in dataclasses.fields(View)])
_Log: Final[Any] = msgspec.defstruct("_Log", LogView.__struct_fields__)

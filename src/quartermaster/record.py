"""Game records: a text file that replays to the same game, byte for byte.

    quartermaster record 1
    rules: second
    options: {air-marshal: false, reallocate: true}
    seats: [[germany, japan, italy], [united-kingdom, soviet-union, united-states]]
    seed: 7

    germany: discard plunder
    germany: play land-battle
    ...

The head is YAML up to the first blank line; then one action a line. Lines that begin with
`#` are remarks. A game that began from a position has it in the head, as `position`.
"""

from dataclasses import dataclass, field
from typing import Any

import yaml

from quartermaster.errors import BrokenFile
from quartermaster.yamls import compose, lines_in, value_of

RECORD_VERSION = 1
_MAGIC = "quartermaster record"
_HEAD_KINDS: dict[str, tuple[type, str]] = {
    "rules": (str, "a name"),
    "options": (dict, "names with true or false"),
    "seats": (list, "a list of countries for each player"),
    "seed": (int, "a whole number"),
    "position": (dict, "a position"),
}


@dataclass(frozen=True)
class Record:
    """A record, read but not yet played."""

    rules: str
    options: dict[str, bool]
    seats: list[list[str]]
    seed: int
    position: dict[str, Any] | None
    # (country, action text, line in the file)
    actions: list[tuple[str, str, int]] = field(default_factory=list)


def format_record(
    rules: str,
    options: dict[str, bool],
    seats: list[list[str]],
    seed: int,
    position: dict[str, Any] | None,
    actions: list[tuple[str, str]],
) -> str:
    lines = [f"{_MAGIC} {RECORD_VERSION}"]
    head: dict[str, Any] = {"rules": rules, "options": options, "seats": seats, "seed": seed}
    if position is not None:
        head["position"] = position
    for key, value in head.items():
        text = yaml.safe_dump(value, default_flow_style=True, width=10**9, sort_keys=True)
        lines.append(f"{key}: {text.removesuffix('...' + chr(10)).strip()}")
    lines.append("")
    lines += [f"{country}: {text}" for country, text in actions]
    return "\n".join(lines) + "\n"


def parse_record(text: str, source: str = "<record>") -> Record:
    """Read a record; `BrokenFile` says file, line and reason."""
    lines = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").splitlines()
    if not lines or not lines[0].startswith(_MAGIC):
        raise BrokenFile(source, 1, f"expected '{_MAGIC} {RECORD_VERSION}' as the first line")
    version = lines[0].removeprefix(_MAGIC).strip()
    if version != str(RECORD_VERSION):
        raise BrokenFile(
            source, 1, f"record version {version or 'missing'}; this reads {RECORD_VERSION}"
        )
    blank = next((i for i, line in enumerate(lines) if not line.strip()), len(lines))
    head = _parse_head("\n".join(lines[1:blank]), source)
    actions = []
    for number, line in enumerate(lines[blank:], blank + 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        country, separator, action = stripped.partition(":")
        if not separator or not action.strip():
            raise BrokenFile(source, number, f"expected 'country: action', got {stripped!r}")
        actions.append((country.strip(), action.strip(), number))
    return Record(
        rules=head["rules"],
        options=head.get("options") or {},
        seats=head.get("seats") or [],
        seed=head.get("seed", 0),
        position=head.get("position"),
        actions=actions,
    )


def _parse_head(text: str, source: str) -> dict[str, Any]:
    nodes = compose(text, source, first_line=2)
    head = value_of(nodes[0], source, 2) if nodes else None
    if not isinstance(head, dict) or not isinstance(head.get("rules"), str):
        raise BrokenFile(source, 2, "the head lacks 'rules', the name of the rule set")
    lines = lines_in(nodes[0], first_line=2)
    for key, value in head.items():
        if key not in _HEAD_KINDS:
            raise BrokenFile(source, lines.get(str(key)), f"unknown key {key!r} in the head")
        kind, expected = _HEAD_KINDS[key]
        if value is not None and type(value) is not kind:
            raise BrokenFile(source, lines[key], f"{key}: expected {expected}, got {value!r}")
    return head

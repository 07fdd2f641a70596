"""Game records: a text file that replays to the same game, byte for byte.

    quartermaster record 2
    rules: second
    options: {air-marshal: false, reallocate: true}
    seats: [[germany, japan, italy], [united-kingdom, soviet-union, united-states]]
    seed: 7

    germany: discard plunder
    germany: play land-battle
    ...

The head is YAML up to the first blank line; then one action a line. Lines that begin with
`#` are remarks. A game that began from a position has it in the head, as `position`. The seed
says which generator the cards come from: a number the fast one, 64 hexadecimal digits the one
that cannot be foreseen. `sets` names the card sets that were added. `anew` tells after how many
actions all that was hidden was dealt anew, and by which seed; `deal` what the (last) seed was made
of and which cards came of it, of a game whose deal can be checked (`docs/fairness.md`). In version
1 a choice of one is never told, for it was never asked for; such a game is replayed, and goes on,
in the same way.
"""

from dataclasses import dataclass, field
from typing import Any

import yaml

from quartermaster.errors import BrokenFile, QuartermasterError, show
from quartermaster.forms.deals import Deal, Seed, is_hex, read_seed
from quartermaster.forms.yaml_text import compose, lines_in, value_of

RECORD_VERSION = 2
FIRST_VERSION = 1
_MAGIC = "quartermaster record"
_HEAD_KINDS: dict[str, tuple[type | tuple[type, ...], str]] = {
    "rules": (str, "a name"),
    "options": (dict, "names with true or false"),
    "sets": (list, "a list of names of card sets"),
    "seats": (list, "a list of countries for each player"),
    "seed": ((int, str), "a whole number, or 64 hexadecimal digits"),
    "position": (dict, "a position"),
    "anew": (list, "a list of [actions before, seed]"),
    "deal": (dict, "what the deal was made of"),
}


@dataclass(frozen=True)
class Record:
    """A record, read but not yet played."""

    rules: str
    options: dict[str, bool]
    seats: list[list[str]]
    seed: Seed
    position: dict[str, Any] | None
    is_version_1: bool = False
    # (country, action text, line in the file)
    actions: list[tuple[str, str, int]] = field(default_factory=list)
    # (actions before, seed): when all that was hidden was dealt anew
    anew: list[tuple[int, str]] = field(default_factory=list)
    deal: Deal | None = None
    # What the record says of its deal: the commitment, and the cards that came of it.
    told: dict[str, Any] = field(default_factory=dict)
    sets: list[str] = field(default_factory=list)  # card sets that were added


def format_record(
    rules: str,
    options: dict[str, bool],
    seats: list[list[str]],
    seed: Seed,
    position: dict[str, Any] | None,
    actions: list[tuple[str, str]],
    anew: list[tuple[int, str]] | None = None,
    deal: dict[str, Any] | None = None,
    is_version_1: bool = False,
    sets: list[str] | None = None,
) -> str:
    lines = [f"{_MAGIC} {FIRST_VERSION if is_version_1 else RECORD_VERSION}"]
    head: dict[str, Any] = {"rules": rules, "options": options, "seats": seats, "seed": seed}
    if sets:
        head["sets"] = sets
    if position is not None:
        head["position"] = position
    if anew:
        head["anew"] = [list(item) for item in anew]
    if deal is not None:
        head["deal"] = deal
    for key, value in head.items():
        text = yaml.safe_dump(value, default_flow_style=True, width=10**9, sort_keys=True)
        lines.append(f"{key}: {text.removesuffix('...' + chr(10)).strip()}")
    lines.append("")
    lines += [f"{country}: {text}" for country, text in actions]
    return "\n".join(lines) + "\n"


def parse_record(text: str, source: str = "<record>") -> Record:
    """Read a record; `BrokenFile` says file, line and reason."""
    if not isinstance(text, str):
        raise QuartermasterError(f"a record is text, got {show(text)}")
    lines = text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}").splitlines()
    if not lines or not lines[0].startswith(_MAGIC):
        raise BrokenFile(source, 1, f"expected '{_MAGIC} {RECORD_VERSION}' as the first line")
    version = lines[0].removeprefix(_MAGIC).strip()
    if version not in (str(FIRST_VERSION), str(RECORD_VERSION)):
        raise BrokenFile(
            source,
            1,
            f"record version {version or 'missing'};"
            f" this reads {FIRST_VERSION} and {RECORD_VERSION}",
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
    try:
        deal = None if head.get("deal") is None else Deal.read(head["deal"])
        anew = [read_anew(item, len(actions)) for item in head.get("anew") or []]
        if [before for before, _ in anew] != sorted(before for before, _ in anew):
            raise QuartermasterError("anew: the earliest comes first")
    except QuartermasterError as error:
        raise BrokenFile(source, None, str(error)) from None
    return Record(
        rules=head["rules"],
        options=head.get("options") or {},
        seats=head.get("seats") or [],
        seed=head.get("seed", 0),
        position=head.get("position"),
        is_version_1=version == str(FIRST_VERSION),
        actions=actions,
        anew=anew,
        deal=deal,
        told=head.get("deal") or {},
        sets=_names_in(head, source),
    )


def _names_in(head: dict[str, Any], source: str) -> list[str]:
    names = head.get("sets") or []
    if not all(isinstance(name, str) for name in names):
        raise BrokenFile(source, None, f"sets: expected names of card sets, got {show(names)}")
    return list(names)


def read_anew(item: Any, most: int) -> tuple[int, str]:
    is_pair = isinstance(item, list) and len(item) == 2
    if not (is_pair and type(item[0]) is int and 0 <= item[0] <= most and type(item[1]) is str):
        raise QuartermasterError(
            f"anew: expected [actions before, seed], with 0 to {most} actions, got {show(item)}"
        )
    read_seed(item[1])
    return item[0], item[1]


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
        kinds = kind if isinstance(kind, tuple) else (kind,)
        is_wrong = value is not None and type(value) not in kinds
        if is_wrong or (key == "seed" and isinstance(value, str) and not is_hex(value)):
            raise BrokenFile(source, lines[key], f"{key}: expected {expected}, got {show(value)}")
    return head

"""Save and load a game's whole state as plain data (for JSON, MessagePack, a database).

A save holds everything, hidden cards and the seed too: it is for the server's
own storage, never for a client. Across versions keep the game record instead.
"""

from collections.abc import Iterable
from typing import Any

from quartermaster.errors import QuartermasterError
from quartermaster.rules.engine import advance
from quartermaster.rules.frames import Frame, Occasion
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.shuffling import SEED_BYTES
from quartermaster.rules.state import State

SAVE_VERSION = 2
READABLE = (1, 2)  # saves of version 1 have no seed: their chance is that of the fast generator


def dump_state(s: State) -> dict[str, Any]:
    """The state as ints, lists and strings."""
    return {
        "version": SAVE_VERSION,
        "pieces": list(s.pieces),
        "air": list(s.air),
        "zones": [list(zone) for zone in s.zones],
        "stack": [
            [f.program, f.pc, f.country, f.card,
             None if f.because is None else list(f.because.data()),
             f.word, f.progress, list(f.memory)]
            for f in s.stack
        ],
        "score": [s.axis_score, s.allies_score],
        "round": s.round,
        "country": s.country,
        "step": s.step,
        "winner": s.winner,
        "seed": s.seed.hex(),
        "rng": hex(s.rng),  # more than the 53 bits that every JSON reader keeps
        "armed": hex(_mask(s.armed_cards())),
        "used": list(s.used),
        "fresh": list(s.fresh),
        "stopped": hex(_mask(s.stopped)),
        "protected": list(s.protected),
        "sustained": list(s.sustained),
        "at_start": list(s.at_start),
        "lifting": s.lifting,
    }  # fmt: skip


def load_state(rules: Rules, data: dict[str, Any], options: list[int] | None = None) -> State:
    """The state that `dump_state` gave, at the same decision; it is trusted. Its choices are found
    anew unless they are given, as they must be where hidden cards are missing."""
    if data.get("version") not in READABLE:
        raise QuartermasterError(
            f"this save is of version {data.get('version')!r}; expected {SAVE_VERSION}"
        )
    for key, length in (
        ("pieces", 6), ("air", 6), ("zones", 36), ("protected", 6), ("sustained", 6),
        ("at_start", 6), ("score", 2),
    ):  # fmt: skip
        if len(data[key]) != length:
            raise QuartermasterError(f"{key}: expected {length} values")
    for key in ("round", "country", "step", "winner", "lifting"):
        if type(data[key]) is not int:
            raise QuartermasterError(f"{key}: expected a number, got {data[key]!r}")
    stack = []
    for program, pc, country, card, occasion, a, b, memory in data["stack"]:
        stack.append(
            Frame(
                program, pc, country, card, None if occasion is None else Occasion(*occasion),
                a, b, tuple(memory),
            )
        )  # fmt: skip
    seed = bytes.fromhex(data.get("seed", ""))
    if len(seed) not in (0, SEED_BYTES):
        raise QuartermasterError(f"seed: expected {SEED_BYTES} bytes, got {len(seed)}")
    s = State(
        rules,
        tuple(data["pieces"]),
        [tuple(zone) for zone in data["zones"]],
        stack,
        air=tuple(data["air"]),
        axis_score=data["score"][0],
        allies_score=data["score"][1],
        round=data["round"],
        country=data["country"],
        step=data["step"],
        winner=data["winner"],
        rng=int(data["rng"], 16),
        used=tuple(data["used"]),
        fresh=tuple(data["fresh"]),
        stopped=tuple(_cards(data["stopped"])),
        protected=tuple(data["protected"]),
        sustained=tuple(data["sustained"]),
        at_start=tuple(data["at_start"]),
        lifting=data["lifting"],
        seed=seed,
    )
    for card in _cards(data["armed"]):
        s.arm(card)
    if options is None:
        advance(s)
    else:
        s.options = options
    return s


def _mask(cards: Iterable[int]) -> int:
    """Cards as the bits of a number."""
    return sum(1 << card for card in cards)


def _cards(digits: str) -> list[int]:
    """The cards that are the bits of a number, given in hexadecimal digits."""
    mask = int(digits, 16)
    return [card for card in range(mask.bit_length()) if mask >> card & 1]

"""Rulings on cards: what was decided where a card's text leaves something open.

`docs/rulings.md` is where they are written; `tools/bake_rulings.py` puts them into `rulings.json`.
"""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

RULING_PARTS = ("about", "text", "why")  # what people read of it


@dataclass(frozen=True)
class Ruling:
    """In English; other languages have it as `ruling.ID.text` and so on."""

    id: str
    cards: tuple[str, ...]  # their ids, or how those begin
    editions: tuple[str, ...]
    about: str  # the cards, for people
    text: str
    why: str


@cache
def all_rulings() -> tuple[Ruling, ...]:
    """
    >>> all_rulings()[0].id
    'submarines-first-germany'
    """
    rows = json.loads((files("quartermaster.cards") / "rulings.json").read_text("utf-8"))
    return tuple(
        Ruling(
            row["id"], tuple(row["cards"]), tuple(row["editions"]), row["about"], row["text"],
            row["why"],
        )
        for row in rows
    )  # fmt: skip

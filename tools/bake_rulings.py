"""Puts the rulings on cards of docs/rulings.md where the game finds them.

python tools/bake_rulings.py
"""

import json
import re
from pathlib import Path

from quartermaster.cards.vocabulary import slug

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "src/quartermaster/cards/rulings.json"


def rulings() -> list[dict[str, object]]:
    """The rows of the table of cards: the ids they are about, or how those begin; the ruling
    and the reason. Other languages have them as `ruling.<id>.text`, `.why`, `.about` in their
    `cards.po`."""
    text = (ROOT / "docs/rulings.md").read_text(encoding="utf-8")
    part = text.partition("## Cards with a doubt")[2].partition("\n## ")[0]
    found: list[dict[str, object]] = []
    for line in part.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[0] not in ("card", "---"):
            names = re.sub(r"\([^)]*\)| and its kin| with Air Marshal", "", cells[0])
            cards = [slug(name.strip()) for name in re.split(",| with ", names) if name.strip()]
            editions = [name for name in ("first", "second") if f"({name}" in cells[0]]
            found.append(
                {
                    "id": slug(cells[0]),
                    "cards": cards,
                    "editions": editions or ["first", "second"],
                    "about": cells[0],
                    "text": cells[1],
                    "why": cells[2],
                }
            )
    return found


def baked() -> str:
    return json.dumps(rulings(), ensure_ascii=False, indent=0) + "\n"


if __name__ == "__main__":
    TARGET.write_text(baked(), encoding="utf-8")

"""Draws docs/play.svg, the README's picture: a decision in a game in the terminal.

.venv/bin/python tools/draw_play.py
"""

import re
from pathlib import Path

from rich.console import Console

from quartermaster import Game
from quartermaster.cli import play

POSITION = {
    "round": 3,
    "turn": "germany",
    "score": [14, 11],
    "pieces": {
        "germany": ["germany", "western-europe", "eastern-europe", "baltic-sea"],
        "united-kingdom": ["united-kingdom", "india", "north-sea"],
        "japan": ["japan", "china", "sea-of-japan"],
        "soviet-union": ["moscow", "ukraine", "russia"],
        "italy": ["italy", "balkans", "mediterranean-sea"],
        "united-states": ["eastern-united-states", "western-united-states", "north-atlantic"],
    },
    "hand": {"germany": ["land-battle", "build-army", "plunder"]},
    "table": {"germany": ["blitzkrieg", "dive-bombers"]},
    "set": {"soviet-union": ["stalingrad"]},
}


def main() -> None:
    console = Console(record=True, width=100)
    vars(play)["console"] = console  # the terminal that everything is printed to
    game = Game.from_position(POSITION, seats=6)
    session = play.Session(game, "random", Path("game.txt"), "quartermaster play")
    session._show_board()
    session._show_hand("germany")
    session._show_choices(session._choices())
    game.apply("play land-battle")
    game.apply("battle ukraine")
    game.apply("use stalingrad")
    session._tell()
    session._show_choices(session._choices())
    svg = console.export_svg(title="quartermaster play")
    # Plain fonts of the reader's own: a picture must not load anything.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.S)
    svg = re.sub(r"<!--.*?-->\s*", "", svg.replace("Fira Code", "DejaVu Sans Mono"), flags=re.S)
    Path("docs/play.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()

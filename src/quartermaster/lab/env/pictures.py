"""A game as text and as an image of the map, as everyone at the table may see it."""

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from quartermaster.game import Game
from quartermaster.rules.board import SPACES
from quartermaster.rules.names import COUNTRIES
from quartermaster.rules.supply import is_supplied

WIDTH, HEIGHT = 1080, 480
_SEA, _LAND, _STAR, _BORDER, _INK = "#b3cdd0", "#f0e6cd", "#d9b44a", "#8f8a78", "#222222"
_CUT_OFF = "#ff4d00"  # the rim of a piece out of supply
COLOURS = {  # as on the page
    "germany": "#2b2a33",
    "united-kingdom": "#4a37cc",
    "japan": "#f3ba22",
    "soviet-union": "#b3301d",
    "italy": "#0f8270",
    "united-states": "#bcd9e7",
}

Point = tuple[float, float]

RENDER_MODES = ("human", "ansi", "rgb_array")


def rendered(game: Game, mode: str | None) -> str | NDArray[np.uint8] | None:
    """A game as an environment with a render mode shows it; `human` prints it.

    >>> rendered(Game.new(seed=7), "ansi").splitlines()[0]
    'round 1: germany, turn step; axis 0, allies 0'
    """
    if mode == "rgb_array":
        return image_of(game)
    if mode == "ansi":
        return text_of(game)
    if mode == "human":
        print(text_of(game))
    return None


def text_of(game: Game) -> str:
    """A game in a few lines: the score, whose turn it is, and each country's side.

    >>> print(text_of(Game.new("second", seed=7)).splitlines()[1][:60])
    germany         hand 10 deck 31 discard  0 set 0 | army germ
    """
    view = game.view()
    score = f"axis {view.score['axis']}, allies {view.score['allies']}"
    now = f"won by the {view.winner}" if view.winner else f"{view.turn}, {view.step} step"
    lines = [f"round {view.round}: {now}; {score}"]
    for country, side in view.countries.items():
        pieces = [f"army {space}" for space in side.armies]
        pieces += [f"navy {space}" for space in side.navies]
        pieces += [f"air force {space}" for space in side.air_forces]
        sizes = (
            f"hand {side.hand_size:2} deck {side.deck_size:2} discard {side.discard_size:2}"
            f" set {side.set_size}"
        )
        table = f" | {', '.join(side.table)}" if side.table else ""
        lines.append(f"{country:15} {sizes} | {', '.join(pieces) or 'no pieces'}{table}")
    return "\n".join(lines)


def image_of(game: Game) -> NDArray[np.uint8]:
    """The map with its pieces and the score: squares are armies, circles navies, triangles air
    forces; a piece out of supply has an orange rim.

    >>> image_of(Game.new("second", seed=7)).shape
    (480, 1080, 3)
    """
    image = _map(game.state.rules.board.edition).copy()
    draw = ImageDraw.Draw(image)
    spaces, scale = _baked()["spaces"], _scale()
    s = game.state
    for at, (space, _) in enumerate(SPACES):
        slots = iter(spaces[space]["slots"])
        for index, country in enumerate(COUNTRIES):
            x, y = 0.0, 0.0
            if s.pieces[index] >> at & 1:
                x, y = (value * scale for value in next(slots))
                rim = _INK if is_supplied(s, index, at) else _CUT_OFF
                shape = draw.rectangle if spaces[space]["kind"] == "land" else draw.ellipse
                shape((x - 7, y - 7, x + 7, y + 7), COLOURS[country], rim, 2)
            if s.air[index] >> at & 1:
                corners = [(x, y - 17), (x - 6, y - 8), (x + 6, y - 8)]
                draw.polygon(corners, COLOURS[country], _INK)
    draw.rectangle((0, HEIGHT - 16, WIDTH, HEIGHT), "#ffffff")
    draw.text((6, HEIGHT - 14), text_of(game).splitlines()[0], _INK)
    return np.asarray(image)


@cache
def _baked() -> Any:
    """The map as the page draws it: outlines, and places for pieces."""
    return json.loads((files("quartermaster") / "page" / "map.json").read_text(encoding="utf-8"))


def _scale() -> float:
    width: float = _baked()["box"][0]
    return WIDTH / width


@cache
def _map(edition: str) -> Image.Image:
    """The map without pieces, drawn at twice its size and made smaller, for smooth lines."""
    image = Image.new("RGB", (WIDTH * 2, HEIGHT * 2), _SEA)
    draw = ImageDraw.Draw(image)
    baked, scale = _baked(), _scale() * 2
    for kind, colour in (("sea", _SEA), ("land", _LAND)):
        for space in baked["spaces"].values():
            if space["kind"] == kind:
                path = space["path"] if isinstance(space["path"], list) else space["path"][edition]
                for outline in _outlines(path, scale):
                    if len(outline) > 2:
                        draw.polygon(outline, colour, _BORDER, 2)
    for x, y in baked["stars"].values():
        x, y = x * scale, y * scale
        draw.regular_polygon((x, y, 9), 5, fill=_STAR, outline=_INK)
    return image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _outlines(rings: list[list[int]], scale: float) -> list[list[Point]]:
    """The outlines of a space: rings of lines, `~n` for line n the other way round."""
    lines = _lines()
    return [
        [
            (x * scale, y * scale)
            for n in ring
            for x, y in (lines[n] if n >= 0 else lines[~n][::-1])[:-1]
        ]
        for ring in rings
    ]


@cache
def _lines() -> list[list[Point]]:
    """Every line of the map: where it begins and then steps, in tenths of a pixel."""
    found = []
    for text in _baked()["lines"]:
        steps = np.array(text.split(), dtype=float).reshape(-1, 2)
        found.append([(x, y) for x, y in np.cumsum(steps, axis=0) / 10])
    return found

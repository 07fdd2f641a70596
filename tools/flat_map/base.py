"""What the map is made of: the box it fills, and the types that its steps pass on."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Place = tuple[float, float]  # longitude and latitude, or x and y
Numbers = npt.NDArray[np.float64]
Shape = Any  # of shapely, which has no types
Shapes = dict[str, Shape]  # by country or space
Owners = tuple[str, ...]  # whose a face is, edition by edition

OUT = Path(__file__).parent.parent / "flat-map.json"
WIDTH, HEIGHT = 2000, 1080
CUT = -102.0  # the meridian of the left and the right edge
NORTH, SOUTH = 78.0, -60.0
EDITIONS = ("first", "second")
SUPPLY = {
    "australia",
    "china",
    "eastern-united-states",
    "germany",
    "india",
    "italy",
    "japan",
    "moscow",
    "ukraine",
    "united-kingdom",
    "western-europe",
    "western-united-states",
}


def _pair(text: str) -> Place:
    one, other = map(float, text.split())
    return one, other


def at(text: str) -> list[Place]:
    """Points out of "lon lat, lon lat"."""
    return [_pair(point) for point in text.split(", ")]


# Which countries make up a space. Longitudes run from CUT to CUT + 360 from here on.

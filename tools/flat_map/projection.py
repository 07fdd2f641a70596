"""The warp that puts longitudes and latitudes on the map: rectangular, cut near 100 W, with Europe
enlarged."""

from collections.abc import Sequence

import numpy as np
import shapely
from pyproj import Proj

from flat_map.base import CUT, HEIGHT, NORTH, SOUTH, WIDTH, Numbers, Place, Shape


def bump(value: Numbers, middle: float, width: float) -> Numbers:
    return np.asarray(np.exp(-(((value - middle) / width) ** 2)))


def make_warp() -> tuple[Numbers, Numbers]:
    """Tables of x and y over longitude and latitude.

    How many units a degree takes varies smoothly: most in Europe, more than usual in East Asia,
    less in the empty Pacific, the Arctic and the far south. Each row and each column is then
    scaled to fill the box, so that the map stays rectangular.
    """
    lons = np.arange(CUT, CUT + 360.1, 0.5)
    lats = np.arange(-90, 90.1, 0.5)
    lon, lat = np.meshgrid(lons, lats)
    wide = (
        1
        + 1.75 * bump(lon, 16, 28) * (0.25 + 0.75 * bump(lat, 50, 34))
        + 0.5 * bump(lon, 115, 24) * bump(lat, 12, 45)
        + 0.35 * bump(lon, 254, 18)
        + 0.35 * bump(lon, -88, 18)
        - 0.15 * bump(lon, -38, 18)
        - 0.45 * bump(lon, 200, 34)
    )
    projection = Proj(proj="patterson")
    base = np.gradient(np.array([projection(0, one)[1] for one in lats]))[:, None]
    tall = base * (1 + 0.9 * bump(lat, 49, 14) * (0.5 + 0.5 * bump(lon, 20, 60)))
    tall = tall * (1 - 0.5 * np.clip((lat - 64) / 12, 0, 1))
    tall = tall * (1 - 0.5 * np.clip((-lat - 34) / 14, 0, 1))

    def total(density: Numbers, axis: int) -> Numbers:
        sums = np.cumsum(density, axis=axis)
        return np.asarray(sums - (density + np.take(density, [0], axis=axis)) / 2)

    x = total(wide, 1)
    x = x / x[:, -1:] * WIDTH
    y = total(tall, 0)
    top, bottom = y[lats == NORTH], y[lats == SOUTH]
    y = (top - y) / (top - bottom) * HEIGHT
    return x, y


X, Y = make_warp()


def warp_points(places: Sequence[Place] | Numbers) -> Numbers:
    """(lon, lat) -> (x, y), between the tables' corners."""
    points = np.asarray(places, dtype=float)
    column = np.clip((points[:, 0] - CUT) * 2, 0, X.shape[1] - 1)
    row = np.clip((points[:, 1] + 90) * 2, 0, X.shape[0] - 1)
    c = np.minimum(column.astype(int), X.shape[1] - 2)
    r = np.minimum(row.astype(int), X.shape[0] - 2)
    u, v = column - c, row - r
    return np.column_stack(
        [
            (t[r, c] * (1 - u) + t[r, c + 1] * u) * (1 - v)
            + (t[r + 1, c] * (1 - u) + t[r + 1, c + 1] * u) * v
            for t in (X, Y)
        ]
    )


def warp(shape: Shape) -> Shape:
    return shapely.transform(shape, warp_points)


def warp_point(place: Place) -> Place:
    x, y = warp_points([place])[0]
    return x, y


# 1. Countries to spaces.

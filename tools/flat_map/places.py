"""Pieces, stars, names, straits and pointers find their places (step 6)."""

import itertools
import math
from typing import Any

import numpy as np
import shapely
from shapely.geometry import LineString, Point, box
from shapely.ops import unary_union

from flat_map.base import CUT, WIDTH, Numbers, Place, Shape, Shapes, at
from flat_map.projection import warp_point, warp_points
from flat_map.world import SEEDS

# Where the name stands, where the pieces do, how large those are, and the star if there is one.
Settled = tuple[Place, list[Numbers], float, Place | Numbers | None]

RADIUS = 11  # of a piece
APART = 26  # pieces of a space, middle to middle
STAR = 9
LETTER, LINE = 7.1, 14  # how much room a name takes

# The land that holds a strait, the seas it joins, the anchor's place, an arrow into each sea.
STRAITS = [
    ("scandinavia", "north-sea", "baltic-sea", "8.6 59.4", "7 58.2, 5.4 57.4", "9.4 58.6, 11 58.1"),
    (
        "north-africa",
        "north-sea",
        "mediterranean-sea",
        "-5.2 34.3",
        "-6.5 34.9, -8.1 35.4",
        "-4.2 34.8, -2.8 35.7",
    ),
    (
        "middle-east",
        "mediterranean-sea",
        "bay-of-bengal",
        "36.4 30.7",
        "34.6 31.4, 33 32.2",
        "35.6 29.4, 35.2 27",
    ),
    (
        "southeast-asia",
        "bay-of-bengal",
        "south-china-sea",
        "102.2 3.9",
        "100.6 3.6, 98.6 4.6",
        "103.6 4.2, 105.8 4.6",
    ),
    (
        "latin-america",
        "north-atlantic",
        "southeast-pacific",
        "-80.9 8.4",
        "-80.2 9.6, -78.6 12",
        "-81.3 7.3, -82.3 4.8",
    ),
]

# What lies beyond the edges: (on the left, on the right, latitude of each).
POINTERS = [
    ("canada", "pacific-northwest", 56, 56),
    ("eastern-united-states", "western-united-states", 41, 41),
    ("latin-america", "western-united-states", 26.5, 30),
    ("latin-america", "east-pacific", 21, 21.5),
    ("southeast-pacific", "east-pacific", -12, -12),
]

# Where names, pieces and stars stand, where that is not found well: "lon lat" of each or "".
PLACES = {
    "iceland": ("-19 61.5", ""),
    "hawaii": ("203 13.5", ""),
    "iwo-jima": ("147 18", ""),
    "japan": ("148.5 33", ""),
    "philippines": ("134.5 14", ""),
    "new-zealand": ("184 -43", ""),
    "madagascar": ("56 -26", ""),
    "new-guinea": ("147 3.5", ""),
    "united-kingdom": ("-11 49.7", ""),
    "indonesia": ("112 -11.5", "114 0"),
    "western-europe": ("-4 40", "2.5 46.8"),
    "eastern-europe": ("26 55.6", "24 51.4"),
    "italy": ("12.2 40", "", "9 40.1"),
    "ukraine": ("36 50.3", "36 48.3"),
    "india": ("77 27", "78.5 22.5"),
    "north-africa": ("22 27.5", "6 29.5"),
    "africa": ("23 0", "23 -9"),
    "southeast-asia": ("101.5 22.3", "101.5 16"),
    "mediterranean-sea": ("28.5 33.7", "18 34.9"),
    "baltic-sea": ("15 55.3", ""),
    "black-sea": ("37.8 42.1", "32 42.8"),
    "bay-of-bengal": ("88 12", "66 8"),
    "south-china-sea": ("113 7.8", "115 14"),
    "sea-of-japan": ("134.2 40", "130 26"),
    "north-sea": ("-17 52.5", "-20 45"),
    "caspian-sea": ("50.8 46.9", "51 41.5"),
    "southern-ocean": ("-20 -41", "-20 -49"),
    "indian-ocean": ("78 -27", "78 -35"),
    "south-pacific": ("158 -25", "158 -32"),
    "east-pacific": ("225 0", "225 -8"),
    "central-pacific": ("168 13", "168 6"),
    "north-pacific": ("178 42", "178 35"),
    "south-atlantic": ("-20 -5", "-20 -13"),
    "north-atlantic": ("-52 45", "-52 38"),
    "southeast-pacific": ("-88 -22", "-88 -30"),
}
AROUND = ("iceland", "hawaii", "iwo-jima", "japan", "madagascar", "new-zealand", "philippines")


def name_lines(space: str) -> list[str]:
    """The name, in two lines as even as can be where it is long."""
    words = [word if word == "of" else word.capitalize() for word in space.split("-")]
    if len(space) <= 9 or len(words) == 1:
        return [" ".join(words)]
    splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(splits, key=lambda lines: max(map(len, lines))))


def name_box(space: str, x: float, y: float) -> Shape:
    lines = name_lines(space)
    width = max(map(len, lines)) * LETTER / 2
    height = len(lines) * LINE / 2
    return box(x - width, y - height, x + width, y + height)


def grid_points(shape: Shape, step: float) -> Numbers:
    if shape.is_empty:
        return np.empty((0, 2))
    left, top, right, bottom = shape.bounds
    xs, ys = np.meshgrid(np.arange(left, right + step, step), np.arange(top, bottom + step, step))
    points = np.column_stack([xs.ravel(), ys.ravel()])
    return np.asarray(points[shapely.contains_xy(shape, points[:, 0], points[:, 1])])


def cluster(points: Numbers, middle: Numbers, count: int, apart: float) -> list[Numbers]:
    """Places near the middle that keep apart; the best of some beginnings."""
    best: list[Numbers] = []
    least = math.inf
    near = points[np.argsort(np.hypot(*(points - middle).T))]
    for start in near[:40:4]:
        chosen = [start]
        free = near[np.hypot(*(near - start).T) >= apart]
        while len(chosen) < count and len(free):
            # Close to those that stand already, so that they stand as a group.
            far = sum(np.hypot(*(free - one).T) for one in chosen) + np.hypot(*(free - middle).T)
            chosen.append(free[np.argmin(far)])
            free = free[np.hypot(*(free - chosen[-1]).T) >= apart]
        spread = sum(np.hypot(*(one - middle)) for one in chosen) - 1e4 * len(chosen)
        if spread < least:
            best, least = chosen, spread
    return best


# How six pieces stand where there is room: rows of a honeycomb, best first.
PATTERNS = [
    [(-0.75, 0), (0.25, 0), (1.25, 0), (-1.25, 1), (-0.25, 1), (0.75, 1)],
    [(-0.25, 0), (0.75, 0), (-0.75, 1), (0.25, 1), (-0.25, 2), (0.75, 2)],
    [(-0.5, 0), (0.5, 0), (-1, 1), (0, 1), (1, 1), (0.5, 2)],
    [(0, 0), (-0.5, 1), (0.5, 1), (-1, 2), (0, 2), (1, 2)],
]


def make_patterns() -> list[tuple[float, Numbers]]:
    """The patterns, upright and turned, mirrored too, around their middle."""
    made: list[tuple[float, Numbers]] = []
    for rank, pattern in enumerate(PATTERNS):
        points = np.array(pattern) * (1, math.sqrt(0.75)) * (APART + 0.6)
        points -= points.mean(axis=0)
        for turned in (points, points * (-1, 1), points[:, ::-1], points[:, ::-1] * (1, -1)):
            made.append((rank * 3, turned))
    return made


def rows(shape: Shape, middle: Numbers) -> list[Numbers]:
    """As cluster, in even rows where there is room for them."""
    shapely.prepare(shape)
    moves = np.array(list(itertools.product(np.arange(-90, 91, 3), repeat=2)))
    moves = moves[np.argsort(np.hypot(*moves.T))]
    best: list[Numbers] = []
    least = math.inf
    for cost, pattern in make_patterns():
        points = (middle + moves)[:, None] + pattern
        fits = shapely.contains_xy(shape, points[..., 0], points[..., 1]).all(axis=1)
        if fits.any():
            first = np.argmax(fits)
            cost += np.hypot(*moves[first])
            if cost < least:
                heart = points[first].mean(axis=0)
                best = sorted(points[first], key=lambda one: np.hypot(*(one - heart)))
                least = cost
    return best


def settle(
    space: str,
    region: Shape,
    taken: Shape,
    has_star: bool,
    label: Place | None,
    middle: Place | None,
    fixed: Place | None,
) -> Settled:
    """Label, slots, size and star of a space, in the room that is left."""
    room = region.difference(taken)
    if fixed:
        room = room.difference(Point(fixed).buffer(STAR + 1))
    step = max(3, math.sqrt(region.area) / 45)
    best: Settled | None = None
    most = -math.inf
    size: float
    for size in (1, 0.9, 0.8, 0.7, 0.6):
        inner = room.buffer(-RADIUS * size - 1.5)
        labels = [(*label, 0)] if label else label_places(space, room, step * 3)
        for x, y, cost in labels:
            name = name_box(space, x, y)
            free = inner.difference(name.buffer(RADIUS * size + 1))
            points = grid_points(free, step)
            if not len(points):
                continue
            heart = np.array(middle or main_part(free).centroid.coords[0])
            apart: float = APART
            items = rows(free, heart)
            for apart in () if items else (APART, 22.5):
                items = cluster(points, heart, 6, apart)
                if len(items) == 6:
                    break
            star: Place | Numbers | None
            star = (fixed or star_place(room, name, items)) if has_star else None
            spread = sum(np.hypot(*(one - heart)) for one in items) / len(items)
            centre = np.asarray(sum(items) / len(items))
            # A name reads best right above its pieces.
            score = 200 * len(items) - spread - cost - 0.7 * abs(x - centre[0])
            score -= 30 * (apart < APART) + 15 * (y > centre[1])
            if has_star and star is None:
                score -= 200
            if score > most:
                best, most = ((x, y), items, size, star), score
        if best and len(best[1]) == 6 and (best[3] is not None or not has_star):
            break
    assert best is not None, space
    if len(best[1]) < 6 or (has_star and best[3] is None):
        print("too little room in", space)
    return best


def star_place(room: Shape, name: Shape, items: list[Numbers]) -> Numbers | None:
    """The place nearest to the name that is free."""
    pieces = [Point(one).buffer(RADIUS + 1) for one in items]
    free = room.difference(unary_union([name, *pieces])).buffer(-STAR - 1)
    points = grid_points(free.intersection(name.buffer(60)), 2)
    if not len(points):
        return None
    x, y = name.centroid.coords[0]
    away = np.abs(points - (x, y))
    cost = shapely.distance(shapely.points(points), name) * 2 + away[:, 0] * 0.3 + away[:, 1]
    return np.asarray(points[np.argmin(cost)])


def main_part(shape: Shape) -> Shape:
    return max(shapely.get_parts(shape), key=lambda part: part.area)


def label_places(space: str, room: Shape, step: float) -> list[tuple[float, float, float]]:
    """(x, y, cost): places for the name, dear where it leaves the space."""
    middle = main_part(room).centroid
    places = []
    for x, y in grid_points(room, step):
        name = name_box(space, x, y)
        outside = name.difference(room).area / name.area
        if outside < 0.35:
            cost = 400 * outside + 0.15 * math.hypot(x - middle.x, y - middle.y)
            places.append((x, y, cost))
    places.sort(key=lambda place: place[2])
    return places[:24] or [(middle.x, middle.y, 0)]


def arrange(
    regions: Shapes, supply: set[str]
) -> tuple[dict[str, Settled], list[dict[str, Any]], list[dict[str, Any]]]:
    """Labels, slots, sizes, stars, straits and pointers."""
    straits: list[dict[str, Any]] = []
    pointers: list[dict[str, Any]] = []
    marks: list[Shape] = []
    for land, *seas, where, one_arrow, other_arrow in STRAITS:
        [place] = warp_points(at(where))
        lines = [warp_points(at(arrow)) for arrow in (one_arrow, other_arrow)]
        straits.append({"land": land, "joins": seas, "at": place, "arrows": lines})
        marks += [Point(place).buffer(12), *[LineString(line).buffer(5) for line in lines]]
    for left, right, lat, other_lat in POINTERS:
        there = (12, warp_point((CUT, lat))[1])
        back = (WIDTH - 12, warp_point((CUT + 360, other_lat))[1])
        pointers.append({"from": left, "to": right, "at": there, "side": "left"})
        pointers.append({"from": right, "to": left, "at": back, "side": "right"})
        marks += [Point(there).buffer(16), Point(back).buffer(16)]
    taken = unary_union(marks)

    placed: dict[str, Settled] = {}
    spaces = sorted(regions, key=lambda space: (space not in AROUND, space in SEEDS, space))
    for space in spaces:
        region = regions[space]
        places = (*PLACES.get(space, ()), "", "", "")[:3]
        label, middle, star = [warp_point(at(text)[0]) if text else None for text in places]
        if space in AROUND:
            others = [shape for name, shape in regions.items() if name not in (space, *SEEDS)]
            room = region.buffer(34).difference(unary_union(others))
            placed[space] = settle_around(space, region, room, taken, space in supply, label)
        else:
            placed[space] = settle(space, region, taken, space in supply, label, middle, star)
        if space not in SEEDS:
            taken = taken.union(name_box(space, *placed[space][0]))
        if space in AROUND:
            pieces = [Point(one).buffer(RADIUS + 1) for one in placed[space][1]]
            taken = unary_union([taken, *pieces])
    return placed, straits, pointers


def settle_around(
    space: str, region: Shape, room: Shape, taken: Shape, has_star: bool, label: Place | None
) -> Settled:
    """As settle, but pieces may stand in the water around a small island."""
    assert label is not None, space
    x, y = label
    room = room.difference(unary_union([taken, name_box(space, x, y)])).buffer(-RADIUS - 1)
    points = grid_points(room, 2)
    # First the widest part of the island, then as far inland as there is land.
    inland = shapely.distance(shapely.points(points), region.buffer(-6))
    middle = np.array(shapely.maximum_inscribed_circle(main_part(region)).coords[0])
    items: list[Numbers] = []
    count = 6 + has_star
    order = np.argsort(inland * 3 + np.hypot(*(points - middle).T) * 0.5)
    for one in points[order]:
        if len(items) < count and all(np.hypot(*(one - other)) >= APART for other in items):
            items.append(one)
    star = items.pop(1) if has_star else None
    if len(items) < 6:
        print("only", len(items), "slots in", space)
    return (x, y), items, 1, star

"""Warps the flat map (tools/flat-map.json, 2000 x 1080) into the board of the page (1440 x 640).

The second step of the map, after `bake_map.py`: Europe, the Mediterranean and East Asia grow, empty
oceans and continents pay for it, as on the printed boards. Needs numpy and shapely, which the
package itself does not:

    python tools/warp_map.py

Writes src/quartermaster/page/map.json: lines, coast, places of pieces, names and badges, in
pixels of a board of 1440 px; prints what does not fit. tests/page/test_map.py checks the result.

The warp is F = frame o lenses. `frame` is separable: x' = X(x), y' = Y(y), each the normed
integral of a positive density, so it is smooth and can be inverted. A lens moves a point away
from its middle by the factor 1 + k exp(-r2), r2 = (dx/a)2 + (dy/b)2; with -0.5 < k < 2 no two
points meet. Every path, label and line goes through F point by point, so shared corners stay so.
"""

import itertools
import json
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from fold_map import fold
from shapely.geometry import LineString, Polygon
from shapely.ops import unary_union

Numbers = npt.NDArray[np.float64]
Shape = Any  # of shapely, which has no types

FLAT = Path(__file__).with_name("flat-map.json")
OUT = Path(__file__).parent.parent / "src/quartermaster/page/map.json"
EDITIONS = ("first", "second")
SOURCE, BOARD = (2000, 1080), (1440, 640)
# (up to, pixels of the board): how the width and the height are shared out.
ACROSS = [
    (0, 0),
    (200, 132),
    (470, 260),
    (560, 354),
    (1010, 748),
    (1240, 904),
    (1480, 1124),
    (1610, 1246),
    (1850, 1350),
    (2000, 1440),
]
DOWN = [
    (0, 0),
    (60, 17),
    (200, 123),
    (330, 237),
    (440, 334),
    (520, 390),
    (600, 443),
    (720, 509),
    (900, 580),
    (1080, 640),
]
# (middle, half-widths, strength), in source coordinates, applied in this order.
LENSES = [
    ((715, 262), (95, 75), 0.16),  # Germany
    ((690, 395), (75, 65), 0.30),  # Italy
    ((838, 268), (62, 78), 0.30),  # Eastern Europe
    ((530, 232), (75, 70), 0.30),  # United Kingdom
    ((430, 85), (62, 48), 0.55),  # Iceland
    ((935, 388), (72, 36), 0.28),  # Black Sea
    ((1068, 400), (46, 62), 0.40),  # Caspian Sea
    ((770, 165), (70, 60), 0.22),  # Baltic Sea
    ((1540, 430), (75, 80), 0.30),  # Japan
    ((1563, 530), (50, 45), 1.10),  # Iwo Jima
    ((1767, 557), (60, 45), 1.10),  # Hawaii
    ((1428, 615), (55, 70), 0.50),  # Philippines
    ((1262, 600), (62, 70), 0.30),  # Southeast Asia
    ((924, 850), (60, 62), 0.75),  # Madagascar
    ((1628, 1000), (60, 62), 0.60),  # New Zealand
    ((1500, 720), (70, 45), 0.40),  # New Guinea
    ((1300, 700), (90, 60), 0.25),  # Indonesia
    ((1436, 870), (130, 90), 0.20),  # Australia
]


# Mountain ranges, drawn as small hachured peaks where nothing else stands.
RANGES = [
    [(1890, 120), (1955, 300), (1985, 420)],
    [(70, 450), (160, 345)],
    [(135, 690), (160, 800), (188, 950), (196, 1030)],
    [(668, 120), (720, 75), (790, 48)],
    [(640, 338), (735, 332)],
    [(545, 398), (600, 396)],
    [(800, 305), (880, 322), (860, 345)],
    [(1010, 380), (1055, 402)],
    [(1132, 50), (1130, 170), (1142, 255)],
    [(505, 500), (620, 492)],
    [(1150, 470), (1215, 500), (1300, 512)],
    [(1185, 375), (1300, 362)],
    [(1285, 296), (1350, 268)],
    [(1010, 455), (1075, 515)],
    [(885, 620), (910, 680)],
    [(790, 905), (835, 860)],
    [(1535, 790), (1552, 900)],
    [(1440, 120), (1560, 128), (1660, 92)],
    [(1195, 425), (1290, 440)],
    [(1330, 240), (1430, 215)],
    [(800, 380), (830, 430)],
    [(900, 430), (985, 425)],
    [(1240, 120), (1330, 90)],
    [(250, 640), (330, 690)],
]


def monotone(knots: Sequence[tuple[float, float]]) -> Callable[[Numbers], Numbers]:
    """A smooth rising curve through the knots (Fritsch-Carlson cubic)."""
    x, y = np.array(knots, float).T
    h, d = np.diff(x), np.diff(y) / np.diff(x)
    m = np.concatenate([[d[0]], 2 / (1 / d[:-1] + 1 / d[1:]), [d[-1]]])

    def curve(points: Numbers) -> Numbers:
        at = np.clip(points, x[0], x[-1])
        i = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(h) - 1)
        t = (at - x[i]) / h[i]
        return np.asarray(
            (1 + 2 * t) * (1 - t) ** 2 * y[i]
            + t * (1 - t) ** 2 * h[i] * m[i]
            + t * t * (3 - 2 * t) * y[i + 1]
            + t * t * (t - 1) * h[i] * m[i + 1]
        )

    return curve


X, Y = monotone(ACROSS), monotone(DOWN)


def warp(points: Any) -> Numbers:
    """Points of the flat map, pairs of any kind, on the board."""
    p = np.array(points, float)
    edge = np.clip(
        np.minimum.reduce([p[:, 0], SOURCE[0] - p[:, 0], p[:, 1], SOURCE[1] - p[:, 1]]) / 60, 0, 1
    )
    for (cx, cy), (a, b), k in LENSES:
        d = p - (cx, cy)
        r2 = (d[:, 0] / a) ** 2 + (d[:, 1] / b) ** 2
        p = p + d * (k * np.exp(-r2) * edge)[:, None]
    return np.column_stack([X(p[:, 0]), Y(p[:, 1])])


def rings(path: str) -> list[Numbers]:
    found = []
    for part in re.findall(r"M([^Mz]+)z", path):
        numbers = [float(n) for n in re.findall(r"-?\d*\.?\d+", part)]
        steps = np.array(numbers).reshape(-1, 2)
        found.append(np.cumsum(steps, axis=0))
    return found


def dense(points: Numbers, step: float = 14) -> Numbers:
    """Long straight edges get corners between, or they would not bend."""
    closed = np.vstack([points, points[:1]])
    out: list[Numbers] = []
    for a, b in itertools.pairwise(closed):
        n = max(1, int(np.hypot(*(b - a)) // step))
        # Reckoned from the same end whichever way the edge runs, so that neighbours share corners.
        if tuple(a) <= tuple(b):
            out.extend(a + (b - a) * i / n for i in range(n))
        else:
            out.extend(b + (a - b) * (n - i) / n for i in range(n))
    return np.array(out)


def warped(path: str) -> list[Numbers]:
    return [warp(dense(r)) for r in rings(path)]


def number(v: float) -> str:
    text = f"{v:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def write(shape_rings: Iterable[Numbers]) -> str:
    out = ""
    for ring in shape_rings:
        tenths = np.round(ring * 10).astype(int)
        keep = np.any(np.diff(tenths, axis=0, prepend=tenths[-1:]) != 0, axis=1)
        tenths = tenths[keep]
        if len(tenths) < 3:
            continue
        out += f"M{number(tenths[0][0] / 10)} {number(tenths[0][1] / 10)}l"
        first = True
        for dx, dy in np.diff(tenths, axis=0):
            for step in (number(dx / 10), number(dy / 10)):
                out += step if first or step.startswith("-") else f" {step}"
                first = False
        out += "z"
    return out


def shape_of(ring_list: list[Numbers]) -> Shape:
    shape = Polygon()
    for ring in sorted(ring_list, key=lambda r: -Polygon(r).area):
        shape = shape.symmetric_difference(Polygon(ring).buffer(0))
    return shape


def per_edition(value: Any, edition: str = "second") -> Any:
    return value[edition] if isinstance(value, dict) else value


PIECE = (37, 38)  # a piece of 34 px with a breath around it
ISLANDS = {
    "iceland": 15,
    "hawaii": 24,
    "iwo-jima": 27,
    "philippines": 10,
    "madagascar": 10,
    "new-zealand": 22,
    "japan": 5,
    "united-kingdom": 3,
    "new-guinea": 6,
    "italy": 3,
}
TOOLBAR = 54  # the prompt bar and the tools cover the lowest pixels, not all of the width
# Names that the search puts badly.
NAME_AT = {"new-zealand": (1301, 584), "east-pacific": (1408, 562), "south-atlantic": (264, 468)}


def star_at(label: dict[str, Any]) -> list[float]:
    """The badge of a supply space: left of its name."""
    (x, y), lines = label["at"], label["lines"]
    return [round(x + 10 - max(len(line) for line in lines) * 2.95 - 13, 1), y]


def name_of(space: str) -> str:
    return " ".join(w if w == "of" else w.capitalize() for w in space.split("-"))


def lines_of(name: str) -> list[str]:
    words = name.split(" ")
    if len(name) < 10 or len(words) < 2:
        return [name]
    splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(splits, key=lambda s: max(map(len, s))))


def main() -> None:
    data = json.loads(FLAT.read_text())
    w, h = BOARD
    shapes: dict[str, Shape] = {}
    paths: dict[str, str | dict[str, str]] = {}
    for space, info in data["spaces"].items():
        path = info["path"]
        if isinstance(path, dict):
            # Pieces and names stand where both editions have the space.
            both = {edition: warped(path[edition]) for edition in EDITIONS}
            paths[space] = {edition: write(rings) for edition, rings in both.items()}
            shapes[space] = shapely.intersection_all([shape_of(rings) for rings in both.values()])
        else:
            ring_list = warped(path)
            shapes[space] = shape_of(ring_list)
            paths[space] = write(ring_list)
    kinds = {s: i["kind"] for s, i in data["spaces"].items()}
    land = unary_union([g.buffer(0.05) for s, g in shapes.items() if kinds[s] == "land"])

    # Grids of one pixel: how much of a piece's box lies inside the space.
    gx, gy = np.meshgrid(np.arange(w) + 0.5, np.arange(h) + 0.5)
    shelves = {}
    inside = {}
    others = unary_union([g for s, g in shapes.items() if kinds[s] == "land"])
    for space, shape in shapes.items():
        if space in ISLANDS:
            shelf = shape.buffer(ISLANDS[space])
            rest = unary_union([g for s, g in shapes.items() if kinds[s] == "land" and s != space])
            shelf = shelf.difference(rest.buffer(2))
            shelves[space] = shelf
    taken_by_shelf = unary_union(list(shelves.values()))
    for space, shape in shapes.items():
        area = shelves.get(space, shape)
        if kinds[space] == "sea":
            area = shape.difference(taken_by_shelf)
        inside[space] = shapely.contains_xy(area, gx.ravel(), gy.ravel()).reshape(h, w)

    def box_mean(mask: npt.NDArray[np.bool_], bw: int, bh: int) -> Numbers:
        total = np.pad(mask.astype(float), ((1, 0), (1, 0))).cumsum(0).cumsum(1)
        out = np.zeros((h, w))
        y0, x0 = bh // 2, bw // 2
        ys, xs = np.arange(y0, h - y0), np.arange(x0, w - x0)
        out[y0 : h - y0, x0 : w - x0] = (
            total[np.ix_(ys + y0, xs + x0)]
            - total[np.ix_(ys - y0, xs + x0)]
            - total[np.ix_(ys + y0, xs - x0)]
            + total[np.ix_(ys - y0, xs - x0)]
        ) / ((2 * y0) * (2 * x0))
        return out

    blocked = np.zeros((h, w), bool)  # what stands already
    blocked[h - TOOLBAR :, 330:1110] = blocked[h - TOOLBAR :, :215] = blocked[
        h - TOOLBAR :, 1305:
    ] = True
    blocked[h - 6 :] = blocked[:6] = True
    blocked[:, :14] = blocked[:, w - 14 :] = True
    straits = []
    for strait in data["straits"]:
        at = warp([strait["at"]])[0]
        arrows = [warp(a).round(1).tolist() for a in strait["arrows"]]
        x, y = at
        blocked[max(0, int(y) - 12) : int(y) + 12, max(0, int(x) - 12) : int(x) + 12] = True
        straits.append(
            {
                "land": strait["land"],
                "joins": strait["joins"],
                "at": at.round(1).tolist(),
                "arrows": arrows,
            }
        )

    area_of = {s: inside[s].sum() for s in shapes}
    slots: dict[str, list[list[int]]] = {}
    short: dict[str, list[float]] = {}
    pw, ph = PIECE
    for space in sorted(shapes, key=lambda s: area_of[s]):
        good = box_mean(inside[space], pw, ph)
        free = box_mean(blocked, pw, ph)
        score = good - 1.5 * free
        score[free > 0.02] = -1
        best: tuple[list[tuple[int, int]], list[float]] = ([], [])
        best_value = -1e9
        ax, ay = warp([per_edition(data["spaces"][space]["slots"])[0]])[
            0
        ]  # where the flat map has its first piece
        cand = np.argwhere(score > max(0.35, min(0.93, score.max() - 0.06)))
        if len(cand) < 30:
            cand = np.argwhere(score > score.max() - 0.35)
        pick = cand[np.linspace(0, len(cand) - 1, min(50, len(cand))).astype(int)]
        pool = np.argwhere(score > min(0.3, 0.5 * score.max()))
        pool = pool[:: max(1, len(pool) // 1500)]
        values = score[pool[:, 0], pool[:, 1]]
        for y0, x0 in pick:
            chosen = [(y0, x0)]
            total = [score[y0, x0]]
            for _ in range(2):
                dy = np.abs(pool[:, 0][:, None] - np.array([c[0] for c in chosen]))
                dx = np.abs(pool[:, 1][:, None] - np.array([c[1] for c in chosen]))
                clear = np.all((dy >= ph) | (dx >= pw), axis=1)
                away = np.hypot(dx, dy).mean(axis=1)
                value = np.where(clear, values - 0.004 * away, -9)
                i = int(np.argmax(value))
                if value[i] < -5:
                    break
                chosen.append(tuple(pool[i]))
                total.append(values[i])
            value = (
                sum(total)
                + 3 * min(total)
                + 4 * len(chosen)
                - 0.012 * np.hypot(x0 - ax, y0 - ay)
                - 0.012 * sum(np.hypot(c[0] - y0, c[1] - x0) for c in chosen)
            )
            if value > best_value:
                best_value, best = value, (chosen, total)
        chosen, total = best
        if space in ISLANDS:  # the first piece stands on the island itself
            own = box_mean(
                shapely.contains_xy(shapes[space], gx.ravel(), gy.ravel()).reshape(h, w), pw, ph
            )
            order = np.argsort([-own[y, x] for y, x in chosen])
        else:
            order = np.argsort([-t for t in total])
        slots[space] = [[int(chosen[i][1]), int(chosen[i][0])] for i in order]
        if len(chosen) < 3 or min(total) < 0.6:
            short[space] = [round(float(total[i]), 2) for i in order]
        for y, x in chosen:
            blocked[y - ph // 2 : y + ph // 2, x - pw // 2 : x + pw // 2] = True

    # Names where nothing stands, inside the space if they fit, else beside it.
    labels: dict[str, dict[str, Any]] = {}
    stars = set(data["stars"])
    name_block = blocked.copy()
    for space in sorted(shapes, key=lambda s: (kinds[s] == "sea", area_of[s])):
        lines = lines_of(name_of(space))
        letter = 6.4 if kinds[space] == "land" else 5.6
        bw = int(max(len(t) for t in lines) * letter + 6) // 2 * 2
        bh = (len(lines) * 11 + 3) // 2 * 2
        if space in stars:
            bw += 22
            bh = max(bh, 20)
        mask = inside[space]
        in_share = box_mean(mask, bw, bh)
        hit = box_mean(name_block, bw, bh)
        foreign = (
            box_mean(
                ~mask & shapely.contains_xy(others, gx.ravel(), gy.ravel()).reshape(h, w), bw, bh
            )
            if kinds[space] == "land"
            else 1 - in_share
        )
        sx = np.mean([s[0] for s in slots[space]])
        sy = np.mean([s[1] for s in slots[space]])
        far = np.hypot(gx - sx, gy - sy)
        value = 2.2 * in_share - 9 * hit - 2.5 * foreign - 0.006 * far
        value[: bh // 2 + 2] = -99
        value[h - bh // 2 - 2 :] = -99
        value[:, : bw // 2 + 2] = -99
        value[:, w - bw // 2 - 2 :] = -99
        y, x = np.unravel_index(np.argmax(value), value.shape)
        if space in NAME_AT:
            x, y = NAME_AT[space]
        labels[space] = {
            "at": [int(x), int(y)],
            "lines": lines,
            "w": bw,
            "hit": round(float(hit[y, x]), 2),
        }
        name_block[max(0, y - bh // 2) : y + bh // 2, max(0, x - bw // 2) : x + bw // 2] = True

    peaks, random = [], np.random.default_rng(4)
    for ridge in RANGES:
        line = LineString(ridge)
        for t in np.arange(0, line.length, 17):
            p = line.interpolate(t)
            x, y = warp([(p.x + random.uniform(-5, 5), p.y + random.uniform(-5, 5))])[0]
            size = random.uniform(5, 8.5)
            i, j = int(y), int(x)
            if not (12 < i < h - 12 and 12 < j < w - 12) or not shapely.contains_xy(land, x, y):
                continue
            if name_block[i - 8 : i + 5, j - 8 : j + 8].mean() < 0.12:
                peaks.append([round(float(x), 1), round(float(y), 1), round(float(size), 1)])
    peaks.sort(key=lambda p: p[1])

    spaces = {}
    for space, info in data["spaces"].items():
        one = {
            "kind": info["kind"],
            "path": paths[space],
            "slots": slots[space],
            "label": labels[space]["at"],
        }
        if space in shelves:
            one["shelf"] = write(
                [
                    np.array(p.exterior.coords)[:-1]
                    for p in shapely.get_parts(shelves[space].simplify(0.8))
                ]
            )
        spaces[space] = one
    meridians = []
    for x in range(100, 2000, 200):
        meridians.append(warp([(x, y) for y in range(0, 1081, 60)]))
    for y in range(90, 1080, 150):
        meridians.append(warp([(x, y) for x in range(0, 2001, 80)]))
    graticule = "".join("M" + "L".join(f"{a:.0f} {b:.0f}" for a, b in line) for line in meridians)
    pointers = [{**p, "at": warp([p["at"]])[0].round(1).tolist()} for p in data["pointers"]]
    out = {
        "box": list(BOARD),
        "spaces": spaces,
        "stars": {space: star_at(labels[space]) for space in data["stars"]},
        "shore": write(
            [
                np.array(p.exterior.coords)[:-1]
                for p in shapely.get_parts(land.simplify(1.6))
                if p.area > 12
            ]
        ),
        "scenery": write(warped(data["scenery"])),
        "straits": straits,
        "pointers": pointers,
        "graticule": graticule,
        "peaks": peaks,
    }
    OUT.write_text(json.dumps(fold(out), separators=(",", ":")) + "\n")
    print("tight:", short)
    print("labels hit:", {s: one["hit"] for s, one in labels.items() if one["hit"] > 0.03})
    jac = warp_jacobian()
    print("least jacobian", jac)
    overlap = []
    flat = [(s, x, y) for s, spots in slots.items() for x, y in spots]
    for i, (s, x, y) in enumerate(flat):
        for t, u, v in flat[i + 1 :]:
            if abs(x - u) < 35 and abs(y - v) < 35:
                overlap.append((s, t))
    print(
        "overlaps",
        overlap,
        "counts",
        {s: len(spots) for s, spots in slots.items() if len(spots) < 3},
    )


def warp_jacobian() -> tuple[float, list[float]]:
    xs, ys = np.meshgrid(np.linspace(1, 1999, 400), np.linspace(1, 1079, 220))
    p = np.column_stack([xs.ravel(), ys.ravel()])
    e = 0.5
    a = (warp(p + np.array([e, 0])) - warp(p - np.array([e, 0]))) / (2 * e)
    b = (warp(p + np.array([0, e])) - warp(p - np.array([0, e]))) / (2 * e)
    det = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    i = det.argmin()
    return round(float(det[i]), 4), p[i].round().tolist()


if __name__ == "__main__":
    main()

"""All borders are one net of lines, simplified and rounded as a net, so that neighbours share their
corners exactly (step 5)."""

import itertools
from collections import defaultdict

import shapely
from shapely.geometry import LineString
from shapely.ops import linemerge, polygonize, unary_union

from flat_map.base import EDITIONS, HEIGHT, WIDTH, Owners, Place, Shape

Corner = tuple[int, int]  # in tenths
Ring = list[Corner]

TOLERANCE = 1.9


def chaikin(points: list[Place], closed: bool) -> list[Place]:
    """Cuts corners: each becomes two. Ends stay, for they are shared."""
    if closed:
        points = points[:-1]
        pairs = list(zip(points, points[1:] + points[:1], strict=True))
    else:
        pairs = list(itertools.pairwise(points))
    smooth: list[Place] = []
    for (x1, y1), (x2, y2) in pairs:
        smooth += [(0.75 * x1 + 0.25 * x2, 0.75 * y1 + 0.25 * y2)]
        smooth += [(0.25 * x1 + 0.75 * x2, 0.25 * y1 + 0.75 * y2)]
    if closed:
        return [*smooth, smooth[0]]
    return [points[0], *smooth[1:-1], points[-1]]


def on_frame(points: list[Place]) -> bool:
    return all(min(x, y, WIDTH - x, HEIGHT - y) < 0.001 for x, y in points)


def make_net(atoms: dict[Owners, Shape]) -> dict[str, dict[str, list[Shape]]]:
    """The faces again, with calm borders whose corners are tenths, shared by both sides."""
    simple = shapely.coverage_simplify(list(atoms.values()), TOLERANCE, simplify_boundary=False)
    atoms = dict(zip(atoms, simple, strict=True))
    edges = unary_union([atom.boundary for atom in atoms.values()])
    lines = []
    for arc in shapely.get_parts(linemerge(edges)):
        points = list(arc.coords)
        if not on_frame(points) and len(points) > 2:
            points = chaikin(points, arc.is_ring)
        line = LineString([(round(x * 10) / 10, round(y * 10) / 10) for x, y in points])
        lines.append(line.simplify(0.15))  # without points that a straight line passes anyway
    net = list(polygonize(lines))
    pieces: dict[str, dict[str, list[Shape]]] = {edition: defaultdict(list) for edition in EDITIONS}
    for face in net:
        shares: dict[Owners, float] = {
            key: atom.intersection(face).area for key, atom in atoms.items()
        }
        key = max(shares, key=lambda owner: shares[owner])
        if shares[key] < 0.4 * face.area:
            print("whose is", face.representative_point(), face.area, shares[key])
        for edition, owner in zip(EDITIONS, key, strict=True):
            pieces[edition][owner].append(face)
    return pieces


def rings_of(parts: list[Shape]) -> list[Ring]:
    """The outline of faces that share corners: edges that only one of them has, in rings."""
    edges: set[tuple[Corner, Corner]] = set()
    for part in parts:
        for ring in (part.exterior, *part.interiors):
            points = [(round(x * 10), round(y * 10)) for x, y in ring.coords]
            if shapely.is_ccw(ring) == (ring is not part.exterior):
                points.reverse()
            for edge in itertools.pairwise(points):
                back = edge[1], edge[0]
                if back in edges:
                    edges.remove(back)
                else:
                    edges.add(edge)
    after: defaultdict[Corner, list[Corner]] = defaultdict(list)
    for a, b in sorted(edges):
        after[a].append(b)
    rings = []
    while after:
        start = min(after)
        ring = [start]
        while True:
            here = ring[-1]
            following = after[here].pop()
            if not after[here]:
                del after[here]
            if following == start:
                break
            ring.append(following)
        rings.append(ring)
    return rings


def number(tenths: int) -> str:
    """Tenths as SVG writes them shortest."""
    text = f"{tenths / 10:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def path_of(rings: list[Ring]) -> str:
    """Absolute start, then steps, each ring closed."""
    parts = []
    for ring in sorted(rings, key=len, reverse=True):
        text = f"M{number(ring[0][0])} {number(ring[0][1])}l"
        first = True
        for (x1, y1), (x2, y2) in itertools.pairwise(ring):
            for step in (number(x2 - x1), number(y2 - y1)):
                text += step if first or step.startswith("-") else f" {step}"
                first = False
        parts.append(text + "z")
    return "".join(parts)


# 6. Where things stand.

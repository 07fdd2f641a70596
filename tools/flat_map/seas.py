"""Hand-drawn lines cut the water into seas, for both editions at once (step 4)."""

from collections import defaultdict

import shapely
from shapely.geometry import LineString, Point
from shapely.ops import linemerge, polygonize, unary_union

from flat_map.base import EDITIONS, Owners, Place, Shape, Shapes
from flat_map.land import FRAME
from flat_map.projection import warp_point
from flat_map.world import EDITION_SEEDS, LINES, SEEDS


def only_lines(shapes: list[Shape]) -> Shape:
    """All lines, with a corner wherever two cross."""
    parts = shapely.get_parts(shapely.get_parts(unary_union(shapes)))
    return unary_union([part for part in parts if part.geom_type == "LineString"])


# 4. Seas.


def corner(land: Shapes, a: str, b: str, lon: float, lat: float) -> Place:
    """Where the border of two spaces meets the coast."""
    border = only_lines([land[a].boundary.intersection(land[b].boundary)])
    near = Point(warp_point((lon, lat)))
    points = [
        Point(end)
        for part in shapely.get_parts(linemerge(border))
        for end in (part.coords[0], part.coords[-1])
    ]
    best = min(points, key=near.distance)
    assert best.distance(near) < 30, (a, b, best, near)
    return (best.x, best.y)


def make_faces(land: Shapes) -> dict[Owners, Shape]:
    """The faces of the map by their owners in the first and in the second edition."""
    coast = unary_union([shape.boundary for shape in land.values()])
    cuts = []
    for line in LINES:
        points: list[Place] = []
        for stop in line:
            if isinstance(stop, str):
                middle = max(shapely.get_parts(land[stop]), key=lambda part: part.area).centroid
                points.append((middle.x, middle.y))
            elif len(stop) == 4:
                points.append(corner(land, *stop))
            else:
                points.append(warp_point(stop))
        cuts.append(LineString(points))
    lines = unary_union([coast, FRAME.boundary, *cuts])
    faces = [face for face in polygonize(lines) if FRAME.covers(face.representative_point())]
    tree = shapely.STRtree(faces)

    owners: list[dict[str, str | None]] = [dict.fromkeys(EDITIONS) for _ in faces]
    for space, shape in land.items():
        for i in tree.query(shape, predicate="intersects"):
            if shape.contains(faces[i].representative_point()):
                owners[i] = dict.fromkeys(EDITIONS, space)
    for edition in EDITIONS:
        for seeds in (SEEDS, EDITION_SEEDS[edition]):
            for sea, points in seeds.items():
                for point in points:
                    for i in tree.query(Point(warp_point(point)), predicate="within"):
                        assert owners[i][edition] in (None, sea), (sea, point, owners[i])
                        owners[i][edition] = sea
    # What no seed named goes to the longest border, of water only.
    for _ in range(3):
        for i, face in enumerate(faces):
            for edition in EDITIONS:
                if owners[i][edition] is None:
                    shares: defaultdict[str, float] = defaultdict(float)
                    for j in tree.query(face, predicate="touches"):
                        owner = owners[j][edition]
                        if owner and owner not in land:
                            shares[owner] += face.boundary.intersection(faces[j].boundary).length
                    if shares:
                        owners[i][edition] = max(shares, key=lambda owner: shares[owner])
                        if face.area > 3000:
                            print("no seed in", face.representative_point(), face.area, owners[i])
    # Lines run on through land; what belongs together is joined again.
    groups: defaultdict[Owners, list[Shape]] = defaultdict(list)
    for face, owner in zip(faces, owners, strict=True):
        if all(owner.values()):
            groups[tuple(str(owner[edition]) for edition in EDITIONS)].append(face)
    return {owner: shapely.coverage_union_all(parts) for owner, parts in groups.items()}


# 5. One net of lines, simplified and rounded.

"""Countries become spaces, which go on to the map and get calm coasts (steps 1 to 3)."""

import json
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import shapely
from shapely import affinity
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box
from shapely.ops import linemerge, polygonize, unary_union

from flat_map.base import CUT, HEIGHT, WIDTH, Numbers, Place, Shape, Shapes, at
from flat_map.projection import warp, warp_point, warp_points
from flat_map.world import (
    BLOBS,
    CHANNELS,
    COUNTRIES,
    ENLARGED,
    FILLS,
    HANDOVERS,
    POOLS,
    SEEDS,
    THICKER,
    Blob,
)

CLOSE = 2.6  # bays and gaps narrower than twice this are filled
OPEN = 1.3  # tongues of land narrower than twice this go
ISLAND = 55  # islands smaller than this go
FRAME = box(0, 0, WIDTH, HEIGHT)


def read_countries(folder: Path) -> Shapes:
    """Country name -> shape, from TopoJSON: arcs of steps that shapes refer to."""
    data = json.loads((folder / "countries-50m.json").read_text(encoding="utf-8"))
    scale, move = np.array(data["transform"]["scale"]), np.array(data["transform"]["translate"])
    arcs = [np.cumsum(np.array(arc), axis=0) * scale + move for arc in data["arcs"]]

    def ring(indices: list[int]) -> Numbers:
        parts = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
        points = np.vstack([parts[0]] + [part[1:] for part in parts[1:]])
        points[:, 0] = np.unwrap(points[:, 0], period=360)  # rings that cross 180 degrees
        return points

    def polygon(rings: list[list[int]]) -> Shape:
        return Polygon(ring(rings[0]), [ring(hole) for hole in rings[1:]])

    shapes = {}
    for country in data["objects"]["countries"]["geometries"]:
        if country["type"] == "Polygon":
            shape = polygon(country["arcs"])
        else:
            shape = MultiPolygon([polygon(rings) for rings in country["arcs"]])
        shapes[country["properties"]["name"]] = around(shapely.make_valid(shape))
    return shapes


def around(shape: Shape) -> Shape:
    """The shape between CUT and CUT + 360: what lies west of the cut moves to the right edge."""
    window = box(CUT, -90, CUT + 360, 90)
    turns = [affinity.translate(shape, turn).intersection(window) for turn in (-360, 0, 360)]
    return polygons(unary_union(turns))


def polygons(shape: Shape) -> Shape:
    """The polygons of a shape, without the points and lines that cutting leaves behind."""
    parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]
    return MultiPolygon(parts)


def make_spaces(countries: Shapes) -> Shapes:
    spaces = {
        space: unary_union([countries[name] for name in names.split("; ")])
        for space, names in COUNTRIES.items()
    }
    for new, old, outline in HANDOVERS:
        area = Polygon(at(outline))
        piece = polygons(spaces[old].intersection(area))
        assert not piece.is_empty, (new, old)
        spaces[old] = polygons(spaces[old].difference(area))
        if new:
            spaces[new] = polygons(unary_union([spaces.get(new, MultiPolygon()), piece]))
    for space, outline in FILLS:
        others = unary_union([shape for other, shape in spaces.items() if other != space])
        spaces[space] = polygons(spaces[space].union(Polygon(at(outline)).difference(others)))
    return as_coverage(spaces)


def as_coverage(spaces: Shapes) -> Shapes:
    """The spaces with the same corners on both sides of each border, close enough to be bent."""
    rough = {space: shapely.set_precision(shape, 0.0005) for space, shape in spaces.items()}
    net = unary_union([shape.boundary for shape in rough.values()])
    faces = list(polygonize(shapely.segmentize(linemerge(net), 0.5)))
    tree = shapely.STRtree([face.representative_point() for face in faces])
    return {
        space: unary_union([faces[i] for i in tree.query(shape, predicate="contains")])
        for space, shape in rough.items()
    }


# 2 and 3. On to the map, and calm coasts.


def grow(shape: Shape, by: float) -> Shape:
    return shape.buffer(by, quad_segs=4)


def without_islets(shape: Shape, least: float) -> Shape:
    return MultiPolygon([part for part in polygons(shape).geoms if part.area >= least])


def without_ponds(shape: Shape, keep: list[Place]) -> Shape:
    """Fills holes, but for those that hold one of the points to keep."""
    parts = []
    for part in polygons(shape).geoms:
        holes = [
            hole for hole in part.interiors if any(Polygon(hole).contains(Point(p)) for p in keep)
        ]
        parts.append(Polygon(part.exterior, holes))
    return unary_union(parts)


def make_blobs(middle: Place, blobs: list[Blob]) -> Shape:
    x, y = warp_point(middle)
    shapes = []
    for dx, dy, rx, ry, turn in blobs:
        # Not quite round, as islands are not.
        ring = [
            (
                rx * math.cos(a) * (1 + 0.1 * math.sin(3 * a + 1)),
                ry * math.sin(a) * (1 + 0.1 * math.cos(2 * a)),
            )
            for a in np.linspace(0, 2 * math.pi, 24, endpoint=False)
        ]
        shape = affinity.rotate(Polygon(ring), turn, origin=(0, 0))
        shapes.append(affinity.translate(shape, x + dx, y + dy))
    return MultiPolygon(shapes)


def make_land(spaces: Shapes) -> Shapes:
    """The spaces on the map: smooth, parting the same land without gaps."""
    land = {space: polygons(shapely.make_valid(warp(shape))) for space, shape in spaces.items()}
    for space, (by_x, by_y, dx, dy) in ENLARGED.items():
        land[space] = affinity.translate(affinity.scale(land[space], by_x, by_y), dx, dy)
    for space, (middle, blobs) in BLOBS.items():
        land[space] = make_blobs(middle, blobs)

    for space, shape in land.items():
        others = unary_union([other for name, other in land.items() if name != space])
        thicker = grow(grow(shape, THICKER.get(space, 0) + CLOSE), -CLOSE)
        land[space] = polygons(thicker.union(shape).difference(others))
    whole = unary_union(list(land.values()))
    whole = grow(grow(whole, 0.3), -0.3)  # seams that do not quite meet
    channels = [LineString(warp_points(at(line))).buffer(w / 2) for w, line in CHANNELS]
    whole = whole.difference(unary_union(channels))
    whole = without_islets(grow(grow(whole, -OPEN), OPEN), ISLAND)
    pools = [Polygon(warp_points(pool)) for pool in POOLS]
    whole = whole.difference(unary_union(pools))
    seeds = [warp_point(p) for sea in SEEDS.values() for p in sea]
    whole = without_ponds(without_islets(whole, ISLAND), seeds).intersection(FRAME)
    whole = shapely.set_precision(whole, 0.01)

    # Old coasts and borders cut the new land into faces. Each goes to the space it lies in, new
    # land to the space it borders on the longest.
    lines = unary_union([whole.boundary, *[shape.boundary for shape in land.values()]])
    faces = [face for face in polygonize(lines) if whole.contains(face.representative_point())]
    tree = shapely.STRtree([face.representative_point() for face in faces])
    owners: dict[int, str] = {}
    for space, shape in land.items():
        for i in tree.query(shape, predicate="contains"):
            owners[i] = space
    tree = shapely.STRtree(faces)
    while len(owners) < len(faces):
        found: dict[int, str] = {}
        for i, face in enumerate(faces):
            if i not in owners:
                shares: defaultdict[str, float] = defaultdict(float)
                for j in tree.query(face, predicate="intersects"):
                    if j in owners:
                        shares[owners[j]] += face.boundary.intersection(faces[j].boundary).length
                if shares:
                    found[i] = max(shares, key=lambda owner: shares[owner])
        owners.update(found)
    return without_exclaves(
        {space: unary_union([faces[i] for i in owners if owners[i] == space]) for space in land}
    )


def without_exclaves(land: Shapes) -> Shapes:
    """Scraps of a space on another's mainland go to that other space."""
    for space in land:
        for part in shapely.get_parts(land[space]):
            others: dict[str, float] = {
                name: part.boundary.intersection(shape.boundary).length
                for name, shape in land.items()
                if name != space and part.intersects(shape)
            }
            if part.area < ISLAND and max(others.values(), default=0) > 0:
                other = max(others, key=lambda name: others[name])
                land[space] = land[space].difference(part)
                land[other] = land[other].union(part)
    return land

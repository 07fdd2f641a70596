"""Draws the world from real geography: tools/flat-map.json, which `warp_map.py` makes the board of.

Needs shapely, pyproj and numpy, which the package itself does not, and npm to fetch the shapes of
Natural Earth, which are in the public domain:

    npm pack world-atlas@2 && tar xzf world-atlas-2*.tgz    (makes a folder `package`)
    python tools/bake_map.py package --preview "/tmp/map-{}.svg"

Without a folder the script fetches the shapes itself. The steps:

1. Countries become spaces (`COUNTRIES`), pieces of them change hands (`HANDOVERS`).
2. A warp puts them on the map: rectangular, cut near 100 W, with Europe enlarged.
3. Coasts are smoothed, islets dropped, straits opened, small islands enlarged.
4. Hand-drawn lines cut the water into seas, for both editions at once.
5. Everything is one net of lines. They are simplified and rounded as a net, so that neighbours
   share their corners exactly; tests/page/test_map.py reads the borders off those.
6. Pieces, stars and labels find their places.
"""

import argparse
import gzip
import itertools
import json
import math
import subprocess
import tarfile
import tempfile
from collections import defaultdict
from pathlib import Path

import numpy as np
import shapely
from pyproj import Proj
from shapely import affinity
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box
from shapely.ops import linemerge, polygonize, unary_union

OUT = Path(__file__).with_name("flat-map.json")
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


def at(text):
    """Points out of "lon lat, lon lat"."""
    return [tuple(map(float, point.split())) for point in text.split(", ")]


# ---------------------------------------------------------------------------------------------
# Which countries make up a space. Longitudes run from CUT to CUT + 360 from here on.

COUNTRIES = {
    "canada": "Canada",
    "eastern-united-states": "United States of America",
    "latin-america": "Mexico; Guatemala; Belize; El Salvador; Honduras; Nicaragua; Costa Rica; "
    "Panama; Cuba; Haiti; Dominican Rep.; Jamaica; Puerto Rico; Trinidad and Tobago; Colombia; "
    "Venezuela; Guyana; Suriname; Ecuador; Peru; Brazil; Bolivia; Paraguay; Uruguay; Argentina; "
    "Chile; Falkland Is.; Bahamas",
    "iceland": "Iceland",
    "united-kingdom": "United Kingdom; Ireland; Isle of Man",
    "scandinavia": "Norway; Sweden; Finland; Åland",
    "western-europe": "France; Spain; Portugal; Andorra; Monaco; Switzerland; Liechtenstein; "
    "Belgium; Netherlands; Luxembourg; Denmark",
    "germany": "Germany; Austria; Czechia",
    "italy": "Italy; San Marino; Vatican",
    "balkans": "Slovenia; Croatia; Bosnia and Herz.; Serbia; Kosovo; Montenegro; Albania; "
    "Macedonia; Greece; Hungary; Romania; Bulgaria",
    "eastern-europe": "Poland; Slovakia; Lithuania; Latvia; Estonia; Belarus",
    "ukraine": "Ukraine; Moldova; Georgia; Armenia; Azerbaijan",
    "siberia": "Russia",
    "kazakhstan": "Kazakhstan; Uzbekistan; Turkmenistan; Kyrgyzstan; Tajikistan",
    "mongolia": "Mongolia",
    "china": "China; North Korea; South Korea; Taiwan; Hong Kong; Macao",
    "india": "India; Pakistan; Nepal; Bhutan; Bangladesh; Sri Lanka; Siachen Glacier",
    "southeast-asia": "Myanmar; Thailand; Laos; Cambodia; Vietnam; Malaysia; Singapore",
    "middle-east": "Turkey; Syria; Lebanon; Israel; Palestine; Jordan; Saudi Arabia; Yemen; Oman; "
    "United Arab Emirates; Qatar; Bahrain; Kuwait; Iraq; Iran; Afghanistan; Cyprus; N. Cyprus",
    "north-africa": "Morocco; W. Sahara; Algeria; Tunisia; Libya; Egypt; Sudan; Eritrea; "
    "Ethiopia; Djibouti; Somalia; Somaliland",
    "africa": "Mauritania; Mali; Niger; Chad; Senegal; Gambia; Guinea; Guinea-Bissau; "
    "Sierra Leone; Liberia; Côte d'Ivoire; Burkina Faso; Ghana; Togo; Benin; Nigeria; Cameroon; "
    "Central African Rep.; S. Sudan; Eq. Guinea; Gabon; Congo; Dem. Rep. Congo; Uganda; Kenya; "
    "Rwanda; Burundi; Tanzania; Angola; Zambia; Malawi; Mozambique; Zimbabwe; Botswana; Namibia; "
    "South Africa; Lesotho; eSwatini",
    "madagascar": "Madagascar",
    "japan": "Japan",
    "philippines": "Philippines",
    "indonesia": "Indonesia; Timor-Leste; Brunei",
    "new-guinea": "Papua New Guinea; Solomon Is.",
    "australia": "Australia",
    "new-zealand": "New Zealand",
    "scenery": "Greenland",
}

# What changes hands: (new owner or none, old owner, area as "lon lat, lon lat, ...").
HANDOVERS = [
    # The new world, on both sides of the cut.
    ("latin-america", "western-europe", "-70 20, -45 20, -45 0, -70 0"),
    ("pacific-northwest", "canada", "180 85, 260 85, 260 40, 180 40"),
    ("hawaii", "eastern-united-states", "195 25, 210 25, 210 15, 195 15"),
    ("pacific-northwest", "eastern-united-states", "160 80, 232 80, 232 50, 160 50"),
    (
        "western-united-states",
        "eastern-united-states",
        "160 80, 260 80, 260 20, 160 20",
    ),
    # Mexico beyond the cut: the north goes with California, the rest would be in the way of the
    # East Pacific, which Latin America touches over the edge.
    (
        "western-united-states",
        "latin-america",
        "240 34, 260 34, 260 26, 249 22, 240 22",
    ),
    (None, "latin-america", "160 40, 260 40, 260 -60, 160 -60"),
    # Europe.
    (None, "united-kingdom", "-10 62, 2 62, 2 59.3, -10 59.3"),
    ("scenery", "scandinavia", "-20 85, 60 85, 60 72.5, -20 72.5"),
    (None, "western-europe", "-35 43, -12 43, -12 10, -35 10"),
    (None, "western-europe", "30 20, 60 20, 60 -60, 30 -60"),
    ("balkans", "middle-east", "25 43, 29.05 43, 29.05 41, 26.6 40.3, 25 39.9"),
    (
        "western-europe",
        "germany",
        "5 55.5, 9.9 55.5, 9.7 54.2, 9.5 53.3, 8.3 52.9, 6.5 52.6, 5 52.5",
    ),
    (
        "germany",
        "eastern-europe",
        "13 55, 23 55, 22.8 53.6, 20.6 53.1, 18.9 52.9, 18.3 51.5, 19.2 50.2, 18.6 49, 13 48",
    ),
    ("germany", "siberia", "19 55.5, 23 55.5, 23 54, 19 54"),
    (
        "eastern-europe",
        "ukraine",
        "20 52.5, 24.6 52.5, 25.6 51, 24.9 49.6, 26 48.3, 25 47.5, 20 47.5",
    ),
    ("russia", "eastern-europe", "27.4 57, 34 57, 34 51, 28.9 51, 27.2 53, 28 54.6"),
    # The Soviet Union.
    (
        "ukraine",
        "siberia",
        "30 46, 33 53, 37 51.2, 42 51.4, 47 50.6, 50 48, 50 40, 30 40",
    ),
    (
        "moscow",
        "siberia",
        "35.3 51.7, 36 54, 34.8 56.3, 37.4 58.4, 41 59, 45 60.5, 50 60.9, 54.5 62, 59.4 61.8, "
        "59.6 59.6, 58.2 57, 59.6 54.6, 58.6 52.5, 61 50, 45 47, 40.5 51, 36 50.8",
    ),
    (
        "russia",
        "siberia",
        "26 45, 26 82, 69 82, 69 76.5, 62 71.5, 62.5 69.5, 66 68.3, 61 65.5, 59.4 61.8, "
        "45 55, 34 45",
    ),
    (
        "vladivostok",
        "siberia",
        "131 80, 127.5 73, 128.5 70, 125.5 66.5, 127 62, 124 58, 120.5 55.5, 118 52.5, "
        "115.6 49.4, 120 40, 200 40, 200 80",
    ),
    # China.
    (
        "mongolia",
        "china",
        "85 49.8, 85 47.6, 90 47.8, 95.5 44, 96 42.4, 98.5 40.8, 103 38.8, 106.3 38.4, 108 38.2, "
        "111 39.8, 114.5 41.4, 118.5 42.2, 121.5 43.2, 121.3 46, 122.3 48, 124.5 51, 121.2 54, "
        "115 54",
    ),
    (
        "szechuan",
        "china",
        "70 50, 105 50, 104.8 36.5, 105.8 33, 109.8 31.6, 109.2 28.6, 106.3 27.5, 105.2 25, "
        "105.6 22, 70 20",
    ),
    # The tip of Afghanistan, wide enough to be seen between Tajikistan and Pakistan.
    ("middle-east", "kazakhstan", "70.8 36, 70.9 38.4, 76 38.6, 76 36"),
    ("middle-east", "india", "71 38, 70.9 36, 73 36.2, 75.6 36.7, 76 38"),
    ("middle-east", "szechuan", "74 38.6, 75.3 38.6, 75.6 36.6, 74 36"),
    (None, "new-zealand", "180 -30, 190 -30, 190 -55, 180 -55"),
    (None, "japan", "120 30.2, 132 30.2, 132 20, 120 20"),
    # Borneo, New Guinea, Africa.
    ("indonesia", "southeast-asia", "108 9, 121 9, 121 0, 108 0"),
    ("new-guinea", "indonesia", "130.1 3, 142 3, 142 -10, 136 -10, 130.1 -3.6"),
    ("north-africa", "africa", "33 5.2, 43 5.2, 41.6 -1.75, 40.6 -2, 37 1.5"),
]

# Islands that are too small to hold pieces: how much larger, and shifted by how much on the map.
ENLARGED = {
    "iceland": (1.3, 1.4, 0, 4),
    "japan": (1.35, 1.2, 10, 2),
    "philippines": (1.4, 1.2, 14, -2),
    "new-zealand": (1.35, 1.25, 0, -6),
    "madagascar": (1.25, 1.1, 6, 0),
    "new-guinea": (1.1, 1.35, 16, -3),
    "united-kingdom": (1.08, 1.0, -4, 0),
}

# Thin islands that gain some flesh: by how much on the map.
THICKER = {
    "indonesia": 2,
    "italy": 3.5,
    "japan": 3,
    "new-guinea": 2,
    "new-zealand": 2.5,
    "united-kingdom": 1,
}

# Islands drawn by hand, around (lon, lat): blobs as (dx, dy, rx, ry, turn) on the map.
BLOBS = {
    "hawaii": ((202.5, 20.5), [(8, 8, 17, 14, 30), (-16, -5, 9, 6, 20), (-35, -13, 6, 4.5, 20)]),
    "iwo-jima": ((147, 23.5), [(0, 0, 15, 12, -35), (-4, -24, 5, 4, 0)]),
}

# Land added to a space, such as bridges between islands that would let a sea through.
FILLS = [
    ("indonesia", "104.6 -5.4, 106 -5.4, 107 -6.2, 106 -7, 104.6 -6.0"),
    ("pacific-northwest", "234 50.6, 237.3 49.6, 237.3 49, 236.6 48.6, 235 48.5, 234 49.4"),
    ("western-united-states", "235 48.5, 236.6 48.6, 237.3 49, 238.5 49, 238.5 47, 236.1 47"),
]

# Water cut into land so that a strait stays open: (width on the map, line).
CHANNELS = [
    (7, "-7 35.9, -5.5 35.95, -4 36"),  # Gibraltar
    (6, "0 50, 1.5 51, 2.6 51.8"),  # Dover
    (7, "11.5 57, 12.4 56.2, 12.75 55.7, 12.9 55"),  # the Sound
    (5, "8 41.35, 9.2 41.33, 10 41.35"),  # Corsica - Sardinia
    (5, "40 16, 42.7 13.5, 43.4 12.5, 45 12"),  # Bab el Mandeb
    (5, "53 26, 55.5 26, 56.5 26.4, 57.5 25"),  # Hormuz
    (7, "98 6, 100 4, 101.5 2.3, 103.3 1, 104.5 1"),  # Malacca
    (7, "140 -9.8, 144 -9.8"),  # Torres
    (9, "129.3 3, 129.7 -1, 131 -2.3, 131.6 -4, 134 -8"),  # the Moluccas - New Guinea
    (26, "31.2 42.3, 36 42.4, 40 41.9"),  # the Black Sea, wide enough for pieces
    (6, "140 46, 142.2 45.75, 145 46"),  # Hokkaido - Sakhalin
    (6, "33.1 28.6, 32.65 29.5"),  # the Red Sea up to Suez
    (6, "36.4 44.6, 36.7 45.5, 37 46"),  # Kerch
    (4, "25.9 40.05, 26.3 40.15, 26.8 40.5, 27.5 40.7"),  # the Dardanelles
]

# Water with exact corners. Mediterranean and Black Sea, the Balkans and the Middle East meet in
# one point at the Bosporus: none of them borders on the one across.
BOSPORUS = (29.05, 41.12)
POOLS = [
    [(27.0, 40.45), (27.6, 41.0), (28.3, 41.0), BOSPORUS, (29.2, 40.75), (28.0, 40.4)],
    [(28.4, 41.7), BOSPORUS, (29.9, 41.6), (29.5, 42.2)],
    # The Caspian, a little wider than it is.
    at(
        "46.8 45, 48.3 46.6, 51 47.3, 54 47.1, 54.7 45.5, 53.6 44.3, 53.5 43.2, 54.3 42, "
        "54.8 40.6, 54.6 39.4, 55.2 38.2, 54.4 37, 52.4 36.6, 50 37, 48.3 38.2, 48 39.6, "
        "48.6 40.5, 47.3 41.8, 46.7 43.2"
    ),
]

# ---------------------------------------------------------------------------------------------
# The seas. A line runs through points (lon, lat), islands by name (their middle) and corners of
# two spaces at a coast (a, b, near lon, near lat); ends may lie inside land.

NORTH_SOUTH = (-42, 27)  # where North Atlantic, North Sea and South Atlantic meet
PACIFIC = (188, -10)  # where Central, South and East Pacific meet
LINES = [
    [(-32, 69.3), "iceland", NORTH_SOUTH, (-59, 4.5)],
    [NORTH_SOUTH, ("north-africa", "africa", -17, 21)],
    [(7.4, 58.6), (10, 57.2)],
    [(-5.6, 36.8), (-5.5, 35.2)],
    [(-61, -37.5), (19, -28.5)],
    [(-68.5, -53.8), (-68.5, -65)],
    [(103.3, 2.2), (101.8, 0)],
    [(113.2, -7.9), (126, -17)],
    [(116.3, -33), (116.3, -65)],
    [(142.5, -12.5), (142.5, -7.5)],
    [(127.5, 7.8), (135, -1.8)],
    [("china", "southeast-asia", 108, 21.5), (108, 19.6), (108.9, 17.5), (123.3, 17.3)],
    [(123.3, 17.8), "iwo-jima", (156, 42), (157.3, 52.5)],
    ["iwo-jima", "hawaii", PACIFIC, "new-zealand"],
    ["new-zealand", (169, -65)],
    [(152, -9.5), (155, -11.3), PACIFIC],
    # second
    [(20.5, -33), (20.5, -65)],
    [(37, -16.2), "madagascar", (107.5, -7.2)],
    ["hawaii", (213, 62)],
    # first
    ["madagascar", (46.5, -65)],
    [("north-africa", "africa", 41, -2), (107.5, -7.2)],
    ["hawaii", ("pacific-northwest", "western-united-states", 236, 48.5)],
    # the Arctic, which is no space
    [(-67, 66.3), (-50, 67)],
    [(-87, 66.4), (-71, 66.3)],
    [(-28, 72), (0, 73.3), (26, 70.3)],
    [(187, 66.2), (195, 65.3)],
]

# Points in each sea; a sea may be in pieces while both editions' lines cut it.
SEEDS = {
    "north-atlantic": [(-50, 40), (-85, 59)],
    "south-atlantic": [(-20, 0)],
    "southern-ocean": [(-20, -48)],
    "southeast-pacific": [(-90, -20)],
    "north-sea": [(-15, 50), (3, 56)],
    "baltic-sea": [(19, 57)],
    "mediterranean-sea": [(5, 40), (18, 36), (27.5, 40.7)],
    "black-sea": [(33, 43.3), (37, 46)],
    "caspian-sea": [(51, 41)],
    "bay-of-bengal": [(88, 12), (65, 15), (37, 22), (51, 27.3)],
    "indian-ocean": [(80, -40), (80, -20)],
    "south-china-sea": [(112, 12), (130, -10)],
    "sea-of-japan": [(134, 40), (130, 25), (148, 55)],
    "north-pacific": [(175, 40)],
    "central-pacific": [(165, 8)],
    "south-pacific": [(158, -30)],
    "east-pacific": [(215, 0)],
    "arctic": [(60, 77), (165, 74), (225, 74), (-5, 77), (-62, 72)],
}
EDITION_SEEDS = {
    "first": {
        "southern-ocean": [(30, -45), (38, -22)],
        "indian-ocean": [(60, -12), (42, -10), (60, -20), (50, -8)],
        "north-pacific": [(215, 48)],
        "east-pacific": [(228, 40)],
    },
    "second": {
        "indian-ocean": [(30, -45), (38, -22)],
        "bay-of-bengal": [(60, -12), (42, -10), (50, -8)],
        "east-pacific": [(215, 48), (228, 40)],
    },
}


# ---------------------------------------------------------------------------------------------
# The warp.


def bump(value, middle, width):
    return np.exp(-(((value - middle) / width) ** 2))


def make_warp():
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

    def total(density, axis):
        sums = np.cumsum(density, axis=axis)
        return sums - (density + np.take(density, [0], axis=axis)) / 2

    x = total(wide, 1)
    x = x / x[:, -1:] * WIDTH
    y = total(tall, 0)
    top, bottom = y[lats == NORTH], y[lats == SOUTH]
    y = (top - y) / (top - bottom) * HEIGHT
    return x, y


X, Y = make_warp()


def warp_points(points):
    """(lon, lat) -> (x, y), between the tables' corners."""
    points = np.asarray(points, dtype=float)
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


def warp(shape):
    return shapely.transform(shape, warp_points)


def warp_point(point):
    return tuple(warp_points([point])[0])


# ---------------------------------------------------------------------------------------------
# 1. Countries to spaces.


def read_countries(folder):
    """Country name -> shape, from TopoJSON: arcs of steps that shapes refer to."""
    data = json.loads((Path(folder) / "countries-50m.json").read_text(encoding="utf-8"))
    scale, move = np.array(data["transform"]["scale"]), np.array(data["transform"]["translate"])
    arcs = [np.cumsum(np.array(arc), axis=0) * scale + move for arc in data["arcs"]]

    def ring(indices):
        parts = [arcs[i] if i >= 0 else arcs[~i][::-1] for i in indices]
        points = np.vstack([parts[0]] + [part[1:] for part in parts[1:]])
        points[:, 0] = np.unwrap(points[:, 0], period=360)  # rings that cross 180 degrees
        return points

    def polygon(rings):
        return Polygon(ring(rings[0]), [ring(hole) for hole in rings[1:]])

    shapes = {}
    for country in data["objects"]["countries"]["geometries"]:
        if country["type"] == "Polygon":
            shape = polygon(country["arcs"])
        else:
            shape = MultiPolygon([polygon(rings) for rings in country["arcs"]])
        shapes[country["properties"]["name"]] = around(shapely.make_valid(shape))
    return shapes


def around(shape):
    """The shape between CUT and CUT + 360: what lies west of the cut moves to the right edge."""
    window = box(CUT, -90, CUT + 360, 90)
    turns = [affinity.translate(shape, turn).intersection(window) for turn in (-360, 0, 360)]
    return polygons(unary_union(turns))


def polygons(shape):
    """The polygons of a shape, without the points and lines that cutting leaves behind."""
    parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon"]
    return MultiPolygon(parts)


def make_spaces(countries):
    spaces = {
        space: unary_union([countries[name] for name in names.split("; ")])
        for space, names in COUNTRIES.items()
    }
    for new, old, area in HANDOVERS:
        area = Polygon(at(area))
        piece = polygons(spaces[old].intersection(area))
        assert not piece.is_empty, (new, old)
        spaces[old] = polygons(spaces[old].difference(area))
        if new:
            spaces[new] = polygons(unary_union([spaces.get(new, MultiPolygon()), piece]))
    for space, area in FILLS:
        others = unary_union([shape for other, shape in spaces.items() if other != space])
        spaces[space] = polygons(spaces[space].union(Polygon(at(area)).difference(others)))
    return as_coverage(spaces)


def as_coverage(spaces):
    """The spaces with the same corners on both sides of each border, close enough to be bent."""
    rough = {space: shapely.set_precision(shape, 0.0005) for space, shape in spaces.items()}
    net = unary_union([shape.boundary for shape in rough.values()])
    faces = list(polygonize(shapely.segmentize(linemerge(net), 0.5)))
    tree = shapely.STRtree([face.representative_point() for face in faces])
    return {
        space: unary_union([faces[i] for i in tree.query(shape, predicate="contains")])
        for space, shape in rough.items()
    }


# ---------------------------------------------------------------------------------------------
# 2 and 3. On to the map, and calm coasts.

CLOSE = 2.6  # bays and gaps narrower than twice this are filled
OPEN = 1.3  # tongues of land narrower than twice this go
ISLAND = 55  # islands smaller than this go
FRAME = box(0, 0, WIDTH, HEIGHT)


def grow(shape, by):
    return shape.buffer(by, quad_segs=4)


def without_islets(shape, least):
    return MultiPolygon([part for part in polygons(shape).geoms if part.area >= least])


def without_ponds(shape, keep):
    """Fills holes, but for those that hold one of the points to keep."""
    parts = []
    for part in polygons(shape).geoms:
        holes = [
            hole for hole in part.interiors if any(Polygon(hole).contains(Point(p)) for p in keep)
        ]
        parts.append(Polygon(part.exterior, holes))
    return unary_union(parts)


def make_blobs(middle, blobs):
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


def make_land(spaces):
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
    owners = {}
    for space, shape in land.items():
        for i in tree.query(shape, predicate="contains"):
            owners[i] = space
    tree = shapely.STRtree(faces)
    while len(owners) < len(faces):
        found = {}
        for i, face in enumerate(faces):
            if i not in owners:
                shares = defaultdict(float)
                for j in tree.query(face, predicate="intersects"):
                    if j in owners:
                        shares[owners[j]] += face.boundary.intersection(faces[j].boundary).length
                if shares:
                    found[i] = max(shares, key=shares.get)
        owners.update(found)
    return without_exclaves(
        {space: unary_union([faces[i] for i in owners if owners[i] == space]) for space in land}
    )


def without_exclaves(land):
    """Scraps of a space on another's mainland go to that other space."""
    for space in land:
        for part in shapely.get_parts(land[space]):
            others = {
                name: part.boundary.intersection(shape.boundary).length
                for name, shape in land.items()
                if name != space and part.intersects(shape)
            }
            if part.area < ISLAND and max(others.values(), default=0) > 0:
                other = max(others, key=others.get)
                land[space] = land[space].difference(part)
                land[other] = land[other].union(part)
    return land


def only_lines(shapes):
    """All lines, with a corner wherever two cross."""
    parts = shapely.get_parts(shapely.get_parts(unary_union(shapes)))
    return unary_union([part for part in parts if part.geom_type == "LineString"])


# ---------------------------------------------------------------------------------------------
# 4. Seas.


def corner(land, a, b, lon, lat):
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


def make_faces(land):
    """The faces of the map by their owners in the first and in the second edition."""
    coast = unary_union([shape.boundary for shape in land.values()])
    cuts = []
    for line in LINES:
        points = []
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

    owners = [dict.fromkeys(EDITIONS) for _ in faces]
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
                    shares = defaultdict(float)
                    for j in tree.query(face, predicate="touches"):
                        owner = owners[j][edition]
                        if owner and owner not in land:
                            shares[owner] += face.boundary.intersection(faces[j].boundary).length
                    if shares:
                        owners[i][edition] = max(shares, key=shares.get)
                        if face.area > 3000:
                            print("no seed in", face.representative_point(), face.area, owners[i])
    # Lines run on through land; what belongs together is joined again.
    groups = defaultdict(list)
    for face, owner in zip(faces, owners, strict=True):
        if all(owner.values()):
            groups[tuple(owner[edition] for edition in EDITIONS)].append(face)
    return {owner: shapely.coverage_union_all(parts) for owner, parts in groups.items()}


# ---------------------------------------------------------------------------------------------
# 5. One net of lines, simplified and rounded.

TOLERANCE = 1.9


def chaikin(points, closed):
    """Cuts corners: each becomes two. Ends stay, for they are shared."""
    if closed:
        points = points[:-1]
        pairs = list(zip(points, points[1:] + points[:1], strict=True))
    else:
        pairs = list(itertools.pairwise(points))
    smooth = []
    for (x1, y1), (x2, y2) in pairs:
        smooth += [(0.75 * x1 + 0.25 * x2, 0.75 * y1 + 0.25 * y2)]
        smooth += [(0.25 * x1 + 0.75 * x2, 0.25 * y1 + 0.75 * y2)]
    if closed:
        return [*smooth, smooth[0]]
    return [points[0], *smooth[1:-1], points[-1]]


def on_frame(points):
    return all(min(x, y, WIDTH - x, HEIGHT - y) < 0.001 for x, y in points)


def make_net(atoms):
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
    pieces = {edition: defaultdict(list) for edition in EDITIONS}
    for face in net:
        shares = {key: atom.intersection(face).area for key, atom in atoms.items()}
        key = max(shares, key=shares.get)
        if shares[key] < 0.4 * face.area:
            print("whose is", face.representative_point(), face.area, shares[key])
        for edition, owner in zip(EDITIONS, key, strict=True):
            pieces[edition][owner].append(face)
    return pieces


def rings_of(parts):
    """The outline of faces that share corners: edges that only one of them has, in rings."""
    edges = set()
    for part in parts:
        for ring in (part.exterior, *part.interiors):
            points = [(round(x * 10), round(y * 10)) for x, y in ring.coords]
            if shapely.is_ccw(ring) == (ring is not part.exterior):
                points.reverse()
            for edge in itertools.pairwise(points):
                if edge[::-1] in edges:
                    edges.remove(edge[::-1])
                else:
                    edges.add(edge)
    after = defaultdict(list)
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


def number(tenths):
    """Tenths as SVG writes them shortest."""
    text = f"{tenths / 10:.1f}".removesuffix(".0")
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def path_of(rings):
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


# ---------------------------------------------------------------------------------------------
# 6. Where things stand.

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


def name_lines(space):
    """The name, in two lines as even as can be where it is long."""
    words = [word if word == "of" else word.capitalize() for word in space.split("-")]
    if len(space) <= 9 or len(words) == 1:
        return [" ".join(words)]
    splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(splits, key=lambda lines: max(map(len, lines))))


def name_box(space, x, y):
    lines = name_lines(space)
    width = max(map(len, lines)) * LETTER / 2
    height = len(lines) * LINE / 2
    return box(x - width, y - height, x + width, y + height)


def grid_points(shape, step):
    if shape.is_empty:
        return np.empty((0, 2))
    left, top, right, bottom = shape.bounds
    xs, ys = np.meshgrid(np.arange(left, right + step, step), np.arange(top, bottom + step, step))
    points = np.column_stack([xs.ravel(), ys.ravel()])
    return points[shapely.contains_xy(shape, points[:, 0], points[:, 1])]


def cluster(points, middle, count, apart):
    """Places near the middle that keep apart; the best of some beginnings."""
    best, least = [], math.inf
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


def make_patterns():
    """The patterns, upright and turned, mirrored too, around their middle."""
    made = []
    for rank, pattern in enumerate(PATTERNS):
        points = np.array(pattern) * (1, math.sqrt(0.75)) * (APART + 0.6)
        points -= points.mean(axis=0)
        for turned in (points, points * (-1, 1), points[:, ::-1], points[:, ::-1] * (1, -1)):
            made.append((rank * 3, turned))
    return made


def rows(shape, middle):
    """As cluster, in even rows where there is room for them."""
    shapely.prepare(shape)
    moves = np.array(list(itertools.product(np.arange(-90, 91, 3), repeat=2)))
    moves = moves[np.argsort(np.hypot(*moves.T))]
    best, least = [], math.inf
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


def settle(space, region, taken, has_star, label, middle, fixed):
    """Label, slots, size and star of a space, in the room that is left."""
    room = region.difference(taken)
    if fixed:
        room = room.difference(Point(fixed).buffer(STAR + 1))
    step = max(3, math.sqrt(region.area) / 45)
    best, most = None, -math.inf
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
            apart = APART
            items = rows(free, heart)
            for apart in () if items else (APART, 22.5):
                items = cluster(points, heart, 6, apart)
                if len(items) == 6:
                    break
            star = (fixed or star_place(room, name, items)) if has_star else None
            spread = sum(np.hypot(*(one - heart)) for one in items) / len(items)
            centre = sum(items) / len(items)
            # A name reads best right above its pieces.
            score = 200 * len(items) - spread - cost - 0.7 * abs(x - centre[0])
            score -= 30 * (apart < APART) + 15 * (y > centre[1])
            if has_star and star is None:
                score -= 200
            if score > most:
                best, most = ((x, y), items, size, star), score
        if best and len(best[1]) == 6 and (best[3] is not None or not has_star):
            break
    if len(best[1]) < 6 or (has_star and best[3] is None):
        print("too little room in", space)
    return best


def star_place(room, name, items):
    """The place nearest to the name that is free."""
    pieces = [Point(one).buffer(RADIUS + 1) for one in items]
    free = room.difference(unary_union([name, *pieces])).buffer(-STAR - 1)
    points = grid_points(free.intersection(name.buffer(60)), 2)
    if not len(points):
        return None
    x, y = name.centroid.coords[0]
    away = np.abs(points - (x, y))
    cost = shapely.distance(shapely.points(points), name) * 2 + away[:, 0] * 0.3 + away[:, 1]
    return points[np.argmin(cost)]


def main_part(shape):
    return max(shapely.get_parts(shape), key=lambda part: part.area)


def label_places(space, room, step):
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


def arrange(regions, supply):
    """Labels, slots, sizes, stars, straits and pointers."""
    straits, pointers, marks = [], [], []
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

    placed = {}
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


def settle_around(space, region, room, taken, has_star, label):
    """As settle, but pieces may stand in the water around a small island."""
    x, y = label
    room = room.difference(unary_union([taken, name_box(space, x, y)])).buffer(-RADIUS - 1)
    points = grid_points(room, 2)
    # First the widest part of the island, then as far inland as there is land.
    inland = shapely.distance(shapely.points(points), region.buffer(-6))
    middle = np.array(shapely.maximum_inscribed_circle(main_part(region)).coords[0])
    items = []
    count = 6 + has_star
    order = np.argsort(inland * 3 + np.hypot(*(points - middle).T) * 0.5)
    for one in points[order]:
        if len(items) < count and all(np.hypot(*(one - other)) >= APART for other in items):
            items.append(one)
    star = items.pop(1) if has_star else None
    if len(items) < 6:
        print("only", len(items), "slots in", space)
    return (x, y), items, 1, star


def fetch(folder):
    """The shapes, through npm."""
    subprocess.run(["npm", "pack", "world-atlas@2"], cwd=folder, check=True, capture_output=True)
    [archive] = Path(folder).glob("*.tgz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return Path(folder) / "package"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("atlas", nargs="?", help="folder with countries-50m.json")
    parser.add_argument("--preview", help="an SVG to look at, such as /tmp/{}.svg for each edition")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        countries = read_countries(args.atlas or fetch(folder))
    land = make_land(make_spaces(countries))
    pieces = make_net(make_faces(land))
    paths = {
        edition: {space: path_of(rings_of(parts)) for space, parts in spaces.items()}
        for edition, spaces in pieces.items()
    }
    # Pieces and names stand where the space is in both editions.
    regions = {
        space: unary_union(pieces["first"][space]).intersection(
            unary_union(pieces["second"][space])
        )
        for space in paths["first"]
        if space not in ("arctic", "scenery")
    }
    placed, straits, pointers = arrange(regions, SUPPLY)
    data = {
        "box": [WIDTH, HEIGHT],
        "spaces": {},
        "scenery": paths["first"]["scenery"],
        "stars": {},
        "straits": [
            {
                **strait,
                "at": rounded(strait["at"]),
                "arrows": [[rounded(end) for end in arrow] for arrow in strait["arrows"]],
            }
            for strait in straits
        ],
        "pointers": [{**pointer, "at": rounded(pointer["at"])} for pointer in pointers],
    }
    for space, (label, slots, size, star) in sorted(placed.items()):
        path = {edition: paths[edition][space] for edition in EDITIONS}
        data["spaces"][space] = {
            "kind": "sea" if space in SEEDS else "land",
            "path": path["first"] if path["first"] == path["second"] else path,
            "label": rounded(label),
            "slots": [rounded(slot) for slot in slots],
            "size": size,
        }
        if star is not None:
            data["stars"][space] = rounded(star)
    text = json.dumps(data, separators=(",", ":")) + "\n"
    OUT.write_text(text, encoding="utf-8")
    print(len(text), "bytes,", len(gzip.compress(text.encode())), "zipped")
    if args.preview:
        for edition in EDITIONS:
            Path(args.preview.format(edition)).write_text(preview(data, edition), encoding="utf-8")


def rounded(point):
    return [round(float(value)) for value in point]


def preview(data, edition):
    """A picture of everything in the file, to look at."""
    width, height = data["box"]
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="Open Sans, sans-serif" font-size="12" text-anchor="middle">',
        f'<rect width="{width}" height="{height}" fill="#e3e9ec"/>',
        f'<path d="{data["scenery"]}" fill="#d5d6d0" fill-rule="evenodd"/>',
    ]
    spaces = sorted(data["spaces"].items(), key=lambda item: item[1]["kind"] == "land")
    for i, (_, space) in enumerate(spaces):
        path = space["path"] if isinstance(space["path"], str) else space["path"][edition]
        if space["kind"] == "sea":
            fill, stroke = f"hsl({200 + i % 3 * 5} 38% {76 + i % 4 * 2}%)", "#fff"
        else:
            fill, stroke = f"hsl({36 + i * 7 % 60} {24 + i % 3 * 6}% {76 + i % 4 * 2}%)", "#776f60"
        out.append(
            f'<path d="{path}" fill="{fill}" fill-rule="evenodd" stroke="{stroke}" '
            'stroke-width="1.2" stroke-linejoin="round"/>'
        )
    for space in data["spaces"].values():
        for n, (x, y) in enumerate(space["slots"]):
            out.append(
                f'<circle cx="{x}" cy="{y}" r="{RADIUS * space["size"]}" fill="#556" '
                f'fill-opacity="{0.75 - n * 0.09:.2f}"/>'
                f'<text x="{x}" y="{y + 4}" fill="#fff" font-size="10">{n + 1}</text>'
            )
    for name, space in data["spaces"].items():
        x, y = space["label"]
        lines = name_lines(name)
        for n, line in enumerate(lines):
            out.append(
                f'<text x="{x}" y="{y + 4 + LINE * (n - (len(lines) - 1) / 2)}">{line}</text>'
            )
    for x, y in data["stars"].values():
        out.append(f'<text x="{x}" y="{y + 7}" font-size="24" fill="#b8860b">\u2605</text>')
    for strait in data["straits"]:
        x, y = strait["at"]
        out.append(f'<text x="{x}" y="{y + 6}" font-size="18" fill="#234">\u2693</text>')
        for (x1, y1), (x2, y2) in strait["arrows"]:
            out.append(
                f'<path d="M{x1} {y1}L{x2} {y2}" stroke="#234" stroke-width="2.5"/>'
                f'<circle cx="{x2}" cy="{y2}" r="3" fill="#234"/>'
            )
    for pointer in data["pointers"]:
        x, y = pointer["at"]
        arrow = "\u25c0" if pointer["side"] == "left" else "\u25b6"
        out.append(f'<text x="{x}" y="{y + 6}" font-size="16" fill="#a33">{arrow}</text>')
    return "\n".join([*out, "</svg>"])


if __name__ == "__main__":
    main()

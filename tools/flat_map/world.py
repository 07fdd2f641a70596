"""Which countries make up a space, what is done to coasts, and which lines part the seas.

Longitudes run from CUT to CUT + 360.
"""

from flat_map.base import Place, at

Blob = tuple[float, float, float, float, float]
Stop = Place | str | tuple[str, str, float, float]

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
BLOBS: dict[str, tuple[Place, list[Blob]]] = {
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
CHANNELS: list[tuple[float, str]] = [
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
POOLS: list[list[Place]] = [
    [(27.0, 40.45), (27.6, 41.0), (28.3, 41.0), BOSPORUS, (29.2, 40.75), (28.0, 40.4)],
    [(28.4, 41.7), BOSPORUS, (29.9, 41.6), (29.5, 42.2)],
    # The Caspian, a little wider than it is.
    at(
        "46.8 45, 48.3 46.6, 51 47.3, 54 47.1, 54.7 45.5, 53.6 44.3, 53.5 43.2, 54.3 42, "
        "54.8 40.6, 54.6 39.4, 55.2 38.2, 54.4 37, 52.4 36.6, 50 37, 48.3 38.2, 48 39.6, "
        "48.6 40.5, 47.3 41.8, 46.7 43.2"
    ),
]

# The seas. A line runs through points (lon, lat), islands by name (their middle) and corners of
# two spaces at a coast (a, b, near lon, near lat); ends may lie inside land.

NORTH_SOUTH = (-42, 27)  # where North Atlantic, North Sea and South Atlantic meet
PACIFIC = (188, -10)  # where Central, South and East Pacific meet
LINES: list[list[Stop]] = [
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
SEEDS: dict[str, list[Place]] = {
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
EDITION_SEEDS: dict[str, dict[str, list[Place]]] = {
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


# The warp.

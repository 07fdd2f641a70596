"""The board: spaces, borders and straits of both printed maps.

Spaces are small ints (their place in `SPACES`); a set of spaces is an int used as a
bit mask (`_mask`). Land spaces come first, so an army or a navy is told by where it
stands. Borders differ between the editions in four places; a strait joins two seas for
one team at a time (rules: "Straits").
"""

from typing import Final

from quartermaster.rules.names import (
    ALLIES,
    AXIS,
    GERMANY,
    ITALY,
    JAPAN,
    SOVIET_UNION,
    UNITED_KINGDOM,
    UNITED_STATES,
)

SPACES: Final = (
    # land
    ("canada", "Canada"),
    ("eastern-united-states", "Eastern United States"),
    ("western-united-states", "Western United States"),
    ("pacific-northwest", "Pacific Northwest"),
    ("hawaii", "Hawaii"),
    ("latin-america", "Latin America"),
    ("iceland", "Iceland"),
    ("united-kingdom", "United Kingdom"),
    ("western-europe", "Western Europe"),
    ("germany", "Germany"),
    ("italy", "Italy"),
    ("scandinavia", "Scandinavia"),
    ("balkans", "Balkans"),
    ("eastern-europe", "Eastern Europe"),
    ("ukraine", "Ukraine"),
    ("russia", "Russia"),
    ("moscow", "Moscow"),
    ("siberia", "Siberia"),
    ("kazakhstan", "Kazakhstan"),
    ("mongolia", "Mongolia"),
    ("vladivostok", "Vladivostok"),
    ("middle-east", "Middle East"),
    ("india", "India"),
    ("szechuan", "Szechuan"),
    ("china", "China"),
    ("southeast-asia", "Southeast Asia"),
    ("japan", "Japan"),
    ("iwo-jima", "Iwo Jima"),
    ("philippines", "Philippines"),
    ("indonesia", "Indonesia"),
    ("new-guinea", "New Guinea"),
    ("australia", "Australia"),
    ("new-zealand", "New Zealand"),
    ("north-africa", "North Africa"),
    ("africa", "Africa"),
    ("madagascar", "Madagascar"),
    # sea
    ("north-atlantic", "North Atlantic"),
    ("south-atlantic", "South Atlantic"),
    ("southern-ocean", "Southern Ocean"),
    ("southeast-pacific", "Southeast Pacific"),
    ("north-sea", "North Sea"),
    ("baltic-sea", "Baltic Sea"),
    ("mediterranean-sea", "Mediterranean Sea"),
    ("black-sea", "Black Sea"),
    ("caspian-sea", "Caspian Sea"),
    ("bay-of-bengal", "Bay of Bengal"),
    ("indian-ocean", "Indian Ocean"),
    ("south-china-sea", "South China Sea"),
    ("sea-of-japan", "Sea of Japan"),
    ("north-pacific", "North Pacific"),
    ("central-pacific", "Central Pacific"),
    ("south-pacific", "South Pacific"),
    ("east-pacific", "East Pacific"),
)

SUPPLY_SPACES: Final = (
    "eastern-united-states",
    "western-united-states",
    "united-kingdom",
    "western-europe",
    "germany",
    "italy",
    "ukraine",
    "moscow",
    "india",
    "china",
    "japan",
    "australia",
)

HOME_SPACES: Final = {
    UNITED_STATES: "eastern-united-states",
    UNITED_KINGDOM: "united-kingdom",
    GERMANY: "germany",
    ITALY: "italy",
    SOVIET_UNION: "moscow",
    JAPAN: "japan",
}

STRAITS: Final = (
    # controlled from, the two seas it joins
    ("scandinavia", "north-sea", "baltic-sea"),
    ("north-africa", "north-sea", "mediterranean-sea"),
    ("middle-east", "mediterranean-sea", "bay-of-bengal"),
    ("southeast-asia", "bay-of-bengal", "south-china-sea"),
    ("latin-america", "north-atlantic", "southeast-pacific"),
)

# Each border once, under the space that comes first in SPACES.
_BORDERS: Final = {
    "canada": "eastern-united-states pacific-northwest north-atlantic",
    "eastern-united-states": "western-united-states latin-america north-atlantic",
    "western-united-states": "pacific-northwest latin-america east-pacific",
    "pacific-northwest": "north-pacific",
    "hawaii": "north-pacific central-pacific east-pacific",
    "latin-america": "north-atlantic south-atlantic southern-ocean southeast-pacific east-pacific",
    "iceland": "north-atlantic north-sea",
    "united-kingdom": "north-sea",
    "western-europe": "germany italy north-sea baltic-sea mediterranean-sea",
    "germany": "italy balkans eastern-europe baltic-sea",
    "italy": "balkans mediterranean-sea",
    "scandinavia": "russia north-sea baltic-sea",
    "balkans": "eastern-europe ukraine mediterranean-sea black-sea",
    "eastern-europe": "ukraine russia baltic-sea",
    "ukraine": "russia moscow kazakhstan middle-east black-sea caspian-sea",
    "russia": "moscow siberia baltic-sea",
    "moscow": "siberia kazakhstan",
    "siberia": "kazakhstan mongolia vladivostok",
    "kazakhstan": "mongolia szechuan middle-east caspian-sea",
    "mongolia": "vladivostok szechuan china",
    "vladivostok": "china sea-of-japan north-pacific",
    "middle-east": "india szechuan north-africa mediterranean-sea black-sea caspian-sea"
    " bay-of-bengal",
    "india": "szechuan southeast-asia bay-of-bengal",
    "szechuan": "china southeast-asia",
    "china": "southeast-asia sea-of-japan",
    "southeast-asia": "bay-of-bengal south-china-sea",
    "japan": "sea-of-japan",
    "iwo-jima": "sea-of-japan north-pacific central-pacific",
    "philippines": "sea-of-japan central-pacific south-china-sea",
    "indonesia": "bay-of-bengal indian-ocean south-china-sea",
    "new-guinea": "central-pacific south-pacific south-china-sea",
    "australia": "indian-ocean south-pacific south-china-sea",
    "new-zealand": "south-pacific east-pacific",
    "north-africa": "africa north-sea mediterranean-sea bay-of-bengal",
    "africa": "south-atlantic southern-ocean indian-ocean",
    "madagascar": "indian-ocean",
    "north-atlantic": "north-sea south-atlantic",
    "north-sea": "south-atlantic",
    "south-atlantic": "southern-ocean",
    "southern-ocean": "southeast-pacific indian-ocean",
    "southeast-pacific": "east-pacific",
    "bay-of-bengal": "indian-ocean",
    "indian-ocean": "south-china-sea south-pacific",
    "south-china-sea": "sea-of-japan central-pacific south-pacific",
    "sea-of-japan": "north-pacific central-pacific",
    "north-pacific": "central-pacific east-pacific",
    "central-pacific": "south-pacific east-pacific",
    "south-pacific": "east-pacific",
}

_FIRST_ONLY: Final = (("madagascar", "southern-ocean"),)
_SECOND_ONLY: Final = (
    ("madagascar", "bay-of-bengal"),
    ("africa", "bay-of-bengal"),
    ("pacific-northwest", "east-pacific"),
)

LAND_SPACES: Final = 36
N_SPACES: Final = 53
LAND_MASK: Final = (1 << LAND_SPACES) - 1
SEA_MASK: Final = (1 << N_SPACES) - 1 - LAND_MASK
ALL_SPACES_MASK: Final = LAND_MASK | SEA_MASK

SPACE_INDEX: Final = {space_id: i for i, (space_id, _) in enumerate(SPACES)}


def mask_of(*space_ids: str) -> int:
    """The bit mask of the named spaces.

    >>> mask_of("canada", "western-united-states")
    5
    """
    mask = 0
    for space_id in space_ids:
        mask |= 1 << SPACE_INDEX[space_id]
    return mask


def count_in(mask: int) -> int:
    """How many spaces a mask has; compiled, several times as fast as `int.bit_count`.

    >>> count_in(5)
    2
    """
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


def spaces_in(mask: int) -> list[int]:
    """The spaces of a mask, in board order.

    >>> spaces_in(5)
    [0, 2]
    """
    spaces = []
    while mask:
        low = mask & -mask
        spaces.append(low.bit_length() - 1)
        mask ^= low
    return spaces


SUPPLY_MASK: Final = mask_of(*SUPPLY_SPACES)
HOMES: Final = [SPACE_INDEX[HOME_SPACES[country]] for country in range(6)]
STRAITS_MASK: Final = mask_of(*(land for land, _, _ in STRAITS))


class Board:
    """The borders of one edition, with every state of the straits worked out beforehand."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        borders = [(a, b) for a, joined in _BORDERS.items() for b in joined.split()]
        borders += _FIRST_ONLY if edition == "first" else _SECOND_ONLY
        self.borders: list[tuple[int, int]] = sorted(
            (min(SPACE_INDEX[a], SPACE_INDEX[b]), max(SPACE_INDEX[a], SPACE_INDEX[b]))
            for a, b in borders
        )
        # With all straits shut; between land spaces, and between land and sea, that is all.
        self.shut: list[int] = [0] * N_SPACES
        for a, b in self.borders:
            self.shut[a] |= 1 << b
            self.shut[b] |= 1 << a
        # (Axis armies on the straits' land spaces) -> borders for the Axis, for the Allies
        self._open: dict[int, tuple[list[int], list[int]]] = {}
        for held in range(1 << len(STRAITS)):
            held_mask = 0
            tables = (self.shut.copy(), self.shut.copy())
            for i, (land, sea, other) in enumerate(STRAITS):
                is_held = held >> i & 1
                held_mask |= is_held << SPACE_INDEX[land]
                table = tables[AXIS if is_held else ALLIES]
                table[SPACE_INDEX[sea]] |= 1 << SPACE_INDEX[other]
                table[SPACE_INDEX[other]] |= 1 << SPACE_INDEX[sea]
            self._open[held_mask] = tables

    def adjacency(self, team: int, axis_mask: int) -> list[int]:
        """For each space the mask of spaces adjacent to it for a team, given where the
        Axis has pieces."""
        tables = self._open[axis_mask & STRAITS_MASK]
        return tables[0] if team == AXIS else tables[1]


BOARDS: Final = {"first": Board("first"), "second": Board("second")}

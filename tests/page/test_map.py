"""The page's map: what it draws is the board, and pieces have places to stand."""

import gzip
import itertools
import json
import math
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import quartermaster
from quartermaster.cards.as_data import board_data

Spot = tuple[int, int]  # in tenths of a unit, so that corners compare exactly
Ring = list[Spot]
Pair = frozenset[str]

FILE = Path(quartermaster.__file__).parent / "page" / "map.json"
TEXT = FILE.read_text(encoding="utf-8")


def unfolded(sent: dict[str, Any]) -> dict[str, Any]:
    """The map with the rings of each space, put together from lines that are sent once."""
    lines = []
    for text in sent["lines"]:
        numbers = [int(n) for n in text.split()]
        steps = zip(numbers[::2], numbers[1::2], strict=True)
        lines.append(list(itertools.accumulate(steps, lambda a, b: (a[0] + b[0], a[1] + b[1]))))

    def ring(parts: list[int]) -> Ring:
        whole: Ring = []
        for n in parts:
            line = lines[n] if n >= 0 else lines[~n][::-1]
            assert not whole or whole[-1] == line[0], "a ring has a gap"
            whole += line[1:] if whole else line
        assert whole[0] == whole[-1], "a ring is open"
        return whole[:-1]

    def shape(path: Any) -> Any:
        if isinstance(path, dict):
            return {edition: shape(one) for edition, one in path.items()}
        return [ring(parts) for parts in path]

    spaces = {id: {**space, "path": shape(space["path"])} for id, space in sent["spaces"].items()}
    parts = {name: shape(sent[name]) for name in ("scenery", "coast")}
    return {**sent, **parts, "spaces": spaces}


MAP: dict[str, Any] = unfolded(json.loads(TEXT))
WIDTH, HEIGHT = MAP["box"]
EDITIONS = ("first", "second")
SMALL_ISLANDS = {
    "hawaii",
    "iceland",
    "iwo-jima",
    "italy",
    "japan",
    "madagascar",
    "new-guinea",
    "new-zealand",
    "philippines",
    "united-kingdom",
}
ARCTIC = 72  # units from the top: coasts of the Arctic, which is no space, lie above
PIECE = 34  # units a piece is wide, which is finger size on a board of 1440 px
PIECES = 3  # that a space must hold: one of each country of a team
TOOLS = 54  # units at the lower edge, which the prompt covers in the middle


def read_path(path: str) -> list[Ring]:
    """Rings of `M x y l dx dy ... z`."""
    rings = []
    for part in path.split("z")[:-1]:
        assert part.startswith("M"), part
        numbers = [round(float(n) * 10) for n in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", part)]
        steps = list(zip(numbers[::2], numbers[1::2], strict=True))
        x = y = 0
        ring = []
        for dx, dy in steps:
            x, y = x + dx, y + dy
            ring.append((x, y))
        rings.append(ring)
    return rings


def rings_of(space: str, edition: str) -> list[Ring]:
    path = MAP["scenery"] if space == "scenery" else MAP["spaces"][space]["path"]
    rings: list[Ring] = path[edition] if isinstance(path, dict) else path
    return rings


def edges_of(rings: list[Ring]) -> set[frozenset[Spot]]:
    edges = [frozenset(edge) for ring in rings for edge in itertools.pairwise([*ring, ring[0]])]
    assert all(len(edge) == 2 for edge in edges)
    assert len(edges) == len(set(edges)), "a border runs back on itself"
    return set(edges)


def is_inside(rings: list[Ring], x: float, y: float) -> bool:
    """Whether a ray to the right crosses an odd number of edges."""
    x, y = x * 10, y * 10
    crossings = 0
    for ring in rings:
        for (x1, y1), (x2, y2) in itertools.pairwise([*ring, ring[0]]):
            if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
                crossings += 1
    return crossings % 2 == 1


def pair(a: str, b: str) -> Pair:
    return frozenset((a, b))


def drawn_borders(edition: str) -> dict[Pair, float]:
    """Spaces that share edges, and how long these are together."""
    owners: dict[frozenset[Spot], list[str]] = {}
    for space in MAP["spaces"]:
        for edge in edges_of(rings_of(space, edition)):
            owners.setdefault(edge, []).append(space)
    lengths: dict[Pair, float] = {}
    for edge, spaces in owners.items():
        if len(spaces) > 1:
            a, b = spaces
            (x1, y1), (x2, y2) = edge
            key = pair(a, b)
            lengths[key] = lengths.get(key, 0) + math.hypot(x2 - x1, y2 - y1) / 10
    return lengths


def pointed_borders() -> set[Pair]:
    return {pair(pointer["from"], pointer["to"]) for pointer in MAP["pointers"]}


def test_spaces() -> None:
    for edition in EDITIONS:
        assert {space["id"]: space["kind"] for space in board_data(edition)["spaces"]} == {
            name: space["kind"] for name, space in MAP["spaces"].items()
        }


@pytest.mark.parametrize("edition", EDITIONS)
def test_borders(edition: str) -> None:
    board = board_data(edition)
    borders = {pair(*border) for border in board["borders"]}
    straits = {pair(*strait["joins"]) for strait in board["straits"]}
    drawn = drawn_borders(edition)
    # A strait may be drawn as a line in the water (Gibraltar) or as land (Suez).
    assert set(drawn) - borders - straits == set()
    assert borders - set(drawn) == pointed_borders()
    # Long enough to be seen.
    assert {key: length for key, length in drawn.items() if length < 3} == {}


@pytest.mark.parametrize("edition", EDITIONS)
def test_no_gaps(edition: str) -> None:
    """Each edge has something on both sides, but at the frame and in the Arctic."""
    counts = Counter(
        edge for space in (*MAP["spaces"], "scenery") for edge in edges_of(rings_of(space, edition))
    )
    assert max(counts.values()) == 2
    for edge, count in counts.items():
        (x1, y1), (x2, y2) = edge
        is_frame = x1 == x2 in (0, WIDTH * 10) or y1 == y2 in (0, HEIGHT * 10)
        is_arctic = min(y1, y2) < ARCTIC * 10
        assert count == 2 or is_frame or is_arctic, edge


@pytest.mark.parametrize("edition", EDITIONS)
def test_slots(edition: str) -> None:
    """Three pieces stand in every space without touching any other; on small islands on the
    shelf around them."""
    slots = []
    for name, space in MAP["spaces"].items():
        assert len(space["slots"]) == PIECES
        rings = rings_of(name, edition)
        shelf = read_path(space["shelf"]) if "shelf" in space else rings
        assert ("shelf" in space) == (name in SMALL_ISLANDS)
        for x, y in space["slots"]:
            assert is_inside(rings, x, y) or is_inside(shelf, x, y), name
        slots += [(name, x, y) for x, y in space["slots"]]
    for (a, x1, y1), (b, x2, y2) in itertools.combinations(slots, 2):
        assert max(abs(x2 - x1), abs(y2 - y1)) >= PIECE, (a, b)
    for name, x, y in slots:
        assert PIECE / 2 <= x <= WIDTH - PIECE / 2, name
        assert PIECE / 2 <= y <= HEIGHT - PIECE / 2, name
        assert not (330 < x < 1110 and y > HEIGHT - TOOLS), f"{name}: under the prompt"


def test_stars() -> None:
    """The badge of a supply space stands beside its name, and on no piece."""
    for edition in EDITIONS:
        supply = {space["id"] for space in board_data(edition)["spaces"] if space["supply"]}
        assert set(MAP["stars"]) == supply
    for name, (x, y) in MAP["stars"].items():
        label_x, label_y = MAP["spaces"][name]["label"]
        assert abs(label_y - y) <= 2
        assert 15 <= label_x - x <= 60, name
        for space in MAP["spaces"].values():
            for slot_x, slot_y in space["slots"]:
                assert math.hypot(slot_x - x, slot_y - y) >= 20, name


def test_labels_are_in_the_box() -> None:
    for space in MAP["spaces"].values():
        x, y = space["label"]
        assert 20 <= x <= WIDTH - 20
        assert 10 <= y <= HEIGHT - 10


@pytest.mark.parametrize("edition", EDITIONS)
def test_straits(edition: str) -> None:
    expected = [(s["controlled_from"], s["joins"]) for s in board_data(edition)["straits"]]
    assert [(s["land"], s["joins"]) for s in MAP["straits"]] == expected
    for strait in MAP["straits"]:
        assert is_inside(rings_of(strait["land"], edition), *strait["at"])
        for sea, (_, tip) in zip(strait["joins"], strait["arrows"], strict=True):
            assert is_inside(rings_of(sea, edition), *tip), sea


@pytest.mark.parametrize("edition", EDITIONS)
def test_pointers(edition: str) -> None:
    ways = {(pointer["from"], pointer["to"]) for pointer in MAP["pointers"]}
    assert ways == {(b, a) for a, b in ways}
    for pointer in MAP["pointers"]:
        x, y = pointer["at"]
        assert (x < 30) if pointer["side"] == "left" else (x > WIDTH - 30)
        assert is_inside(rings_of(pointer["from"], edition), x, y), pointer


def test_size() -> None:
    assert len(TEXT.encode()) < 90_000
    assert len(gzip.compress(TEXT.encode())) < 33_000


def test_every_line_is_sent_once() -> None:
    edges = [
        frozenset(edge)
        for text in json.loads(TEXT)["lines"]
        for edge in itertools.pairwise(
            itertools.accumulate(
                zip(*[map(int, text.split())] * 2, strict=True),
                lambda a, b: (a[0] + b[0], a[1] + b[1]),
            )
        )
    ]
    assert len(edges) == len(set(edges))


def test_the_coast_is_where_land_ends() -> None:
    """Every edge of the coast belongs to one land, and every such edge is coast."""
    lands = [id for id, space in MAP["spaces"].items() if space["kind"] == "land"]
    times = Counter(edge for land in lands for edge in edges_of(rings_of(land, "second")))
    assert edges_of(MAP["coast"]) == {edge for edge, n in times.items() if n == 1}

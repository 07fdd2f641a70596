"""Writes every line of the map once: a border belongs to two spaces, and a coast to the land, to
the sea and to the coastline.

`fold` takes paths (`M x y l dx dy ... z`) apart at the corners where lines meet. What comes out
has `lines`, each a text of whole numbers in tenths of a pixel: where it begins, then steps; and in
place of paths lists of rings, a ring being numbers of lines, `~n` for line n the other way round.
The page puts it together again (js/base/map.js).
"""

import itertools
import re
from collections import defaultdict
from typing import Any

Spot = tuple[int, int]
Ring = list[Spot]


def rings_of(path: str) -> list[Ring]:
    """The corners of each ring of a path, in tenths."""
    found = []
    for part in re.findall(r"M([^Mz]+)z", path):
        numbers = [round(float(n) * 10) for n in re.findall(r"-?\d*\.?\d+", part)]
        steps = zip(numbers[::2], numbers[1::2], strict=True)
        found.append(list(itertools.accumulate(steps, lambda a, b: (a[0] + b[0], a[1] + b[1]))))
    return found


class Lines:
    """All lines, each once."""

    def __init__(self, rings: list[Ring]) -> None:
        neighbours: dict[Spot, set[Spot]] = defaultdict(set)
        for ring in rings:
            for a, b in itertools.pairwise([*ring, ring[0]]):
                neighbours[a].add(b)
                neighbours[b].add(a)
        self.meetings = {spot for spot, others in neighbours.items() if len(others) > 2}
        self.numbers: dict[tuple[Spot, ...], int] = {}

    def number(self, line: Ring) -> int:
        there, back = tuple(line), tuple(reversed(line))
        if back in self.numbers:
            return ~self.numbers[back]
        return self.numbers.setdefault(there, len(self.numbers))

    def split(self, ring: Ring) -> list[int]:
        """A ring as numbers of lines."""
        starts = [i for i, spot in enumerate(ring) if spot in self.meetings]
        if not starts:  # an island begins at its first corner, whoever draws it
            first = ring.index(min(ring))
            whole = [*ring[first:], *ring[:first], ring[first]]
            return [self.number(whole)]
        ring = [*ring[starts[0] :], *ring[: starts[0]], ring[starts[0]]]
        found, begin = [], 0
        for i in range(1, len(ring)):
            if ring[i] in self.meetings or i == len(ring) - 1:
                found.append(self.number(ring[begin : i + 1]))
                begin = i
        return found

    def texts(self) -> list[str]:
        found = []
        for line in self.numbers:
            steps = [(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(line)]
            found.append(" ".join(str(n) for spot in (line[0], *steps) for n in spot))
        return found


def coast_of(lands: list[list[list[int]]], lines: Lines) -> list[list[int]]:
    """Lines with land on one side only, joined to rings."""
    times: dict[int, int] = defaultdict(int)
    for number in (n for land in lands for ring in land for n in ring):
        times[number if number >= 0 else ~number] += 1
    spots = list(lines.numbers)
    way = [n for land in lands for ring in land for n in ring if times[n if n >= 0 else ~n] == 1]

    def ends(n: int) -> tuple[Spot, Spot]:
        line = spots[n if n >= 0 else ~n]
        return (line[0], line[-1]) if n >= 0 else (line[-1], line[0])

    from_here: dict[Spot, list[int]] = defaultdict(list)
    for n in way:
        from_here[ends(n)[0]].append(n)
    rings = []
    while any(from_here.values()):
        start = next(spot for spot, those in from_here.items() if those)
        ring, at = [], start
        while from_here[at]:
            n = from_here[at].pop()
            ring.append(n)
            at = ends(n)[1]
            if at == start:
                break
        rings.append(ring)
    return rings


def fold(drawing: dict[str, Any]) -> dict[str, Any]:
    """The map with each line written once."""
    paths = [space["path"] for space in drawing["spaces"].values()] + [drawing["scenery"]]
    every = [
        ring
        for path in paths
        for one in ([path] if isinstance(path, str) else path.values())
        for ring in rings_of(one)
    ]
    lines = Lines(every)

    def folded(path: str) -> list[list[int]]:
        return [lines.split(ring) for ring in rings_of(path)]

    spaces = {
        id: {
            **space,
            "path": folded(space["path"])
            if isinstance(space["path"], str)
            else {edition: folded(path) for edition, path in space["path"].items()},
        }
        for id, space in drawing["spaces"].items()
    }
    lands = [space["path"] for space in spaces.values() if space["kind"] == "land"]
    return {
        **drawing,
        "spaces": spaces,
        "scenery": folded(drawing["scenery"]),
        "coast": coast_of(lands, lines),
        "lines": lines.texts(),
    }

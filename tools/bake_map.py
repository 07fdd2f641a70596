"""Draws the world from real geography: tools/flat-map.json, which `warp_map.py` makes the board of.

Needs shapely, pyproj and numpy, which the package itself does not, and npm to fetch the shapes of
Natural Earth, which are in the public domain:

    npm pack world-atlas@2 && tar xzf world-atlas-2*.tgz    (makes a folder `package`)
    python tools/bake_map.py package --preview "/tmp/map-{}.svg"

Without a folder the script fetches the shapes itself. The steps:

Each step is a module of `flat_map/`; what the world looks like, as data, is `flat_map/world.py`.

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
import json
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from flat_map.base import EDITIONS, HEIGHT, OUT, SUPPLY, WIDTH
from flat_map.land import make_land, make_spaces, read_countries
from flat_map.net import make_net, path_of, rings_of
from flat_map.places import arrange
from flat_map.preview import preview
from flat_map.seas import make_faces
from flat_map.world import SEEDS
from shapely.ops import unary_union


def fetch(folder: Path) -> Path:
    """The shapes, through npm."""
    subprocess.run(["npm", "pack", "world-atlas@2"], cwd=folder, check=True, capture_output=True)
    [archive] = folder.glob("*.tgz")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / "package"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("atlas", nargs="?", help="folder with countries-50m.json")
    parser.add_argument("--preview", help="an SVG to look at, such as /tmp/{}.svg for each edition")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        countries = read_countries(Path(args.atlas) if args.atlas else fetch(Path(folder)))
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
    data: dict[str, Any] = {
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


def rounded(point: Iterable[float]) -> list[int]:
    return [round(float(value)) for value in point]


if __name__ == "__main__":
    main()

"""The page's own code: what imports what, types, words, colours."""

import importlib
import itertools
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quartermaster.server.api.pages import page_words
from quartermaster.server.folders import PAGE

ROOT = Path(__file__).parents[2]
JS = PAGE / "js"
# Each may import what stands before it, and its own folder.
LAYERS = ["base", "state", "router", "parts", "screens", "main"]
MODULES = sorted(JS.rglob("*.js"))

sys.path.insert(0, str(ROOT / "tools"))


def layer_of(path: Path) -> int:
    return LAYERS.index(path.relative_to(JS).parts[0].removesuffix(".js"))


def imports_of(path: Path) -> list[Path]:
    found = re.findall(
        r'^(?:import|export)\b[^;]*?from "(\.[^"]+)"', path.read_text(), re.MULTILINE
    )
    return [(path.parent / name).resolve() for name in found if "vendor" not in name]


def fetched_later(path: Path) -> list[Path]:
    """The modules that one fetches when somebody wants them."""
    found = re.findall(r'^(?!.*\*).*\bimport\("(\.[^"]+)"\)', path.read_text(), re.MULTILINE)
    return [(path.parent / name).resolve() for name in found]


def test_modules_import_downwards_only() -> None:
    assert len(MODULES) > 25
    for path in MODULES:
        for other in imports_of(path) + fetched_later(path):
            assert other.is_file(), f"{path}: {other}"
            assert layer_of(other) <= layer_of(path), f"{path.name} imports {other.name}"


def test_no_ring_of_imports() -> None:
    done: set[Path] = set()

    def visit(path: Path, way: tuple[Path, ...]) -> None:
        assert path not in way, " -> ".join(one.name for one in (*way, path))
        if path not in done:
            for other in imports_of(path):
                visit(other, (*way, path))
            done.add(path)

    for path in MODULES:
        visit(path, ())


def test_no_name_hides_a_built_in() -> None:
    hidden = "Map|Set|Window|Object|Array|Number|String|Promise|Event|Node|Text|Error|Date|Symbol"
    pattern = rf"\b(?:function|class|const|let|var) (?:{hidden})\b"
    for path in MODULES:
        assert re.findall(pattern, path.read_text()) == [], path


def test_no_count_is_shown_where_there_is_nothing() -> None:
    """What is shown only if there is something asks `> 0`: a bare 0 would be written."""
    for path in MODULES:
        found = re.findall(r"\$\{[^{}?!]*\.(?:length|size) && (?:html|t\()", path.read_text())
        assert found == [], path
        assert not re.search(r"[:=] [\w.]+\.length && t\(", path.read_text()), path


def test_types_of_the_api_are_those_of_the_server() -> None:
    page_types = importlib.import_module("page_types")
    assert page_types.api_types() == (JS / "api.d.ts").read_text(encoding="utf-8"), (
        "python tools/page_types.py"
    )


@pytest.mark.skipif(shutil.which("npx") is None, reason="no npx: the page's types are not checked")
def test_types() -> None:
    command = [
        "npx",
        "--yes",
        "--package",
        "typescript@5",
        "tsc",
        "-p",
        str(PAGE / "jsconfig.json"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    if "error TS" not in done.stdout and done.returncode != 0:
        pytest.skip(f"no TypeScript: {done.stderr[-200:]}")
    assert done.stdout == ""


@pytest.mark.skipif(shutil.which("npx") is None, reason="no npx: the page's form is not checked")
def test_form() -> None:
    files = [str(PAGE / kind) for kind in ("js/**/*.js", "styles/*.css")]
    command = ["npx", "--yes", "prettier@3.6", "--list-different", *files]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, cwd=ROOT
    )
    if done.returncode not in (0, 1):
        pytest.skip(f"no prettier: {done.stderr[-200:]}")
    assert done.stdout == "", "make format-page"


# Words.


def test_every_text_that_is_said_is_in_the_catalogue() -> None:
    words = page_words("en")
    for path in MODULES:
        for id in re.findall(r'\b(?:t|many)\(\s*"([^"]+)"', path.read_text()):
            assert id in words, f"{path.name}: {id}"


def test_every_text_of_the_catalogue_is_said() -> None:
    text = "\n".join(path.read_text() for path in MODULES)
    # Ids that are put together: by what stands before the last dot or dash.
    made = set(re.findall(r"`([a-z.-]+?)(?:\$\{)", text))
    unsaid = [
        id
        for id in page_words("en")
        if f'"{id}"' not in text
        and not any(id.startswith(start) for start in made)
        and not (id.endswith(".one") and f'"{id.removesuffix(".one")}"' in text)
    ]
    assert unsaid == []


# Colours.

EYES = {
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}  # Machado, Oliveira and Fernandes 2009, severity 1
COUNTRIES = ["germany", "japan", "italy", "united-kingdom", "soviet-union", "united-states"]
Lab = tuple[float, float, float]


def tokens() -> dict[str, str]:
    text = (PAGE / "styles/tokens.css").read_text()
    day = text[: text.index("[data-theme")]
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{6});", day))


def linear(colour: str) -> list[float]:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def contrast(a: str, b: str) -> float:
    def luminance(colour: str) -> float:
        weights = (0.2126, 0.7152, 0.0722)
        return sum(k * p for k, p in zip(weights, linear(colour), strict=True))

    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def seen(colour: str, eye: str) -> Lab:
    rgb = linear(colour)
    r, g, b = (
        min(1, max(0, sum(k * p for k, p in zip(row, rgb, strict=True)))) for row in EYES[eye]
    )
    xyz = (
        (0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047,
        0.2126729 * r + 0.7151522 * g + 0.0721750 * b,
        (0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883,
    )
    f = [t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in xyz]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def distance(one: Lab, two: Lab) -> float:
    """CIEDE2000."""
    (l1, a1, b1), (l2, a2, b2) = one, two
    c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = (1 - math.sqrt(c**7 / (c**7 + 25**7))) / 2
    a1, a2 = a1 * (1 + g), a2 * (1 + g)
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    dl, dc, dh = l2 - l1, c2 - c1, (h2 - h1 + 180) % 360 - 180
    dhh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh / 2))
    lm, cm = (l1 + l2) / 2, (c1 + c2) / 2
    hm = (h1 + h2) / 2 if abs(h1 - h2) <= 180 else (h1 + h2 + 360) / 2 % 360
    rad = math.radians
    t = 1 - 0.17 * math.cos(rad(hm - 30)) + 0.24 * math.cos(rad(2 * hm))
    t += 0.32 * math.cos(rad(3 * hm + 6)) - 0.2 * math.cos(rad(4 * hm - 63))
    sl = 1 + 0.015 * (lm - 50) ** 2 / math.sqrt(20 + (lm - 50) ** 2)
    sc, sh = 1 + 0.045 * cm, 1 + 0.015 * cm * t
    turn = math.sin(rad(60 * math.exp(-(((hm - 275) / 25) ** 2))))
    rt = -2 * math.sqrt(cm**7 / (cm**7 + 25**7)) * turn
    return math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dhh / sh) ** 2 + rt * dc / sc * dhh / sh)


@pytest.mark.parametrize("eye", EYES)
def test_countries_are_told_apart(eye: str) -> None:
    colours = tokens()
    for a, b in itertools.combinations(COUNTRIES, 2):
        assert distance(seen(colours[a], eye), seen(colours[b], eye)) >= 18, (a, b)


def test_letters_on_pieces_can_be_read() -> None:
    colours = tokens()
    for country in COUNTRIES:
        assert contrast(colours[country], colours[f"{country}-ink"]) >= 4.5, country


def test_all_modules_are_asked_for_at_once() -> None:
    """A browser that learns of modules by their imports alone waits once for each layer. What a
    screen loads later by itself is no part of the beginning."""
    page = (PAGE / "index.html").read_text()
    named = set(re.findall(r'<link rel="modulepreload" href="/static/([^"]+)">', page))
    vendored = {f"vendor/{path.name}" for path in (PAGE / "vendor").glob("*.js")}
    later = {other for path in MODULES for other in fetched_later(path)}
    assert {path.name for path in later} >= {"postcard.js", "figures.js"}
    assert not later & {other for path in MODULES for other in imports_of(path)}
    assert named == {str(path.relative_to(PAGE)) for path in {*MODULES} - later} | vendored

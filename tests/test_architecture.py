"""The drawings in docs/architecture.md are of the package as it is."""

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parent.parent


def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("draw", ROOT / "tools" / "draw_architecture.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_rooms_are_drawn_as_they_are() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rooms = tool().rooms()
    assert "server --> bots" in rooms
    assert rooms in page, "run python tools/draw_architecture.py"


def test_a_move_goes_from_the_wire_to_the_rules_and_to_disk() -> None:
    way = tool().one_move()
    reached = [line.split(" ->> ")[1].partition(":")[0] for line in way.splitlines()[1:]]
    wanted = [
        "server.hub",
        "server.table.commands.playing",
        "rules.engine",
        "server.store.store",
    ]
    assert [module for module in reached if module in wanted] == wanted
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawn = page.partition("sequenceDiagram\n")[2].partition("```")[0]
    assert set(wanted) <= {line.split(" ->> ")[1].partition(":")[0] for line in drawn.splitlines()}

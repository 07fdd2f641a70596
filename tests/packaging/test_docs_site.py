"""The documentation site: it is built without a warning, and every public name has an example."""

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quartermaster
from quartermaster.lab import env as environments
from quartermaster.lab.env import observation_of, quartermaster_v0

ROOT = Path(__file__).parents[2]
# What `Course` asks of `Game`, and nobody else does; and what PettingZoo wants to be there.
INTERNAL = {"make", "apply_other", "go_on_from", "close"}


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="pip install 'quartermaster-game[docs]'")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    command += ["-d", str(tmp_path / "doctrees"), str(ROOT / "docs"), str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site" / "reference.html").read_text(encoding="utf-8")
    for name in ("Game.apply", "Look.deal", "VectorEnv.step", "observation_of"):
        assert name in page
    guides = [path.stem for path in (tmp_path / "site" / "guides").glob("*.html")]
    assert sorted(guides) == ["bot", "card", "play", "train"]


def members(thing: type) -> dict[str, Any]:
    """The public methods and properties of a class that say what they do."""
    found = {}
    for name in dir(thing):
        if name.startswith("_"):
            continue
        member = inspect.getattr_static(thing, name)
        member = getattr(member, "__func__", member)
        member = getattr(member, "fget", None) or getattr(member, "func", member)
        is_own = getattr(member, "__module__", "").startswith("quartermaster")
        if callable(member) and is_own and inspect.getdoc(member):
            found[name] = member
    return found


def public_things() -> list[tuple[str, Any]]:
    modules = ((quartermaster, quartermaster.__all__), (environments, environments.__all__))
    things = [(name, getattr(module, name)) for module, names in modules for name in names]
    things += [("env", quartermaster_v0.env), ("raw_env", quartermaster_v0.raw_env)]
    return [
        (name, thing)
        for name, thing in things
        if callable(thing) and not (inspect.isclass(thing) and issubclass(thing, Exception))
    ]


@pytest.mark.parametrize(("name", "thing"), public_things(), ids=[n for n, _ in public_things()])
def test_every_public_name_has_an_example(name: str, thing: Any) -> None:
    """Of a class it may be in its methods' or its module's."""
    doc = inspect.getdoc(thing) or ""
    if inspect.isclass(thing):
        own = members(thing)
        without = [
            key
            for key, member in own.items()
            if ">>>" not in (inspect.getdoc(member) or "") and key not in INTERNAL
        ]
        assert not without, f"{name}: no example of {without}"
        module = inspect.getmodule(thing)
        assert ">>>" in doc or own or ">>>" in (module.__doc__ or "" if module else ""), name
    else:
        assert ">>>" in doc, name


def test_the_page_of_environments_lists_the_fields_as_they_are() -> None:
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    known = observation_of("second")
    assert known.describe() in page
    assert f"{known.size:,} in `second`" in page
    assert f"{known.rules.numbering.size:,} in `second`" in page

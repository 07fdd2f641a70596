"""The documentation site: it is built without a warning, and every public name has an example."""

import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import quartermaster
from quartermaster.lab import env as environments
from quartermaster.lab.env import observation_of, quartermaster_v0
from quartermaster.lab.env.solo import SoloEnv

ROOT = Path(__file__).parents[2]


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
    """The public methods and properties of a class that are ours."""
    found = {}
    for name in dir(thing):
        if name.startswith("_"):
            continue
        member = inspect.getattr_static(thing, name)
        member = getattr(member, "__func__", member)
        member = getattr(member, "fget", None) or getattr(member, "func", member)
        is_own = getattr(member, "__module__", "").startswith("quartermaster")
        if callable(member) and is_own:
            found[name] = member
    return found


def public_things() -> list[tuple[str, Any]]:
    modules = ((quartermaster, quartermaster.__all__), (environments, environments.__all__))
    things = [(name, getattr(module, name)) for module, names in modules for name in names]
    things += [("env", quartermaster_v0.env), ("raw_env", quartermaster_v0.raw_env)]
    things.append(("SoloEnv", SoloEnv))
    return [(name, thing) for name, thing in things if callable(thing)]


def without_example(thing: Any) -> list[str]:
    """What a public class or function lacks: an example of itself, or of a method. The class's
    own may be in its module's text, where that is about nothing else."""
    module = inspect.getmodule(thing)
    texts = [inspect.getdoc(thing) or ""]
    if inspect.isclass(thing) and module is not None:
        texts.append(module.__doc__ or "")
    lacking = [] if any(">>>" in text for text in texts) else ["itself"]
    if inspect.isclass(thing):
        own = members(thing)
        lacking += [key for key in own if ">>>" not in (inspect.getdoc(own[key]) or "")]
    return lacking


@pytest.mark.parametrize(("name", "thing"), public_things(), ids=[n for n, _ in public_things()])
def test_every_public_name_has_an_example(name: str, thing: Any) -> None:
    assert without_example(thing) == [], name


class Bare:
    """A class with no example."""

    def told(self) -> None:
        """Says what it does, but shows nothing."""

    def silent(self) -> None:
        pass

    def shown(self) -> None:
        """
        >>> Bare().shown()
        """

    @property
    def value(self) -> int:
        return 1


def test_what_has_no_example_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    for member in (Bare.told, Bare.silent, Bare.shown, vars(Bare)["value"].fget):
        monkeypatch.setattr(member, "__module__", "quartermaster.bare")
    assert without_example(Bare) == ["itself", "silent", "told", "value"]
    assert without_example(members) == ["itself"]


def test_the_reference_lists_every_public_name() -> None:
    page = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    for name in [*quartermaster.__all__, *environments.__all__]:
        assert re.search(rf"[.`]{name}\b", page), name


def test_help_begins_with_what_there_is() -> None:
    told = inspect.getdoc(quartermaster) or ""
    named = re.findall(r"\b[A-Za-z_]+\b", told.partition("What else there is:")[2])
    for name in ("Game", "Look", "load_bot", "play_match", "load_rules"):
        assert name in told
    for name in named:
        if name in dir(quartermaster) and name not in ("a", "lab", "fairness"):
            assert name in quartermaster.__all__ or inspect.ismodule(getattr(quartermaster, name))


def test_the_page_of_environments_lists_the_fields_as_they_are() -> None:
    page = (ROOT / "docs" / "environments.md").read_text(encoding="utf-8")
    known = observation_of("second")
    assert known.describe() in page
    assert f"{known.size:,} in `second`" in page
    assert f"{known.rules.numbering.size:,} in `second`" in page

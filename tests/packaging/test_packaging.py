"""What is built and installed: by whom it is built, what is in it, where it keeps things."""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_string
from pathlib import Path

import pytest
from trove_classifiers import classifiers as known_classifiers

import backend
from index_page import index_page, project_urls
from quartermaster.bots.process import stand_back
from quartermaster.cli import play
from quartermaster.lab.bench import is_compiled
from quartermaster.server.folders import data_folder
from quartermaster.server.settings import Settings
from quartermaster.version import VERSION

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
README = (ROOT / "README.md").read_text()
REPOSITORY = "https://git.example.org/quartermaster"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Made of a copy of the sources, interpreted, with the address of a repository."""
    return zipfile.ZipFile(built("build_wheel", tmp_path_factory.mktemp("wheel"), REPOSITORY))


def built(hook: str, folder: Path, repository: str = "") -> Path:
    """What the backend makes, as pip asks for it, from a checkout of what git knows."""
    source = folder / "source"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("needs a checkout made by git")
    for name in listed.stdout.split():
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    code = f"import sys; sys.path.insert(0, 'packaging'); import backend; backend.{hook}('..')"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source, capture_output=True, text=True,
        env={**os.environ, "QUARTERMASTER_COMPILE": "never",
             "QUARTERMASTER_REPOSITORY": repository},
    )  # fmt: skip
    assert not done.returncode, done.stderr
    return next(path for path in folder.iterdir() if path.is_file())


def test_mypy_is_fetched_only_to_compile(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))  # no compiler
    monkeypatch.delenv("QUARTERMASTER_COMPILE", raising=False)
    assert backend.MYPY not in backend.get_requires_for_build_wheel()
    compiler = tmp_path / "gcc"
    compiler.write_text("")
    compiler.chmod(0o755)
    assert backend.MYPY in backend.get_requires_for_build_wheel()
    monkeypatch.setenv("QUARTERMASTER_COMPILE", "never")
    assert backend.MYPY not in backend.get_requires_for_build_wheel()
    monkeypatch.setenv("QUARTERMASTER_COMPILE", "always")
    assert backend.MYPY in backend.get_requires_for_build_wheel()
    assert backend.MYPY not in backend.get_requires_for_build_editable()
    assert not any("mypy" in one for one in PROJECT["build-system"]["requires"])
    assert not any("babel" in one for one in PROJECT["project"]["dependencies"])


def test_the_wheel_has_what_it_needs(wheel: zipfile.ZipFile) -> None:
    names = wheel.namelist()
    info = f"quartermaster_game-{VERSION}.dist-info"
    assert f"{info}/licenses/LICENSE" in names
    vendored = [name for name in names if name.endswith("LICENSES.txt")]
    assert any(name.startswith(info) for name in vendored)
    assert any(name.startswith("quartermaster/page") for name in vendored)
    assert "quartermaster/speech/locale/en/LC_MESSAGES/page.po" in names
    assert not [name for name in names if name.startswith(("tests", "packaging"))]
    metadata = message_from_string(wheel.read(f"{info}/METADATA").decode())
    assert f"Repository, {REPOSITORY}" in metadata.get_all("Project-URL", [])
    assert f"({REPOSITORY}/raw/HEAD/docs/game.png)" in metadata.get_payload()
    assert metadata["Requires-Python"] == ">=3.11"


def test_an_sdist_has_no_tests_without_their_helpers(tmp_path: Path) -> None:
    with tarfile.open(built("build_sdist", tmp_path)) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]
        text = sdist.extractfile(f"quartermaster_game-{VERSION}/PKG-INFO")
        assert text is not None
        head = text.read().decode()
    assert not [name for name in names if name.startswith("tests")]
    assert {"packaging/backend.py", "packaging/index_page.py", "setup.py"} <= set(names)
    assert "Project-URL" not in head  # none was given, none is made up
    assert "![" not in head


def test_the_readme_on_an_index_has_no_broken_links() -> None:
    whole = index_page(README, REPOSITORY)
    assert "](docs/" not in whole
    assert f"]({REPOSITORY}/blob/HEAD/docs/hosting.md)" in whole
    bare = index_page(README, None)
    assert "](" not in bare.replace("](http", "")
    assert "| ---" not in bare
    assert "Hosting: settings" in bare
    assert project_urls(None) == {}


def test_classifiers_are_known_and_name_each_python_that_wheels_are_for() -> None:
    given = PROJECT["project"]["classifiers"]
    assert set(given) <= set(known_classifiers)
    for build in PROJECT["tool"]["cibuildwheel"]["build"]:
        minor = build.removeprefix("cp3").removesuffix("-*")
        assert f"Programming Language :: Python :: 3.{minor}" in given


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        ("linux", ".local/share/quartermaster"),
        ("darwin", "Library/Application Support/quartermaster"),
        ("win32", "AppData/Local/quartermaster"),
    ],
)
def test_play_and_serve_keep_things_in_one_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, expected: str
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr(sys, "platform", system)
    assert data_folder() == tmp_path / expected
    assert play._default_record() == tmp_path / expected / "game.txt"
    database = Settings.from_environment({}).database_url
    assert database.endswith(f"{tmp_path / expected}/quartermaster.db")


def test_systems_without_nice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "nice", raising=False)
    stand_back(5)


def test_the_version_says_whether_it_is_compiled() -> None:
    command = [sys.executable, "-m", "quartermaster", "--version"]
    told = subprocess.run(command, capture_output=True, text=True).stdout
    mode = "compiled" if is_compiled() else "interpreted"
    assert told.startswith(f"quartermaster {VERSION} ({mode}, Python 3.")

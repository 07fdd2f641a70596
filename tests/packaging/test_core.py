"""The core that `make play` compiles and keeps: only for the very sources it was made of, and no
matter whether compiling works."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import keep_core
import pytest
from setuptools import Distribution, Extension
from setuptools.errors import CompileError

from quartermaster import core
from quartermaster.core import core_digest, core_files
from quartermaster.rules import engine
from side_by_side import BuildSideBySide

ROOT = Path(__file__).parents[2]
COMPILED = ROOT / "build" / "compiled"
_WHICH = """
import quartermaster.rules.engine as engine, quartermaster.bots.mind.race as race
print(engine.__file__, race.__file__)
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of the sources."""
    ignored = shutil.ignore_patterns("__pycache__", "*.egg-info", "page")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    return tmp_path


def modules_of(checkout: Path) -> list[str]:
    """The files of two of the core's modules, as a process of the checkout has them."""
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    del environment["QUARTERMASTER_COMPILE"]
    done = subprocess.run(
        [sys.executable, "-c", _WHICH], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_a_digest_is_of_every_source_and_its_name(checkout: Path) -> None:
    package = checkout / "src" / "quartermaster"
    assert core_digest(package) == core_digest()
    seen = {core_digest()}
    for path in core_files(package)[:3]:
        path.write_text(path.read_text() + "\n# edited\n")
        seen.add(core_digest(package))
    path.rename(path.with_name("renamed.py"))
    seen.add(core_digest(package))
    assert len(seen) == 5


def test_a_kept_core_runs_until_a_source_is_edited(checkout: Path) -> None:
    package = checkout / "src" / "quartermaster"
    assert all(file.startswith(str(package)) for file in modules_of(checkout))
    if not list(COMPILED.glob("*.so")) or core_digest(COMPILED / "quartermaster") != core_digest():
        pytest.skip("no compiled copy of these sources; `make test` makes one with a C compiler")
    kept = checkout / "build" / "core" / core_digest(COMPILED / "quartermaster")
    shutil.copytree(COMPILED, kept)
    assert all(file.startswith(str(kept)) for file in modules_of(checkout))
    engine_source = package / "rules" / "engine.py"
    engine_source.write_text(engine_source.read_text() + "\n# edited\n")
    assert all(file.startswith(str(package)) for file in modules_of(checkout))


def test_tests_are_of_the_sources() -> None:
    assert core.running_core() is None
    assert str(engine.__file__).endswith("engine.py")


def test_without_a_compiler_nothing_is_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(core, "KEPT", tmp_path / "build" / "core")
    monkeypatch.setattr(keep_core, "KEPT", tmp_path / "build" / "core")
    assert keep_core.keep_core() == "no C compiler; the core stays interpreted"
    assert not (tmp_path / "build").exists()


def small_project(folder: Path) -> Path:
    """The project with a core of a single function, which takes no time to translate to C."""
    for name in keep_core._SOURCES:
        if name == "src":
            continue
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        folder.mkdir(exist_ok=True)
        copy(ROOT / name, folder / name)
    package = folder / "src" / "quartermaster"
    (package / "rules").mkdir(parents=True)
    shutil.copy2(ROOT / "src" / "quartermaster" / "core.py", package)
    (package / "__init__.py").write_text("")
    (package / "rules" / "__init__.py").write_text("")
    (package / "rules" / "engine.py").write_text("def one() -> int:\n    return 1\n")
    return folder


def test_a_compiler_that_fails_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "build" / "core"
    monkeypatch.setattr(core, "KEPT", kept)
    monkeypatch.setattr(keep_core, "KEPT", kept)
    monkeypatch.setattr(keep_core, "ROOT", small_project(tmp_path / "project"))
    monkeypatch.delenv("QUARTERMASTER_COMPILE")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    for name in ("cc", "gcc"):
        (tmp_path / name).write_text("#!/bin/sh\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("CC", str(tmp_path / "cc"))
    # With what is installed here rather than with what would have to be fetched.
    command = [sys.executable, "-m", "uv", "pip", "install", "-q", "--python", sys.executable]
    monkeypatch.setattr(keep_core, "installer", lambda: [*command, "--no-build-isolation"])
    (kept.parent / "core-left").mkdir(parents=True)  # by one that was killed
    told = kept.parent / "core.failed"
    assert keep_core.keep_core() == (
        f"compiling failed, {told} says why; the core stays interpreted"
    )
    names = ["core.failed", "core.lock"]
    assert sorted(path.name for path in kept.parent.iterdir()) == names
    assert len(told.read_text().splitlines()) > 1


def test_what_failed_is_not_tried_again_until_something_is_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    kept = tmp_path / "build" / "core"
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\necho one 1.0\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setattr(core, "KEPT", kept)
    monkeypatch.setattr(keep_core, "KEPT", kept)
    monkeypatch.setattr(keep_core, "ROOT", small_project(tmp_path / "project"))
    monkeypatch.setattr(keep_core, "core_digest", lambda package=None: "the same")
    monkeypatch.setattr(core, "core_digest", lambda package=None: "the same")
    monkeypatch.delenv("QUARTERMASTER_COMPILE")
    monkeypatch.setenv("CC", str(compiler))
    tries = tmp_path / "tries"
    program = "import sys; open(sys.argv[1], 'a').write('x'); print('no good'); sys.exit(1)"
    monkeypatch.setattr(keep_core, "installer", lambda: [sys.executable, "-c", program, str(tries)])
    assert keep_core.keep_core().startswith("compiling failed")
    assert core.failed_core() == kept.parent / "core.failed"
    assert keep_core.keep_core().startswith("compiling has failed before")
    assert tries.read_text() == "x"
    compiler.write_text("#!/bin/sh\necho one 1.1\nexit 1\n")
    assert keep_core.keep_core().startswith("compiling failed")
    assert tries.read_text() == "xx"
    assert keep_core.keep_core().startswith("compiling has failed before")
    monkeypatch.setattr(keep_core, "_FORGOTTEN", -1)
    assert keep_core.keep_core().startswith("compiling failed")
    monkeypatch.setattr(core, "core_digest", lambda package=None: "others")
    assert core.failed_core() is None


_COMPILE_SLOWLY = """
import pathlib, sys, time
target = pathlib.Path(sys.argv[sys.argv.index("--target") + 1])
with open(sys.argv[1], "a") as tries:
    tries.write("x")
time.sleep(1)
(target / "quartermaster").mkdir(parents=True)
"""


def test_two_at_once_compile_once(tmp_path: Path) -> None:
    if sys.platform == "win32":
        pytest.skip("no such locks on this system")
    project = small_project(tmp_path / "project")
    (project / "tools").mkdir()
    shutil.copy2(ROOT / "tools" / "keep_core.py", project / "tools")
    shutil.copy2(ROOT / "src" / "quartermaster" / "errors.py", project / "src" / "quartermaster")
    tries = tmp_path / "tries"
    script = (
        "import sys; sys.path.insert(0, 'tools'); import keep_core;"
        f"command = [sys.executable, '-c', {_COMPILE_SLOWLY!r}, {str(tries)!r}];"
        "keep_core.installer = lambda: command;"
        "print(keep_core.keep_core())"
    )
    environment = {**os.environ, "QUARTERMASTER_COMPILE": ""}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script], cwd=project, env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    told = sorted(process.communicate(timeout=60)[0].strip() for process in processes)
    digest = core_digest(project / "src" / "quartermaster")
    assert told == ["kept already", f"kept as {digest}"]
    assert tries.read_text() == "x"
    assert sorted(path.name for path in (project / "build").iterdir()) == ["core", "core.lock"]


@pytest.mark.parametrize("mode", ["", "always"])
def test_all_is_compiled_or_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, mode: str
) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler on this machine")
    monkeypatch.setenv("QUARTERMASTER_COMPILE", mode)
    (tmp_path / "good.c").write_text("int good(void) { return 1; }\n")
    (tmp_path / "other.c").write_text("int other(void) { return 2; }\n")
    (tmp_path / "bad.c").write_text("no C at all\n")

    def build(*names: str) -> list[str]:
        extensions = [
            Extension(name, [str(tmp_path / f"{part}.c") for part in name.split("_")])
            for name in names
        ]
        command = BuildSideBySide(Distribution({"ext_modules": extensions}))
        command.build_lib, command.build_temp = str(tmp_path / "lib"), str(tmp_path / "temp")
        command.ensure_finalized()
        command.run()
        return sorted(path.name.partition(".")[0] for path in (tmp_path / "lib").iterdir())

    assert build("good_other", "good") == ["good", "good_other"]
    if mode == "always":
        with pytest.raises(CompileError):
            build("good", "other_bad")
    else:
        assert build("other", "good_bad") == ["good", "good_other"]

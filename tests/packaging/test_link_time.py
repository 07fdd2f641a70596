"""The core is optimized when it is linked, where the C compiler can do that."""

import shutil
from pathlib import Path

import pytest

from link_time import FLAGS, link_time_flags


def compiler(folder: Path, script: str) -> str:
    path = folder / "cc"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def test_a_compiler_that_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("there is no gcc here")
    monkeypatch.setenv("CC", "gcc")
    assert link_time_flags() == FLAGS


def test_a_compiler_that_cannot_is_asked_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    refusing = compiler(tmp_path, f'echo "$@" >> {said}; case "$*" in *-flto*) exit 1;; esac')
    monkeypatch.setenv("CC", refusing)
    assert link_time_flags() == []
    assert "-flto=auto" in said.read_text()


def test_no_compiler_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", str(tmp_path / "nothing"))
    assert link_time_flags() == []

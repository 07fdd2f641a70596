"""What the README shows first runs as it stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_examples_of_the_readme_run(capsys: pytest.CaptureFixture[str]) -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    names: dict[str, object] = {}
    exec(blocks[0], names)
    smaller = blocks[1].replace("games=256", "games=2").replace("range(1000)", "range(700)")
    assert smaller != blocks[1]
    exec(smaller, names)
    told = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"(axis|allies) \{'axis': \d+, 'allies': \d+\}", told[0])
    assert told[1] == "allies", "the veteran wins"
    assert re.fullmatch(r"[1-9]\d* games", told[2])

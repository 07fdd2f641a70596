"""Links lead somewhere: between the pages of the site, and between all texts of the repository."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "deploy", ROOT / ".github")
    for path in (folder.glob("*.md") if folder == ROOT else folder.rglob("*.md"))
)
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")


def anchors(text: str) -> set[str]:
    """The names under which GitHub and the site know a text's headings."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", _CODE.sub("", text), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(plain.strip().replace(" ", "-"))
    return found


@pytest.mark.parametrize("path", TEXTS, ids=[str(path.relative_to(ROOT)) for path in TEXTS])
def test_every_link_leads_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    nowhere = []
    for target in _LINK.findall(_CODE.sub("", text)):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        there = path if not place else (path.parent / place).resolve()
        is_there = there.exists() and there.is_relative_to(ROOT)
        if is_there and anchor and there.suffix == ".md":
            is_there = anchor in anchors(there.read_text(encoding="utf-8"))
        if not is_there:
            nowhere.append(target)
    assert not nowhere


@pytest.mark.parametrize("target", ["no-page.md", "other.md#no-heading", "#nothing"])
def test_a_broken_link_fails_the_site(target: str, tmp_path: Path) -> None:
    pytest.importorskip("sphinx", reason="pip install 'quartermaster-game[docs]'")
    shutil.copy(ROOT / "docs" / "conf.py", tmp_path)
    pages = "```{toctree}\nother\n```\n"
    (tmp_path / "other.md").write_text("# Other\n\n[back](index.md)\n", encoding="utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "dummy"]
    command += [str(tmp_path), str(tmp_path / "site")]
    for link, is_whole in (("other.md#other", True), (target, False)):
        (tmp_path / "index.md").write_text(f"# Site\n\n[one]({link})\n\n{pages}")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == is_whole, done.stderr

"""Every address of the API that a page names is one of the server's."""

import re
from pathlib import Path

import pytest

from quartermaster.server.app import create_app
from quartermaster.server.settings import Settings

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The server's addresses, with a star where an id stands."""
    folder = tmp_path_factory.mktemp("routes")
    app = create_app(Settings(database_url=f"sqlite:///{folder}/games.db", secret=b"s" * 32))
    return {re.sub(r"\{[^}]*\}", "*", route.path) for route in app.routes}


def named_routes(text: str) -> set[str]:
    """
    >>> sorted(named_routes("`GET /api/games/ID` gives it; POST /api/games/{id}/moves too."))
    ['/api/games/*', '/api/games/*/moves']
    """
    found = re.findall(r"/api(?:/[\w.{}-]*[\w}])+", text)
    return {re.sub(r"/(?:ID|\{\w+\})(?=/|$)", "/*", address) for address in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_addresses_of_a_page_are_there(page: Path, routes: set[str]) -> None:
    assert named_routes(page.read_text(encoding="utf-8")) - routes == set()


def test_pages_name_addresses(routes: set[str]) -> None:
    named = {one for page in PAGES for one in named_routes(page.read_text(encoding="utf-8"))}
    assert len(named) > 15

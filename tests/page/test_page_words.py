"""No text on the page comes from no catalogue: a walk over all screens in a language in which
every text of a catalogue stands in « »."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from browsers import needs_chromium
from servers import Server, two_seats

# What is read but not said: names of people and of this game, signs for countries, keys.
NAMES = (
    "Quartermaster|https://|Chrome, Linux|Dora|English|DE|JP|IT|UK|SU|US|[A-Z0-9]|Esc|Enter|Space"
)
# Texts of the page with letters, and how they stand: on their own, or in a sentence with « ».
TEXTS = """() => {
  const found = new Set();
  const isShown = (el) => el.checkVisibility?.() ?? true;
  const isSaid = (text) => /[«»]/.test(text);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const el = node.parentElement;
    const text = node.data.trim();
    if (!/\\p{L}/u.test(text) || el.closest("script, style, noscript, kbd")) continue;
    if (!isShown(el)) continue;
    const prose = el.closest("p, li, dd, td");
    if (!isSaid(text) && !(prose && isSaid(prose.textContent))) found.add(text);
  }
  for (const name of ["aria-label", "title", "placeholder", "alt", "aria-description"])
    for (const el of document.querySelectorAll(`[${name}]`)) {
      const text = el.getAttribute(name) ?? "";
      if (/\\p{L}/u.test(text) && !isSaid(text)) found.add(`${name}: ${text}`);
    }
  return [...found];
}"""


class FrenchServer(Server):
    module = "french"
    is_forked = False


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("french")
    paths = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    path = os.pathsep.join(filter(None, paths))
    with FrenchServer(f"sqlite:///{folder}/games.db", folder, PYTHONPATH=path) as one:
        yield one


@pytest.fixture
def page(chromium: Browser, french: Server) -> Iterator[Page]:
    page = chromium.new_page(base_url=french.url, locale="fr-FR")
    page.goto("/")
    page.get_by_role("link", name="« Play »", exact=True).wait_for()
    own = {"origin": french.url, "accept-language": "fr"}
    me = page.request.post("/api/me", data={"name": "Dora"}, headers=own)
    assert me.ok
    page.evaluate("document.cookie = 'known=1; path=/'")
    yield page
    page.close()


def unsaid(page: Page) -> list[str]:
    page.wait_for_load_state("networkidle")
    found: list[str] = page.evaluate(TEXTS)
    return [text for text in found if not re.fullmatch(rf"(?:[a-z-]+: )?(?:{NAMES})", text)]


def made(page: Page, **wish: Any) -> str:
    body = {"seats": two_seats(), "start": True} | wish
    answer = page.request.post("/api/games", data=body, headers={"origin": page.url.rstrip("/")})
    assert answer.ok, answer.text()
    return f"/games/{answer.json()['id']}"


@needs_chromium
@pytest.mark.parametrize(
    ("language", "typed", "card", "heading"),
    [("es", "ejercito balcanes", "Recursos de los Balcanes", "Estrechos"),
     ("fr", "armee balkans", "Ressources des Balkans", "Détroits")],
)  # fmt: skip
def test_cards_and_rules_are_searched_without_accents(
    chromium: Browser, server: Server, language: str, typed: str, card: str, heading: str
) -> None:
    """In the language that is read, whatever keys its reader has."""
    page = chromium.new_page(base_url=server.url, locale=language)
    page.goto("/cards")
    page.get_by_role("searchbox").fill(typed.upper())
    page.get_by_text(card).first.wait_for()
    shown = page.locator(".browser .card").count()
    assert 0 < shown < 30
    page.get_by_role("searchbox").fill("qwertz")
    page.wait_for_function("() => !document.querySelector('.browser .card')")
    page.goto("/rules")
    page.get_by_role("searchbox").fill(heading.translate({0xE9: "e"}).lower())
    found = page.locator("mark").first
    found.wait_for()
    assert found.inner_text() in (heading, heading.lower(), heading[:-1].lower())
    page.close()


@needs_chromium
def test_every_screen_is_said(page: Page) -> None:
    found: dict[str, list[str]] = {}
    table = made(page)
    lobby = made(page, start=False, options={"air-marshal": True})
    for place in ("/", "/games", "/new", "/learn", "/rules", "/cards", "/me", lobby, "/nowhere"):
        page.goto(place)
        page.locator("main > *").first.wait_for()
        found[place] = unsaid(page)
    page.goto(table)
    page.locator(".hand .card").first.wait_for()
    found["table"] = unsaid(page)
    page.get_by_role("button", name="« Menu »").first.click()
    found["menu"] = unsaid(page)
    page.get_by_role("button", name="« Settings »").click()
    found["settings"] = unsaid(page)
    assert {place: texts for place, texts in found.items() if texts} == {}

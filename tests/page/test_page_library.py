"""The rulebook and the cards, to be read."""

from typing import Any

import pytest
from playwright.sync_api import expect

from browsers import needs_chromium
from pages import DESKTOP, PHONE, TIMES, Visitors, start
from servers import Client

pytestmark = needs_chromium


# The rules.


def test_the_rules_and_their_figures_come_when_they_are_wanted(visitors: Visitors) -> None:
    page = visitors.come("/")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.get_by_role("button", name="Play the Axis").wait_for()
    for module in ("rules", "figures"):
        assert not any(url.endswith(f"screens/{module}.js") for url in asked)
    page.get_by_role("link", name="Rules").click()
    page.locator("figure svg .tk").first.wait_for()
    figures = page.locator(".rulebook figure")
    assert figures.count() >= 8
    for figure in figures.all():
        assert figure.locator("svg > *").count() > 0, figure.inner_text()
        assert len(figure.inner_text()) > 20
    page.get_by_role("searchbox").fill("strait")
    expect(page.locator(".rulebook figure", has_text="strait")).to_be_visible()
    assert figures.count() < 5


LINE = """(paragraphs) => Math.max(...paragraphs.map((one) => {
  const zero = document.createElement("span");
  zero.textContent = "0".repeat(66);
  one.append(zero);
  const most = zero.getBoundingClientRect().width;
  zero.remove();
  return one.getBoundingClientRect().width / most;
}))"""


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP, {"width": 1920, "height": 1080}])
def test_the_rules_are_set_to_be_read(visitors: Visitors, viewport: Any) -> None:
    page = visitors.come("/rules", viewport=viewport)
    page.locator("figure svg .tk").first.wait_for()
    assert page.locator(".rulebook .panel p").evaluate_all(LINE) < 1.02
    contents = page.get_by_role("navigation", name="Contents")
    now = contents.locator("[aria-current=location]")
    expect(now).to_have_text("Aim and teams")
    contents.get_by_role("link", name="Battle").click()
    expect(now).to_have_text("Battle")
    anchor = page.get_by_role("link", name="Link to Battle", exact=True)
    expect(anchor).to_have_css("opacity", "1")  # the heading has the focus
    other = page.get_by_role("link", name="Link to Fighting", exact=True)
    expect(other).to_have_css("opacity", "0")
    other.focus()
    expect(other).to_have_css("opacity", "1")


# The cards.


@pytest.mark.parametrize(("viewport", "columns"), [(PHONE, 2), (DESKTOP, 7)])
def test_cards_fill_their_rows_and_are_whole(
    visitors: Visitors, viewport: Any, columns: int
) -> None:
    page = visitors.come("/cards", viewport=viewport)
    cards = page.locator(".browser section").first.locator(".card")
    cards.first.wait_for()
    first, last = cards.nth(0).bounding_box(), cards.nth(columns - 1).bounding_box()
    panel = page.locator(".browser .panel").bounding_box()
    assert first
    assert last
    assert panel
    assert first["y"] == last["y"]
    assert abs(first["x"] - panel["x"]) < 2
    assert abs(last["x"] + last["width"] - panel["x"] - panel["width"]) < 2
    cut = """(cards) => cards.filter((card) => {
      const end = card.getBoundingClientRect();
      return [...card.querySelectorAll(".title, .text, .marks")].some((one) => {
        const box = one.getBoundingClientRect();
        return box.bottom > end.bottom || box.right > end.right;
      });
    }).length"""
    assert page.locator(".browser .card").evaluate_all(cut) == 0


def test_equal_cards_left_in_a_deck_are_counted(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(".pile").first.click()
    chips = page.locator(".drawer .chip-card")
    expect(chips.filter(has_text=TIMES).first).to_be_visible()
    names = chips.all_inner_texts()
    assert len(names) == len(set(names))
    chips.filter(has_text=TIMES).first.click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("in the deck")
    expect(dialog).to_have_css("background-image", "none")  # the card is not paper on paper

"""The page without a mouse, and on small screens."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import (
    Page,
    expect,
)

from browsers import needs_chromium
from pages import PHONE, Visitors, click_space, do, narrow, record_of, start
from servers import Client, two_seats

pytestmark = needs_chromium


FOCUS = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const outline = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
  const stroke = one.matches(".space") ? parseFloat(style.strokeWidth) : 0;
  return {
    what: `${one.tagName} ${one.className?.baseVal ?? one.className}`,
    text: (one.getAttribute("aria-label") ?? one.innerText ?? "").trim(),
    isChoice: one.closest(".prompt .choices") !== null,
    isLost: one === document.body,
    isVisible: (outline >= 2 || stroke >= 3) && box.width > 0 && box.right > 0
      && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight,
  };
}"""


def tab_to(page: Page, found: Callable[[dict[str, Any]], bool]) -> None:
    """Press Tab until something has the focus, which can always be seen."""
    for _ in range(120):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus["isLost"]:
            continue  # once round, by the browser's own bar
        assert focus["isVisible"], f"the focus on {focus['what']} ({focus['text']}) is not seen"
        if found(focus):
            return
    raise AssertionError("Tab does not lead there")


# Without a mouse.


def test_keys_are_enough(visitors: Visitors) -> None:
    page = visitors.come("/")
    tab_to(page, lambda focus: focus["text"] == "Play the Axis")
    page.keyboard.press("Enter")
    page.locator(".prompt.yours").wait_for()
    for key in "135":  # the first cards: ticked by number, confirmed with one key
        do(page, lambda: page.keyboard.press(key))  # noqa: B023
    do(page, lambda: page.keyboard.press("Enter"))
    expect(page.locator(".fan .card.ticked")).to_have_count(0)
    page.locator(".prompt.yours").wait_for()
    tab_to(page, lambda focus: focus["isChoice"])
    do(page, lambda: page.keyboard.press("Enter"))


def test_spaces_are_chosen_by_keys(visitors: Visitors, anna: Client) -> None:
    table = start(anna, "play build-army")
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".space.legal").first.wait_for()
    tab_to(page, lambda focus: "space" in focus["what"].split())
    do(page, lambda: page.keyboard.press("Enter"))


IN_SIGHT = """(one) => {
  const map = document.querySelector(".map").getBoundingClientRect();
  const all = [...document.querySelectorAll(`.piece[data-space="${one.dataset.space}"]`), one];
  const { x, y, width, height } = all[0].getBoundingClientRect();
  const [cx, cy] = [x + width / 2, y + height / 2];
  return cx > map.left && cx < map.right && cy > map.top && cy < map.bottom;
}"""


def test_the_map_goes_with_the_focus_and_nothing_else_scrolls(
    visitors: Visitors, anna: Client
) -> None:
    table = start(anna, "play build-army")
    page = visitors.come(f"/games/{table['id']}", anna, viewport=PHONE)
    spaces = page.locator(".space.legal")
    spaces.first.wait_for()
    page.locator(".tools.l button").first.press("Tab")
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        focused = page.locator(".space.legal:focus")
        if focused.count():
            page.wait_for_timeout(450)  # it glides
            seen.add(focused.get_attribute("data-space"))
            assert focused.evaluate(IN_SIGHT), focused.get_attribute("data-space")
    assert len(seen) == spaces.count() > 2
    for box in (".app", ".board", ".map"):
        page.locator(box).evaluate("(one) => one.scrollTo(50, 150)")
        assert page.locator(box).evaluate("(one) => one.scrollTop + one.scrollLeft") == 0


def test_a_touchpad_zooms_no_faster_than_a_wheel(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(".sheet").wait_for()
    page.mouse.move(700, 300)

    def width() -> float:
        return float(page.locator(".sheet").evaluate("(one) => parseFloat(one.style.width)"))

    whole = width()
    page.mouse.wheel(0, -100)
    page.wait_for_function(
        "(w) => parseFloat(document.querySelector('.sheet').style.width) > w", arg=whole
    )
    notch = width() / whole
    page.mouse.wheel(0, 100)
    page.wait_for_function(
        "(w) => parseFloat(document.querySelector('.sheet').style.width) <= w", arg=whole + 1
    )
    for _ in range(10):
        page.mouse.wheel(0, -10)
    page.wait_for_timeout(300)
    assert abs(width() / whole - notch) < 0.01
    assert 1.1 < notch < 1.25


def test_every_legal_space_is_lit(visitors: Visitors, anna: Client) -> None:
    table = start(anna, "play build-army")
    page = visitors.come(f"/games/{table['id']}", anna)
    spaces = page.locator(".space.legal")
    spaces.first.wait_for()
    assert spaces.count() == len({a["space"] for a in table["actions"] if "space" in a})
    colours = spaces.evaluate_all("all => all.map((one) => getComputedStyle(one).fill)")
    assert len(set(colours)) == 1


def test_straits_show_to_whom_they_are_open(visitors: Visitors, anna: Client) -> None:
    """To the Axis while its army holds the land, else to the Allies; an Allied army or a navy
    there changes nothing."""
    position = {
        "pieces": {
            "germany": ["germany", "scandinavia"],
            "united-kingdom": ["united-kingdom", "north-africa"],
        },
        "hand": {"germany": ["build-army"]},
    }
    record = record_of(position)
    table = anna.post("/api/games", {"seats": two_seats(), "record": record, "start": True})
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".strait").first.wait_for()
    shown = page.locator(".strait").evaluate_all(
        "all => all.map((one) => [one.dataset.land, one.classList.contains('axis')])"
    )
    assert {land for land, is_axis in shown if is_axis} == {"scandinavia"}
    assert len(shown) == 5


def test_a_choice_that_starves_own_pieces_says_so_first(visitors: Visitors, anna: Client) -> None:
    position = {
        "turn": "united-kingdom",
        "pieces": {"united-kingdom": ["united-kingdom"]},
        "hand": {"united-kingdom": ["king-peter-enthroned-in-yugoslavia", "build-navy"]},
    }
    record = record_of(position, "play king-peter-enthroned-in-yugoslavia")
    wish = {"seats": two_seats("bot", "me"), "record": record, "start": True}
    table = anna.post("/api/games", wish)
    page = visitors.come(f"/games/{table['id']}", anna)
    page.locator(".space.legal[data-space=balkans]").wait_for()
    click_space(page, page.locator(".space.legal[data-space=balkans]"))
    dialog = page.locator("dialog[open]")
    dialog.wait_for()
    assert "Balkans" in dialog.inner_text()
    dialog.get_by_role("button", name="Cancel").click()
    assert anna.get(f"/api/games/{table['id']}")["number"] == table["number"]


def test_what_every_choice_loses_is_not_asked_about(visitors: Visitors, anna: Client) -> None:
    position = {
        "pieces": {"germany": ["germany", "eastern-europe", "latin-america"]},
        "hand": {"germany": ["build-army", "land-battle"]},
    }
    record = record_of(position, "play build-army")
    table = anna.post("/api/games", {"seats": two_seats(), "record": record, "start": True})
    [build] = [a for a in table["actions"] if a["text"] == "build army western-europe"]
    assert build["loses"] == ["latin-america"]
    page = visitors.come(f"/games/{table['id']}", anna)
    # Every choice loses it: that is nobody's fault, and nothing is asked.
    space = page.locator(".space.legal[data-space=western-europe]")
    space.wait_for()
    do(page, lambda: click_space(page, space))
    assert page.locator("dialog[open]").count() == 0


# Small screens.


@pytest.mark.parametrize("way", ["upright", "landscape"])
def test_a_phone_is_enough(visitors: Visitors, anna: Client, way: str) -> None:
    width, height = {"upright": (360, 740), "landscape": (844, 390)}[way]
    viewport = {"width": width, "height": height}
    table = start(anna)
    page = visitors.come(
        f"/games/{table['id']}", anna, viewport=viewport, is_mobile=True, has_touch=True
    )
    sentence = page.locator(".prompt .sentence").first
    sentence.wait_for()
    expect(sentence).to_be_in_viewport(ratio=1)
    assert narrow(page)
    for tool in page.locator(".map-tools > button:visible").all():
        expect(tool).to_be_in_viewport(ratio=0.99)
    card = page.locator(".hand .card").first
    expect(card).to_be_in_viewport(ratio=0.3)
    expect(page.locator(".prompt")).to_be_in_viewport()  # who reads cards sees what is asked
    do(page, card.locator(".face").tap)
    expect(card).to_have_class(re.compile(r"\bup\b"))
    do(page, page.locator(".prompt .acts .play").tap)
    assert narrow(page)

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
from pages import PHONE, Visitors, click_space, do, end, hot_seats, narrow, record_of, start
from servers import ALLIES, AXIS, Client, two_seats

pytestmark = needs_chromium


FOCUS = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one.matches(".card .face") ? one.closest(".card") : one);
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


# The focus.


def has_focus(page: Page, selector: str) -> None:
    """Something has the focus, once the page has come to rest."""
    page.wait_for_function("(one) => document.activeElement?.matches(one)", arg=selector)


def stays(page: Page) -> None:
    """The focus is somewhere where it is seen, and stays there."""
    page.wait_for_function("() => document.activeElement !== document.body")
    page.wait_for_timeout(250)
    focus = page.evaluate(FOCUS)
    assert not focus["isLost"]
    assert focus["isVisible"], focus


def test_the_focus_never_falls_back_to_the_page(visitors: Visitors) -> None:
    """Through a game by keys, from the start to its end and to what comes after it."""
    page = visitors.come("/")
    tab_to(page, lambda focus: focus["text"] == "Play the Axis")
    page.keyboard.press("Enter")
    page.locator(".prompt.yours").wait_for()
    stays(page)
    # The first cards of all three are thrown away: by number, then with the button.
    for _ in range(3):
        page.locator(".prompt .confirm").wait_for()
        for key in "135":
            page.keyboard.press(key)
        expect(page.locator(".prompt .confirm")).to_be_enabled()
        tab_to(page, lambda focus: focus["text"].startswith("Discard these"))
        do(page, lambda: page.keyboard.press("Enter"))
        stays(page)
    # From the list, a card that is read and put away, and a drawer.
    page.keyboard.press("l")
    tab_to(page, lambda focus: focus["isChoice"])
    do(page, lambda: page.keyboard.press("Enter"))
    stays(page)
    for name in ("Log", "Menu"):
        tab_to(page, lambda focus: focus["text"] == name)  # noqa: B023
        page.keyboard.press("Enter")
        has_focus(page, ".drawer h2")
        for _ in range(2):
            page.keyboard.press("Tab")
            assert page.evaluate("document.activeElement.closest('.drawer') !== null")
        page.keyboard.press("Escape")
        has_focus(page, f".tools button[aria-label={name}]")
        page.keyboard.press("Enter")
        has_focus(page, ".drawer h2")
        page.keyboard.press("Tab")
        has_focus(page, ".drawer > header button")
        page.keyboard.press("Enter")
        has_focus(page, f".tools button[aria-label={name}]")
    # The end of the game is told, and the way to look back and to come back from there.
    page.keyboard.press("Enter")
    tab_to(page, lambda focus: focus["text"] == "End this game")
    page.keyboard.press("Enter")
    page.locator("dialog[open]").wait_for()
    assert page.evaluate("document.activeElement.innerText") == "Cancel"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    has_focus(page, ".result h1")
    tab_to(page, lambda focus: focus["text"] == "Watch it again")
    page.keyboard.press("Enter")
    has_focus(page, ".play-pause")
    page.keyboard.press("Escape")
    has_focus(page, ".result h1")
    page.keyboard.press("Escape")
    has_focus(page, ".result-back")


def test_behind_the_result_nothing_is_reached(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{end(anna)['id']}", anna)
    result = page.get_by_role("dialog", name="have won")
    expect(result).to_be_visible()
    has_focus(page, ".result h1")
    for _ in range(25):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "['BODY', 'HTML'].includes(document.activeElement.tagName)"
            " || document.activeElement.closest('.app .result, .nav, .skip') !== null"
        )
    page.get_by_role("button", name="Show the board").click()
    assert page.locator(".app > [inert]").count() == 0


def test_who_takes_over_the_screen_begins_at_the_cover(visitors: Visitors, anna: Client) -> None:
    table = start(anna, "play build-army", seats=hot_seats([AXIS, ALLIES]))
    page = visitors.come(f"/games/{table['id']}", anna)
    uncover = page.locator(".hand.covered button")
    uncover.focus()
    page.keyboard.press("Enter")
    stays(page)
    has_focus(page, ".prompt")
    tab_to(page, lambda focus: "space" in focus["what"].split())
    page.keyboard.press("Enter")
    stays(page)


def test_tab_leads_through_a_drawer_and_on_from_its_button(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(".prompt.yours").wait_for()
    page.locator(".tools button[aria-label=Menu]").focus()
    page.keyboard.press("Enter")
    has_focus(page, ".drawer h2")
    page.keyboard.press("Shift+Tab")
    has_focus(page, ".tools button[aria-label=Menu]")
    page.keyboard.press("Tab")
    has_focus(page, ".drawer > header button")
    page.locator(".drawer a").last.focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.prompt, .recap, .note') !== null")


def test_who_sits_down_by_keys_can_get_up_at_once(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    seats = [{"countries": AXIS, "who": "me"}, {"countries": ALLIES, "who": "open"}]
    table = anna.post("/api/games", {"seats": seats})
    page = visitors.come(f"/games/{table['id']}", ben)
    page.get_by_role("button", name="Sit here").focus()
    for name in ("Get up", "Sit here"):
        page.keyboard.press("Enter")
        page.wait_for_function("(t) => document.activeElement.innerText === t", arg=name)


def test_a_mouse_leaves_the_focus_alone(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna, 'play build-army')['id']}", anna)
    page.locator(".space.legal").first.wait_for()
    page.locator(".tools button[aria-label=Menu]").click()
    page.locator(".drawer > header button").click()
    page.wait_for_timeout(250)
    assert page.evaluate("document.activeElement === document.body")

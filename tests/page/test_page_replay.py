"""The page where one looks back at a game."""

import re

import pytest
from playwright.sync_api import ViewportSize, expect

from browsers import needs_chromium
from pages import PHONE, Visitors, decide, end, finished, start
from servers import Client, two_seats

pytestmark = needs_chromium


def test_a_game_is_looked_back_at_and_gone_on_from(visitors: Visitors, anna: Client) -> None:
    table = end(anna)
    allowed = ["clipboard-read", "clipboard-write"]
    page = visitors.come(f"/games/{table['id']}", anna, permissions=allowed)
    page.get_by_role("button", name="Watch it again").click()
    slider = page.get_by_role("slider")
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    last = int(slider.get_attribute("max") or 0)
    assert last > 10
    for key, step in [("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10), ("End", last)]:
        page.keyboard.press(key)
        expect(slider).to_have_value(str(step))
        expect(page.get_by_text(f"Step {step} of {last}")).to_be_visible()
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    slider.fill("7")
    expect(page.get_by_text(f"Step 7 of {last}")).to_be_visible()
    page.get_by_label("Through the eyes of").select_option("japan")
    expect(page.locator(".replay-hands .laid")).to_have_count(1)
    page.get_by_role("button", name="Copy a link").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    link: str = page.evaluate("navigator.clipboard.readText()")
    assert link.endswith(f"/games/{table['id']}?step=7")

    page.get_by_label("Through the eyes of").select_option("everyone")
    expect(page.locator(".replay-hands .laid")).to_have_count(6)
    other = visitors.come(link)
    expect(other.get_by_role("slider")).to_have_value("7")
    told = page.locator(".told").inner_text()
    assert told
    assert other.locator(".told").inner_text() == told
    other.get_by_role("button", name="Play on from here as the Axis").click()
    expect(other).not_to_have_url(link)
    expect(other.locator(".prompt")).to_be_visible()
    expect(other.get_by_role("slider")).to_have_count(0)
    decide(other)

    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="have won")).to_be_visible()


def test_a_record_that_was_brought_can_be_looked_at(visitors: Visitors, anna: Client) -> None:
    table = start(anna, record=finished()[0])
    page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_role("button", name="Watch it again").click()
    page.get_by_role("button", name="Pause").click()
    page.keyboard.press("Home")
    expect(page.get_by_role("slider")).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("slider")).to_have_value("1")


def test_who_looks_back_at_one_game_sees_another_as_it_is(visitors: Visitors, anna: Client) -> None:
    over, table = end(anna), start(anna, title="The other")
    page = visitors.come(f"/games/{over['id']}?step=3", anna)
    expect(page.get_by_role("slider")).to_have_value("3")
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Home").click()
    page.locator(f"a[href='/games/{table['id']}']").first.click()
    expect(page.locator(".prompt.yours")).to_be_visible()


@pytest.mark.parametrize(
    "viewport",
    [PHONE, ViewportSize(width=360, height=740), ViewportSize(width=844, height=390)],
)
@pytest.mark.parametrize("locale", ["en", "es", "fr"])
def test_a_phone_has_in_sight_what_leads_on_and_back(
    visitors: Visitors, anna: Client, viewport: ViewportSize, locale: str
) -> None:
    address = f"/games/{end(anna)['id']}?step=7"
    page = visitors.come(address, anna, viewport=viewport, locale=locale)
    page.locator(".told li").first.wait_for()
    for button in page.locator(".transport button, .speed button, .more-button, .leave").all():
        expect(button).to_be_in_viewport(ratio=1)
    # Whole lines are told.
    heights = page.locator(".told").evaluate(
        "(one) => [one.clientHeight, parseFloat(getComputedStyle(one).lineHeight)]"
    )
    assert heights[0] % heights[1] == 0
    more = page.locator(".more > *")
    assert not any(one.is_visible() for one in more.all())
    page.locator(".more-button").click()
    for one in more.all():
        expect(one).to_be_in_viewport(ratio=1)
    page.locator(".leave").click()
    expect(page.locator(".result")).to_be_visible()


def test_by_turns_the_card_and_the_spaces_of_each_turn_are_told(
    visitors: Visitors, anna: Client
) -> None:
    page = visitors.come(f"/games/{end(anna)['id']}?step=0", anna)
    page.get_by_role("button", name="By turns").click()
    told = set()
    for _ in range(4):
        page.get_by_role("button", name="One turn on").click()
        page.wait_for_timeout(300)
        lines = page.locator(".told li")
        expect(lines.first).to_contain_text(re.compile("plays|puts|sets|discards|uses"))
        told.add(page.locator(".told").inner_text())
    assert len(told) == 4
    looked_at = page.evaluate("ours('js/state/choices.js').then((m) => m.considered.value)")
    assert looked_at


def test_escape_closes_what_is_open_first_and_then_leaves(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{end(anna)['id']}?step=99999", anna)
    slider = page.get_by_role("slider")
    expect(slider).to_have_value(slider.get_attribute("max") or "")
    assert int(slider.input_value()) > 10
    expect(page.get_by_role("button", name="Back to the result")).to_be_visible()
    page.get_by_role("button", name="Countries and cards").click()
    panel = page.locator(".replay .drawer")
    expect(panel.get_by_role("heading", name="Countries and cards")).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Countries and cards").click()
    panel.get_by_role("button", name="Close").click()
    expect(panel).to_be_hidden()
    page.keyboard.press("Escape")
    expect(page.locator(".result")).to_be_visible()


def test_who_looks_back_is_called_to_their_turn(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    table = start(ben, seats=two_seats("me", "open"), start=False)
    anna.post(f"/api/games/{table['id']}/seats/1/take")
    anna.post(f"/api/games/{table['id']}/ready", {"agrees": True})
    table = ben.post(f"/api/games/{table['id']}/start")
    page = visitors.come(f"/games/{table['id']}?step=0", anna)
    page.locator(".told li").first.wait_for()
    last = int(page.get_by_role("slider").get_attribute("max") or 0)
    called = page.locator(".called")
    expect(called).to_have_count(0)
    while not (now := anna.get(f"/api/games/{table['id']}"))["your_turn"]:
        now = ben.get(f"/api/games/{table['id']}")
        actions = now["actions"]
        ben.move(now, next((a for a in actions if a["verb"] == "pass"), actions[0]))
    called.wait_for()
    assert int(page.get_by_role("slider").get_attribute("max") or 0) > last
    called.click()
    expect(page.locator(".prompt.yours")).to_be_visible()


def test_what_is_watched_again_begins_at_once_with_the_whole_map(
    visitors: Visitors, anna: Client
) -> None:
    address = f"/games/{end(anna)['id']}"
    page = visitors.come(address, anna, viewport=PHONE)
    page.get_by_role("button", name="Watch it again").click()
    page.get_by_role("button", name="Pause").wait_for()
    expect(page.get_by_role("slider")).not_to_have_value("0")
    page.goto(f"{address}?step=0")
    page.locator(".told li").first.wait_for()
    page.wait_for_timeout(300)
    sheet = page.locator(".sheet").bounding_box()
    assert sheet is not None
    assert sheet["width"] <= PHONE["width"] + 1

"""What lies around the table: drawers and sheets, the chat, ways out, who only watches."""

import re

from playwright.sync_api import Page, expect

from browsers import needs_chromium
from pages import PHONE, Visitors, start
from servers import ALLIES, AXIS, Client

pytestmark = needs_chromium


def table_of_two(anna: Client, ben: Client) -> str:
    seats = [{"countries": AXIS, "who": "me"}, {"countries": ALLIES, "who": "open"}]
    id: str = anna.post("/api/games", {"seats": seats})["id"]
    ben.post(f"/api/games/{id}/seats/1/take")
    ben.post(f"/api/games/{id}/ready", {"agrees": True})
    anna.post(f"/api/games/{id}/start")
    return id


def open_menu(page: Page) -> None:
    page.locator(".prompt").wait_for()
    page.get_by_role("button", name="Menu").click()


def test_leaving_is_asked_about_first(visitors: Visitors, anna: Client, ben: Client) -> None:
    id = table_of_two(anna, ben)
    page = visitors.come(f"/games/{id}", anna)
    open_menu(page)
    for way in ("Leave the table", "Let a bot play for me"):
        page.locator(".drawer").get_by_role("button", name=way).click()
        dialog = page.locator("dialog[open]")
        expect(dialog).to_contain_text("Germany, Japan, and Italy")
        expect(dialog.locator(".primary")).to_have_text("Cancel")
        dialog.get_by_role("button", name="Cancel").click()
        assert anna.get(f"/api/games/{id}")["seats"][0]["bot"] is None
    page.locator(".drawer").get_by_role("button", name="Leave the table").click()
    page.locator("dialog[open]").get_by_role("button", name="Leave the table").click()
    expect(page.locator(".prompt")).to_contain_text("You are watching.")


def test_whoever_is_invited_to_a_seat_has_it_only_once_they_take_it(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    id = table_of_two(anna, ben)
    allowed = ["clipboard-read", "clipboard-write"]
    page = visitors.come(f"/games/{id}", anna, permissions=allowed)
    open_menu(page)
    page.get_by_role("button", name="Invite someone to my seat").click()
    expect(page.locator(".notice")).to_contain_text("It stays yours until they take it.")
    assert f"/games/{id}?seat=0" in page.evaluate("navigator.clipboard.readText()")


def test_alone_against_bots_nothing_is_proposed_to_anyone(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    open_menu(page)
    menu = page.locator(".drawer")
    expect(menu.get_by_role("button", name="Keys")).to_be_visible()
    for name in ("Propose", "Invite", "Chat", "Leave"):
        expect(menu.get_by_role("button", name=name)).to_have_count(0)
    expect(menu.get_by_role("link", name="New game")).to_have_attribute("href", "/new")
    menu.get_by_role("button", name="End this game").click()
    dialog = page.locator("dialog[open]")
    expect(dialog).to_contain_text("nobody as the winner")
    dialog.get_by_role("button", name="End this game").click()
    expect(page.locator(".result")).to_be_visible()


def test_what_was_said_and_not_read_is_counted(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    id = table_of_two(anna, ben)
    page = visitors.come(f"/games/{id}", anna)
    page.locator(".prompt").wait_for()
    expect(page.locator(".unread")).to_have_count(0)
    for text in ("Hello!", "Are you there?"):
        ben.post(f"/api/games/{id}/chat", {"text": text, "room": "all"})
    button = page.get_by_role("button", name="Chat, 2 unread messages")
    expect(button).to_contain_text("2")
    expect(page.locator(".tools [role=status]")).to_have_text("2 new messages, the last by Ben")
    button.click()
    expect(page.locator(".unread")).to_have_count(0)
    page.reload()
    page.locator(".prompt").wait_for()
    page.wait_for_timeout(500)
    expect(page.locator(".unread")).to_have_count(0)


def test_a_sheet_of_a_phone_is_put_away_beside_it_or_by_its_head(
    visitors: Visitors, anna: Client
) -> None:
    address = f"/games/{start(anna)['id']}"
    page = visitors.come(address, anna, viewport=PHONE, has_touch=True, is_mobile=True)
    page.locator(".prompt.yours").wait_for()
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ notes: false }))")
    drawer, space = page.locator(".drawer"), page.locator(".space-info")
    # The countries are a tap away, and the map beside the sheet puts it away, and does no more.
    chip = page.locator(".order button", has_text="UK")
    box = chip.evaluate(
        "(one) => { const s = getComputedStyle(one, '::after'); return parseFloat(s.height); }"
    )
    assert box >= 41
    chip.tap()
    expect(drawer.get_by_role("heading", name="United Kingdom")).to_be_visible()
    page.touchscreen.tap(150, 110)
    expect(drawer).to_have_count(0)
    expect(space).to_have_count(0)
    # One at a time.
    page.touchscreen.tap(150, 200)
    space.wait_for()
    page.get_by_role("button", name="Menu").tap()
    expect(drawer).to_be_visible()
    expect(space).to_have_count(0)
    expect(drawer.get_by_role("button", name="Keys")).to_have_count(0)
    drawer.get_by_role("button", name="Countries").tap()
    row = drawer.locator(".country-list li").nth(1)
    row.locator(".facts").tap(position={"x": 200, "y": 8})
    expect(drawer.get_by_role("heading", name="United Kingdom")).to_be_visible()
    # Pulled down by its head.
    head = drawer.locator("header")
    x, y = 150, head.bounding_box()["y"] + 20  # type: ignore[index]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 150, steps=5)
    page.mouse.up()
    expect(drawer).to_have_count(0)


def test_who_only_watches_has_the_map_where_others_have_their_cards(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    address = f"/games/{start(anna)['id']}"
    for size in (PHONE, {"width": 1440, "height": 900}):
        page = visitors.come(address, ben, viewport=size)
        expect(page.locator(".prompt")).to_contain_text(re.compile("You are watching"))
        bar = page.locator(".prompt").bounding_box()
        assert bar is not None
        assert bar["y"] + bar["height"] > size["height"] - 20

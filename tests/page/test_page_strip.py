"""Whose supply is drawn is chosen in a strip that leaves the map in view."""

from playwright.sync_api import ViewportSize, expect

from browsers import needs_chromium
from pages import DESKTOP, PHONE, Visitors, start
from servers import Client

pytestmark = needs_chromium

LANDSCAPE = ViewportSize(width=844, height=390)


def test_the_supply_strip_leaves_the_map_in_view(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(".prompt").wait_for()
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ notes: false }))")
    page.locator(".map-tools .wide").click()
    strip = page.locator(".supply-of")
    for size in (PHONE, ViewportSize(width=360, height=740), LANDSCAPE, DESKTOP):
        page.set_viewport_size(size)
        page.wait_for_timeout(100)
        box, board = strip.bounding_box(), page.locator(".map").bounding_box()
        assert box is not None
        assert board is not None
        assert box["width"] * box["height"] < board["width"] * board["height"] / 4, size
        bar = page.locator(".prompt").bounding_box()
        assert bar is not None
        assert box["y"] + box["height"] <= bar["y"] or box["x"] + box["width"] <= bar["x"], size
        expect(strip.get_by_role("button")).to_have_count(6)
        for button in strip.get_by_role("button").all():
            pip = button.bounding_box()
            assert pip is not None
            assert pip["width"] >= 40, size
            assert pip["height"] >= (36 if size == DESKTOP else 40), size
    strip.get_by_role("button", name="Supply of the Soviet Union").click()
    expect(strip.get_by_role("status")).to_contain_text("Soviet Union:")

"""Fingers on the map of a phone: no tap is lost."""

from playwright.sync_api import CDPSession, Page, expect

from browsers import needs_chromium
from pages import PHONE, SPOT, Visitors, stands, start
from servers import Client

pytestmark = needs_chromium


def touch(session: CDPSession, kind: str, *points: tuple[float, float]) -> None:
    places = [{"x": x, "y": y} for x, y in points]
    session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})


def phone(visitors: Visitors, anna: Client, *actions: str) -> tuple[Page, CDPSession]:
    address = f"/games/{start(anna, *actions)['id']}"
    page = visitors.come(address, anna, viewport=PHONE, has_touch=True)
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ notes: false }))")
    page.locator(".prompt.yours").wait_for()
    expect(page.locator(".note")).to_have_count(0)
    stands(page)
    return page, page.context.new_cdp_session(page)


def test_a_finger_that_trembles_taps(visitors: Visitors, anna: Client) -> None:
    page, session = phone(visitors, anna)
    x, y = page.locator(".space[data-space=germany]").evaluate(SPOT)
    touch(session, "touchStart", (x, y))
    for i in range(8):
        touch(session, "touchMove", (x + 3 * (i % 2), y + 2 * (i % 2)))
    touch(session, "touchEnd")
    expect(page.locator(".space-info h3")).to_have_text("Germany")


def test_after_the_map_was_moved_the_next_tap_counts(visitors: Visitors, anna: Client) -> None:
    page, session = phone(visitors, anna)
    before = stands(page)
    touch(session, "touchStart", (200, 300))
    for i in range(1, 7):
        touch(session, "touchMove", (200 - 15 * i, 300))
        page.wait_for_timeout(30)  # as a finger: the browser takes what is faster for a fling
    touch(session, "touchEnd")
    assert stands(page) != before
    page.locator(".map-tools .wide").tap()
    expect(page.locator(".supply-of")).to_be_visible()


NUMBER = "ours('js/state/table.js').then(({ table }) => table.value.number)"


def test_the_second_of_two_taps_is_not_for_what_came_in_its_place(
    visitors: Visitors, anna: Client
) -> None:
    page, _ = phone(visitors, anna)
    page.locator(".fan .card", has_text="Build Army").locator(".face").tap()
    box = page.locator(".prompt .acts .play").bounding_box()
    assert box is not None
    number = page.evaluate(NUMBER)
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.up()
    expect(page.locator(".prompt .acts .pass")).to_be_visible()
    asked = page.evaluate(NUMBER)
    assert asked > number
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.wait_for_timeout(500)
    assert page.evaluate(NUMBER) == asked
    page.locator(".prompt .acts .pass").tap()  # a tap of its own counts
    page.wait_for_function(f"async () => (await {NUMBER}) > {asked}")


def test_a_pinch_keeps_its_place_also_where_the_map_was_whole(
    visitors: Visitors, anna: Client
) -> None:
    page, session = phone(visitors, anna)
    whole = page.get_by_role("button", name="Whole map")
    width = "document.querySelector('.sheet').getBoundingClientRect().width"
    whole.tap()
    page.wait_for_function(f"() => {width} < 500")
    ukraine = page.locator(".space[data-space=ukraine]")
    place = """(space) => {
      const { x, y, width, height } = space.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }"""
    x, y = ukraine.evaluate(place)
    touch(session, "touchStart", (x - 20, y), (x + 20, y))
    for apart in range(22, 92, 2):
        touch(session, "touchMove", (x - apart, y), (x + apart, y))
        page.wait_for_timeout(20)
    touch(session, "touchEnd")
    now = ukraine.evaluate(place)
    assert abs(now[0] - x) < 15
    assert abs(now[1] - y) < 15
    # The button shows all, and once all is seen leads back to what one decides about.
    whole.tap()
    page.wait_for_function(f"() => {width} < 500")
    whole.tap()
    page.wait_for_function(f"() => {width} > 1000")

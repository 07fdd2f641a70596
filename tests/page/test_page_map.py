"""The map while one plays: what is lit, and what it says."""

import re

from playwright.sync_api import expect

from browsers import needs_chromium
from pages import Visitors, start
from servers import Client

pytestmark = needs_chromium


def test_a_battle_against_nobody_is_lit_less(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(".fan .card").filter(has_text=re.compile("Land Battle", re.IGNORECASE)).click()
    ukraine, russia, balkans = (
        page.locator(f".space[data-space={id}]") for id in ("ukraine", "russia", "scandinavia")
    )
    for foe in (ukraine, russia):
        expect(foe).to_have_class(re.compile(r"\blegal\b"))
        expect(foe).not_to_have_class(re.compile(r"\bvain\b"))
    expect(balkans).to_have_class(re.compile(r"\blegal vain\b"))


def test_names_on_the_map_follow_the_language(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{start(anna)['id']}", anna, locale="en-US")
    names = page.locator(".layer.names")
    expect(names).to_contain_text("RUSSIA")
    page.evaluate("ours('js/state/language.js').then(({ choose }) => choose('es'))")
    expect(names).to_contain_text("RUSIA")

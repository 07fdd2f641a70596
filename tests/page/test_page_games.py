"""The page in a whole game at one screen: a real browser against a real server."""

import random
import re
from typing import Any

import pytest
from playwright.sync_api import (
    Page,
    expect,
)

from browsers import needs_chromium
from pages import (
    LATE,
    Visitors,
    click_space,
    decide,
    do,
    hot_seats,
    look,
    open_list,
    record_of,
    seen,
    start,
)
from quartermaster.rules.names import COUNTRIES
from servers import ALLIES, AXIS, Client

pytestmark = needs_chromium


MOST_BYTES = 300_000  # of the first load, as transferred


# Japan's battle at sea, to which both teams may react.
FLEETS = {
    "turn": "japan",
    "pieces": {
        "japan": ["japan", "sea-of-japan"],
        "united-kingdom": ["united-kingdom", "australia", "south-china-sea"],
    },
    "hand": {"japan": ["sea-battle", "build-army"]},
    "set": {"united-kingdom": ["destroyers"], "japan": ["surprise-attack"]},
}


class Driver:
    """Plays for whoever is asked, by mouse: on the map and on cards where that is possible."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page = page
        self.chance = random.Random(seed)
        self.done = dict.fromkeys(
            [
                "uncovered",
                "cards",
                "spaces",
                "acts",
                "choices",
                "ticks",
                "narrowed",
                "confirmed",
                "window",
            ],
            0,
        )

    def step(self) -> bool:
        """One click; false when the game is over."""
        page, now = self.page, look(self.page)
        if now["over"]:
            return False
        if now["dialog"]:
            self._click("dialog[open] .main", "confirmed")
        elif now["covered"]:
            assert page.locator(".hand .card").count() == 0
            uncover(page)
            self.done["uncovered"] += 1
        elif now["narrowed"]:
            self._click(".space-info .choices .main", "narrowed")
        elif now["confirm"]:
            self._tick(now)
        elif now["choices"]:
            self.done["window"] += now["window"]
            self._choose(now)
        else:
            page.wait_for_timeout(50)
        return True

    def _tick(self, now: dict[str, Any]) -> None:
        if now["ready"] and self.chance.random() < 0.7:
            self._click(".prompt .confirm", "ticks")
        else:
            self._card()

    def _choose(self, now: dict[str, Any]) -> None:
        """The map and the cards have all, but what stands in the bar; the list has everything."""
        ways = [
            way for way in ("spaces", "cards") if now[way] and not (way == "cards" and now["held"])
        ]
        way = self.chance.choice([*ways, *ways, "acts" if now["acts"] else "choices", "choices"])
        if way == "spaces":
            space = self.page.locator(".space.legal").nth(self.chance.randrange(now[way]))
            do(self.page, lambda: click_space(self.page, space))
            self.done[way] += 1
        elif way == "cards":
            self._card()
        elif way == "acts":
            self._click(".prompt .acts button:not(.quiet):not(:disabled)", way)
        else:
            open_list(self.page)
            self._click(".prompt .question .choices button", way)

    def _card(self) -> None:
        faces = self.page.locator(".fan .card.lit .face")
        face = faces.nth(self.chance.randrange(faces.count()))
        do(self.page, lambda: face.dispatch_event("click"))
        self.done["cards"] += 1

    def _click(self, selector: str, way: str) -> None:
        found = self.page.locator(f"{selector}:not(.discard, .pass)")  # rather do something
        if found.count() == 0 or self.chance.random() < 0.1:
            found = self.page.locator(selector)
        button = found.nth(self.chance.randrange(found.count()))
        do(self.page, button.click)
        self.done[way] += 1


def uncover(page: Page) -> None:
    page.locator(".hand.covered button").click()
    expect(page.locator(".hand.covered")).to_have_count(0)


# The start.


def test_one_click_leads_into_a_game(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("button", name="Play the Axis").click()
    expect(page.locator(".prompt .sentence").first).to_be_visible()
    expect(page.locator(".map svg .space").first).to_be_visible()
    expect(page.locator(".hand .card").first).to_be_visible()
    expect(page).to_have_url(re.compile(r"/games/\w+$"))
    script = """["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
      .map((entry) => [entry.name, entry.encodedBodySize])"""
    sizes: list[tuple[str, int]] = page.evaluate(script)
    total = sum(size for _, size in sizes)
    largest = sorted(((size, name) for name, size in sizes), reverse=True)[:3]
    print(f"\nfirst load: {total} bytes in {len(sizes)} answers, the largest {largest}")
    assert len(sizes) > 20
    assert 20_000 < total < MOST_BYTES


@pytest.mark.parametrize(("rules", "air"), [("first", False), ("french", False), ("second", True)])
def test_every_rule_set_is_played(visitors: Visitors, anna: Client, rules: str, air: bool) -> None:
    others = [country for country in COUNTRIES if country != "italy"]
    seats = [{"countries": ["italy"], "who": "me"}]
    seats += [{"countries": [country], "who": "bot", "bot": "random"} for country in others]
    options = {"air-marshal": air}
    wish = {"rules": rules, "options": options, "seats": seats, "pause": 0, "start": True}
    table = anna.post("/api/games", wish)
    page = visitors.come(f"/games/{table['id']}", anna)
    expect(page.locator(".steps li", has_text="Air")).to_have_count(int(air))
    expect(page.locator(".steps li", has_text="Play")).to_have_count(1)
    for _ in range(2):  # bots have decided before, and do so between
        decide(page)
    page.get_by_role("button", name="Log", exact=True).click()
    expect(page.locator(".log li").nth(1)).to_be_attached()


# A whole game at one screen.


def test_a_game_is_played_to_its_end_by_mouse(visitors: Visitors, anna: Client) -> None:
    seats = hot_seats([[country] for country in COUNTRIES])
    table = start(anna, seats=seats, record=record_of(LATE), pause=0)
    page = visitors.come(f"/games/{table['id']}", anna)
    driver = Driver(page)
    for _ in range(300):
        if not driver.step():
            break
        assert page.locator(".notice.error").count() == 0
    print(f"\n{driver.done}")
    expect(page.get_by_role("heading", name="have won")).to_be_visible()
    assert anna.get(f"/api/games/{table['id']}")["status"] == "over"
    for way in ("cards", "spaces", "acts", "choices", "ticks", "window"):
        assert driver.done[way] > 0, way
    assert driver.done["uncovered"] >= 6


def test_covered_cards_are_nowhere_on_the_page(visitors: Visitors, anna: Client) -> None:
    table = start(anna, seats=hot_seats([AXIS, ALLIES]))
    page = visitors.come(f"/games/{table['id']}", anna)
    expect(page.locator(".hand.covered")).to_be_visible()
    text = page.inner_text("body")
    for name in ("Plunder", "Blitzkrieg", "Kamikaze", "Monte Cassino", "Forward Bases"):
        assert name not in text
    page.keyboard.press("1")  # nobody can choose among what is not shown
    page.wait_for_timeout(200)
    assert seen(page)["version"] == table["version"]
    uncover(page)
    expect(page.locator(".hand")).to_contain_text("Blitzkrieg")


def test_what_one_did_in_secret_is_not_told_to_the_next(visitors: Visitors, anna: Client) -> None:
    record = record_of({**LATE, "step": "discard"})
    table = start(anna, seats=hot_seats([AXIS, ALLIES]), record=record)
    page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_role("button", name="Log", exact=True).click()
    uncover(page)
    plunder = page.locator(".fan .card", has_text="Plunder").locator(".face")
    do(page, lambda: plunder.dispatch_event("click"))
    do(page, page.get_by_role("button", name="Discard 1 and end the turn").click)
    expect(page.get_by_role("listitem", name="Turn of the United Kingdom")).to_be_visible()
    assert "Plunder" not in page.inner_text("body")
    uncover(page)
    expect(page.locator(".log")).to_contain_text("Germany discards a card")
    assert "Plunder" not in page.inner_text("body")


def test_what_ones_card_lights_is_dark_for_the_next(visitors: Visitors, anna: Client) -> None:
    """The turn ends while the pointer lies on a card: the spaces that it lights would tell the
    next person at this screen which card it is."""
    table = start(anna, seats=hot_seats([AXIS, ALLIES]))
    page = visitors.come(f"/games/{table['id']}", anna)
    uncover(page)
    page.locator(".fan .card", has_text="Build Army").first.hover()
    expect(page.locator(".space.led").first).to_be_attached()
    table = anna.get(f"/api/games/{table['id']}")
    while table["waiting_for"] == "germany":
        # Elsewhere, so that no click and no leaving of the card tells the page.
        [idle, *_] = [a for a in table["actions"] if a["verb"] in ("pass", "discard")]
        table = anna.move(table, idle)
    expect(page.locator(".hand.covered")).to_contain_text("Ben")
    expect(page.locator(".space.led")).to_have_count(0)
    uncover(page)
    expect(page.locator(".space.led")).to_have_count(0)


def test_at_one_screen_the_first_cards_take_one_round_of_the_screen(
    visitors: Visitors, anna: Client
) -> None:
    table = anna.post("/api/games", {"seats": hot_seats([AXIS, ALLIES]), "start": True})
    page = visitors.come(f"/games/{table['id']}", anna)
    for name, countries in [
        ("Anna", ["Japan", "Italy", "Germany"]),
        ("Ben", ["Soviet Union", "United States", "United Kingdom"]),
    ]:
        expect(page.locator(".hand.covered")).to_contain_text(name)
        uncover(page)
        for country in countries:
            sentence = page.locator(".prompt.yours .sentence")
            expect(sentence).to_contain_text(re.compile(rf"{country}'s? first hand"))
            expect(page.locator(".prompt")).not_to_contain_text("Waiting for")
            confirm = page.locator(".prompt .confirm")
            count = int(confirm.inner_text().rsplit(" of ", 1)[1].rstrip(")"))
            for place in range(count):
                page.locator(".fan .card .face").nth(place).click()
            confirm.click()
    expect(page.locator(".hand.covered")).to_contain_text("Anna")
    uncover(page)
    expect(page.locator(".prompt.yours .sentence")).to_contain_text("Play a card")


def test_a_window_asks_one_after_the_other_at_one_screen(visitors: Visitors, anna: Client) -> None:
    record = record_of(FLEETS, "play sea-battle")
    table = start(anna, seats=hot_seats([AXIS, ALLIES]), record=record)
    [battle] = [a for a in table["actions"] if a["text"] == "battle south-china-sea united-kingdom"]
    anna.move(table, battle)
    page = visitors.come(f"/games/{table['id']}", anna)
    # A navy that is about to be removed is let go; a battle that was fought needs no leave.
    for name, own, others, passes in [
        ("Ben", "Use Destroyers", "Surprise Attack", "Let it stand"),
        ("Anna", "Use Surprise Attack", "Destroyers", "Not now"),
    ]:
        expect(page.locator(".hand.covered")).to_contain_text(name)
        uncover(page)
        assert others not in page.inner_text("body")
        expect(page.locator(".prompt .acts").get_by_role("button", name=own)).to_be_visible()
        do(page, page.locator(".prompt .acts").get_by_role("button", name=passes).click)
    expect(page.locator(".prompt .window")).to_have_count(0)

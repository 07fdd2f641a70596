"""The page around the table: start, lobby, result, replay, settings, the own account."""

import json
import re
import struct
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from browsers import needs_chromium
from pages import DESKTOP, LATE, PHONE, TIMES, Visitors, end, finished, record_of, start
from quartermaster.speech.say import ENGLISH, languages
from servers import ALLIES, AXIS, Client, two_seats

pytestmark = needs_chromium


def ask(page: Page, method: str, path: str, body: Any = None) -> Any:
    """Ask the server as the person before a page."""
    script = """([method, path, body]) => fetch(path, {
      method, headers: body === null ? {} : { "content-type": "application/json" },
      body: body === null ? undefined : JSON.stringify(body),
    }).then((reply) => reply.json())"""
    return page.evaluate(script, [method, path, body])


def ended(page: Page) -> str:
    """A game begun from the start screen, whose cards were dealt with the browser's part, and
    ended: its id."""
    page.get_by_role("button", name="Play the Axis").click()
    page.locator(".prompt .sentence").first.wait_for()
    id = page.url.rpartition("/")[2]
    ask(page, "POST", f"/api/games/{id}/proposals", {"what": "end"})
    page.locator(".result").wait_for()
    return id


# The start.


def test_one_click_makes_one_game(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("button", name="Play the Axis").dblclick()
    page.locator(".prompt .sentence").first.wait_for()
    page.wait_for_timeout(300)
    assert len(ask(page, "GET", "/api/games?show=mine")) == 1


def test_a_game_that_was_left_goes_on_however_one_comes_back(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("button", name="Play the Axis").click()
    asked = page.locator(".prompt .sentence").first
    asked.wait_for()
    page.go_back()
    page.locator(".go-on .tile").wait_for()
    page.go_forward()
    asked.wait_for()
    page.get_by_role("button", name="Menu").click()
    page.locator(".drawer").get_by_role("link", name="Home").click()
    page.locator(".go-on .tile").get_by_text("Go on", exact=True).click()
    asked.wait_for()
    expect(page.locator(".fan .card").first).to_be_visible()


def test_countries_are_chosen_by_their_face(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("button", name=re.compile("^Germany")).click()
    page.get_by_role("button", name=re.compile("^Italy")).click()
    page.get_by_role("radio", name="Veteran").check(force=True)
    page.get_by_role("button", name="Play Germany and Italy").click()
    page.locator(".prompt .sentence").first.wait_for()
    [game] = ask(page, "GET", "/api/games?show=mine")
    seats = {tuple(seat["countries"]): seat["name"] for seat in game["table"]["seats"]}
    assert ("germany", "italy") in seats
    assert seats[("japan",)] == "veteran"
    page.goto("/")
    tile = page.locator(".go-on .tile")
    expect(tile).to_contain_text("Round 1 of 20")
    expect(page.get_by_role("radio", name="Veteran")).to_be_checked()


def test_who_has_never_played_is_offered_the_first_lesson(visitors: Visitors) -> None:
    page = visitors.come("/")
    expect(page.get_by_role("radio", name="Rookie")).to_be_checked()
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(".guide h2")).to_be_visible()


def test_only_the_first_lesson_is_brass_for_who_is_new(visitors: Visitors, anna: Client) -> None:
    page = visitors.come("/")
    brass = page.locator(".front .main")
    expect(brass).to_have_text(["Show me"])
    page.get_by_role("button", name=re.compile("^Germany")).click()
    expect(brass).to_have_text(["Show me", "Play Germany"])
    start(anna)
    back = visitors.come("/", anna)
    expect(back.locator(".front .main")).to_have_text(["Play the Axis", "Play the Allies"])


# All that changes on the start screen, but for the sign that it is busy.
WATCH = """() => {
  window.changes = [];
  new MutationObserver((all) => window.changes.push(
    ...all.filter(({ attributeName }) => attributeName !== "aria-busy").map(({ target }) =>
      target.className ?? target.nodeName)
  )).observe(document.querySelector(".front"),
    { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_the_start_screen_waits_as_it_is_until_the_game_is_made(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("button", name="Show me").wait_for()
    page.wait_for_timeout(300)
    held: list[Route] = []
    page.route("**/api/games/*/start", lambda route: held.append(route))
    page.evaluate(WATCH)
    # Who was nobody becomes a guest, who is asked for games, and has this one.
    with page.expect_response("**/api/games?show=open"):
        page.get_by_role("button", name="Play the Axis").click()
    page.wait_for_timeout(500)
    [start_it] = held
    assert page.evaluate("window.changes") == []
    start_it.continue_()
    page.locator(".prompt .sentence").first.wait_for()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_table_that_loads_has_words_only_if_that_takes_long(
    visitors: Visitors, anna: Client, motion: str
) -> None:
    table = start(anna)
    page = visitors.come("/", anna, reduced_motion=motion)
    tile = page.locator(f".go-on a[href='/games/{table['id']}']")
    tile.wait_for()
    held: list[Route] = []
    page.route(f"**/api/games/{table['id']}", lambda route: held.append(route))
    tile.click()
    loading = page.locator(".loading")
    expect(loading).to_be_attached()
    assert loading.inner_text() == ""
    expect(page.locator(".backdrop svg")).to_have_count(1)
    expect(loading).to_contain_text("Loading")
    [asked] = held
    asked.continue_()
    expect(page.locator(".fan .card").first).to_be_visible()
    expect(page.locator(".backdrop")).to_have_count(0)


@pytest.mark.parametrize("width", [1440, 1920])
def test_the_bar_is_in_line_with_the_page(visitors: Visitors, anna: Client, width: int) -> None:
    page = visitors.come("/", anna, viewport={"width": width, "height": 900})
    page.locator(".dossier").first.wait_for()
    left = "(selector) => document.querySelector(selector).getBoundingClientRect().left"
    assert page.evaluate(left, ".brand") == pytest.approx(page.evaluate(left, ".front"), abs=1)


# Before the game.


def test_seats_are_places_of_their_teams(visitors: Visitors, anna: Client) -> None:
    seats = [
        {"countries": AXIS[:1], "who": "me"},
        {"countries": ALLIES, "who": "open"},
        {"countries": AXIS[1:], "who": "bot"},
    ]
    table = anna.post("/api/games", {"seats": seats})
    page = visitors.come(f"/games/{table['id']}", anna)
    expect(page.get_by_role("region", name="Axis").get_by_role("listitem")).to_have_count(2)
    allies = page.get_by_role("region", name="Allies").get_by_role("listitem")
    expect(allies).to_have_count(1)
    allies.get_by_label("Who plays").select_option("bot:veteran")
    expect(allies).to_contain_text("Veteran bot")
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()


def test_every_browser_adds_chance_to_the_deal(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    seats = [{"countries": AXIS, "who": "me"}, {"countries": ALLIES, "who": "open"}]
    table = anna.post("/api/games", {"seats": seats})
    page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_text("The cards are sealed").click()
    expect(page.locator(".sealed")).to_contain_text(table["deal"]["commitment"])
    expect(page.locator(".sealed")).to_contain_text("Chance added by your browser")
    expect(page.get_by_text("Whoever has this link can take an open seat")).to_be_visible()
    other = visitors.come(f"/games/{table['id']}", ben)
    other.get_by_role("button", name="Sit here").click()
    expect(page.locator(".sealed dt")).to_have_count(3)
    added = ask(page, "GET", f"/api/games/{table['id']}")["deal"]["contributions"]
    noted = json.loads(page.evaluate("localStorage.getItem('quartermaster.deals')"))
    note = noted[table["id"]]
    assert note["commitment"] == table["deal"]["commitment"]
    assert note["added"] in [one["added"] for one in added]


# The deal, after the game.


def test_a_fair_deal_is_found_fair(visitors: Visitors) -> None:
    page = visitors.come("/")
    ended(page)
    page.get_by_role("button", name="Check the deal").click()
    expect(page.locator(".verdict")).to_contain_text("The deal was fair.")
    assert page.locator(".deal-check li.right").count() == 6


def swap_cards(proof: dict[str, Any]) -> None:
    cards = next(step["cards"] for step in proof["steps"] if step["what"] == "shuffle")
    i = next(i for i, card in enumerate(cards) if card != cards[-1])
    cards[i], cards[-1] = cards[-1], cards[i]


def forget_own(proof: dict[str, Any]) -> None:
    proof["contributions"] = []


def other_seal(proof: dict[str, Any]) -> None:
    proof["commitment"] = "0" * 64


def other_draw(proof: dict[str, Any]) -> None:
    step = next(step for step in proof["steps"] if step["what"] == "draw")
    step["cards"][0] = "blitzkrieg" if step["cards"][0] != "blitzkrieg" else "plunder"


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        (swap_cards, "Every shuffle"),
        (forget_own, "The chance that your browser added"),
        (other_seal, "The secret fits the seal"),
        (other_draw, "Whatever was drawn"),
    ],
)
def test_a_changed_deal_is_found_out(visitors: Visitors, change: Any, finding: str) -> None:
    page = visitors.come("/")
    ended(page)

    def answer(route: Route) -> None:
        proof = route.fetch().json()
        change(proof)
        route.fulfill(json=proof)

    page.route("**/deal", answer)
    page.get_by_role("button", name="Check the deal").click()
    expect(page.locator(".verdict")).to_contain_text("The deal was not fair.")
    expect(page.locator(".deal-check li.wrong", has_text=finding)).to_be_visible()


# Replay.


def test_a_replay_plays_pauses_and_is_left_by_back(visitors: Visitors, anna: Client) -> None:
    table = end(anna)
    page = visitors.come(f"/games/{table['id']}", anna)
    expect(page.locator(".why")).to_contain_text(re.compile("points ahead|Even after"))
    page.get_by_role("button", name="Watch it again").click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("2")
    page.get_by_role("button", name="Pause").click()
    at = slider.input_value()
    page.wait_for_timeout(1200)
    assert slider.input_value() == at
    expect(page).to_have_url(re.compile(rf"\?step={at}$"))
    page.get_by_role("button", name="By turns").click()
    page.get_by_role("button", name="One turn on").click()
    turns = ask(page, "GET", f"/api/games/{table['id']}/replay/0")["turns"]
    expect(slider).to_have_value(str(next(turn for turn in turns if turn > int(at))))
    page.go_back()
    expect(page.locator(".result")).to_be_visible()
    expect(page).to_have_url(re.compile(rf"/games/{table['id']}$"))


def test_a_turning_point_is_replayed(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{end(anna)['id']}", anna)
    page.locator(".moment").first.click()
    expect(page.get_by_role("slider")).to_be_visible()


LABELS = """(charts) => charts.map((chart) => {
  const boxes = [...chart.querySelectorAll("text")].map((one) => one.getBoundingClientRect());
  const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return { least: Math.min(...boxes.map((box) => box.height)),
    meeting: boxes.flatMap((a, i) => boxes.slice(i + 1).filter((b) => meet(a, b))).length };
})"""


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}])
def test_the_charts_of_a_result_can_be_read(
    visitors: Visitors, anna: Client, viewport: dict[str, int]
) -> None:
    page = visitors.come(f"/games/{end(anna)['id']}", anna, viewport=viewport)
    charts = page.locator(".result .chart svg")
    expect(charts).to_have_count(2)
    # A chart learns how wide it is in the frame after its first.
    page.wait_for_function(f"""() => ({LABELS})(
      [...document.querySelectorAll(".result .chart svg")]
    ).every(({{ least, meeting }}) => least >= 11 && meeting === 0)""")
    if viewport is not PHONE:  # all that the result tells is on the first screen
        expect(page.locator(".deeds tr").last).to_be_in_viewport(ratio=1)


def test_a_result_shows_the_war_and_stands_in_the_middle(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(
        f"/games/{end(anna)['id']}", anna, viewport={"width": 2560, "height": 1300}
    )
    expect(page.locator(".result .wreath")).to_be_visible()
    band = page.locator(".result-band")
    [left, top, width, height] = band.locator("svg").get_attribute("viewBox").split()  # type: ignore[union-attr]
    faces = band.locator(".piece .tk-code").evaluate_all(
        "(all) => all.map((one) => [one.getAttribute('x'), one.getAttribute('y')].map(Number))"
    )
    seen = [
        at
        for at in faces
        if 0 < at[0] - float(left) < float(width) and 0 < at[1] - float(top) < float(height)
    ]
    assert len(seen) >= 5
    assert len(faces) == page.locator(".live .piece .tk-code").count()
    box = page.locator(".result").bounding_box()
    assert box is not None
    assert 0 < box["y"] - (1300 - box["y"] - box["height"]) < 80  # below the header


def test_a_result_is_kept_as_a_picture(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{end(anna)['id']}", anna)
    page.evaluate("navigator.canShare = undefined")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_download() as download:
        page.get_by_role("button", name="Share").click()
    assert any("postcard.js" in url for url in asked)  # it was not fetched before
    expect(page.locator(".notice")).to_contain_text("saved")
    assert download.value.suggested_filename == "quartermaster.png"
    head = download.value.path().read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", head[16:]) == (1200, 630)


COUNTED = """async () => {
  const picture = await createImageBitmap(shared.files[0]);
  const on = new OffscreenCanvas(1200, 100).getContext("2d");
  on.drawImage(picture, 0, 0);
  const { data } = on.getImageData(0, 0, 1200, 100);
  const counted = {};
  for (let i = 0; i < data.length; i += 4) {
    const colour = "#" + [0, 1, 2].map((k) => data[i + k].toString(16).padStart(2, "0")).join("");
    counted[colour] = (counted[colour] ?? 0) + 1;
  }
  return counted;
}"""


def test_a_result_is_shared_where_the_browser_can(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{end(anna)['id']}", anna)
    share, notice = page.get_by_role("button", name="Share"), page.locator(".notice")
    page.evaluate("""() => {
      navigator.canShare = ({ files }) => files[0].type === "image/png";
      navigator.share = async () => {
        window.asked = true;
        throw new DOMException("", "AbortError");
      };
    }""")
    share.click()
    page.wait_for_function("() => window.asked")
    expect(share).to_be_enabled()
    expect(notice).to_have_count(0)  # whoever thinks better of it need not be told
    page.evaluate("() => { navigator.share = async (what) => (window.shared = what); }")
    share.click()
    expect(notice).to_contain_text("on its way")
    assert page.evaluate("shared.title") == page.locator(".result h1").inner_text()
    # The map is in its colours, and pieces stand on it.
    counted = page.evaluate(COUNTED)
    for colour in ("#b3cdd0", "#f0e6cd", "#2b2a33"):  # the sea, land, an army of Germany
        assert counted.get(colour, 0) > 100, colour


def test_a_replay_has_its_own_supply(visitors: Visitors, anna: Client) -> None:
    table = start(anna)
    first = anna.get(f"/api/games/{table['id']}/replay/0")
    assert set(first["supply"]) == {*AXIS, *ALLIES}
    assert first["supply"]["germany"]["germany"]["is_supplied"]
    assert first["income"]["germany"] >= 2
    assert first["turns"][0] == 0


def test_a_lesson_begun_again_is_one_game_to_go_on_with(visitors: Visitors) -> None:
    page = visitors.come("/learn")
    for _ in range(2):
        page.goto("/learn")
        page.locator(".lessons button").first.click()
        page.locator(".guide").wait_for()
    newest = re.sub(r".*(/games/[^?]*).*", r"\1", page.url)
    page.goto("/")
    tiles = page.locator(".go-on .tile a")
    expect(tiles).to_have_count(1)
    expect(tiles).to_have_attribute("href", newest)


def test_equal_cards_of_a_replayed_hand_are_counted(visitors: Visitors, anna: Client) -> None:
    page = visitors.come(f"/games/{end(anna)['id']}?step=7", anna)
    page.get_by_role("button", name="To the end").click()
    if page.locator(".replay .drawer.closed").count():
        page.get_by_role("button", name="Countries and cards").click()
    chips = page.locator(".replay-hands .chip-card")
    expect(chips.filter(has_text=TIMES).first).to_be_visible()
    names = chips.all_inner_texts()
    chips.first.click()
    expect(page.get_by_role("dialog")).to_contain_text(
        names[0].split(TIMES)[0].strip(), ignore_case=True
    )


# Settings and sound.


def test_what_is_asked_and_when_turns_end_is_a_setting(visitors: Visitors) -> None:
    page = visitors.come("/rules")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("switch", name=re.compile("^Always ask me")).check()
    page.get_by_role("radio", name="Straight away").check(force=True)
    kept = json.loads(page.evaluate("localStorage.getItem('quartermaster.settings')"))
    assert kept["asksAlways"] is True
    assert kept["ends"] == "once"


def test_a_player_can_be_reported_at_the_table(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    seats = [{"countries": AXIS, "who": "me"}, {"countries": ALLIES, "who": "open"}]
    table = anna.post("/api/games", {"seats": seats})
    ben.post(f"/api/games/{table['id']}/seats/1/take")
    ben.post(f"/api/games/{table['id']}/ready")
    anna.post(f"/api/games/{table['id']}/start")
    page = visitors.come(f"/games/{table['id']}", anna)
    page.get_by_role("button", name="Countries").click()
    page.get_by_role("button", name="Report Ben").first.click()
    page.get_by_label("What is wrong?").fill("Rude")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".notice")).to_be_visible()


def test_a_note_on_responses_waits_until_one_can_be_played(
    visitors: Visitors, anna: Client
) -> None:
    position = {"hand": {"germany": ["build-army"], "japan": ["kamikaze", "build-army"]}}
    japan = {"seats": two_seats(), "record": record_of({**position, "turn": "japan"})}
    page = visitors.come("/", anna, color_scheme="light")
    page.evaluate("ours('js/state/settings.js').then(({ set }) => set({ seen: ['supply'] }))")
    fresh = anna.post("/api/games", {"seats": two_seats(), "start": True})
    page.goto(f"/games/{fresh['id']}")
    page.locator(".prompt .confirm").wait_for()  # first cards are chosen
    expect(page.locator(".note")).to_have_count(0)
    later = anna.post("/api/games", japan | {"start": True})
    page.goto(f"/games/{later['id']}")
    expect(page.locator(".note")).to_contain_text("You hold a response")


def test_settings_are_kept(visitors: Visitors) -> None:
    page = visitors.come("/rules")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("radio", name="Night").check(force=True)
    page.get_by_role("radio", name="Larger").check(force=True)
    page.get_by_role("radio", name="At once").check(force=True)
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("document.documentElement.style.fontSize") == "130%"
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("radio", name="At once")).to_be_checked()


# Cards.

FITS = """async (stretch) => {
  const { html, render } = await ours("js/base/html.js");
  const { Card } = await ours("js/parts/card.js");
  const { get } = await ours("js/base/api.js");
  await document.fonts.ready;
  const rules = await get("/api/rules");
  const sets = rules.flatMap(({ name }) => [true, false].map((air) => [name, air]));
  const all = new Map();
  for (const [name, air] of sets) {
    for (const card of await get(`/api/rules/${name}/cards?air-marshal=${air}`)) {
      all.set(`${card.country} ${card.name} ${card.text}`, card);
    }
  }
  // Other languages say the same in more words: the last ones stand twice.
  const longer = (text) => {
    const words = text.split(" ");
    return [...words, ...words.slice(words.length - Math.round(words.length * stretch))].join(" ");
  };
  const found = [];
  let count = 0;
  for (const kind of ["fan", "fan many"]) {
    const fan = document.createElement("div");
    fan.className = kind;
    fan.style.setProperty("--n", 12);
    document.querySelector(".hand .fan").replaceWith(fan);
    const cards = [...all.values()].map((card) => ({ ...card, text: longer(card.text) }));
    const lengths = ({ name, text }) => ({ "--name": name.length, "--text": text.length });
    const style = (card) => ({ flex: "none", ...lengths(card) });
    const shown = (card) => html`<${Card} card=${card} onPick=${() => {}} style=${style(card)} />`;
    render(cards.map(shown), fan);
    await null; // cards that come together are fitted together, right after they are drawn
    cards.forEach((card, i) => {
      const box = fan.children[i];
      const body = box.querySelector(".body");
      const text = box.querySelector(".text");
      const size = parseFloat(getComputedStyle(text).fontSize);
      count += 1;
      const ends = text.getBoundingClientRect().bottom <= body.getBoundingClientRect().bottom;
      const isWide = body.scrollWidth > body.clientWidth;
      if (!ends || isWide || body.scrollHeight > body.clientHeight + 1 || size < 9) {
        const by = body.scrollHeight - body.clientHeight;
        found.push(`${kind}: ${card.country} ${card.name}, ${size} px, over by ${by}`);
      }
    });
  }
  return [count, found];
}"""


@pytest.mark.parametrize("language", languages())
def test_every_text_fits_its_card(visitors: Visitors, anna: Client, language: str) -> None:
    anna.http.patch("/api/me", json={"language": language}).raise_for_status()
    page = visitors.come(f"/games/{start(anna)['id']}", anna)
    page.locator(f"html[lang={language}]").wait_for(state="attached")
    page.locator(".fan .card").first.wait_for()
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        # English as much longer as languages may be that are not there yet.
        count, found = page.evaluate(FITS, 0.25 if language == ENGLISH else 0)
        assert count > 600  # each in a usual and in a full hand
        assert found == [], "\n".join(found)


# Who one is, and where nothing is.


def test_devices_are_listed_and_signed_out(visitors: Visitors) -> None:
    page = visitors.come("/me")
    page.get_by_label("Name").first.fill("Cleo")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name=re.compile("^Cleo"))).to_be_visible()
    expect(page.get_by_role("heading", name="Signed in on this device")).to_be_visible()
    page.get_by_role("button", name="Delete my account").click()
    page.get_by_label("Type your name, Cleo, to confirm").fill("Cleo")
    page.get_by_role("button", name="Delete everything").click()
    expect(page.get_by_text("Everything about you is deleted.")).to_be_visible()


@pytest.mark.parametrize("path", ["/nowhere/at/all", "/games/nope", "/games/AAAAAAAAAAAA"])
def test_an_address_without_anything_says_so(visitors: Visitors, path: str) -> None:
    visitors.expected.append("status of 40")
    page = visitors.come(path)
    expect(page.locator(".lost-page h1")).to_be_visible()
    expect(page.get_by_role("link", name="Home")).to_be_visible()


# Names, records and ways out.


def test_who_has_no_password_is_asked_before_they_are_lost(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("button", name="Play the Axis").click()
    page.locator(".prompt .sentence").first.wait_for()
    page.goto("/me")
    page.get_by_role("button", name="Sign out here").click()
    asked = page.get_by_role("dialog")
    expect(asked).to_contain_text("You have no password")
    asked.get_by_role("button", name="Set a password").click()
    expect(asked).to_have_count(0)
    expect(page.locator("#new-password")).to_be_focused()
    assert ask(page, "GET", "/api/me")["name"] == "Guest"
    page.get_by_role("button", name="Sign out here").click()
    asked.get_by_role("button", name="Sign out and lose my seats").click()
    expect(page.locator(".me .devices")).to_have_count(0)


def bring(page: Page, name: str, text: str) -> None:
    page.locator("input[type=file]").set_input_files(
        {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    )


def test_a_record_is_shown_before_anything_begins(visitors: Visitors) -> None:
    page = visitors.come("/")
    record, _ = finished()
    bring(page, "war.txt", record)
    shown = page.get_by_role("dialog")
    expect(shown).to_contain_text("Second edition")
    expect(shown).to_contain_text("Round 20 of 20")
    expect(shown).to_contain_text(re.compile("The (Axis|Allies) have won"))
    shown.get_by_role("button", name="Cancel").click()
    expect(shown).to_have_count(0)
    bring(page, "war.txt", record)
    shown.get_by_role("button", name="Watch it").click()
    expect(page).to_have_url(re.compile(r"\?step=0$"))
    page.get_by_role("slider").wait_for()
    assert ask(page, "GET", "/api/games?show=mine") == []
    page.goto("/")
    bring(page, "late.txt", record_of(LATE))
    expect(shown).to_contain_text("It is not over")
    shown.get_by_role("button", name="Play on as the Allies").click()
    page.locator(".prompt .sentence").first.wait_for()
    [game] = ask(page, "GET", "/api/games?show=mine")
    [own] = [seat for seat in game["table"]["seats"] if seat["who"] == "person"]
    assert own["countries"] == ALLIES


def test_a_file_that_is_no_record_is_refused_in_a_sentence(visitors: Visitors) -> None:
    visitors.expected.append("status of 422")
    page = visitors.come("/")
    bring(page, "My notes", "hello")
    notice = page.locator(".notice.error")
    expect(notice).to_contain_text("My notes")
    expect(notice).to_contain_text("is no record of a game")
    expect(notice).not_to_contain_text("line 1")


def test_people_at_one_screen_are_called_by_what_they_play(visitors: Visitors) -> None:
    page = visitors.come("/new")
    page.get_by_role("button", name="All at this screen").click()
    expect(page.locator(".seat-row").get_by_label("Name")).to_have_count(2)
    page.get_by_role("button", name="Start", exact=True).click()
    covered = page.locator(".hand.covered")
    expect(covered).to_contain_text("Now the Axis decide.")
    covered.get_by_role("button", name="I am the Axis").click()
    expect(page.locator(".fan .card").first).to_be_visible()


def test_the_form_of_a_table_says_what_will_be(visitors: Visitors) -> None:
    page = visitors.come("/")
    page.get_by_role("radio", name="Seasoned").check(force=True)
    page.goto("/new")
    expect(page.get_by_text("More", exact=True)).to_be_in_viewport(ratio=1)
    reallocate = page.get_by_role("checkbox", name="Reallocate")
    expect(reallocate).to_be_checked()
    reallocate.uncheck()
    page.get_by_role("checkbox", name="Air Marshal expansion").check()
    expect(reallocate).to_be_checked()
    expect(reallocate).to_be_disabled()
    page.get_by_role("radio", name="First edition").first.check()
    expect(reallocate).not_to_be_checked()  # the default of that edition
    expect(page.get_by_role("checkbox", name="Air Marshal expansion")).not_to_be_checked()
    page.get_by_role("checkbox", name="Air Marshal expansion").check()
    expect(page.get_by_role("checkbox", name="Tournament victory")).to_be_checked()
    page.locator(".seat-row").last.get_by_label("Who plays").select_option("bot")
    expect(page.get_by_label("Level")).to_have_value("seasoned")


def test_whoever_played_reads_whether_they_have_won(visitors: Visitors, anna: Client) -> None:
    record, _ = finished()
    table = anna.post("/api/games", {"record": record, "seats": two_seats(), "start": True})
    page = visitors.come(f"/games/{table['id']}", anna)
    won = "won" if table["winner"] == "axis" else "lost"
    expect(page.locator(".outcome")).to_have_class(f"outcome {won}")
    for change in page.locator(".moment i").all():
        expect(change).to_contain_text(re.compile(r"\d [VP]{2}$"))

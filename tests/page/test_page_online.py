"""The page where two people play online, each with a browser."""

from playwright.sync_api import Page, expect

from browsers import needs_chromium
from pages import Table, Visitors, Wire, decide, do, open_first_cards, seen
from quartermaster.cards.as_data import card_data
from quartermaster.cards.rule_sets import load_rules
from servers import ALLIES, AXIS, Client, Server

pytestmark = needs_chromium


def hidden(table: Table) -> list[tuple[str, str]]:
    """Ids and names of all cards that only the viewer knows of, and no other deck has."""
    rules = load_rules("second", {})
    cards = [card_data(rules, card) for card in rules.cards]
    seat: list[str] = table["view"]["seat"]
    others = {card["id"] for card in cards if card["country"] not in seat}
    names = {card["id"]: card["name"] for card in cards}
    own = {
        id
        for country in seat
        for zone in ("hand", "face_down", "set")
        for id in table["view"]["countries"][country][zone]
    }
    return [(id, names[id]) for id in sorted(own - others)]


def test_two_people_play_online(visitors: Visitors, server: Server) -> None:
    host = visitors.come("/")
    host.get_by_role("link", name="Friends, editions, clocks").click()
    host.get_by_text("More", exact=True).click()
    host.get_by_label("Name of the table").fill("Friday")
    host.get_by_role("button", name="Open the table").click()
    link = host.locator(".invite input").input_value()
    guest = visitors.come("/cards")
    wire = Wire(guest)
    guest.goto(link)
    guest.get_by_label("Name", exact=True).fill("Berta")
    guest.get_by_role("button", name="Sit here").click()
    start = host.get_by_role("button", name="Start the game")
    expect(host.locator(".seat-row .who", has_text="Berta")).to_be_visible()
    expect(start).to_be_disabled()
    guest.get_by_role("button", name="I am ready").click()
    start.click()
    decide(host)  # Germany's cards to keep
    guest.locator(".fan .card .face").first.dispatch_event("click")
    guest.reload()
    decide(guest)

    # One loses the connection, while the other goes on.
    visitors.expected.append(r"net::ERR_")
    for page in (host, guest):
        page.evaluate("window.isTheSame = true")
    lost = "Connection lost"
    guest.context.set_offline(True)
    expect(guest.get_by_text(lost)).to_be_visible()
    decide(host)
    expect(guest.locator(".prompt")).to_contain_text("While others choose")
    guest.context.set_offline(False)
    expect(guest.locator(".prompt")).not_to_contain_text("While others choose")
    expect(guest.get_by_text(lost)).to_have_count(0)

    # The server is started anew.
    server.stop()
    for page in (host, guest):
        expect(page.get_by_text(lost)).to_be_visible()
    for place in range(3):
        guest.locator(".fan .card .face").nth(place).dispatch_event("click")
    guest.locator(".prompt .confirm").click()
    expect(guest.locator(".notice.error")).to_contain_text("cannot be reached")
    server.start()
    for page in (host, guest):
        expect(page.get_by_text(lost)).to_have_count(0)
    guest.locator(".prompt .confirm").wait_for()
    for _ in range(3 - guest.locator(".fan .card.ticked").count()):
        guest.locator(".fan .card:not(.ticked) .face").first.dispatch_event("click")
    do(guest, guest.locator(".prompt .confirm").click)
    expect(host.locator(".prompt")).to_contain_text("Italy's first hand")
    decide(host)
    for page in (host, guest):
        assert page.evaluate("window.isTheSame")

    secrets = hidden(seen(host))
    assert len(secrets) > 5
    assert len(wire.texts) > 10
    told = "\n".join([guest.content(), *wire.texts])
    assert [name for id, name in secrets if name in told or f'"{id}"' in told] == []
    assert f'"{hidden(seen(guest))[0][0]}"' in told  # it is there where one may know it


def test_first_cards_are_chosen_while_the_other_chooses(
    visitors: Visitors, anna: Client, ben: Client
) -> None:
    page = open_first_cards(visitors, anna, ben)
    path = f"/api{page.evaluate('location.pathname')}"
    page.reload()
    prompt = page.locator(".prompt")
    expect(prompt).to_contain_text("United Kingdom's first hand: keep 7 of 10.")
    expect(prompt).to_contain_text("Tick 3 to discard.")
    done = prompt.get_by_role("button", name="Discard these")
    faces = page.locator(".fan .card .face")
    for place in (0, 4, 7):
        expect(done).to_be_disabled()
        faces.nth(place).dispatch_event("click")
    names = page.locator(".fan .card.ticked .title").all_text_contents()
    assert len(names) == 3
    done.click()
    decided = prompt.locator(".aside", has_text="United Kingdom will discard")
    for name in names:
        expect(decided).to_contain_text(name)
    decided.get_by_role("button", name="Think again").click()
    expect(decided).to_have_count(0)
    page.get_by_role("group", name="Whose").get_by_role("button", name="United Kingdom").click()
    for place in (1, 4, 7):
        faces.nth(place).dispatch_event("click")
    done.click()
    expect(decided).to_be_visible()
    for _ in range(3):
        now = anna.get(path)
        anna.move(now, now["actions"][0])
    expect(prompt).to_contain_text("Waiting for Japan")
    expect(decided).to_have_count(0)


def test_a_lobby_says_what_it_waits_for(visitors: Visitors, anna: Client, ben: Client) -> None:
    seats = [
        {"countries": AXIS, "who": "me"},
        {"countries": ALLIES[:1], "who": "open"},
        {"countries": ALLIES[1:], "who": "bot"},
    ]
    table = anna.post("/api/games", {"seats": seats})
    page = visitors.come(f"/games/{table['id']}", anna)
    expect(page.locator(".lobby")).to_contain_text("Still without a player: United Kingdom.")
    expect(page.locator(".chat-empty")).to_be_visible()
    ben.post(f"/api/games/{table['id']}/seats/1/take")
    expect(page.locator(".lobby")).to_contain_text("Not ready yet: Ben.")
    ben.post(f"/api/games/{table['id']}/ready")
    expect(page.get_by_role("button", name="Start the game")).to_be_enabled()
    assert page.locator(".setup-foot").inner_text() == "Start the game"


def together(visitors: Visitors) -> tuple[Page, Page]:
    """Ana, who makes a table, and Ben, who comes by its link: both are asked for their names."""
    host = visitors.come("/new")
    host.get_by_label("Name", exact=True).fill("Ana")
    host.get_by_role("button", name="Open the table").click()
    host.locator(".lobby").wait_for()
    guest = visitors.come(host.url)
    guest.get_by_label("Name", exact=True).fill("Ben")
    guest.get_by_role("button", name="Sit here").click()
    expect(guest.locator(".seat-row.yours")).to_contain_text("Ben")
    return host, guest


def test_who_has_no_name_is_asked_wherever_others_would_read_it(visitors: Visitors) -> None:
    host = visitors.come("/")
    host.get_by_role("button", name="Play the Axis").click()
    host.locator(".prompt .sentence").first.wait_for()
    host.goto("/new")
    host.get_by_role("button", name="Open the table").click()
    expect(host.locator(".seat-row.yours")).to_contain_text("Guest")
    host.get_by_label("Name", exact=True).fill("Ana")
    host.get_by_role("button", name="Save").click()
    expect(host.locator(".seat-row.yours")).to_contain_text("Ana")
    expect(host.locator(".as-whom")).to_have_count(0)
    note = host.locator(".only-here")
    expect(note).to_contain_text("--host 0.0.0.0")
    expect(host.locator(".lobby")).not_to_contain_text("Invited seats")
    # Teams have no rooms yet.
    expect(host.get_by_role("combobox", name="To", exact=True)).to_have_count(0)


def test_who_sits_elsewhere_moves(visitors: Visitors, anna: Client) -> None:
    seats = [
        {"countries": AXIS, "who": "me"},
        {"countries": ALLIES[:1], "who": "open"},
        {"countries": ALLIES[1:2], "who": "open"},
        {"countries": ALLIES[2:], "who": "invite"},
    ]
    table = anna.post("/api/games", {"seats": seats})
    code = table["seats"][3]["invitation"]
    page = visitors.come(f"/games/{table['id']}?seat=3&code={code}")
    kept = page.locator(".seat-row.meant")
    expect(kept).to_contain_text("This seat is yours")
    kept.get_by_role("button", name="Sit here").click()
    own = page.locator(".seat-row.yours")
    expect(own).to_contain_text("United States")
    kingdom = page.locator(".seat-row", has_text="United Kingdom")
    kingdom.get_by_role("button", name="Sit here instead").click()
    expect(own).to_have_count(1)
    expect(own).to_contain_text("United Kingdom")
    union = page.locator(".seat-row", has_text="Soviet Union")
    union.get_by_role("button", name="Also play this").click()
    expect(own).to_have_count(2)
    host = visitors.come(f"/games/{table['id']}", anna)
    free = host.locator(".seat-row", has_text="United States")
    expect(free.get_by_role("button", name="Sit here instead")).to_be_visible()
    expect(free.get_by_role("button", name="Also play this")).to_have_count(0)


def test_the_others_are_told_of_a_rematch(visitors: Visitors, server: Server) -> None:
    host, guest = together(visitors)
    guest.get_by_role("button", name="I am ready").click()
    host.get_by_role("button", name="Start the game").click()
    path = f"/api/games/{host.url.rpartition('/')[2]}"
    host.locator(".hand").wait_for()
    guest.locator(".hand").wait_for()
    tell = """([path, body]) => fetch(path, { method: "POST", body: JSON.stringify(body),
      headers: { "content-type": "application/json" } })"""
    host.evaluate(tell, [f"{path}/proposals", {"what": "end"}])
    guest.evaluate(tell, [f"{path}/votes", {"is_for": True}])
    deeds = guest.locator(".deeds")
    expect(deeds.get_by_role("row", name="Germany")).to_contain_text("Ana")
    expect(deeds.get_by_role("row", name="Soviet Union")).to_contain_text("Ben")
    expect(guest.get_by_role("button", name="Play again")).to_be_visible()
    host.get_by_role("button", name="Swap sides").click()
    expect(guest.locator(".rematch")).to_contain_text("Ana has opened a rematch, with sides")
    expect(guest.get_by_role("button", name="Play again")).to_have_count(0)
    guest.get_by_role("link", name="Join the rematch").click()
    expect(guest.locator(".seat-row.yours")).to_contain_text("Germany")
    expect(guest.locator(".seat-row.yours")).to_contain_text("Ben")
    guest.get_by_role("button", name="I am ready").click()
    expect(host.get_by_role("button", name="Start the game")).to_be_enabled()


def test_the_list_of_tables_says_what_is_played(visitors: Visitors, anna: Client) -> None:
    wish = {"title": "Letters", "rules": "first", "seats": 2, "is_public": True}
    anna.post("/api/games", wish | {"clock": {"kind": "async", "days": 3}})
    page = visitors.come("/games")
    tile = page.locator(".tile", has_text="Letters")
    expect(tile).to_contain_text("First edition \N{MIDDLE DOT} 3 days for each decision")

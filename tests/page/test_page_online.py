"""The page where two people play online, each with a browser."""

from playwright.sync_api import (
    expect,
)

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

"""Tables on a real server: making them, sitting down, lists, seats that pass on."""

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from guests import QUICK, Table, at, decide, look, make, refused, sit, until
from quartermaster import Game
from quartermaster.rules.names import COUNTRIES
from servers import ALLIES, AXIS, ApiError, Client, Server, two_seats


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_as_many_seats_as_players(anna: Client, players: int) -> None:
    table = make(anna, seats=players)
    assert table["status"] == "lobby"
    assert table["is_host"]
    assert len(table["seats"]) == players
    assert sorted(c for seat in table["seats"] for c in seat["countries"]) == sorted(COUNTRIES)
    assert [seat["who"] for seat in table["seats"]] == ["person"] + ["open"] * (players - 1)
    assert table["seats"][0]["name"] == "Anna"
    with refused(409, "seat 1 .* is empty"):
        anna.post(at(table, "start"))
    for number in range(1, players):
        anna.put(at(table, "seats", number), {"who": "bot", "bot": "random"})
    assert anna.post(at(table, "start"))["status"] == "playing"


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"seats": 1}, "2 to 6"),
        ({"seats": 7}, "2 to 6"),
        ({"seats": [{"countries": ["germany"]}]}, "every country"),
        ({"seats": [{"countries": ["germnay"]}]}, "germany"),
        ({"seats": [{"countries": ["germany", "united-kingdom"]}]}, "both teams|one team|enem"),
        ({"seats": two_seats("me", "bot", "genius")}, "unknown bot"),
        ({"rules": "third"}, "unknown rule set"),
        ({"options": {"nukes": True}}, "unknown option"),
        ({"window": -1}, "window"),
        ({"pause": 11}, "pause"),
        ({"clock": {"kind": "live", "minutes": 0.01}}, "clock.minutes"),
        ({"stand_in": "genius"}, "unknown bot"),
        ({"title": "x" * 61}, "1 to 60"),
        ({"at": 3}, "record"),
        ({"record": "nonsense"}, "quartermaster record 2"),
        ({"game": "nowhere!"}, "game's id"),
        ({"start": True}, "is empty"),
    ],
)
def test_tables_that_cannot_be(anna: Client, wish: dict[str, Any], reason: str) -> None:
    before = len(anna.get("/api/games", show="mine"))
    with pytest.raises(ApiError, match=reason) as refusal:
        make(anna, **wish)
    assert refusal.value.status in (409, 422)
    assert len(anna.get("/api/games", show="mine")) == before


def test_rule_sets_and_options(anna: Client) -> None:
    for rules in ("first", "french", "second"):
        table = make(anna, rules=rules, seats=two_seats("me", "bot", "random"), start=True)
        assert table["settings"]["rules"] == table["view"]["rules"] == rules
    table = make(anna, options={"air-marshal": True}, seats=two_seats(), start=True)
    assert table["settings"]["options"] == {"air-marshal": True, "reallocate": True}
    assert table["view"]["options"] == table["settings"]["options"]


def test_sitting_down_and_getting_up(anna: Client, ben: Client, cora: Client) -> None:
    table = make(anna, seats=two_seats("me", "open"), title=" A  war ", is_public=True)
    assert table["settings"]["title"] == "A war"
    seen = look(ben, table)
    assert not seen["is_yours"]
    assert not seen["is_host"]
    with refused(403, "no seat"):
        ben.post(at(table, "ready"))
    with refused(409, "taken"):
        ben.post(at(table, "seats", 0, "take"))
    with refused(404, "no seat 2"):
        ben.post(at(table, "seats", 2, "take"))
    with refused(400):
        ben.post(at(table, "seats", 6, "take"))
    seen = ben.post(at(table, "seats", 1, "take"))
    assert seen["is_yours"]
    assert [seat["name"] for seat in seen["seats"]] == ["Anna", "Ben"]
    assert ben.post(at(table, "seats", 1, "take"))["number"] == seen["number"]  # sits already
    with refused(409, "taken"):
        cora.post(at(table, "seats", 1, "take"))
    with refused(409, "not ready yet: Ben"):
        anna.post(at(table, "start"))
    assert ben.post(at(table, "ready"))["seats"][1]["is_ready"]
    assert not ben.post(at(table, "ready"), {"is_ready": False})["seats"][1]["is_ready"]
    ben.post(at(table, "seats", 1, "leave"))
    with refused(403, "not yours"):
        ben.post(at(table, "seats", 1, "leave"))
    cora.post(at(table, "seats", 1, "take"))
    cora.post(at(table, "ready"))
    with refused(403, "only the host"):
        cora.post(at(table, "start"))
    assert anna.post(at(table, "start"))["status"] == "playing"
    with refused(409, "has begun"):
        anna.post(at(table, "start"))
    with refused(409, "has begun"):
        anna.put(at(table, "seats", 1), {"who": "open"})
    with refused(404, "no game"):
        look(anna, "x" * 16)


def test_the_host_sets_the_table_up_anew(anna: Client, ben: Client) -> None:
    table = make(anna, seats=two_seats("me", "open"))
    ben.post(at(table, "seats", 1, "take"))
    ben.post(at(table, "ready"))
    wish = QUICK | {"rules": "first", "seats": two_seats("me", "open"), "has_spectators": False}
    with refused(403, "only the host"):
        ben.put(at(table), wish)
    changed = anna.put(at(table), wish)
    assert changed["settings"]["rules"] == "first"
    assert [seat["name"] for seat in changed["seats"]] == ["Anna", "Ben"]  # who sat stays
    assert not changed["seats"][1]["is_ready"]  # but must agree again
    assert len(anna.put(at(table), QUICK | {"seats": 6})["seats"]) == 6


def test_invitations(anna: Client, ben: Client, cora: Client) -> None:
    table = make(anna, seats=two_seats("me", "invite"))
    code = table["seats"][1]["invitation"]
    assert code
    assert look(ben, table)["seats"][1]["invitation"] is None
    for wrong in ({}, {"code": None}, {"code": "x" * 16}, {"code": "ü"}):
        with pytest.raises(ApiError, match="invitation") as refusal:
            ben.post(at(table, "seats", 1, "take"), wrong)
        assert refusal.value.status in (403, 409)
    ben.post(at(table, "seats", 1, "take"), {"code": code})
    with refused(409, "taken"):
        cora.post(at(table, "seats", 1, "take"), {"code": code})  # it was for one


def test_lists_of_tables(server: Server, anna: Client, ben: Client) -> None:
    def ids(client: Client, **query: Any) -> list[str]:
        return [item["id"] for item in client.get("/api/games", limit=100, **query)]

    public = make(anna, seats=two_seats("me", "open"), is_public=True, rules="first")
    private = make(anna, seats=two_seats("me", "open"))
    playing = make(anna, seats=two_seats(), start=True, is_public=True)
    over = make(anna, seats=two_seats(), start=True, is_public=True)
    anna.post(at(over, "proposals"), {"what": "end"})

    everyones = ids(ben)
    assert public["id"] in everyones
    assert not {private["id"], playing["id"], over["id"]} & {*everyones}
    assert ids(ben, show="open", rules="first")[0] == public["id"]
    assert public["id"] not in ids(ben, show="open", rules="second")
    assert playing["id"] in ids(ben, show="watch")
    assert over["id"] in ids(ben, show="over")
    assert ids(anna, show="mine") == [t["id"] for t in (over, playing, private, public)]
    assert ids(anna, show="turn") == [playing["id"]]
    assert ids(ben, show="mine") == ids(ben, show="turn") == []
    assert httpx.get(f"{server.url}/api/games", params={"show": "mine"}).json() == []

    item = next(i for i in anna.get("/api/games", show="over") if i["id"] == over["id"])
    assert item["result"] == {"score": {"axis": 0, "allies": 0}, "round": 1, "abandoned": True}
    assert item["winner"] is None
    item = next(i for i in anna.get("/api/games", show="mine") if i["id"] == playing["id"])
    assert item["your_turn"]
    assert item["table"]["host"] == "Anna"
    assert [seat["who"] for seat in item["table"]["seats"]] == ["person", "bot"]
    with refused(400):
        anna.get("/api/games", show="all")
    for limit in (0, 101):
        with refused(400):
            anna.get("/api/games", limit=limit)


def test_lists_page_by_page(anna: Client) -> None:
    made = [make(anna)["id"] for _ in range(5)]
    pages: list[list[str]] = []
    before: dict[str, float] = {}
    while page := anna.get("/api/games", show="mine", limit=2, **before):
        pages.append([item["id"] for item in page])
        before = {"before": page[-1]["updated_at"]}
    assert pages == [made[:2:-1], made[2:0:-1], made[:1]]


def test_both_sides_at_one_screen(anna: Client) -> None:
    seats = two_seats("me", "hot-seat")
    seats[1]["name"] = "Grandma"
    table = make(anna, seats=seats, start=True)
    assert [seat["name"] for seat in table["seats"]] == ["Anna", "Grandma"]
    assert all(seat["is_yours"] for seat in table["seats"])

    def hands(seen: Table) -> set[str]:
        return {c for c, one in seen["view"]["countries"].items() if one["hand"] is not None}

    assert hands(table) == {*AXIS}  # only who is to decide
    assert hands(look(anna, table, seat=1)) == {*ALLIES}
    assert hands(look(anna, table, seat=5)) == set()
    rng = random.Random(3)
    while table["waiting_for"] in AXIS:
        decide(anna, table, rng)
        table = look(anna, table)
    assert hands(table) == {*ALLIES}


def test_seats_pass_to_bots_and_back(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    waiting = table["waiting_for"]
    handed = anna.post(at(table, "seats", 0, "hand-over"), {"to": "bot", "bot": "random"})
    assert handed["seats"][0]["who"] == "bot"
    assert handed["seats"][0]["is_yours"]
    assert not handed["seats"][0]["is_away"]
    assert until(anna, table, lambda t: t["waiting_for"] in ALLIES)
    number = look(anna, table)["number"]
    with refused(409, "a bot plays for you"):
        body = {"number": number, "country": waiting, "text": "pass"}
        anna.post(at(table, "moves"), body)
    back = anna.post(at(table, "seats", 0, "take"))
    assert back["seats"][0]["who"] == "person"
    rng = random.Random(5)
    while not back["your_turn"]:
        decide(ben, look(ben, table), rng)
        back = look(anna, table)
    assert anna.move(back, back["actions"][0])["number"] > back["number"]


def test_a_seat_passes_to_someone_else_in_mid_game(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben)
    code = ben.post(at(table, "seats", 1, "hand-over"), {"to": "person"})["seats"][1]["invitation"]
    assert look(anna, table)["seats"][1]["invitation"] is None
    assert look(cora, table)["view"]["countries"]["soviet-union"]["hand"] is None
    seen = cora.post(at(table, "seats", 1, "take"), {"code": code})
    assert seen["seats"][1]["name"] == "Cora"
    assert seen["view"]["countries"]["soviet-union"]["hand"]
    left = look(ben, table)
    assert not left["is_yours"]
    assert left["view"]["countries"]["soviet-union"]["hand"] is None

    # Who just goes leaves an open seat, and a bot plays until someone comes.
    gone = cora.post(at(table, "seats", 1, "leave"))
    assert gone["seats"][1]["who"] == "bot"
    assert gone["seats"][1]["bot"] == "veteran"
    assert ben.post(at(table, "seats", 1, "take"))["seats"][1]["name"] == "Ben"


def test_a_rematch_is_one_game_whoever_asks(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben, rules="first")
    with refused(409, "not over"):
        anna.post(at(table, "rematch"))
    anna.post(at(table, "proposals"), {"what": "end"})
    ben.post(at(table, "votes"), {"is_for": True})
    with refused(403, "no seat"):
        cora.post(at(table, "rematch"))
    with ThreadPoolExecutor(2) as threads:
        asked = [threads.submit(c.post, at(table, "rematch")) for c in (anna, ben)]
        first, second = (one.result() for one in asked)
    assert first["id"] == second["id"] != table["id"]
    assert anna.post(at(table, "rematch"), {"swap": True})["id"] == first["id"]
    assert look(anna, table)["rematch"] == first["id"]
    assert first["settings"] == table["settings"]
    assert [seat["name"] for seat in look(anna, first["id"])["seats"]] == ["Anna", "Ben"]
    host, other = (anna, ben) if look(anna, first["id"])["is_host"] else (ben, anna)
    other.post(at(first, "ready"))
    assert host.post(at(first, "start"))["status"] == "playing"


def test_a_rematch_with_sides_swapped(anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True)
    anna.post(at(table, "proposals"), {"what": "end"})
    again = anna.post(at(table, "rematch"), {"swap": True})
    assert again["status"] == "playing"  # nobody else to wait for
    assert [(s["who"], s["countries"]) for s in again["seats"]] == [
        ("bot", AXIS),
        ("person", ALLIES),
    ]


def test_a_record_is_looked_at_before_anything_is_made(anna: Client) -> None:
    begun = anna.post("/api/records", {"record": Game.new("first", seed=3).record})
    assert (begun["rules"], begun["round"], begun["is_over"]) == ("first", 1, False)
    assert begun["winner"] is None
    game = Game.new(seed=3)
    chance = random.Random(3)
    while not game.is_over:
        game.apply(chance.choice(game.legal_actions()))
    over = anna.post("/api/records", {"record": game.record})
    assert (over["winner"], over["score"], over["is_over"]) == (game.winner, game.score, True)
    for wrong in ("nonsense", game.record.replace("record 2", "record 9")):
        with pytest.raises(ApiError, match="record, line 1"):
            anna.post("/api/records", {"record": wrong})


def test_everyone_is_told_who_has_opened_a_rematch(anna: Client, ben: Client) -> None:
    table = sit(anna, ben)
    anna.post(at(table, "proposals"), {"what": "end"})
    ben.post(at(table, "votes"), {"is_for": True})
    assert look(ben, table)["rematch_by"] == ""
    anna.post(at(table, "rematch"), {"swap": True})
    told = look(ben, table)
    assert (told["rematch_by"], told["is_rematch_swapped"]) == ("Anna", True)

"""Tables whose deal can be checked, and games that go on from a record."""

import json
import os
import random
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deals import check_steps
from quartermaster import Deal, Game
from quartermaster.fairness import verify
from quartermaster.rules.names import HAND, SET
from quartermaster.server.refusals import Refused
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.commands import GameWish, SeatWish
from quartermaster.server.table.projection import project
from quartermaster.server.table.table import Table
from quartermaster.server.table.views import TableView
from quartermaster.server.table.wire import to_json
from rooms import ALLIES, AXIS, UKRAINE, Room
from servers import Client, Server, two_seats

OLD = Path(__file__).parents[1] / "old"
SEATS: list[SeatWish] = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "open")]
BYTES = "5a" * 32


def two(**wish: Any) -> Room:
    """A table at which Ben has sat down, but is not ready."""
    room = Room(GameWish(seats=SEATS, **wish))
    room.do("ben", commands.take_seat(room.table, "ben", "Ben", 1, None))
    return room


def seen(room: Room, user: str | None = "ben") -> TableView:
    return project(room.table, user, room.now)


def prepared() -> str:
    return Game.from_position(UKRAINE, seats=2).record


def refused(code: str) -> Any:
    return pytest.raises(Refused, check=lambda error: error.code == code)


# -- the commitment ----------------------------------------------------------------------


def test_commitment_is_there_before_anyone_sits_and_stays() -> None:
    room = Room(GameWish(seats=SEATS))
    first = seen(room, None).deal.commitment
    assert first == Deal(f"{0:064x}").commitment
    room.sit("ben")
    room.do("anna", commands.contribute(room.table, "anna", BYTES))
    assert seen(room).deal.commitment == first
    room.start()
    assert seen(room).deal.commitment == first
    assert room.table.game.seed == Deal(f"{0:064x}", ((0, BYTES),)).seed


def test_secrets_differ_from_table_to_table() -> None:
    made = [commands.create("anna", "Anna", GameWish(seats=SEATS))[0] for _ in range(20)]
    assert len({event.secret for event in made if isinstance(event, ev.Created)}) == 20


def test_who_added_is_shown() -> None:
    room = two()
    assert seen(room).deal.can_contribute
    assert seen(room).deal.missing == ["Anna", "Ben"]
    assert not seen(room, None).deal.can_contribute
    room.do("ben", commands.contribute(room.table, "ben", BYTES))
    [added] = seen(room).deal.contributions
    assert (added.seat, added.name, added.added, added.is_yours) == (1, "Ben", BYTES, True)
    assert not seen(room, "anna").deal.contributions[0].is_yours
    assert seen(room).deal.missing == ["Anna"]


def test_what_was_added_stays_and_counts_only_with_its_seat() -> None:
    room = two()
    room.do("ben", commands.contribute(room.table, "ben", BYTES))
    assert commands.contribute(room.table, "ben", BYTES) == []
    with refused("contributed"):
        commands.contribute(room.table, "ben", "00" * 32)
    room.do("ben", commands.leave_seat(room.table, "ben", 1))
    assert seen(room).deal.contributions == []
    room.sit("carla")
    room.start()
    assert room.table.deal == Deal(f"{0:064x}")
    with refused("game-begun"):
        commands.contribute(room.table, "carla", BYTES)


@pytest.mark.parametrize("added", ["", "5a", "5A" * 32, "5a" * 33, "zz" * 32, "5a" * 31 + "5 "])
def test_what_is_no_contribution_is_refused(added: str) -> None:
    room = two()
    with refused("bad-contribution"):
        commands.contribute(room.table, "ben", added)
    with refused("no-seat"):
        commands.contribute(room.table, "otto", BYTES)


def test_bots_alone_have_a_commitment_too() -> None:
    seats = [SeatWish(AXIS, "bot"), SeatWish(ALLIES, "bot")]
    room = Room(GameWish(seats=seats, start=True))
    assert seen(room, None).deal.commitment is not None
    assert verify(room.table.game.record).result == "fair"


def test_nothing_of_the_secret_before_the_end() -> None:
    room = two()
    room.do("ben", commands.contribute(room.table, "ben", BYTES))
    room.do("ben", commands.say_ready(room.table, "ben", True))
    sent = [to_json(seen(room, who)) for who in ("anna", "ben", None)]
    room.start()
    deal = room.table.deal
    assert deal is not None
    for _ in range(30):
        action = room.table.game.legal_actions()[0]
        room.do(None, [room.table.moved([(action.country, action.text)], room.table.number, 0)])
        while room.table.window is not None:
            closing = room.table.closing()
            room.do(None, [room.table.moved(closing, room.table.number, room.now)])
        sent += [to_json(seen(room, who)) for who in ("anna", "ben", None)]
    for secret in (deal.secret, deal.seed):
        assert not any(secret.encode() in each for each in sent)
    room.do("anna", commands.propose(room.table, "anna", "end"))
    room.do("ben", commands.vote(room.table, "ben", True))
    assert seen(room, None).deal.secret == deal.secret


def test_taking_back_gives_the_same_cards() -> None:
    """Who draws again draws the same: nothing is to be won by going back."""
    room = two()
    room.sit()
    room.do("ben", commands.say_ready(room.table, "ben", True))
    room.start()
    table = room.table
    begun = table.game.copy()
    rng = random.Random(3)
    for _ in range(25):
        action = rng.choice(table.game.legal_actions())
        room.do("anna", [table.moved([(action.country, action.text)], table.number, room.now)])
        while table.window is not None:
            room.do(None, [table.moved(table.closing(), table.number, room.now)])
    later = table.game.copy()
    room.do("anna", [ev.TakenBack(0)])
    assert table.game == begun
    for (country, _, _), action in zip(later.codes, later.history, strict=True):
        del country
        table.game.apply(action.text, country=action.country, is_whole=True)
    assert table.game == later
    assert verify(table.game.record).result == "fair"


# -- old tables --------------------------------------------------------------------------


def test_an_old_table_goes_on_as_it_was() -> None:
    data = json.loads((OLD / "events.json").read_text())
    table = Table("old")
    for user, at, text in data["events"]:
        table.add(ev.decode(text), user, at)
    found = table.game.save()["state"]
    expected = {key: value for key, value in data["state"].items() if key != "version"}
    assert {key: found[key] for key in expected} == expected
    view = project(table, "anna", 2000.0)
    assert view.deal.commitment is None
    assert not view.deal.can_contribute
    assert verify(table.game.record).result == "unknown"


# -- going on from a record --------------------------------------------------------------


def test_a_prepared_deal_is_dealt_anew_for_others() -> None:
    """Whoever brings a position does not know the cards the others get."""
    hands = set()
    for number in range(5):
        room = two(record=prepared(), deal="fresh")
        room.do("ben", commands.contribute(room.table, "ben", f"{number:064x}"))
        brought = seen(room).brought
        assert brought is not None
        assert (brought.by, brought.actions, brought.deal) == ("Anna", 0, "fresh")
        assert not brought.needs_agreement
        assert brought.view is not None
        assert "ukraine" in brought.view.countries["soviet-union"].armies
        room.do("ben", commands.say_ready(room.table, "ben", True))
        room.start()
        game = room.table.game
        assert game.view() == Game.from_record(prepared()).view()
        hands.add(tuple(game.state.zones[HAND : HAND + 6] + game.state.zones[SET : SET + 6]))
        assert seen(room).deal.commitment is not None
        assert verify(game.record).result == "fair"
    assert len(hands) == 5


def test_fresh_is_usual_where_others_may_come() -> None:
    created = commands.create("anna", "Anna", GameWish(seats=SEATS, record=prepared()))[0]
    assert isinstance(created, ev.Created)
    assert created.settings.deal == "fresh"
    alone = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot")]
    created = commands.create("anna", "Anna", GameWish(seats=alone, record=prepared()))[0]
    assert isinstance(created, ev.Created)
    assert created.settings.deal == "as-recorded"


def test_as_recorded_needs_everyones_agreement() -> None:
    room = two(record=prepared(), deal="as-recorded")
    brought = seen(room).brought
    assert brought is not None
    assert brought.needs_agreement
    assert seen(room).deal.commitment is None  # such a deal cannot be checked
    with refused("agreement-needed"):
        commands.say_ready(room.table, "ben", True)
    room.do("ben", [ev.ReadySaid("ben", True)])  # as one said before there was such a question
    with refused("agreement-needed"):
        room.start()
    room.do("ben", commands.say_ready(room.table, "ben", True, agrees=True))
    brought = seen(room).brought
    assert brought is not None
    assert (brought.agreed, brought.has_your_agreement) == (["Ben"], True)
    room.start()
    assert room.table.game == Game.from_record(prepared())
    assert verify(room.table.game.record).result == "unknown"


def test_who_has_not_seen_the_change_has_not_agreed() -> None:
    room = two(record=prepared(), deal="fresh")
    room.do("ben", commands.say_ready(room.table, "ben", True, agrees=True))
    wish = GameWish(seats=SEATS, deal="as-recorded")
    room.do("anna", commands.set_up(room.table, "anna", "Anna", wish))
    with refused("not-ready"):
        room.start()
    with refused("agreement-needed"):
        commands.say_ready(room.table, "ben", True)


def test_a_seat_opened_later_makes_others_agree() -> None:
    """A table for one, as recorded, that the host then opens to someone."""
    seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "bot")]
    room = Room(GameWish(seats=seats, record=prepared()))
    room.do("anna", commands.set_seat(room.table, "anna", "Anna", 1, "open", ""))
    room.do("ben", commands.take_seat(room.table, "ben", "Ben", 1, None))
    with refused("agreement-needed"):
        commands.say_ready(room.table, "ben", True)


def test_who_joins_a_game_as_recorded_agrees_too() -> None:
    """A host who begins alone with prepared cards and then invites someone."""
    seats = [SeatWish(AXIS, "me"), SeatWish(ALLIES, "me")]
    room = Room(GameWish(seats=seats, record=prepared(), start=True))
    assert room.table.status == "playing"
    room.do("anna", commands.leave_seat(room.table, "anna", 1))
    with refused("agreement-needed"):
        commands.take_seat(room.table, "ben", "Ben", 1, None)
    room.do("ben", commands.take_seat(room.table, "ben", "Ben", 1, None, agrees=True))
    brought = seen(room).brought
    assert brought is not None
    assert (brought.agreed, brought.deal, brought.view) == (["Ben"], "as-recorded", None)
    room.do("ben", commands.leave_seat(room.table, "ben", 1))
    assert len(commands.take_seat(room.table, "ben", "Ben", 1, None)) == 1  # has agreed before


def test_a_checked_game_gone_on_is_not_checked_by_its_old_deal() -> None:
    """The secret of a finished game is known: what follows must not seem fair by it."""
    deal = Deal("3c" * 32)
    game = Game.new(seed=deal.seed, seats=2)
    game.deal = deal
    assert verify(game.record).result == "fair"
    room = two(record=game.record, deal="as-recorded")
    room.do("ben", commands.say_ready(room.table, "ben", True, agrees=True))
    room.start()
    assert verify(room.table.game.record).result == "unknown"


def test_taking_back_stays_on_this_side_of_the_fresh_deal() -> None:
    room = two(record=prepared(), deal="fresh")
    room.do("ben", commands.say_ready(room.table, "ben", True))
    room.start()
    begun = room.table.game.copy()
    action = begun.legal_actions()[0]
    room.do("anna", [room.table.moved([(action.country, action.text)], room.table.number, 0)])
    room.do("anna", [ev.TakenBack(0)])
    assert room.table.game == begun
    assert room.table.game != Game.from_record(prepared())


# -- over HTTP ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("fair")
    with Server(f"sqlite:///{folder / 'games.db'}", folder) as running:
        yield running


def secret_of(server: Server, game: str) -> str:
    """What the server keeps, read past it."""
    path = server.environment["DATABASE_URL"].removeprefix("sqlite:///")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
        query = "select data from events where game_id = ? order by seq limit 1"
        created = ev.decode(database.execute(query, (game,)).fetchone()[0])
    assert isinstance(created, ev.Created)
    assert created.secret is not None
    return created.secret


def test_a_deal_is_promised_before_and_checked_after(server: Server, tmp_path: Path) -> None:
    with server.client("Anna") as anna, server.client("Ben") as ben:
        table = anna.post("/api/games", {"seats": two_seats("me", "open"), "pause": 0, "window": 0})
        path = f"/api/games/{table['id']}"
        promised = table["deal"]["commitment"]
        assert re.fullmatch("[0-9a-f]{64}", promised)
        ben.post(f"{path}/seats/1/take")
        mine = os.urandom(32).hex()
        anna.post(f"{path}/contribution", {"added": os.urandom(32).hex()})
        table = ben.post(f"{path}/contribution", {"added": mine})
        assert [each["added"] for each in table["deal"]["contributions"] if each["is_yours"]] == [
            mine
        ]
        ben.post(f"{path}/ready")
        table = anna.post(f"{path}/start")
        heard = [json.dumps(table)]
        drawn = play_some(path, {"anna": anna, "ben": ben}, heard)
        with pytest.raises(AssertionError, match="403"):
            ben.get(f"{path}/deal")
        secret = secret_of(server, table["id"])
        seed = Deal(secret, tuple(
            (each["seat"], each["added"]) for each in table["deal"]["contributions"]
        )).seed  # fmt: skip
        assert not any(text in told for told in heard for text in (secret, seed))
        anna.post(f"{path}/proposals", {"what": "end"})
        over = ben.post(f"{path}/votes", {"is_for": True})
        assert over["deal"]["secret"] == secret
        proof = ben.get(f"{path}/deal")
        record = ben.get(f"{path}/record")
    assert Deal(proof["secret"]).commitment == promised
    assert mine in [added for _, added in proof["contributions"]]
    assert proof["seed"] == seed
    assert proof["result"] == "fair"
    check_steps(bytes.fromhex(seed), proof["steps"])
    for country, cards in drawn.items():  # what people saw when they drew it
        assert proof["drawn"][country][: len(cards)] == cards
    assert any(drawn.values())
    assert verify(record, commitment=promised, contribution=mine).result == "fair"
    changed = record.replace(secret, secret[::-1])
    assert verify(changed).result == "unfair"


def play_some(path: str, people: dict[str, Client], heard: list[str]) -> dict[str, list[str]]:
    """Both play a few turns; the cards they saw themselves draw."""
    drawn: dict[str, list[str]] = {}
    for _ in range(40):
        for person in people.values():
            table = person.get(path)
            heard.append(json.dumps(table))
            if table["actions"]:
                action = table["actions"][0]
                move = {"number": table["number"], "country": action["country"]}
                heard.append(
                    json.dumps(person.post(f"{path}/moves", move | {"text": action["text"]}))
                )
            elif table["window"] is not None and table["window"]["is_yours"]:
                person.post(f"{path}/go-on", {"number": table["number"]})
    for person in people.values():
        for entry in person.get(path)["log"]["entries"]:
            if entry["what"] in ("draw", "mill") and entry["card"] is not None:
                drawn.setdefault(entry["country"], []).append(entry["card"])
    return drawn


def test_alone_one_adds_after_the_promise(server: Server) -> None:
    """Who begins at once has added nothing; who wants to, makes the table first."""
    with server.client("Anna") as anna:
        begun = anna.post("/api/games", {"seats": two_seats(), "start": True})
        assert begun["deal"]["commitment"]
        assert begun["deal"]["contributions"] == []
        made = anna.post("/api/games", {"seats": two_seats()})
        path = f"/api/games/{made['id']}"
        anna.post(f"{path}/contribution", {"added": BYTES})
        anna.post(f"{path}/start")
        anna.post(f"{path}/proposals", {"what": "end"})
        again = anna.post(f"{path}/rematch", {"start": False})
        assert again["status"] == "lobby"
        assert again["deal"]["commitment"] not in (made["deal"]["commitment"], None)

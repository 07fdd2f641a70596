"""Whole games by real clients."""

import time

import pytest

from guests import at, battle_ahead, check_finished, make, play_out, refused, sit
from servers import Client, two_seats


def test_a_whole_game_on_sqlite(anna: Client, ben: Client, cora: Client) -> None:
    over = play_out(anna, ben)
    check_finished(anna, cora, over)
    estimates = anna.get(at(over, "estimates"))
    rounds = [one["round"] for one in estimates]
    assert rounds[0] == 1
    assert rounds == sorted({*rounds})  # one without any decision is left out
    assert all(one["axis"] + one["allies"] == pytest.approx(1) for one in estimates)
    assert estimates[-1]["step"] == over["steps"]
    began = time.monotonic()
    assert anna.get(at(over, "estimates")) == estimates
    assert time.monotonic() - began < 0.5  # kept


def test_a_game_that_goes_on_keeps_its_secrets(anna: Client, ben: Client, cora: Client) -> None:
    table = sit(anna, ben)
    moved = anna.move(table, table["actions"][0])
    for client in (anna, ben, cora):
        for path in ("record", "estimates"):
            with refused(403, "once the game is over"):
                client.get(at(table, path))
        with refused(403, "other eyes"):
            client.get(at(table, "replay", 0), **{"as": "all"})
        with refused(409, "only a game that is over"):
            make(client, game=table["id"])
    seen = anna.get(at(table, "replay", 1))
    assert seen["view"]["countries"]["germany"] == moved["view"]["countries"]["germany"]
    assert seen["actions"][0]["text"] == table["actions"][0]["text"]
    assert seen["log"]["entries"] == moved["log"]["entries"]
    for client in (ben, cora):
        theirs = client.get(at(table, "replay", 1))
        assert theirs["view"]["countries"]["germany"]["hand"] is None
        assert theirs["actions"][0]["text"] == "discard"
    with refused(404, "expected 0 to 1"):
        anna.get(at(table, "replay", 2))


def test_a_table_from_a_record_knows_how_long_its_replay_is(anna: Client) -> None:
    table = make(anna, seats=two_seats(), start=True, record=battle_ahead())
    assert anna.get(at(table, "replay", 0))["steps"] - 1 == table["steps"]


def test_a_record_is_gone_on_from_at_an_action_it_has(anna: Client) -> None:
    for strange in (-1, 2):
        with refused(422, "at: expected 0 to 1"):
            make(anna, record=battle_ahead(), at=strange)

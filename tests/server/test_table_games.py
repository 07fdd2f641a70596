"""Whole games of people, by chance: what must hold after every event (`rooms.py`)."""

import pytest

from crowds import crowded_room
from quartermaster import Game
from quartermaster.server.table import events as ev
from variants import VARIANTS


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("rules", "options"), VARIANTS)
def test_whole_games_of_people_and_bots(rules: str, options: dict[str, bool], seed: int) -> None:
    room = crowded_room(rules, options, seed)
    for _ in range(100):
        if room.table.status == "over":
            break
        room.act()
    if room.table.status != "over":
        room.do("anna", [ev.Ended()])
    table = room.table
    assert table.todo() is None
    moments = table.moments()
    assert moments == sorted(set(moments))
    assert moments[-1] == len(table.game.codes)
    assert Game.from_record(table.game.record) == table.game

"""Views that are made once for several people are those that each would be given alone."""

import json
from typing import Any

import pytest

from crowds import USERS, crowded_room
from quartermaster import Game
from quartermaster.forms.notation import Action
from quartermaster.rules.state import State
from quartermaster.server.table import commands
from quartermaster.server.table import events as ev
from quartermaster.server.table.projection import project, see
from quartermaster.server.table.wire import to_json
from quartermaster.sight.look import Look
from quartermaster.speech import say as words
from quartermaster.speech.say import speaking
from remembered import forget_texts
from rooms import UKRAINE, Room, two_at
from variants import every_variant

OTHER = "eo"  # a language of which there is no catalogue
STRANGERS = ["otto", "paula", None]


@pytest.fixture
def two_languages(nothing_remembered: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """English, and the same in « »."""
    english = words.catalogue

    def catalogue(domain: str, language: str) -> dict[str, str]:
        texts = english(domain, "en")
        if language == OTHER:
            return {id: f"« {text} »" for id, text in texts.items()}
        return texts

    monkeypatch.setattr(words, "catalogue", catalogue)


def compare(room: Room) -> None:
    """What everyone is given, in two languages, with that of a table nobody has looked at."""
    table, rng = room.table, room.rng
    since = rng.choice([None, table.number - 1, max(0, table.number - 5)])
    viewers = [(user, seat) for user in (*USERS, *STRANGERS) for seat in (None, 0)]
    rng.shuffle(viewers)
    given = {}
    for viewer in [*viewers, *viewers]:
        for language in ("en", OTHER):
            with speaking(language):
                given[viewer, language] = see(table, viewer[0], room.now, since, viewer[1]).json
    forget_texts()
    for ((user, seat), language), shared in given.items():
        with speaking(language):
            assert shared == to_json(project(table.copy(), user, room.now, since, seat))


@every_variant
@pytest.mark.usefixtures("two_languages")
def test_shared_views_of_whole_games_are_what_each_would_be_given_alone(
    rules: str, options: dict[str, bool]
) -> None:
    for seed in range(2):
        room = crowded_room(rules, options, seed)
        for _ in range(50):
            if room.table.status == "over":
                break
            room.act()
            if room.rng.random() < 0.3:
                compare(room)
        compare(room)


def test_all_onlookers_share_one_view_and_nobody_else_does() -> None:
    room = two_at(UKRAINE)
    seen = {user: see(room.table, user, room.now) for user in ("anna", "boris", *STRANGERS)}
    assert seen["otto"] is seen["paula"] is seen[None]
    assert len({id(one) for one in seen.values()}) == 3
    room.leave("boris", 1)
    assert see(room.table, "boris", room.now) is not see(room.table, None, room.now), "had a part"


def test_a_view_is_made_anew_when_the_table_or_the_clock_has_changed() -> None:
    room = two_at(UKRAINE)
    first = see(room.table, None, room.now)
    assert see(room.table, None, room.now + 0.2) is first
    assert see(room.table, None, room.now + 0.3) is not first
    room.move("anna", "germany", "play land-battle")
    assert json.loads(see(room.table, None, room.now).json)["number"] == (
        json.loads(first.json)["number"] + 1
    )


def test_a_move_is_carried_out_once_and_its_player_foresees_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    room = two_at(UKRAINE)
    applied: list[str] = []
    deals: list[int] = []
    apply, deal = Game.apply, Look.deal

    def counted_apply(game: Game, action: Action | str, *args: Any, **more: Any) -> None:
        applied.append(str(action))
        apply(game, action, *args, **more)

    def counted_deal(look: Look, seed: int) -> State:
        deals.append(seed)
        return deal(look, seed)

    monkeypatch.setattr(Game, "apply", counted_apply)
    monkeypatch.setattr(Look, "deal", counted_deal)
    before = room.table
    events = commands.move(before, "anna", before.number, "germany", "play land-battle", room.now)
    room.table = before.copy()
    room.do("anna", events)
    assert applied == ["play land-battle"]
    assert before.game.decides != room.table.game.decides, "the table before is as it was"
    for since in (None, room.table.number - 1):
        for later in (0.0, 1.0):
            see(room.table, "anna", room.now + later, since)
    assert len(deals) == 1
    # An event that comes from the disk is carried out, as is one at another table.
    again = before.copy()
    again.add(ev.decode(ev.encode(events[0])), "anna", room.now)
    assert again.game == room.table.game
    assert applied == ["play land-battle"] * 2

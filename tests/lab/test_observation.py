"""Observations: what a country knows and nothing else, under names that stay."""

import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quartermaster import Game, QuartermasterError, UnknownName
from quartermaster.lab.checks.fuzz import crowded_game, lively_action
from quartermaster.lab.env import observation_of
from quartermaster.lab.env.observation import Array
from quartermaster.rules.conceal import conceal
from quartermaster.rules.engine import decider
from quartermaster.rules.names import COUNTRIES, HAND, TABLE
from quartermaster.rules.state import State
from quartermaster.sight.look import Look
from variants import VARIANTS, every_variant

ALL_VIEWERS = [*(1 << country for country in range(6)), 0, 0b010101, 0b101010, 0b10100]
many = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))


def begin(rules: str, options: dict[str, bool], rng: random.Random) -> Game:
    if rng.random() < 0.5:
        return crowded_game(rules, options, rng)
    return Game.new(rules, seed=rng.getrandbits(30), options=options)


def seen_by(s: State, viewers: int) -> Array:
    row: Array = observation_of(s.rules).write([s], bytes([viewers]))[0]
    return row


def differing(s: State, one: Array, other: Array) -> list[str]:
    names = observation_of(s.rules).names
    return [names[place] for place in np.flatnonzero(one != other)]


@many
@given(st.sampled_from(VARIANTS), st.integers(0, 2**30))
def test_an_observation_is_a_function_of_the_look(
    variant: tuple[str, dict[str, bool]], seed: int
) -> None:
    """What is hidden is not in a look, so what is made of the look alone cannot tell it."""
    rng = random.Random(seed)
    game = begin(*variant, rng)
    while not game.is_over:
        s = game.state
        if rng.random() < 0.15:
            for viewers in ALL_VIEWERS:
                seen = conceal(s, viewers)
                told = differing(s, seen_by(s, viewers), seen_by(seen, viewers))
                assert not told, (viewers, told)
        game.apply(lively_action(game, rng))


@many
@given(st.sampled_from(VARIANTS), st.integers(0, 2**30))
def test_states_that_differ_in_hidden_cards_alone_look_the_same(
    variant: tuple[str, dict[str, bool]], seed: int
) -> None:
    rng = random.Random(seed)
    game = begin(*variant, rng)
    while not game.is_over:
        s = game.state
        if rng.random() < 0.15:
            me = decider(s)
            look = Look.at(s, frozenset({me}))
            mine = seen_by(s, 1 << me)
            for number in range(3):
                dealt = look.deal(number)
                told = differing(s, mine, seen_by(dealt, 1 << me))
                assert not told, told
        game.apply(lively_action(game, rng))


def test_such_states_do_differ() -> None:
    """Or the test before would compare each with itself."""
    s = Game.new("second", seed=7).state
    dealt = Look.at(s, frozenset({0})).deal(1)
    assert dealt.zones != s.zones
    assert (seen_by(dealt, 2) != seen_by(s, 2)).any()
    assert (seen_by(dealt, 1) == seen_by(s, 1)).all()


@every_variant
def test_the_numbers_say_what_the_view_says(rules: str, options: dict[str, bool]) -> None:
    known = observation_of(rules, options)
    rng = random.Random(5)
    game = Game.new(rules, seed=5, options=options)
    while not game.is_over:
        if len(game.history) % 9 == 0:
            me, kind = game.decides
            view = game.view(me)
            array = known.of(game, me)
            parts = known.split(array)
            assert parts["round"] == view.round
            assert parts["score"].tolist() == list(view.score.values())
            assert array[known.index(f"decision {kind}")] == 1
            assert array[known.index(f"asked {me}")] == 1
            assert array[known.index(f"turn {view.turn}")] == 1
            assert array[known.index(f"step {view.step}")] == 1
            for country, side in view.countries.items():
                number = COUNTRIES.index(country)
                spaces = {*side.armies, *side.navies}
                assert parts["piece"][number].sum() == len(spaces)
                for space in spaces:
                    assert array[known.index(f"piece {country} {space}")] == 1
                    is_supplied = game.supply(country, space)[space].is_supplied
                    assert array[known.index(f"supplied {country} {space}")] == is_supplied
                assert parts["hand-size"][number] == side.hand_size
                assert parts["deck-size"][number] == side.deck_size
                assert parts["discard-size"][number] == side.discard_size
                assert parts["set-size"][number] == side.set_size
                for card in side.table:
                    assert array[known.index(f"table {country} {card}")] >= 1
                for piece, left in side.reserve.items():
                    assert array[known.index(f"reserve {piece} {country}")] == left
            for zone, cards in (
                ("hand", view.countries[me].hand), ("deck", view.countries[me].deck),
                ("discarded", view.countries[me].face_down), ("set", view.countries[me].set),
            ):  # fmt: skip
                assert cards is not None
                assert parts[zone].sum() == len(cards)
                for card in cards:
                    assert array[known.index(f"{zone} {me} {card}")] == cards.count(card)
            if game.decision.event:
                assert array[known.index(f"occasion {game.decision.event['kind']}")] == 1
                space = game.decision.event["space"]
                assert parts["occasion-space"].sum() == (space is not None)
        game.apply(lively_action(game, rng))
    parts = known.split(known.of(game))
    assert parts["winner"].tolist() == [game.winner == "axis", game.winner == "allies"]
    assert not parts["hand"].any()


@every_variant
def test_every_number_has_a_name_of_its_own(rules: str, options: dict[str, bool]) -> None:
    known = observation_of(rules, options)
    assert len(known.names) == len(set(known.names)) == known.size
    for place in range(0, known.size, 7):
        assert known.index(known.names[place]) == place
    ends = [field.start + field.size for field in known.fields.values()]
    assert [field.start for field in known.fields.values()] == [0, *ends[:-1]]
    assert ends[-1] == known.size
    table = known.describe()
    for field in known.fields.values():
        assert f"| {field.start} | `{field.name}` |" in table
        assert field.about in table


def test_a_seat_sees_the_cards_of_all_its_countries() -> None:
    game = Game.new("second", seed=3, seats=2)
    known = observation_of("second")
    parts = known.split(known.of(game, 0))
    hands = sum(len(game.state.zones[HAND + country]) for country in (0, 2, 4))
    assert parts["hand"].sum() == hands
    assert parts["seat"].tolist() == [1, 0, 1, 0, 1, 0]
    assert parts["asked"].tolist() == [1, 0, 0, 0, 0, 0]


def test_many_states_are_written_as_each_alone() -> None:
    known = observation_of("second")
    games = [Game.new("second", seed=seed) for seed in range(5)]
    rng = random.Random(1)
    for number, game in enumerate(games):
        for _ in range(40 * number):
            if not game.is_over:
                game.apply(lively_action(game, rng))
    viewers = bytes([1, 2, 4, 8, 63])
    out = np.full((5, known.size), 99, dtype=np.int16)
    assert known.write([game.state for game in games], viewers, out) is out
    for row, game, mask in zip(out, games, viewers, strict=True):
        assert (row == seen_by(game.state, mask)).all()


def test_a_rule_set_too_large_for_bytes_is_written_too() -> None:
    """Card sets that people add may take the cards past number 255."""
    from quartermaster.cards.vocabulary import ANYWHERE, ARMY, Recruit, card_set, event

    card_set(
        "library",
        "Very many cards.",
        germany=[
            event(f"Folio {n}", "Recruit an army.", Recruit(ARMY, ANYWHERE)) for n in range(200)
        ],
    )
    game = Game.new("second", seed=1, sets=["library"])
    known = observation_of(game.state.rules)
    parts = known.split(known.of(game, "united-states"))
    assert parts["hand"].sum() == len(game.state.zones[HAND + 5])
    assert parts["deck"].sum() == len(game.state.zones[6 + 5])


def test_statuses_that_do_nothing_yet_are_told_apart() -> None:
    """French: a status holds from the next round on."""
    game = Game.from_position(
        {"turn": "germany", "hand": {"germany": ["blitzkrieg"]}}, rules="french"
    )
    game.apply("play blitzkrieg")
    known = observation_of("french")
    array = known.of(game, "japan")
    assert game.state.zones[TABLE]
    assert array[known.index("table germany blitzkrieg")] == 1
    assert array[known.index("resting germany blitzkrieg")] == 1
    assert array[known.index("fresh germany blitzkrieg")] == 1


def test_what_is_wrong_is_said() -> None:
    known = observation_of("second")
    with pytest.raises(UnknownName, match="unknown number of an observation 'piece atlantis'"):
        known.index("piece atlantis")
    with pytest.raises(QuartermasterError, match=r"observation of second .*the game is of first"):
        known.of(Game.new("first"), "germany")
    with pytest.raises(QuartermasterError, match="expected a contiguous array of int16"):
        known.write([Game.new("second").state], b"\x01", np.zeros((1, 3), np.int16))
    with pytest.raises(QuartermasterError, match="expected 1 masks, got 2"):
        known.write([Game.new("second").state], b"\x01\x02")
    with pytest.raises(QuartermasterError, match="already in the rules"):
        observation_of(known.rules, {})

"""What a seat is told does not depend on what it may not know (rules 8).

For many moments of random games a second state is made by dealing anew what a seat cannot
know; the seat must be told the same of both.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from quartermaster import Game, IllegalAction
from quartermaster.lab.checks.fuzz import lively_action
from quartermaster.lab.checks.invariants import check_invariants
from quartermaster.rules.board import SPACES
from quartermaster.rules.engine import advance, decider
from quartermaster.rules.names import (
    BOLSTER,
    COUNTRIES,
    DECK,
    FACE_DOWN,
    FACE_UP,
    HAND,
    RESPONSE,
    SET,
    TABLE,
)
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State

VARIANTS = [
    ("first", {"reallocate": True}),
    ("first", {"air-marshal": True}),
    ("french", {"air-marshal": True}),
    ("second", {}),
    ("second", {"air-marshal": True}),
]
every_variant = pytest.mark.parametrize(("rules", "options"), VARIANTS)
every_seating = pytest.mark.parametrize("players", [2, 6])

# Entries of the log whose card is for its owner alone, and those that lie open. A new kind
# of entry must be put into one of the two.
SECRET = {"discard", "mill", "draw", "set", "discard-response", "put-under"}
OPEN = {
    "play", "use", "show", "take", "discard-status", "on-deck", "under-deck", "target", "negate",
    "score", "into-deck",
}  # fmt: skip


def moments(
    rules: str, options: dict[str, bool], players: int, seeds: range, every: int
) -> Iterator[tuple[Game, random.Random]]:
    """Decisions of random games, one in so many, and a generator to deal with."""
    for seed in seeds:
        game = Game.new(rules, seed=seed, options=options, seats=players)
        rng = random.Random(seed)
        while not game.is_over:
            if len(game.history) % every == seed % every:
                yield game, rng
            game.apply(lively_action(game, rng))
        yield game, rng


def dealt_anew(game: Game, seat: int, rng: random.Random) -> Game:
    """The game as it could be too, as far as a seat knows."""
    own = game.countries_of(seat)
    s = game.state.copy()
    for country in range(6):
        if country not in own:
            deal_country(s, country, rng)
        elif game.is_over or game.decision.kind != "order":  # whose top cards are being shown
            s.zones[DECK + country] = shuffled(s.zones[DECK + country], rng)
    for _ in range(rng.randint(1, 9)):
        s.random_below(2)
    s.board_changed()
    # The seat's own choices are worked out anew. Another's are not, as they may well be
    # different then, and even none.
    if s.winner < 0 and decider(s) in own:
        s.options = []
        advance(s)
    other = Game(s, seats=game.seats, seed=game.seed)
    assert not [p for p in check_invariants(other) if "choices" not in p]
    return other


def deal_country(s: State, country: int, rng: random.Random) -> None:
    """Mix a country's hand, deck, face-down discards and face-down table cards, as many of
    each as before, and let those cards react that now can."""
    sizes = {zone: len(s.zones[zone + country]) for zone in (HAND, FACE_DOWN, DECK)}
    pool = [c for zone in (HAND, DECK, FACE_DOWN, SET) for c in s.zones[zone + country]]
    rng.shuffle(pool)
    reactions = [card for card in pool if s.rules.types[card] in (RESPONSE, BOLSTER)]
    face_down = reactions[: len(s.zones[SET + country])]
    s.zones[SET + country] = tuple(sorted(face_down))
    for card in face_down:
        pool.remove(card)
    for zone, size in sizes.items():
        cards, pool = pool[:size], pool[size:]
        s.zones[zone + country] = tuple(cards if zone == DECK else sorted(cards))
    for card in reactions:
        s.disarm(card)
    for card in (*s.zones[SET + country], *s.zones[HAND + country]):
        if card in s.zones[SET + country] or s.rules.types[card] == BOLSTER:
            s.arm(card)


def shuffled(cards: tuple[int, ...], rng: random.Random) -> tuple[int, ...]:
    return tuple(rng.sample(cards, len(cards)))


@every_variant
@every_seating
def test_views_do_not_depend_on_what_is_hidden(
    rules: str, options: dict[str, bool], players: int
) -> None:
    for game, rng in moments(rules, options, players, range(2), every=11):
        for seat in range(players):
            other = dealt_anew(game, seat, rng)
            where = (game.seed, len(game.history), seat)
            assert game.view(seat).to_dict() == other.view(seat).to_dict(), where
            if not game.is_over and game.decision.country in game.seats[seat]:
                assert game.legal_actions() == other.legal_actions(), where
                assert game.decision == other.decision, where
            for country in COUNTRIES:
                assert game.removals(country) == other.removals(country), where
        assert game.view(None).to_dict() == other.view(None).to_dict()


def test_dealing_anew_changes_what_it_may() -> None:
    """The test above would say nothing if the second state were the first."""
    game = Game.new("second", seed=3, options={"air-marshal": True})
    rng = random.Random(3)
    for _ in range(200):
        game.apply(lively_action(game, rng))
    other = dealt_anew(game, 0, rng)
    for country in range(1, 6):
        assert game.state.zones[HAND + country] != other.state.zones[HAND + country]
        assert len(game.state.zones[HAND + country]) == len(other.state.zones[HAND + country])
    assert game.state.armed != other.state.armed
    assert game.view(0) == other.view(0)
    assert game.view(1) != other.view(1)


@every_variant
@every_seating
def test_no_hidden_card_is_named(rules: str, options: dict[str, bool], players: int) -> None:
    """The id or name of a hidden card stands nowhere in the data a seat is sent."""
    for game, _ in moments(rules, options, players, range(10, 12), every=9):
        for seat in (*range(players), None):
            told = json.dumps(game.view(seat).to_dict())
            words = set(re.findall(r"[a-z0-9-]+", told))
            for card_id, name in hidden_cards(game, seat):
                assert card_id not in words, (game.seed, len(game.history), seat, card_id)
                assert name not in told, (game.seed, len(game.history), seat, name)


def hidden_cards(game: Game, seat: int | None) -> Iterator[tuple[str, str]]:
    """The cards of other seats that lie nowhere in the open, and whose names no other card
    bears. Cards used this turn and the card reacted to are known, wherever they went."""
    s = game.state
    own = game.countries_of(seat)
    known = {card for zone in (FACE_UP, TABLE) for i in range(6) for card in s.zones[zone + i]}
    known.update(s.used)
    for frame in s.stack:
        known.add(frame.card)
        if frame.because is not None:
            known.add(frame.because.card)
    hidden = {
        card
        for zone in (HAND, DECK, FACE_DOWN, SET)
        for country in range(6)
        if country not in own
        for card in s.zones[zone + country]
    }
    elsewhere = {c.id for c in s.rules.cards if c.index not in hidden or c.index in known}
    elsewhere |= {space_id for space_id, _ in SPACES}  # Moscow is a card and a space
    for card in hidden - known:
        card_id, name = s.rules.cards[card].id, s.rules.cards[card].name
        if card_id not in elsewhere and name in telling_names(s.rules):
            yield card_id, json.dumps(name)[1:-1]


@cache
def telling_names(rules: Rules) -> frozenset[str]:
    """The names that stand in no other card's name: Bombers is not one, for Dive Bombers."""
    names = [card.name for card in rules.cards]
    return frozenset(n for n in names if sum(n in other for other in names) == 1)


def test_a_card_in_an_enemy_hand_is_not_sent() -> None:
    game = Game.from_position(
        {
            "turn": "germany",
            "hand": {"united-kingdom": ["enigma-code-cracked"]},
            "set": {"soviet-union": ["rasputitsa"]},
            "discarded": {"japan": ["truk"]},
        },
        seats=6,
    )
    for seat, country in enumerate(COUNTRIES):
        told = json.dumps(game.view(seat).to_dict())
        assert ("enigma-code-cracked" in told) == (country == "united-kingdom")
        assert ("rasputitsa" in told) == (country == "soviet-union")
        assert ("truk" in told) == (country == "japan")
    assert game.view(None).countries["japan"].discard_size == 1


@every_variant
@every_seating
def test_logs_hide_what_is_hidden(rules: str, options: dict[str, bool], players: int) -> None:
    """Another's cards drawn, discarded or put face down are not named, one's own are."""
    for seed in range(20, 22):
        game = Game.new(rules, seed=seed, options=options, seats=players)
        rng = random.Random(seed)
        while not game.is_over:
            game.apply(lively_action(game, rng))
        for seat in (*range(players), None):
            own = () if seat is None else game.seats[seat]
            for full, told in zip(game.events, game.log(seat), strict=True):
                if full.card is None:
                    assert told == full
                    continue
                assert full.what in SECRET | OPEN, full
                if full.what in SECRET and full.country not in own:
                    name = next(c.name for c in game.state.rules.cards if c.id == full.card)
                    assert told.card is None
                    assert name not in told.text
                    assert told == replace(full, card=None, text=told.text, marks=())
                else:
                    assert told == full


@every_variant
def test_logs_do_not_depend_on_what_is_hidden(rules: str, options: dict[str, bool]) -> None:
    """Whatever is drawn or discarded unseen, a seat reads the same sentences: their number
    and their order tell nothing either."""
    game = Game.new(rules, seed=30, options=options)
    rng = random.Random(30)
    compared = 0
    while not game.is_over:
        action = lively_action(game, rng)
        actor = game.decision.country
        if game.decision.kind in ("discard-step", "setup") and action.verb == "discard":
            others = [a for a in game.legal_actions() if a.verb == "discard" and a != action]
            if others:
                other = game.copy()
                other.apply(rng.choice(others))
                start = len(game.raw_log)
                game.apply(action)
                for seat, countries in enumerate(game.seats):
                    if actor not in countries and is_at_same_point(game, other):
                        mine = [str(entry) for entry in game.log(seat, start)]
                        theirs = [str(entry) for entry in other.log(seat, start)]
                        assert mine == theirs, (len(game.history), seat)
                        compared += 1
                continue
        game.apply(action)
    assert compared > 0


def is_at_same_point(game: Game, other: Game) -> bool:
    """Whether both games wait for the same country's same kind of decision; a discarded
    bolster may let the game run on to another."""
    if game.is_over or other.is_over:
        return False
    mine, theirs = game.decision, other.decision
    return (mine.country, mine.kind) == (theirs.country, theirs.kind)


def test_a_response_laid_from_the_discard_pile_is_not_told() -> None:
    """Fortress Rebuilt: the others see that the pile is smaller, not which card is gone."""
    views = []
    for laid in ("stalingrad", "leningrad"):
        game = Game.from_position(
            {
                "turn": "soviet-union",
                "step": "draw",
                "hand": {"soviet-union": ["fortress-rebuilt", "build-army"]},
                "discard": {"soviet-union": ["stalingrad", "moscow", "land-battle"]},
                "discarded": {"soviet-union": ["leningrad"]},
            },
            rules="first",
            options={"air-marshal": True},
        )
        game.apply("use fortress-rebuilt")
        game.settle()  # the one Build Army in hand pays for it
        game.apply(f"lay {laid}")
        views.append((game.view("germany").to_dict(), [str(e) for e in game.log("germany")]))
    assert views[0] == views[1]


def test_what_a_teammate_discarded_face_down_changes_no_offer() -> None:
    """Our Philosophy of Government: the United States cannot know whether the United
    Kingdom's pile holds a response."""
    offers = []
    for hidden in ("rationing", "defensive-posture"):
        game = Game.from_position(
            {
                "turn": "united-states",
                "step": "draw",
                "hand": {"united-states": ["our-philosophy-of-government"]},
                "discarded": {"united-kingdom": [hidden]},
            },
            rules="first",
            options={"air-marshal": True},
        )
        offers.append((str(game.decision), [str(action) for action in game.legal_actions()]))
    assert offers[0] == offers[1]
    assert "use our-philosophy-of-government" in offers[0][1]


def test_a_refusal_does_not_tell_whose_reaction_is_awaited() -> None:
    game = Game.from_position(
        {
            "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["ukraine"]},
            "hand": {"germany": ["land-battle"]},
            "set": {"soviet-union": ["stalingrad"]},
        }
    )
    game.apply("play land-battle")
    game.apply("battle ukraine")
    assert game.decision.country == "soviet-union"
    with pytest.raises(IllegalAction) as refused:
        game.apply("pass", country="germany")
    assert "soviet" not in str(refused.value)
    assert game.view("germany").waiting_for is None

"""What a bot is given to see: no hidden card is in a look, and what it deals agrees with it.

Held at many decisions of lively games of every rule set, and at those in the midst of which a
card is looked at, shown or searched for.
"""

import pickle
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from quartermaster import Game
from quartermaster.forms.notation import card_index
from quartermaster.lab.checks.fuzz import crowded_game, lively_action
from quartermaster.lab.checks.invariants import check_invariants
from quartermaster.rules.conceal import UNKNOWN
from quartermaster.rules.engine import advance, decider, playout
from quartermaster.rules.flow import WINDOW
from quartermaster.rules.names import (
    BOLSTER,
    COUNTRIES,
    DECK,
    FACE_DOWN,
    FACE_UP,
    GERMANY,
    HAND,
    NOBODY,
    RESPONSE,
    SET,
    TABLE,
    UNITED_STATES,
    ZONES,
)
from quartermaster.rules.state import State
from quartermaster.sight.look import Look
from variants import every_variant

HIDDEN_ZONES = (HAND, DECK, FACE_DOWN, SET)
ALLIED_SEAT = frozenset({1, 3, 5})
INNOVATIONS = "tactical-innovations"


def decisions(
    rules: str, options: dict[str, bool], seeds: range, every: int = 8
) -> Iterator[tuple[Game, random.Random]]:
    """Decisions of lively games, one in so many; every second game begins crowded."""
    for seed in seeds:
        rng = random.Random(seed)
        if seed % 2:
            game = crowded_game(rules, options, rng)
        else:
            game = Game.new(rules, seed=seed, options=options)
        while not game.is_over:
            if len(game.history) % every == seed % every:
                yield game, rng
            game.apply(lively_action(game, rng))


def where(game: Game) -> tuple[object, ...]:
    return (game.seed, len(game.history), str(game.decision))


def shown_cards(s: State) -> set[int]:
    """Cards shown from a hand and still there: for Tactical Innovations alone."""
    return {f.shown for f in s.stack if f.card >= 0 and s.rules.cards[f.card].id == INNOVATIONS}


def covered_cards(s: State, country: int) -> list[int]:
    """Responses of a pile that a country may have laid down again, so that others cannot
    know them there: after Fortress Rebuilt and Our Philosophy of Government."""
    ids = {3: "fortress-rebuilt", 1: "our-philosophy-of-government"}
    played = {s.rules.cards[card].id for owner in (3, 5) for card in s.zones[FACE_UP + owner]}
    if ids.get(country) not in played:
        return []
    return [c for c in s.zones[FACE_UP + country][:-1] if s.rules.types[c] == RESPONSE]


def cards_of(s: State, country: int) -> Counter[int]:
    return Counter(c for place in range(len(ZONES)) for c in s.zones[6 * place + country])


def problems_of(s: State, game: Game) -> list[str]:
    return check_invariants(Game(s.copy(), seats=game.seats, seed=0))


def options_anew(s: State) -> list[int]:
    """The choices of the decision at hand, found by the engine once more."""
    again = s.copy()
    again.options = []
    advance(again)
    return again.options


# -- at many decisions -----------------------------------------------------------------


@every_variant
def test_a_look_holds_no_hidden_card(rules: str, options: dict[str, bool]) -> None:
    for game, _ in decisions(rules, options, range(2), every=5):
        s = game.state
        me = decider(s)
        seen = game.look(COUNTRIES[me]).seen
        assert seen.rng == 0
        assert seen.log is None
        hidden = set()
        for country in set(range(6)) - {me}:
            covered = set(covered_cards(s, country))
            for zone in HIDDEN_ZONES:
                held = seen.zones[zone + country]
                more = len(covered_cards(s, country)) if zone == FACE_DOWN else 0
                assert len(held) == len(s.zones[zone + country]) + more, where(game)
                known = set(held) - {UNKNOWN}
                assert known <= (shown_cards(s) if zone == HAND else set()), where(game)
                for card in s.zones[zone + country]:
                    hidden.add(card)
            assert not covered & set(seen.zones[FACE_UP + country]), where(game)
        assert set(seen.armed_cards()) == set(s.armed_cards()) - hidden, where(game)


@every_variant
def test_a_look_shows_what_the_country_may_see(rules: str, options: dict[str, bool]) -> None:
    for game, _ in decisions(rules, options, range(2)):
        s = game.state
        me = decider(s)
        look = game.look(COUNTRIES[me])
        seen = look.seen
        for zone in (HAND, FACE_DOWN, SET):
            assert seen.zones[zone + me] == s.zones[zone + me]
        assert seen.zones[TABLE : TABLE + 6] == s.zones[TABLE : TABLE + 6]
        for country in range(6):
            covered = covered_cards(s, country) if country != me else []
            pile = [card for card in s.zones[FACE_UP + country] if card not in covered]
            assert list(seen.zones[FACE_UP + country]) == pile
        deck = seen.zones[DECK + me]
        assert sorted(deck) == sorted(s.zones[DECK + me])
        if game.decision.kind != "order":
            assert list(deck) == sorted(deck), "the order of the own deck is told"
        assert seen.options == s.options
        assert look.view == game.view(COUNTRIES[me])


@every_variant
def test_a_dealt_state_agrees_with_the_look(rules: str, options: dict[str, bool]) -> None:
    for game, rng in decisions(rules, options, range(10, 12), every=11):
        s = game.state
        me = decider(s)
        look = game.look(COUNTRIES[me])
        dealt = look.deal(rng.getrandbits(30))
        sizes, real = ([len(zone) for zone in z] for z in (dealt.zones, s.zones))
        for country in range(6):  # of a discard pile only the whole is seen
            for lengths in (sizes, real):
                lengths[FACE_UP + country] += lengths[FACE_DOWN + country]
                lengths[FACE_DOWN + country] = 0
        assert sizes == real, where(game)
        for country in range(6):
            assert cards_of(dealt, country) == cards_of(s, country), where(game)
            for card in dealt.zones[SET + country]:
                assert dealt.rules.types[card] in (RESPONSE, BOLSTER)
        for zone in (HAND, FACE_UP, FACE_DOWN, TABLE, SET):
            assert dealt.zones[zone + me] == s.zones[zone + me]
        assert dealt.options == s.options == options_anew(dealt), where(game)
        assert problems_of(dealt, game) == [], where(game)
        assert Look.at(dealt, frozenset({me})) == look, where(game)
        playout(dealt, rng.getrandbits(30))
        assert dealt.winner >= 0


@every_variant
def test_looks_of_those_who_wait_can_be_dealt(rules: str, options: dict[str, bool]) -> None:
    """Another's choices are then those of the cards it was dealt."""
    for game, rng in decisions(rules, options, range(20, 22), every=19):
        me = decider(game.state)
        waiting = rng.choice([country for country in range(6) if country != me])
        for viewers in (frozenset({waiting}), frozenset[int](), ALLIED_SEAT):
            look = Look.at(game.state, viewers)
            if me not in viewers:
                assert look.seen.options == []
            dealt = look.deal(rng.getrandbits(30))
            assert problems_of(dealt, game) == [], where(game)
            playout(dealt, rng.getrandbits(30))
            assert dealt.winner >= 0


@every_variant
def test_looks_pickle_and_the_pickle_tells_nothing_hidden(
    rules: str, options: dict[str, bool]
) -> None:
    """States that differ in hidden cards alone give the same look, byte for byte."""
    differ = 0
    for game, rng in decisions(rules, options, range(30, 31)):
        own = frozenset({decider(game.state)})
        look = Look.at(game.state, own)
        data = pickle.dumps(look)
        again = pickle.loads(data)
        assert again == look
        assert again.deal(3).key() == look.deal(3).key()
        dealt = look.deal(rng.getrandbits(30))
        differ += dealt.zones != game.state.zones
        assert pickle.dumps(Look.at(dealt, own)) == data, where(game)
    assert differ > 20


def test_deals_differ_by_their_seed_alone() -> None:
    look = Game.new("second", seed=5).look("japan")
    assert look.deal(1).key() == look.deal(1).key()
    assert len({look.deal(seed).key() for seed in range(20)}) == 20


def test_every_hidden_card_turns_up_in_every_hidden_place() -> None:
    """A deal that never gave a country some card would be a wrong guess for ever."""
    game = Game.from_position({"set": {"japan": ["truk"]}, "hand": {"japan": ["kamikaze"]}})
    look = game.look("germany")
    deals = [look.deal(seed) for seed in range(300)]
    responses = {
        card.index for card in game.state.rules.cards if card.country == 2 and card.type == RESPONSE
    }
    assert {card for dealt in deals for card in dealt.zones[SET + 2]} == responses
    in_hand = {card for dealt in deals for card in dealt.zones[HAND + 2]}
    assert in_hand == set(cards_of(game.state, 2))


def test_a_finished_game_can_be_looked_at_and_dealt() -> None:
    game = Game.new("second", seed=1)
    playout(game.state, 1)
    look = game.look("italy")
    assert look.seen.options == []
    assert look.deal(1).winner == game.state.winner


# -- in the midst of things ------------------------------------------------------------


def find_decision(rules: str, options: dict[str, bool], kind: str) -> Game:
    """The first decision of a kind that comes up in lively games."""
    for game, _ in decisions(rules, options, range(100), every=1):
        if game.decision.kind == kind:
            return game
    raise AssertionError(f"no decision of kind {kind}")


@pytest.mark.parametrize(("rules", "options"), [("first", {}), ("second", {})])
def test_who_orders_the_top_of_its_deck_sees_it(rules: str, options: dict[str, bool]) -> None:
    game = find_decision(rules, options, "order")
    deck = game.state.zones[DECK + GERMANY]
    n = 3 if rules == "first" else 4
    look = game.look("germany")
    for seed in range(10):
        dealt = look.deal(seed)
        assert sorted(dealt.zones[DECK + GERMANY][-n:]) == sorted(deck[-n:])
        assert dealt.options == game.state.options
    orders = {look.deal(seed).zones[DECK + GERMANY][:-n] for seed in range(10)}
    assert len(orders) > 1, "the rest of the deck is known too"
    tops = {game.look("italy").deal(seed).zones[DECK + GERMANY][-n:] for seed in range(10)}
    assert len(tops) > 1


def ordering() -> Game:
    """Germany has put one of three cards back on its deck when it takes an army off, and
    Italy may react to that."""
    game = Game.from_position(
        {
            "step": "draw",
            "pieces": {"germany": ["germany", "balkans"]},
            "table": {"germany": ["superior-planning"]},
            "deck": {
                "germany": ["build-navy", "land-battle", "sea-battle", "blitzkrieg", "build-army"]
            },
            "set": {"italy": ["romanian-reinforcements"]},
        },
        rules="first",
    )
    game.apply("use superior-planning")
    game.apply("put land-battle")
    game.apply("remove army balkans", country="germany")
    assert (game.decision.country, game.decision.kind) == ("italy", "react")
    return game


def test_a_reaction_in_the_midst_of_ordering_tells_no_card() -> None:
    game = ordering()
    look = game.look("italy")
    put = card_index(game.state.rules, GERMANY, "land-battle")
    assert all(put not in f.memory for f in look.seen.stack)
    for seed in range(20):
        dealt = look.deal(seed)
        assert problems_of(dealt, game) == []
        playout(dealt, seed)


def test_who_orders_still_sees_the_cards_while_another_reacts() -> None:
    game = ordering()
    top = game.state.zones[DECK + GERMANY][-3:]
    for seed in range(20):
        dealt = game.look("germany").deal(seed)
        assert sorted(dealt.zones[DECK + GERMANY][-3:]) == sorted(top)
        playout(dealt, seed)


def innovating() -> Game:
    """Germany shows Synthetic Fuel, which Bletchley Park may send back to its hand."""
    game = Game.from_position(
        {
            "table": {"germany": ["conscription", "dive-bombers"]},
            "hand": {
                "germany": [INNOVATIONS, "blitzkrieg", "synthetic-fuel", "land-battle"],
                "united-kingdom": ["bletchley-park", "build-army", "build-navy"],
            },
        },
        options={"air-marshal": True},
    )
    game.apply(f"use {INNOVATIONS}")
    return game


def test_a_status_that_was_shown_stays_in_the_hand() -> None:
    game = innovating()
    game.apply("discard conscription")
    game.apply("lay synthetic-fuel")
    assert (game.decision.country, game.decision.kind) == ("united-kingdom", "react")
    shown = card_index(game.state.rules, GERMANY, "synthetic-fuel")
    for who in ("united-kingdom", "japan", None):
        look = game.look(who)
        assert set(look.seen.zones[HAND + GERMANY]) == {UNKNOWN, shown}
        for seed in range(20):
            dealt = look.deal(seed)
            # Who is not asked may be dealt a game in which nobody is: then it is laid down.
            places = (HAND,) if who == "united-kingdom" else (HAND, TABLE)
            assert any(shown in dealt.zones[zone + GERMANY] for zone in places)
            assert problems_of(dealt, game) == []
            playout(dealt, seed)


def test_who_pays_with_a_card_is_dealt_one_to_pay_with() -> None:
    """While Germany picks the status to discard and the one to show, the others know that
    there is one in its hand."""
    game = innovating()
    for action in ("discard conscription", "lay synthetic-fuel"):
        assert game.decision.country == "germany"
        for seed in range(40):
            dealt = game.look("soviet-union").deal(seed)
            assert problems_of(dealt, game) == []
            playout(dealt, seed)
        game.apply(action)


def test_a_bolster_laid_face_down_is_dealt_as_some_card() -> None:
    """Navajo Code Talkers: more lies there than the country has responses left."""
    rules = Game.new("second", options={"air-marshal": True}).state.rules
    responses = [c.id for c in rules.cards if c.country == UNITED_STATES and c.type == RESPONSE]
    game = Game.from_position(
        {
            "hand": {"united-states": ["build-army"]},
            "set": {"united-states": ["rangers"]},
            "discard": {"united-states": ["navajo-code-talkers", *responses]},
        },
        options={"air-marshal": True},
    )
    look = game.look("germany")
    for seed in range(20):
        dealt = look.deal(seed)
        assert len(dealt.zones[SET + UNITED_STATES]) == 1
        assert cards_of(dealt, UNITED_STATES) == cards_of(game.state, UNITED_STATES)
        assert problems_of(dealt, game) == []


def test_a_search_of_the_own_deck_is_dealt_with_the_same_finds() -> None:
    game = Game.from_position(
        {
            "turn": "japan",
            "step": "turn",
            "hand": {"japan": ["truk", "kamikaze", "banzai-charge", "build-navy", "build-army"]},
        }
    )
    game.apply("use reallocate-resources")
    while game.decision.kind == "discard":
        game.apply(game.legal_actions()[0])
    assert game.decision.kind == "search"
    look = game.look("japan")
    for seed in range(10):
        dealt = look.deal(seed)
        assert dealt.options == game.state.options == options_anew(dealt)
        assert sorted(dealt.zones[DECK + 2]) == sorted(game.state.zones[DECK + 2])
        playout(dealt, seed)
    assert len({look.deal(seed).zones[DECK + 2] for seed in range(10)}) > 1
    for seed in range(10):
        playout(game.look("united-states").deal(seed), seed)


def test_which_response_was_dug_out_is_not_told() -> None:
    """Fortress Rebuilt laid down one response of two; the other is still in the pile."""
    looks = []
    for laid, left in (("stalingrad", "rasputitsa"), ("rasputitsa", "stalingrad")):
        game = Game.from_position(
            {
                "turn": "germany",
                "hand": {"germany": ["land-battle"]},
                "set": {"soviet-union": [laid]},
                "discard": {"soviet-union": [left, "fortress-rebuilt", "land-battle"]},
            },
            options={"air-marshal": True},
        )
        looks.append(game.look("germany"))
    assert looks[0] == looks[1]
    assert {len(look.seen.zones[FACE_UP + 3]) for look in looks} == {2}


@every_variant
def test_whose_reaction_is_awaited_is_told_to_nobody_else(
    rules: str, options: dict[str, bool]
) -> None:
    count = 0
    for game, _ in decisions(rules, options, range(3)):
        if game.decision.kind == "react":
            me = decider(game.state)
            others = game.look(COUNTRIES[me ^ 1]).seen.stack[-1]
            assert others.country == NOBODY, where(game)
            assert others.word >> 5 == 0, where(game)  # nor how far the asking has come
            count += 1
    assert count


# -- what differs only in hidden cards -----------------------------------------------------


def twin(game: Game, viewer: int, seed: int) -> Game:
    """The game as it might be too, for all that a country knows: other cards where it cannot
    see, its own as they are, and the same chance."""
    s = game.look(COUNTRIES[viewer]).deal(seed)
    for zone in range(0, len(s.zones), 6):
        s.zones[zone + viewer] = game.state.zones[zone + viewer]
    s.rng = game.state.rng
    return Game(s, seats=game.seats, seed=0)


def common_action(game: Game, other: Game, rng: random.Random) -> str | None:
    """Something that may be done in both games: now and then a piece is taken off, in the
    midst of whatever is asked of whom."""
    if not game.is_over and not other.is_over and decider(game.state) == decider(other.state):
        texts = {action.text for action in other.legal_actions()}
        legal = [action for action in game.legal_actions() if action.text in texts]
        if legal and rng.random() < 0.8:
            return f"{legal[0].country}: {rng.choice(legal)}"
    country = rng.choice(COUNTRIES)
    pieces = {action.text for action in other.removals(country)}
    removals = [action.text for action in game.removals(country) if action.text in pieces]
    return f"{country}: {rng.choice(removals)}" if removals else None


def under_way(game: Game, other: Game) -> bool:
    """Whether the same programs wait at the same places because of the same events. Which window
    waits under a piece that was taken off meanwhile is more than views and logs tell."""
    mine, theirs = (
        [(f.program, f.pc, f.because and f.because.data()) for f in g.state.stack]
        for g in (game, other)
    )
    return mine == theirs


@every_variant
def test_what_looks_alike_and_reads_alike_is_alike_to_a_bot(
    rules: str, options: dict[str, bool]
) -> None:
    """Two games that differ in hidden cards alone, played alike: wherever a country decides and
    its view and log are the same in both, its look is, if the same is in progress."""
    alike = asked_within = 0
    for seed in range(120):
        rng = random.Random(seed)
        game = crowded_game(rules, options, rng)
        viewer = seed % 6
        name = COUNTRIES[viewer]
        if game.is_over:
            continue
        game = Game(game.state.copy(), seats=game.seats, seed=0)
        other = twin(game, viewer, seed)
        for _ in range(40):
            if game.is_over or other.is_over:
                break
            is_same = decider(game.state) == viewer and game.view(name) == other.view(name)
            if is_same and [*game.log(name)] == [*other.log(name)] and under_way(game, other):
                assert game.look(name) == other.look(name), (seed, len(game.history))
                alike += 1
                asked_within += sum(f.program == WINDOW for f in game.state.stack) > 1
            action = common_action(game, other, rng)
            if action is not None:
                game.apply(action)
                other.apply(action)
    assert alike > 100
    if rules != "french":  # where pieces are hardly ever taken off in the midst of things
        assert asked_within > 3


def test_who_was_asked_below_another_window_is_not_told() -> None:
    """Germany takes an army off while an Ally is asked about its battle: Italy, asked about
    that army, cannot tell which Ally it was."""
    looks = []
    views = []
    for hidden in (
        {"united-kingdom": ["defensive-posture"], "soviet-union": ["rasputitsa"]},
        {"united-kingdom": ["loyal-to-the-crown"], "soviet-union": ["moscow"]},
    ):
        game = Game.from_position(
            {
                "hand": {"germany": ["land-battle"]},
                "pieces": {
                    "germany": ["germany", "balkans", "eastern-europe"],
                    "soviet-union": ["moscow", "ukraine"],
                },
                "set": {**hidden, "italy": ["romanian-reinforcements"]},
            },
            rules="first",
        )
        game.apply("play land-battle")
        game.apply("battle russia")
        game.apply("remove army balkans", country="germany")
        game.apply("pass")  # of the Ally, now about the army taken off
        assert str(game.decision) == "italy react"
        looks.append(game.look("italy"))
        views.append((game.view("italy"), [*game.log("italy")]))
    assert views[0] == views[1]
    assert looks[0] == looks[1]

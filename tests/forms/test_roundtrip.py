"""Saving, recording and copying a game lose nothing, at any decision."""

import json
import pickle
import random

from quartermaster import Game
from quartermaster.lab.checks.fuzz import lively_action
from variants import every_variant


def through_json(game: Game) -> Game:
    """The game after its save went to a file and back."""
    return Game.load(json.loads(json.dumps(game.save())))


def taken_up_again(game: Game) -> Game:
    """The game from its saved state as it is, or, at one decision in ten, from a file that is
    not trusted: such a game is played again from its beginning, which takes its time."""
    if len(game.history) % 10 == 0:
        return through_json(game)
    again: Game = pickle.loads(pickle.dumps(game))
    return again


def assert_same(game: Game, other: Game) -> None:
    """Nothing that a player or a program could ask tells the two games apart."""
    assert game == other
    assert hash(game) == hash(other)
    assert game.legal_actions() == other.legal_actions()
    assert game.is_over == other.is_over
    assert game.score == other.score
    assert game.state.armed == other.state.armed
    if not game.is_over:
        assert game.decision == other.decision


@every_variant
def test_save_at_every_decision(rules: str, options: dict[str, bool]) -> None:
    """A game loaded at a decision is the game saved there, and both save to the same text."""
    game = Game.new(rules, seed=1, options=options)
    rng = random.Random(1)
    while not game.is_over:
        loaded = taken_up_again(game)
        assert_same(game, loaded)
        assert loaded.seats == game.seats
        assert loaded.save() == game.save()
        game.apply(lively_action(game, rng))
    assert_same(game, through_json(game))


@every_variant
def test_play_on_after_load(rules: str, options: dict[str, bool]) -> None:
    """A game saved and loaded before every action stays beside one that never was: what
    saving forgot would show in the next state at the latest."""
    control = Game.new(rules, seed=10, options=options)
    game = control.copy()
    rng = random.Random(10)
    while not control.is_over:
        action = lively_action(control, rng)
        game = taken_up_again(game)
        game.apply(action)
        control.apply(action)
        assert_same(control, game)


@every_variant
def test_play_on_after_load_with_pieces_taken_off(rules: str, options: dict[str, bool]) -> None:
    """The same where owners take pieces off in the midst of things."""
    for seed in (20,):
        control = Game.new(rules, seed=seed, options=options)
        game = control.copy()
        rng = random.Random(seed)
        while not control.is_over:
            removals = control.removals(control.decision.country)
            if removals and rng.random() < 0.05:
                action = rng.choice(removals)
            else:
                action = lively_action(control, rng)
            text = f"{action.country}: {action}"
            game = taken_up_again(game)
            game.apply(text)
            control.apply(text)
            assert_same(control, game)
        replayed = Game.from_record(control.record)
        assert_same(control, replayed)


@every_variant
def test_record(rules: str, options: dict[str, bool]) -> None:
    """A record replays to the same game, and the replayed game gives the same text."""
    for seed in range(2):
        game = Game.new(rules, seed=seed, options=options, seats=2 + seed)
        rng = random.Random(seed)
        while not game.is_over:
            game.apply(lively_action(game, rng))
            if len(game.history) % 90 == 0:
                assert_same(game, Game.from_record(game.record))
        replayed = Game.from_record(game.record)
        assert_same(game, replayed)
        assert replayed.record == game.record
        assert replayed.seats == game.seats
        assert replayed.history == game.history
        assert replayed.events == game.events


def test_record_of_a_position() -> None:
    game = Game.from_position(
        {
            "turn": "germany",
            "seed": 5,
            "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["ukraine"]},
            "hand": {"germany": ["land-battle", "build-army"]},
        },
        options={"air-marshal": True},
        seats=3,
    )
    rng = random.Random(0)
    while not game.is_over:
        game.apply(lively_action(game, rng))
    replayed = Game.from_record(game.record)
    assert_same(game, replayed)
    assert replayed.record == game.record


@every_variant
def test_copies_are_independent(rules: str, options: dict[str, bool]) -> None:
    """A copy played on leaves the game as it was, and the other way round."""
    game = Game.new(rules, seed=3, options=options)
    rng = random.Random(3)
    while not game.is_over:
        saved, events, history = game.save(), game.events, game.history
        texts = [str(action) for action in game.legal_actions()]
        other = game.copy()
        assert_same(game, other)
        for _ in range(8):
            if not other.is_over:
                other.apply(lively_action(other, rng))
        assert game.save() == saved
        assert [str(action) for action in game.legal_actions()] == texts
        assert game.events == events
        assert game.history == history
        told = other.save()
        for _ in range(5):
            if not game.is_over:
                game.apply(lively_action(game, rng))
        assert other.save() == told


@every_variant
def test_copies_of_the_state_are_independent(rules: str, options: dict[str, bool]) -> None:
    """Copies share what is worked out about supply; playing one must not spoil the other's."""
    game = Game.new(rules, seed=4, options=options)
    rng = random.Random(4)
    while not game.is_over:
        key = game.state.key()
        for action in game.legal_actions():
            branch = game.copy()
            branch.apply(action)
            assert branch != game
        assert game.state.key() == key
        for _ in range(6):
            if not game.is_over:
                game.apply(lively_action(game, rng))


@every_variant
def test_equal_states_hash_equal(rules: str, options: dict[str, bool]) -> None:
    """Different games differ; the same game reached twice is one in a set."""
    seen: dict[Game, int] = {}
    for _ in range(2):
        game = Game.new(rules, seed=6, options=options)
        rng = random.Random(6)
        while not game.is_over:
            seen.setdefault(game.copy(), len(game.history))
            assert seen[game] == len(game.history)
            game.apply(lively_action(game, rng))
    assert Game.new(rules, seed=6, options=options) != Game.new(rules, seed=7, options=options)
    assert Game.new("first", seed=6) != Game.new("french", seed=6)

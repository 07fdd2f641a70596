"""The bots: they know no more than their country, repeat themselves, and play with sense.

What they choose may change with what they learn; nothing here hangs on it, save where any
sensible player would do the same.
"""

import random
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

import pytest

from quartermaster import Action, Game, QuartermasterError, UnknownName
from quartermaster.bots import BOTS, LEVELS, Bot, Guard, levels, make_bot, take_decision
from quartermaster.bots.levels import Level, RandomBot, SearchingBot
from quartermaster.bots.search import search
from quartermaster.lab.checks.fuzz import crowded_game, lively_action
from quartermaster.lab.match import play_game
from quartermaster.lab.simulate import simulate
from quartermaster.rules.engine import decider
from quartermaster.rules.names import COUNTRIES
from quartermaster.sight.look import Look

Variant = tuple[str, dict[str, bool]]

VARIANTS: list[Variant] = [
    ("first", {}),
    ("first", {"air-marshal": True}),
    ("french", {}),
    ("french", {"air-marshal": True}),
    ("second", {}),
    ("second", {"air-marshal": True}),
]
every_variant = pytest.mark.parametrize(("rules", "options"), VARIANTS)
every_bot = pytest.mark.parametrize(
    "name", [level if level != "general" else "general:nodes=8" for level in LEVELS]
)


def answer(bot: Bot, game: Game) -> str:
    return str(bot.decide(game.look(game.decision.country), game.legal_actions()))


# -- knowing no more than the country ----------------------------------------------------


def some_decisions(rules: str, options: dict[str, bool], seed: int) -> Iterator[Game]:
    """The first decision of each kind in a new game, and in a crowded one those that the
    first did not have."""
    rng = random.Random(seed)
    met: set[str] = set()
    for game in (Game.new(rules, seed=seed, options=options), crowded_game(rules, options, rng)):
        while not game.is_over:
            if game.decision.kind not in met:
                met.add(game.decision.kind)
                yield game
            game.apply(lively_action(game, rng))


@every_bot
@pytest.mark.parametrize(("rules", "options"), [VARIANTS[0], VARIANTS[5]])
def test_an_answer_does_not_depend_on_what_is_hidden(
    name: str, rules: str, options: dict[str, bool]
) -> None:
    kinds: set[str] = set()
    for game in some_decisions(rules, options, seed=4):
        me = decider(game.state)
        dealt = game.look(COUNTRIES[me]).deal(len(game.history))
        assert dealt.zones != game.state.zones
        other = Game(dealt, seats=game.seats, seed=0)
        for seed in range(1 if name.startswith("general") else 3):
            mine, theirs = make_bot(name, seed), make_bot(name, seed)
            assert answer(mine, game) == answer(theirs, other), (game.seed, len(game.history))
        kinds.add(game.decision.kind)
    assert kinds >= {"setup", "play", "react", "build", "battle", "discard-step"}


class Witness(RandomBot):
    """Writes down whose decision it was asked for, and whose knowledge it was given."""

    asked: ClassVar[list[tuple[str, frozenset[int]]]] = []

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        self.asked.append((actions[0].country, look.countries))
        return super().decide(look, actions)


@pytest.fixture
def witness(monkeypatch: pytest.MonkeyPatch) -> type[Witness]:
    """One more bot, while the test lasts."""
    monkeypatch.setitem(levels.BOTS, "witness", Level("witness", Witness))
    monkeypatch.setattr(Witness, "asked", [])
    return Witness


def test_a_bot_of_several_countries_plays_each_by_what_that_one_knows(
    witness: type[Witness],
) -> None:
    simulate("second", {}, 2, ["witness"], seed=1, first=0, count=1)
    shared = Witness(1)
    play_game(Game.new("first", seed=2, seats=2), dict.fromkeys(COUNTRIES, shared))
    assert {country for country, _ in witness.asked} == set(COUNTRIES)
    for country, known in witness.asked:
        assert known == {COUNTRIES.index(country)}


def test_who_does_not_look_is_shown_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """To make a look takes several times as long as to play at random."""
    looks: list[Look] = []
    look_at = Game.look

    def look(game: Game, who: str) -> Look:
        looks.append(look_at(game, who))
        return looks[-1]

    monkeypatch.setattr(Game, "look", look)
    simulate("second", {}, 2, ["random"], seed=1, first=0, count=1)
    assert looks == []
    simulate("second", {}, 2, ["random", "rookie"], seed=1, first=0, count=1)
    assert looks


# -- repeating oneself -------------------------------------------------------------------


def opening(name: str, seed: int, count: int) -> list[str]:
    """What fresh bots do from the first turn on; the hands are kept as they come."""
    game = Game.new("second", seed=11)
    while game.decision.kind == "setup":
        game.apply(game.legal_actions()[0])
    bots = {country: make_bot(name, seed * 8 + i) for i, country in enumerate(COUNTRIES)}
    start = len(game.history)
    while len(game.history) < start + count:
        take_decision(game, bots)
    return [str(action) for action in game.history[start:]]


@every_bot
def test_a_seed_repeats_itself(name: str) -> None:
    assert opening(name, 1, 25) == opening(name, 1, 25)


def test_a_seed_repeats_itself_on_two_cores() -> None:
    name = "general:nodes=6:cores=2"
    assert opening(name, 1, 10) == opening(name, 1, 10)


@pytest.mark.parametrize("name", ["random", "rookie"])
def test_another_seed_plays_otherwise(name: str) -> None:
    assert opening(name, 1, 25) != opening(name, 2, 25)


# -- how long a search thinks ------------------------------------------------------------


def at_first_play() -> Game:
    """A game at its first decision that is not about what to keep in hand."""
    game = Game.new("second", seed=3)
    while game.decision.kind != "play":
        game.apply(game.legal_actions()[0])
    return game


@pytest.mark.parametrize("nodes", [1, 2, 17, 50])
def test_a_search_keeps_to_its_nodes(nodes: int) -> None:
    game = at_first_play()
    look = game.look("germany")
    found = search(look, 1, 0.0, nodes=nodes)
    assert found.simulations == nodes
    assert sum(found.visits) == nodes
    assert len(found.visits) == len(found.chances) == len(game.legal_actions())
    assert all(0 <= chance <= 1 for chance in found.chances)
    assert found.visits[found.best] == max(found.visits)


def test_a_bot_counts_what_it_has_searched() -> None:
    bot = make_bot("general:nodes=7", 1)
    assert isinstance(bot, SearchingBot)
    game = at_first_play()
    for _ in range(3):
        answer(bot, game)
    assert bot.simulations == 21
    assert bot.found is not None
    assert bot.found.simulations == 7


def test_what_to_keep_in_hand_is_not_searched() -> None:
    game = Game.new("second", seed=3)
    assert game.decision.kind == "setup"
    found = search(game.look("germany"), 1, 0.0, nodes=50)
    assert found.simulations == 0
    assert sorted(found.visits) == list(range(1, len(game.legal_actions()) + 1))  # ranks
    assert max(found.chances) == found.chances[found.best]


def test_cores_share_the_nodes() -> None:
    look = at_first_play().look("germany")
    found = search(look, 1, 0.0, nodes=10, cores=2)
    assert found.simulations == sum(found.visits) == 10


def test_a_search_for_some_time_comes_to_an_end() -> None:
    found = search(at_first_play().look("germany"), 1, seconds=0.05)
    assert 0 < found.simulations == sum(found.visits)
    assert found.seconds > 0


# -- whole games -------------------------------------------------------------------------


@every_variant
def test_every_level_plays_whole_games_without_a_fault(
    rules: str, options: dict[str, bool]
) -> None:
    """Each level plays each country once, with the others at the table."""
    names = ("random", "rookie", "veteran")
    for turn in range(3):
        game = Game.new(rules, seed=turn, options=options)
        bots = {
            country: Guard(names[(i + turn) % 3], seed=i) for i, country in enumerate(COUNTRIES)
        }
        play_game(game, bots)
        assert [fault for bot in bots.values() for fault in bot.faults] == []
        assert game.winner in ("axis", "allies")


@every_variant
def test_the_search_meets_every_rule_set_without_a_fault(
    rules: str, options: dict[str, bool]
) -> None:
    rng = random.Random(6)
    bots = {country: Guard("general:nodes=2", seed=1) for country in COUNTRIES}
    for game in (Game.new(rules, seed=6, options=options), crowded_game(rules, options, rng)):
        while not game.is_over and len(game.history) < 30:
            take_decision(game, bots)
    assert [fault for bot in bots.values() for fault in bot.faults] == []


def test_a_veteran_beats_chance() -> None:
    for seed in (1, 2):
        for strong, winner in ((0, "axis"), (1, "allies")):
            game = Game.new("second", seed=seed)
            bots = {
                country: make_bot("veteran" if i & 1 == strong else "random", 8 * seed + i)
                for i, country in enumerate(COUNTRIES)
            }
            play_game(game, bots)
            assert game.winner == winner, (seed, game.score)


# -- what any sensible player would do ---------------------------------------------------

MOSCOW_LOST: dict[str, Any] = {
    "turn": "soviet-union",
    "pieces": {
        "germany": ["germany", "eastern-europe", "moscow"],
        "soviet-union": ["russia", "ukraine"],
    },
    "hand": {"soviet-union": ["land-battle", "build-navy", "build-army"]},
}
LAST_TURN: dict[str, Any] = {
    "turn": "united-states",
    "round": 20,
    "score": [12, 9],
    "hand": {"united-states": ["build-army", "build-navy", "land-battle"]},
}
UKRAINE_HELD: dict[str, Any] = {
    "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow", "ukraine"]},
    "hand": {"germany": ["land-battle", "build-navy"]},
}
TACTICS: dict[str, tuple[dict[str, Any], list[str], str]] = {
    "a free star next door is built on": (
        {"hand": {"germany": ["build-army", "build-navy", "land-battle"]}},
        ["play build-army"],
        "build army western-europe",
    ),
    "a free star across the sea is built on": (
        {
            "turn": "japan",
            "pieces": {"japan": ["japan", "sea-of-japan"]},
            "hand": {"japan": ["build-army", "land-battle", "sea-battle"]},
        },
        ["play build-army"],
        "build army china",
    ),
    "the home space is freed": (MOSCOW_LOST, ["play land-battle"], "battle moscow germany"),
    "an enemy on a star is battled, not an empty space": (
        UKRAINE_HELD,
        ["play land-battle"],
        "battle ukraine soviet-union",
    ),
    "the card that wins in the last turn is played": (LAST_TURN, [], "play build-army"),
    "the space that wins in the last turn is taken": (
        LAST_TURN,
        ["play build-army"],
        "build army western-united-states",
    ),
}


@pytest.mark.parametrize("tactic", TACTICS)
@pytest.mark.parametrize(("name", "seeds"), [("veteran", 4), ("general:nodes=60", 2)])
def test_what_is_plain_is_done(tactic: str, name: str, seeds: int) -> None:
    position, actions, expected = TACTICS[tactic]
    game = Game.from_position(position)
    for action in actions:
        game.apply(action)
    assert expected in map(str, game.legal_actions())
    for seed in range(seeds):
        assert answer(make_bot(name, seed), game) == expected, seed


# -- levels and their settings -----------------------------------------------------------


def test_the_levels_are_named_from_weak_to_strong() -> None:
    assert LEVELS == ("random", "rookie", "regular", "seasoned", "veteran", "general")
    assert list(BOTS) == list(LEVELS)
    for name, level in BOTS.items():
        assert level.name == name
        assert level.title == name.capitalize()
        assert level.about.strip()
        assert level.about.endswith(".")
        assert "\n" not in level.about


def test_each_level_errs_less_often_than_the_one_below() -> None:
    """With the same seed they look at the same deal, and stray from the best plan or not."""
    game = Game.new("second", seed=4)
    strayed = dict.fromkeys(("rookie", "regular", "seasoned"), 0)
    while len(game.history) < 150:
        best = answer(make_bot("veteran", len(game.history)), game)
        for name in strayed:
            strayed[name] += answer(make_bot(name, len(game.history)), game) != best
        game.apply(best)
    assert strayed["rookie"] > strayed["regular"] > strayed["seasoned"] > 0


def test_an_unknown_level_is_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown bot 'vetran'; did you mean veteran\?"):
        make_bot("vetran", 1)
    with pytest.raises(UnknownName, match="general"):
        make_bot("generale:nodes=5", 1)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("general:speed=3", r"no setting 'speed'; expected seconds or nodes or cores"),
        ("veteran:nodes=3", r"no setting 'nodes'; expected none"),
        ("general:nodes=many", r"nodes must be a number above 0"),
        ("general:nodes=2.5", r"nodes must be a number above 0"),
        ("general:nodes=", r"nodes must be a number above 0"),
        ("general:nodes", r"nodes must be a number above 0"),
        ("general:nodes=0", r"nodes must be a number above 0"),
        ("general:seconds=-1", r"seconds must be a number above 0"),
        ("general:seconds=nan", r"seconds must be a number above 0"),
        ("general:nodes=5:cores=0", r"cores must be a number above 0"),
    ],
)
def test_a_setting_that_is_none_is_refused(name: str, message: str) -> None:
    with pytest.raises(QuartermasterError, match=message) as refused:
        make_bot(name, 1)
    assert str(refused.value).startswith(f"{name}: ")


def test_a_setting_is_kept() -> None:
    bot = make_bot("general:nodes=5:cores=1", 1)
    assert isinstance(bot, SearchingBot)
    answer(bot, at_first_play())
    assert bot.simulations == 5

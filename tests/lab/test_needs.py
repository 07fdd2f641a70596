"""Bots say what they need; what nobody needs is not made."""

import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest

from quartermaster import Action, Game, IllegalAction, QuartermasterError, play_match
from quartermaster.bots import Bot, Guard
from quartermaster.bots.levels import RandomBot, need_of
from quartermaster.lab.bench import measure_simulate
from quartermaster.lab.match import play_game
from quartermaster.lab.simulate import simulate
from quartermaster.rules.names import COUNTRIES
from quartermaster.sight.look import Look


class Unseeing:
    """Needs the actions alone."""

    needs = "actions"

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        assert not look.countries, "it is given an empty look"
        return actions[0]


class Fails(Unseeing):
    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        raise ValueError("not today")


class Last:
    """Needs the number alone."""

    needs = "number"

    def choose(self, count: int) -> int:
        return count - 1

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return actions[-1]


class Beyond(Last):
    def choose(self, count: int) -> int:
        return count


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The looks that are made."""
    made: list[object] = []
    look = Game.look

    def counted(game: Game, who: int | str | None = None) -> Look:
        made.append(who)
        return look(game, who)

    monkeypatch.setattr(Game, "look", counted)
    return made


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The lists of actions that are made."""
    made: list[object] = []
    legal = Game.legal_actions

    def counted(game: Game) -> list[Action]:
        made.append(game)
        return legal(game)

    monkeypatch.setattr(Game, "legal_actions", counted)
    return made


def test_random_games_make_no_looks_and_no_actions(
    looks: list[object], listed: list[object]
) -> None:
    tally = simulate("second", {}, 2, ["random"], seed=0, first=0, count=3)
    assert tally.games == 3
    assert (looks, listed) == ([], [])


def test_a_guard_makes_no_look_for_a_bot_that_needs_none(looks: list[object]) -> None:
    game = Game.new(seed=4)
    play_game(game, {country: Guard(Unseeing(), 1) for country in COUNTRIES})
    assert game.is_over
    assert looks == []


def test_whoever_stands_in_gets_a_look(looks: list[object]) -> None:
    game = Game.new(seed=4)
    bots: dict[str, Bot] = {country: Guard(Unseeing(), 1) for country in COUNTRIES}
    bots["germany"] = guard = Guard(Fails(), 1)
    play_game(game, bots)
    assert len(guard.faults) == 3
    assert set(looks) == {"germany"}


@pytest.mark.parametrize("rules", ["second", "first", "french"])
def test_unseen_games_are_those_that_are_seen(rules: str) -> None:
    """The quick loop plays what a loop over looks and actions plays, to the byte."""

    class Looks(RandomBot):
        def __init__(self, seed: int) -> None:
            super().__init__(seed)
            assert need_of(self) == "look"

    for seed in range(4):
        quick, slow = (Game.new(rules, seed=seed, seats=2) for _ in range(2))
        count = play_game(quick, {c: RandomBot(seed + i) for i, c in enumerate(COUNTRIES)})
        assert count == play_game(slow, {c: Looks(seed + i) for i, c in enumerate(COUNTRIES)})
        assert quick == slow
        assert quick.record == slow.record
        assert quick.events == slow.events


def test_a_bot_of_ones_own_may_need_the_number_alone(looks: list[object]) -> None:
    quick, slow = Game.new(seed=3), Game.new(seed=3)
    play_game(quick, {country: Last() for country in COUNTRIES})
    while not slow.is_over:
        slow.apply(slow.legal_actions()[-1])
    assert quick.record == slow.record
    assert looks == []


def test_a_choice_that_is_not_there_is_an_error() -> None:
    with pytest.raises(IllegalAction, match="expected the place of an action"):
        play_game(Game.new(seed=3), {country: Beyond() for country in COUNTRIES})


def test_a_need_that_is_none_is_refused() -> None:
    class Greedy(Unseeing):
        needs = "everything"

    class Mute(Unseeing):
        needs = "number"

    with pytest.raises(QuartermasterError, match=r"Greedy.needs: expected look or actions or numb"):
        need_of(Greedy())
    with pytest.raises(QuartermasterError, match=r"Mute: .* choose\(count\)"):
        Guard(Mute(), 1)


@pytest.mark.parametrize(("rules", "seats"), [("second", 2), ("first", 3), ("french", 6)])
def test_a_series_of_unseen_games_is_the_series_of_matches(rules: str, seats: int) -> None:
    tally = simulate(rules, {}, seats, ["random"], seed=3, first=2, count=4)
    matches = [play_match(["random"], rules, seed=seed, seats=seats) for seed in range(5, 9)]
    assert tally.decisions == sum(match.decisions for match in matches)
    assert tally.rounds == sum(match.rounds for match in matches)
    for team in ("axis", "allies"):
        assert tally.wins[team] == sum(match.winner == team for match in matches)
        assert tally.points[team] == sum(match.score[team] for match in matches)


def test_a_bot_that_fails_unseen_is_stood_in_for(tmp_path: Path) -> None:
    file = tmp_path / "tired.py"
    file.write_text(
        "class Quits:\n"
        "    needs = 'number'\n"
        "    def decide(self, look, actions):\n"
        "        return actions[self.choose(len(actions))]\n"
        "    def choose(self, count):\n"
        "        raise SystemExit(3)\n"
    )
    bots = [f"{file}:Quits", "random"]
    tally = simulate("second", {}, 2, bots, seed=3, first=0, count=2)
    assert (tally.games, tally.faults > 0) == (2, True)
    assert tally.faults == sum(len(play_match(bots, seed=seed).faults) for seed in (3, 4))


def test_the_bench_tells_what_simulate_makes_of_the_engine() -> None:
    figures = measure_simulate("second", {}, 10)
    assert figures["simulate_games_per_second"] > 0
    assert 20 < figures["simulate_share_percent"] < 200


def test_random_bots_pickle_and_go_on_where_they_were() -> None:
    bot = RandomBot(3)
    for _ in range(5):
        bot.choose(7)
    again: RandomBot = pickle.loads(pickle.dumps(bot))
    assert [bot.choose(9) for _ in range(100)] == [again.choose(9) for _ in range(100)]

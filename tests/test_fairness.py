"""Deals that nobody can foresee, and everybody can check."""

import hashlib
import json
import pickle
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from deals import check_steps, documented_shuffle
from quartermaster import BrokenFile, Deal, Game, QuartermasterError, fresh_seed
from quartermaster.fairness import deck_steps, verify
from quartermaster.forms.record import parse_record
from quartermaster.rules.actions import card_of
from quartermaster.rules.names import COUNTRIES, DECK, HAND, RESPONSE
from quartermaster.rules.shuffling import shuffle_by_seed
from quartermaster.sight.look import Look

OLD = Path(__file__).parent / "old"  # made by the version before seeds of 32 bytes


SECRET, ADDED = "1f" * 32, ((0, "a0" * 32), (1, "b1" * 32))


def played(deal: Deal, actions: int = 10**6, rules: str = "second", chance: int = 1) -> Game:
    """A game of two by a deal, played at random."""
    game = Game.new(rules, seed=deal.seed, seats=2)
    game.deal = deal
    return played_on(game, actions, chance)


def played_on(game: Game, actions: int = 10**6, chance: int = 1) -> Game:
    choose = random.Random(chance).choice
    while not game.is_over and len(game.codes) < actions:
        game.apply(choose(game.legal_actions()))
    return game


@pytest.fixture(scope="module")
def fair() -> Game:
    return played(Deal(SECRET, ADDED))


# The stream, as docs/fairness.md tells it.


@pytest.mark.parametrize("rules", ["second", "first", "french"])
def test_first_deal_is_the_documented_one(rules: str) -> None:
    seed = fresh_seed()
    game = Game.new(rules, seed=seed)
    s = game.state
    names = [card.id for card in s.rules.cards]
    for country in range(6):
        lie = [names[card] for card in s.zones[DECK + country] + s.zones[HAND + country]]
        expected = documented_shuffle(bytes.fromhex(seed), country, lie)
        left = len(s.zones[DECK + country])
        assert [names[card] for card in s.zones[DECK + country]] == expected[:left]
        assert sorted(names[c] for c in s.zones[HAND + country]) == sorted(expected[left:])
    assert s.rng == 6


def test_a_card_picked_at_random_comes_from_the_seed_too() -> None:
    """It is the first of the cards shuffled, and the next shuffle has the next number."""
    laid = ["leningrad", "rasputitsa", "stalingrad"]
    gone = Counter[str]()
    for n in range(30):
        seed = hashlib.sha256(bytes([n])).digest()
        game = Game.from_position({
            "turn": "italy",
            "hand": {"italy": ["division-azul"]},
            "set": {"soviet-union": laid},
            "seed": seed.hex(),
        })  # fmt: skip
        number = game.state.rng
        game.apply("play division-azul")
        game.apply("discard-response soviet-union")
        lost = {*laid} - {*(game.view("soviet-union").countries["soviet-union"].set or ())}
        assert lost == {documented_shuffle(seed, number, laid)[0]}
        assert game.state.rng == number + 1
        gone.update(lost)
    assert len(gone) == 3


def test_every_order_is_as_likely() -> None:
    """Chi-square over the 120 orders of five cards: 12,000 shuffles, 119 degrees of freedom;
    the value is over 180 once in 4,000 times, and the seeds are fixed."""
    found: Counter[tuple[int, ...]] = Counter()
    for number in range(12_000):
        cards = [0, 1, 2, 3, 4]
        shuffle_by_seed(b"\x07" * 32, number, cards)
        found[tuple(cards)] += 1
    assert len(found) == 120
    assert sum((n - 100) ** 2 / 100 for n in found.values()) < 180


def test_every_card_is_as_likely_on_top() -> None:
    """The same of games: which card lies on top of Germany's deck, and which is in hand."""
    tops: Counter[int] = Counter()
    games = 3000
    for number in range(games):
        cards = list(range(40))
        shuffle_by_seed(hashlib.sha256(b"%d" % number).digest(), 0, cards)
        tops[cards[-1]] += 1
    expected = games / 40
    assert sum((tops[card] - expected) ** 2 / expected for card in range(40)) < 80


def test_words_that_would_favour_some_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """2^32 is no multiple of 3: its last word counts for nobody."""
    blocks = iter([b"\xff" * 4 + b"\x00\x00\x00\x01" + b"\x00" * 24])
    monkeypatch.setattr("quartermaster.rules.shuffling.digest", lambda *_: next(blocks))
    cards = [0, 1, 2]
    shuffle_by_seed(b"x" * 32, 0, cards)
    assert cards == [2, 0, 1]  # 1 mod 3, then 0 mod 2


def test_seeds_and_numbers_give_other_shuffles() -> None:
    def order(seed: bytes, number: int) -> list[int]:
        cards = list(range(40))
        shuffle_by_seed(seed, number, cards)
        return cards

    one = bytes(31) + b"\x01"
    assert order(bytes(32), 0) != order(one, 0) != order(one, 1)
    assert order(one, 1) == order(one, 1)


def secrets_of(game: Game) -> list[str]:
    assert game.deal is not None
    return [game.deal.secret, game.deal.seed]


# What does not leave the game.


def test_a_look_holds_nothing_of_the_seed(fair: Game) -> None:
    game = fair.copy()
    for actions in (40, 0):
        game.undo(actions)
        for who in (None, "germany", 0, 1):
            look = game.look(who)
            assert look.seen.seed == b""
            assert look.seen.rng == 0
            dealt = look.deal(1)
            assert dealt.seed == b""
            data = pickle.dumps(look)
            for secret in secrets_of(fair):
                assert secret.encode() not in data
                assert bytes.fromhex(secret) not in data
            view = json.dumps(game.view(who).to_dict())
            log = "".join(str(entry) for entry in game.log(who))
            assert not any(secret in view + log + repr(game) for secret in secrets_of(fair))


def test_looks_alike_whatever_the_seed() -> None:
    """Two games that differ in nothing but the seed look the same: nothing can come of it."""
    game = played(Deal(SECRET), 60)
    other = game.copy()
    other.state.seed = b"\x02" * 32
    assert game != other
    for who in (None, "germany", 1):
        assert Look.at(game.state, game.countries_of(who)) == Look.at(
            other.state, other.countries_of(who)
        )
        assert pickle.dumps(game.look(who)) == pickle.dumps(other.look(who))


# Copies, saves, going back.


def test_going_back_does_not_change_the_decks(fair: Game) -> None:
    game = fair.copy()
    rounds = [len(game.codes) // 4 * n for n in (1, 2, 3)]
    for actions in rounds:
        again = fair.copy()
        again.undo(actions)
        straight = Game.from_record(fair.record, to=actions)
        assert again == straight
        for n in range(actions, len(fair.codes)):
            country, code, _ = fair.codes[n]
            action = fair.history[n]
            assert action.code == code
            again.apply(action.text, country=COUNTRIES[country], is_whole=True)
        assert again == fair


def test_a_save_goes_on_alike(fair: Game) -> None:
    half = Game.from_record(fair.record, to=len(fair.codes) // 2)
    loaded = Game.load(json.loads(json.dumps(half.save())))
    assert loaded == half
    assert hash(loaded) == hash(half)
    assert loaded.record == half.record
    assert pickle.loads(pickle.dumps(half)) == half
    assert played_on(loaded, chance=9) == played_on(half, chance=9)


@pytest.mark.parametrize("seed", ["7", "x" * 64, "AB" * 32, "ab" * 31, 7.0, None, True, b"x" * 32])
def test_a_seed_that_is_none_is_refused(seed: Any) -> None:
    with pytest.raises(QuartermasterError, match="seed: expected a whole number of at most"):
        Game.new(seed=seed)


# Old games.


def test_old_record_replays() -> None:
    game = Game.from_record((OLD / "record.txt").read_text())
    assert sum(entry.what == "shuffle" for entry in game.events) >= 3
    expected = json.loads((OLD / "end.json").read_text())
    found = game.save()["state"]
    assert {key: found[key] for key in expected if key != "version"} == {
        key: value for key, value in expected.items() if key != "version"
    }
    assert game.record == (OLD / "record.txt").read_text()


def test_old_record_with_a_card_used_in_vain_replays() -> None:
    """Bravado was offered then while a Land Battle was anywhere; today it would be refused."""
    text = (OLD / "in-vain.txt").read_text()
    game = Game.from_record(text)
    assert game.is_over
    assert game.record == text
    with pytest.raises(BrokenFile, match="is not legal now"):
        Game.from_record(text.replace("quartermaster record 1", "quartermaster record 2"))


def test_old_save_goes_on() -> None:
    game = Game.load(json.loads((OLD / "save.json").read_text()))
    record = parse_record((OLD / "record.txt").read_text())
    for country, action, _ in record.actions[len(game.codes) :]:
        game.apply(action, country=country, is_whole=True)
    assert game == Game.from_record((OLD / "record.txt").read_text())


# Checking.


def test_a_fair_game(fair: Game) -> None:
    verdict = verify(fair.record, commitment=Deal(SECRET).commitment, contribution="B1" * 32)
    assert verdict.result == "fair"
    assert all(check.is_right for check in verdict.checks)
    assert [check.id for check in verdict.checks] == [
        "commitment", "noted", "added", "seats", "seed", "replay", "hands", "drawn", "lost",
    ]  # fmt: skip
    assert Game.from_record(fair.record).record == fair.record


def changed(game: Game, old: str, new: str) -> str:
    text = game.record
    assert text.count(old) >= 1
    return text.replace(old, new, 1)


def wrong(text: str, **noted: str) -> set[str]:
    verdict = verify(text, **noted)
    assert verdict.result == "unfair"
    return {check.id for check in verdict.checks if not check.is_right}


def test_tampering_is_seen(fair: Game) -> None:
    assert "commitment" in wrong(changed(fair, f"secret: {SECRET}", "secret: " + "2f" * 32))
    assert "seed" in wrong(changed(fair, "a0a0", "a0a1"))
    deal = Deal(SECRET, ADDED)
    assert wrong(changed(fair, f"commitment: {deal.commitment}", "commitment: " + "0" * 64)) == {
        "commitment"
    }
    assert wrong(changed(fair, f"seed: {deal.seed}", "seed: " + "ab" * 32)) == {"seed"}
    assert wrong(fair.record, commitment="00" * 32) == {"noted"}
    assert wrong(fair.record, contribution="00" * 32) == {"added"}


def test_other_cards_are_seen(fair: Game) -> None:
    told = parse_record(fair.record).told
    drawn = told["drawn"]["japan"]
    n = next(n for n in range(len(drawn)) if drawn[n] != drawn[n + 1])
    one, two = drawn[n], drawn[n + 1]
    text = fair.record
    start = text.index("japan: [", text.index("drawn: {"))
    end = text.index("]", start)
    swapped = [*drawn[:n], two, one, *drawn[n + 2 :]]
    assert wrong(text[:start] + f"japan: [{', '.join(swapped)}" + text[end:]) == {"drawn"}
    hands = told["hands"]["italy"]
    other = next(card for card in drawn if card not in hands)
    start = text.index("italy: [", text.index("hands: {"))
    end = text.index("]", start)
    mine = f"italy: [{', '.join([*hands[1:], other])}"
    assert wrong(text[:start] + mine + text[end:]) == {"hands"}


def test_a_game_dealt_otherwise_is_seen() -> None:
    """A server that deals by another seed than it promised, and tells the rest truly."""
    game = Game.new(seed=fresh_seed(), seats=2)
    game.deal = Deal(SECRET, ADDED)
    assert wrong(game.record) == {"seed", "hands"}
    assert wrong(played_on(game, 30).record) == {"seed", "replay"}


def test_an_action_that_was_not_possible_is_seen(fair: Game) -> None:
    line = fair.record.splitlines()[-1]
    assert "replay" in wrong(fair.record + line + "\n")


@pytest.mark.parametrize(
    "text",
    [
        Game.new(seed=7).record,
        Game.new(seed="0a" * 32).record,
        (OLD / "record.txt").read_text(),
    ],
)
def test_what_cannot_be_checked(text: str) -> None:
    assert verify(text).result == "unknown"


def test_cards_of_a_position_cannot_be_checked() -> None:
    deal = Deal(SECRET)
    game = Game.from_position({"seed": deal.seed, "deck": {"germany": ["blitzkrieg"]}})
    game.deal = deal
    assert verify(game.record).result == "unknown"


@pytest.mark.parametrize(
    "head",
    [
        "deal: {}",
        "deal: {secret: 7, contributions: []}",
        f"deal: {{secret: '{SECRET}', contributions: [[0]]}}",
        f"deal: {{secret: '{SECRET}', contributions: [[0, zz]]}}",
        f"deal: {{secret: '{SECRET}', contributions: 7}}",
        "anew: [7]",
        f"anew: [[7, '{SECRET}']]",
        f"anew: [[0, '{SECRET}', 1]]",
        "anew: [[0, 7]]",
        "seed: 12ab",
        "seed: [1]",
    ],
)
def test_a_broken_head_is_told(head: str) -> None:
    with pytest.raises(BrokenFile):
        verify(f"quartermaster record 1\nrules: second\n{head}\n")


def gone_on(rules: str, actions: int, deal: Deal) -> Game:
    game = played_on(Game.new(rules, seed=3, seats=2), actions, 5)
    game.deal_anew(deal.seed)
    game.deal = deal
    return game


# Going on from a record.


@pytest.mark.parametrize("rules", ["second", "first", "french"])
@pytest.mark.parametrize("actions", [0, 5, 31, 64, 120])
def test_dealt_anew_keeps_what_everyone_knows(rules: str, actions: int) -> None:
    before = played_on(Game.new(rules, seed=3, seats=2), actions, 5)
    game = gone_on(rules, actions, Deal(SECRET, ADDED))
    assert game.view() == before.view()
    hidden = [(DECK + n, HAND + n) for n in range(6)]
    assert any(
        game.state.zones[zone] != before.state.zones[zone] for pair in hidden for zone in pair
    )
    assert Game.from_record(game.record) == game
    assert Game.load(json.loads(json.dumps(game.save()))).record == game.record
    back = played_on(game.copy(), actions + 10)
    back.undo(actions)
    assert back == game
    assert verify(played_on(game.copy(), actions + 40).record).result == "fair"
    assert verify(game.record).since == actions


def test_a_game_gone_on_is_checked_too() -> None:
    game = played_on(gone_on("second", 50, Deal(SECRET, ADDED)))
    assert verify(game.record).result == "fair"
    assert "seed" in wrong(changed(game, "a0a0", "a0a1"))
    # Dealt once more later, by a seed of the server's own choice.
    early = gone_on("second", 50, Deal(SECRET, ADDED))
    played_on(early, 80).deal_anew(fresh_seed())
    assert "seed" in wrong(early.record)


def as_data(game: Game) -> list[dict[str, Any]]:
    return [vars(step) for step in deck_steps(game)]


# With tools of one's own.


def test_steps_of_a_deal_can_be_followed(fair: Game) -> None:
    steps = as_data(fair)
    check_steps(bytes.fromhex(fair.deal.seed), steps)  # type: ignore[union-attr]
    assert sum(step["what"] == "shuffle" for step in steps) > 6
    drawn = [c for step in steps[12:] if step["what"] in ("draw", "mill")
             and step["country"] == "japan" for c in step["cards"]]  # fmt: skip
    assert drawn == fair.cards_dealt()["drawn"]["japan"]
    with pytest.raises(AssertionError):
        check_steps(b"y" * 32, steps)


def test_steps_of_a_game_gone_on() -> None:
    game = played_on(gone_on("second", 50, Deal(SECRET, ADDED)))
    check_steps(bytes.fromhex(Deal(SECRET, ADDED).seed), as_data(game))


# On the command line.


def test_verify_command(fair: Game, tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from quartermaster.cli.main import app

    def run(text: str, *options: str) -> tuple[int, str]:
        path = tmp_path / "record.txt"
        path.write_text(text)
        result = CliRunner().invoke(app, ["verify", str(path), *options])
        return result.exit_code, result.output

    code, said = run(fair.record, "--commitment", Deal(SECRET).commitment)
    assert code == 0
    assert "fair: every card" in said
    code, said = run(fair.record, "--commitment", "00" * 32)
    assert code == 1
    assert "FAIL the secret is not the one that the commitment you noted" in said
    assert run(Game.new(seed=7).record)[0] == 2
    assert run("nonsense")[0] == 2
    assert run(fair.record, "--contribution", "7")[0] == 2
    code, said = run(fair.record, "--json", "--contribution", "a0" * 32)
    assert code == 0
    assert json.loads(said)["result"] == "fair"


def test_steps_tell_of_picks() -> None:
    """Cards that chance takes are told as picks, and their countries' decks stay as they are."""
    for chance in range(40):
        deal = Deal(f"{chance:064x}")
        game = Game.new(seed=deal.seed, seats=2)
        game.deal = deal
        choose = random.Random(chance).choice
        while not game.is_over and game.state.round < 12:
            actions = game.legal_actions()
            types = [game.state.rules.types[card_of(a.code)] if a.card else -1 for a in actions]
            wanted = [a for a in actions if a.text.startswith("discard-response")]
            wanted += [a for a in actions if a.text == "play division-azul"]
            laid = zip(actions, types, strict=True)
            wanted += [a for a, type in laid if a.verb == "play" and type == RESPONSE]
            game.apply(wanted[0] if wanted else choose(actions))
        steps = as_data(game)
        check_steps(bytes.fromhex(deal.seed), steps)
        picks = [step for step in steps if step["what"] == "pick" and len(step["cards"]) > 1]
        if picks:
            lost = game.cards_dealt()["lost"]
            assert all(step["cards"][0] in lost[step["country"]] for step in picks)
            assert verify(game.record).result == "fair"
            return
    pytest.fail("no game with a pick")

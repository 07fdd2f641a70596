"""Card sets: those of the game make its decks, and people add their own from a file."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from quartermaster import BrokenFile, Game, QuartermasterError, load_rules
from quartermaster.cards import declaration
from quartermaster.cards import vocabulary as words
from quartermaster.cards.card_sets import CARD_SETS, find_card_set
from quartermaster.cli.main import app
from quartermaster.lab.simulate import Series, Tally, simulate_many
from quartermaster.rules.names import COUNTRIES, ITALY

DESERT = """
from quartermaster.cards.vocabulary import *

class Twice(Num):
    '''A word that the game does not have: double what another number is.'''

    def __init__(self, number):
        self.number = number

    def value(self, s, f):
        return 2 * self.number.value(s, f)

card_set(
    "desert",
    "More sand for North Africa.",
    italy=[
        event("Giarabub Oasis", "Build an army in Africa.", Build(ARMY, In("africa"))),
        event("Sand", "+2 VP for each army of yours.", Score(Twice(Pieces(ARMY)))),
        alter("Bravado", text="In place of playing a card: battle a land space.", cost=[]),
    ],
    gone={"germany": ["Blitzkrieg"]},
)
"""


@pytest.fixture
def desert(tmp_path: Path) -> str:
    path = tmp_path / "desert.py"
    path.write_text(DESERT)
    CARD_SETS.pop("desert", None)
    return str(path)


def names(country: int, *sets: str) -> dict[str, str]:
    cards = load_rules("second", sets=sets).cards
    return {card.name: card.text for card in cards if card.country == country}


def test_a_file_adds_changes_and_takes_away_cards(desert: str) -> None:
    [made] = find_card_set(desert)
    assert (made.name, made.about) == ("desert", "More sand for North Africa.")
    before, after = names(ITALY), names(ITALY, "desert")
    assert {*after} - {*before} == {"Giarabub Oasis", "Sand"}
    assert after["Bravado"] == "In place of playing a card: battle a land space."
    assert before["Bravado"] != after["Bravado"]
    assert "Blitzkrieg" in names(0)
    assert "Blitzkrieg" not in names(0, "desert")


def test_rules_without_the_set_are_as_they_were(desert: str) -> None:
    plain = load_rules("second")
    find_card_set(desert)
    assert load_rules("second") is plain
    assert load_rules("second", sets=["desert"]) is load_rules("second", sets=["desert"])
    assert load_rules("second", sets=["desert"]).sets == ("desert",)


def test_the_sets_of_the_game_make_its_decks() -> None:
    assert {"first", "second", "air-marshal"} <= {*CARD_SETS}
    for name in COUNTRIES:
        assert len(CARD_SETS["air-marshal"].decks[name]) > 1


@pytest.mark.parametrize("name", ["nowhere", "second", "air-marshal", "/tmp/evil.py", "evil.py"])
def test_a_name_alone_loads_nothing(name: str, tmp_path: Path) -> None:
    """What a record names must be there already, and must not be the game's own."""
    with pytest.raises(QuartermasterError, match="unknown card set"):
        load_rules("second", sets=[name])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "it makes no card set"),
        ("1 / 0", "ZeroDivisionError"),
        ("from quartermaster.cards.vocabulary import *\ncard_set('A B', '')", "small letters"),
        (
            "from quartermaster.cards.vocabulary import *\ncard_set('a', '', spain=[])",
            "unknown country",
        ),
        (
            "from quartermaster.cards.vocabulary import *\ncard_set('a', '', italy=[1])",
            "expected cards",
        ),
        (
            "from quartermaster.cards.vocabulary import *\ncard_set('a', '', gone={'x': ['y']})",
            "unknown country 'x'",
        ),
        (
            "from quartermaster.cards.vocabulary import *\n"
            "card_set('a', '', italy=[event('E', 'T.'), event('E', 'T.')])",
            "two cards are named 'e'",
        ),
        (
            "from quartermaster.cards.vocabulary import *\ncard_set('first', '', italy=[])",
            "another card set named 'first'",
        ),
    ],
)
def test_a_broken_file_says_what_is_wrong(text: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(text)
    with pytest.raises(QuartermasterError, match=reason) as caught:
        find_card_set(str(path))
    assert str(path) in str(caught.value)
    assert "a" not in CARD_SETS


def test_altering_a_card_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(
        "from quartermaster.cards.vocabulary import *\n"
        "card_set('wrong', '', italy=[alter('Bravadoo', text='')])"
    )
    find_card_set(str(path))
    with pytest.raises(QuartermasterError, match="italy has no card 'Bravadoo'"):
        load_rules("second", sets=["wrong"])
    del CARD_SETS["wrong"]


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(QuartermasterError, match="there is no such file"):
        find_card_set("not-there.py")


def test_no_word_hides_another() -> None:
    """The vocabulary takes its words from many modules: none may shadow how cards are made."""
    for name in ("event", "status", "response", "bolster", "warfare", "alter", "revise"):
        assert getattr(words, name) is getattr(declaration, name)


def in_game(desert: str) -> Game:
    """A game with the desert's cards, in which Italy holds two of them."""
    return Game.from_position(
        {"turn": "italy", "hand": {"italy": ["giarabub-oasis", "sand"]}}, sets=[desert]
    )


def test_a_card_of_an_own_set_is_played_by_a_new_word(desert: str) -> None:
    game = in_game(desert)
    assert game.sets == ["desert"]
    before = game.score["axis"]
    game.apply("play sand")
    [score] = [entry.n for entry in game.events if entry.card == "sand" and entry.what == "score"]
    assert score == 2 * len(game.view("italy").countries["italy"].armies)
    assert game.score["axis"] >= before + score


def test_a_game_with_an_own_set_goes_through_record_save_and_pickle(desert: str) -> None:
    game = Game.new(seed=3, sets=[desert])
    for _ in range(40):
        game.apply(game.legal_actions()[-1])
    assert "\nsets: [desert]\n" in game.record
    for again in (
        Game.from_record(game.record),
        Game.load(game.save()),
        pickle.loads(pickle.dumps(game)),
    ):
        assert again == game
        assert again.record == game.record
    look = game.look("italy")
    assert pickle.loads(pickle.dumps(look)) == look


def test_records_and_saves_without_own_sets_do_not_speak_of_them() -> None:
    game = Game.new(seed=3)
    assert "sets:" not in game.record
    assert "sets" not in game.save()


def test_a_record_and_a_save_run_no_code(desert: str) -> None:
    game = Game.new(seed=3, sets=[desert])
    record, save = game.record, game.save()
    CARD_SETS.pop("desert")
    with pytest.raises(BrokenFile, match="unknown card set 'desert'"):
        Game.from_record(record)
    with pytest.raises(QuartermasterError, match="unknown card set 'desert'"):
        Game.load(save)
    with pytest.raises(BrokenFile, match="unknown card set"):
        Game.from_record(record.replace("[desert]", f"[{desert}]"))
    with pytest.raises(QuartermasterError, match="unknown card set"):
        Game.load({**save, "sets": [desert]})
    assert "desert" not in CARD_SETS
    with pytest.raises(BrokenFile, match="sets: expected names"):
        Game.from_record(record.replace("[desert]", "[1]"))
    with pytest.raises(QuartermasterError, match="sets: expected a list of names"):
        Game.load({**save, "sets": 5})


def test_bots_play_with_an_own_set_on_several_cores(desert: str) -> None:
    tally = Tally()
    series = Series(bots=("veteran",), seed=1, sets=(desert,))
    for part in simulate_many(series, games=2, workers=2):
        tally.add(part)
    assert (tally.games, tally.faults) == (2, 0)


def test_the_commands_take_an_own_set(desert: str, tmp_path: Path) -> None:
    def run(*arguments: str) -> Any:
        return CliRunner().invoke(app, [*arguments, "--set", desert])

    listed = run("cards", "--country", "italy", "--json")
    assert "Giarabub Oasis" in [card["name"] for card in json.loads(listed.stdout)]
    told = json.loads(run("simulate", "--games", "2", "--workers", "1", "--json").stdout)
    assert told["games"] == 2
    scenario = tmp_path / "sand.yaml"
    scenario.write_text(
        """\
name: sand brings 2 points for each army, and Italy 2 for its home
sets: [desert]
turn: italy
hand: {italy: [sand]}
pieces: {italy: [italy, balkans]}
script:
  - italy: play sand
  - expect: {score: {axis: 6}}
"""
    )
    ran = run("scenario", str(scenario))
    assert ran.exit_code == 0, ran.output
    CARD_SETS.pop("desert")
    alone = CliRunner().invoke(app, ["scenario", str(scenario)])
    assert "unknown card set 'desert'" in alone.output
    assert alone.exit_code == 2


def test_a_file_that_is_not_there_is_said() -> None:
    with pytest.raises(QuartermasterError, match="no such file"):
        Game.new(sets=["nowhere.py"])
    with pytest.raises(QuartermasterError, match="sets: expected a list"):
        Game.new(sets="mine.py")

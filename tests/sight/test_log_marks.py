"""Sentences of the log say which of their words are the card and the space."""

import random

import pytest

from quartermaster import Game
from quartermaster.cards.as_data import board_data
from quartermaster.lab.checks.fuzz import lively_action
from quartermaster.speech.say import ENGLISH, catalogue


def test_country_and_space_of_one_name_are_told_apart() -> None:
    pieces = {"germany": ["western-europe"]}
    game = Game.from_position({"pieces": pieces, "hand": {"germany": ["build-army"]}})
    game.apply("play build-army")
    game.apply("build army germany")
    [entry] = [entry for entry in game.log() if entry.what == "build"]
    assert entry.text == "Germany builds an army in Germany"
    assert entry.marks == ((26, 33, "space"),)


@pytest.mark.parametrize("seed", range(4))
def test_marks_are_the_names(seed: int) -> None:
    names = {space["id"]: space["name"] for space in board_data("second")["spaces"]}
    game = Game.new("second", seed=seed, options={"air-marshal": bool(seed % 2)})
    chance = random.Random(seed)
    while not game.is_over:
        game.apply(lively_action(game, chance))
    cards = {card.id: card.name for card in game.state.rules.cards}
    texts = catalogue("game", ENGLISH)
    marked = 0
    for entry in game.log():
        assert not any("\ue000" <= letter <= "\uf8ff" for letter in entry.text)
        for start, end, field in entry.marks:
            said = entry.text[start:end]
            if field == "card":
                assert entry.card is not None
                assert said == cards[entry.card]
            else:
                assert field == "space"
                assert entry.space is not None
                assert said in (names[entry.space], texts.get(f"space.{entry.space}.the"))
            marked += 1
    assert marked > 50


def test_what_is_hidden_is_not_marked() -> None:
    game = Game.new("second", seed=3)
    while game.decision.kind == "setup":
        game.apply(game.legal_actions()[0])
    entries = [entry for entry in game.log("japan") if entry.country == "germany"]
    assert entries
    assert all(entry.marks == () for entry in entries if entry.what == "discard")

"""Card texts say what the cards do, the same idea always in the same words."""

import re

import pytest

from quartermaster import load_rules
from quartermaster.rules.card import Card
from quartermaster.rules.effects.costs import DeckCost, HandCost, TypeCost
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, RULE
from quartermaster.rules.when import (
    AboutToLose,
    AnyTime,
    Battles,
    Builds,
    Deploys,
    EnemyBuilds,
    InVictoryStep,
    Loses,
    StartOf,
)

CARDS = {
    (rules, COUNTRIES[card.country], card.id): card
    for rules in ("first", "second")
    for card in load_rules(rules, {"air-marshal": True}).cards
    if card.type != RULE
}
STEPS = ("turn", "play step", "air-force step", "supply step", "victory step", "discard step",
         "draw step")  # fmt: skip


@pytest.fixture(params=CARDS.values(), ids=[" ".join(key) for key in CARDS])
def card(request: pytest.FixtureRequest) -> Card:
    found: Card = request.param
    return found


def test_limit_and_place_are_said_just_where_they_hold(card: Card) -> None:
    assert ("once per turn" in card.text) == card.is_once
    assert ("n place of playing a card:" in card.text) == card.is_in_place


def test_costs_are_said_as_they_are(card: Card) -> None:
    for op in card.cost:
        if isinstance(op, DeckCost):
            top = "top card" if op.n == 1 else f"top {op.n} cards"
            assert f"discard the {top} of your deck" in card.text
        elif isinstance(op, HandCost):
            cards = "card" if op.n == 1 else "cards"
            assert re.search(rf"{op.n} (other )?{cards} from hand", card.text)
        elif isinstance(op, TypeCost):
            kind = {"response": "a response card", "build-army": "a Build Army card"}
            assert f"discard {kind[CARD_TYPES[op.type]]}" in card.text
    if not card.cost:
        assert not re.search(r"discard .* (from hand|of your deck) to ", card.text) or (
            card.id == "lend-lease"  # first edition: the cost is a part of its effect
        )


def test_triggers_are_said_in_their_words(card: Card) -> None:
    trigger, text = card.trigger, card.text
    if isinstance(trigger, StartOf):
        whose = "any country's" if trigger.in_any_turn else "your"
        assert text.startswith(f"At the start of {whose} {STEPS[trigger.kind]}")
    elif isinstance(trigger, InVictoryStep):
        assert text.startswith("In your victory step: +")
    elif isinstance(trigger, Battles):
        assert text.startswith("When you battle ")
    elif isinstance(trigger, Builds):
        assert text.startswith("When you build a")
    elif isinstance(trigger, EnemyBuilds):
        assert text.startswith("Right after an A")
        assert ("or recruited" in text) == trigger.or_recruits
    elif isinstance(trigger, AboutToLose):
        assert " is about to be removed" in text
        assert ("supplied" in text) == trigger.which.is_supplied
    elif isinstance(trigger, Loses):
        assert text.startswith("Right after ")
    elif isinstance(trigger, Deploys):
        assert text.startswith("When you deploy or marshal an air force")
    elif isinstance(trigger, AnyTime):
        start = "Any time in your turn: " if trigger.in_own_turn else "Any time: "
        assert text.startswith(start)


def test_sentences_are_whole_and_plain(card: Card) -> None:
    assert re.match(r"[A-Z+]", card.text)
    assert card.text.endswith(".")
    assert not re.search(r"  | ,|\bVPs\b|[Vv]ictory [Pp]oint|\bUK\b|\bUS\b|\bUSSR\b", card.text)
    # Armies and navies are pieces, not names: never capitalised but in "Build Army".
    assert not re.search(
        r"\b(Army|Navy|Armies|Navies)\b", re.sub("Build (Army|Navy)", "", card.text)
    )


@pytest.mark.parametrize(
    ("rules", "country", "card_id", "words"),
    [
        ("second", "germany", "jet-fighters", "not below 0"),
        ("second", "italy", "skilled-pilots", "not below 0"),
        ("second", "germany", "volkssturm", "Your play step still follows."),
        ("first", "japan", "deploy-air-force", "In your play step it can only be discarded"),
    ],
)
def test_limits_that_players_ask_about_are_said(
    rules: str, country: str, card_id: str, words: str
) -> None:
    assert words in CARDS[rules, country, card_id].text

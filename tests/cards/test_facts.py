"""The board and the decks as printed, counted."""

import csv
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from quartermaster import load_rules
from quartermaster.cards.as_data import board_data
from quartermaster.cards.rule_sets import RULE_SETS
from quartermaster.cards.rulings import all_rulings
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, RULE

FACTS = Path(__file__).parent / "facts"

# Copies by country: Germany, United Kingdom, Japan, Soviet Union, Italy, United States.
SECOND = {
    "build-army": (6, 5, 4, 8, 4, 5),
    "land-battle": (7, 4, 3, 6, 4, 4),
    "build-navy": (2, 5, 6, 1, 3, 5),
    "sea-battle": (2, 5, 4, 2, 2, 4),
    "economic-warfare": (6, 2, 2, 0, 2, 5),
    "event": (6, 6, 0, 6, 6, 10),
    "response": (0, 7, 11, 5, 4, 0),
    "status": (12, 6, 4, 6, 5, 8),
}
FIRST_AIR = {
    "build-army": (6, 5, 4, 8, 4, 5),
    "build-navy": (2, 5, 6, 1, 3, 5),
    "land-battle": (7, 4, 3, 6, 4, 4),
    "sea-battle": (2, 5, 4, 2, 2, 4),
    "economic-warfare": (5, 2, 2, 0, 2, 5),
    "event": (7, 7, 0, 6, 7, 8),
    "status": (11, 7, 3, 7, 5, 9),
    "response": (0, 4, 11, 4, 3, 0),
    "deploy-air-force": (3, 3, 3, 2, 2, 4),
    "bolster": (8, 5, 7, 6, 5, 6),
}


@pytest.mark.parametrize(
    ("rules", "air", "counts"),
    [("second", False, SECOND), ("first", True, FIRST_AIR), ("french", True, FIRST_AIR)],
)
def test_card_distribution(rules: str, air: bool, counts: dict[str, tuple[int, ...]]) -> None:
    cards = load_rules(rules, {"air-marshal": air}).cards
    for type_name, wanted in counts.items():
        for country, copies in enumerate(wanted):
            found = sum(
                card.copies
                for card in cards
                if card.country == country and CARD_TYPES[card.type] == type_name
            )
            assert found == copies, (COUNTRIES[country], type_name)
    assert {CARD_TYPES[card.type] for card in cards if card.type != RULE} == counts.keys()


def test_ids_are_unique_in_a_country_and_texts_are_there() -> None:
    for rules in ("first", "second"):
        cards = load_rules(rules, {"air-marshal": True}).cards
        named = [(card.country, card.id) for card in cards]
        assert len(set(named)) == len(named)
        for card in cards:
            assert card.text.endswith("."), card.name
            assert "  " not in card.text, card.name


def printed_cards(*editions: str) -> list[tuple[str, ...]]:
    with open(FACTS / "cards.tsv", encoding="utf-8") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return sorted(tuple(row[1:]) for row in rows if row[0] in editions)


@pytest.mark.parametrize("rules", ["first", "french", "second"])
@pytest.mark.parametrize("has_air", [False, True])
def test_every_card_is_there_as_printed(rules: str, has_air: bool) -> None:
    editions = ["second" if rules == "second" else "first"] + ["air-marshal"] * has_air
    cards = load_rules(rules, {"air-marshal": has_air}).cards
    assert printed_cards(*editions) == sorted(
        (COUNTRIES[card.country], CARD_TYPES[card.type], str(card.copies), card.name)
        for card in cards
        if card.type != RULE
    )


BOARD = json.loads((FACTS / "board.json").read_text())


@pytest.mark.parametrize("edition", ["first", "second"])
def test_the_board_is_as_printed(edition: str) -> None:
    data = board_data(edition)
    assert data["spaces"] == BOARD["spaces"]
    assert data["straits"] == BOARD["straits"]
    edges = BOARD["edges"]["both"] + BOARD["edges"][f"{edition}_only"]
    borders = [frozenset(border) for border in data["borders"]]
    assert sorted(map(sorted, borders)) == sorted(map(sorted, edges))
    touching = BOARD["not_adjacent_though_they_touch"]
    for pair in touching["both"] + (touching["first_only"] if edition == "first" else []):
        assert frozenset(pair) not in borders


def test_the_game_has_all_rulings_on_cards() -> None:
    """`python tools/bake_rulings.py` brings them up to date."""
    rows = (Path(__file__).parents[2] / "docs/rulings.md").read_text(encoding="utf-8")
    told = [asdict(ruling) for ruling in all_rulings()]
    assert len(told) > 20
    for row in told:
        assert f"| {row['about']} | {row['text']} | {row['why']} |" in rows
    part = rows.partition("## Cards with a doubt")[2].partition("\n## ")[0]
    assert part.count("\n| ") == len(told) + 2  # the head and its line
    air = {"air-marshal": True}
    ids = [card.id for rules in RULE_SETS for card in load_rules(rules, air).cards]
    unknown = [n for row in told for n in row["cards"] if not any(id.startswith(n) for id in ids)]
    assert unknown == []
    assert len({row["id"] for row in told}) == len(told)

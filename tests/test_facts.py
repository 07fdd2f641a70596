"""The board and the decks as printed, counted."""

import pytest

from quartermaster import load_rules
from quartermaster.rules.board import BOARDS, SPACE_INDEX, SUPPLY_MASK
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, RULE

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


def test_spaces_that_touch_at_a_point_are_not_adjacent() -> None:
    for edition, pairs in {
        "both": [
            ("middle-east", "balkans"), ("black-sea", "mediterranean-sea"),
            ("africa", "north-sea"), ("north-africa", "south-atlantic"), ("kazakhstan", "india"),
            ("siberia", "szechuan"), ("china", "south-china-sea"),
            ("southeast-asia", "sea-of-japan"), ("japan", "vladivostok"),
        ],
        "first": [
            ("western-united-states", "north-pacific"), ("pacific-northwest", "east-pacific"),
            ("africa", "bay-of-bengal"), ("north-africa", "indian-ocean"),
        ],
    }.items():  # fmt: skip
        for board in BOARDS.values():
            if edition in ("both", board.edition):
                for a, b in pairs:
                    assert not board.shut[SPACE_INDEX[a]] >> SPACE_INDEX[b] & 1, (a, b)


def test_board_counts() -> None:
    assert SUPPLY_MASK.bit_count() == 12
    assert len(BOARDS["first"].borders) == len(BOARDS["second"].borders) - 2
    for board in BOARDS.values():
        for space, borders in enumerate(board.shut):
            assert borders, f"{space} borders nothing"
            assert not borders >> space & 1

"""What there is, as plain data: rule sets, options, cards, boards."""

from typing import Any, TypedDict

from quartermaster.cards.rule_sets import RULE_SETS, RuleSet, load_rules
from quartermaster.cards.rulings import Ruling, all_rulings
from quartermaster.rules.board import BOARDS, HOMES, LAND_SPACES, SPACES, STRAITS, SUPPLY_MASK
from quartermaster.rules.card import Card
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, RULE
from quartermaster.rules.rule_set import Rules
from quartermaster.speech.nouns import card_noun, card_text, space_noun, type_noun
from quartermaster.speech.say import Noun, say


class OptionData(TypedDict):
    name: str
    default: bool
    text: str


class RuleSetData(TypedDict):
    name: str
    text: str
    options: list[OptionData]
    seats: dict[str, list[list[str]]]  # by the number of players


class CardData(TypedDict):
    country: str
    type: str
    copies: int
    name: str
    id: str
    text: str


class RulingData(TypedDict):
    id: str
    cards: list[str]  # their ids, or how those begin
    editions: list[str]
    about: str  # the cards, for people
    text: str
    why: str


class SpaceData(TypedDict):
    id: str
    name: str
    kind: str  # "land", "sea"
    supply: bool
    home_of: str | None


class StraitData(TypedDict):
    controlled_from: str
    joins: list[str]


class BoardData(TypedDict):
    spaces: list[SpaceData]
    borders: list[list[str]]
    straits: list[StraitData]


def rules_data() -> list[RuleSetData]:
    """The rule sets, their options, and who plays what with 2 to 6 players."""
    return [
        {
            "name": rule_set.name,
            "text": rule_set.text,
            "options": [
                {"name": o.name, "default": o.default, "text": o.text} for o in rule_set.options
            ],
            "seats": {
                str(players): [[COUNTRIES[country] for country in seat] for seat in seats]
                for players, seats in rule_set.seats.items()
            },
        }
        for rule_set in RULE_SETS.values()
    ]


def card_data(rules: Rules, card: Card) -> CardData:
    return {
        "country": COUNTRIES[card.country],
        "type": CARD_TYPES[card.type],
        "copies": card.copies,
        "name": str(card_noun(card.id, card.name)),
        "id": card.id,
        "text": card_text(rules, card),
    }


def rulings_data() -> list[RulingData]:
    """The rulings on cards."""

    def said(ruling: Ruling, part: str) -> str:
        return str(Noun(f"ruling.{ruling.id}.{part}", getattr(ruling, part)))

    return [
        {
            "id": one.id,
            "cards": list(one.cards),
            "editions": list(one.editions),
            "about": said(one, "about"),
            "text": said(one, "text"),
            "why": said(one, "why"),
        }
        for one in all_rulings()
    ]


def board_data(edition: str) -> BoardData:
    """The board as plain data: borders with all straits shut, and the straits apart."""
    homes = {home: COUNTRIES[country] for country, home in enumerate(HOMES)}
    return {
        "spaces": [
            {
                "id": space_id,
                "name": str(space_noun(space_id)),
                "kind": "land" if i < LAND_SPACES else "sea",
                "supply": bool(SUPPLY_MASK >> i & 1),
                "home_of": homes.get(i),
            }
            for i, (space_id, _) in enumerate(SPACES)
        ],
        "borders": [[SPACES[a][0], SPACES[b][0]] for a, b in BOARDS[edition].borders],
        "straits": [
            {"controlled_from": land, "joins": [sea, other]} for land, sea, other in STRAITS
        ],
    }


# Rows of the comparison, as fields of a rule set.
_ROWS = (
    "edition", "us_navies", "has_sudden_victory", "lead_to_win", "has_reallocate",
    "is_status_delayed", "is_removal_free", "is_hand_behind_deck", "is_empty_hand_costly",
    "is_score_difference", "seats",
)  # fmt: skip


def _row(rule_set: RuleSet, field: str) -> str:
    value = getattr(rule_set, field)
    if field == "seats":
        return "; ".join(_seats(rule_set, players) for players in (3, 4, 5))
    if field == "us_navies":
        return str(value)
    if field == "has_reallocate" and value is None:
        [option] = [option for option in rule_set.options if option.name == "reallocate"]
        value = "on" if option.default else "off"
    return say(f"compare.{field}.{value}".lower())


def _seats(rule_set: RuleSet, players: int) -> str:
    seats = rule_set.seats[players]
    return " / ".join("+".join(COUNTRIES[country] for country in seat) for seat in seats)


def _cards_by_key(name: str) -> dict[tuple[str, str], Card]:
    return {
        (COUNTRIES[card.country], card.name): card
        for card in load_rules(name).cards
        if card.type != RULE
    }


def _content(card: Card) -> tuple[int, int, str]:
    return card.type, card.copies, card.text


def _told(rules: str, card: Card | None) -> str | None:
    if card is None:
        return None
    id = "compare.card" if card.copies == 1 else "compare.cards"
    text = card_text(load_rules(rules), card)
    return say(id, type=type_noun(CARD_TYPES[card.type]), n=card.copies, text=text)


def compare_data(first: str, second: str) -> dict[str, Any]:
    """The differences of two rule sets, in rules and cards."""
    a, b = RULE_SETS[first], RULE_SETS[second]
    rules = [
        {"rule": say(f"compare.{field}"), first: _row(a, field), second: _row(b, field)}
        for field in _ROWS
        if _row(a, field) != _row(b, field)
    ]
    cards_a, cards_b = _cards_by_key(first), _cards_by_key(second)
    differences = []
    for key in sorted(cards_a.keys() | cards_b.keys(), key=lambda k: (COUNTRIES.index(k[0]), k[1])):
        one, other = cards_a.get(key), cards_b.get(key)
        if one is None or other is None or _content(one) != _content(other):
            card = one or other
            assert card is not None
            name = str(card_noun(card.id, card.name))
            told = {first: _told(first, one), second: _told(second, other)}
            differences.append({"country": key[0], "name": name, **told})
    borders = []
    one_board, other_board = (load_rules(name).board for name in (first, second))
    for a_space, b_space in sorted({*one_board.borders} ^ {*other_board.borders}):
        is_first = (a_space, b_space) in one_board.borders
        borders.append(
            {
                "border": [SPACES[a_space][0], SPACES[b_space][0]],
                first: is_first,
                second: not is_first,
            }
        )
    return {"rules": rules, "borders": borders, "cards": differences}

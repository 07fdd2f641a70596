"""What there is, as plain data: rule sets, options, cards, boards, bots."""

from dataclasses import fields
from typing import Any

from quartermaster.bots import BOTS
from quartermaster.cards.rulesets import RULE_SETS, RuleSet, load_rules
from quartermaster.rules.board import BOARDS, HOMES, LAND_SPACES, SPACES, STRAITS, SUPPLY_MASK
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, RULE
from quartermaster.rules.state import Card


def bots_data() -> list[dict[str, Any]]:
    """The bots, from weak to strong."""
    return [
        {"name": bot.name, "about": bot.about, "settings": list(bot.settings)}
        for bot in BOTS.values()
    ]


def rules_data() -> list[dict[str, Any]]:
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


def card_data(card: Card) -> dict[str, Any]:
    return {
        "country": COUNTRIES[card.country],
        "type": CARD_TYPES[card.type],
        "copies": card.copies,
        "name": card.name,
        "id": card.id,
        "text": card.text,
    }


def board_data(edition: str) -> dict[str, Any]:
    """The board as plain data: borders with all straits shut, and the straits apart."""
    homes = {home: COUNTRIES[country] for country, home in enumerate(HOMES)}
    return {
        "spaces": [
            {
                "id": space_id,
                "name": name,
                "kind": "land" if i < LAND_SPACES else "sea",
                "supply": bool(SUPPLY_MASK >> i & 1),
                "home_of": homes.get(i),
            }
            for i, (space_id, name) in enumerate(SPACES)
        ],
        "borders": [[SPACES[a][0], SPACES[b][0]] for a, b in BOARDS[edition].borders],
        "straits": [
            {"controlled_from": land, "joins": [sea, other]} for land, sea, other in STRAITS
        ],
    }


# Rows of the comparison: field of a rule set -> how it reads.
_ROWS: dict[str, tuple[str, dict[Any, str]]] = {
    "edition": ("cards and board", {}),
    "us_navies": ("United States navies", {}),
    "has_sudden_victory": (
        "armies in 2 enemy home spaces, or 400 VP",
        {True: "win at once (not with Air Marshal)", False: "-"},
    ),
    "lead_to_win": ("30 VP ahead at the end of a round", {None: "option", 30: "wins"}),
    "has_reallocate": ("Reallocate Resources", {None: "option", True: "always"}),
    "seats": ("countries of each of 3, 4, 5 players", {}),
    "is_status_delayed": (
        "a status card put down",
        {False: "holds at once, not in place of playing", True: "holds from the next round"},
    ),
    "is_removal_free": (
        "taking own pieces off the board",
        {True: "any time", False: "own turn, when all are on the board"},
    ),
    "is_hand_behind_deck": (
        "discarding off an empty deck",
        {True: "from hand; both empty: -1 VP a card", False: "-1 VP a card"},
    ),
    "is_empty_hand_costly": (
        "no card for the play step",
        {True: "top of the deck is discarded; none: -1 VP", False: "nothing happens"},
    ),
    "is_score_difference": ("score shown as", {True: "one difference", False: "two totals"}),
}


def _row(rule_set: RuleSet, field: str) -> str:
    value = getattr(rule_set, field)
    if field == "seats":
        return "; ".join(_seats(rule_set, players) for players in (3, 4, 5))
    if field == "has_reallocate" and value is None:
        [option] = [option for option in rule_set.options if option.name == "reallocate"]
        return f"option, {'on' if option.default else 'off'} by default"
    return _ROWS[field][1].get(value, str(value))


def _seats(rule_set: RuleSet, players: int) -> str:
    seats = rule_set.seats[players]
    return " / ".join("+".join(COUNTRIES[country] for country in seat) for seat in seats)


def _cards_by_key(name: str) -> dict[tuple[str, str], Card]:
    return {
        (COUNTRIES[card.country], card.name): card
        for card in load_rules(name).cards
        if card.type != RULE
    }


def compare_data(first: str, second: str) -> dict[str, Any]:
    """The differences of two rule sets, in rules and cards."""
    a, b = RULE_SETS[first], RULE_SETS[second]
    rules = [
        {"rule": _ROWS[field.name][0], first: _row(a, field.name), second: _row(b, field.name)}
        for field in fields(RuleSet)
        if field.name in _ROWS and _row(a, field.name) != _row(b, field.name)
    ]
    cards_a, cards_b = _cards_by_key(first), _cards_by_key(second)
    differences = []
    for key in sorted(cards_a.keys() | cards_b.keys(), key=lambda k: (COUNTRIES.index(k[0]), k[1])):
        one, other = cards_a.get(key), cards_b.get(key)
        told = [
            None
            if card is None
            else f"{CARD_TYPES[card.type]}"
            f"{f' x{card.copies}' if card.copies > 1 else ''}: {card.text}"
            for card in (one, other)
        ]
        if told[0] != told[1]:
            differences.append({"country": key[0], "name": key[1], first: told[0], second: told[1]})
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

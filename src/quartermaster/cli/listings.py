"""`bots`, `cards`, `board` and `rules`: what there is."""

from dataclasses import fields
from typing import Annotated, Any

import typer
from rich.table import Table

from quartermaster.bots import BOTS
from quartermaster.cards.rulesets import RULE_SETS, RuleSet, load_rules
from quartermaster.cli.common import (
    AirMarshalOption,
    JsonOption,
    OptionOption,
    RulesOption,
    chosen_options,
    console,
    friendly,
    print_json,
)
from quartermaster.errors import UnknownName
from quartermaster.notation import country_index
from quartermaster.rules.board import (
    BOARDS,
    HOMES,
    LAND_SPACES,
    SPACES,
    STRAITS,
    SUPPLY_MASK,
    spaces_in,
)
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, COUNTRY_NAMES, RULE
from quartermaster.rules.state import Card


@friendly
def bots(as_json: JsonOption = False) -> None:
    """List the bots, from weak to strong, and how each plays."""
    levels = list(BOTS.values())
    if as_json:
        print_json(
            [{"name": b.name, "about": b.about, "settings": list(b.settings)} for b in levels]
        )
        return
    table = Table(box=None, pad_edge=False)
    for column in ("Bot", "How it plays", "Settings"):
        table.add_column(column)
    for level in levels:
        table.add_row(f"[bold]{level.name}[/]", level.about, ", ".join(level.settings))
    console.print(table)
    console.print("Settings follow a colon: general:seconds=0.5:cores=2")


def card_data(card: Card) -> dict[str, Any]:
    return {
        "country": COUNTRIES[card.country],
        "type": CARD_TYPES[card.type],
        "copies": card.copies,
        "name": card.name,
        "id": card.id,
        "text": card.text,
    }


@friendly
def cards(
    rules: RulesOption = "second",
    air_marshal: AirMarshalOption = False,
    option: OptionOption = None,
    country: Annotated[
        str | None, typer.Option("--country", "-c", help="Only this country's cards.")
    ] = None,
    type: Annotated[
        str | None, typer.Option("--type", "-t", help="Only cards of this type.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the cards of a rule set, with their texts."""
    loaded = load_rules(rules, chosen_options(rules, air_marshal, option))
    found = [card for card in loaded.cards if card.type != RULE]
    if country is not None:
        wanted = country_index(country)
        found = [card for card in found if card.country == wanted]
    if type is not None:
        if type not in CARD_TYPES[:RULE]:
            raise UnknownName("card type", type, CARD_TYPES[:RULE])
        found = [card for card in found if CARD_TYPES[card.type] == type]
    if as_json:
        print_json([card_data(card) for card in found])
        return
    for index in sorted({card.country for card in found}):
        own = [card for card in found if card.country == index]
        table = Table(
            title=f"{COUNTRY_NAMES[index]}, {sum(card.copies for card in own)} cards",
            title_justify="left",
            show_lines=False,
        )
        for column in ("Type", "Copies", "Name", "Text"):
            table.add_column(column)
        for card in own:
            table.add_row(CARD_TYPES[card.type], str(card.copies), card.name, card.text)
        console.print(table)
    console.print(f"{sum(card.copies for card in found)} cards, {len(found)} different")


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


@friendly
def board(rules: RulesOption = "second", as_json: JsonOption = False) -> None:
    """List the board of a rule set: spaces, borders with all straits shut, straits."""
    loaded = load_rules(rules)
    if as_json:
        print_json(board_data(loaded.board.edition))
        return
    table = Table(title=f"Board of the {loaded.board.edition} edition", title_justify="left")
    for column in ("Space", "Kind", "", "Adjacent to"):
        table.add_column(column, overflow="fold")
    data = board_data(loaded.board.edition)
    for i, space in enumerate(data["spaces"]):
        marks = "star" if space["supply"] else ""
        if space["home_of"]:
            marks += f", home of {space['home_of']}"
        beside = ", ".join(SPACES[b][0] for b in spaces_in(loaded.board.shut[i]))
        table.add_row(space["id"], space["kind"], marks, beside)
    console.print(table)
    for land, sea, other in STRAITS:
        console.print(f"Strait: {land} joins {sea} and {other}")


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


@friendly
def rules(
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option("--compare", metavar="A B", help="Show two rule sets side by side."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the rule sets and their options, or compare two of them."""
    if compare is not None:
        for name in compare:
            if name not in RULE_SETS:
                raise UnknownName("rule set", name, RULE_SETS)
        _print_comparison(compare[0], compare[1], as_json)
        return
    if as_json:
        print_json(
            [
                {
                    "name": rule_set.name,
                    "text": rule_set.text,
                    "options": [
                        {"name": o.name, "default": o.default, "text": o.text}
                        for o in rule_set.options
                    ],
                }
                for rule_set in RULE_SETS.values()
            ]
        )
        return
    table = Table(show_header=False, box=None, pad_edge=False)
    for rule_set in RULE_SETS.values():
        table.add_row(f"[bold]{rule_set.name}[/]", "", rule_set.text)
        for option in rule_set.options:
            default = "on" if option.default else "off"
            table.add_row(f"  {option.name}", default, option.text)
    console.print(table)


def _print_comparison(first: str, second: str, as_json: bool) -> None:
    data = compare_data(first, second)
    if as_json:
        print_json(data)
        return
    table = Table(title="Rules", title_justify="left", show_lines=True)
    for column in ("", first, second):
        table.add_column(column, ratio=1)
    for row in data["rules"]:
        table.add_row(row["rule"], row[first], row[second])
    console.print(table if data["rules"] else "The rules are the same.")
    for row in data["borders"]:
        console.print(
            f"Border only in {first if row[first] else second}: {' - '.join(row['border'])}"
        )
    table = Table(title="Cards", title_justify="left", show_lines=True)
    for column in ("Card", first, second):
        table.add_column(column, ratio=1)
    for row in data["cards"]:
        table.add_row(
            f"{row['name']}\n[dim]{row['country']}[/]", row[first] or "-", row[second] or "-"
        )
    console.print(table if data["cards"] else "The cards are the same.")

"""`bots`, `cards`, `board`, `rules` and `languages`: what there is."""

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from quartermaster.bots import BOTS, bots_data
from quartermaster.bots.plugins import FORMS, installed_bots
from quartermaster.cards.as_data import board_data, card_data, compare_data, rules_data
from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.cli import completion
from quartermaster.cli.common import (
    AirMarshalOption,
    JsonOption,
    OptionOption,
    RulesOption,
    SetOption,
    chosen_options,
    chosen_sets,
    console,
    friendly,
    print_json,
)
from quartermaster.errors import UnknownName
from quartermaster.forms.notation import country_index
from quartermaster.lab.translations import DOMAINS, shares
from quartermaster.rules.board import (
    SPACES,
    STRAITS,
    spaces_in,
)
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, RULE
from quartermaster.speech.nouns import card_noun, card_text, country_noun, type_noun
from quartermaster.speech.say import own_name, say


@friendly
def bots(as_json: JsonOption = False) -> None:
    """List the bots, from weak to strong, and how each plays."""
    levels = list(BOTS.values())
    installed = installed_bots()
    if as_json:
        others = [{"name": name, "title": name, "about": place, "settings": []}
                  for name, place in installed.items()]  # fmt: skip
        print_json([*bots_data(), *others])
        return
    table = Table(box=None, pad_edge=False)
    for column in ("bot", "how", "settings"):
        table.add_column(say(f"list.bots.{column}"))
    for level in levels:
        table.add_row(f"[bold]{level.name}[/]", level.about, ", ".join(level.settings))
    for name, place in installed.items():
        table.add_row(f"[bold]{escape(name)}[/]", say("list.bots.installed", place=place), "")
    console.print(table)
    console.print(say("list.bots.colon", example="general:seconds=0.5:cores=2"))
    console.print(say("list.bots.own", forms=", ".join(FORMS)), soft_wrap=True)


@friendly
def cards(
    rules: RulesOption = "second",
    air_marshal: AirMarshalOption = False,
    option: OptionOption = None,
    country: Annotated[
        str | None,
        typer.Option(
            "--country", "-c", help="Only this country's cards.", autocompletion=completion.country
        ),
    ] = None,
    type: Annotated[
        str | None,
        typer.Option(
            "--type", "-t", help="Only cards of this type.", autocompletion=completion.card_type
        ),
    ] = None,
    card_set: SetOption = None,
    as_json: JsonOption = False,
) -> None:
    """List the cards of a rule set, with their texts."""
    sets = chosen_sets(card_set)
    loaded = load_rules(rules, chosen_options(rules, air_marshal, option), sets)
    found = [card for card in loaded.cards if card.type != RULE]
    if country is not None:
        wanted = country_index(country)
        found = [card for card in found if card.country == wanted]
    if type is not None:
        if type not in CARD_TYPES[:RULE]:
            raise UnknownName("card type", type, CARD_TYPES[:RULE])
        found = [card for card in found if CARD_TYPES[card.type] == type]
    if as_json:
        print_json([card_data(loaded, card) for card in found])
        return
    for index in sorted({card.country for card in found}):
        own = [card for card in found if card.country == index]
        table = Table(
            title=say(
                "list.cards.country",
                country=country_noun(COUNTRIES[index]),
                n=sum(card.copies for card in own),
            ),
            title_justify="left",
            show_lines=False,
        )
        for column in ("type", "copies", "name", "text"):
            table.add_column(say(f"list.cards.{column}"))
        for card in own:
            table.add_row(
                str(type_noun(CARD_TYPES[card.type])),
                str(card.copies),
                str(card_noun(card.id, card.name)),
                card_text(loaded, card),
            )
        console.print(table)
    total = sum(card.copies for card in found)
    console.print(say("list.cards.total", n=total, different=len(found)))


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


@friendly
def rules(
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--compare",
            metavar="A B",
            help="Show two rule sets side by side.",
            autocompletion=completion.rule_set,
        ),
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
        print_json(rules_data())
        return
    table = Table(show_header=False, box=None, pad_edge=False)
    for rule_set in RULE_SETS.values():
        table.add_row(f"[bold]{rule_set.name}[/]", "", rule_set.text)
        for option in rule_set.options:
            default = say("list.option.on" if option.default else "list.option.off")
            table.add_row(f"  {option.name}", default, option.text)
    console.print(table)


def _print_comparison(first: str, second: str, as_json: bool) -> None:
    data = compare_data(first, second)
    if as_json:
        print_json(data)
        return
    table = Table(title=say("list.rules.rules"), title_justify="left", show_lines=True)
    for column in ("", first, second):
        table.add_column(column, ratio=1)
    for row in data["rules"]:
        table.add_row(row["rule"], row[first], row[second])
    console.print(table if data["rules"] else say("list.rules.same-rules"))
    for row in data["borders"]:
        where = first if row[first] else second
        console.print(say("list.rules.border", rules=where, border=" - ".join(row["border"])))
    table = Table(title=say("list.rules.cards"), title_justify="left", show_lines=True)
    for column in (say("list.rules.card"), first, second):
        table.add_column(column, ratio=1)
    for row in data["cards"]:
        table.add_row(
            f"{row['name']}\n[dim]{country_noun(row['country'])}[/]",
            row[first] or "-",
            row[second] or "-",
        )
    console.print(table if data["cards"] else say("list.rules.same-cards"))


@friendly
def languages(as_json: JsonOption = False) -> None:
    """List the languages, and how much of each catalogue of words they have."""
    found = shares()
    if as_json:
        print_json(
            {
                language: {name: {"done": part.done, "of": part.of} for name, part in parts.items()}
                for language, parts in found.items()
            }
        )
        return
    table = Table(box=None, pad_edge=False)
    for column in ("Language", ""):
        table.add_column(column)
    for name in (*DOMAINS, "all"):
        table.add_column(f"{name}", justify="right")
    for language, parts in found.items():
        done, of = (sum(getattr(part, name) for part in parts.values()) for name in ("done", "of"))
        shown = [own_name(language), *map(str, parts.values()), f"{done * 100 // of}%"]
        table.add_row(f"[bold]{language}[/]", *shown)
    console.print(table)
    console.print("What a language has no words for is said in English; see docs/translating.md.")

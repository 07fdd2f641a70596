"""What a card of the printed decks needs beside its declaration: all that is missing is told at
once, so that whoever adds or changes one need not meet failing tests one by one."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from quartermaster import load_rules
from quartermaster.rules.card import Card
from quartermaster.rules.names import BOLSTER, CARD_TYPES, COUNTRIES, DEPLOY_AIR_FORCE, RULE
from quartermaster.speech.say import ENGLISH, catalogue, languages

SCENARIOS = Path(__file__).parent / "scenarios"
PRINTED = (Path(__file__).parent / "facts" / "cards.tsv").read_text(encoding="utf-8").splitlines()


@cache
def scenarios_of(folder: str, country: str) -> str:
    return (SCENARIOS / folder / f"{country}.yaml").read_text(encoding="utf-8")


def lacks_of_card(edition: str, card: Card) -> Iterator[str]:
    country, type = COUNTRIES[card.country], CARD_TYPES[card.type]
    is_air = card.type in (DEPLOY_AIR_FORCE, BOLSTER)
    row = "\t".join([country, type, str(card.copies), card.name])
    if not any(line.partition("\t")[2] == row for line in PRINTED):
        yield f"{card.name}: the row {row!r} in tests/cards/facts/cards.tsv, and its count"
    folder = "air-marshal" if is_air else edition
    if not re.search(rf"(?<![\w-]){card.id}(?![\w-])", scenarios_of(folder, country)):
        yield f"{card.name}: scenarios in tests/cards/scenarios/{folder}/{country}.yaml"
    for language in languages():
        if language != ENGLISH:
            texts = catalogue("cards", language)
            for id in (f"card.{card.id}", f"text.{edition}.{country}.{card.id}"):
                if id not in texts:
                    yield f"{card.name}: {id} in {language}/LC_MESSAGES/cards.po"


def test_no_card_of_the_printed_decks_lacks_anything() -> None:
    lacking = [
        lack
        for edition in ("first", "second")
        for card in load_rules(edition, {"air-marshal": True}).cards
        if card.type != RULE
        for lack in lacks_of_card(edition, card)
    ]
    regenerate = "then: python tests/rules/golden/regenerate.py"
    assert not lacking, "still to be written:\n" + "\n".join([*lacking, regenerate])

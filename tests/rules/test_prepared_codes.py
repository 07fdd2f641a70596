"""What the core makes beforehand says the same as what it would make anew."""

import re

from quartermaster.core import core_files
from quartermaster.rules.actions import CODES_ON_CARDS, ON_CARD, VERBS, on_card
from quartermaster.rules.masks import bit_of

# Compiled, `1 << n` is of 32 bits where n is an i64. These are no i64, or stay below that.
SHIFTED = re.compile(r"(?<![\w.)])\d+ << ([\w.]+)")
NUMBERS = {
    "HOMES", "LAND_SPACES", "N_SPACES", "SPACE_INDEX", "a", "b", "card.index", "card.place",
    "card_type", "country", "decider", "i", "int", "len", "member", "occasion_space",
    "op.target_of", "types",
}  # fmt: skip


def test_the_codes_on_cards() -> None:
    for verb in VERBS:
        made = CODES_ON_CARDS[verb.number]
        assert made == [on_card(verb.number, card) for card in range(512)][: len(made)]
        assert len(made) == (512 if verb.on == ON_CARD else 0)


def test_sets_of_one() -> None:
    assert [bit_of(member) for member in range(63)] == [1 << member for member in range(63)]


def test_sets_are_made_by_their_word() -> None:
    for path in core_files():
        for found in SHIFTED.finditer(path.read_text()):
            assert found[1].isdigit() or found[1] in NUMBERS, f"{path.name}: {found[0]}: use bit_of"

"""Actions as ints: a verb, a country or space `x`, and a space or card `y`.

Inside the engine a choice is one int; `quartermaster.forms.notation` gives it its text.
"""

from typing import Final

PASS: Final = 0
PLAY: Final = 1  # card
DISCARD: Final = 2  # card
USE: Final = 3  # card
BUILD: Final = 4  # country, space
RECRUIT: Final = 5  # country, space
BATTLE: Final = 6  # country (NO_COUNTRY for an empty space), space
ELIMINATE: Final = 7  # country, space
ELIMINATE_AIR: Final = 8  # country, space
REMOVE: Final = 9  # country, space: the owner takes its piece off
REMOVE_AIR: Final = 10  # country, space
REBUILD: Final = 11  # country, space
CHOOSE: Final = 12  # country
TAKE: Final = 13  # card
PUT: Final = 14  # card
LAY: Final = 15  # card, face down or face up on the table
PROTECT: Final = 16  # country, space
DEPLOY: Final = 17  # country, space
MARSHAL: Final = 18  # country, space
MOVE: Final = 19  # country, space: an air force to a space
DISCARD_DECK: Final = 20
DISCARD_RESPONSE: Final = 21  # country

VERBS: Final = (
    "pass", "play", "discard", "use", "build", "recruit", "battle", "eliminate",
    "eliminate", "remove", "remove", "rebuild", "choose", "take", "put", "lay",
    "protect", "deploy", "marshal", "move", "discard-deck", "discard-response",
)  # fmt: skip

NO_COUNTRY: Final = 7


def on_card(verb: int, card: int) -> int:
    return verb << 15 | card


def on_space(verb: int, country: int, space: int) -> int:
    return verb << 15 | country << 9 | space


def on_country(verb: int, country: int) -> int:
    return verb << 15 | country << 9


def verb_of(code: int) -> int:
    return code >> 15


def country_of(code: int) -> int:
    return code >> 9 & 63


def card_of(code: int) -> int:
    return code & 511


def space_of(code: int) -> int:
    return code & 511

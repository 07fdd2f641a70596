"""Actions as ints, and the two tables of what can be asked and answered.

Inside the engine a choice is one int, which holds a verb and what it is done to: a card, a country,
or a space with the country whose piece stands there. `VERBS` says of each verb what its code holds
and what its text looks like; the notation, the numbers of actions and the bots' habits are made of
it. `KINDS` lists the kinds of decisions; the bots' habits, the questions in the catalogues
(`ask.KIND`) and the notation's page go by it.
"""

from typing import Any, Final

from mypy_extensions import i64

PASS: Final = 0
PLAY: Final = 1
DISCARD: Final = 2
USE: Final = 3
BUILD: Final = 4
RECRUIT: Final = 5
BATTLE: Final = 6
ELIMINATE: Final = 7
ELIMINATE_AIR: Final = 8
REMOVE: Final = 9  # the owner takes its piece off
REMOVE_AIR: Final = 10
REBUILD: Final = 11
CHOOSE: Final = 12
TAKE: Final = 13
PUT: Final = 14
LAY: Final = 15  # face down or face up on the table
PROTECT: Final = 16
DEPLOY: Final = 17
MARSHAL: Final = 18
MOVE: Final = 19  # an air force to a space
DISCARD_DECK: Final = 20
DISCARD_RESPONSE: Final = 21

# What a code holds beside its verb.
ON_NOTHING: Final = 0
ON_CARD: Final = 1
ON_COUNTRY: Final = 2
ON_SPACE: Final = 3  # and whose piece it is about


class Verb:
    """A row of the table of verbs.

    `word` begins the text of an action, `form` is what follows it, as the notation's page has it:
    CARD, SPACE, PIECE, COUNTRY; [COUNTRY] is left out where the piece is the actor's own or there
    is none. `id` tells verbs apart that share a word.
    """

    def __init__(
        self, number: int, word: str, on: int, form: str, is_air: bool = False, id: str = ""
    ) -> None:
        self.number = number
        self.word = word
        self.on = on
        self.form = form
        self.is_air = is_air  # it is about an air force; else the space tells the kind of piece
        self.id = id or word

    def __repr__(self) -> str:
        return (
            f"Verb({self.number}, {self.word!r}, {self.on}, {self.form!r},"
            f" is_air={self.is_air}, id={self.id!r})"
        )


_PIECE: Final = "PIECE SPACE [COUNTRY]"

VERBS: Final = (
    Verb(PASS, "pass", ON_NOTHING, ""),
    Verb(PLAY, "play", ON_CARD, "CARD"),
    Verb(DISCARD, "discard", ON_CARD, "CARD"),
    Verb(USE, "use", ON_CARD, "CARD"),
    Verb(BUILD, "build", ON_SPACE, _PIECE),
    Verb(RECRUIT, "recruit", ON_SPACE, _PIECE),
    Verb(BATTLE, "battle", ON_SPACE, "SPACE [COUNTRY]"),
    Verb(ELIMINATE, "eliminate", ON_SPACE, "PIECE SPACE COUNTRY"),
    Verb(
        ELIMINATE_AIR, "eliminate", ON_SPACE, "PIECE SPACE COUNTRY", is_air=True, id="eliminate-air"
    ),
    Verb(REMOVE, "remove", ON_SPACE, _PIECE),
    Verb(REMOVE_AIR, "remove", ON_SPACE, _PIECE, is_air=True, id="remove-air"),
    Verb(REBUILD, "rebuild", ON_SPACE, _PIECE),
    Verb(CHOOSE, "choose", ON_COUNTRY, "COUNTRY"),
    Verb(TAKE, "take", ON_CARD, "CARD"),
    Verb(PUT, "put", ON_CARD, "CARD"),
    Verb(LAY, "lay", ON_CARD, "CARD"),
    Verb(PROTECT, "protect", ON_SPACE, _PIECE),
    Verb(DEPLOY, "deploy", ON_SPACE, "SPACE", is_air=True),
    Verb(MARSHAL, "marshal", ON_SPACE, "SPACE", is_air=True),
    Verb(MOVE, "move", ON_SPACE, "SPACE", is_air=True),
    Verb(DISCARD_DECK, "discard-deck", ON_COUNTRY, ""),
    Verb(DISCARD_RESPONSE, "discard-response", ON_COUNTRY, "COUNTRY"),
)

# What a country can be asked: the `kind` of the op that waits.
KINDS: Final = (
    "play", "react", "build", "recruit", "battle", "eliminate", "protect", "rebuild", "choose",
    "target", "warfare", "discard-theirs", "play-more", "search", "lay", "put", "order",
    "return", "air", "deploy", "marshal", "give-up", "reposition", "discard-step", "setup",
    "discard",
)  # fmt: skip

NO_COUNTRY: Final = 7  # whose piece it is where a space is empty


def on_card(verb: i64, card: i64) -> i64:
    return verb << 15 | card


# The same as objects that are made once, by verb and card: most options are about cards, and an
# object made anew for each of them would take a good part of a game's time.
CODES_ON_CARDS: Final[list[list[Any]]] = [
    [on_card(row.number, card) for card in range(512 if row.on == ON_CARD else 0)] for row in VERBS
]


def on_space(verb: i64, country: i64, space: i64) -> i64:
    return verb << 15 | country << 9 | space


def on_country(verb: i64, country: i64) -> i64:
    return verb << 15 | country << 9


def verb_of(code: i64) -> i64:
    return code >> 15


def country_of(code: i64) -> i64:
    return code >> 9 & 63


def card_of(code: i64) -> i64:
    return code & 511


def space_of(code: i64) -> i64:
    return code & 511

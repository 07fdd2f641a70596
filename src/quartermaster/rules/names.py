"""The nouns of the game as small ints, and their English ids.

Countries are numbered in turn order, so that a country's team is its lowest bit.
"""

from typing import Final

from mypy_extensions import i64

GERMANY: Final = 0
UNITED_KINGDOM: Final = 1
JAPAN: Final = 2
SOVIET_UNION: Final = 3
ITALY: Final = 4
UNITED_STATES: Final = 5
NOBODY: Final = -1

COUNTRIES: Final = ("germany", "united-kingdom", "japan", "soviet-union", "italy", "united-states")

AXIS: Final = 0
ALLIES: Final = 1
TEAMS: Final = ("axis", "allies")


def team_of(country: i64) -> i64:
    return country & 1


def other_team(country: i64) -> i64:
    """The team of a country's enemies."""
    return 1 - (country & 1)


def are_enemies(one: i64, other: i64) -> bool:
    return (one ^ other) & 1 == 1


# Kinds of pieces.
ARMY: Final = 0
NAVY: Final = 1
AIR_FORCE: Final = 2
PIECES: Final = ("army", "navy", "air-force")

# Card types, as the cards' headers name them. RULE marks what the rules themselves let
# any country do as a reaction (Reallocate Resources, air defense, air attack).
BUILD_ARMY: Final = 0
BUILD_NAVY: Final = 1
LAND_BATTLE: Final = 2
SEA_BATTLE: Final = 3
ECONOMIC_WARFARE: Final = 4
EVENT: Final = 5
STATUS: Final = 6
RESPONSE: Final = 7
DEPLOY_AIR_FORCE: Final = 8
BOLSTER: Final = 9
RULE: Final = 10
CARD_TYPES: Final = (
    "build-army", "build-navy", "land-battle", "sea-battle", "economic-warfare", "event",
    "status", "response", "deploy-air-force", "bolster", "rule",
)  # fmt: skip


def types(*card_types: int) -> int:
    """Some card types as a mask, as words take them: `Plays(types(BUILD_ARMY))`."""
    mask = 0
    for card_type in card_types:
        mask |= 1 << card_type
    return mask


# Where a card can be. A country's zone is `ZONE + country` in `State.zones`.
HAND: Final = 0
DECK: Final = 6  # the last card of the tuple is the top of the deck
FACE_UP: Final = 12  # the discard pile's face-up cards, the last on top
FACE_DOWN: Final = 18  # the cards face down under them, in no order
TABLE: Final = 24  # status cards
SET: Final = 30  # responses face down on the table
ZONES: Final = ("hand", "deck", "face-up", "face-down", "table", "set")

# Steps of a turn.
STEPS: Final = ("turn", "play", "air", "supply", "victory", "discard", "draw")

# What happens, and what cards react to (rules: "Reactions").
START_TURN: Final = 0
START_PLAY: Final = 1
START_AIR: Final = 2
START_SUPPLY: Final = 3
START_VICTORY: Final = 4
START_DISCARD: Final = 5
START_DRAW: Final = 6
VICTORY: Final = 7  # points are being collected
PLAYED: Final = 8
ABOUT_TO_BE_REMOVED: Final = 9
REMOVED: Final = 10
BATTLED: Final = 11
BUILT: Final = 12
RECRUITED: Final = 13
DEPLOYED: Final = 14  # or marshaled
AIR_DEFENDED: Final = 15
USED: Final = 16  # the cost is paid, the effect not yet carried out
USED_DONE: Final = 17
OCCASIONS: Final = (
    "start-of-turn", "start-of-play-step", "start-of-air-step", "start-of-supply-step",
    "start-of-victory-step", "start-of-discard-step", "start-of-draw-step", "victory-step",
    "played", "about-to-be-removed", "removed", "battled", "built", "recruited", "deployed",
    "air-defended", "used", "use-done",
)  # fmt: skip

# Why a piece leaves the board.
BY_BATTLE: Final = 0
BY_ELIMINATION: Final = 1
BY_SUPPLY: Final = 2
BY_OWNER: Final = 3

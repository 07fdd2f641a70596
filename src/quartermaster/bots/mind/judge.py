"""Judging a position: the expected final lead of the Axis, and the chance that it wins.

A position is a list of *features* (a supplied army of Germany in Ukraine, Blitzkrieg on the
table, an enemy next to Moscow ...); each has two weights, for the beginning and for the end
of the game, learned from games that bots played (`tools/train_bots.py`). Their sum is
the lead to expect.
"""

from math import exp
from typing import Final

from quartermaster.rules.board import HOMES, LAND_MASK, N_SPACES, SPACES, SUPPLY_MASK
from quartermaster.rules.card import Num
from quartermaster.rules.effects.cards import Score
from quartermaster.rules.frames import Frame
from quartermaster.rules.names import (
    ALLIES,
    AXIS,
    BUILD_ARMY,
    COUNTRIES,
    DECK,
    HAND,
    LAND_BATTLE,
    SEA_BATTLE,
    SET,
    TABLE,
    VICTORY,
    team_of,
)
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State
from quartermaster.rules.supply import near_supplied_mask, supplied_mask
from quartermaster.rules.victory import LAST_ROUND, income

TURNS: Final = 6 * LAST_ROUND

# Features by space and country, ...
_BOARD: Final = 6 * N_SPACES
_BY_SPACE: Final = ("supplied", "cut-off", "attacked", "air-force", "open-star")
_SUPPLIED: Final = 0
_CUT_OFF: Final = _BOARD
_ATTACKED: Final = 2 * _BOARD  # next to an enemy that could battle it
_AIR: Final = 3 * _BOARD
_OPEN: Final = 4 * _BOARD  # a free star next to the country's pieces
# ... by country, ...
_BY_COUNTRY: Final = (
    "on-turn", "home-lost", "home-bare", "home-attacked", "income", "status-income",
    "hand-size", "deck-size", "shortage", "face-down", "front", "room", "land-battle-ready",
    "sea-battle-ready", "star-ready",
)  # fmt: skip
_ON_TURN: Final = 5 * _BOARD
_HOME_LOST: Final = _ON_TURN + 6
_HOME_BARE: Final = _ON_TURN + 12
_HOME_ATTACKED: Final = _ON_TURN + 18
_INCOME: Final = _ON_TURN + 24  # points its stars would give it now
_STATUS_INCOME: Final = _ON_TURN + 30  # points its statuses would
_HAND_SIZE: Final = _ON_TURN + 36
_DECK_SIZE: Final = _ON_TURN + 42
_SHORTAGE: Final = _ON_TURN + 48  # turns that will find no card
_FACE_DOWN: Final = _ON_TURN + 54
_FRONT: Final = _ON_TURN + 60  # enemy pieces it could battle
_ROOM: Final = _ON_TURN + 66  # free spaces next to its pieces
_LAND_READY: Final = _ON_TURN + 72  # a Land Battle in hand and something to battle
_SEA_READY: Final = _ON_TURN + 78
_STAR_READY: Final = _ON_TURN + 84  # a Build Army in hand and a free star
# ... and by card: on the table, face down, in hand.
_LEAD: Final = _ON_TURN + 90
_CARDS: Final = _LEAD + 1


class Judge:
    """A rule set's weights, and what they make of positions."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        n = len(rules.cards)
        self.on_table: int = _CARDS
        self.face_down: int = _CARDS + n
        self.in_hand: int = _CARDS + 2 * n
        self.size: int = _CARDS + 3 * n
        self.early: list[float] = [0.0] * self.size
        self.late: list[float] = [0.0] * self.size
        self._at_turn: list[list[float]] = [[] for _ in range(TURNS)]
        # chance = 1 / (1 + exp(-lead * (slope + slope_late * time)))
        self.slope = 0.08
        self.slope_late = 0.12
        # What a card's status gives in its owner's victory step; -1 for nothing.
        self._nums: list[Num] = []
        self._num_of: list[int] = []
        for card in rules.cards:
            trigger = card.trigger
            number = -1
            if card.is_auto and trigger is not None and VICTORY in trigger.listens_to():
                for op in card.effects:
                    if isinstance(op, Score):
                        number = len(self._nums)
                        self._nums.append(op.num)
            self._num_of.append(number)
        self._is_listing = False
        self._at: list[int] = []
        self._x: list[float] = []
        self._now: list[float] = self.early
        self._sum = 0.0

    def names(self) -> list[str]:
        """The features by name, in order."""
        names: list[str] = []
        for word in _BY_SPACE:
            for country in COUNTRIES:
                for space, _ in SPACES:
                    names.append(f"{word} {country} {space}")
        for word in _BY_COUNTRY:
            for country in COUNTRIES:
                names.append(f"{word} {country}")
        names.append("lead")
        for word in ("table", "set", "hand"):
            for card in self.rules.cards:
                names.append(f"{word} {COUNTRIES[card.country]} {card.id}")
        return names

    def learn(self, early: list[float], late: list[float]) -> None:
        self.early = early
        self.late = late
        self._at_turn = [[] for _ in range(TURNS)]

    def weight(self, at: int, time: float) -> float:
        return self.early[at] + self.late[at] * time

    def held(self, card: int, time: float) -> float:
        """What it adds to the Axis's lead that its owner holds a card."""
        return self.weight(self.in_hand + card, time)

    def deck_card(self, country: int, is_short: bool, time: float) -> float:
        """What a card more in a country's deck adds to the Axis's lead."""
        worth = self.weight(_DECK_SIZE + country, time)
        return worth - self.weight(_SHORTAGE + country, time) if is_short else worth

    def time(self, s: State) -> float:
        """How far the game has come, 0 to 1."""
        return (6 * s.round - 6 + s.country) / TURNS

    def features(self, s: State) -> tuple[list[int], list[float]]:
        """The features that are there, and how much of each."""
        self._is_listing = True
        self._at = []
        self._x = []
        self._find(s)
        self._is_listing = False
        return self._at, self._x

    def lead(self, s: State) -> float:
        """The final lead of the Axis to expect."""
        if s.winner >= 0:
            ahead = float(s.axis_score - s.allies_score)
            return ahead + 40.0 if s.winner == AXIS else ahead - 40.0
        turn = 6 * s.round - 6 + s.country
        if not self._at_turn[turn]:
            weights: list[float] = []
            for at in range(self.size):
                weights.append(self.early[at] + self.late[at] * (turn / TURNS))
            self._at_turn[turn] = weights
        self._now = self._at_turn[turn]
        self._sum = 0.0
        self._find(s)
        return self._sum

    def _add(self, at: int, x: float) -> None:
        if self._is_listing:
            self._at.append(at)
            self._x.append(x)
        else:
            self._sum += self._now[at] * x

    def _add_spaces(self, block: int, mask: int) -> None:
        while mask:
            low = mask & -mask
            mask ^= low
            self._add(block + low.bit_length() - 1, 1.0)

    def _find(self, s: State) -> None:
        axis = s.team_mask(AXIS)
        allies = s.team_mask(ALLIES)
        free = ~(axis | allies)
        reach: list[int] = []
        for country in range(6):
            reach.append(near_supplied_mask(s, country))
        axis_reach = reach[0] | reach[2] | reach[4]
        allied_reach = reach[1] | reach[3] | reach[5]
        left = LAST_ROUND - s.round + 1
        self._add(_ON_TURN + s.country, 1.0)
        self._add(_LEAD, float(s.axis_score - s.allies_score))
        for country in range(6):
            is_axis = team_of(country) == AXIS
            enemies = allies if is_axis else axis
            threat = allied_reach if is_axis else axis_reach
            own = s.pieces[country]
            supplied = supplied_mask(s, country)
            near = reach[country]
            block = country * N_SPACES
            self._add_spaces(_SUPPLIED + block, supplied)
            self._add_spaces(_CUT_OFF + block, own & ~supplied)
            self._add_spaces(_ATTACKED + block, own & threat)
            self._add_spaces(_AIR + block, s.air[country])
            stars = near & SUPPLY_MASK & free
            self._add_spaces(_OPEN + block, stars)
            home = 1 << HOMES[country]
            if enemies & home:
                self._add(_HOME_LOST + country, 1.0)
            else:
                if own & home == 0:
                    self._add(_HOME_BARE + country, 1.0)
                self._add(_INCOME + country, float(income(s, country)))
            if threat & home:
                self._add(_HOME_ATTACKED + country, 1.0)
            front = near & enemies
            self._add(_FRONT + country, float(front.bit_count()))
            self._add(_ROOM + country, float((near & free).bit_count()))
            self._find_cards(s, country, left, front, stars)

    def _find_cards(self, s: State, country: int, left: int, front: int, stars: int) -> None:
        types = self.rules.types
        hand = s.zones[HAND + country]
        cards = len(hand) + len(s.zones[DECK + country])
        self._add(_HAND_SIZE + country, float(len(hand)))
        self._add(_DECK_SIZE + country, float(cards - len(hand)))
        if cards < left:
            self._add(_SHORTAGE + country, float(left - cards))
        self._add(_FACE_DOWN + country, float(len(s.zones[SET + country])))
        points = 0
        for card in s.zones[TABLE + country]:
            self._add(self.on_table + card, 1.0)
            number = self._num_of[card]
            if number >= 0:
                points += self._nums[number].value(s, Frame(-1, 0, country, card, None))
        if points:
            self._add(_STATUS_INCOME + country, float(points))
        for card in s.zones[SET + country]:
            if card >= 0:
                self._add(self.face_down + card, 1.0)
        held = 0
        for card in hand:
            if card >= 0:
                self._add(self.in_hand + card, 1.0)
                held |= 1 << types[card]
        if held >> LAND_BATTLE & 1 and front & LAND_MASK:
            self._add(_LAND_READY + country, 1.0)
        if held >> SEA_BATTLE & 1 and front & ~LAND_MASK:
            self._add(_SEA_READY + country, 1.0)
        if held >> BUILD_ARMY & 1 and stars:
            self._add(_STAR_READY + country, 1.0)

    def chance(self, s: State) -> float:
        """The chance that the Axis wins."""
        if s.winner >= 0:
            return 1.0 if s.winner == AXIS else 0.0
        return self.chance_of(self.lead(s), self.time(s))

    def worth(self, s: State) -> float:
        """The chance that the Axis wins, with a small share for the size of its lead, so that a
        game that is as good as decided is still played for points."""
        if s.winner >= 0:
            return 1.0 if s.winner == AXIS else 0.0
        lead = self.lead(s)
        height = lead / 60.0
        if height > 1.0:
            height = 1.0
        elif height < -1.0:
            height = -1.0
        return 0.95 * self.chance_of(lead, self.time(s)) + 0.025 + 0.025 * height

    def chance_of(self, lead: float, time: float) -> float:
        steep = lead * (self.slope + self.slope_late * time)
        if steep > 30.0:
            return 1.0
        if steep < -30.0:
            return 0.0
        return 1.0 / (1.0 + exp(-steep))

"""Judging a position: the expected final lead of the Axis, and the chance that it wins.

A position is a list of *features* (a supplied army of Germany in Ukraine, Blitzkrieg on the
table, an enemy next to Moscow ...); each has two weights, for the beginning and for the end
of the game, learned from games that bots played (`tools/train_bots.py`). Their sum is
the lead to expect.
"""

from math import exp
from typing import Final

from quartermaster.rules.board import (
    HOMES,
    N_SPACES,
    SPACES,
    SUPPLY_MASK,
)
from quartermaster.rules.names import AXIS, COUNTRIES, DECK, HAND, SET, TABLE
from quartermaster.rules.state import Rules, State
from quartermaster.rules.supply import (
    near_supplied_mask,
    supplied_mask,
    supply_spaces,
)

LAST_ROUND: Final = 20

_BOARD: Final = 6 * N_SPACES
_SUPPLIED: Final = 0
_CUT_OFF: Final = _BOARD
_ATTACKED: Final = 2 * _BOARD  # next to an enemy that could battle it
_AIR: Final = 3 * _BOARD
_OPEN: Final = 4 * _BOARD  # a free star where the country could build
_ON_TURN: Final = 5 * _BOARD
_HOME_LOST: Final = _ON_TURN + 6
_HOME_BARE: Final = _ON_TURN + 12
_HOME_ATTACKED: Final = _ON_TURN + 18
_LEAD: Final = _ON_TURN + 24
_INCOME: Final = _ON_TURN + 25  # by country: points it would score now
_HAND_SIZE: Final = _ON_TURN + 31
_DECK_SIZE: Final = _ON_TURN + 37
_SHORTAGE: Final = _ON_TURN + 43  # turns that will find no card
_FACE_DOWN: Final = _ON_TURN + 49
_FRONT: Final = _ON_TURN + 55  # enemy pieces the country could battle
_CARDS: Final = _ON_TURN + 61  # table, set, hand


def income(s: State, country: int) -> int:
    """The points a country's stars would give it now."""
    if s.team_mask(1 - (country & 1)) >> HOMES[country] & 1:
        return 0
    held = s.pieces[country] & supplied_mask(s, country) & supply_spaces(s, country)
    mates = 0
    for mate in range(country & 1, 6, 2):
        if mate != country:
            mates |= s.pieces[mate]
    return 2 * held.bit_count() - (held & mates & SUPPLY_MASK).bit_count()


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
        # chance = 1 / (1 + exp(-lead * (slope + slope_late * time)))
        self.slope = 0.08
        self.slope_late = 0.12
        self._at: list[int] = []
        self._x: list[float] = []

    def names(self) -> list[str]:
        """The features by name, in order."""
        names = [""] * self.size
        for block, word in (
            (_SUPPLIED, "supplied"), (_CUT_OFF, "cut-off"), (_ATTACKED, "attacked"),
            (_AIR, "air-force"), (_OPEN, "open-star"),
        ):  # fmt: skip
            for i in range(_BOARD):
                country = COUNTRIES[i // N_SPACES]
                names[block + i] = f"{word} {country} {SPACES[i % N_SPACES][0]}"
        for block, word in (
            (_ON_TURN, "on-turn"), (_HOME_LOST, "home-lost"), (_HOME_BARE, "home-bare"),
            (_HOME_ATTACKED, "home-attacked"), (_INCOME, "income"), (_HAND_SIZE, "hand-size"),
            (_DECK_SIZE, "deck-size"), (_SHORTAGE, "shortage"), (_FACE_DOWN, "face-down"),
            (_FRONT, "front"),
        ):  # fmt: skip
            for country_index in range(6):
                names[block + country_index] = f"{word} {COUNTRIES[country_index]}"
        names[_LEAD] = "lead"
        for card in self.rules.cards:
            owner = COUNTRIES[card.country]
            names[self.on_table + card.index] = f"table {owner} {card.id}"
            names[self.face_down + card.index] = f"set {owner} {card.id}"
            names[self.in_hand + card.index] = f"hand {owner} {card.id}"
        return names

    def learn(self, early: list[float], late: list[float]) -> None:
        self.early = early
        self.late = late

    def weight(self, at: int, time: float) -> float:
        return self.early[at] + self.late[at] * time

    def deck_size(self, country: int) -> int:
        return _DECK_SIZE + country

    def shortage(self, country: int) -> int:
        return _SHORTAGE + country

    def time(self, s: State) -> float:
        """How far the game has come, 0 to 1."""
        return (s.round - 1 + s.country / 6.0) / LAST_ROUND

    def features(self, s: State) -> tuple[list[int], list[float]]:
        """The features that are there, and how much of each."""
        self._find(s)
        return self._at, self._x

    def _find(self, s: State) -> None:
        at: list[int] = []
        x: list[float] = []
        enemies_of = (s.team_mask(1), s.team_mask(0))
        everyone = enemies_of[0] | enemies_of[1]
        reach: list[int] = []
        for country in range(6):
            reach.append(near_supplied_mask(s, country))
        threat_of = (reach[1] | reach[3] | reach[5], reach[0] | reach[2] | reach[4])
        left = LAST_ROUND - s.round + 1
        at.append(_ON_TURN + s.country)
        at.append(_LEAD)
        x.append(1.0)
        x.append(float(s.axis_score - s.allies_score))
        for country in range(6):
            team = country & 1
            own = s.pieces[country]
            supplied = supplied_mask(s, country) & own
            threat = threat_of[team]
            block = country * N_SPACES
            mask = supplied
            while mask:
                low = mask & -mask
                mask ^= low
                at.append(_SUPPLIED + block + low.bit_length() - 1)
                x.append(1.0)
            mask = own & ~supplied
            while mask:
                low = mask & -mask
                mask ^= low
                at.append(_CUT_OFF + block + low.bit_length() - 1)
                x.append(1.0)
            mask = own & threat
            while mask:
                low = mask & -mask
                mask ^= low
                at.append(_ATTACKED + block + low.bit_length() - 1)
                x.append(1.0)
            mask = s.air[country]
            while mask:
                low = mask & -mask
                mask ^= low
                at.append(_AIR + block + low.bit_length() - 1)
                x.append(1.0)
            mask = reach[country] & SUPPLY_MASK & ~everyone
            while mask:
                low = mask & -mask
                mask ^= low
                at.append(_OPEN + block + low.bit_length() - 1)
                x.append(1.0)
            home = 1 << HOMES[country]
            if enemies_of[team] & home:
                at.append(_HOME_LOST + country)
                x.append(1.0)
            elif own & home == 0:
                at.append(_HOME_BARE + country)
                x.append(1.0)
            if threat & home:
                at.append(_HOME_ATTACKED + country)
                x.append(1.0)
            at.append(_INCOME + country)
            x.append(float(income(s, country)))
            hand = len(s.zones[HAND + country])
            deck = len(s.zones[DECK + country])
            at.append(_HAND_SIZE + country)
            x.append(float(hand))
            at.append(_DECK_SIZE + country)
            x.append(float(deck))
            if hand + deck < left:
                at.append(_SHORTAGE + country)
                x.append(float(left - hand - deck))
            at.append(_FACE_DOWN + country)
            x.append(float(len(s.zones[SET + country])))
            at.append(_FRONT + country)
            x.append(float((reach[country] & enemies_of[team]).bit_count()))
            for card in s.zones[TABLE + country]:
                at.append(self.on_table + card)
                x.append(1.0)
            for card in s.zones[SET + country]:
                if card >= 0:
                    at.append(self.face_down + card)
                    x.append(1.0)
            for card in s.zones[HAND + country]:
                if card >= 0:
                    at.append(self.in_hand + card)
                    x.append(1.0)
        self._at = at
        self._x = x

    def lead(self, s: State) -> float:
        """The final lead of the Axis to expect."""
        if s.winner >= 0:
            ahead = float(s.axis_score - s.allies_score)
            return ahead + 40.0 if s.winner == AXIS else ahead - 40.0
        self._find(s)
        early = 0.0
        late = 0.0
        for i in range(len(self._at)):
            at = self._at[i]
            x = self._x[i]
            early += self.early[at] * x
            late += self.late[at] * x
        return early + late * self.time(s)

    def chance(self, s: State) -> float:
        """The chance that the Axis wins."""
        if s.winner >= 0:
            return 1.0 if s.winner == AXIS else 0.0
        return self.chance_of(self.lead(s), self.time(s))

    def worth(self, s: State) -> float:
        """The chance that the Axis wins, a little of it by how high: a game that is won or
        lost is played on for points."""
        if s.winner >= 0:
            return 1.0 if s.winner == AXIS else 0.0
        lead = self.lead(s)
        height = lead / 60.0
        if height > 1.0:
            height = 1.0
        elif height < -1.0:
            height = -1.0
        return 0.9 * self.chance_of(lead, self.time(s)) + 0.05 + 0.05 * height

    def chance_of(self, lead: float, time: float) -> float:
        steep = lead * (self.slope + self.slope_late * time)
        if steep > 30.0:
            return 1.0
        if steep < -30.0:
            return 0.0
        return 1.0 / (1.0 + exp(-steep))

"""Habits: how often good players do a thing, whatever the board looks like.

Every choice falls into a *slot* (Germany builds an army in Ukraine; Japan plays Truk; the
United Kingdom uses Radar when it is about to lose a piece ...). A slot has two weights, for
the beginning and for the end of the game, learned from what stronger bots chose; the more
weight, the likelier the choice. It is the cheapest way to play on that makes sense, so
the planner and the race use it to see where a line leads.
"""

from math import exp
from typing import Final

from quartermaster.rules.actions import (
    BUILD,
    DISCARD,
    KINDS,
    NO_COUNTRY,
    ON_CARD,
    PASS,
    PLAY,
    USE,
    VERBS,
    card_of,
    country_of,
    space_of,
    verb_of,
)
from quartermaster.rules.board import LAND_MASK, N_SPACES, SEA_MASK, SPACES, SUPPLY_MASK
from quartermaster.rules.names import (
    BUILD_ARMY,
    BUILD_NAVY,
    COUNTRIES,
    LAND_BATTLE,
    SEA_BATTLE,
    other_team,
)
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State
from quartermaster.rules.supply import battle_mask, build_mask
from quartermaster.rules.victory import LAST_ROUND

_KIND_INDEX: Final = {kind: i for i, kind in enumerate(KINDS)}

# A verb on cards has a slot for each card, and several where it matters when it is done.
_CONTEXTS: Final = {
    PLAY: ("", "useful", "fit"),  # see `_fitness`
    DISCARD: ("for-nothing", "step", ""),
    USE: ("", "star"),  # about a piece on a star
}


def _card_groups() -> list[str]:
    """The names of the groups of slots by card, verb by verb."""
    groups: list[str] = []
    for verb in VERBS:
        if verb.on == ON_CARD:
            for context in _CONTEXTS.get(verb.number, ("",)):
                groups.append(f"{verb.id} {context}".strip())
    return groups


def _first_groups() -> list[int]:
    """By verb, the place of its first group; -1 for verbs that are not on cards."""
    places: list[int] = []
    n = 0
    for verb in VERBS:
        if verb.on == ON_CARD:
            places.append(n)
            n += len(_CONTEXTS.get(verb.number, ("",)))
        else:
            places.append(-1)
    return places


_WIDTH: Final = 512
_PASSES: Final = 0  # one slot for each kind of decision and country
_BY_CARD: Final = _WIDTH
_CARD_GROUPS: Final = _card_groups()
_FIRST_GROUP: Final = _first_groups()
_BY_SPACE: Final = _BY_CARD + _WIDTH * len(_CARD_GROUPS)  # other verbs, by who does it
_BUILD_AGAIN: Final = len(VERBS)
N_SLOTS: Final = _BY_SPACE + 6 * (len(VERBS) + 1) * _WIDTH


class Habits:
    """A rule set's weights of slots."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.early: list[float] = [0.0] * N_SLOTS
        self.late: list[float] = [0.0] * N_SLOTS
        self.types: list[int] = rules.types

    def learn(self, early: list[float], late: list[float]) -> None:
        self.early = early
        self.late = late

    def names(self) -> dict[int, str]:
        """The slots by number."""
        names: dict[int, str] = {}
        for i in range(len(KINDS)):
            for country in range(6):
                names[_PASSES + i * 8 + country] = f"pass {KINDS[i]} {COUNTRIES[country]}"
        for i in range(len(_CARD_GROUPS)):
            for card in self.rules.cards:
                name = f"{_CARD_GROUPS[i]} {COUNTRIES[card.country]} {card.id}"
                names[_BY_CARD + i * _WIDTH + card.index] = name
        verbs = [verb.id for verb in VERBS] + ["build-again"]
        for country in range(6):
            for verb in range(len(verbs)):
                group = _BY_SPACE + (country * len(verbs) + verb) * _WIDTH
                for whose in (0, 1, 2, 3, 4, 5, NO_COUNTRY):
                    owner = "nobody" if whose == NO_COUNTRY else COUNTRIES[whose]
                    name = f"{COUNTRIES[country]} {verbs[verb]} {owner}"
                    for space in range(N_SPACES):
                        names[group + (whose << 6) + space] = f"{name} {SPACES[space][0]}"
        return names

    def slots(self, s: State) -> list[int]:
        """The slot of each option of the decision at hand."""
        f = s.stack[-1]
        op = self.rules.programs[f.program].ops[f.pc]
        kind = op.kind
        country = op.decider(s, f)
        slots: list[int] = []
        for code in s.options:
            verb = verb_of(code)
            if verb == PASS:
                slots.append(_PASSES + _KIND_INDEX[kind] * 8 + country)
            elif verb == PLAY:
                card = card_of(code)
                group = _FIRST_GROUP[PLAY] + self._fitness(s, country, self.types[card])
                slots.append(_BY_CARD + group * _WIDTH + card)
            elif verb == DISCARD:
                group = _FIRST_GROUP[DISCARD]
                group += 0 if kind == "play" else 1 if kind == "discard-step" else 2
                slots.append(_BY_CARD + group * _WIDTH + card_of(code))
            elif verb == USE:
                occasion = f.because
                is_star = (
                    occasion is not None
                    and occasion.space >= 0
                    and SUPPLY_MASK >> occasion.space & 1 == 1
                )
                group = _FIRST_GROUP[USE] + (1 if is_star else 0)
                slots.append(_BY_CARD + group * _WIDTH + card_of(code))
            elif _FIRST_GROUP[verb] >= 0:
                slots.append(_BY_CARD + _FIRST_GROUP[verb] * _WIDTH + card_of(code))
            else:
                if verb == BUILD and s.pieces[country_of(code)] >> space_of(code) & 1:
                    verb = _BUILD_AGAIN
                group = country * (len(VERBS) + 1) + verb
                place = (country_of(code) & 7) << 6 | space_of(code) & 63
                slots.append(_BY_SPACE + group * _WIDTH + place)
        return slots

    def _fitness(self, s: State, country: int, type: int) -> int:
        """How well a basic card fits the board: 0 not at all, 1 it does something, 2 it
        takes or frees a star."""
        if type == BUILD_ARMY or type == BUILD_NAVY:
            mask = build_mask(s, country) & ~s.pieces[country]
            mask &= LAND_MASK if type == BUILD_ARMY else SEA_MASK
        elif type == LAND_BATTLE or type == SEA_BATTLE:
            mask = battle_mask(s, country) & s.team_mask(other_team(country))
            mask &= LAND_MASK if type == LAND_BATTLE else SEA_MASK
        else:
            return 0
        if mask == 0:
            return 0
        return 2 if mask & SUPPLY_MASK else 1

    def _leanings(self, s: State) -> list[float]:
        """The weight of each option at this time of the game."""
        time = (s.round - 1 + int(s.country) / 6.0) / LAST_ROUND
        leanings: list[float] = []
        for slot in self.slots(s):
            leanings.append(self.early[slot] + self.late[slot] * time)
        return leanings

    def shares(self, s: State) -> list[float]:
        """How likely each option is."""
        shares: list[float] = []
        total = 0.0
        for leaning in self._leanings(s):
            shares.append(exp(leaning))
            total += shares[-1]
        for i in range(len(shares)):
            shares[i] /= total
        return shares

    def pick(self, s: State, chance: int) -> int:
        """One of the options, by its share; `chance` is any number below 2 ** 31."""
        drawn = chance / 2147483648.0
        shares = self.shares(s)
        for i in range(len(shares)):
            drawn -= shares[i]
            if drawn < 0.0:
                return s.options[i]
        return s.options[-1]

    def best(self, s: State) -> int:
        """The likeliest option."""
        leanings = self._leanings(s)
        best = 0
        for i in range(len(leanings)):
            if leanings[i] > leanings[best]:
                best = i
        return s.options[best]

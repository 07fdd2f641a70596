"""Supply once more, slowly, straight from the rulebook's sentences.

A second opinion to hold against the engine's: names and sets instead of bit masks, no
memory between questions, and the few cards that change supply known by their ids, so that
a slip in the engine or in a card's declaration is not made twice. Nothing but checks and
tests should ask it.
"""

from collections.abc import Iterable

from quartermaster.rules.board import HOME_SPACES, LAND_SPACES, SPACES, STRAITS, SUPPLY_SPACES
from quartermaster.rules.names import COUNTRIES, TABLE
from quartermaster.rules.state import State

NAMES = [name for name, _ in SPACES]
LANDS = frozenset(NAMES[:LAND_SPACES])
AXIS_NAMES = ("germany", "japan", "italy")
ALLIES_NAMES = ("united-kingdom", "soviet-union", "united-states")


def names_of(mask: int) -> set[str]:
    """The spaces of one of the state's masks, by name: the only look at its bits."""
    return {NAMES[place] for place, bit in enumerate(reversed(f"{mask:b}")) if bit == "1"}


class SlowBoard:
    """Who stands where and which statuses hold, as the rulebook speaks of them."""

    def __init__(self, state: State) -> None:
        self.edition = state.rules.board.edition
        self.pieces = {name: names_of(state.pieces[i]) for i, name in enumerate(COUNTRIES)}
        self.sustained = {name: names_of(state.sustained[i]) for i, name in enumerate(COUNTRIES)}
        self.statuses = {name: _statuses(state, i) for i, name in enumerate(COUNTRIES)}
        self._borders: dict[str, set[str]] = {name: set() for name in NAMES}
        for a, b in state.rules.board.borders:
            self._borders[NAMES[a]].add(NAMES[b])
            self._borders[NAMES[b]].add(NAMES[a])

    def adjacent(self, country: str, space: str) -> set[str]:
        """The spaces that share a border with one, and those over straits that are open:
        to the Axis while an Axis army is in the land space, to the Allies while none is."""
        found = set(self._borders[space])
        for land, sea, other in STRAITS:
            is_axis_there = any(land in self.pieces[axis] for axis in AXIS_NAMES)
            if is_axis_there == (country in AXIS_NAMES):
                if space == sea:
                    found.add(other)
                elif space == other:
                    found.add(sea)
        return found

    def supply_spaces(self, country: str) -> set[str]:
        """The starred spaces, with what status cards add and take away."""
        spaces = set(SUPPLY_SPACES)
        if "scorched-earth" in self.statuses["soviet-union"]:
            barred = ("germany", "italy") if self.edition == "first" else AXIS_NAMES
            if country in barred:
                spaces.discard("ukraine")
        if self.edition == "first":
            act = "mackenzie-king-drafts-the-national-resources-mobilization-act"
            if country == "united-kingdom" and act in self.statuses[country]:
                spaces.add("canada")
            group = "american-volunteer-group-expands"
            if country == "united-states" and group in self.statuses[country]:
                spaces.add("szechuan")
        return spaces

    def is_put_in_supply(self, country: str, space: str) -> bool:
        """Whether a card puts the country's piece there in supply without a chain."""
        if space in self.sustained[country]:  # Truk, Ju-52's Airlift Supplies
            return True
        if (
            country == "soviet-union"
            and "shverniks-evacuation-council" in self.statuses[country]
            and space in LANDS
        ):
            return True
        return (
            self.edition == "second"
            and country in ALLIES_NAMES
            and "american-volunteer-group-expands" in self.statuses["united-states"]
            and space == "szechuan"
        )

    def is_chained(self, country: str, space: str) -> bool:
        """Whether adjacent own pieces join a space to a supply space with an own army."""
        sources = self.supply_spaces(country)
        seen: set[str] = set()
        todo = [space]
        while todo:
            here = todo.pop()
            if here in seen:
                continue
            seen.add(here)
            if here in sources:
                return True
            todo += self.adjacent(country, here) & self.pieces[country]
        return False

    def has_port(self, country: str, sea: str) -> bool:
        """Whether an army of the country's team stands on an adjacent land space."""
        team = AXIS_NAMES if country in AXIS_NAMES else ALLIES_NAMES
        lands = self.adjacent(country, sea) & LANDS
        return any(lands & self.pieces[mate] for mate in team)

    def is_supplied(self, country: str, space: str) -> bool:
        """Whether the country's piece in a space is in supply."""
        if self.is_put_in_supply(country, space):
            return True
        if not self.is_chained(country, space):
            return False
        return space in LANDS or self.has_port(country, space)

    def supplied(self, country: str) -> set[str]:
        """The country's pieces that are in supply."""
        return {space for space in self.pieces[country] if self.is_supplied(country, space)}

    def buildable(self, country: str) -> set[str]:
        """Where the country could build: next to a supplied piece or, an army, at home; free
        of enemies; and the piece, were it there, would be in supply. Spaces with an own
        supplied piece count wherever they are, for that piece may be named. Waivers by cards
        are left out."""
        near = {HOME_SPACES[COUNTRIES.index(country)]}
        for space in self.supplied(country):
            near |= self.adjacent(country, space)
        enemies = ALLIES_NAMES if country in AXIS_NAMES else AXIS_NAMES
        taken: set[str] = set().union(*(self.pieces[enemy] for enemy in enemies))
        free = near - taken - self.pieces[country]
        anew = {space for space in free if self._would_be_supplied(country, space)}
        return anew | self.supplied(country)

    def _would_be_supplied(self, country: str, space: str) -> bool:
        pieces = self.pieces
        self.pieces = {**pieces, country: pieces[country] | {space}}
        try:
            return self.is_supplied(country, space)
        finally:
            self.pieces = pieces


def _statuses(state: State, country: int) -> set[str]:
    """The country's statuses that hold: on the table, not stopped, and where the rule set
    makes new ones wait for the next round, not new."""
    stopped = set(state.stopped)
    waiting: Iterable[int] = state.fresh if state.rules.is_status_delayed else ()
    return {
        state.rules.cards[card].id
        for card in state.zones[TABLE + country]
        if card not in stopped and card not in waiting
    }

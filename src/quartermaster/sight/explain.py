"""Supply that explains itself: which source, which path, what is missing."""

from dataclasses import dataclass
from itertools import pairwise

from quartermaster.rules.board import (
    LAND_MASK,
    LAND_SPACES,
    SPACE_INDEX,
    SPACES,
    STRAITS,
    STRAITS_MASK,
    spaces_in,
)
from quartermaster.rules.names import AXIS, COUNTRIES, team_of
from quartermaster.rules.state import State
from quartermaster.rules.supply import (
    is_supplied,
    supply_spaces,
    sustained_spaces,
)
from quartermaster.speech.nouns import country_noun, space_noun
from quartermaster.speech.say import say


@dataclass(frozen=True)
class Supply:
    """The supply of one piece.

    >>> from quartermaster import Game
    >>> Game.new(seed=7).supply("germany")["germany"].path
    ('germany',)
    """

    country: str
    space: str
    is_supplied: bool
    source: str | None  # the supply space its line leads to
    path: tuple[str, ...]  # from the piece to the source, both included
    port: str | None  # for a navy: an adjacent army of its team
    by_card: bool  # a card puts it in supply
    missing: str | None  # what it lacks, in words

    def __str__(self) -> str:
        space = space_noun(self.space)
        if self.missing is not None:
            return say("supply.out", space=space, missing=self.missing)
        if self.by_card:
            return say("supply.by-card", space=space)
        path = " - ".join(str(space_noun(one)) for one in self.path)
        if self.port:
            return say("supply.port", space=space, path=path, port=space_noun(self.port))
        return say("supply.line", space=space, path=path)


def explain_supply(s: State, country: int, space: int) -> Supply:
    """The supply of a country's army or navy in a space, with its reasons."""
    path = _path_to_source(s, country, space, s.adjacency(country))
    port = None
    is_navy = space >= LAND_SPACES
    if is_navy:
        armies = s.team_mask(team_of(country)) & LAND_MASK & s.adjacency(country)[space]
        port = SPACES[spaces_in(armies)[0]][0] if armies else None
    has_supply = is_supplied(s, country, space)
    by_card = sustained_spaces(s, country) >> space & 1 == 1
    missing = None
    if not has_supply:
        shut = "" if path else _shut_strait(s, country, space)
        if path:
            missing = say("supply.no-port")
        elif shut:
            missing = say("supply.strait-shut", space=space_noun(shut))
        else:
            missing = say("supply.no-line", country=country_noun(COUNTRIES[country]))
    return Supply(
        COUNTRIES[country],
        SPACES[space][0],
        has_supply,
        path[-1] if path else None,
        tuple(path),
        port,
        by_card,
        missing,
    )


def _shut_strait(s: State, country: int, space: int) -> str:
    """The land of the strait that alone cuts a piece off, or the first of several."""
    team = team_of(country)
    is_open = s.rules.board.adjacency(team, STRAITS_MASK if team == AXIS else 0)
    path = _path_to_source(s, country, space, is_open)
    now = s.adjacency(country)
    for here, there in pairwise(path):
        if not now[SPACE_INDEX[here]] >> SPACE_INDEX[there] & 1:
            return next(land for land, *seas in STRAITS if {here, there} == {*seas})
    return ""


def _path_to_source(s: State, country: int, space: int, adjacency: list[int]) -> list[str]:
    """The shortest chain of own pieces from a space to a source, or nothing."""
    own = s.pieces[country]
    sources = own & supply_spaces(s, country) & LAND_MASK
    paths = {space: [SPACES[space][0]]}
    queue = [space]
    for at in queue:
        if sources >> at & 1:
            return paths[at]
        for beside in spaces_in(adjacency[at] & own):
            if beside not in paths:
                paths[beside] = [*paths[at], SPACES[beside][0]]
                queue.append(beside)
    return []

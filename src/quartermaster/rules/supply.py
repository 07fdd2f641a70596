"""Lines of supply, and what they allow: where a country may build and battle.

Rules: "Supply", "Build Army", "Build Navy", "Land Battle", "Sea Battle".
"""

from typing import Final

from quartermaster.rules.board import HOMES, LAND_MASK, LAND_SPACES, SEA_MASK, SUPPLY_MASK
from quartermaster.rules.masks import bit_of
from quartermaster.rules.names import ARMY, NAVY, are_enemies, other_team, team_of
from quartermaster.rules.state import STALE, State

_NEAR_SUPPLIED: Final = 6
_NEAR_CHAIN: Final = 12


def supply_spaces(s: State, country: int) -> int:
    """The starred supply spaces as they stand for a country (cards add and take away)."""
    sources = SUPPLY_MASK
    for index in s.holding:
        card = s.rules.cards[index]
        always = card.always
        if always is not None:
            if always.against >> country & 1:
                sources &= ~always.no_source_mask
            if card.country == country:
                sources |= always.source_mask
    return sources


def sustained_spaces(s: State, country: int) -> int:
    """Where a country's pieces are in supply by a card, without a line."""
    sustained = s.sustained[country]
    for index in s.holding:
        card = s.rules.cards[index]
        always = card.always
        if always is not None and (
            card.country == country or (always.team_wide and not are_enemies(card.country, country))
        ):
            sustained |= always.sustained_mask
    return sustained


def _compute(s: State, country: int) -> None:
    own = s.pieces[country]
    team_mask = s.team_mask(team_of(country))
    adjacency = s.adjacency(country)
    sources = SUPPLY_MASK
    sustained = s.sustained[country]
    if s.holding:
        sources = supply_spaces(s, country)
        sustained = sustained_spaces(s, country)
    chain = own & sources
    near_chain = 0
    frontier = chain
    while frontier:
        low = frontier & -frontier
        border = adjacency[low.bit_length() - 1]
        near_chain |= border
        reached = border & own & ~chain
        chain |= reached
        frontier = (frontier ^ low) | reached
    supplied = chain
    # A navy needs a port besides: any army of its team on an adjacent land space.
    navies = chain & SEA_MASK
    armies = team_mask & LAND_MASK
    while navies:
        low = navies & -navies
        navies ^= low
        if adjacency[low.bit_length() - 1] & armies == 0:
            supplied ^= low
    supplied |= own & sustained
    near_supplied = near_chain
    if supplied != chain:
        near_supplied = 0
        left = supplied
        while left:
            low = left & -left
            left ^= low
            near_supplied |= adjacency[low.bit_length() - 1]
    memo = s.memo
    if memo is STALE:
        memo = STALE.copy()
        s.memo = memo
    memo[_NEAR_SUPPLIED + country] = near_supplied
    memo[_NEAR_CHAIN + country] = near_chain
    memo[country] = supplied


def supplied_mask(s: State, country: int) -> int:
    """The country's pieces that are in supply."""
    if s.memo[country] < 0:
        _compute(s, country)
    return s.memo[country]


def near_supplied_mask(s: State, country: int) -> int:
    """The spaces adjacent to any supplied piece of the country."""
    if s.memo[country] < 0:
        _compute(s, country)
    return s.memo[_NEAR_SUPPLIED + country]


def is_supplied(s: State, country: int, space: int) -> bool:
    return supplied_mask(s, country) >> space & 1 == 1


def ports_mask(s: State, country: int, seas: int) -> int:
    """Of some sea spaces, those next to an army of the country's team."""
    armies = s.team_mask(team_of(country)) & LAND_MASK
    shut = s.rules.board.shut
    ports = 0
    while seas:
        low = seas & -seas
        seas ^= low
        if shut[low.bit_length() - 1] & armies:
            ports |= low
    return ports


def build_mask(s: State, country: int) -> int:
    """Where a country may build by the rules of building. Spaces that hold one of its own are
    those where it may name that piece as the one built: any supplied one (rules 4)."""
    near = near_supplied_mask(s, country)
    near_chain = s.memo[_NEAR_CHAIN + country]
    home = bit_of(HOMES[country])
    lands = (near & LAND_MASK) | home
    seas = near & SEA_MASK
    sources = SUPPLY_MASK
    sustained = s.sustained[country]
    if s.holding:
        sources = supply_spaces(s, country)
        sustained = sustained_spaces(s, country)
        for index in s.holding:
            card = s.rules.cards[index]
            if card.always is not None and card.country == country:
                lands |= card.always.build_mask
    # A piece must be in supply the moment it is built.
    lands &= near_chain | sources | sustained
    seas &= near_chain | sustained
    if seas & ~sustained:
        seas = ports_mask(s, country, seas & ~sustained) | (seas & sustained)
    enemies = s.team_mask(other_team(country))
    if s.rules.is_version_1:  # a piece could be named only where it could be built anew
        return (lands | seas) & ~enemies & (~s.pieces[country] | supplied_mask(s, country))
    return (lands | seas) & ~enemies & ~s.pieces[country] | supplied_mask(s, country)


def recruit_instead_mask(s: State, country: int) -> int:
    """Where a country that may build an army may recruit it instead."""
    mask = 0
    for index in s.holding:
        card = s.rules.cards[index]
        if card.always is not None and card.country == country:
            mask |= card.always.recruit_mask
    return mask & ~s.pieces[country] & ~s.team_mask(other_team(country))


def battle_mask(s: State, country: int) -> int:
    """The spaces a country may battle: next to an own supplied piece, free of its team."""
    return near_supplied_mask(s, country) & ~s.team_mask(team_of(country))


def within(s: State, country: int, space: int, steps: int) -> int:
    """The spaces at most so many steps from a space, over borders as they stand for the
    country's team."""
    adjacency = s.adjacency(country)
    reached = bit_of(space)
    frontier = reached
    for _ in range(steps):
        border = 0
        while frontier:
            low = frontier & -frontier
            frontier ^= low
            border |= adjacency[low.bit_length() - 1]
        frontier = border & ~reached
        reached |= frontier
    return reached


def piece_kind(space: int) -> int:
    """What stands in a space: an army on land, a navy at sea."""
    return ARMY if space < LAND_SPACES else NAVY

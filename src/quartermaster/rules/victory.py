"""Points, and who has won (rules 7)."""

from typing import Final

from quartermaster.rules.board import HOMES, SUPPLY_MASK, count_in
from quartermaster.rules.names import ALLIES, AXIS, NOBODY, other_team, team_of
from quartermaster.rules.state import State
from quartermaster.rules.supply import supplied_mask, supply_spaces

LAST_ROUND: Final = 20
SUDDEN_POINTS: Final = 400  # first edition: so many win at once


def is_home_occupied(s: State, country: int) -> bool:
    """Whether an enemy stands in a country's home space: its victory step is skipped then."""
    return s.team_mask(other_team(country)) >> HOMES[country] & 1 == 1


def star_points(s: State, country: int, pieces: int) -> int:
    """What some pieces of a country bring it in its victory step: 2 points for a starred supply
    space held alone, 1 for one shared with a teammate. A space that is starred for this country
    alone is never shared."""
    stars = supply_spaces(s, country) if s.holding else SUPPLY_MASK
    held = pieces & stars
    teammates = 0
    for mate in range(team_of(country), 6, 2):
        if mate != country:
            teammates |= s.pieces[mate]
    return 2 * count_in(held) - count_in(held & teammates & SUPPLY_MASK)


def income(s: State, country: int) -> int:
    """The points a country's stars would give it if its victory step came now: what is out of
    supply is removed before that step, and an enemy at home has it skipped."""
    if is_home_occupied(s, country):
        return 0
    return star_points(s, country, supplied_mask(s, country))


def declare(s: State, team: int) -> None:
    """A team has won: the game is over."""
    s.winner = team
    s.note("win", NOBODY, n=team)


def check_sudden_victory(s: State) -> None:
    """First edition: armies in two enemy home spaces, or 400 points, win at once."""
    if s.winner >= 0:
        return
    for team in (AXIS, ALLIES):
        armies = s.team_mask(team)
        held = 0
        for enemy in (1 - team, 3 - team, 5 - team):
            held += armies >> HOMES[enemy] & 1
        points = s.axis_score if team == AXIS else s.allies_score
        if held >= 2 or points >= SUDDEN_POINTS:
            declare(s, team)
            return


def is_decided(s: State) -> bool:
    """Whether the game is over at the end of this round: by a lead, or because it was the last."""
    lead = abs(s.axis_score - s.allies_score)
    return s.round == LAST_ROUND or (s.rules.lead_to_win > 0 and lead >= s.rules.lead_to_win)


def leading_team(s: State) -> int:
    """The team that wins at the end of a round; a tie is the Axis's."""
    return AXIS if s.axis_score >= s.allies_score else ALLIES

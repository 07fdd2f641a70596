"""What people see of a deal: what it is bound to before, and how it can be checked after."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from quartermaster.fairness import Check, DeckStep, deck_steps, verify
from quartermaster.server.refusals import Refused
from quartermaster.server.table.events import HiddenCards
from quartermaster.server.table.queries import needs_agreement
from quartermaster.server.table.table import Table
from quartermaster.sight.view import View
from quartermaster.speech.say import spoken


class ContributionView(msgspec.Struct, frozen=True):
    """What someone's client has added."""

    seat: int
    name: str
    added: str  # 64 hexadecimal digits
    is_yours: bool


class DealView(msgspec.Struct, frozen=True):
    """The commitment to the server's secret, shown from the table's first moment on, and what
    was added to it. There is no commitment where a deal cannot be checked."""

    commitment: str | None
    contributions: list[ContributionView]
    missing: list[str]  # names of people who have added nothing
    can_contribute: bool
    secret: str | None  # once the game is over


class BroughtView(msgspec.Struct, frozen=True):
    """A recorded game that the table goes on from."""

    by: str  # who brought it and knows it
    actions: int  # of the record, before this game
    deal: HiddenCards  # with fresh hidden cards nobody knows them; as recorded, who brought it may
    needs_agreement: bool
    agreed: list[str]  # names
    has_your_agreement: bool
    view: View | None  # the position as everyone may know it, before the game


def deal_view(table: Table, user: str | None) -> DealView:
    mine = None if user is None else table.lobby.added.get(user)
    is_lobby = table.status == "lobby"
    can_contribute = is_lobby and user in table.people and mine is None
    parts = table.settings, table.seating, table.lobby, table.status, table.deal
    return table.keep(
        ("deal", mine, can_contribute), parts, lambda: _deal_view(table, mine, can_contribute)
    )


def _deal_view(table: Table, mine: str | None, can_contribute: bool) -> DealView:
    commitment = table.origin.commitment(table.settings)
    if commitment is None:
        return DealView(None, [], [], False, None)
    is_lobby = table.status == "lobby"
    deal = table.deal
    if table.course is None or deal is None:
        added = table.lobby.contributions(table.seating)
        names: Mapping[int, str] = {n: table.seats[n].name for n in added}
    else:
        added, names = dict(deal.contributions), table.course.added_by
    people = dict.fromkeys(
        (seat.person, seat.name) for seat in table.seats if seat.person is not None
    )
    return DealView(
        commitment,
        [ContributionView(n, names[n], text, text == mine) for n, text in added.items()],
        [name for person, name in people if is_lobby and person not in table.lobby.added],
        can_contribute,
        deal.secret if deal is not None and table.status == "over" else None,
    )


def brought_view(table: Table, user: str | None, host: str) -> BroughtView | None:
    if not table.origin.is_record:
        return None
    has_agreed = user in table.lobby.agreed
    parts = table.settings, table.seating, table.lobby, table.status, host
    key = "brought", has_agreed, spoken()
    return table.keep(key, parts, lambda: _brought_view(table, has_agreed, host))


def _brought_view(table: Table, has_agreed: bool, host: str) -> BroughtView:
    brought = table.origin.brought if table.status == "lobby" else None
    names = {seat.holder: seat.name for seat in table.seats if seat.holder is not None}
    return BroughtView(
        by=host,
        actions=_actions_brought(table),
        deal="fresh" if table.origin.is_dealt_anew(table.settings) else "as-recorded",
        needs_agreement=needs_agreement(table),
        agreed=[names[one] for one in sorted(table.lobby.agreed) if one in names],
        has_your_agreement=has_agreed,
        view=None if brought is None else brought.view(),
    )


def _actions_brought(table: Table) -> int:
    """How many actions the record has."""
    if table.course is not None:
        return table.course.recorded[-1]
    return 0 if table.origin.brought is None else len(table.origin.brought.codes)


@dataclass(frozen=True)
class DealProof:
    """All that is needed to check a deal, by `docs/fairness.md`. `since`: actions of a record
    before the deal. `hands`, `drawn`, `lost`: the cards that chance gave and took each country, as
    `Game.cards_dealt` has them; `steps`: what chance did and what happened to the decks, in order.
    `result` and `checks` are what the server finds itself."""

    commitment: str
    secret: str
    contributions: Sequence[tuple[int, str]]
    seed: str
    since: int
    hands: dict[str, list[str]]
    drawn: dict[str, list[str]]
    lost: dict[str, list[str]]
    steps: list[DeckStep]
    result: str
    reason: str
    checks: Sequence[Check]


def proof_of(table: Table) -> DealProof:
    """All that is needed to check the deal of a game that is over. It takes a moment: the game is
    gone through twice."""
    game, deal = table.game, table.deal
    if deal is None:
        raise Refused(409, "not-verifiable")
    verdict = verify(game.record)
    cards = game.cards_dealt()
    return DealProof(
        commitment=deal.commitment,
        secret=deal.secret,
        contributions=deal.contributions,
        seed=deal.seed,
        since=verdict.since,
        hands=cards["hands"],
        drawn=cards["drawn"],
        lost=cards["lost"],
        steps=deck_steps(game),
        result=verdict.result,
        reason=verdict.reason,
        checks=verdict.checks,
    )

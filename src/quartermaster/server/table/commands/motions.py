"""What people propose to each other, and what comes of it."""

from quartermaster.server.refusals import Refused
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Event
from quartermaster.server.table.motions import voters
from quartermaster.server.table.table import Table


def propose(table: Table, user: str, what: ev.Motion, actions: int = 0) -> list[Event]:
    """Propose something that all people at the table must agree to; to go back or to end it, also
    those for whom a bot plays until they come back (`motions.voters`)."""
    if not table.has_begun:
        raise Refused(409, "game-not-begun")
    if table.status == "over" and what != "undo":
        raise Refused(409, "game-over")
    if user not in table.people:
        raise Refused(403, "no-seat")
    if table.proposal is not None:
        raise Refused(409, "proposal-open")
    proposed = ev.Proposed(user, what, actions)
    if voters(what, table.seating) == [user]:
        return [proposed, _consequence(what, actions)]
    return [proposed]


def vote(table: Table, user: str, is_for: bool) -> list[Event]:
    proposal = table.proposal
    if proposal is None:
        raise Refused(409, "nothing-proposed")
    if user not in voters(proposal.what, table.seating):
        raise Refused(403, "no-seat")
    if user in proposal.votes and is_for and proposal.missing(table.seating):
        return []
    if not is_for:
        return [ev.Voted(user, False)]
    return _agreed(table, [user])


def time_out_votes(table: Table) -> list[Event]:
    """Those who are absent have had their time to answer a proposal."""
    absent = table.absent_votes()
    return _agreed(table, absent) if absent else []


def _agreed(table: Table, users: list[str]) -> list[Event]:
    """Some people's consent, and what was proposed if it was the last that was missing."""
    proposal = table.proposal
    assert proposal is not None
    events: list[Event] = [ev.Voted(user, True) for user in users]
    if proposal.is_agreed(table.seating, users):
        events.append(_consequence(proposal.what, proposal.actions))
    return events


def _consequence(what: ev.Motion, actions: int) -> Event:
    if what == "undo":
        return ev.TakenBack(actions)
    return ev.Paused() if what == "pause" else ev.Ended()


def resume(table: Table, user: str) -> list[Event]:
    if user not in table.people:
        raise Refused(403, "no-seat")
    return [ev.Resumed()] if table.is_paused else []

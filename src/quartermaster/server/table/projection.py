"""What one person may see of a table: all that ever leaves the server.

It is made new from `Game.view` and `Game.log` of the seats they hold. Nothing in it depends on
what they may not know; above all not on who is asked in a window.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

from quartermaster.forms.notation import country_index, make_action
from quartermaster.game import Game
from quartermaster.rules.engine import decider
from quartermaster.rules.names import COUNTRIES
from quartermaster.rules.state import RawEntry, State
from quartermaster.rules.victory import LAST_ROUND, SUDDEN_POINTS, income, is_home_occupied
from quartermaster.server.table.choices import Choice, choice, foreseen, removals, told_choice
from quartermaster.server.table.dealing import brought_view, deal_view
from quartermaster.server.table.motions import voters
from quartermaster.server.table.queries import (
    asks_of,
    is_onlooker,
    is_setup,
    is_to_decide,
    might_react_seats,
    to_prepare,
    viewed_seats,
)
from quartermaster.server.table.summary import who_sits
from quartermaster.server.table.table import Table
from quartermaster.server.table.views import (
    AheadView,
    AskView,
    FirstCardsView,
    LogView,
    OrdersView,
    ProposalView,
    SeatView,
    TableView,
    ToldToAll,
    WindowView,
)
from quartermaster.server.table.wire import encode_view, to_json
from quartermaster.sight.decision import decision_of
from quartermaster.sight.log import SECRET, log_entry
from quartermaster.sight.look import Look
from quartermaster.sight.reactions import play_step_after
from quartermaster.sight.view import Shared
from quartermaster.speech.say import spoken

_FRESH: Final = 0.25  # seconds for which clocks may be told as they stood
_KEPT: Final = 100  # views of a table at one moment
_ALL: Final = frozenset(range(6))  # countries
_NO_LOG: Final = LogView(0, [])
_NO_CHOICES: Final[list[Choice]] = []


def version_of(table: Table, user: str | None) -> str:
    """What a client has seen: the public number, and the viewer's own private changes."""
    own = 0
    if table.privates:
        own = sum(table.privates.get(seat, 0) for seat in table.seating.place_of(user).seats)
    return f"{table.number}.{own}"


def seen_number(version: str | None) -> int | None:
    """The public number in a version; nothing if it is none."""
    number, _, _ = (version or "").partition(".")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else None


class Seen:
    """A table as it is sent to someone, and when that was made. What it was made of is let go at
    once: to keep it for each person at hundreds of tables takes memory, and time to go through."""

    def __init__(self, json: bytes, at: float) -> None:
        self.json = json
        self.at = at


def see(
    table: Table,
    user: str | None,
    now: float,
    since: int | None = None,
    seat: int | None = None,
) -> Seen:
    """What `project` gives, made once for all who see the same: a person with several requests
    and streams, and all onlookers together. Nobody who has or had a part in the table shares
    with anybody else, and a view in one language is not given in another."""
    if is_onlooker(table, user):
        user = seat = None
    key = "seen", user, seat, _log_start(table, since), spoken()
    seen: Seen | None = table.derived.get(key)
    if seen is None or abs(now - seen.at) >= _FRESH:
        if len(table.derived) >= _KEPT:
            table.derived.clear()
        view = project(table, user, now, since, seat)
        seen = table.derived[key] = Seen(encode_view(view, _told_as_sent(table)), now)
    return seen


def project(
    table: Table,
    user: str | None,
    now: float,
    since: int | None = None,
    seat: int | None = None,
) -> TableView:
    """The table for a person, or for an onlooker (`None`), with the log since a number."""
    place = table.seating.place_of(user)
    seats: Sequence[int] = place.seats
    countries = place.countries
    if seat is not None or place.is_shared:
        seats = viewed_seats(table, user, seat)
        countries = table.countries_of(seats)
    told = told_to_all(table)
    is_over = told.status == "over"
    view = decision = None
    actions = own = _NO_CHOICES
    ahead = None
    log = _NO_LOG
    if table.has_begun:
        game = table.shown
        # Behind a window the game stands elsewhere, or it was stopped.
        decides = told.waiting_for is not None and country_index(told.waiting_for) in countries
        # When all is over everything is open.
        viewers = _ALL if is_over else countries
        view = game.view_of(viewers, _shared(table, game), decides)
        # Who changes sides between decisions, at one screen, gets the log anew each time.
        log = _log(table, 0 if place.is_shared else _log_start(table, since), viewers)
        if view.decision is not None:
            decision = view.decision
            actions, ahead = _foresight(table, countries)
        if table.window is None and not is_over:
            mine = [table.seats[n] for n in seats if table.seats[n].person == user]
            own = removals(game, tuple(country for one in mine for country in one.countries))
    orders = table.orders.standing
    return TableView(
        id=told.id,
        number=told.number,
        status=told.status,
        settings=told.settings,
        host=told.host,
        can_watch=told.can_watch,
        is_paused=told.is_paused,
        waiting_for=told.waiting_for,
        income=told.income,
        steps=told.steps,
        lead_to_win=told.lead_to_win,
        winner=told.winner,
        ending=told.ending,
        is_abandoned=told.is_abandoned,
        rematch=told.rematch,
        rematch_by=told.rematch_by,
        is_rematch_swapped=told.is_rematch_swapped,
        version=version_of(table, user),
        is_host=user == table.host,
        is_yours=bool(place.seats),
        seats=_seat_views(table, user, now),
        deal=deal_view(table, user),
        brought=brought_view(table, user, told.host),
        your_turn=is_to_decide(table, user),
        view=view,
        decision=decision,
        actions=actions,
        ahead=ahead,
        removals=own,
        window=_window_view(table, user, now, seats) if table.window is not None else None,
        proposal=(
            _proposal_view(table, user, now, table.countries_of(seats))
            if table.proposal is not None
            else None
        ),
        orders=(
            [OrdersView(n, orders[n].cards, orders[n].passes) for n in seats if n in orders]
            if orders
            else []
        ),
        first_cards=_first_cards(table, user) if user is not None and is_setup(table) else [],
        undo=[] if user is None else table.back_to(user),
        log=log,
    )


def told_to_all(table: Table) -> ToldToAll:
    """What everyone is told alike, worked out once while the table stays as it is."""
    found: ToldToAll | None = table.derived.get("told")
    if found is None:
        found = table.derived["told"] = ToldToAll(
            id=table.id,
            number=table.number,
            status=table.status,
            settings=table.settings,
            host=table.seating.names.get(table.host, ""),
            can_watch=table.settings.has_spectators,
            is_paused=table.is_paused,
            waiting_for=table.awaited,
            income=_income(table),
            steps=table.last_moment,
            lead_to_win=table.game.state.rules.lead_to_win if table.has_begun else 0,
            winner=table.game.winner if table.has_begun and table.status == "over" else None,
            ending=_ending(table),
            is_abandoned=table.is_abandoned,
            rematch=table.rematch,
            rematch_by=table.seating.names.get(table.rematch_host, ""),
            is_rematch_swapped=table.is_rematch_swapped,
        )
    return found


def _told_as_sent(table: Table) -> bytes:
    found: bytes | None = table.derived.get("told as sent")
    if found is None:
        found = table.derived["told as sent"] = to_json(told_to_all(table))
    return found


def _income(table: Table) -> dict[str, int]:
    if not table.has_begun:
        return {}
    return {name: income(table.shown.state, n) for n, name in enumerate(COUNTRIES)}


def _first_cards(table: Table, user: str) -> list[FirstCardsView]:
    prepared = table.orders.prepared
    return [
        FirstCardsView(country, table.surplus(country), prepared.get(country, ()))
        for country in to_prepare(table, user)
    ]


def _ending(table: Table) -> str | None:
    """How a game came to its end: that armies stand in two enemy homes, or a team has the points
    for a sudden victory, is still to be seen; else a round has ended."""
    if table.is_abandoned:
        return "abandoned"
    if table.status != "over" or not table.has_begun:
        return None
    s = table.game.state
    if s.rules.has_sudden_victory:
        enemies = [country for country in range(6) if country % 2 != s.winner]
        if sum(is_home_occupied(s, country) for country in enemies) >= 2:
            return "homes"
        if max(s.axis_score, s.allies_score) >= SUDDEN_POINTS:
            return "points"
    return "rounds" if s.round == LAST_ROUND else "lead"


def _shared(table: Table, game: Game) -> Shared:
    key = "shared", spoken()
    found: Shared | None = table.derived.get(key)
    if found is None:
        found = table.derived[key] = table.renew(key, partial(Shared, game.state))
    return found


def _log(table: Table, start: int, viewers: frozenset[int]) -> LogView:
    """The log from a place on as some countries may know it: what strangers are told, made once,
    and in it the entries whose cards are the viewers' own."""
    state = table.shown.state
    key = "log", start, spoken()
    found: tuple[LogView, list[tuple[int, RawEntry]]] | None = table.derived.get(key)
    if found is None:
        raw = table.shown.raw_log[start:]
        told = [log_entry(state.rules, entry, frozenset()) for entry in raw]
        secret = [(n, entry) for n, entry in enumerate(raw) if entry[0] in SECRET]
        found = table.derived[key] = LogView(start, told), secret
    log, secret = found
    own = [(n, entry) for n, entry in secret if entry[1] in viewers]
    if not own:
        return log
    entries = list(log.entries)
    for n, entry in own:
        entries[n] = log_entry(state.rules, entry, viewers)
    return LogView(start, entries)


def _foresight(table: Table, countries: frozenset[int]) -> tuple[list[Choice], AheadView | None]:
    """The choices of who decides and what they can foresee of them, worked out once however
    often and wherever they look while the table stays as it is."""
    key = "foresight", countries, spoken()
    found: tuple[list[Choice], AheadView | None] | None = table.derived.get(key)
    if found is None:
        # By a deal of what the viewer does not know, so that nothing real can show through.
        dealt = Look.at(table.game.state, countries).deal(table.number)
        found = foreseen(dealt, table.game.legal_actions()), _ahead(dealt)
        table.derived[key] = found
    return found


def _ahead(dealt: State) -> AheadView | None:
    after = play_step_after(dealt)
    if after is None:
        return None
    country = decider(after)
    actions = [make_action(after.rules, country, code) for code in after.options]
    return AheadView(decision_of(after), foreseen(after, actions))


def _log_start(table: Table, since: int | None) -> int:
    """Where the log begins for a client that has seen a number: an undo since then has taken
    entries away, so the shortest length since counts."""
    if since is None or not 0 <= since <= table.number:
        return 0
    return min(table.marks[since:])


def _seat_views(table: Table, user: str | None, now: float) -> list[SeatView]:
    if table.settings.clock.kind != "none":
        return [_seat_view(table, n, user, now) for n in range(len(table.seats))]
    if user != table.host and not table.seating.place_of(user).seats:
        user = None  # all strangers see the same
    parts = table.seating, table.lobby, table.status, table.host
    return table.keep(
        ("seats", user),
        parts,
        lambda: [_seat_view(table, n, user, now) for n in range(len(table.seats))],
    )


def _seat_view(table: Table, number: int, user: str | None, now: float) -> SeatView:
    seat = table.seats[number]
    is_yours = user is not None and seat.holder == user
    may_invite = is_yours or (user == table.host and table.status == "lobby")
    return SeatView(
        countries=seat.countries,
        who=who_sits(seat),
        name=seat.name,
        bot=seat.bot,
        is_yours=is_yours,
        is_away=seat.is_away,
        is_ready=seat.holder in table.lobby.ready
        or seat.holder == table.host
        or seat.bot is not None,
        is_running=table.running == number,
        seconds_left=table.seconds_left(number, now),
        invitation=seat.invitation if may_invite else None,
    )


def _window_view(table: Table, user: str | None, now: float, seats: Sequence[int]) -> WindowView:
    window = table.window
    assert window is not None
    mine = [] if user is None else might_react_seats(table, user)
    asked = [] if user is None else asks_of(table, user)
    asks = [
        AskView(
            decision_of(window.asks[i].state),  # in words of the viewer
            [choice(action) for action in window.asks[i].actions],
            table.answer_to(i),
            number,
        )
        for number, i in enumerate(asked)
        if table.seat_of(window.asks[i].country) in seats
    ]
    return WindowView(
        action=told_choice(window.shown.state.rules, window.announced, table.countries_of(seats)),
        countries=window.spec.countries,
        seconds_left=max(0.0, window.until - (table.paused_at if table.is_paused else now)),
        is_yours=bool(mine),
        has_gone_on=bool(mine) and all(seat in window.gone_on for seat in mine),
        can_hold=any(seat not in window.held for seat in mine),
        asks=asks,
    )


def _proposal_view(
    table: Table, user: str | None, now: float, viewers: frozenset[int]
) -> ProposalView:
    proposal = table.proposal
    assert proposal is not None
    names = {seat.holder: seat.name for seat in table.seats if seat.holder is not None}
    return ProposalView(
        what=proposal.what,
        about=_taken_back(table, proposal.actions, viewers) if proposal.what == "undo" else None,
        by=names.get(proposal.user, ""),
        is_yours=proposal.user == user,
        has_your_vote=user in proposal.votes,
        votes=len(proposal.votes),
        needed=len(voters(proposal.what, table.seating)),
        waits_for=[names[one] for one in proposal.missing(table.seating)],
        seconds_left=max(0.0, proposal.until - now) if table.absent_votes() else None,
    )


# What somebody decides, of all that the log tells.
_DECIDED: Final = frozenset(
    {"play", "set", "use", "discard", "build", "recruit", "deploy", "battle", "eliminate"}
)


def _taken_back(table: Table, actions: int, viewers: frozenset[int]) -> str | None:
    """The first decision that going back to so many actions takes back, as some countries may
    know it."""
    before = table.game.copy()
    before.undo(actions)
    game = table.shown
    for entry in game.raw_log[len(before.raw_log) :]:
        if entry[0] in _DECIDED:
            return log_entry(game.state.rules, entry, viewers).text
    return None

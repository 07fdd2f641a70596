"""What one person may see of a table: all that ever leaves the server.

It is made new from `Game.view` and `Game.log` of the seats they hold. Nothing in it depends on
what they may not know; above all not on who is asked in a window.
"""

from functools import cached_property, lru_cache
from typing import Any, Final

import msgspec

from quartermaster.forms.notation import Action, country_index, deck_of, make_action
from quartermaster.rules.engine import decider
from quartermaster.rules.names import COUNTRIES, RESPONSE
from quartermaster.rules.state import Rules, State
from quartermaster.rules.victory import income
from quartermaster.server.table import commands
from quartermaster.server.table.dealing import BroughtView, DealView, brought_view, deal_view
from quartermaster.server.table.events import GameSettings, Order, Seat
from quartermaster.server.table.table import Table
from quartermaster.sight.decision import Decision, decision_of
from quartermaster.sight.log import LogEntry
from quartermaster.sight.look import Look
from quartermaster.sight.reactions import outlooks, play_step_after
from quartermaster.sight.view import Shared, View
from quartermaster.speech.say import say, spoken

_FRESH: Final = 0.25  # seconds for which clocks may be told as they stood
_KEPT: Final = 100  # views of a table at one moment


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """An action that may be chosen: its text, the same for people, and what it names."""

    country: str
    text: str
    phrase: str
    verb: str
    card: str | None = None
    space: str | None = None
    piece: str | None = None
    target: str | None = None
    leads_to: list[str] = []  # spaces to choose from afterwards, if nobody reacts
    loses: list[str] = []  # spaces where a piece would be lost at once for want of supply
    is_idle: bool = False  # a card that would do nothing at all


class SeatView(msgspec.Struct, frozen=True):
    countries: tuple[str, ...]
    who: str  # "person", "bot", "open", "invited"
    name: str
    bot: str | None
    is_yours: bool
    is_away: bool  # a bot plays because time ran out
    is_ready: bool
    is_running: bool  # its clock runs
    seconds_left: float | None
    invitation: str | None  # for who may pass it on


class AskView(msgspec.Struct, frozen=True):
    """A question to the viewer in a window; it counts if those asked before let it come to it."""

    decision: Decision
    actions: list[Choice]
    answer: str | None  # given so far, or by standing order
    number: int  # to answer it by


class WindowView(msgspec.Struct, frozen=True):
    """Something was done, and some countries might react: which, everybody can work out."""

    action: Choice
    countries: tuple[str, ...]
    seconds_left: float
    is_yours: bool  # a seat of the viewer might react
    has_gone_on: bool
    can_hold: bool
    asks: list[AskView]


class ProposalView(msgspec.Struct, frozen=True):
    what: str
    by: str
    is_yours: bool
    has_your_vote: bool
    votes: int
    needed: int
    waits_for: list[str]  # names of who has not answered
    seconds_left: float | None  # then those of them for whom a bot plays are taken to agree


class OrdersView(msgspec.Struct, frozen=True):
    seat: int
    cards: dict[str, Order]
    passes: bool


class AheadView(msgspec.Struct, frozen=True):
    """The play step that comes once the viewer passes the question before it: who plays a card at
    once passes and plays."""

    decision: Decision
    actions: list[Choice]


class FirstCardsView(msgspec.Struct, frozen=True):
    """First cards that can be chosen while others choose theirs."""

    country: str
    count: int  # to discard
    discards: tuple[str, ...]  # decided so far


class LogView(msgspec.Struct, frozen=True):
    """Entries of the log from a place on; what the client had from there on is void."""

    start: int
    entries: list[LogEntry]


class TableView(msgspec.Struct, frozen=True):
    """A table as one person sees it."""

    id: str
    number: int
    version: str
    status: str
    settings: GameSettings
    host: str  # name
    is_host: bool
    is_yours: bool
    can_watch: bool
    seats: list[SeatView]
    deal: DealView
    brought: BroughtView | None  # a record that the game goes on from
    is_paused: bool
    waiting_for: str | None  # the country whose decision it is, where all may know
    your_turn: bool
    view: View | None
    income: dict[str, int]  # points each country's stars would bring it now
    decision: Decision | None
    actions: list[Choice]
    ahead: AheadView | None
    removals: list[Choice]  # own pieces that may be taken off at any time
    window: WindowView | None
    proposal: ProposalView | None
    orders: list[OrdersView]
    first_cards: list[FirstCardsView]
    undo: list[int]  # numbers the viewer may go back to without asking
    steps: int  # of the game so far, for replay
    log: LogView
    winner: str | None
    is_abandoned: bool
    rematch: str | None


class SeatItem(msgspec.Struct, frozen=True):
    countries: tuple[str, ...]
    who: str
    name: str


class Summary(msgspec.Struct, frozen=True):
    """A table as it stands in lists: what anybody may know, and no turn of the game changes."""

    host: str
    settings: GameSettings
    seats: tuple[SeatItem, ...]


def summary_of(table: Table) -> Summary:
    summary: Summary | None = table.derived.get("summary")
    if summary is None:
        seats = tuple(
            SeatItem(seat.countries, _who(seat), seat.name or seat.bot or "")
            for seat in table.seats
        )
        summary = Summary(_host_name(table), table.settings, seats)
        table.derived["summary"] = summary
    return summary


def _who(seat: Seat) -> str:
    if seat.bot is not None:
        return "bot"
    if seat.holder is not None:
        return "person"
    return "open" if seat.is_open else "invited"


def choice(action: Action) -> Choice:
    return _choice(action, action.card_name, spoken())


@lru_cache(maxsize=20_000)
def _choice(action: Action, card_name: str, language: str) -> Choice:
    """The same few choices come up again and again, so each is put into words once."""
    return Choice(
        action.country, action.text, action.phrase, action.verb,
        action.card, action.space, action.piece, action.target,
    )  # fmt: skip


def _foreseen(state: State, actions: list[Action]) -> list[Choice]:
    """Own choices, with what their player can foresee of them."""
    found = []
    aheads = outlooks(state, [action.code for action in actions])
    for action, ahead in zip(actions, aheads, strict=True):
        known = choice(action)
        if ahead.spaces or ahead.lost or ahead.is_idle:
            known = msgspec.structs.replace(
                known, leads_to=ahead.spaces, loses=ahead.lost, is_idle=ahead.is_idle
            )
        found.append(known)
    return found


# Verbs with a card that others may not know of.
_COVERED = {
    "discard": "covered.discard",
    "lay": "covered.lay",
    "put": "covered.put",
    "take": "covered.take",
}


def told_choice(rules: Rules, action: Action, viewers: frozenset[int] | None) -> Choice:
    """An action as the viewing countries may know it; `None` is who may know all. Cards that
    are played openly or used are public, a response laid face down and discards are not."""
    if viewers is None or action.card is None or country_index(action.country) in viewers:
        return choice(action)
    card = deck_of(rules, country_index(action.country)).get(action.card)
    is_set = action.verb == "play" and card is not None and card.type == RESPONSE
    if action.verb == "use" or (action.verb == "play" and not is_set):
        return choice(action)
    phrase = say("covered.response" if is_set else _COVERED[action.verb])
    return Choice(action.country, action.verb, phrase, action.verb)


def version_of(table: Table, user: str | None) -> str:
    """What a client has seen: the public number, and the viewer's own private changes."""
    own = sum(table.privates.get(seat, 0) for seat in table.seats_of(user))
    return f"{table.number}.{own}"


def seen_number(version: str | None) -> int | None:
    """The public number in a version; nothing if it is none."""
    number, _, _ = (version or "").partition(".")
    return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else None


def viewed_seats(table: Table, user: str | None, seat: int | None = None) -> list[int]:
    """The seats whose cards are shown. Of several people at one screen only the one who has
    something to decide is shown theirs, unless they say which."""
    seats = table.seats_of(user)
    if seat is not None:
        return [n for n in seats if n == seat]
    if not table.is_shared(user):
        return seats
    window = table.window
    asked = []
    if window is not None and user is not None:
        asked = [
            table.seat_of(window.asks[i].country)
            for i in commands.asks_of(table, user)
            if table.answer_to(i) is None
        ]
    if asked:
        return asked[:1]
    return [n for n in seats if table.awaited in table.seats[n].countries]


class Seen:
    """A table as someone saw it at a moment, and as it is sent to them."""

    def __init__(self, view: TableView, at: float) -> None:
        self.view = view
        self.at = at

    @cached_property
    def json(self) -> bytes:
        return to_json(self.view)


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
    if table.is_onlooker(user):
        user = seat = None
    key = "seen", user, seat, _log_start(table, since), spoken()
    seen: Seen | None = table.derived.get(key)
    if seen is None or abs(now - seen.at) >= _FRESH:
        if len(table.derived) >= _KEPT:
            table.derived.clear()
        seen = table.derived[key] = Seen(project(table, user, now, since, seat), now)
    return seen


def project(
    table: Table,
    user: str | None,
    now: float,
    since: int | None = None,
    seat: int | None = None,
) -> TableView:
    """The table for a person, or for an onlooker (`None`), with the log since a number."""
    seats = viewed_seats(table, user, seat)
    countries = table.countries_of(seats)
    is_over = table.status == "over"
    view = decision = None
    actions: list[Choice] = []
    ahead = None
    removals: list[Choice] = []
    entries: list[LogEntry] = []
    start = 0
    if table.has_begun:
        game = table.shown
        # When all is over everything is open.
        shared = table.derived.get("shared")
        if shared is None:
            shared = table.derived["shared"] = Shared(game.state)
        awaited = table.awaited
        # Behind a window the game stands elsewhere, or it was stopped.
        decides = awaited is not None and country_index(awaited) in countries
        view = game.view_of(frozenset(range(6)) if is_over else countries, shared, decides)
        # Who changes sides between decisions, at one screen, gets the log anew each time.
        start = 0 if table.is_shared(user) else _log_start(table, since)
        entries = list(game.log_of(None if is_over else countries, start))
        if view.decision is not None:
            decision = view.decision
            actions, ahead = _foresight(table, countries)
        if table.window is None and not is_over:
            removals = [
                choice(action)
                for n in seats
                if table.seats[n].person == user
                for country in table.seats[n].countries
                for action in game.removals(country)
            ]
    return TableView(
        id=table.id,
        number=table.number,
        version=version_of(table, user),
        status=table.status,
        settings=table.settings,
        host=_host_name(table),
        is_host=user == table.host,
        is_yours=bool(table.seats_of(user)),
        can_watch=table.settings.has_spectators,
        seats=_seat_views(table, user, now),
        deal=deal_view(table, user),
        brought=brought_view(table, user, _host_name(table)),
        is_paused=table.is_paused,
        waiting_for=table.awaited,
        your_turn=is_to_decide(table, user),
        view=view,
        income=_income(table),
        decision=decision,
        actions=actions,
        ahead=ahead,
        removals=removals,
        window=_window_view(table, user, now, seats),
        proposal=_proposal_view(table, user, now),
        orders=[
            OrdersView(n, table.orders[n].cards, table.orders[n].passes)
            for n in seats
            if n in table.orders
        ],
        first_cards=[
            FirstCardsView(country, table.surplus(country), table.prepared.get(country, ()))
            for country in ([] if user is None else table.to_prepare(user))
        ],
        undo=[] if user is None else table.back_to(user),
        steps=table.last_moment,
        log=LogView(start, entries),
        winner=table.game.winner if table.has_begun and is_over else None,
        is_abandoned=table.is_abandoned,
        rematch=table.rematch,
    )


def _foresight(table: Table, countries: frozenset[int]) -> tuple[list[Choice], AheadView | None]:
    """The choices of who decides and what they can foresee of them, worked out once however
    often and wherever they look while the table stays as it is."""
    key = "foresight", countries, spoken()
    found: tuple[list[Choice], AheadView | None] | None = table.derived.get(key)
    if found is None:
        # By a deal of what the viewer does not know, so that nothing real can show through.
        dealt = Look.at(table.game.state, countries).deal(table.number)
        found = _foreseen(dealt, table.game.legal_actions()), _ahead(dealt)
        table.derived[key] = found
    return found


def _ahead(dealt: State) -> AheadView | None:
    after = play_step_after(dealt)
    if after is None:
        return None
    country = decider(after)
    actions = [make_action(after.rules, country, code) for code in after.options]
    return AheadView(decision_of(after), _foreseen(after, actions))


def _income(table: Table) -> dict[str, int]:
    if not table.has_begun:
        return {}
    found: dict[str, int] | None = table.derived.get("income")
    if found is None:
        found = {name: income(table.shown.state, n) for n, name in enumerate(COUNTRIES)}
        table.derived["income"] = found
    return found


def is_to_decide(table: Table, user: str | None) -> bool:
    """Whether a person has something to decide now."""
    if user is None or table.status != "playing" or table.is_paused:
        return False
    if table.window is not None:
        return any(table.answer_to(i) is None for i in commands.asks_of(table, user))
    awaited = table.awaited
    return awaited is not None and table.seats[table.seat_of(awaited)].person == user


def has_to_do(table: Table, user: str) -> bool:
    """Whether a person has something to decide, now or ahead of time."""
    ahead = [] if table.is_paused else table.to_prepare(user)
    return is_to_decide(table, user) or any(not table.prepared.get(one) for one in ahead)


def _log_start(table: Table, since: int | None) -> int:
    """Where the log begins for a client that has seen a number: an undo since then has taken
    entries away, so the shortest length since counts."""
    if since is None or not 0 <= since <= table.number:
        return 0
    return min(table.marks[since:])


def _host_name(table: Table) -> str:
    return table.seating.names.get(table.host, "")


def _seat_views(table: Table, user: str | None, now: float) -> list[SeatView]:
    if table.settings.clock.kind != "none":
        return [_seat_view(table, n, user, now) for n in range(len(table.seats))]
    views: list[SeatView] | None = table.derived.get("seats")  # as strangers see them
    if views is None:
        views = [_seat_view(table, n, None, now) for n in range(len(table.seats))]
        table.derived["seats"] = views
    is_setting_up = user == table.host and table.status == "lobby"
    return [
        _seat_view(table, n, user, now)
        if user is not None and (seat.holder == user or is_setting_up)
        else views[n]
        for n, seat in enumerate(table.seats)
    ]


def _seat_view(table: Table, number: int, user: str | None, now: float) -> SeatView:
    seat = table.seats[number]
    is_yours = user is not None and seat.holder == user
    may_invite = is_yours or (user == table.host and table.status == "lobby")
    return SeatView(
        countries=seat.countries,
        who=_who(seat),
        name=seat.name,
        bot=seat.bot,
        is_yours=is_yours,
        is_away=seat.is_away,
        is_ready=seat.holder in table.ready or seat.holder == table.host or seat.bot is not None,
        is_running=table.running == number,
        seconds_left=table.seconds_left(number, now),
        invitation=seat.invitation if may_invite else None,
    )


def _window_view(table: Table, user: str | None, now: float, seats: list[int]) -> WindowView | None:
    window = table.window
    if window is None:
        return None
    mine = [] if user is None else commands.might_react_seats(table, user)
    asked = [] if user is None else commands.asks_of(table, user)
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


def _proposal_view(table: Table, user: str | None, now: float) -> ProposalView | None:
    proposal = table.proposal
    if proposal is None:
        return None
    names = {seat.holder: seat.name for seat in table.seats if seat.holder is not None}
    return ProposalView(
        what=proposal.what,
        by=names.get(proposal.user, ""),
        is_yours=proposal.user == user,
        has_your_vote=user in proposal.votes,
        votes=len(proposal.votes),
        needed=len(table.voters(proposal.what)),
        waits_for=[names[one] for one in table.missing_votes()],
        seconds_left=max(0.0, proposal.until - now) if table.absent_votes() else None,
    )


def to_json(view: Any) -> bytes:
    return msgspec.json.encode(view)

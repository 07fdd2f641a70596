"""The shapes of what people are sent of a table; `projection.py` fills them."""

import msgspec

from quartermaster.server.table.choices import Choice
from quartermaster.server.table.dealing import BroughtView, DealView
from quartermaster.server.table.events import GameSettings, Order
from quartermaster.sight.decision import Decision
from quartermaster.sight.log import LogEntry
from quartermaster.sight.view import View


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
    about: str | None  # the decision that an undo takes back, as the log tells it to the viewer
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


class ToldToAll(msgspec.Struct, frozen=True):
    """What everyone sees alike of a table, whoever they are."""

    id: str
    number: int
    status: str
    settings: GameSettings
    host: str  # name
    can_watch: bool
    is_paused: bool
    waiting_for: str | None  # the country whose decision it is, where all may know
    income: dict[str, int]  # points each country's stars would bring it now
    steps: int  # of the game so far, for replay
    lead_to_win: int  # points ahead that win at the end of a round; 0: no lead does
    winner: str | None
    ending: str | None  # "rounds", "lead", "homes", "points" or "abandoned"
    is_abandoned: bool
    rematch: str | None
    rematch_by: str  # name of who has opened it
    is_rematch_swapped: bool  # each plays the other side in it


class TableView(ToldToAll, frozen=True):
    """A table as one person sees it."""

    version: str
    is_host: bool
    is_yours: bool
    seats: list[SeatView]
    deal: DealView
    brought: BroughtView | None  # a record that the game goes on from
    your_turn: bool
    view: View | None
    decision: Decision | None
    actions: list[Choice]
    ahead: AheadView | None
    removals: list[Choice]  # own pieces that may be taken off at any time
    window: WindowView | None
    proposal: ProposalView | None
    orders: list[OrdersView]
    first_cards: list[FirstCardsView]
    undo: list[int]  # numbers the viewer may go back to without asking
    log: LogView

"""A table: what its events add up to. No clock, database or network in here; times are given.

While a window is open the game has already gone on to the first question, but everybody is
shown it as it was before the action that opened the window (`Table.shown`).
"""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any, Final

import msgspec

from quartermaster.forms.deals import Deal
from quartermaster.forms.notation import Action, country_index, make_action
from quartermaster.game import Game, make_seats
from quartermaster.rules.conceal import conceal
from quartermaster.rules.names import COUNTRIES, DECK, HAND, SET
from quartermaster.rules.state import State
from quartermaster.rules.turn import HAND_SIZE
from quartermaster.rules.when import AnyTime
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Event, GameSettings, OpenWindow, Seat
from quartermaster.server.table.seating import Seating, countries_of, team_of
from quartermaster.sight.decision import Decision
from quartermaster.sight.reactions import Ask, asks_after, is_hidden_ask, might_react

DAY: Final = 86400.0
# As long as a bot may think: a window is open at least so long, and a bot that has one choice
# takes as long as if it had several.
_BOT_SECONDS: Final = {"general": 1.4}
_LEAST_BOT_SECONDS: Final = 0.3
_BACK: Final = 60.0  # seconds on the clock of who comes back, at least
_ABSENT: Final = (
    600.0  # seconds to answer a proposal for whom a bot plays; then it counts as agreed
)
_TELLING: Final = frozenset(
    {"draw", "mill", "show", "show-type", "shuffle", "take", "order", "discard-response"}
)


@dataclass
class Window:
    """A window that is open now."""

    spec: OpenWindow
    asks: list[Ask]
    shown: Game
    announced: Action
    until: float
    answers: dict[int, str] = field(default_factory=dict)
    gone_on: set[int] = field(default_factory=set)  # seats
    held: set[int] = field(default_factory=set)

    def wait(self, seconds: float) -> None:
        """Time does not count that passed in a pause."""
        self.until += seconds
        not_before = self.spec.not_before + seconds
        self.spec = msgspec.structs.replace(self.spec, not_before=not_before)


@dataclass(frozen=True)
class Step:
    """A public change of the game, for going back."""

    against: int  # the number of the table before
    user: str | None
    moves: tuple[tuple[str, str], ...]
    actions: int  # before
    is_free: bool  # its player may take it back
    is_reaction: bool  # came of a window, into which nobody goes back


@dataclass
class Proposal:
    user: str
    what: ev.Motion
    actions: int
    votes: set[str]  # for it
    number: int  # of the table when it was made
    until: float  # who is absent and has not answered by then is taken to agree


@dataclass(frozen=True)
class Trial:
    """A move that was tried when its event was made, so that it need not be carried out again
    when the event comes."""

    event: ev.Moved
    seq: int  # of the table at which it was tried
    game: Game  # after it
    shown: Game  # before the last of its actions


@dataclass(frozen=True)
class Todo:
    """What the table needs next without anyone's request, and when."""

    what: str  # "answer", "move", "order", "close", "remind", "time-out", "consent"
    at: float
    country: str = ""
    ask: int = -1
    seat: int = -1
    text: str = ""


class Table:
    """One game and who sits at it."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.seq = 0  # events
        self.number = 0  # events that everyone knows of
        self.privates: dict[int, int] = {}  # seat -> private events
        self.marks = [0]  # number -> entries of the log that are shown
        self.host = ""
        self.settings = GameSettings("second", {})
        self.seats: tuple[Seat, ...] = ()
        self._seating = Seating(())
        self.ready: set[str] = set()
        self.agreed: set[str] = set()  # to hidden cards as they were recorded
        self.added: dict[str, str] = {}  # person -> what their client has added to the deal
        self.deal: Deal | None = None  # what the cards come from, once the game has begun
        self.added_by: dict[int, str] = {}  # seat -> who added to it, by name
        self.status = "lobby"
        self.is_paused = False
        self.paused_at = 0.0
        self.is_abandoned = False
        self.rematch: str | None = None
        self.window: Window | None = None
        self.proposal: Proposal | None = None
        self.orders: dict[int, ev.Ordered] = {}
        self.prepared: dict[str, tuple[str, ...]] = {}  # country -> first cards it will discard
        self.begun = 0  # the number since which the game goes
        self.steps: list[Step] = []
        self.banks: dict[int, float] = {}  # seat -> seconds left
        self.settled = 0  # the number since which the decision at hand stands
        self.reminded = -1  # the same of the decision that someone was last reminded of
        self.changed_at = 0.0
        self.asked_at = 0.0  # when the decision at hand came up
        self._orders_turn: dict[int, tuple[int, int]] = {}
        self._seen_by: dict[str, set[int]] = {}  # person -> teams whose cards they have seen
        self._running: int | None = None  # seat whose clock runs
        self._game: Game | None = None  # never changed: what happens makes another
        self._trial: Trial | None = None
        self._recorded = [0]  # moments of what the game went on from
        self._seed = 0
        self._secret: str | None = None
        self._commitment: str | None = None  # to the secret
        self._is_version_1 = False
        self._record: str | None = None
        self._brought: Game | None = None
        # Worked out of the table as it is, by whoever asked first; void with the next event.
        self.derived: dict[Any, Any] = {}

    def copy(self) -> "Table":
        """A table to try events on: what is shared is never changed."""
        table = copy(self)
        table.derived = {}
        table.privates = dict(self.privates)
        table.marks = list(self.marks)
        table.ready = set(self.ready)
        table.agreed = set(self.agreed)
        table.added = dict(self.added)
        table.orders = dict(self.orders)
        table.prepared = dict(self.prepared)
        table.steps = list(self.steps)
        table.banks = dict(self.banks)
        table._orders_turn = dict(self._orders_turn)
        table._seen_by = {user: set(teams) for user, teams in self._seen_by.items()}
        if self.window is not None:
            table.window = replace(
                self.window,
                answers=dict(self.window.answers),
                gone_on=set(self.window.gone_on),
                held=set(self.window.held),
            )
        if self.proposal is not None:
            table.proposal = replace(self.proposal, votes=set(self.proposal.votes))
        return table

    # -- asking ------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        assert self._game is not None, "the game has not begun"
        return self._game

    @property
    def has_begun(self) -> bool:
        return self._game is not None

    @property
    def goes_on(self) -> bool:
        """Whether the game goes on from a record."""
        return self._record is not None

    @property
    def brought(self) -> Game | None:
        """The recorded game that this one goes on from, where it goes on."""
        if self._record is not None and self._brought is None:
            self._brought = Game.from_record(self._record)
        return self._brought

    @property
    def brought_actions(self) -> int:
        """How many actions the record has."""
        if self.has_begun:
            return self._recorded[-1]
        return 0 if self.brought is None else len(self.brought.codes)

    @property
    def is_dealt_anew(self) -> bool:
        """Whether what is hidden in the record that it goes on from is dealt anew."""
        return self.goes_on and self._secret is not None and self.settings.deal == "fresh"

    @property
    def needs_agreement(self) -> bool:
        """Whether people other than the host, who knows the record, must agree to its cards."""
        return (
            self.goes_on
            and not self.is_dealt_anew
            and any(person != self.host for person in self.people)
        )

    def must_agree(self, user: str) -> bool:
        """Whether someone may play only who has agreed to hidden cards as they were recorded."""
        return self.goes_on and not self.is_dealt_anew and user != self.host

    @property
    def commitment(self) -> str | None:
        """What ties the table to its secret; nothing where the deal cannot be checked: at tables
        from before there were secrets, and where hidden cards are as recorded."""
        if self._secret is None or (self.goes_on and not self.is_dealt_anew):
            return None
        return self._commitment

    def contributions(self) -> dict[int, str]:
        """What people have added so far, by the first seat of each."""
        seats: dict[str, int] = {}
        for number, seat in enumerate(self.seats):
            if seat.person is not None:
                seats.setdefault(seat.person, number)
        return {n: self.added[person] for person, n in seats.items() if person in self.added}

    @property
    def shown(self) -> Game:
        """The game as everyone may see it now."""
        return self.window.shown if self.window is not None else self.game

    @property
    def seating(self) -> Seating:
        """Who sits where."""
        if self._seating.seats is not self.seats:
            self._seating = Seating(self.seats)
        return self._seating

    @property
    def people(self) -> list[str]:
        """Who decides things at this table, in the order of the seats."""
        return list(self.seating.people)

    @property
    def holders(self) -> list[str]:
        """Whose game it is: also those for whom a bot plays until they come back."""
        return list(self.seating.holders)

    def voters(self, what: ev.Motion) -> list[str]:
        """Who must agree to something. A pause is in favour of who is absent; going back or
        ending is not, so that those are asked too."""
        return self.people if what == "pause" else self.holders

    def missing_votes(self) -> list[str]:
        """Who has not said anything to the proposal yet."""
        if self.proposal is None:
            return []
        return [u for u in self.voters(self.proposal.what) if u not in self.proposal.votes]

    def absent_votes(self) -> list[str]:
        """Those of them for whom a bot plays: they are waited for, but not for ever."""
        people = self.people
        return [user for user in self.missing_votes() if user not in people]

    def seats_of(self, user: str | None) -> list[int]:
        return list(self.seating.place_of(user).seats)

    def is_shared(self, user: str | None) -> bool:
        """Whether someone holds seats for several people at one screen: of both teams, or
        under several names."""
        return self.seating.place_of(user).is_shared

    def seat_of(self, country: str) -> int:
        return self.seating.seat_of[country]

    def is_onlooker(self, user: str | None) -> bool:
        """Whether someone has and had no part in the table, so that they see what all such see."""
        return user is None or not (
            user == self.host
            or user in self._seen_by
            or user in self.added
            or user in self.agreed
            or self.seats_of(user)
        )

    def countries_of(self, seats: list[int]) -> frozenset[int]:
        return countries_of([self.seats[n] for n in seats])

    def knows_other_side(self, user: str, seat: Seat) -> bool:
        """Whether a person has seen the cards of a seat's enemies, and others would mind: any
        who have ever held a seat in this game, for they may come back."""
        others = [person for person in self._seen_by if person != user]
        return bool(others) and 1 - team_of(seat) in self._seen_by.get(user, set())

    @property
    def awaited(self) -> str | None:
        """The country whose decision everyone waits for, and may know of."""
        if self.status != "playing" or self.window is not None:
            return None
        return self._decides[0]

    @property
    def _decides(self) -> tuple[str, str]:
        """`Game.decides`, worked out once."""
        found: tuple[str, str] | None = self.derived.get("decides")
        if found is None:
            found = self.derived["decides"] = self.game.decides
        return found

    def answer_to(self, number: int) -> str | None:
        """What is known of the answer to a question of the window: given, or by order."""
        window = self.window
        assert window is not None
        if number in window.answers:
            return window.answers[number]
        ask = window.asks[number]
        seat = self.seat_of(ask.country)
        if self.seats[seat].bot is not None:
            return None
        return self.ordered(seat, ask.decision, ask.actions)

    def ordered(
        self, seat: int, decision: Decision, actions: tuple[Action, ...] | list[Action]
    ) -> str | None:
        """What a seat's standing orders say to a question whether to react."""
        orders = self.orders.get(seat)
        if decision.kind != "react":
            return None
        if orders is not None and orders.passes:
            return "pass"
        cards = self.game.state.rules.cards
        by_id = {card.id: card for card in cards if card.trigger is not None}
        is_idle = decision.event["kind"].startswith("start-of-")
        undecided = False
        for action in actions:
            if action.card is None:
                continue
            order = orders.cards.get(action.card, "ask") if orders is not None else "ask"
            if order == "always":
                return action.text
            if order == "never":
                continue
            # A card for any time is not asked for at every step, unless that is wanted.
            trigger = by_id[action.card].trigger
            if order == "ask" and is_idle and isinstance(trigger, AnyTime):
                continue
            undecided = True
        return None if undecided else "pass"

    def to_prepare(self, user: str) -> list[str]:
        """The countries whose first cards a person may choose while another person does."""
        awaited = self.awaited
        if awaited is None or self._decides[1] != "setup":
            return []
        if self.seats[self.seat_of(awaited)].person in (None, user) or self.is_shared(user):
            return []  # bots need no time, and at one screen each is asked in turn
        ahead = COUNTRIES[COUNTRIES.index(awaited) + 1 :]
        return [country for country in ahead if self.seats[self.seat_of(country)].person == user]

    def surplus(self, country: str) -> int:
        """How many cards a country has to discard before the game."""
        return len(self.game.state.zones[HAND + country_index(country)]) - HAND_SIZE

    @property
    def waits_since(self) -> int:
        """The number of the table since which it waits for the people it waits for: for first
        cards since the game has begun."""
        is_setup = self.awaited is not None and self._decides[1] == "setup"
        return self.begun if is_setup else self.settled

    def _prepared_discard(self, country: str) -> str | None:
        """The next of the first cards that a country has decided to discard."""
        cards = self.prepared.get(country, ())
        left = self.surplus(country)
        return f"discard {cards[-left]}" if 0 < left <= len(cards) else None

    def todo(self) -> Todo | None:
        """What comes next by itself."""
        todos = [todo for todo in (self._todo_in_game(), self._todo_of_proposal()) if todo]
        return min(todos, key=lambda todo: todo.at, default=None)

    def _todo_of_proposal(self) -> Todo | None:
        proposal = self.proposal
        if proposal is None or not self.absent_votes():
            return None
        return Todo("consent", proposal.until)

    def _todo_in_game(self) -> Todo | None:
        if self.status != "playing" or self.is_paused:
            return None
        if self.window is not None:
            return self._todo_in_window(self.window)
        country, kind = self._decides
        seat = self.seat_of(country)
        if self.seats[seat].bot is not None:
            # There is nothing to follow while bots sort their first cards.
            pause = 0.0 if kind == "setup" else self._bot_pause(self.seats[seat].bot or "")
            return Todo("move", self.asked_at + pause, country, seat=seat)
        text = None
        if kind == "setup":
            text = self._prepared_discard(country)
        elif kind == "react":
            text = self.ordered(seat, self.game.decision, self.game.legal_actions())
        if text is None and not self.is_hiding and len(self.game.state.options) == 1:
            text = self.game.legal_actions()[0].text  # it is asked for others' sake
        if text is not None:
            return Todo("order", self.asked_at, country, seat=seat, text=text)
        deadline = self.deadline
        if deadline is None:
            return None
        reminder = (self.asked_at + deadline) / 2
        if self.settings.clock.kind == "async" and self.reminded != self.settled:
            return Todo("remind", reminder, country, seat=seat)
        return Todo("time-out", deadline, seat=seat)

    def _bot_pause(self, bot: str) -> float:
        """The seconds before a bot acts."""
        if not self.people:
            return self.settings.pause
        return max(self.settings.pause, _BOT_SECONDS.get(bot, 0.0))

    def bot_asks(self) -> list[int]:
        """The questions of the open window that bots have to answer."""
        if self.window is None:
            return []
        return [
            i
            for i, ask in enumerate(self.window.asks)
            if self.seats[self.seat_of(ask.country)].bot is not None
        ]

    def _todo_in_window(self, window: Window) -> Todo | None:
        bots = self.bot_asks()
        pending = [i for i in range(len(window.asks)) if self.answer_to(i) is None]
        if window.spec.is_timed:
            pending = [i for i in pending if i not in bots]
        for i in pending:
            if i in bots:
                ask = window.asks[i]
                seat = self.seat_of(ask.country)
                return Todo("answer", self.asked_at, ask.country, ask=i, seat=seat)
        if pending:
            if window.spec.late == "pass":
                return Todo("close", window.until)
            if self.settings.clock.kind == "async":
                return Todo("close", window.until + self.settings.clock.days * DAY)
            if self.settings.clock.kind == "live":
                asked = {self.seat_of(window.asks[i].country) for i in pending}
                return Todo("close", window.until + max(self.banks[seat] for seat in asked))
            return None
        might = {self.seat_of(country) for country in window.spec.countries}
        # A card that is used tells of itself anyway; who passes must seem to have had none.
        said = window.gone_on | {
            self.seat_of(window.asks[i].country)
            for i, text in window.answers.items()
            if text != "pass"
        }
        waits = {
            seat for seat in might - said if self.seats[seat].bot is None and not self._passes(seat)
        }
        return Todo("close", window.until if waits else window.spec.not_before)

    def _passes(self, seat: int) -> bool:
        return seat in self.orders and self.orders[seat].passes

    @property
    def deadline(self) -> float | None:
        """When the time of the person who decides is over."""
        if self._running is None:
            return None
        clock = self.settings.clock
        if clock.kind == "live":
            return self.changed_at + self.banks[self._running]
        return self.asked_at + clock.days * DAY

    @property
    def _time_to_answer(self) -> float:
        """How long someone absent has to answer a proposal."""
        clock = self.settings.clock
        return clock.days * DAY if clock.kind == "async" else _ABSENT

    @property
    def running(self) -> int | None:
        """The seat whose time runs."""
        return self._running

    def back_to(self, user: str) -> list[int]:
        """The numbers of the table that a person may go back to without asking anyone: own
        decisions after which nothing hidden was seen, and nobody else decided."""
        numbers: list[int] = []
        for step in reversed(self.steps):
            if step.user != user or not step.is_free:
                break
            numbers.append(step.against)
        return numbers if self.status == "playing" and self.window is None else []

    def moments(self) -> list[int]:
        """The numbers of actions after which everyone could see the game: its beginning, and
        after each public change. Of a game that went on from a record, after each action that
        was no secret passing."""
        if not self.has_begun:
            return []
        counts = [*self._recorded]
        for step in self.steps[1:] if self.steps else []:
            counts.append(step.actions)
        if self.steps and self.window is None:
            counts.append(len(self.game.codes))
        return counts

    @property
    def last_moment(self) -> int:
        """The number of the last of them."""
        if not self.has_begun:
            return 0
        return len(self._recorded) - 1 + max(0, len(self.steps) - (self.window is not None))

    # -- what a move brings ------------------------------------------------------------

    def moved(
        self,
        moves: list[tuple[str, str]],
        against: int,
        now: float,
        faults: tuple[ev.FaultNote, ...] = (),
    ) -> ev.Moved:
        """The event of some actions, with the window that the last of them opens. What is not
        legal raises, and nothing has changed."""
        if not moves:  # a window closes that nobody was asked in
            return ev.Moved((), against)
        game, shown = self._carried_out(moves, faults)
        before = shown.state
        index, code, is_free = game.codes[-1]
        is_silent = moves[-1][1] == "pass" and is_hidden_ask(before)
        window = None
        if not is_silent:  # also if it ends the game: others may have a card against it
            might = might_react(before, index, code, is_free, game.state)
            asked = [ask.country for ask in asks_after(game.state)]
            countries = tuple(c for c in COUNTRIES if c in might or c in asked)
            if countries:
                window = self._window(countries, bool(asked), now)
        event = ev.Moved(tuple(moves), against, window, faults)
        self._trial = Trial(event, self.seq, game, shown)
        return event

    def _carried_out(
        self, moves: Sequence[tuple[str, str]], faults: Sequence[ev.FaultNote]
    ) -> tuple[Game, Game]:
        """The game after some actions, and before the last of them."""
        game = shown = self.game.copy()
        for fault in faults:
            game.note_fault(fault.country, fault.bot, fault.reason, fault.stand_in)
        for number, (country, text) in enumerate(moves, 1):
            if number == len(moves):
                shown = game.copy()
            game.apply(text, country=country, is_whole=True)
        return game, shown

    def _window(self, countries: tuple[str, ...], is_asked: bool, now: float) -> OpenWindow | None:
        seats = [self.seats[self.seat_of(country)] for country in countries]
        bots = [seat.bot for seat in seats if seat.bot is not None]
        least = 0.0
        if bots and self.people:
            seconds = [_BOT_SECONDS.get(bot, _LEAST_BOT_SECONDS) for bot in bots]
            least = max([self.settings.pause, *seconds])
        waits = self.is_hiding and any(seat.bot is None for seat in seats)
        longest = max(least, self.settings.window) if waits else least
        if not (waits or (bots and self.people) or is_asked):
            return None  # there is nobody to hide it from
        # Without a wait there is nothing to be late for: who is asked is waited for.
        late: ev.Late = self.settings.late if waits and self.settings.window > 0 else "wait"
        return OpenWindow(countries, now + least, now + longest, late, is_timed=least > 0)

    @property
    def is_hiding(self) -> bool:
        """Whether a person has something to hide: if there is another who would notice."""
        return len(self.people) > 1 or (self.settings.is_public and self.settings.has_spectators)

    def closing(self, by_bots: Mapping[int, str] | None = None) -> list[tuple[str, str]]:
        """What the window that is open brings when it closes now, with what bots have answered
        to its questions by then."""
        window = self.window
        assert window is not None
        bots = self.bot_asks() if window.spec.is_timed else []
        moves: list[tuple[str, str]] = []
        for i, ask in enumerate(window.asks):
            text = (by_bots or {}).get(i) if i in bots else self.answer_to(i)
            text = text or "pass"
            moves.append((ask.country, text))
            if text != "pass":
                break  # the others will be asked anew
        return moves

    # -- adding events -----------------------------------------------------------------

    def add(self, event: Event, user: str | None, at: float) -> None:
        """Take in an event that has happened."""
        self.derived.clear()
        is_private = isinstance(event, ev.PRIVATE)
        if self._running is not None and self.settings.clock.kind == "live" and not is_private:
            self.banks[self._running] -= max(0.0, at - self.changed_at)
        match event:
            case ev.Created():
                self._create(event)
            case ev.SeatChanged():
                self._change_seat(event, at)
            case ev.SettingsChanged():
                self.settings, self.seats = event.settings, event.seats
                self.ready.clear()
                self.agreed.clear()
            case ev.ReadySaid():
                (self.ready.add if event.is_ready else self.ready.discard)(event.user)
                agrees = event.is_ready and event.agrees
                (self.agreed.add if agrees else self.agreed.discard)(event.user)
            case ev.Contributed():
                self.added[event.user] = event.added
            case ev.Started():
                self._start()
                self.begun = self.number + 1
            case ev.Moved():
                self._move(event, user, at)
            case ev.Answered():
                assert self.window is not None
                self.window.answers[event.ask] = event.text
            case ev.WentOn():
                assert self.window is not None
                self.window.gone_on.add(event.seat)
            case ev.Held():
                assert self.window is not None
                self.window.until = event.until
                self.window.held.add(event.seat)
            case ev.TakenBack():
                self._take_back(event.actions)
            case ev.Proposed():
                until = at + self._time_to_answer
                self.proposal = Proposal(
                    event.user, event.what, event.actions, {event.user}, self.number + 1, until
                )
            case ev.Voted():
                assert self.proposal is not None
                if event.is_for:
                    self.proposal.votes.add(event.user)
                else:
                    self.proposal = None
            case ev.Paused():
                self.is_paused, self.proposal, self.paused_at = True, None, at
            case ev.Resumed():
                self.is_paused = False
                if self.window is not None:
                    self.window.wait(at - self.paused_at)
            case ev.Ordered():
                self.orders[event.seat] = event
                if self.has_begun:
                    self._orders_turn[event.seat] = self._turn
            case ev.Prepared():
                self.prepared[event.country] = event.discards
            case ev.Rematched():
                self.rematch = event.game
            case ev.Ended():
                self.status, self.is_abandoned = "over", True
                self.window = self.proposal = None
        self.seq += 1
        self._trial = None
        self.derived.clear()  # of what was asked on the way
        if isinstance(event, ev.PRIVATE):
            seat = self.seat_of(event.country) if isinstance(event, ev.Answered) else event.seat
            self.privates[seat] = self.privates.get(seat, 0) + 1
            return  # nobody else may notice, by no clock either
        else:
            self.number += 1
            self.marks.append(len(self.shown.state.log or []) if self.has_begun else 0)
        if isinstance(event, ev.Started | ev.SeatChanged) and self.has_begun:
            for held in self.seats:
                if held.holder is not None:
                    self._seen_by.setdefault(held.holder, set()).add(team_of(held))
        self.changed_at = at
        if isinstance(event, ev.Started | ev.Moved | ev.TakenBack):
            self.settled = self.number
        if isinstance(event, ev.Started | ev.Moved | ev.TakenBack | ev.Resumed):
            if not (isinstance(event, ev.Moved) and event.moves and self.game.codes[-1][2]):
                self.asked_at = at  # taking a piece off decides nothing
        self._running = self._seat_on_clock()

    @property
    def _turn(self) -> tuple[int, int]:
        return self.shown.state.round, self.shown.state.country

    def _seat_on_clock(self) -> int | None:
        if self.settings.clock.kind == "none" or self.is_paused or self.awaited is None:
            return None
        seat = self.seat_of(self.awaited)
        return seat if self.seats[seat].person is not None else None

    def _create(self, event: ev.Created) -> None:
        self.host, self.settings, self.seats = event.host, event.settings, event.seats
        self._seed, self._record, self._secret = event.seed, event.record, event.secret
        self._commitment = None if event.secret is None else Deal(event.secret).commitment
        self._is_version_1 = event.is_version_1

    def _change_seat(self, event: ev.SeatChanged, at: float) -> None:
        before = self.seats[event.seat]
        self.seats = (*self.seats[: event.seat], event.to, *self.seats[event.seat + 1 :])
        if self.status == "lobby":
            self.ready.discard(event.to.holder or "")
            self.agreed.discard(event.to.holder or "")
        if before.is_away and not event.to.is_away:
            if self.settings.clock.kind == "live":
                self.banks[event.seat] = max(self.banks[event.seat], _BACK)
            self.asked_at = at
        if before.holder != event.to.holder:
            self.orders.pop(event.seat, None)
            for country in event.to.countries:
                self.prepared.pop(country, None)
        if self.window is not None and before.person != event.to.person:
            # Who plays now was not asked: the countries' questions are put anew.
            for i, ask in enumerate(self.window.asks):
                if ask.country in event.to.countries:
                    self.window.answers.pop(i, None)
            self.window.gone_on.discard(event.seat)

    def _start(self) -> None:
        seats = [seat.countries for seat in self.seats]
        settings = self.settings
        self._recorded = [0]
        if self._secret is not None and self.commitment is not None:
            added = self.contributions()
            self.deal = Deal(self._secret, tuple(sorted(added.items())))
            self.added_by = {n: self.seats[n].name for n in added}
        if self._record is not None:
            self._game, record = Game.begin_record(self._record)
            for number in self._game.follow(record):
                text = record.actions[number][1]
                if text == "pass" and is_hidden_ask(self._game.state):
                    self._recorded[-1] = number + 1
                else:
                    self._recorded.append(number + 1)
            self._game.seats = make_seats(settings.rules, seats)
            if self.deal is not None:
                self._game.deal_anew(self.deal.seed)
        else:
            self._game = Game.new(
                settings.rules,
                seed=self._seed if self.deal is None else self.deal.seed,
                seats=seats,
                options=settings.options,
                is_version_1=self._is_version_1,
            )
        self._game.deal = self.deal
        self.status = "over" if self._game.is_over else "playing"
        self.banks = dict.fromkeys(range(len(self.seats)), 60 * settings.clock.minutes)

    def _move(self, event: ev.Moved, user: str | None, at: float) -> None:
        before = self.game.state
        start, entries = len(self.game.codes), len(before.log or [])
        trial = self._trial
        if trial is not None and trial.event is event and trial.seq == self.seq:
            game, shown = trial.game, trial.shown
        else:
            game, shown = self._carried_out(event.moves, event.faults)
        self._game = game
        viewers = self.countries_of(self.seats_of(user))
        is_free = (
            user is not None
            and event.window is None
            and not any(entry[0] in _TELLING for entry in (game.state.log or [])[entries:])
            and not _has_told(before, game.state, viewers)
        )
        is_reaction = self.window is not None
        if event.moves and not (is_reaction and all(text == "pass" for _, text in event.moves)):
            self.steps.append(Step(event.against, user, event.moves, start, is_free, is_reaction))
        self.window = None
        if event.window is not None and event.moves:
            self.window = Window(
                event.window, asks_after(game.state), shown, _last_action(game), event.window.until
            )
        if user is not None and self.proposal is not None:
            # A person has gone on; but who is absent keeps the time to say whether to end it.
            if self.proposal.what != "end" or not self.absent_votes():
                self.proposal = None
        if self._running is not None and self.settings.clock.kind == "live":
            if self.seat_of(event.moves[-1][0]) == self._running and not game.codes[-1][2]:
                self.banks[self._running] += self.settings.clock.increment
        if self.window is None:
            self._end_passes()
        if game.is_over and self.window is None:
            self.status = "over"

    def _end_passes(self) -> None:
        """ "Pass until my turn" is over once it has come."""
        on_turn = COUNTRIES[self.game.state.country]
        for seat, orders in self.orders.items():
            if orders.passes and on_turn in self.seats[seat].countries:
                if self._orders_turn.get(seat) != self._turn:
                    self.orders[seat] = ev.Ordered(seat, orders.cards, False)

    def _take_back(self, actions: int) -> None:
        self._game = self.game.copy()
        self._game.undo(actions)
        self.window = self.proposal = None
        self.prepared.clear()
        self.steps = [step for step in self.steps if step.actions < actions]
        self.status = "playing"

    def seconds_left(self, seat: int, now: float) -> float | None:
        """On a seat's clock; nothing where there is none."""
        clock = self.settings.clock
        if clock.kind == "none" or not self.has_begun:
            return None
        if clock.kind == "live":
            spent = max(0.0, now - self.changed_at) if seat == self._running else 0.0
            return max(0.0, self.banks[seat] - spent)
        if seat != self._running:
            return None
        return max(0.0, self.asked_at + clock.days * DAY - now)


def _last_action(game: Game) -> Action:
    country, code, _ = game.codes[-1]
    return make_action(game.state.rules, country, code)


def _has_told(before: State, after: State, viewers: frozenset[int]) -> bool:
    """Whether someone who sees for some countries has seen something new and hidden."""
    if before.rng != after.rng:
        return True
    mask = sum(1 << country for country in viewers)
    seen, now = conceal(before, mask), conceal(after, mask)
    for country in range(6):
        if seen.zones[DECK + country] != now.zones[DECK + country]:
            return True
        if country not in viewers:
            for zone in (HAND, SET):
                if before.zones[zone + country] != after.zones[zone + country]:
                    return True
    return False

"""A table: what its events add up to. No clock, database or network in here; times are given.

Its parts are values with modules of their own: the seats, the lobby, what the game comes from,
the course of the game, its window, the clocks, orders given ahead and what is proposed. An event
replaces the parts that it changes, so a copy of a table shares them.

While a window is open the game has already gone on to the first question, but everybody is
shown it as it was before the action that opened the window (`Table.shown`).
"""

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from operator import is_
from typing import Any, Final, TypeVar

from quartermaster.forms.deals import Deal
from quartermaster.forms.notation import country_index, make_action
from quartermaster.game import Game
from quartermaster.rules.names import COUNTRIES, HAND
from quartermaster.rules.turn import HAND_SIZE
from quartermaster.server.table import events as ev
from quartermaster.server.table.clocks import Clocks
from quartermaster.server.table.course import Course, Outcome, Step
from quartermaster.server.table.events import Event, GameSettings, Seat
from quartermaster.server.table.lobby import Lobby
from quartermaster.server.table.motions import Proposal, time_to_answer
from quartermaster.server.table.orders import Orders, Turn
from quartermaster.server.table.origin import Origin
from quartermaster.server.table.seating import Seating, countries_of, team_of
from quartermaster.server.table.todo import Todo, bot_pause, todo_in_window
from quartermaster.server.table.window import Window, opened
from quartermaster.sight.reactions import asks_after, is_hidden_ask, might_react

T = TypeVar("T")
_KEPT: Final = 100  # things that are made of parts, at one table


@dataclass(frozen=True)
class Trial:
    """A move that was carried out when its event was made, so that it need not be carried out
    again when the event comes."""

    event: ev.Moved
    seq: int  # of the table at which it was tried
    outcome: Outcome


class Table:
    """One game and who sits at it."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.seq = 0  # events
        self.number = 0  # events that everyone knows of
        self.privates: Mapping[int, int] = {}  # seat -> private events
        self.marks = [0]  # number -> entries of the log that are shown
        self.begun = 0  # the number since which the game goes
        self.settled = 0  # the number since which the decision at hand stands
        self.host = ""
        self.settings = GameSettings("second", {})
        self.status = "lobby"
        self.is_paused = False
        self.paused_at = 0.0
        self.is_abandoned = False
        self.rematch: str | None = None
        self.rematch_host = ""
        self.is_rematch_swapped = False
        self.seating = Seating()
        self.lobby = Lobby()
        self.origin = Origin()
        self.course: Course | None = None  # once the game has begun
        self.window: Window | None = None
        self.clocks = Clocks()
        self.orders = Orders()
        self.proposal: Proposal | None = None
        # person -> teams whose cards they have seen
        self.seen_by: Mapping[str, frozenset[int]] = {}
        self._trial: Trial | None = None
        # Worked out of the table as it is, by whoever asked first; void with the next event.
        self.derived: dict[Any, Any] = {}
        self._kept: dict[Any, tuple[tuple[object, ...], Any]] = {}  # see `keep`

    def copy(self) -> "Table":
        """A table to try events on."""
        table = copy(self)
        table.derived = {}
        table.marks = list(self.marks)
        return table

    def keep(self, key: Any, parts: tuple[object, ...], make: Callable[[], T]) -> T:
        """What is made of some parts of the table alone, made once for as long as those are the
        very same; copies of the table share it."""
        found = self._kept.get(key)
        if found is not None and all(map(is_, found[0], parts)):
            known: T = found[1]
            return known
        value = make()
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        self._kept[key] = parts, value
        return value

    def renew(self, key: Any, make: Callable[[T | None], T]) -> T:
        """What is made with the help of what was made so last, of this table or of the one that
        it is a copy of: most of it is often the same."""
        last = self._kept.get(key)
        value = make(None if last is None else last[1])
        self._kept[key] = (), value
        return value

    # -- what the parts tell together --------------------------------------------------

    @property
    def has_begun(self) -> bool:
        return self.course is not None

    @property
    def game(self) -> Game:
        assert self.course is not None, "the game has not begun"
        return self.course.game

    @property
    def deal(self) -> Deal | None:
        """What the cards come from, once the game has begun."""
        return None if self.course is None else self.course.deal

    @property
    def shown(self) -> Game:
        """The game as everyone may see it now."""
        return self.window.shown if self.window is not None else self.game

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.seating.seats

    @property
    def people(self) -> list[str]:
        """Who decides things at this table, in the order of the seats."""
        return list(self.seating.people)

    def seats_of(self, user: str | None) -> list[int]:
        return list(self.seating.place_of(user).seats)

    def is_shared(self, user: str | None) -> bool:
        """Whether someone holds seats for several people at one screen: of both teams, or
        under several names."""
        return self.seating.place_of(user).is_shared

    def seat_of(self, country: str) -> int:
        return self.seating.seat_of[country]

    def countries_of(self, seats: Sequence[int]) -> frozenset[int]:
        return countries_of([self.seats[n] for n in seats])

    @property
    def running(self) -> int | None:
        """The seat whose time runs."""
        return self.clocks.running

    def seconds_left(self, seat: int, now: float) -> float | None:
        """On a seat's clock; nothing where there is none."""
        return self.clocks.seconds_left(self.settings.clock, seat, now) if self.has_begun else None

    def absent_votes(self) -> list[str]:
        """Who is asked about the proposal and absent: a bot plays for them. They are waited for,
        but not for ever."""
        return [] if self.proposal is None else self.proposal.absent(self.seating)

    @property
    def awaited(self) -> str | None:
        """The country whose decision everyone waits for, and may know of."""
        if self.status != "playing" or self.window is not None:
            return None
        return self.decides[0]

    @property
    def decides(self) -> tuple[str, str]:
        """`Game.decides`, worked out once."""
        found: tuple[str, str] | None = self.derived.get("decides")
        if found is None:
            found = self.derived["decides"] = self.game.decides
        return found

    @property
    def is_hiding(self) -> bool:
        """Whether a person has something to hide: if there is another who would notice. Who has a
        bot play for them, or has left, may look on and come back."""
        others = self.seen_by if self.settings.has_spectators else self.seating.holders
        is_watched = self.settings.is_public and self.settings.has_spectators
        return len(others) > 1 or is_watched

    @property
    def waits_since(self) -> int:
        """The number of the table since which it waits for the people it waits for: for first
        cards since the game has begun."""
        is_setup = self.awaited is not None and self.decides[1] == "setup"
        return self.begun if is_setup else self.settled

    def surplus(self, country: str) -> int:
        """How many cards a country has to discard before the game."""
        return len(self.game.state.zones[HAND + country_index(country)]) - HAND_SIZE

    @property
    def steps(self) -> tuple[Step, ...]:
        """The public changes of the game so far."""
        return () if self.course is None else self.course.steps

    def back_to(self, user: str) -> list[int]:
        """The numbers of the table that a person may go back to now without asking anyone."""
        if self.course is None or self.status != "playing" or self.window is not None:
            return []
        return self.course.back_to(user)

    def moments(self) -> list[int]:
        """The numbers of actions after which everyone could see the game (`Course.moments`)."""
        return [] if self.course is None else self.course.moments(self.window is not None)

    @property
    def last_moment(self) -> int:
        """The number of the last of the `moments`, counted from 0."""
        return 0 if self.course is None else self.course.last_moment(self.window is not None)

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
        return self.orders.answer(seat, self.game.state.rules, ask.decision, ask.actions)

    def bot_asks(self) -> list[int]:
        """The questions of the open window that bots have to answer."""
        return [] if self.window is None else self.window.bot_asks(self.seating)

    # -- what comes by itself ----------------------------------------------------------

    def todo(self) -> Todo | None:
        """What comes next by itself."""
        if "todo" not in self.derived:
            self.derived["todo"] = self._todo()
        found: Todo | None = self.derived["todo"]
        return found

    def _todo(self) -> Todo | None:
        todos = [todo for todo in (self._todo_in_game(), self._todo_of_proposal()) if todo]
        return min(todos, key=lambda todo: todo.at, default=None)

    def _todo_of_proposal(self) -> Todo | None:
        if self.proposal is None or not self.absent_votes():
            return None
        return Todo("consent", self.proposal.until)

    def _todo_in_game(self) -> Todo | None:
        if self.status != "playing" or self.is_paused:
            return None
        if self.window is not None:
            return todo_in_window(
                self.window, self.answer_to, self.seating, self.orders, self.settings, self.clocks
            )
        country, kind = self.decides
        seat, asked_at = self.seat_of(country), self.clocks.asked_at
        bot = self.seats[seat].bot
        if bot is not None:
            # There is nothing to follow while bots sort their first cards.
            pause = 0.0 if kind == "setup" else bot_pause(bot, self.settings, self.seating)
            return Todo("move", asked_at + pause, country, seat=seat)
        text = self._ordered(country, kind, seat)
        if text is not None:
            return Todo("order", asked_at, country, seat=seat, text=text)
        deadline = self.clocks.deadline(self.settings.clock)
        if deadline is None:
            return None
        if self.settings.clock.kind == "async" and self.clocks.reminded != self.settled:
            return Todo("remind", (asked_at + deadline) / 2, country, seat=seat)
        return Todo("time-out", deadline, seat=seat)

    def _ordered(self, country: str, kind: str, seat: int) -> str | None:
        """What a person who is to decide has decided ahead, or must do."""
        game, text = self.game, None
        if kind == "setup":
            text = self.orders.next_discard(country, self.surplus(country))
        elif kind == "react":
            rules, actions = game.state.rules, game.legal_actions()
            text = self.orders.answer(seat, rules, game.decision, actions)
        if text is None and not self.is_hiding and len(game.state.options) == 1:
            text = game.legal_actions()[0].text  # it is asked for others' sake
        return text

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
        assert self.course is not None, "the game has not begun"
        game, shown = self.course.carried_out(moves, faults)
        index, code, is_free = game.codes[-1]
        is_silent = moves[-1][1] == "pass" and is_hidden_ask(shown.state)
        asks = [] if is_silent else asks_after(game.state)
        window = None
        if not is_silent:  # also if it ends the game: others may have a card against it
            might = might_react(shown.state, index, code, is_free, game.state)
            asked = [ask.country for ask in asks]
            countries = tuple(c for c in COUNTRIES if c in might or c in asked)
            if countries:
                is_asked = bool(asks)
                window = opened(
                    countries, is_asked, self.settings, self.seating, self.is_hiding, now
                )
        event = ev.Moved(tuple(moves), against, window, faults)
        self._trial = Trial(event, self.seq, Outcome(game, shown, asks))
        return event

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
        is_public = not isinstance(event, ev.PRIVATE | ev.SILENT)
        self.derived.clear()
        if is_public:
            self.clocks = self.clocks.after(self.settings.clock, at)
        _APPLIED[type(event)](self, event, user, at)
        self.seq += 1
        self._trial = None
        self.derived.clear()  # of what was asked on the way
        # Of what is private nobody else may notice anything, by no clock either.
        if isinstance(event, ev.PRIVATE):
            seat = self.seat_of(event.country) if isinstance(event, ev.Answered) else event.seat
            self.privates = {**self.privates, seat: self.privates.get(seat, 0) + 1}
        elif is_public:
            self._tell_all(event, at)

    def _tell_all(self, event: Event, at: float) -> None:
        """Everyone learns of an event, and whose time runs may be another's."""
        self.number += 1
        self.marks.append(len(self.shown.raw_log) if self.has_begun else 0)
        if isinstance(event, ev.Started | ev.SeatChanged) and self.has_begun:
            for held in self.seats:
                if held.holder is not None:
                    seen = self.seen_by.get(held.holder, frozenset()) | {team_of(held)}
                    self.seen_by = {**self.seen_by, held.holder: seen}
        asked_at = self.clocks.asked_at
        if isinstance(event, ev.Started | ev.Moved | ev.TakenBack):
            self.settled = self.number
        if isinstance(event, ev.Started | ev.Moved | ev.TakenBack | ev.Resumed):
            if not (isinstance(event, ev.Moved) and event.moves and self.game.codes[-1][2]):
                asked_at = at  # taking a piece off decides nothing
        running = self._seat_on_clock()
        self.clocks = replace(self.clocks, changed_at=at, asked_at=asked_at, running=running)

    def _seat_on_clock(self) -> int | None:
        if self.settings.clock.kind == "none" or self.is_paused or self.awaited is None:
            return None
        seat = self.seat_of(self.awaited)
        return seat if self.seats[seat].person is not None else None

    @property
    def _turn(self) -> Turn:
        return self.shown.state.round, self.shown.state.country

    # What each event changes.

    def _created(self, event: ev.Created, user: str | None, at: float) -> None:
        self.host, self.settings = event.host, event.settings
        self.seating, self.origin = Seating(event.seats), Origin(event)

    def _seat_changed(self, event: ev.SeatChanged, user: str | None, at: float) -> None:
        before, after = self.seats[event.seat], event.to
        self.seating = self.seating.with_seat(event.seat, after)
        if self.status == "lobby":
            self.lobby = self.lobby.unsaid(after.holder or "")
        if before.is_away and not after.is_away:
            self.clocks = self.clocks.back(self.settings.clock, event.seat, at)
        elif after.is_away and not before.is_away:
            self.clocks = replace(self.clocks, expired=self.settled)
        if before.holder != after.holder:
            self.orders = self.orders.without(event.seat, after.countries)
        if self.window is not None and before.person != after.person:
            self.window = self.window.asked_anew(event.seat, after)

    def _settings_changed(self, event: ev.SettingsChanged, user: str | None, at: float) -> None:
        self.settings, self.seating = event.settings, Seating(event.seats)
        self.lobby = self.lobby.anew()

    def _ready_said(self, event: ev.ReadySaid, user: str | None, at: float) -> None:
        self.lobby = self.lobby.said(event)

    def _contributed(self, event: ev.Contributed, user: str | None, at: float) -> None:
        self.lobby = self.lobby.with_added(event.user, event.added)

    def _started(self, event: ev.Started, user: str | None, at: float) -> None:
        self.course = self.origin.begin(self.settings, self.seating, self.lobby)
        self.status = "over" if self.game.is_over else "playing"
        self.clocks = self.clocks.started(self.settings.clock, len(self.seats))
        self.begun = self.number + 1

    def _moved(self, event: ev.Moved, user: str | None, at: float) -> None:
        assert self.course is not None
        trial = self._trial
        if trial is not None and trial.event is event and trial.seq == self.seq:
            outcome = trial.outcome
        else:  # the event was made elsewhere, or long ago
            game, shown = self.course.carried_out(event.moves, event.faults)
            outcome = Outcome(game, shown, [] if event.window is None else asks_after(game.state))
        game, is_reaction = outcome.game, self.window is not None
        viewers = self.countries_of(self.seats_of(user))
        self.course = self.course.moved(event, game, user, viewers, is_reaction)
        self.window = None
        if event.window is not None and event.moves:
            country, code, _ = game.codes[-1]
            announced = make_action(game.state.rules, country, code)
            spec = event.window
            self.window = Window(spec, outcome.asks, outcome.shown, announced, spec.until)
        if user is not None and self.proposal is not None:
            # A person has gone on; but who is absent keeps the time to say whether to end it.
            if self.proposal.what != "end" or not self.absent_votes():
                self.proposal = None
        if self.running is not None and self.seat_of(event.moves[-1][0]) == self.running:
            if not game.codes[-1][2]:
                self.clocks = self.clocks.with_increment(self.settings.clock)
        if self.window is None:
            on_turn = COUNTRIES[game.state.country]
            self.orders = self.orders.at_turn(self._turn, on_turn, self.seats)
            if game.is_over:
                self.status = "over"

    def _answered(self, event: ev.Answered, user: str | None, at: float) -> None:
        assert self.window is not None
        self.window = self.window.answered(event.ask, event.text)

    def _went_on(self, event: ev.WentOn, user: str | None, at: float) -> None:
        assert self.window is not None
        self.window = self.window.needed_no_longer(event.seat)

    def _held(self, event: ev.Held, user: str | None, at: float) -> None:
        assert self.window is not None
        self.window = self.window.held_open(event.seat, event.until)

    def _taken_back(self, event: ev.TakenBack, user: str | None, at: float) -> None:
        assert self.course is not None
        self.course = self.course.taken_back(event.actions)
        self.orders = self.orders.without_prepared()
        self.window = self.proposal = None
        self.status = "playing"

    def _proposed(self, event: ev.Proposed, user: str | None, at: float) -> None:
        until = at + time_to_answer(self.settings.clock)
        votes = frozenset({event.user})
        self.proposal = Proposal(event.user, event.what, event.actions, votes, until)

    def _voted(self, event: ev.Voted, user: str | None, at: float) -> None:
        assert self.proposal is not None
        self.proposal = self.proposal.with_vote(event.user) if event.is_for else None

    def _paused(self, event: ev.Paused, user: str | None, at: float) -> None:
        self.is_paused, self.paused_at = True, at
        self.proposal = None

    def _resumed(self, event: ev.Resumed, user: str | None, at: float) -> None:
        self.is_paused = False
        if self.window is not None:
            self.window = self.window.after_pause(at - self.paused_at)

    def _order_given(self, event: ev.Ordered, user: str | None, at: float) -> None:
        self.orders = self.orders.with_orders(event, self._turn if self.has_begun else None)

    def _prepared(self, event: ev.Prepared, user: str | None, at: float) -> None:
        self.orders = self.orders.with_prepared(event.country, event.discards)

    def _reminded(self, event: ev.Reminded, user: str | None, at: float) -> None:
        self.clocks = replace(self.clocks, reminded=self.settled)

    def _rematched(self, event: ev.Rematched, user: str | None, at: float) -> None:
        self.rematch = event.game
        self.rematch_host, self.is_rematch_swapped = event.host, event.is_swapped

    def _ended(self, event: ev.Ended, user: str | None, at: float) -> None:
        self.status, self.is_abandoned = "over", True
        self.window = self.proposal = None


_APPLIED: Final[Mapping[type[Event], Callable[[Table, Any, str | None, float], None]]] = {
    ev.Created: Table._created,
    ev.SeatChanged: Table._seat_changed,
    ev.SettingsChanged: Table._settings_changed,
    ev.ReadySaid: Table._ready_said,
    ev.Contributed: Table._contributed,
    ev.Started: Table._started,
    ev.Moved: Table._moved,
    ev.Answered: Table._answered,
    ev.WentOn: Table._went_on,
    ev.Held: Table._held,
    ev.TakenBack: Table._taken_back,
    ev.Proposed: Table._proposed,
    ev.Voted: Table._voted,
    ev.Paused: Table._paused,
    ev.Resumed: Table._resumed,
    ev.Ordered: Table._order_given,
    ev.Prepared: Table._prepared,
    ev.Reminded: Table._reminded,
    ev.Rematched: Table._rematched,
    ev.Ended: Table._ended,
}

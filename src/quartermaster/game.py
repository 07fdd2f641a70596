"""The game as a library: begin, ask, act, look, undo, save.

>>> from quartermaster import Game
>>> game = Game.new("second", seed=7)
>>> game.decision.country, game.decision.kind
('germany', 'setup')
>>> game.apply(game.legal_actions()[0])
>>> len(game.history)
1
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from quartermaster.cards.card_sets import load_card_sets, own_sets, where_from
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import (
    BrokenFile,
    IllegalAction,
    QuartermasterError,
    UnknownName,
    nearest,
    shorten,
    show,
)
from quartermaster.forms.deals import Deal, Seed, read_seed
from quartermaster.forms.notation import (
    Action,
    country_index,
    find_action,
    made_actions,
    make_action,
    read_action,
    removal_actions,
    space_index,
)
from quartermaster.forms.position import played_actions, position_state
from quartermaster.forms.record import Record, format_record, parse_record
from quartermaster.forms.save import dump_state, load_state
from quartermaster.forms.save_file import FaultEntry, fault_entries, read_save
from quartermaster.forms.seats import Seats, make_seats
from quartermaster.rules.actions import REMOVE_AIR, space_of, verb_of
from quartermaster.rules.board import SPACES, spaces_in
from quartermaster.rules.conceal import Dealer, conceal
from quartermaster.rules.core_game import CoreGame
from quartermaster.rules.engine import (
    advance,
    apply,
    can_take_off,
    current_op,
    decider,
    new_state,
    play_unseen,
    take_piece_off,
)
from quartermaster.rules.names import COUNTRIES, HAND, NOBODY, STEPS, TEAMS
from quartermaster.rules.state import RawEntry, State
from quartermaster.sight.decision import Decision, decision_of
from quartermaster.sight.explain import Supply, explain_supply
from quartermaster.sight.log import LogEntry, fault_words, log_entry
from quartermaster.sight.look import Look
from quartermaster.sight.view import Shared, View, make_view


class Game(CoreGame):
    """A game of Quartermaster General, from its setup to its end.

    `state` is the engine's own; search bots that need its speed may use it directly
    (`state.copy()`, `engine.apply`), everyone else uses what stands here.

    >>> game = Game.new(seed=7)
    >>> game.apply("discard build-navy")
    >>> game
    <Game second seed=7: round 1, germany's turn, 0-0>
    """

    def __init__(
        self,
        state: State,
        *,
        seats: Seats,
        seed: Seed,
        position: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(state, made_actions(state.rules))
        self.seats = seats
        self.seed = seed
        self.position = position
        self.deal: Deal | None = None  # what the last seed was made of, if it can be checked
        self._anew: list[tuple[int, str]] = []  # actions before, seed
        self._start = state.copy()
        self._dealt, self._dealt_at = self._start, 0  # as last dealt, and the log's length then

    # -- beginning ---------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        rules: str = "second",
        *,
        seed: Seed = 0,
        seats: int | Sequence[Sequence[str]] = 6,
        options: Mapping[str, bool] | None = None,
        sets: Sequence[str] = (),
        is_version_1: bool = False,
    ) -> "Game":
        """A new game. `seats` is a number of players, for the rulebook's own assignment, or
        a list of the countries of each. `sets` are card sets to add: names, or Python files,
        which are run (`cards.card_sets`). The cards of a game with a whole number as seed can be
        worked out by its players; where that matters, give it a `fresh_seed()`.
        `is_version_1` is for games that began before version 2 of records, and goes on with
        them as they began: a choice of one was never asked for, which may tell others what cards
        someone has, and some rulings were others (`docs/rulings.md`).

        >>> Game.new("second", seats=4).seats[1]
        ('united-kingdom', 'united-states')
        """
        loaded = load_rules(rules, options, load_card_sets(sets), is_version_1=is_version_1)
        return cls(new_state(loaded, read_seed(seed)), seats=make_seats(rules, seats), seed=seed)

    @classmethod
    def from_position(
        cls,
        position: Mapping[str, Any],
        *,
        rules: str = "second",
        seats: int | Sequence[Sequence[str]] = 6,
        options: Mapping[str, bool] | None = None,
        sets: Sequence[str] = (),
        is_version_1: bool = False,
    ) -> "Game":
        """A game at any moment; see `docs/notation.md` for what a position may say.

        >>> game = Game.from_position({"turn": "japan", "hand": {"japan": ["sea-battle"]}})
        >>> [str(action) for action in game.legal_actions()]
        ['play sea-battle', 'discard sea-battle']
        """
        loaded = load_rules(rules, options, load_card_sets(sets), is_version_1=is_version_1)
        state = position_state(loaded, position)
        for text in played_actions(position):
            before = cls(state, seats=make_seats(rules, seats), seed=0)
            before.settle()
            before.apply(text)
            state = before.state
        state.log = None
        seed = position.get("seed", 0)
        kept = deepcopy(dict(position))
        return cls(state, seats=make_seats(rules, seats), seed=seed, position=kept)

    @classmethod
    def from_record(cls, text: str, source: str = "<record>", to: int | None = None) -> "Game":
        """The game a record tells, replayed to its end, or up to an action. `BrokenFile`
        says what is wrong with it.

        >>> game = Game.new(seed=7)
        >>> game.apply(game.legal_actions()[0])
        >>> Game.from_record(game.record) == game
        True
        """
        game, record = cls.begin_record(text, source)
        for _ in game.follow(record, source, to):
            pass
        return game

    def follow(
        self, record: Record, source: str = "<record>", to: int | None = None
    ) -> Iterator[int]:
        """Carry out the actions of a record one by one, up to one of them; before each its
        number is given.

        >>> game = Game.new(seed=7)
        >>> game.apply(game.legal_actions()[0])
        >>> again, record = Game.begin_record(game.record)
        >>> list(again.follow(record)), again == game
        ([0], True)
        """
        anew = list(record.anew)
        if to is not None and type(to) is not int:
            raise QuartermasterError(f"to: expected the number of an action, got {show(to)}")
        actions = record.actions[:to]
        for number in range(len(actions) + 1):
            while anew and anew[0][0] == number:
                self.deal_anew(anew.pop(0)[1])
            if number == len(actions):
                return
            yield number
            country, action, line = actions[number]
            try:
                self.apply(action, country=country, is_whole=True)
            except QuartermasterError as error:
                raise BrokenFile(source, line, str(error)) from None

    @classmethod
    def begin_record(cls, text: str, source: str = "<record>") -> tuple["Game", Record]:
        """The game of a record before its first action, and the record.

        >>> game, record = Game.begin_record(Game.new(seed=7).record)
        >>> len(game.history), len(record.actions)
        (0, 0)
        """
        record = parse_record(text, source)
        return cls.begin(record, source), record

    @classmethod
    def begin(cls, record: Record, source: str = "<record>") -> "Game":
        """The game of a record before its first action, where the record was read before.

        >>> from quartermaster.forms.record import parse_record
        >>> Game.begin(parse_record(Game.new(seed=7).record)) == Game.new(seed=7)
        True
        """
        position = record.position
        if position is not None:
            position = {"seed": record.seed, **position}
        try:
            game = cls._begin(
                record.rules, record.options, record.sets, record.seats or 6, record.seed,
                position, record.is_version_1,
            )  # fmt: skip
        except QuartermasterError as error:
            raise BrokenFile(source, None, str(error)) from None
        game.deal = record.deal
        return game

    @classmethod
    def _begin(
        cls,
        rules: str,
        options: Mapping[str, bool],
        sets: Sequence[str],
        seats: int | Sequence[Sequence[str]],
        seed: Seed,
        position: Mapping[str, Any] | None,
        is_version_1: bool,
    ) -> "Game":
        """A game at its beginning, as a file tells of it: a record or a save."""
        own_sets(sets)  # must be there already: what a file says runs no code
        if position is None:
            return cls.new(
                rules, seed=seed, seats=seats, options=options, sets=sets,
                is_version_1=is_version_1,
            )  # fmt: skip
        return cls.from_position(
            position, rules=rules, seats=seats, options=options, sets=sets,
            is_version_1=is_version_1,
        )  # fmt: skip

    # -- asking ------------------------------------------------------------------------

    @property
    def rules(self) -> str:
        """The name of its rule set.

        >>> Game.new("french").rules
        'french'
        """
        return self.state.rules.name

    @property
    def sets(self) -> list[str]:
        """The names of the card sets that were added.

        >>> Game.new().sets
        []
        """
        return list(self.state.rules.sets)

    @property
    def options(self) -> dict[str, bool]:
        """The options of the rule set, as they were chosen before the game.

        >>> Game.new("second").options
        {'air-marshal': False, 'reallocate': True}
        """
        return dict(self.state.rules.options)

    @property
    def winner(self) -> str | None:
        """`axis`, `allies`, or `None` while the game goes on.

        >>> Game.new().winner is None
        True
        """
        return None if self.state.winner < 0 else TEAMS[self.state.winner]

    @property
    def score(self) -> dict[str, int]:
        """The victory points of both teams.

        >>> Game.new().score
        {'axis': 0, 'allies': 0}
        """
        return {"axis": self.state.axis_score, "allies": self.state.allies_score}

    @property
    def round(self) -> int:
        """The round, 1 to 20.

        >>> Game.new(seed=7).round
        1
        """
        return self.state.round

    @property
    def turn(self) -> str:
        """The country on turn, whosever decision it is.

        >>> Game.new(seed=7).turn
        'germany'
        """
        return COUNTRIES[self.state.country]

    @property
    def step(self) -> str:
        """The step of its turn: `turn` before the first, then `play`, `air`, `supply`, `victory`,
        `discard`, `draw`.

        >>> Game.from_position({"turn": "japan", "hand": {"japan": ["sea-battle"]}}).step
        'play'
        """
        return STEPS[self.state.step]

    @property
    def decision(self) -> Decision:
        """The decision the game waits for.

        >>> Game.new(seed=7).decision.prompt
        'First hand: discard 3 more, keep the rest'
        """
        if self.is_over:
            raise IllegalAction(f"the game is over: the {self.winner} have won")
        return decision_of(self.state)

    @property
    def decides(self) -> tuple[str, str]:
        """The country that decides and the kind of its decision, without its words.

        >>> Game.new("second", seed=7).decides
        ('germany', 'setup')
        """
        if self.is_over:
            raise IllegalAction(f"the game is over: the {self.winner} have won")
        return COUNTRIES[decider(self.state)], current_op(self.state).kind

    def removals(self, country: str) -> list[Action]:
        """The own pieces a country may take off the board now, whosever decision it is.

        >>> [str(action) for action in Game.new(seed=7).removals("italy")]
        ['remove army italy']
        """
        s = self.state
        index = country_index(country)
        if not can_take_off(s, index):
            return []
        return list(removal_actions(s.rules, index, s.pieces[index], s.air[index]))

    def view(self, who: int | str | None = None) -> View:
        """What a seat (its number) or a country (its id) may know; `None`: an onlooker.

        >>> view = Game.new(seed=7).view("germany")
        >>> view.countries["germany"].hand_size, view.countries["japan"].hand
        (10, None)
        """
        return self.view_of(self.countries_of(who))

    def view_of(
        self, countries: frozenset[int], shared: Shared | None = None, is_waiting: bool = True
    ) -> View:
        """What some countries, given by their numbers, may know together; `make_view` says
        what the rest is for.

        >>> Game.new(seed=7).view_of(frozenset({0, 2})).seat
        ('germany', 'japan')
        """
        return make_view(self.state, countries, shared, is_waiting)

    def look(self, who: int | str | None = None) -> Look:
        """What a seat or a country may know, as bots get it: a look can deal out states that agree
        with what is seen.

        >>> Game.new(seed=7).look("germany")
        <Look of germany: round 1>
        """
        return Look.at(self.state, self.countries_of(who))

    def countries_of(self, who: int | str | None) -> frozenset[int]:
        """The numbers of the countries of a seat, or of a country given by its id.

        >>> game = Game.new(seats=2)
        >>> sorted(game.countries_of(0)), sorted(game.countries_of("japan"))
        ([0, 2, 4], [2])
        """
        if who is None:
            return frozenset()
        if type(who) is int:
            if not 0 <= who < len(self.seats):
                raise UnknownName("seat", who, [str(i) for i in range(len(self.seats))])
            return frozenset(country_index(name) for name in self.seats[who])
        return frozenset({country_index(who)})

    def supply(self, country: str, space: str | None = None) -> dict[str, Supply]:
        """Whether a country's pieces are in supply, and why, by space.

        >>> game = Game.from_position({"pieces": {"germany": ["germany", "baltic-sea"]}})
        >>> print(game.supply("germany")["baltic-sea"])
        Baltic Sea: in supply over Baltic Sea - Germany, port Germany
        """
        s = self.state
        index = country_index(country)
        if space is not None:
            at = space_index(space)
            if not s.pieces[index] >> at & 1:
                raise QuartermasterError(f"{country} has no army or navy in {space}")
            return {space: explain_supply(s, index, at)}
        return {SPACES[at][0]: explain_supply(s, index, at) for at in spaces_in(s.pieces[index])}

    def imagine(self, country: str, space: str, is_there: bool) -> None:
        """Put a country's army or navy into a space, or take it away, as if it were so; for
        copies that questions like "what if" are asked of, never for a game that goes on.

        >>> game = Game.new(seed=7).copy()
        >>> game.imagine("germany", "ukraine", True)
        >>> game.supply("germany")["ukraine"].is_supplied
        True
        """
        index, at = country_index(country), space_index(space)
        if is_there:
            self.state.place(index, at)
        else:
            self.state.take_off(index, at)

    # -- acting ------------------------------------------------------------------------

    def _make_action(self, country: int, code: int) -> Action:
        return make_action(self.state.rules, country, code)

    def _apply_other(self, action: Action | str, country: object, is_whole: bool) -> None:
        index, code, is_free = self._resolve(action, country, is_whole)
        if is_free:
            take_piece_off(self.state, index, space_of(code), verb_of(code) == REMOVE_AIR)
        else:
            apply(self.state, code)
        self._history.append((index, code, is_free))

    def _resolve(
        self, action: Action | str, country: object, is_whole: bool
    ) -> tuple[int, int, bool]:
        """What is to be carried out: country, code, and whether a piece is taken off freely."""
        text, who = read_action(action, country)
        actor = None if who is None else country_index(who)
        if self.is_over:
            raise IllegalAction(f"{text!r}: the game is over, the {self.winner} have won")
        deciding = decider(self.state)
        if actor is None or actor == deciding:
            found = find_action(text, self.legal_actions(), is_whole)
            if found is not None:
                return deciding, found.code, False
        owner = deciding if actor is None else actor
        if text.startswith("remove "):
            for removal in self.removals(COUNTRIES[owner]):
                if removal.text == text:
                    return owner, removal.code, True
        raise IllegalAction(self._why_illegal(text, actor, deciding))

    def _why_illegal(self, text: str, actor: int | None, deciding: int) -> str:
        decision = self.decision
        waiting = f"the decision is {decision.country}'s ({decision.kind}: {decision.prompt})"
        if actor is not None and actor != deciding:
            # Whose reaction is awaited is not everyone's to know.
            if decision.kind == "react":
                waiting = "it is not its decision"
            return f"{COUNTRIES[actor]} cannot {text!r} now; {waiting}"
        legal = [a.text for a in self.legal_actions()]
        near = nearest(text, legal)
        hint = f"did you mean {' or '.join(repr(n) for n in near)}? " if near else ""
        return f"{text!r} is not legal now; {hint}{waiting}; legal: {shorten(legal)}"

    def play_unseen(self, choosers: Sequence[Callable[[int], int]]) -> int:
        """Play on to the end by players who look at nothing, and return the number of decisions.
        `choosers` has a function for each country: given how many actions are legal, it returns
        the place of one. As quick as the engine itself, for no look and no action is made. They
        must leave the game alone: while they are asked, it stands where it did before.

        >>> game = Game.new(seed=7)
        >>> game.play_unseen([lambda count: count - 1] * 6) == len(game.history)
        True
        """
        if len(choosers) != len(COUNTRIES):
            raise QuartermasterError(
                f"choosers: expected one for each of {len(COUNTRIES)} countries,"
                f" got {len(choosers)}"
            )
        before, actions = self.state, len(self._history)
        state = self.state.copy()  # so that nothing has changed where a chooser fails
        state.log = None if self.state.log is None else self.state.log.copy()
        chosen = play_unseen(state, list(choosers))
        if self.state is not before or len(self._history) != actions:
            raise QuartermasterError("choosers: one of them has played in the game itself")
        self.state = state
        self._history += [(country, code, False) for country, code in chosen]
        return len(chosen)

    def deal_anew(self, seed: str, *, is_traced: bool = False) -> None:
        """Deal out anew all that is hidden from an onlooker, by a seed of its own: hands, decks,
        what lies face down. What everyone knows stays. For a game that goes on from a record
        some know better than others; going back never goes behind it.

        >>> game = Game.new(seed=7)
        >>> before = game.view()
        >>> game.deal_anew("5e" * 32)
        >>> game.view() == before, game.view("germany").countries["germany"].hand[:2]
        (True, ('build-army', 'build-navy'))
        """
        chance = read_seed(seed)
        if not isinstance(chance, bytes):
            raise QuartermasterError("to deal anew a seed of 64 hexadecimal digits is needed")
        if not self.is_over:
            log = self.raw_log
            self.state = Dealer(conceal(self.state, 0), 0).deal_by_seed(chance, is_traced)
            self.state.log = log
            self.state.note("deal-anew", NOBODY)
            self._dealt = self.state.copy()
            self._dealt_at = len(log)
            advance(self.state)
        self._anew.append((len(self._history), seed))

    @property
    def history(self) -> list[Action]:
        """Every action so far.

        >>> Game.new().history
        []
        """
        rules = self.state.rules
        return [make_action(rules, country, code) for country, code, _ in self._history]

    @property
    def last_action(self) -> Action | None:
        """The action before the decision at hand; none at the beginning.

        >>> Game.new().last_action is None
        True
        """
        if not self._history:
            return None
        country, code, _ = self._history[-1]
        return make_action(self.state.rules, country, code)

    @property
    def codes(self) -> tuple[tuple[int, int, bool], ...]:
        """Every action so far in the engine's numbers: country, code, and whether a piece was
        taken off between two decisions.

        >>> game = Game.new(seed=7)
        >>> action = game.legal_actions()[0]
        >>> game.apply(action)
        >>> game.codes == ((0, action.code, False),)
        True
        """
        return tuple(self._history)

    def undo(self, to: int | None = None) -> None:
        """Go back to the decision before the last action, or before action number `to`.

        The game is gone through again from its beginning: who tries actions out, as a search does,
        copies the game and goes on with the copy.

        >>> game = Game.new(seed=1)
        >>> before = game.copy()
        >>> game.apply(game.legal_actions()[0])
        >>> game.undo()
        >>> game == before
        True
        """
        if to is None and not self._history:
            raise QuartermasterError("there is no action to undo")
        if to is None:
            to = len(self._history) - 1
        if type(to) is not int or not 0 <= to <= len(self._history):
            raise QuartermasterError(
                f"to: expected the number of an action, 0 to {len(self._history)}, got {show(to)}"
            )
        if to == len(self._history):
            return
        log = self.state.log
        faults = [] if log is None else [one for one in fault_entries(log) if one[1][5] < to]
        self._replay(to, faults, is_logged=log is not None)

    def _replay(self, to: int, faults: list[FaultEntry], is_logged: bool = True) -> None:
        """Go through the game again, up to an action, with faults that the log tells. A log is
        written unless nobody wants one, which is where there are no faults."""
        kept = self._history[:to]
        anew = [item for item in self._anew if item[0] <= to]
        waiting = list(faults)
        self.state = self._start.copy()
        log: list[RawEntry] = []
        self.state.log = log if is_logged else None
        self._history, self._anew = [], []
        self._dealt, self._dealt_at = self._start, 0
        for number in range(len(kept) + 1):
            while True:
                while waiting and waiting[0][0] == len(self._anew) and waiting[0][1][5] == number:
                    log.append(waiting.pop(0)[1])
                if not anew or anew[0][0] > number:
                    break
                self.deal_anew(anew.pop(0)[1])
            if number == len(kept):
                return
            index, code, is_free = kept[number]
            if not self._is_legal(index, code, is_free):
                raise IllegalAction(f"action {number + 1} of the game is not legal there")
            if is_free:
                take_piece_off(self.state, index, space_of(code), verb_of(code) == REMOVE_AIR)
            else:
                apply(self.state, code)
            self._history.append((index, code, is_free))

    def _is_legal(self, index: int, code: int, is_free: bool) -> bool:
        """Whether a country may do what a code stands for now."""
        if self.is_over or not 0 <= index < len(COUNTRIES):
            return False
        if is_free:
            return any(action.code == code for action in self.removals(COUNTRIES[index]))
        return index == decider(self.state) and code in self.state.options

    # -- telling -----------------------------------------------------------------------

    def log(self, who: int | str | None = None, start: int = 0) -> Iterator[LogEntry]:
        """What has happened, as a seat or country may know it, from an entry on.

        >>> game = Game.new(seed=7)
        >>> game.apply("discard build-navy")
        >>> [str(entry) for entry in game.log("japan")]
        ['Germany discards a card']
        """
        return self.log_of(self.countries_of(who), start)

    def log_of(self, countries: frozenset[int] | None, start: int = 0) -> Iterator[LogEntry]:
        """What has happened, as some countries, given by their numbers, may know it together, from
        an entry on; `None`: hidden cards included.

        >>> game = Game.new(seed=7)
        >>> game.apply("discard build-navy")
        >>> [entry.card for entry in game.log_of(frozenset({0}))]
        ['build-navy']
        """
        if type(start) is not int:
            raise QuartermasterError(f"start: expected the number of an entry, got {show(start)}")
        rules = self.state.rules
        return (log_entry(rules, entry, countries) for entry in self.raw_log[start:])

    @property
    def raw_log(self) -> list[RawEntry]:
        """The log in the engine's numbers, hidden cards included; not to be changed.

        Most games that programs play are never told, so it is written only once somebody asks for
        it: then the game is gone through again, and from there on the state writes what happens.

        >>> game = Game.new(seed=7)
        >>> game.apply("discard build-navy")
        >>> [(what, country) for what, country, *_ in game.raw_log]
        [('discard', 0)]
        """
        log = self.state.log
        if log is None:
            again = self.copy()
            again._replay(len(self._history), [])  # no log, and so no fault was told
            log = self.state.log = again.raw_log
            self._dealt_at = again._dealt_at
        return log

    def note_fault(self, country: str, bot: str, reason: str, stand_in: str) -> None:
        """Say in the log that a country's bot failed at the decision the game waits for, and
        which bot decides in its place. Everyone reads it, so the reason names nothing hidden.

        >>> game = Game.new(seed=7)
        >>> game.note_fault("germany", "veteran", "took too long", "rookie")
        >>> print(game.events[-1])
        Germany's bot Veteran failed (took too long); Rookie decides in its place
        """
        words = fault_words(bot, reason, stand_in)
        # With the number of the decision, so that undoing that takes the entry with it.
        at = len(self._history)
        self.raw_log.append(("fault", country_index(country), -1, -1, -1, at, words))

    @property
    def events(self) -> list[LogEntry]:
        """Everything that has happened, hidden cards included.

        >>> game = Game.new(seed=7)
        >>> game.apply("discard build-navy")
        >>> print(game.events[0])
        Germany discards Build Navy
        """
        return list(self.log_of(None))

    @property
    def record(self) -> str:
        """The game as text that `Game.from_record` replays.

        >>> print(Game.new(seed=7).record.splitlines()[0])
        quartermaster record 2
        """
        return format_record(
            self.rules,
            self.options,
            [list(seat) for seat in self.seats],
            self.seed,
            self.position,
            [(action.country, action.text) for action in self.history],
            self._anew,
            None if self.deal is None else {**self.deal.to_dict(), **self.cards_dealt()},
            self.is_version_1,
            self.sets,
        )

    def cards_dealt(self) -> dict[str, dict[str, list[str]]]:
        """What chance has given each country since the last deal: its hand then, in the order
        of the ids; the cards it has drawn or discarded off its deck since, as they came; and those
        it lost face down from the table, which may have been picked by chance.

        >>> len(Game.new(seed=7).cards_dealt()["hands"]["germany"])
        10
        """
        cards = self.state.rules.cards
        hands = {
            name: sorted(cards[card].id for card in self._dealt.zones[HAND + country])
            for country, name in enumerate(COUNTRIES)
        }
        drawn: dict[str, list[str]] = {name: [] for name in COUNTRIES}
        lost: dict[str, list[str]] = {name: [] for name in COUNTRIES}
        for what, country, card, *_ in self.raw_log[self._dealt_at :]:
            if what in ("draw", "mill"):
                drawn[COUNTRIES[country]].append(cards[card].id)
            elif what == "discard-response":
                lost[COUNTRIES[country]].append(cards[card].id)
        return {"hands": hands, "drawn": drawn, "lost": lost}

    @property
    def is_version_1(self) -> bool:
        """Whether the game began before version 2 of records, and goes on as it began.

        >>> Game.new().is_version_1
        False
        """
        return self.state.rules.is_version_1

    def asking(self) -> "Game":
        """A game of version 1 as one of version 2: what happened by itself has now been chosen.
        One whose cards were dealt anew, or that today's rulings forbid, stays as it is.

        >>> Game.new(seed=7, is_version_1=True).asking().is_version_1
        False
        """
        if not self.is_version_1 or self._anew:
            return self
        text = format_record(
            self.rules, self.options, [list(seat) for seat in self.seats], self.seed,
            self.position, [],
        )  # fmt: skip
        game, _ = Game.begin_record(text)
        for country, code, is_free in self._history:
            game.settle()
            action = make_action(self.state.rules, country, code)
            try:
                game.apply(action.text, country=COUNTRIES[country], is_whole=True)
            except IllegalAction:
                return self
            assert game.codes[-1] == (country, code, is_free), "the same games do the same"
        game.settle()
        return game

    def settle(self) -> None:
        """Take every choice of one, up to a decision with several.

        >>> game = Game.new(seed=7)
        >>> game.settle()
        >>> len(game.legal_actions()) > 1
        True
        """
        while len(self.state.options) == 1:
            self.apply(self.legal_actions()[0])

    # -- copies ------------------------------------------------------------------------

    def copy(self) -> "Game":
        """An independent copy, with its history and log.

        >>> game = Game.new(seed=7)
        >>> other = game.copy()
        >>> other.apply(other.legal_actions()[0])
        >>> len(game.history), len(other.history)
        (0, 1)
        """
        game = Game.__new__(Game)
        game._become_copy_of(self)
        if self.state.log is not None:
            game.state.log = self.state.log.copy()
        game.seats, game.seed, game.position, game.deal = (
            self.seats, self.seed, self.position, self.deal,
        )  # fmt: skip
        game._anew = list(self._anew)
        game._start, game._dealt, game._dealt_at = self._start, self._dealt, self._dealt_at
        return game

    def save(self) -> dict[str, Any]:
        """The game at this decision as plain data, with its history and log; hidden cards
        are in it, so it is for storage only.

        >>> sorted(Game.new(seed=7).save())[:4]
        ['anew', 'deal', 'history', 'is_version_1']
        """
        return {
            "rules": self.rules,
            "options": self.options,
            **({"sets": self.sets} if self.sets else {}),
            "seats": [list(seat) for seat in self.seats],
            "seed": self.seed,
            "position": deepcopy(self.position),
            "anew": [list(item) for item in self._anew],
            "deal": None if self.deal is None else self.deal.to_dict(),
            "is_version_1": self.is_version_1,
            "state": dump_state(self.state),
            "history": [[country, code, is_free] for country, code, is_free in self._history],
            "log": [list(entry) for entry in self.raw_log],
        }

    @classmethod
    def load(cls, data: Mapping[str, Any]) -> "Game":
        """The game `save` gave. A save is a file that people pass on, so nothing in it is
        trusted: the game is played again, and must come to what the save says. Anything else
        raises `QuartermasterError`.

        >>> game = Game.new(seed=2)
        >>> game.apply(game.legal_actions()[0])
        >>> Game.load(game.save()).record == game.record
        True
        """
        save = read_save(data)
        game = cls._begin_save(data)
        game._history, game._anew = save.history, save.anew
        game._replay(len(save.history), save.faults)
        if dump_state(game.state) != save.state:
            raise QuartermasterError(
                "this save is of a state that its actions do not lead to: it was changed, or made"
                " by another version"
            )
        if [list(entry) for entry in game.raw_log] != save.log:
            raise QuartermasterError("this save has a log that is not that of its actions")
        return game

    @classmethod
    def _begin_save(cls, data: Mapping[str, Any]) -> "Game":
        """The game of a save at its beginning. Earlier versions do not say which they are."""
        game = cls._begin(
            data["rules"], data["options"], data.get("sets", []), data["seats"], data["seed"],
            data["position"], data.get("is_version_1", True),
        )  # fmt: skip
        if data.get("deal") is not None:
            game.deal = Deal.read(data["deal"])
        return game

    @classmethod
    def _unpickle(cls, data: dict[str, Any], sets: Sequence[str] = ()) -> "Game":
        """The game of a save of this very program, which need not be played again."""
        load_card_sets(sets)
        game = cls._begin_save(data)
        game.state = load_state(game.state.rules, data["state"])
        game.state.log = [tuple(entry) for entry in data["log"]]
        game._history = [tuple(entry) for entry in data["history"]]
        game._anew = [tuple(item) for item in data["anew"]]
        if game._anew:  # how it was last dealt is seen by going through it again
            again = game.copy()
            again._replay(len(game._history), fault_entries(game.raw_log))
            game._dealt, game._dealt_at = again._dealt, again._dealt_at
        return game

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as it is saved, so that compiled and interpreted processes can share."""
        return Game._unpickle, (self.save(), where_from(self.sets))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self.state.rules is other.state.rules and self.state.key() == other.state.key()

    def __hash__(self) -> int:
        return hash(self.state.key())

    def __repr__(self) -> str:
        """How to make it again while nothing has been played; later only its record tells that.

        >>> Game.new("first", seed=4, seats=2)  # doctest: +NORMALIZE_WHITESPACE
        Game.new('first', seed=4, seats=2,
                 options={'air-marshal': False, 'lead-victory': False, 'reallocate': False})
        >>> Game.from_position({"turn": "japan"})
        <Game second seed=0: round 1, japan's turn, 0-0>
        """
        s = self.state
        is_new = not self._history and self.position is None and not self._anew
        if is_new and self.deal is None and isinstance(self.seed, int):
            n = len(self.seats)
            seats = n if self.seats == make_seats(self.rules, n) else list(map(list, self.seats))
            more = f", sets={self.sets}" if self.sets else ""
            more += ", is_version_1=True" if s.rules.is_version_1 else ""
            told = f"{self.rules!r}, seed={self.seed}, seats={seats}, options={self.options}{more}"
            return f"Game.new({told})"
        if self.is_over:
            now = f"won by the {self.winner}"
        else:
            now = f"round {s.round}, {COUNTRIES[s.country]}'s turn"
        seed = self.seed if isinstance(self.seed, int) else "secret"
        return f"<Game {self.rules} seed={seed}: {now}, {s.axis_score}-{s.allies_score}>"

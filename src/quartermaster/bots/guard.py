"""A bot that fails does not stop a game: the next lower level decides in its place."""

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from numbers import Real

from quartermaster.bots.levels import LEVELS, Bot, Need, close_bot, make_bot, need_of
from quartermaster.bots.process import BotProcess, Failure, Maker, Question, choose, raised
from quartermaster.bots.program import ProgramBot
from quartermaster.errors import QuartermasterError, show
from quartermaster.forms.notation import Action
from quartermaster.game import Game
from quartermaster.sight.look import Look, empty_look

MOST_IN_ROW = 3  # faults in a row after which a bot is not asked again

_numbers = count()  # guards that share a process do not share bots


@dataclass(frozen=True)
class Fault:
    """A decision that a bot did not take."""

    country: str
    bot: str
    reason: str  # in full, for who runs the game: it may name hidden cards
    stand_in: str  # who was asked in its place
    kind: str  # the reason as everyone may read it


class Guard:
    """A bot for one country that always answers.

    It asks a bot, given itself or by its name. Where that raises, answers illegally or takes
    longer than `seconds`, it asks the next lower level, and so on down; the lowest cannot
    fail. Below a bot of one's own is `rookie`. `faults` says what went wrong.

    With `seconds` the bots think in another process, of this guard's own or one that is given
    and shared; a bot of one's own must pickle for that. Another program (`ProgramBot`) is in a
    process of its own already. `close` ends the process, and closes the bots that were made here;
    a bot that was given is closed by who gave it.

    What makes a bot of a name is `make_bot`, which knows the levels; `load_bot` also runs code
    that the person at this machine names.

    >>> class Asleep:
    ...     def decide(self, look, actions):
    ...         raise ValueError("it is night")
    >>> game = Game.new(seed=7)
    >>> guard = Guard(Asleep(), seed=1)
    >>> guard.decide(game.look("germany"), game.legal_actions()) in game.legal_actions()
    True
    >>> guard.faults[0].reason
    'raised ValueError: it is night'
    """

    def __init__(
        self,
        bot: str | Bot,
        seed: int,
        seconds: float | None = None,
        process: BotProcess | None = None,
        make: Maker | None = None,
    ) -> None:
        if seconds is not None and not (isinstance(seconds, Real) and seconds > 0):
            raise QuartermasterError(f"seconds: expected more than 0, got {show(seconds)}")
        if not isinstance(bot, str):
            _check_bot(bot)
        self.faults: list[Fault] = []
        self._told = 0  # faults that are in the game's log
        self._names = _chain(bot)  # who is asked, one after the other
        self._in_row = [0] * len(self._names)  # faults
        self._seed = seed
        self._seconds = seconds
        # Made in any case, so that a name or a setting that does not exist is refused here.
        self._make = make or make_bot
        self._is_maker = isinstance(bot, str)
        self._bots = {0: self._make(bot, seed) if isinstance(bot, str) else bot}
        self._program = self._bots[0] if isinstance(self._bots[0], ProgramBot) else None
        if self._program is not None and seconds is not None:
            self._program.seconds = seconds
        is_pickled = seconds is not None and not isinstance(bot, str) and self._program is None
        self._pickled = _pickle(self._bots[0]) if is_pickled else None
        self._is_owner = process is None
        self._process = None if seconds is None else process or BotProcess()
        self._number = next(_numbers)
        self._needs: dict[int, Need] = {0: need_of(self._bots[0])}  # stand-ins look

    @property
    def unguarded(self) -> Bot | None:
        """The bot itself, where nobody stands below it to decide in its place.

        >>> Guard("random", seed=1).unguarded is not None
        True
        """
        return self._bots[0] if len(self._names) == 1 else None

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        """The bot's decision, or that of who stands in for it.

        >>> game = Game.new(seed=7)
        >>> str(Guard("veteran", seed=1).decide(game.look("germany"), game.legal_actions()))[:7]
        'discard'
        """
        return self._decide(lambda: look, actions)

    def decide_in(self, game: Game, actions: Sequence[Action]) -> Action:
        """The bot's decision, or that of who stands in for it. The look is made only if a bot
        needs it, which `decide` is given in any case.

        >>> game = Game.new(seed=7)
        >>> Guard("random", seed=1).decide_in(game, game.legal_actions()) in game.legal_actions()
        True
        """
        return self._decide(lambda: game.look(actions[0].country), actions)

    def _decide(self, look: Callable[[], Look], actions: Sequence[Action]) -> Action:
        last = len(self._names) - 1
        asked = [place for place in range(last) if self._in_row[place] < MOST_IN_ROW]
        for place, following in pairwise([*asked, last]):
            try:
                chosen = self._ask(place, look, actions)
            except Failure as failure:
                self._in_row[place] += 1
                self._add_fault(actions[0].country, place, failure, self._names[following])
            else:
                self._in_row[place] = 0
                return actions[chosen]
        return self._bot(last).decide(self._look_for(last, look), actions)

    def tell_faults(self, game: Game) -> None:
        """Note in the game's log what has failed since it was last told; to be called before
        the answer is applied, and once the game is over.

        What fails in a reaction is told with the country's next decision of another kind, for
        whose reaction is awaited is not for all to know.

        >>> game = Game.new(seed=7)
        >>> Guard("random", seed=1).tell_faults(game)
        >>> game.events
        []
        """
        if self._told < len(self.faults) and (game.is_over or game.decision.kind != "react"):
            for fault in self.faults[self._told :]:
                game.note_fault(fault.country, fault.bot, fault.kind, fault.stand_in)
            self._told = len(self.faults)

    def close(self) -> None:
        """End the process, or leave the one that is shared; close the bots made here.

        >>> Guard("random", seed=1).close()
        """
        for place, bot in self._bots.items():
            if place > 0 or self._is_maker:
                close_bot(bot)
        if self._process is not None:
            if self._is_owner:
                self._process.close()
            else:
                self._process.forget(self._number)

    def __enter__(self) -> "Guard":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _look_for(self, place: int, look: Callable[[], Look]) -> Look:
        return look() if self._needs.get(place, "look") == "look" else empty_look()

    def _ask(self, place: int, make_look: Callable[[], Look], actions: Sequence[Action]) -> int:
        look = self._look_for(place, make_look)
        is_program = place == 0 and self._program is not None
        if self._process is None or self._seconds is None or is_program:
            return choose(self._bot(place), look, actions)
        make = self._make if place == 0 else make_bot
        source: tuple[Maker, str, int] | bytes = (make, self._names[place], self._seed)
        if place == 0 and self._pickled is not None:
            source = self._pickled
        key = (self._number, place)
        return self._process.choose(Question(key, source, look, tuple(actions), self._seconds))

    def _bot(self, place: int) -> Bot:
        if place not in self._bots:
            try:
                self._bots[place] = make_bot(self._names[place], self._seed)
            except (Exception, SystemExit) as error:
                raise raised(error) from None
        return self._bots[place]

    def _add_fault(self, country: str, place: int, failure: Failure, stand_in: str) -> None:
        kind, reason = failure.kind, failure.reason
        if self._in_row[place] == MOST_IN_ROW:
            kind += "; not asked again"
            reason += f"; not asked again after {MOST_IN_ROW} faults in a row"
        self.faults.append(Fault(country, self._names[place], reason, stand_in, kind))


def take_decision(game: Game, bots: Mapping[str, Bot]) -> None:
    """Let the country's bot take the decision that the game waits for. What a guard has caught
    goes into the game's log."""
    actions = game.legal_actions()
    country = actions[0].country
    bot = bots[country]
    if isinstance(bot, Guard):
        action = bot.decide_in(game, actions)
        bot.tell_faults(game)
    else:
        look = game.look(country) if need_of(bot) == "look" else empty_look()
        action = bot.decide(look, actions)
    game.apply(action)
    if game.is_over:
        for bot in bots.values():
            if isinstance(bot, Guard):
                bot.tell_faults(game)


def _chain(bot: str | Bot) -> tuple[str, ...]:
    """The names of who is asked, from the bot down to the lowest level."""
    if isinstance(bot, str):
        name, level = bot, bot.partition(":")[0]
    else:
        name, level = type(bot).__name__, ""
    if level in LEVELS:
        lower = LEVELS[: LEVELS.index(level)]
    elif "rookie" in LEVELS:
        lower = LEVELS[: LEVELS.index("rookie") + 1]
    else:
        lower = LEVELS[:1]
    return (name, *reversed(lower))


def _check_bot(bot: object) -> None:
    """Refuse what is no bot at once: its every decision would be a fault."""
    if isinstance(bot, type):
        raise QuartermasterError(f"expected a bot, got the class {bot.__name__}: make one of it")
    if not callable(getattr(bot, "decide", None)):
        raise QuartermasterError(
            f"expected a bot, which has a method decide(look, actions), got {show(bot)}"
        )


def _pickle(bot: Bot) -> bytes:
    try:
        return pickle.dumps(bot)
    except Exception as error:
        raise QuartermasterError(
            f"a bot with a time limit thinks in another process, so it must pickle: {error}"
        ) from None

"""The levels of play, from weak to strong."""

import random
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, TypedDict, get_args, runtime_checkable

from quartermaster.bots.knowledge import knowledge_of
from quartermaster.bots.mind.planner import Planner, is_about_hand
from quartermaster.bots.search import Found, search
from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.forms.notation import Action
from quartermaster.rules.dice import Dice
from quartermaster.sight.look import Look
from quartermaster.speech.say import say

_LINES = 24  # of play that a veteran looks at for a decision


class Bot(Protocol):
    """A player that is a program; one for each country.

    `look` is all that the country knows; the answer is one of `actions`. To make a look takes
    several times as long as to play at random, so a bot says what it needs by an attribute,
    `needs`:

    - `"look"`: both, as all do that say nothing;
    - `"actions"`: never the look, which is an empty one;
    - `"number"`: only how many actions there are. It has a method `choose(count)` too, which
      gives the place of one, and many games between such bots are played without making either.

    A bot that holds something open (a process, a file) has a method `close()`; whoever made the
    bot by its name calls it when the game is over.

    >>> class First:
    ...     def decide(self, look, actions):
    ...         return actions[0]
    """

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        """One of the actions, by what the look tells.

        >>> from quartermaster import Game
        >>> game = Game.new(seed=7)
        >>> make_bot("random", 1).decide(game.look(), game.legal_actions()).verb
        'discard'
        """
        ...


Need = Literal["look", "actions", "number"]
NEEDS: tuple[Need, ...] = get_args(Need)


@runtime_checkable
class Chooser(Protocol):
    """A bot that needs the number of actions alone chooses one by its place."""

    def choose(self, count: int) -> int: ...


def need_of(bot: object) -> Need:
    """What a bot needs to decide.

    >>> need_of(RandomBot(1)), need_of(PlanningBot(1))
    ('number', 'look')
    """
    need: Need = getattr(bot, "needs", "look")
    if need not in NEEDS:
        raise QuartermasterError(
            f"{type(bot).__name__}.needs: expected {' or '.join(NEEDS)}, got {need!r}"
        )
    if need == "number" and not isinstance(bot, Chooser):
        raise QuartermasterError(
            f"{type(bot).__name__}: a bot that needs the number alone has a method choose(count)"
        )
    return need


def chooser_of(bot: object) -> Callable[[int], int] | None:
    """How a bot chooses that needs nothing but the number of actions; of others nothing.

    >>> chooser_of(RandomBot(1))(1), chooser_of(PlanningBot(1))
    (0, None)
    """
    if need_of(bot) == "number" and isinstance(bot, Chooser):
        return bot.choose
    return None


def close_bot(bot: object) -> None:
    """Let a bot let go of what it holds, if it says how. One that fails at that stops nothing.

    >>> close_bot(RandomBot(1))
    """
    close = getattr(bot, "close", None)
    if callable(close):
        try:
            close()
        except (Exception, SystemExit) as error:
            told = f"{type(bot).__name__}.close raised {type(error).__name__}: {error}"
            warnings.warn(told, RuntimeWarning, stacklevel=2)


class RandomBot:
    """Picks any legal action, each as likely as the others."""

    def __init__(self, seed: int) -> None:
        self.dice = Dice(seed)
        self.choose = self.dice.below
        # What is made out of it may look.
        self.needs: Need = "number" if type(self) is RandomBot else "look"

    def __getstate__(self) -> dict[str, object]:
        """Without how it chooses: a copy does so by its own dice."""
        return {key: value for key, value in vars(self).items() if key != "choose"}

    def __setstate__(self, kept: dict[str, object]) -> None:
        self.__dict__.update(kept)
        self.choose = self.dice.below

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        return actions[self.choose(len(actions))]


class PlanningBot:
    """Plans the turn at hand to its end and judges where it leads, by what its country knows.

    An `error` makes it misjudge, save in what to keep in hand: 0.13 is two points of lead in
    a game that 30 points ahead decide, and more where games run higher. The errors of the
    levels are chosen by what they score against each other (`docs/bots.md`).
    """

    def __init__(self, seed: int, error: float = 0.0) -> None:
        self._random = random.Random(seed)
        self._error = error

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        if len(actions) == 1:
            return actions[0]
        known = knowledge_of(look.seen.rules)
        planner = Planner(known.judge, known.habits, _LINES)
        values = planner.values(look.deal(self._random.getrandbits(40)))
        if self._error and not is_about_hand(look.seen):
            spread = self._error / known.judge.slope
            values = [value + self._random.gauss(0, spread) for value in values]
        return actions[max(range(len(values)), key=values.__getitem__)]


class SearchingBot:
    """Lets its options race each other (`mind.race`) for some time, or for so many simulations.

    With `nodes` and a seed it repeats itself exactly; with `seconds` it does not.
    """

    def __init__(self, seed: int, seconds: float = 1.0, nodes: int = 0, cores: int = 1) -> None:
        self._random = random.Random(seed)
        self._seconds = 0.0 if nodes else seconds
        self._nodes = nodes
        self._cores = cores
        self.simulations = 0  # in all
        self.thinking = 0.0  # seconds that took
        self.found: Found | None = None  # by the last search

    def decide(self, look: Look, actions: Sequence[Action]) -> Action:
        if len(actions) == 1:
            return actions[0]
        seed = self._random.getrandbits(40)
        self.found = search(look, seed, self._seconds, self._nodes, self._cores)
        if self.found.simulations:
            self.simulations += self.found.simulations
            self.thinking += self.found.seconds
        return actions[self.found.best]


@dataclass(frozen=True)
class Level:
    """A named way to play, and what can be set about it (`general:seconds=0.5`)."""

    name: str
    make: Callable[..., Bot]
    settings: dict[str, Callable[[str], float]] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Its name as people read it."""
        return say(f"bot.{self.name}.title")

    @property
    def about(self) -> str:
        """How it plays, in a line."""
        return say(f"bot.{self.name}")


BOTS: dict[str, Level] = {
    level.name: level
    for level in (
        Level("random", RandomBot),
        Level("rookie", lambda seed: PlanningBot(seed, error=0.13)),
        Level("regular", lambda seed: PlanningBot(seed, error=0.06)),
        Level("seasoned", lambda seed: PlanningBot(seed, error=0.04)),
        Level("veteran", PlanningBot),
        Level("general", SearchingBot, {"seconds": float, "nodes": int, "cores": int}),
    )
}
LEVELS = tuple(BOTS)  # from weak to strong


class BotData(TypedDict):
    name: str
    title: str
    about: str
    settings: list[str]


def bots_data() -> list[BotData]:
    """The bots, from weak to strong."""
    return [
        {
            "name": bot.name,
            "title": bot.title,
            "about": bot.about,
            "settings": list(bot.settings),
        }
        for bot in BOTS.values()
    ]


def make_bot(name: str, seed: int) -> Bot:
    """A bot by its name, for one country; settings follow a colon.

    >>> make_bot("general:nodes=200", seed=1).decide.__name__
    'decide'
    """
    level, _, text = name.partition(":")
    if level not in BOTS:
        raise UnknownName("bot", level, BOTS)
    return BOTS[level].make(seed, **read_settings(name, BOTS[level].settings, text))


def read_settings(
    name: str, known: Mapping[str, Callable[[str], float]], text: str
) -> dict[str, float]:
    """The settings that stand behind a bot's name, with colons: numbers above 0.

    >>> read_settings("deep", {"depth": int}, "depth=3")
    {'depth': 3}
    """
    settings = {}
    for item in text.split(":") if text else []:
        key, _, value = item.partition("=")
        if key not in known:
            expected = " or ".join(known) or "none"
            raise QuartermasterError(f"{name}: no setting {key!r}; expected {expected}")
        try:
            settings[key] = known[key](value)
            if not 0 < settings[key] < 10**9:
                raise ValueError
        except ValueError:
            raise QuartermasterError(f"{name}: {key} must be a number above 0") from None
    return settings

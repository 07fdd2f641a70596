"""A game between bots, from its first decision to its last.

>>> match = play_match(["random", "random"], seed=5)
>>> match.winner, match.decisions == len(match.game.history)
('allies', True)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from quartermaster.bots import Bot, BotProcess, Fault, Guard, load_bot, take_decision
from quartermaster.bots.levels import chooser_of
from quartermaster.errors import QuartermasterError, UnknownName, show
from quartermaster.forms.deals import Seed
from quartermaster.forms.notation import country_index
from quartermaster.forms.seats import Seats
from quartermaster.game import Game
from quartermaster.rules.names import COUNTRIES

B = TypeVar("B")
Bots = Sequence[B] | Mapping[str, B]  # by seat, or by country


@dataclass(frozen=True)
class Match:
    """A game that bots have played.

    >>> play_match(["random", "random"], seed=5).decisions > 100
    True
    """

    game: Game
    decisions: int
    faults: tuple[Fault, ...]  # decisions that a bot failed to take

    @property
    def winner(self) -> str:
        """The team that has won.

        >>> play_match(["random", "random"], seed=5).winner
        'allies'
        """
        assert self.game.winner is not None
        return self.game.winner

    @property
    def score(self) -> dict[str, int]:
        """The victory points of both teams.

        >>> sorted(play_match(["random", "random"], seed=5).score)
        ['allies', 'axis']
        """
        return self.game.score

    @property
    def rounds(self) -> int:
        """The rounds that it took.

        >>> 1 <= play_match(["random", "random"], seed=5).rounds <= 20
        True
        """
        return self.game.round


def play_match(
    bots: Bots[str | Bot] | Bots[str],
    rules: str = "second",
    *,
    seed: Seed = 0,
    seats: int | Sequence[Sequence[str]] = 2,
    options: Mapping[str, bool] | None = None,
    sets: Sequence[str] = (),
    seconds: float | None = None,
    process: BotProcess | None = None,
) -> Match:
    """Let bots play a game to its end.

    Bots are given by seat, and begun again where there are more seats, or by country. Each is a
    name that `--bots` takes, or a bot; one bot given for several countries plays them all. A name
    that is no level runs the code it names. Whoever fails, or takes longer than `seconds` for a
    decision, is stood in for by a lower level, and `faults` says why; with `seconds` bots think in
    another process, which several games may share. The same seed gives the same game, if the bots
    play alike.

    >>> class First:
    ...     def decide(self, look, actions):
    ...         return actions[0]
    >>> match = play_match([First(), "random"], seed=3)
    >>> match.faults
    ()
    """
    game = Game.new(rules, seed=seed, seats=seats, options=options, sets=sets)
    first = 8 * seed if isinstance(seed, int) else 0  # of the bots' own chance
    players: dict[str, Guard] = {}
    own = BotProcess() if seconds is not None and process is None else None
    try:
        for country, bot in by_country(bots, game.seats).items():
            chance = first + country_index(country)
            players[country] = Guard(bot, chance, seconds, process or own, load_bot)
        decisions = play_game(game, players)
    finally:
        for player in players.values():
            player.close()
        if own is not None:
            own.close()
    faults = tuple(fault for player in players.values() for fault in player.faults)
    return Match(game, decisions, faults)


def by_country(bots: Bots[B], seats: Seats) -> dict[str, B]:
    """Bots that are given by seat, or by country already, by country."""
    if isinstance(bots, str) or not isinstance(bots, Sequence | Mapping) or not bots:
        raise QuartermasterError(f"bots: expected those of each seat or country, got {show(bots)}")
    if isinstance(bots, Mapping):
        for country in bots:
            if country not in COUNTRIES:
                raise UnknownName("country", country, COUNTRIES)
        missing = [country for country in COUNTRIES if country not in bots]
        if missing:
            raise QuartermasterError(f"bots: none for {', '.join(missing)}")
        return dict(bots)
    if len(bots) > len(seats):
        raise QuartermasterError(
            f"bots: expected at most one for each of {len(seats)} seats, got {len(bots)}"
        )
    return {
        country: bots[number % len(bots)] for number, seat in enumerate(seats) for country in seat
    }


def play_game(game: Game, bots: Mapping[str, Bot]) -> int:
    """Play a game to its end, a bot for each country, each by what its country knows; the
    number of decisions. What a `Guard` has caught goes into the game's log."""
    choosers = [_chooser(bots[country]) for country in COUNTRIES if country in bots]
    if len(choosers) == len(COUNTRIES) and None not in choosers:
        return game.play_unseen([choose for choose in choosers if choose is not None])
    decisions = 0
    while not game.is_over:
        take_decision(game, bots)
        decisions += 1
    return decisions


def _chooser(bot: Bot) -> Callable[[int], int] | None:
    """How a bot chooses that needs nothing but the number of actions."""
    asked = bot.unguarded if isinstance(bot, Guard) else bot
    return None if asked is None else chooser_of(asked)

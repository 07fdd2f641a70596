"""The game for OpenSpiel: importing this module registers `quartermaster` as a Python game.

    import pyspiel
    import quartermaster.lab.env.openspiel
    game = pyspiel.load_game("quartermaster(rules=second,players=2)")

It needs the extra `openspiel`. Parameters: `rules`, `air_marshal`, `players` (seats, 2 to 6), and
`chance`: "outside", where shuffles are chance nodes, or "inside", where they come from `seed` and
every state is decided by the actions alone. A shuffle outside is three chance nodes of 1,024
outcomes each, all equally likely: together they are the seed of what is shuffled, so that there
are about a thousand million deals and no node has more outcomes than an algorithm can list.

An information state is all that a player has been told since the game began (the log as the
player may read it), the countries' own cards included, and what is asked of it now.
`resample_from_infostate` deals out anew what the player cannot know.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel

from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import IllegalAction
from quartermaster.forms.notation import action_names, country_index, make_action
from quartermaster.forms.save import dump_state, load_state
from quartermaster.forms.seats import make_seats
from quartermaster.lab.env.observation import observation_of
from quartermaster.rules.engine import apply, current_op, decider, new_state
from quartermaster.rules.names import COUNTRIES, DECK, FACE_DOWN, HAND, SET, team_of
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State, seeded
from quartermaster.sight.log import log_entry
from quartermaster.sight.look import Look

OUTCOMES = 1024  # of a chance node
DIGITS = 3  # chance nodes for a shuffle
MAX_DECISIONS = 4000  # random games have 330 in the mean, and never had a thousand

_PARAMETERS = {
    "rules": "second",
    "air_marshal": False,
    "players": 6,
    "chance": "outside",
    "seed": 0,
}


def _game_type(chance: str, has_equal_teams: bool) -> Any:
    modes = pyspiel.GameType.ChanceMode
    utilities = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="quartermaster",
        long_name="Quartermaster",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if chance == "outside" else modes.DETERMINISTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utilities.ZERO_SUM if has_equal_teams else utilities.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=6,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_PARAMETERS,
    )


class Setting:
    """What a game is played with. States keep it, and share it with their copies."""

    def __init__(self, rules: str, has_air_marshal: bool, players: int, chance: str) -> None:
        self._made_of = rules, has_air_marshal, players, chance
        self.rules = load_rules(rules, {"air-marshal": has_air_marshal})
        self.chance = chance
        self.seats = [
            [country_index(country) for country in seat] for seat in make_seats(rules, players)
        ]
        self.player_of = {country: i for i, seat in enumerate(self.seats) for country in seat}

    def __deepcopy__(self, memo: Any) -> "Setting":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """A compiled rule set has no pickle; whoever reads this one loads it anew."""
        return Setting, self._made_of


class QuartermasterGame(pyspiel.Game):  # type: ignore[misc]
    """The game with its parameters, as OpenSpiel loads it."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_PARAMETERS, **(params or {})}
        if given["chance"] not in ("inside", "outside"):
            raise ValueError(f"chance: expected inside or outside, got {given['chance']!r}")
        self.setting = Setting(
            given["rules"], given["air_marshal"], given["players"], given["chance"]
        )
        self.seed: int = given["seed"]
        seats = self.setting.seats
        axis = sum(1 for seat in seats if team_of(seat[0]) == 0)
        has_equal_teams = 2 * axis == len(seats)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.setting.rules.numbering.size,
            max_chance_outcomes=OUTCOMES if given["chance"] == "outside" else 0,
            num_players=len(seats),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if has_equal_teams else None,
            max_game_length=MAX_DECISIONS,
        )
        super().__init__(_game_type(given["chance"], has_equal_teams), info, given)

    def new_initial_state(self) -> "QuartermasterState":
        return QuartermasterState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """OpenSpiel's observers: what a player knows now, or all that it was ever told. There is
        none of the public or the private part alone."""
        if params:
            raise ValueError(f"observation parameters: expected none, got {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return Observer(self.setting.rules, kind.perfect_recall)


class Table:
    """The engine's state and what each player has been told, apart from OpenSpiel's own state:
    copied with it, cheaply."""

    def __init__(self, state: State | None, prefixes: Sequence[str], log: list[Any]) -> None:
        self.state = state  # None before the first deal
        self.prefixes = list(prefixes)  # what each player had been told before the log begins
        self.log = log
        self.digits: list[int] = []  # chance outcomes of a shuffle that is not complete
        self.waiting = -1  # the engine's code of the action whose shuffle that is

    def __deepcopy__(self, memo: Any) -> "Table":
        state = None
        if self.state is not None:
            state = self.state.copy()
            state.log = self.log.copy()
        table = Table(state, self.prefixes, [] if state is None else state.log or [])
        table.digits = self.digits.copy()
        table.waiting = self.waiting
        return table

    def __reduce__(self) -> tuple[Any, ...]:
        """OpenSpiel pickles what a state holds, and a compiled state has no pickle of its own."""
        s = self.state
        data = None
        if s is not None:
            data = s.rules.name, s.rules.options, dump_state(s), s.options
        return _restore, (data, self.prefixes, self.log, self.digits, self.waiting)


def _restore(
    data: Any, prefixes: list[str], log: list[Any], digits: list[int], waiting: int
) -> Table:
    state = None
    if data is not None:
        name, options, dumped, choices = data
        state = load_state(load_rules(name, options), dumped, choices)
        state.log = log
    table = Table(state, prefixes, log)
    table.digits, table.waiting = digits, waiting
    return table


class QuartermasterState(pyspiel.State):  # type: ignore[misc]
    """A state as OpenSpiel's algorithms use it."""

    def __init__(self, game: QuartermasterGame) -> None:
        super().__init__(game)
        self.setting = game.setting
        self.table = Table(None, [""] * len(self.setting.seats), [])
        if self.setting.chance == "inside":
            self._deal(game.seed)

    def _deal(self, seed: int) -> None:
        self.table.state = new_state(self.setting.rules, seed)
        self.table.state.log = self.table.log

    # -- what OpenSpiel asks for -------------------------------------------------------

    def current_player(self) -> Any:
        s = self.table.state
        if s is None or self.table.waiting >= 0:
            return pyspiel.PlayerId.CHANCE
        if s.winner >= 0:
            return pyspiel.PlayerId.TERMINAL
        return self.setting.player_of[decider(s)]

    def _legal_actions(self, player: int) -> list[int]:
        s = self.table.state
        assert s is not None
        number = self.setting.rules.numbering.number
        return sorted(number(code) for code in s.options)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(outcome, 1 / OUTCOMES) for outcome in range(OUTCOMES)]

    def _apply_action(self, action: int) -> None:
        table = self.table
        if self.is_chance_node():
            if not 0 <= action < OUTCOMES:
                raise IllegalAction(f"expected an outcome from 0 to {OUTCOMES - 1}, got {action}")
            table.digits.append(action)
            if len(table.digits) == DIGITS:
                seed = 0
                for digit in table.digits:
                    seed = seed * OUTCOMES + digit
                table.digits = []
                self._shuffled(seed)
            return
        s = table.state
        assert s is not None
        numbering = self.setting.rules.numbering
        code = numbering.code(action) if 0 <= action < numbering.size else -1
        if code not in s.options:
            name = "there is no such" if code < 0 else action_names(self.setting.rules)[action]
            raise IllegalAction(f"action {action} is not legal now ({name})")
        if self.setting.chance == "outside":
            ahead = s.copy()
            apply(ahead, code)
            if ahead.rng != s.rng:  # it shuffles: how, is for chance to say
                table.waiting = code
                return
        apply(s, code)

    def _shuffled(self, seed: int) -> None:
        """Go on with a shuffle whose seed is known now."""
        table = self.table
        if table.state is None:
            self._deal(seed)
        else:
            code, table.waiting = table.waiting, -1
            table.state.rng = seeded(seed)
            apply(table.state, code)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"shuffle {action}"
        return action_names(self.setting.rules)[action]

    def is_terminal(self) -> bool:
        s = self.table.state
        return s is not None and s.winner >= 0

    def returns(self) -> list[float]:
        s = self.table.state
        if s is None or s.winner < 0:
            return [0.0] * len(self.setting.seats)
        return [1.0 if team_of(seat[0]) == s.winner else -1.0 for seat in self.setting.seats]

    def resample_from_infostate(
        self, player: int, probability_sampler: Callable[[], float]
    ) -> "QuartermasterState":
        """A state that this player cannot tell from this one, the hidden cards dealt by chance."""
        s = self.table.state
        other: QuartermasterState = self.clone()
        if s is None or self.table.waiting >= 0:
            return other
        own = frozenset(self.setting.seats[player])
        seed = int(probability_sampler() * 2**52)
        dealt = Look.at(s, own).deal(seed)
        prefixes = []
        for one in range(len(self.setting.seats)):
            if one == player:
                prefixes.append(self.told(one))
            else:  # what everyone was told, and the cards that are now its own
                prefixes.append(self.told(None) + _own_cards(dealt, self.setting.seats[one]))
        other.table = Table(dealt, prefixes, [])
        dealt.log = other.table.log
        return other

    # -- what is known -----------------------------------------------------------------

    def told(self, player: int | None) -> str:
        """All that a player, or an onlooker, has been told up to now."""
        seats = self.setting.seats
        viewers = frozenset() if player is None else frozenset(seats[player])
        prefix = "" if player is None else self.table.prefixes[player]
        lines = [prefix]
        for raw in self.table.log:
            entry = log_entry(self.setting.rules, raw, viewers)
            parts = (entry.what, entry.country, entry.card, entry.space, entry.target, entry.n)
            lines.append(" ".join("-" if part is None else str(part) for part in parts) + "\n")
        return "".join(lines)

    def information_text(self, player: int) -> str:
        """What an information state is known by."""
        s = self.table.state
        if s is None:
            return f"player {player}: no cards yet"
        own = self.setting.seats[player]
        text = f"player {player}\n{self.told(player)}{_own_cards(s, own)}"
        if s.winner < 0 and self.table.waiting < 0 and decider(s) in own:
            legal = [make_action(s.rules, decider(s), code).text for code in s.options]
            text += f"asked {COUNTRIES[decider(s)]} {current_op(s).kind}: {', '.join(legal)}\n"
        return text

    def __str__(self) -> str:
        s = self.table.state
        if s is None:
            return f"before the deal {self.table.digits}"
        return json.dumps({**dump_state(s), "waiting": self.table.waiting})

    def save(self) -> str:
        """The whole state as text, for `load`: also of one that was resampled, which OpenSpiel's
        own `serialize` gives back as its history would have it."""
        table = self.table
        state = None if table.state is None else dump_state(table.state)
        return json.dumps([state, table.prefixes, table.log, table.digits, table.waiting])

    def load(self, text: str) -> "QuartermasterState":
        """The state that `save` gave, of the same game."""
        data, prefixes, log, digits, waiting = json.loads(text)
        other: QuartermasterState = self.get_game().new_initial_state()
        state = None if data is None else load_state(self.setting.rules, data)
        other.table = Table(state, prefixes, [tuple(entry) for entry in log])
        if state is not None:
            state.log = other.table.log
        other.table.digits, other.table.waiting = digits, waiting
        return other


def _own_cards(s: State, countries: Sequence[int]) -> str:
    cards = s.rules.cards
    return "".join(
        f"own {COUNTRIES[country]}"
        f" {[sorted(cards[card].id for card in s.zones[zone + country]) for zone in _OWN]}\n"
        for country in countries
    )


_OWN = (HAND, DECK, FACE_DOWN, SET)


class Observer:
    """What a player knows, as OpenSpiel's algorithms take it: `tensor`, its parts by name in
    `dict`, and as a string."""

    def __init__(self, rules: Rules, is_perfect_recall: bool) -> None:
        self._known = observation_of(rules)
        self._is_perfect_recall = is_perfect_recall
        self.tensor: Any = None
        self.dict: dict[str, Any] = {}
        if not is_perfect_recall:
            self.tensor = np.zeros(self._known.size, dtype=np.float32)
            self.dict = dict(self._known.split(self.tensor))

    def set_from(self, state: QuartermasterState, player: int) -> None:
        """Write what the player knows into `tensor`."""
        s = state.table.state
        if s is None:
            self.tensor.fill(0)
            return
        viewers = sum(1 << country for country in state.setting.seats[player])
        self.tensor[:] = self._known.write([s], bytes([viewers]))[0]

    def string_from(self, state: QuartermasterState, player: int) -> str:
        """What the player knows, as a string: the numbers that are not 0, with their names."""
        if self._is_perfect_recall:
            return state.information_text(player)
        self.set_from(state, player)
        names = self._known.names
        told = [f"{names[place]}={self.tensor[place]:g}" for place in self.tensor.nonzero()[0]]
        return f"player {player}; " + "; ".join(told)


pyspiel.register_game(_game_type("outside", True), QuartermasterGame)

"""The engine: begin a game, and carry it from one decision to the next."""

from collections.abc import Callable
from typing import Any, Final, SupportsIndex

from mypy_extensions import i64

from quartermaster.errors import IllegalAction
from quartermaster.rules.actions import PASS
from quartermaster.rules.board import HOMES
from quartermaster.rules.card import Op
from quartermaster.rules.dice import Dice
from quartermaster.rules.flow import SETUP, TURN, remove_air, take_off
from quartermaster.rules.frames import Frame
from quartermaster.rules.given import whole_number, whole_seed
from quartermaster.rules.names import AIR_FORCE, ARMY, DECK, NAVY, NOBODY
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import NO_SPACES, State

CHANCE_MASK: Final = (1 << 31) - 1


def empty_state(rules: Rules) -> State:
    """A board without pieces or cards, before the first turn."""
    s = State(rules, NO_SPACES, [()] * 36, [Frame(TURN, 0, 0, -1, None)])
    s.armed = rules.always_armed
    return s


def new_state(rules: Rules, seed: SupportsIndex | bytes, is_traced: bool = False) -> State:
    """A game at its first decision: decks shuffled, hands drawn, armies at home. Of a seed that is
    a whole number the lowest 64 bits count.

    >>> from quartermaster import load_rules
    >>> new_state(load_rules("second"), 7)
    <State of second: round 1, germany's turn, 0-0>
    """
    s = empty_state(rules)
    s.sow(seed)
    if is_traced:
        s.trace = []
    for country in range(6):
        s.place(country, HOMES[country])
        s.zones[DECK + country] = s.shuffle(tuple(rules.decks[country]))
    for country in range(6):
        s.draw(country, rules.setup_draw)
    s.push(SETUP, 0)
    advance(s)
    return s


def advance(s: State) -> None:
    """Run on to the next decision, or to the end. A choice of one is no decision, unless others
    could tell by it what cards someone has (`Op.is_asked`)."""
    programs = s.rules.programs
    stack = s.stack
    while s.winner < 0:
        f = stack[-1]
        ops = programs[f.program].ops
        if f.pc >= len(ops):
            stack.pop()
            continue
        op = ops[f.pc]
        if op.run(s, f):
            if len(s.options) > 1 or (op.is_asked(s, f) and not s.rules.is_version_1):
                return
            op.choose(s, f, s.options[0])
    s.options = []


def apply(s: State, code: int) -> None:
    """Carry out one of `s.options`, and run on.

    That it is one of them is not checked: any other code may do anything, and leave a state in
    which nothing works. What does not come from `s.options` goes through `Game` or a `Batch`.

    >>> from quartermaster import Game
    >>> state = Game.new(seed=7).state.copy()
    >>> apply(state, state.options[0])
    >>> len(state.options)
    9
    """
    f = s.stack[-1]
    op = s.rules.programs[f.program].ops[f.pc]
    if s.lifting >= 0 and (code != PASS or op.kind != "react"):
        s.lifting = NOBODY
    op.choose(s, f, code)
    advance(s)


def current_op(s: State) -> Op:
    f = s.stack[-1]
    return s.rules.programs[f.program].ops[f.pc]


def decider(s: State) -> int:
    """The number of the country whose decision it is, in a game that is not over.

    >>> from quartermaster import Game
    >>> decider(Game.new(seed=7).state)
    0
    """
    return current_op(s).decider(s, s.stack[-1])


def can_take_off(s: State, country: int) -> bool:
    """Whether a country may take own pieces off the board now (rules 4, Availability)."""
    if s.winner >= 0:
        return False
    if s.rules.is_removal_free:
        return True
    # French: in the own turn, one or several when all the country's pieces are on the board.
    # What a card needs must be in reserve when it is played, so not while one is in progress.
    if s.country != country:
        return False
    for frame in s.stack:
        if frame.card >= 0 and frame.pc < s.rules.programs[frame.program].tail:
            return False
    if s.lifting == country:
        return True
    kinds = (ARMY, NAVY, AIR_FORCE) if s.rules.has_air_forces else (ARMY, NAVY)
    for piece in kinds:
        if s.reserve(country, piece) > 0:
            return False
    return True


def take_piece_off(s: State, country: int, space: int, is_air: bool) -> None:
    """A country takes an own piece off between two decisions; then the decision at hand is
    put anew, for its choices may have changed."""
    s.lifting = country
    if is_air:
        remove_air(s, country, space)
    else:
        take_off(s, country, space)
    advance(s)


def next_chance(chance: i64) -> i64:
    """The next number of a generator for choices at random; its upper bits are the better ones."""
    return chance * 1103515245 + 12345 & CHANCE_MASK


def play_unseen(s: State, choosers: list[Callable[[int], int]]) -> list[tuple[int, int]]:
    """Play on to the end by players who ask only how many options there are: each country's
    chooser is given that number, and gives the place of one. What was chosen, by whom: a country
    and a code for each decision.

    >>> from quartermaster import Game
    >>> state = Game.new(seed=7).state.copy()
    >>> chosen = play_unseen(state, [lambda count: count - 1] * 6)
    >>> state.winner in (0, 1), chosen[0][0]
    (True, 0)
    """
    chosen: list[tuple[int, int]] = []
    asked: list[Any] = choosers  # which may give other whole numbers than Python's
    while s.winner < 0:
        country = decider(s)
        options = s.options
        place = whole_number("chooser", asked[country](len(options)))
        if place < 0 or place >= len(options):
            raise IllegalAction(
                f"expected the place of an action, 0 to {len(options) - 1}, got {place}"
            )
        code = options[place]
        apply(s, code)
        chosen.append((country, code))
    return chosen


def play_by_dice(s: State, dice: list[Dice]) -> int:
    """Play on to the end by dice, one for each country; the number of decisions. Nothing is kept of
    what was chosen, which makes it quicker than `play_unseen`."""
    decisions = 0
    while s.winner < 0:
        options = s.options
        apply(s, options[dice[decider(s)].below(len(options))])
        decisions += 1
    return decisions


def first_chance(seed: SupportsIndex) -> i64:
    """Where that generator begins; of the seed the lowest 30 bits count."""
    few: i64 = whole_seed(seed) & CHANCE_MASK
    return few * 2 + 1 & CHANCE_MASK


def playout(s: State, seed: SupportsIndex) -> int:
    """Play on at random to the end, each action as likely as the others; the number of
    decisions. Its chance is its own: the state's generator is left to the game. Of the seed the
    lowest 30 bits count.

    >>> from quartermaster import Game
    >>> state = Game.new(seed=7).state.copy()
    >>> playout(state, 1) > 100, state.winner in (0, 1)
    (True, True)
    """
    chance = first_chance(seed)
    decisions = 0
    while s.winner < 0:
        chance = next_chance(chance)
        options = s.options
        apply(s, options[(chance >> 12) % len(options)])
        decisions += 1
    return decisions

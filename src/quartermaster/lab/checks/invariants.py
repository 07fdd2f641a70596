"""What must hold of a game at every decision, whatever was played.

`check_invariants` looks at one state and says in words what is wrong with it; a `Ledger`
holds the state against what the log says has happened.
"""

from collections import Counter
from collections.abc import Sequence

from quartermaster.game import Game
from quartermaster.lab.checks.slow_supply import AXIS_NAMES, LANDS, SlowBoard, names_of
from quartermaster.rules.board import N_SPACES
from quartermaster.rules.engine import current_op, decider
from quartermaster.rules.names import (
    BOLSTER,
    BY_OWNER,
    COUNTRIES,
    FACE_DOWN,
    HAND,
    PIECES,
    RESPONSE,
    RULE,
    SET,
    STATUS,
    STEPS,
    TABLE,
    ZONES,
)
from quartermaster.rules.state import State
from quartermaster.rules.supply import supplied_mask
from quartermaster.rules.victory import LAST_ROUND
from quartermaster.sight.log import LogEntry

# Countries whose cards can put spaces in supply for the rest of a turn: Truk, Ju-52.
_SUSTAINERS = ("germany", "japan")


class InvariantError(AssertionError):
    """A state that no game may come to."""


def check_invariants(game: Game) -> list[str]:
    """What is wrong with a game's state, a sentence each; nothing, if all is well.

    >>> check_invariants(Game.new(seed=1))
    []
    """
    s = game.state
    problems = _check_pieces(s)
    problems += _check_air_forces(s)
    problems += _check_cards(s)
    problems += _check_armed(s)
    problems += _check_supply(s)
    problems += _check_turn(s)
    problems += _check_decision(game)
    return problems


def assert_invariants(game: Game) -> None:
    """Raise `InvariantError` with all that is wrong, and the way there."""
    problems = check_invariants(game)
    if problems:
        raise InvariantError(
            f"{game!r} options {game.options}, after {len(game.history)} actions"
            f" {[f'{a.country}: {a}' for a in game.history[-6:]]}: " + "; ".join(problems)
        )


class Ledger:
    """Pieces and points as the log tells of them, from the moment the ledger was opened.

    Piece limits alone do not show a piece that came from nowhere or left untold.

    >>> game = Game.new(seed=1)
    >>> ledger = Ledger(game)
    >>> game.apply(game.legal_actions()[0])
    >>> ledger.check(game)
    []
    """

    def __init__(self, game: Game) -> None:
        s = game.state
        self._read = len(game.raw_log)
        self._pieces = {name: names_of(s.pieces[i]) for i, name in enumerate(COUNTRIES)}
        self._air = {name: names_of(s.air[i]) for i, name in enumerate(COUNTRIES)}
        self._score = dict(game.score)

    def check(self, game: Game) -> list[str]:
        """Enter what has happened since the last check; what does not add up."""
        problems: list[str] = []
        for entry in game.log(start=self._read):
            self._enter(entry, problems)
        self._read = len(game.raw_log)
        for country, name in enumerate(COUNTRIES):
            if self._pieces[name] != names_of(game.state.pieces[country]):
                problems.append(
                    f"{name} should stand in {sorted(self._pieces[name])} by the log, stands in"
                    f" {sorted(names_of(game.state.pieces[country]))}"
                )
            if self._air[name] != names_of(game.state.air[country]):
                problems.append(
                    f"{name} should fly in {sorted(self._air[name])} by the log, flies in"
                    f" {sorted(names_of(game.state.air[country]))}"
                )
        if self._score != game.score:
            problems.append(f"the score should be {self._score} by the log, is {game.score}")
        return problems

    def _enter(self, entry: LogEntry, problems: list[str]) -> None:
        country, space = entry.country or "", entry.space or ""
        if entry.what == "score":
            self._score["axis" if country in AXIS_NAMES else "allies"] += entry.n
        elif entry.what in ("build", "recruit"):
            _put(self._pieces[country], space, str(entry), problems)
        elif entry.what == "remove":
            _lift(self._pieces[country], space, str(entry), problems)
        elif entry.what == "deploy":
            _put(self._air[country], space, str(entry), problems)
        elif entry.what == "remove-air":
            _lift(self._air[country], space, str(entry), problems)
        elif entry.what in ("marshal", "reposition"):
            _lift(self._air[country], entry.source or "", str(entry), problems)
            _put(self._air[country], space, str(entry), problems)


def _put(spaces: set[str], space: str, text: str, problems: list[str]) -> None:
    if space in spaces:
        problems.append(f"where one stood already: {text}")
    spaces.add(space)


def _lift(spaces: set[str], space: str, text: str, problems: list[str]) -> None:
    if space not in spaces:
        problems.append(f"where none stood: {text}")
    spaces.discard(space)


def _check_pieces(s: State) -> list[str]:
    problems: list[str] = []
    for country, name in enumerate(COUNTRIES):
        spaces = names_of_checked(s.pieces[country], f"{name}'s pieces", problems)
        standing = [
            len(spaces & LANDS),
            len(spaces - LANDS),
            len(names_of_checked(s.air[country], f"{name}'s air forces", problems)),
        ]
        for piece, count in enumerate(standing):
            limit = s.rules.piece_limits[piece][country]
            if count > limit:
                problems.append(f"{name} has {count} of {limit} {PIECES[piece]} pieces on board")
            if s.reserve(country, piece) != limit - count:
                problems.append(f"{name}'s reserve of {PIECES[piece]} pieces is miscounted")
        lost = names_of(s.protected[country]) - spaces
        if lost:
            problems.append(f"{name} has protected pieces that are not there: {sorted(lost)}")
    for axis in (0, 2, 4):
        for ally in (1, 3, 5):
            for space in names_of(s.pieces[axis]) & names_of(s.pieces[ally]):
                problems.append(f"{COUNTRIES[axis]} and {COUNTRIES[ally]} share {space}")
    return problems


def names_of_checked(mask: int, what: str, problems: list[str]) -> set[str]:
    """The names of a mask's spaces; a bit that is no space is added to the problems."""
    if mask < 0 or mask >> N_SPACES:
        problems.append(f"{what} stand off the board: {mask:#x}")
        return set()
    return names_of(mask)


def _check_air_forces(s: State) -> list[str]:
    """Air forces ride with an own army or navy, but for the one that is being moved."""
    if s.winner >= 0:
        return []  # a sudden victory may come in the midst of anything
    problems = []
    moving = _repositioning(s)
    for country, name in enumerate(COUNTRIES):
        homeless = names_of(s.air[country]) - names_of(s.pieces[country])
        if homeless and country not in moving:
            problems.append(f"{name} has air forces without a piece: {sorted(homeless)}")
    return problems


def _repositioning(s: State) -> set[int]:
    """The countries asked where an air force goes: now, or once the reactions to a piece
    that someone took off meanwhile are over."""
    countries = set()
    for depth, frame in enumerate(s.stack):
        ops = s.rules.programs[frame.program].ops
        if frame.pc < len(ops) and ops[frame.pc].kind == "reposition":
            above = s.stack[depth + 1].because if depth + 1 < len(s.stack) else None
            if frame is s.stack[-1] or (above is not None and above.cause == BY_OWNER):
                countries.add(ops[frame.pc].decider(s, frame))
    return countries


def _check_cards(s: State) -> list[str]:
    """Every card is somewhere, once, and where such a card may be."""
    problems = []
    for country, name in enumerate(COUNTRIES):
        declared = Counter(
            {c.index: c.copies for c in s.rules.cards if c.country == country and c.type != RULE}
        )
        found: Counter[int] = Counter()
        for place in range(len(ZONES)):
            found.update(s.zones[6 * place + country])
        for card in sorted(set(declared) | set(found)):
            if declared[card] != found[card]:
                card_id = s.rules.cards[card].id
                problems.append(
                    f"{name} has {found[card]} {card_id} cards instead of {declared[card]}"
                )
        for zone in (HAND, FACE_DOWN, TABLE, SET):
            if list(s.zones[zone + country]) != sorted(s.zones[zone + country]):
                problems.append(f"{name}'s {ZONES[zone // 6]} is not sorted")
        for zone, types in ((TABLE, (STATUS,)), (SET, (RESPONSE, BOLSTER))):
            for card in s.zones[zone + country]:
                if s.rules.types[card] not in types:
                    problems.append(f"{s.rules.cards[card].id} lies in {name}'s {ZONES[zone // 6]}")
    if len(s.zones) != 6 * len(ZONES):
        problems.append(f"there are {len(s.zones)} zones")
    return problems


def _check_armed(s: State) -> list[str]:
    """The cards that may react or hold are those that lie where they can."""
    in_play: set[int] = set()
    for country in range(6):
        in_play.update(s.zones[TABLE + country])
        in_play.update(s.zones[SET + country])
        in_play.update(c for c in s.zones[HAND + country] if s.rules.types[c] == BOLSTER)
    in_play.update(c.index for c in s.rules.cards if c.type == RULE)
    problems = []
    stopped = set(s.stopped)
    if not stopped <= in_play:
        problems.append(f"stopped, but not in play: {_ids(s, stopped - in_play)}")
    expected = in_play - stopped
    if s.rules.is_status_delayed:
        expected -= set(s.fresh)
    armed = set(s.armed_cards())
    if armed - expected:
        problems.append(f"armed, but out of play: {_ids(s, armed - expected)}")
    if expected - armed:
        problems.append(f"in play, but not armed: {_ids(s, expected - armed)}")
    on_table = {card for country in range(6) for card in s.zones[TABLE + country]}
    if not set(s.fresh) <= on_table:
        problems.append(f"fresh, but not on the table: {_ids(s, set(s.fresh) - on_table)}")
    if len(set(s.used)) != len(s.used):
        problems.append(f"used twice in a turn: {_ids(s, s.used)}")
    return problems


def _ids(s: State, cards: Sequence[int] | set[int]) -> list[str]:
    return sorted(s.rules.cards[card].id for card in cards)


def _check_supply(s: State) -> list[str]:
    problems = []
    board = SlowBoard(s)
    for country, name in enumerate(COUNTRIES):
        slow = board.supplied(name)
        fast = names_of(supplied_mask(s, country))
        if slow - fast:
            problems.append(f"{name} is in supply by the book, not so: {sorted(slow - fast)}")
        if fast - slow:
            problems.append(f"{name} is out of supply by the book, not so: {sorted(fast - slow)}")
        if s.sustained[country] and name not in _SUSTAINERS:
            problems.append(f"{name} has no card that sustains, yet is sustained")
    return problems


def _check_turn(s: State) -> list[str]:
    problems = []
    if not 1 <= s.round <= LAST_ROUND:
        problems.append(f"round {s.round}")
    if not 0 <= s.country < len(COUNTRIES):
        problems.append(f"country {s.country} on turn")
    if not 0 <= s.step < len(STEPS):
        problems.append(f"step {s.step}")
    if not s.rules.has_air_forces and (any(s.air) or s.step == STEPS.index("air")):
        problems.append("air forces without the expansion")
    if s.winner not in (-1, 0, 1):
        problems.append(f"winner {s.winner}")
    return problems


def _check_decision(game: Game) -> list[str]:
    s = game.state
    if game.is_over:
        return ["the game is over, yet there are options"] if s.options else []
    problems = []
    country = decider(s)
    if not 0 <= country < len(COUNTRIES):
        return [f"the decision is of nobody: {country}"]
    if game.decision.kind == "":
        problems.append("the decision has no kind")
    texts = [action.text for action in game.legal_actions()]
    is_asked = current_op(s).is_asked(s, s.stack[-1]) and not s.rules.is_version_1
    if len(texts) < (1 if is_asked else 2):
        problems.append(f"a decision with the choices {texts}")
    if len(set(s.options)) != len(s.options):
        problems.append(f"the same option twice: {_doubles(texts)}")
    elif len(set(texts)) != len(texts):
        problems.append(f"two options read alike: {_doubles(texts)}")
    return problems


def _doubles(texts: Sequence[str]) -> list[str]:
    return sorted(text for text, count in Counter(texts).items() if count > 1)

"""Scenarios: a position, a script of actions, and what is expected on the way.

    name: Stalingrad saves the army in Ukraine
    turn: germany
    pieces:
      germany: [germany, eastern-europe]
      soviet-union: [moscow, ukraine]
    hand: {germany: [land-battle]}
    set: {soviet-union: [stalingrad]}
    script:
      - germany: play land-battle
      - germany: battle ukraine
      - soviet-union: use stalingrad
      - expect: {pieces: {soviet-union: [moscow, ukraine]}}

A file holds one or more of these as YAML documents, parted by lines of `---`. The whole
form is told in docs/notation.md.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from quartermaster.errors import BrokenFile, QuartermasterError, UnknownName
from quartermaster.game import Game
from quartermaster.notation import card_index, country_index, space_index, team_index
from quartermaster.position import KEYS as POSITION_KEYS
from quartermaster.position import ZONE_KEYS
from quartermaster.rules.board import SPACES, spaces_in
from quartermaster.rules.names import (
    COUNTRIES,
    DECK,
    FACE_DOWN,
    FACE_UP,
    STEPS,
    TEAMS,
)
from quartermaster.rules.supply import supplied_mask

_OWN_KEYS = {"name", "rules", "options", "seats", "script"}


@dataclass(frozen=True)
class Failure:
    """Something that was not as expected."""

    line: int
    expected: str
    found: str

    def __str__(self) -> str:
        return f"line {self.line}: expected {self.expected}; found {self.found}"


@dataclass
class Result:
    """How a scenario went. `game` is where it ended."""

    name: str
    source: str
    line: int
    failures: list[Failure] = field(default_factory=list)
    game: Game | None = None

    @property
    def is_passed(self) -> bool:
        return not self.failures


@dataclass(frozen=True)
class Scenario:
    """A scenario, read but not yet run."""

    source: str
    line: int
    name: str
    rules: str
    options: dict[str, bool]
    seats: Any
    position: dict[str, Any]
    script: list[tuple[int, str, Any]]  # line, country or "expect", what

    def begin(self) -> Game:
        """The game at the scenario's position."""
        try:
            return Game.from_position(
                self.position, rules=self.rules, seats=self.seats, options=self.options
            )
        except QuartermasterError as error:
            raise BrokenFile(self.source, self.line, str(error)) from None

    def run(self) -> Result:
        """Play the script. It stops at the first action that is refused."""
        game = self.begin()
        result = Result(self.name, self.source, self.line, game=game)
        for line, who, what in self.script:
            try:
                if who == "expect":
                    for expected, found in check(game, what):
                        result.failures.append(Failure(line, expected, found))
                else:
                    game.apply(what, country=who)
            except UnknownName as error:
                raise BrokenFile(self.source, line, str(error)) from None
            except QuartermasterError as error:
                result.failures.append(Failure(line, f"{who}: {what}", str(error)))
                break
        return result


# -- reading -------------------------------------------------------------------------------


def load_scenarios(path: str | Path) -> list[Scenario]:
    """The scenarios of a file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenFile(str(path), None, f"cannot be read: {error}") from None
    return parse_scenarios(text, str(path))


def parse_scenarios(text: str, source: str = "<scenario>") -> list[Scenario]:
    try:
        nodes = [node for node in yaml.compose_all(text, yaml.SafeLoader) if node is not None]
        scenarios = [_scenario(node, source) for node in nodes]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        reason = getattr(error, "problem", None) or str(error)
        raise BrokenFile(source, line, f"no YAML: {reason}") from None
    if not scenarios:
        raise BrokenFile(source, None, "no scenario in it")
    return scenarios


def _value(node: yaml.Node) -> Any:
    loader = yaml.SafeLoader("")
    return loader.construct_object(node, deep=True)


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _scenario(node: yaml.Node, source: str) -> Scenario:
    if not isinstance(node, yaml.MappingNode):
        raise BrokenFile(source, _line(node), "a scenario is a mapping: name, position, script")
    values: dict[str, Any] = {}
    script: list[tuple[int, str, Any]] = []
    for key_node, value_node in node.value:
        key = str(_value(key_node))
        if key not in _OWN_KEYS and key not in POSITION_KEYS:
            error = UnknownName("key", key, _OWN_KEYS | POSITION_KEYS)
            raise BrokenFile(source, _line(key_node), str(error))
        if key in values or (key == "script" and script):
            raise BrokenFile(source, _line(key_node), f"{key!r} stands twice")
        if key == "script":
            script = list(_steps(value_node, source))
        else:
            values[key] = _value(value_node)
    position = {key: value for key, value in values.items() if key in POSITION_KEYS}
    return Scenario(
        source=source,
        line=_line(node),
        name=str(values.get("name", "unnamed")),
        rules=str(values.get("rules", "second")),
        options=values.get("options") or {},
        seats=values.get("seats", 6),
        position=position,
        script=script,
    )


def _steps(node: yaml.Node, source: str) -> Iterator[tuple[int, str, Any]]:
    if not isinstance(node, yaml.SequenceNode):
        raise BrokenFile(source, _line(node), "script: expected a list")
    for item in node.value:
        line = _line(item)
        step = _value(item)
        if not isinstance(step, dict) or len(step) != 1:
            raise BrokenFile(
                source, line, f"expected 'country: action' or 'expect: ...', got {step!r}"
            )
        [(who, what)] = step.items()
        if who == "expect":
            if not isinstance(what, dict):
                raise BrokenFile(source, line, "expect: expected a mapping")
            for key in what:
                if key not in CHECKS:
                    raise BrokenFile(source, line, str(UnknownName("expectation", key, CHECKS)))
        elif who not in COUNTRIES:
            raise BrokenFile(source, line, str(UnknownName("country", who, COUNTRIES)))
        elif not isinstance(what, str):
            raise BrokenFile(source, line, f"expected an action, got {what!r}")
        yield line, who, what


# -- expectations --------------------------------------------------------------------------

Finding = tuple[str, str]  # expected, found


def check(game: Game, expected: dict[str, Any]) -> Iterator[Finding]:
    """Compare a game with what is expected of it; what differs is yielded."""
    for key, value in expected.items():
        yield from CHECKS[key](game, key, value)


def _simple(found: Callable[[Game], Any]) -> Callable[[Game, str, Any], Iterator[Finding]]:
    def compare(game: Game, key: str, value: Any) -> Iterator[Finding]:
        if found(game) != value:
            yield f"{key} {value!r}", repr(found(game))

    return compare


def _decision(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """`germany`, or with the kind: `germany play`."""
    country, _, kind = str(value).partition(" ")
    country_index(country)
    if game.is_over:
        yield f"a decision of {value}", "the game is over"
        return
    decision = game.decision
    if decision.country != country or (kind and decision.kind != kind):
        yield f"a decision of {value}", f"{decision} ({decision.prompt})"


def _is_legal(game: Game, text: str) -> bool:
    legal = [action.text for action in game.legal_actions()]
    return any(action == text or action.startswith(f"{text} ") for action in legal)


def _as_list(value: Any) -> list[str]:
    return [str(item) for item in value] if isinstance(value, list) else [str(value)]


def _legal(game: Game, key: str, value: Any) -> Iterator[Finding]:
    for text in _as_list(value):
        if not _is_legal(game, text):
            yield f"{text!r} to be legal", _now(game)


def _illegal(game: Game, key: str, value: Any) -> Iterator[Finding]:
    for text in _as_list(value):
        if _is_legal(game, text):
            yield f"{text!r} not to be legal", _now(game)


def _now(game: Game) -> str:
    if game.is_over:
        return "the game is over"
    legal = ", ".join(action.text for action in game.legal_actions())
    return f"{game.decision} with: {legal}"


def _spaces(mask: int) -> list[str]:
    return [SPACES[space][0] for space in spaces_in(mask)]


def _placed(
    mask_of: Callable[[Game, int], int],
) -> Callable[[Game, str, Any], Iterator[Finding]]:
    def compare(game: Game, key: str, value: Any) -> Iterator[Finding]:
        for name, spaces in value.items():
            country = country_index(name)
            wanted = 0
            for space in spaces or []:
                wanted |= 1 << space_index(space)
            found = mask_of(game, country)
            if found != wanted:
                yield f"{key} of {name} in {_spaces(wanted)}", str(_spaces(found))

    return compare


def _empty(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """Spaces without any army or navy."""
    for name in _as_list(value):
        space = space_index(name)
        held = [COUNTRIES[c] for c in range(6) if game.state.pieces[c] >> space & 1]
        if held:
            yield f"{name} to be empty", f"pieces of {', '.join(held)}"


def _supplied(wanted: bool) -> Callable[[Game, str, Any], Iterator[Finding]]:
    def compare(game: Game, key: str, value: Any) -> Iterator[Finding]:
        for name, spaces in value.items():
            country = country_index(name)
            for space in _as_list(spaces):
                at = space_index(space)
                if not game.state.pieces[country] >> at & 1:
                    yield f"{name} {key} in {space}", "no piece there"
                elif bool(supplied_mask(game.state, country) >> at & 1) != wanted:
                    yield f"{name} {key} in {space}", str(game.supply(name, space)[space])

    return compare


def _zone(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """A number of cards, or which: a deck's top cards in order, of other zones all."""
    s = game.state
    for name, wanted in value.items():
        country = country_index(name)
        zone = ZONE_KEYS.get(key, FACE_UP)
        cards = list(s.zones[zone + country])
        if key == "pile":
            cards += s.zones[FACE_DOWN + country]
        if isinstance(wanted, int):
            if len(cards) != wanted:
                yield f"{wanted} cards in {key} of {name}", str(len(cards))
            continue
        for card in wanted:
            card_index(s.rules, country, card)
        found = [s.rules.cards[card].id for card in cards]
        if zone == DECK:
            found = found[::-1][: len(wanted)]
            is_same = found == list(wanted)
        else:
            is_same = sorted(found) == sorted(wanted)
        if not is_same:
            yield f"{key} of {name}: {', '.join(wanted) or 'nothing'}", ", ".join(found)


def _has(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """Cards that are somewhere in the discard pile."""
    s = game.state
    for name, wanted in value.items():
        country = country_index(name)
        cards = s.zones[FACE_UP + country] + s.zones[FACE_DOWN + country]
        found = [s.rules.cards[card].id for card in cards]
        for card in _as_list(wanted):
            card_index(s.rules, country, card)
            if card not in found:
                yield f"{card} in the discard pile of {name}", ", ".join(found)


def _score(game: Game, key: str, value: Any) -> Iterator[Finding]:
    if isinstance(value, list):
        value = dict(zip(TEAMS, value, strict=False))
    for team, points in value.items():
        team_index(team)
        if game.score[team] != points:
            yield f"{points} VP for the {team}", str(game.score[team])


CHECKS: dict[str, Callable[[Game, str, Any], Iterator[Finding]]] = {
    "decision": _decision,
    "legal": _legal,
    "illegal": _illegal,
    "pieces": _placed(lambda game, country: game.state.pieces[country]),
    "air": _placed(lambda game, country: game.state.air[country]),
    "empty": _empty,
    "supplied": _supplied(True),
    "unsupplied": _supplied(False),
    "hand": _zone,
    "deck": _zone,
    "discard": _zone,  # face up
    "discarded": _zone,  # face down
    "pile": _zone,  # both
    "table": _zone,
    "set": _zone,
    "in-pile": _has,
    "score": _score,
    "winner": _simple(lambda game: game.winner or "nobody"),
    "round": _simple(lambda game: game.state.round),
    "turn": _simple(lambda game: COUNTRIES[game.state.country]),
    "step": _simple(lambda game: STEPS[game.state.step]),
}

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

from quartermaster.cards.card_sets import own_sets
from quartermaster.errors import (
    BrokenFile,
    IllegalAction,
    QuartermasterError,
    UnknownName,
    show,
    why_unreadable,
)
from quartermaster.forms.notation import (
    card_index,
    check_action,
    country_index,
    space_index,
    team_index,
)
from quartermaster.forms.position import KEYS as POSITION_KEYS
from quartermaster.forms.position import ZONE_KEYS
from quartermaster.forms.yaml_text import compose, line_of, lines_in, value_of
from quartermaster.game import Game
from quartermaster.rules.board import SPACES, spaces_in
from quartermaster.rules.names import (
    COUNTRIES,
    DECK,
    FACE_DOWN,
    FACE_UP,
    PIECES,
    TEAMS,
)
from quartermaster.rules.supply import supplied_mask

_OWN_KEYS = {"name", "rules", "options", "sets", "seats", "script"}


class BadExpectation(QuartermasterError):
    """An expectation whose value has not the form it needs."""


@dataclass(frozen=True)
class Failure:
    """Something that was not as expected."""

    line: int
    expected: str
    found: str
    since: tuple[str, ...] = ()  # what happened from the last scripted action on

    def __str__(self) -> str:
        since = "".join(f"\n    {entry}" for entry in self.since)
        return f"line {self.line}: expected {self.expected}; found {self.found}{since}"


@dataclass
class Result:
    """How a scenario went. `game` is where it ended."""

    name: str
    source: str
    line: int
    failures: list[Failure] = field(default_factory=list)
    game: Game | None = None
    broken: str | None = None  # why it could not be run at all

    @property
    def is_passed(self) -> bool:
        return not self.failures and self.broken is None


@dataclass(frozen=True)
class Scenario:
    """A scenario, read but not yet run."""

    source: str
    line: int
    name: str
    rules: str
    options: dict[str, bool]
    sets: list[str]  # names of card sets, which must be there already
    seats: Any
    position: dict[str, Any]
    script: list[tuple[int, str, Any]]  # line, country or "expect", what
    lines: dict[str, int]  # of every word of the position

    def begin(self) -> Game:
        """The game at the scenario's position. What has only one choice happens by itself, for
        a script says what matters and nobody is there to hide cards from."""
        try:
            own_sets(self.sets)
            game = Game.from_position(
                self.position, rules=self.rules, seats=self.seats, options=self.options,
                sets=self.sets,
            )  # fmt: skip
            game.settle()
            return game
        except QuartermasterError as error:
            raise BrokenFile(self.source, self._line_of(error), str(error)) from None

    def _line_of(self, error: QuartermasterError) -> int:
        """The line of the word an error is about, as well as it can be told."""
        if isinstance(error, UnknownName) and str(error.name) in self.lines:
            return self.lines[str(error.name)]
        return self.lines.get(str(error).partition(":")[0], self.line)

    def run(self) -> Result:
        """Play the script. It stops at the first action that is refused, or was to be and is
        not."""
        game = self.begin()
        result = Result(self.name, self.source, self.line, game=game)
        start = 0  # of the log: where the last scripted action begins
        for line, who, what in self.script:
            found: list[Finding] = []
            is_over = False
            try:
                if who == "expect":
                    found += check(game, what, start)
                elif who == "refused":
                    found += _refusal(game, what)
                    is_over = bool(found)
                else:
                    start = len(game.raw_log)
                    game.apply(what, country=who)
                    game.settle()
            except (UnknownName, BadExpectation) as error:
                broken = BrokenFile(self.source, line, str(error))
                if not result.failures:
                    raise broken from None
                result.broken = str(broken)
                break
            except QuartermasterError as error:
                found.append((f"{who}: {what}", str(error)))
                is_over = True
            since = tuple(str(entry) for entry in game.log_of(None, start)) if found else ()
            for expected, came in found:
                result.failures.append(Failure(line, expected, came, since))
            if is_over:
                break
        return result


def _refusal(game: Game, what: dict[str, str]) -> Iterator["Finding"]:
    """An action that is to be refused, and what the refusal is to say."""
    [(country, text)] = [item for item in what.items() if item[0] != "says"]
    check_action(game.state.rules, country_index(country), text)
    try:
        game.apply(text, country=country)
    except IllegalAction as error:
        if what.get("says", "") not in str(error):
            yield f"{country}: {text!r} to be refused with {what['says']!r}", str(error)
    else:
        yield f"{country}: {text!r} to be refused", "it was carried out"


# -- reading -------------------------------------------------------------------------------


def load_scenarios(path: str | Path) -> list[Scenario]:
    """The scenarios of a file."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BrokenFile(str(path), None, why_unreadable(error)) from None
    return parse_scenarios(text, str(path))


def parse_scenarios(text: str, source: str = "<scenario>") -> list[Scenario]:
    if not isinstance(text, str):
        raise QuartermasterError(f"scenarios are text, got {show(text)}")
    scenarios = [_scenario(node, source) for node in compose(text, source)]
    if not scenarios:
        raise BrokenFile(source, None, "no scenario in it")
    return scenarios


def _scenario(node: yaml.Node, source: str) -> Scenario:
    if not isinstance(node, yaml.MappingNode):
        raise BrokenFile(source, line_of(node), "a scenario is a mapping: name, position, script")
    values: dict[str, Any] = {}
    script: list[tuple[int, str, Any]] = []
    for key_node, value_node in node.value:
        key = str(value_of(key_node))
        if key not in _OWN_KEYS and key not in POSITION_KEYS:
            error = UnknownName("key", key, _OWN_KEYS | POSITION_KEYS)
            raise BrokenFile(source, line_of(key_node), str(error))
        if key == "script":
            script = list(_steps(value_node, source))
        else:
            values[key] = value_of(value_node)
    if not any(who in ("expect", "refused") for _, who, _ in script):
        raise BrokenFile(source, line_of(node), "a scenario that expects nothing: script, expect")
    position = {key: value for key, value in values.items() if key in POSITION_KEYS}
    return Scenario(
        source=source,
        line=line_of(node),
        name=str(values.get("name", "unnamed")),
        rules=str(values.get("rules", "second")),
        options=values.get("options") or {},
        sets=[str(name) for name in values.get("sets") or []],
        seats=values.get("seats", 6),
        position=position,
        script=script,
        lines=lines_in(node),
    )


def _steps(node: yaml.Node, source: str) -> Iterator[tuple[int, str, Any]]:
    if not isinstance(node, yaml.SequenceNode):
        raise BrokenFile(source, line_of(node), "script: expected a list")
    for item in node.value:
        line = line_of(item)
        step = value_of(item)
        if not isinstance(step, dict) or len(step) != 1:
            raise BrokenFile(
                source,
                line,
                f"expected 'country: action', 'expect: ...' or 'refused: ...', got {show(step)}",
            )
        [(who, what)] = step.items()
        if who == "expect":
            if not isinstance(what, dict):
                raise BrokenFile(source, line, "expect: expected a mapping")
            for key in what:
                if key not in CHECKS:
                    raise BrokenFile(source, line, str(UnknownName("expectation", key, CHECKS)))
        elif who == "refused":
            _check_refused(what, source, line)
        elif who not in COUNTRIES:
            raise BrokenFile(source, line, str(UnknownName("country", who, COUNTRIES)))
        elif not isinstance(what, str):
            raise BrokenFile(source, line, f"expected an action, got {what!r}")
        yield line, who, what


def _check_refused(what: Any, source: str, line: int) -> None:
    is_right = (
        isinstance(what, dict)
        and all(isinstance(text, str) for text in what.values())
        and len(what.keys() - {"says"}) == 1
    )
    if not is_right:
        raise BrokenFile(
            source, line, "refused: expected {country: action}, and says: words if they matter"
        )
    for country in what.keys() - {"says"}:
        if country not in COUNTRIES:
            raise BrokenFile(source, line, str(UnknownName("country", country, COUNTRIES)))


# -- expectations --------------------------------------------------------------------------

Finding = tuple[str, str]  # expected, found


def check(game: Game, expected: dict[str, Any], start: int = 0) -> Iterator[Finding]:
    """Compare a game with what is expected of it; what differs is yielded. The log is read
    from an entry on."""
    for key, value in expected.items():
        if key in _LOG_CHECKS:
            yield from _log(game, key, value, start)
        else:
            yield from CHECKS[key](game, key, value)


def _list(key: str, value: Any) -> list[Any]:
    """A list, or one thing as a list of one."""
    items = value if isinstance(value, list) else [value]
    if not items or not all(isinstance(item, str) for item in items):
        raise BadExpectation(f"{key}: expected one or more words, got {value!r}")
    return items


def _by_country(key: str, value: Any) -> Iterator[tuple[str, int, Any]]:
    """The countries of an expectation, by id and number, with what is expected of each."""
    if not isinstance(value, dict) or not value:
        raise BadExpectation(f"{key}: expected something for each country, got {value!r}")
    for name, wanted in value.items():
        yield name, country_index(name), wanted


def _mask(key: str, spaces: Any) -> int:
    if spaces is not None and not isinstance(spaces, list):
        raise BadExpectation(f"{key}: expected a list of spaces, got {spaces!r}")
    mask = 0
    for space in spaces or []:
        mask |= 1 << space_index(space)
    return mask


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


def _legality(wanted: bool) -> Callable[[Game, str, Any], Iterator[Finding]]:
    def compare(game: Game, key: str, value: Any) -> Iterator[Finding]:
        """Actions of the country that decides, or of each country named."""
        if isinstance(value, dict):
            named = [
                (country, texts, _actions_of(game, name))
                for name, country, texts in _by_country(key, value)
            ]
        elif game.is_over:
            raise BadExpectation(f"{key}: the game is over; say whose action is meant")
        else:
            legal = [action.text for action in game.legal_actions()]
            named = [(country_index(game.decision.country), value, legal)]
        for country, texts, legal in named:
            for text in _list(key, texts):
                check_action(game.state.rules, country, text)
                if any(f"{action} ".startswith(f"{text} ") for action in legal) != wanted:
                    whose = f"{COUNTRIES[country]}: " if isinstance(value, dict) else ""
                    yield f"{whose}{text!r} {'' if wanted else 'not '}to be legal", _now(game)

    return compare


def _actions_of(game: Game, country: str) -> list[str]:
    """What a country may do now: decide, if the decision is its, and take own pieces off."""
    texts = [action.text for action in game.removals(country)]
    if not game.is_over and game.decision.country == country:
        texts += [action.text for action in game.legal_actions()]
    return texts


def _options(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """Exactly what the country that decides may choose from."""
    wanted = _list(key, value)
    if not game.is_over:
        for text in wanted:
            check_action(game.state.rules, country_index(game.decision.country), text)
    if sorted(wanted) != sorted(action.text for action in game.legal_actions()):
        yield f"just the options {', '.join(wanted)}", _now(game)


def _view(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """What countries see, as far as it is said; the rest of a view may be as it likes."""
    for name, _, wanted in _by_country(key, value):
        if not isinstance(wanted, dict):
            raise BadExpectation(f"view: expected parts of a view, got {show(wanted)}")
        yield from _part(game.view(name).to_dict(), wanted, f"the view of {name}")


def _part(found: Any, wanted: Any, where: str) -> Iterator[Finding]:
    if isinstance(wanted, dict) and isinstance(found, dict):
        for key, part in wanted.items():
            if key not in found:
                raise UnknownName(f"part of {where}", key, map(str, found))
            yield from _part(found[key], part, f"{where}, {key}")
    elif (list(found) if isinstance(found, tuple) else found) != wanted:
        yield f"{where}: {show(wanted)}", show(found)


_LOG_CHECKS = ("log", "unlogged")


def _log(game: Game, key: str, value: Any, start: int = 0) -> Iterator[Finding]:
    """What countries read, or do not, of what has happened since the last scripted action."""
    for name, _, wanted in _by_country(key, value):
        told = [str(entry) for entry in game.log(name, start)]
        for text in _list(key, wanted):
            if (text in told) != (key == "log"):
                yield f"{name} {'' if key == 'log' else 'not '}to read {text!r}", show(told, 2000)


def _used(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """The cards for once a turn that each country has used in this one."""
    s = game.state
    for name, country, wanted in _by_country(key, value):
        known = [c.id for c in s.rules.cards if c.country == country and c.is_once]
        for card in wanted if isinstance(wanted, list) else _list(key, wanted):
            if card not in known:
                raise UnknownName(f"card of {name} for once a turn", card, known)
        found = [s.rules.cards[c].id for c in s.used if s.rules.cards[c].country == country]
        if sorted(found) != sorted(wanted if isinstance(wanted, list) else [wanted]):
            yield f"used by {name} this turn: {show(wanted)}", show(found)


def _reserve(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """How many pieces of a kind a country has left to place: `{italy: {army: 1}}`."""
    for name, country, wanted in _by_country(key, value):
        if not isinstance(wanted, dict) or not wanted:
            raise BadExpectation(f"reserve: expected {{army: 2}} or the like, got {show(wanted)}")
        for piece, number in wanted.items():
            if piece not in PIECES:
                raise UnknownName("kind of piece", piece, PIECES)
            found = game.state.reserve(country, PIECES.index(piece))
            if found != number:
                yield f"{show(number)} {piece} pieces of {name} in reserve", str(found)


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
        for name, country, spaces in _by_country(key, value):
            wanted = _mask(key, spaces)
            found = mask_of(game, country)
            if found != wanted:
                yield f"{key} of {name} in {_spaces(wanted)}", str(_spaces(found))

    return compare


def _empty(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """Spaces without any army or navy."""
    for name in _list(key, value):
        space = space_index(name)
        held = [COUNTRIES[c] for c in range(6) if game.state.pieces[c] >> space & 1]
        if held:
            yield f"{name} to be empty", f"pieces of {', '.join(held)}"


def _supplied(wanted: bool) -> Callable[[Game, str, Any], Iterator[Finding]]:
    def compare(game: Game, key: str, value: Any) -> Iterator[Finding]:
        for name, country, spaces in _by_country(key, value):
            for space in _list(key, spaces):
                at = space_index(space)
                if not game.state.pieces[country] >> at & 1:
                    yield f"{name} {key} in {space}", "no piece there"
                elif bool(supplied_mask(game.state, country) >> at & 1) != wanted:
                    yield f"{name} {key} in {space}", str(game.supply(name, space)[space])

    return compare


def _zone(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """A number of cards, or which: a deck's top cards in order, of other zones all."""
    s = game.state
    for name, country, wanted in _by_country(key, value):
        zone = ZONE_KEYS.get(key, FACE_UP)
        cards = list(s.zones[zone + country])
        if key == "pile":
            cards += s.zones[FACE_DOWN + country]
        if type(wanted) is int:
            if len(cards) != wanted:
                yield f"{wanted} cards in {key} of {name}", str(len(cards))
            continue
        if not isinstance(wanted, list):
            raise BadExpectation(f"{key}: expected a number or a list of cards, got {wanted!r}")
        for card in wanted:
            card_index(s.rules, country, card)
        found = [s.rules.cards[card].id for card in cards]
        if zone == DECK:
            found = found[::-1][: len(wanted)]
            is_same = found == wanted
        else:
            is_same = sorted(found) == sorted(wanted)
        if not is_same:
            yield f"{key} of {name}: {', '.join(wanted) or 'nothing'}", ", ".join(found)


def _has(game: Game, key: str, value: Any) -> Iterator[Finding]:
    """Cards that are somewhere in the discard pile."""
    s = game.state
    for name, country, wanted in _by_country(key, value):
        cards = s.zones[FACE_UP + country] + s.zones[FACE_DOWN + country]
        found = [s.rules.cards[card].id for card in cards]
        for card in _list(key, wanted):
            card_index(s.rules, country, card)
            if card not in found:
                yield f"{card} in the discard pile of {name}", ", ".join(found)


def _score(game: Game, key: str, value: Any) -> Iterator[Finding]:
    if isinstance(value, list) and len(value) == len(TEAMS):
        value = dict(zip(TEAMS, value, strict=True))
    if not isinstance(value, dict) or not all(type(points) is int for points in value.values()):
        raise BadExpectation(f"score: expected [axis, allies] or {{axis: 3}}, got {value!r}")
    for team, points in value.items():
        team_index(team)
        if game.score[team] != points:
            yield f"{points} VP for the {team}", str(game.score[team])


CHECKS: dict[str, Callable[[Game, str, Any], Iterator[Finding]]] = {
    "decision": _decision,
    "legal": _legality(True),
    "illegal": _legality(False),
    "options": _options,
    "view": _view,
    "log": _log,
    "unlogged": _log,
    "protected": _placed(lambda game, country: game.state.protected[country]),
    "used": _used,
    "reserve": _reserve,
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
    "round": _simple(lambda game: game.round),
    "turn": _simple(lambda game: game.turn),
    "step": _simple(lambda game: game.step),
}

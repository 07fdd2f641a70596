"""Positions: any moment of a game, set up from plain data with sensible defaults.

What is left out gets a default that fits most positions: a country has an army at home
and one Build Army card in hand (so that its play step is a decision); its other cards are
in its deck, in the order of the card list. A deck that is given is the whole deck, its
first card on top; what is then named nowhere lies face down in the discard pile.
"""

from collections.abc import Mapping
from typing import Any

from quartermaster.errors import QuartermasterError, UnknownName, show
from quartermaster.forms.deals import read_seed
from quartermaster.forms.notation import card_index, country_index, deck_of, space_index
from quartermaster.rules.board import HOMES
from quartermaster.rules.engine import advance, empty_state
from quartermaster.rules.flow import SETUP, TURN
from quartermaster.rules.names import (
    AIR_FORCE,
    ARMY,
    BOLSTER,
    COUNTRIES,
    DECK,
    FACE_DOWN,
    FACE_UP,
    HAND,
    NAVY,
    RESPONSE,
    SET,
    STATUS,
    STEPS,
    TABLE,
    other_team,
)
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State
from quartermaster.rules.turn import BeginStep
from quartermaster.rules.victory import LAST_ROUND

# Key in a position -> zone.
ZONE_KEYS = {
    "hand": HAND,
    "deck": DECK,
    "discard": FACE_UP,  # the last named on top
    "discarded": FACE_DOWN,
    "table": TABLE,
    "set": SET,
}
# What may lie on the table, face up and face down.
_LAID = {"table": (STATUS,), "set": (RESPONSE, BOLSTER)}
MOST_POINTS = 9999  # of a team, or below 0
KEYS = {
    "round", "turn", "step", "score", "pieces", "air", "seed", "start", "protected", "used",
    "played", *ZONE_KEYS,
}  # fmt: skip


def position_state(rules: Rules, position: Mapping[str, Any]) -> State:
    """The state of a position, at its first decision; what is `played` in it is left out."""
    if not isinstance(position, Mapping):
        raise QuartermasterError(f"a position is a mapping, got {show(position)}")
    for key in position:
        if key not in KEYS:
            raise UnknownName("key of a position", key, KEYS)
    s = empty_state(rules)
    s.sow(read_seed(position.get("seed", 0)))
    s.round = _int(position, "round", 1)
    if not 1 <= s.round <= LAST_ROUND:
        raise QuartermasterError(f"round: expected 1 to {LAST_ROUND}, got {show(s.round)}")
    s.country = country_index(position.get("turn", "germany"))
    score = position.get("score", [0, 0])
    if not (
        isinstance(score, list)
        and len(score) == 2
        and all(type(points) is int and abs(points) <= MOST_POINTS for points in score)
    ):
        raise QuartermasterError(
            f"score: expected [axis, allies], at most {MOST_POINTS} each, got {show(score)}"
        )
    s.axis_score, s.allies_score = score
    _place_pieces(s, position)
    _place_cards(s, position)
    _mark(s, position)
    step = position.get("step", "play")
    if step == "setup":
        s.push(SETUP, s.country)
        s.country = 0
        advance(s)
        return s
    if step not in STEPS:
        raise UnknownName("step", step, ("setup", *STEPS))
    if step == "air" and not rules.has_air_forces:
        raise QuartermasterError("step: the air-force step is only in games with Air Marshal")
    s.step = STEPS.index(step)
    frame = s.stack[0]
    frame.country = s.country
    for pc, op in enumerate(rules.programs[TURN].ops):
        if isinstance(op, BeginStep) and op.step == s.step:
            frame.pc = pc
            break
    advance(s)
    return s


def played_actions(position: Mapping[str, Any]) -> list[str]:
    """What has been done of the position already: actions, each with its country."""
    actions = position.get("played") or []
    if not isinstance(actions, list) or not all(
        isinstance(text, str) and ":" in text for text in actions
    ):
        raise QuartermasterError(
            f"played: expected a list of 'country: action', got {show(actions)}"
        )
    return actions


def _int(position: Mapping[str, Any], key: str, default: int) -> int:
    value = position.get(key, default)
    if type(value) is not int:
        raise QuartermasterError(f"{key}: expected a number, got {show(value)}")
    return value


def _by_country(position: Mapping[str, Any], key: str) -> dict[int, list[Any]]:
    """A part of a position that gives a list for some countries."""
    part = position.get(key) or {}
    if not isinstance(part, Mapping):
        raise QuartermasterError(f"{key}: expected a list for each country, got {show(part)}")
    lists = {}
    for name, items in part.items():
        if items is None:
            items = []
        if not isinstance(items, list):
            raise QuartermasterError(f"{key}, {name}: expected a list, got {show(items)}")
        lists[country_index(name)] = items
    return lists


def _place_pieces(s: State, position: Mapping[str, Any]) -> None:
    given = _by_country(position, "pieces")
    for country, spaces in given.items():
        for name in spaces:
            space = space_index(name)
            if s.team_mask(other_team(country)) >> space & 1:
                raise QuartermasterError(f"pieces: enemies share {name}")
            if s.pieces[country] >> space & 1:
                raise QuartermasterError(f"pieces: {COUNTRIES[country]} stands twice in {name}")
            s.place(country, space)
    for country in range(6):
        home = HOMES[country]
        if country not in given and not s.team_mask(other_team(country)) >> home & 1:
            s.place(country, home)
    in_air = _by_country(position, "air")
    if any(in_air.values()) and not s.rules.has_air_forces:
        raise QuartermasterError(
            "air: air forces are only in games with Air Marshal; options: {air-marshal: true}"
        )
    for country, spaces in in_air.items():
        mask = 0
        for name in spaces:
            bit = 1 << space_index(name)
            if mask & bit:
                raise QuartermasterError(
                    f"air: {COUNTRIES[country]} has two air forces in {name}; one can stand there"
                )
            mask |= bit
            if not s.pieces[country] & bit:
                raise QuartermasterError(
                    f"air: {COUNTRIES[country]} has no army or navy in {name} for its air force"
                )
        s.set_air(country, mask)
    for country in range(6):
        for piece, word in ((ARMY, "armies"), (NAVY, "navies"), (AIR_FORCE, "air forces")):
            if s.reserve(country, piece) < 0:
                limit = s.rules.piece_limits[piece][country]
                raise QuartermasterError(f"pieces: {COUNTRIES[country]} has only {limit} {word}")


def _mark(s: State, position: Mapping[str, Any]) -> None:
    """What this turn has left behind: pieces that are not removed, cards that were used, and
    where the pieces stood when it began."""
    for country, spaces in _by_country(position, "protected").items():
        mask = 0
        for name in spaces:
            mask |= 1 << space_index(name)
            if not s.pieces[country] & mask == mask:
                raise QuartermasterError(
                    f"protected: {COUNTRIES[country]} has no army or navy in {show(name)}"
                )
        s.set_protected(country, mask)
    for country, names in _by_country(position, "used").items():
        for name in names:
            found = [c for c in s.rules.cards if c.country == country and c.id == name]
            if not found or not found[0].is_once:
                known = [c.id for c in s.rules.cards if c.country == country and c.is_once]
                raise UnknownName(f"card of {COUNTRIES[country]} for once a turn", name, known)
            if found[0].index in s.used:
                raise QuartermasterError(f"used: {name!r} stands twice")
            s.used += (found[0].index,)
    start = list(s.pieces)
    for country, spaces in _by_country(position, "start").items():
        start[country] = 0
        for name in spaces:
            start[country] |= 1 << space_index(name)
    s.at_start = tuple(start)


def _place_cards(s: State, position: Mapping[str, Any]) -> None:
    rules = s.rules
    given = {key: _by_country(position, key) for key in ZONE_KEYS}
    for country in range(6):
        given["hand"].setdefault(country, ["build-army"])
        left = {card.index: card.copies for card in deck_of(rules, country).values()}
        for key, zone in ZONE_KEYS.items():
            for name in given[key].get(country, []):
                index = card_index(rules, country, name)
                if left[index] == 0:
                    raise QuartermasterError(
                        f"{key}: {COUNTRIES[country]} has no more cards {name!r}"
                    )
                left[index] -= 1
                if rules.types[index] not in _LAID.get(key, (rules.types[index],)):
                    raise QuartermasterError(
                        f"{key}: {name!r} cannot lie there; status cards go to 'table',"
                        " responses and bolsters to 'set'"
                    )
                if key == "hand":
                    s.add_to_hand(country, index)
                elif key == "table":
                    s.add_to(TABLE + country, index)
                    s.arm(index)
                elif key == "set":
                    s.set_on_table(country, index)
                elif key == "deck":
                    s.zones[zone + country] = (index, *s.zones[zone + country])
                elif key == "discard":
                    s.put_face_up(country, index)
                else:
                    s.add_to(zone + country, index)
        rest = [index for index, copies in left.items() for _ in range(copies)]
        if country in given["deck"]:
            for index in rest:
                s.add_to(FACE_DOWN + country, index)
        else:
            s.zones[DECK + country] = tuple(reversed(rest))

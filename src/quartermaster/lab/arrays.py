"""Games as arrays to learn from: what a country knew at each decision, what it might have done,
what it did, and how the game ended for it.

The numbers of an observation are named by `quartermaster.lab.env.observation_of`, those of actions
by `quartermaster.forms.notation.action_names`.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from quartermaster.errors import QuartermasterError
from quartermaster.game import Game
from quartermaster.lab.env.observation import OBSERVATION_VERSION, Observation, observation_of
from quartermaster.lab.games import Row
from quartermaster.rules.engine import decider
from quartermaster.rules.names import AXIS, team_of
from quartermaster.rules.rule_set import Rules

GAMES = 200  # in a file, where there are several


@dataclass
class _Decisions:
    """Decisions one after the other, as lists."""

    observation: list[NDArray[np.int16]] = field(default_factory=list)
    country: list[int] = field(default_factory=list)
    action: list[int] = field(default_factory=list)
    legal: list[int] = field(default_factory=list)
    legal_start: list[int] = field(default_factory=lambda: [0])
    game: list[int] = field(default_factory=list)
    round: list[int] = field(default_factory=list)
    reward: list[int] = field(default_factory=list)
    lead: list[int] = field(default_factory=list)


def arrays_of(rows: Iterable[Row]) -> dict[str, NDArray[Any]]:
    """Arrays of all decisions of some games of one rule set; those of N decisions are

    - `observation` (N, size), what the deciding country knew; `country` (N), which it was;
    - `action` (N), the number of what it did; `legal`, the numbers of all it might have done, one
      decision after the other: those of decision i are `legal[legal_start[i]:legal_start[i + 1]]`;
    - `game` and `round` (N); `reward` (N), 1 where its team won the game in the end and -1
      where not; `lead` (N), by how many points;
    - `about`, a text in JSON: rules, options, versions, names of the fields.

    >>> from quartermaster import play_match
    >>> from quartermaster.lab.games import row_of
    >>> match = play_match(["random"], seed=5)
    >>> arrays = arrays_of([row_of(match, 0, ["random"])])
    >>> len(arrays["action"]) == match.decisions == len(arrays["observation"])
    True
    """
    found = _Decisions()
    known: Observation | None = None
    for row in rows:
        game, record = Game.begin_record(row["record"], f"game {row['game']}")
        rules = game.state.rules
        if known is None:
            known = observation_of(rules)
        elif known.rules is not rules:
            raise QuartermasterError(
                f"game {row['game']} is of other rules than those before it:"
                " make arrays of each rule set by itself"
            )
        asked = [_Asked(game, known) for _ in game.follow(record, f"game {row['game']}")]
        lead = game.score["axis"] - game.score["allies"]
        for one, (country, code, is_free) in zip(asked, game.codes, strict=True):
            if is_free:
                continue  # a piece taken off between two decisions, which nobody was asked for
            is_axis = team_of(country) == AXIS
            found.observation.append(one.observation)
            found.country.append(country)
            found.round.append(one.round)
            found.legal += one.legal
            found.legal_start.append(len(found.legal))
            found.action.append(rules.numbering.number(code))
            found.game.append(row["game"])
            found.reward.append(1 if (game.winner == "axis") == is_axis else -1)
            found.lead.append(lead if is_axis else -lead)
    if known is None:
        raise QuartermasterError("there are no games to make arrays of")
    return {
        "observation": np.stack(found.observation),
        "country": np.array(found.country, np.uint8),
        "action": np.array(found.action, np.int32),
        "legal": np.array(found.legal, np.int32),
        "legal_start": np.array(found.legal_start, np.int64),
        "game": np.array(found.game, np.int64),
        "round": np.array(found.round, np.uint8),
        "reward": np.array(found.reward, np.int8),
        "lead": np.array(found.lead, np.int16),
        "about": np.array(json.dumps(_about(known))),
    }


class _Asked:
    """What there is to know of a game before an action."""

    def __init__(self, game: Game, known: Observation) -> None:
        s = game.state
        self.observation = known.write([s], bytes([1 << decider(s)]))[0]
        self.round = s.round
        self.legal = [s.rules.numbering.number(code) for code in s.options]


def _about(known: Observation) -> dict[str, Any]:
    rules: Rules = known.rules
    return {
        "rules": rules.name,
        "options": dict(rules.options),
        "sets": list(rules.sets),
        "observation_version": OBSERVATION_VERSION,
        "actions": rules.numbering.size,
        "fields": {
            name: {"start": part.start, "shape": list(part.shape)}
            for name, part in known.fields.items()
        },
    }


def write_arrays(out: Path, rows: Iterable[Row], games: int = GAMES) -> Iterator[tuple[Path, int]]:
    """Write arrays to a file `.npz`, or to a folder with so many games in each of its files; each
    file with its number of decisions, when it is there whole."""
    rows = iter(rows)
    if out.suffix == ".npz":
        yield out, _save(out, arrays_of(rows))
        return
    out.mkdir(parents=True, exist_ok=True)
    number = 0
    while some := list(islice(rows, games)):
        path = out / f"{number:05d}.npz"
        yield path, _save(path, arrays_of(some))
        number += 1
    if not number:
        raise QuartermasterError("there are no games to make arrays of")


def _save(path: Path, arrays: dict[str, NDArray[Any]]) -> int:
    aside = path.with_name(path.name + ".new")
    with aside.open("wb") as file:
        np.savez_compressed(file, **arrays)  # type: ignore[arg-type,unused-ignore]
    aside.replace(path)
    return len(arrays["action"])

"""Random and hostile play with every invariant on.

Hostile means: texts that are no actions, actions of the wrong country, pieces taken off at
odd moments, saves and records loaded in the midst of things, and undoing. Each finding is
written as a record that reloads, with the reason in a remark.
"""

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from time import monotonic

from quartermaster.cards.rulesets import RULE_SETS
from quartermaster.errors import QuartermasterError
from quartermaster.game import Game
from quartermaster.invariants import check_invariants
from quartermaster.rules.names import COUNTRIES

_GARBAGE = (
    "pasß", "play no-such-card", "battle atlantis", "use use use", "build army nowhere", ":",
    "remove army atlantis", "germany: germany: pass", "\N{SNOWMAN}", "discard -1", "x" * 5000,
    "pass pass", "recruit army moscow italy", "italy: remove army tokyo", "move north-sea", "0",
)  # fmt: skip


@dataclass(frozen=True)
class Step:
    """How far the fuzzing has come; `finding` is the file of a new finding."""

    games: int
    actions: int
    seconds: float
    finding: Path | None = None
    reason: str = ""


class Finding(Exception):
    """Something that must not happen has happened."""


def variants(rules: str | None = None) -> list[tuple[str, dict[str, bool]]]:
    """Every rule set with every combination of its options."""
    found = []
    for name, rule_set in RULE_SETS.items():
        if rules is None or rules == name:
            names = [option.name for option in rule_set.options]
            for values in product((False, True), repeat=len(names)):
                found.append((name, dict(zip(names, values, strict=True))))
    return found


def fuzz_games(seconds: float, seed: int, rules: str | None, out: Path) -> Iterator[Step]:
    """Play game after game until the time is up; tell after each."""
    start = monotonic()
    kinds = variants(rules)
    games = actions = 0
    while monotonic() - start < seconds:
        name, options = kinds[games % len(kinds)]
        chance = random.Random(seed + games)
        game = Game.new(name, seed=seed + games, seats=chance.randint(2, 6), options=options)
        finding = None
        reason = ""
        try:
            play_hostile(game, chance)
        except Finding as error:
            reason = str(error)
            finding = write_finding(game, reason, out, f"{name}-{seed + games}")
        except Exception as error:
            # Any exception at all is a finding: that is what the fuzzer is for.
            reason = f"{type(error).__name__}: {error}"
            finding = write_finding(game, reason, out, f"{name}-{seed + games}")
        games += 1
        actions += len(game.history)
        yield Step(games, actions, monotonic() - start, finding, reason)


def write_finding(game: Game, reason: str, out: Path, name: str) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"finding-{name}.txt"
    remark = "\n".join(f"# {line}" for line in reason.splitlines() or [""])
    path.write_text(f"{game.record}{remark}\n", encoding="utf-8")
    return path


def play_hostile(game: Game, chance: random.Random) -> None:
    """One game to its end, checked at every decision."""
    most = 20_000
    while not game.is_over:
        problems = check_invariants(game)
        if problems:
            raise Finding("; ".join(problems))
        draw = chance.random()
        if draw < 0.02:
            _refuse_garbage(game, chance)
        elif draw < 0.03:
            _reload(game)
        elif draw < 0.035 and game.history:
            _undo_and_redo(game, chance)
        elif draw < 0.05:
            _take_off(game, chance)
            continue
        game.apply(chance.choice(game.legal_actions()))
        if len(game.history) > most:
            raise Finding(f"no end after {most} actions")
    problems = check_invariants(game)
    if problems:
        raise Finding("; ".join(problems))
    if Game.from_record(game.record) != game:
        raise Finding("the record replays to another game")


def _refuse_garbage(game: Game, chance: random.Random) -> None:
    """What is no legal action must be refused and change nothing."""
    before = game.copy()
    text = chance.choice(_GARBAGE)
    country = chance.choice((None, *COUNTRIES, "atlantis"))
    if any(action.text.startswith(text.strip()) for action in game.legal_actions()):
        return  # an action cut short is none the less an action
    try:
        game.apply(text, country=country)
    except QuartermasterError:
        pass
    else:
        raise Finding(f"{country}: {text!r} was not refused")
    if game != before or len(game.history) != len(before.history):
        raise Finding(f"{country}: {text!r} was refused but changed the game")


def _reload(game: Game) -> None:
    """A save in the midst must give the same game with the same choices."""
    loaded = Game.load(json.loads(json.dumps(game.save())))
    if loaded != game or loaded.legal_actions() != game.legal_actions():
        raise Finding("a save does not load to the same game")


def _undo_and_redo(game: Game, chance: random.Random) -> None:
    before = game.copy()
    back = chance.randrange(len(game.history))
    redo = [(action.text, action.country) for action in game.history[back:]]
    game.undo(back)
    for text, country in redo:
        game.apply(text, country=country)
    if game != before:
        raise Finding(f"undoing to action {back} and doing the same again differs")


def _take_off(game: Game, chance: random.Random) -> None:
    """A country takes a piece off, whosever decision it is."""
    removals = game.removals(chance.choice(COUNTRIES))
    if removals:
        game.apply(chance.choice(removals))

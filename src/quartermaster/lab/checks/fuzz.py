"""Random and hostile play with every invariant on.

A third of the games choose evenly, a third so that much happens, a third begin from
crowded positions.

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

from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.errors import QuartermasterError
from quartermaster.forms.notation import Action, deck_of
from quartermaster.game import Game
from quartermaster.lab.checks.invariants import Ledger, check_invariants
from quartermaster.rules.board import LAND_SPACES, SPACES
from quartermaster.rules.names import COUNTRIES, RESPONSE, STATUS, team_of
from quartermaster.rules.victory import LAST_ROUND

_MOST_ACTIONS = 20_000
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
        if games % 3 == 2:
            game = crowded_game(name, options, chance)
        else:
            seats = chance.randint(2, 6)
            game = Game.new(name, seed=seed + games, seats=seats, options=options)
        finding = None
        reason = ""
        try:
            play_hostile(game, chance, is_lively=games % 3 > 0)
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


def crowded_game(rules_name: str, options: dict[str, bool], rng: random.Random) -> Game:
    """A position with most pieces on the board and most reactions in play."""
    rules = load_rules(rules_name, options)
    team_of_space = [rng.randrange(2) for _ in SPACES]
    pieces: dict[str, list[str]] = {}
    air: dict[str, list[str]] = {}
    zones: dict[str, dict[str, list[str]]] = {key: {} for key in ("table", "set", "hand")}
    for country, name in enumerate(COUNTRIES):
        armies, navies, air_forces = (limits[country] for limits in rules.piece_limits)
        places = [i for i, team in enumerate(team_of_space) if team == team_of(country)]
        lands = [i for i in places if i < LAND_SPACES]
        seas = [i for i in places if i >= LAND_SPACES]
        stand = rng.sample(lands, min(len(lands), rng.randint(armies // 2, armies)))
        stand += rng.sample(seas, min(len(seas), rng.randint(0, navies)))
        pieces[name] = [SPACES[i][0] for i in stand]
        air[name] = rng.sample(pieces[name], min(len(stand), rng.randint(0, air_forces)))
        deck = deck_of(rules, country)
        by_type = {kind: [i for i, c in deck.items() if c.type == kind] for kind in range(10)}
        zones["table"][name] = _some_of(by_type[STATUS], 5, rng)
        zones["set"][name] = _some_of(by_type[RESPONSE], 4, rng)
        taken = {*zones["table"][name], *zones["set"][name]}
        left = [card for card in deck if card not in taken]
        zones["hand"][name] = _some_of(left, 7, rng)
    position = {
        "turn": rng.choice(COUNTRIES),
        "round": rng.randint(1, LAST_ROUND),
        "step": rng.choice(("turn", "play", "supply")),
        "score": [rng.randint(0, 60), rng.randint(0, 60)],
        "seed": rng.randrange(1000),
        "pieces": pieces,
        "air": air,
        **zones,
    }
    return Game.from_position(position, rules=rules_name, options=options)


def _some_of(cards: list[str], most: int, rng: random.Random) -> list[str]:
    return rng.sample(cards, min(len(cards), rng.randint(0, most)))


def lively_action(game: Game, rng: random.Random) -> Action:
    """A random legal action, those that make something happen more often than the others.

    Choosing evenly, most cards are discarded unplayed and the board stays empty.
    """
    actions = game.legal_actions()
    idle = 40 if game.decision.kind == "discard-step" else 2
    return rng.choices(actions, [_weight(action, idle) for action in actions])[0]


def _weight(action: Action, idle: int) -> int:
    if action.verb == "pass":
        return idle
    if action.card == "reallocate-resources" or action.verb in ("discard", "remove"):
        return 1
    return 10


def write_finding(game: Game, reason: str, out: Path, name: str) -> Path:
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"finding-{name}.txt"
    remark = "\n".join(f"# {line}" for line in reason.splitlines() or [""])
    path.write_text(f"{game.record}{remark}\n", encoding="utf-8")
    return path


def play_hostile(game: Game, chance: random.Random, is_lively: bool) -> None:
    """One game to its end, checked at every decision."""
    ledger = Ledger(game)
    while True:
        problems = check_invariants(game) + ledger.check(game)
        if problems:
            raise Finding("; ".join(problems))
        if game.is_over:
            break
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
        if is_lively:
            game.apply(lively_action(game, chance))
        else:
            game.apply(chance.choice(game.legal_actions()))
        if len(game.history) > _MOST_ACTIONS:
            raise Finding(f"no end after {_MOST_ACTIONS} actions")
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

"""A finished game as a row of data: what was played, how it ended, and what each turn was like.

>>> from quartermaster import play_match
>>> row = row_of(play_match(["random"], seed=5), game=0, bots=["random"])
>>> row["winner"], row["rounds"], len(row["turns"])
('allies', 20, 120)
>>> row["turns"][0]["turn"], row["turns"][0]["vp"]
('germany', {'axis': 2, 'allies': 0})
"""

from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from quartermaster.errors import BrokenFile
from quartermaster.forms.notation import make_action
from quartermaster.game import Game
from quartermaster.lab.match import Match
from quartermaster.rules.board import LAND_MASK
from quartermaster.rules.names import COUNTRIES, DECK, HAND, TEAMS, team_of
from quartermaster.rules.state import State


class CardRow(TypedDict):
    """A card that was played or used."""

    country: str
    verb: str  # play or use
    card: str


class TurnRow(TypedDict):
    """A country's turn, as things stood when it was over. Lists are by country."""

    round: int
    turn: str  # whose
    vp: dict[str, int]  # by team
    armies: list[int]
    navies: list[int]
    hand: list[int]  # cards
    deck: list[int]
    cards: list[CardRow]  # that anybody played or used in it


class Row(TypedDict):
    """A game as a row of a file (`docs/data.md`)."""

    game: int  # its number in the series
    seed: int | str
    rules: str
    options: dict[str, bool]
    sets: list[str]
    seats: list[list[str]]
    bots: list[str]  # by seat
    winner: str
    score: dict[str, int]
    rounds: int
    decisions: int
    faults: int
    turns: list[TurnRow]
    record: str


def row_of(match: Match, game: int, bots: Sequence[str]) -> Row:
    """A match as a row."""
    return _row(match.game, game, bots, match.decisions, len(match.faults), _again(match.game))


def row_of_record(text: str, source: str, game: int) -> Row | None:
    """The game of a record as a row; none if it is not over. Who played is not in it."""
    begun, record = Game.begin_record(text, source)
    followed = (begun.state for _ in begun.follow(record, source))
    turns = _turns(begun, followed)
    if not begun.is_over:
        return None
    return _row(begun, game, [], len(begun.history), 0, turns)


def _row(
    game: Game,
    number: int,
    bots: Sequence[str],
    decisions: int,
    faults: int,
    turns: list[TurnRow],
) -> Row:
    assert game.winner is not None
    return {
        "game": number,
        "seed": game.seed,
        "rules": game.rules,
        "options": game.options,
        "sets": game.sets,
        "seats": [list(seat) for seat in game.seats],
        "bots": [bots[seat % len(bots)] for seat in range(len(game.seats))] if bots else [],
        "winner": game.winner,
        "score": game.score,
        "rounds": game.round,
        "decisions": decisions,
        "faults": faults,
        "turns": turns,
        "record": game.record,
    }


def _again(game: Game) -> list[TurnRow]:
    """The turns of a game, which is played once more for that."""
    again = game.copy()
    again.undo(0)

    def play() -> Iterator[State]:
        for country, code, is_free in game.codes:
            yield again.state
            action = make_action(again.state.rules, country, code)
            again.apply(action, country=COUNTRIES[country] if is_free else None)

    return _turns(again, play())


def _turns(game: Game, states: Iterator[State]) -> list[TurnRow]:
    """What each turn was like, out of the log and of the state at the first decision after it; the
    states are those before each action of the game, which goes on as they are asked for."""
    turns: list[TurnRow] = []
    vp = dict.fromkeys(TEAMS, 0)
    read = 0

    def take() -> None:
        """Read what has come to the log, and look at the state where a turn is over."""
        nonlocal read
        log = game.raw_log
        for what, country, _, _, _, n, _ in log[read:]:
            if what == "score":
                vp[TEAMS[team_of(country)]] += n
            elif what == "turn":
                _close(turns, vp, game.state)
                turns.append(
                    {
                        "round": n, "turn": COUNTRIES[country], "vp": {}, "armies": [],
                        "navies": [], "hand": [], "deck": [], "cards": [],
                    }
                )  # fmt: skip
        read = len(log)

    for _ in states:  # the last action is carried out when the next state is asked for
        _note_card(game, turns)
        take()
    _note_card(game, turns)
    take()
    _close(turns, vp, game.state)
    return turns


def _note_card(game: Game, turns: list[TurnRow]) -> None:
    """Put down the card of the last action, if it has one."""
    action = game.last_action
    if turns and action is not None and action.card is not None and action.verb in ("play", "use"):
        turns[-1]["cards"].append(
            {"country": action.country, "verb": action.verb, "card": action.card}
        )


def _close(turns: list[TurnRow], vp: dict[str, int], s: State) -> None:
    if turns:
        turns[-1]["vp"] = dict(vp)
        turns[-1]["armies"] = [(pieces & LAND_MASK).bit_count() for pieces in s.pieces]
        turns[-1]["navies"] = [(pieces & ~LAND_MASK).bit_count() for pieces in s.pieces]
        turns[-1]["hand"] = [len(s.zones[HAND + country]) for country in range(6)]
        turns[-1]["deck"] = [len(s.zones[DECK + country]) for country in range(6)]


def check_row(data: Any, source: str, line: int | None) -> Row:
    """A row that was read; `BrokenFile` says what is wrong with it."""
    if not isinstance(data, dict):
        raise BrokenFile(source, line, f"expected a game, got {str(data)[:40]!r}")
    kinds: dict[str, tuple[type, ...]] = {
        "game": (int,), "seed": (int, str), "rules": (str,), "options": (dict,), "sets": (list,),
        "seats": (list,), "bots": (list,), "winner": (str,), "score": (dict,), "rounds": (int,),
        "decisions": (int,), "faults": (int,), "turns": (list,), "record": (str,),
    }  # fmt: skip
    for key, kind in kinds.items():
        if not isinstance(data.get(key), kind):
            names = " or ".join(one.__name__ for one in kind)
            raise BrokenFile(source, line, f"{key}: expected {names} (is it a file of simulate?)")
    if data["winner"] not in TEAMS:
        raise BrokenFile(source, line, "winner: expected axis or allies")
    row: Row = data  # type: ignore[assignment]
    return row

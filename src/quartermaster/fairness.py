"""Checks a deal: that the cards of a game came from a secret that was fixed before, and from
what people's clients have added (`docs/fairness.md`).

>>> from quartermaster import Deal, Game
>>> deal = Deal("11" * 32, ((0, "aa" * 32),))
>>> game = Game.new(seed=deal.seed)
>>> game.deal = deal
>>> print(verify(game.record))
fair: every card came from the secret and what was added to it
>>> verify(game.record, commitment="22" * 32).result
'unfair'
>>> print(verify(Game.new(seed=7).record))
unknown: the record does not say what its seed was made of
"""

from dataclasses import dataclass
from hmac import compare_digest
from typing import Any, Literal

from quartermaster.errors import BrokenFile
from quartermaster.forms.deals import Deal
from quartermaster.forms.record import Record, parse_record
from quartermaster.game import Game
from quartermaster.rules.engine import new_state
from quartermaster.rules.names import COUNTRIES, DECK
from quartermaster.rules.state import State
from quartermaster.speech.say import say

Result = Literal["fair", "unfair", "unknown"]
StepKind = Literal["shuffle", "pick", "deal", "draw", "mill", "deck"]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: an id (`verify.ID` in the catalogue), whether it is as it
    should be, and the sentence."""

    id: str
    is_right: bool
    text: str


@dataclass(frozen=True)
class Verdict:
    """What has come of a check. `goes_on`: the game goes on from a record or a position, and
    `since` so many actions; what was before is not part of what was checked."""

    result: Result
    reason: str
    checks: tuple[Check, ...] = ()
    deal: Deal | None = None
    since: int = 0
    goes_on: bool = False

    def __str__(self) -> str:
        return f"{self.result}: {self.reason}"


def verify(
    text: str,
    source: str = "<record>",
    commitment: str | None = None,
    contribution: str | None = None,
) -> Verdict:
    """Check a record's deal: fair, unfair, or unknown where there is nothing to check it by.
    Who has noted what the table showed before the deal, and what their own client added, gives
    them too. `BrokenFile` if it is no record."""
    record = parse_record(text, source)
    deal = record.deal
    if deal is None:
        return Verdict("unknown", say("verify.no-deal"))
    since = record.anew[-1][0] if record.anew else 0
    if record.position is not None and not record.anew:
        return Verdict("unknown", say("verify.position"), (), deal, since, goes_on=True)
    goes_on = bool(record.anew)
    checks = [_check("commitment", _is_same(record.told.get("commitment"), deal.commitment))]
    if commitment is not None:
        checks.append(_check("noted", _is_same(commitment.lower(), deal.commitment)))
    if contribution is not None:
        added = [text for _, text in deal.contributions]
        checks.append(_check("added", contribution.lower() in added))
    checks.append(_check("seats", _is_by_seats(deal, len(record.seats))))
    seed = record.anew[-1][1] if record.anew else record.seed
    checks.append(_check("seed", _is_same(seed, deal.seed)))
    game, problem = _played(record, source, deal)
    if game is None:
        checks.append(Check("replay", False, say("verify.replay.no", problem=problem)))
    else:
        checks.append(_check("replay", True))
        checks += _compare(record.told, game.cards_dealt())
    result: Result = "fair" if all(check.is_right for check in checks) else "unfair"
    return Verdict(result, say(f"verify.{result}"), tuple(checks), deal, since, goes_on)


def _check(id: str, is_right: bool) -> Check:
    return Check(id, is_right, say(f"verify.{id}" if is_right else f"verify.{id}.no"))


def _is_same(told: object, derived: str) -> bool:
    return isinstance(told, str) and compare_digest(told.encode(), derived.encode())


def _is_by_seats(deal: Deal, count: int) -> bool:
    """Whether each seat has added at most once, in their order. Whoever could add more, last of
    all, could try until the cards suit them."""
    seats = [seat for seat, _ in deal.contributions]
    return seats == sorted(set(seats) & set(range(count)))


def _played(record: Record, source: str, deal: Deal) -> tuple[Game | None, str]:
    """The game as it goes by the seed of the deal, whatever seed the record names; or why it
    cannot have gone so."""
    if record.anew:
        anew = [*record.anew[:-1], (record.anew[-1][0], deal.seed)]
        told = Record(**{**vars(record), "anew": anew})
    else:
        told = Record(**{**vars(record), "seed": deal.seed})
    try:
        game = Game.begin(told, source)
        for _ in game.follow(told, source):
            pass
    except BrokenFile as error:
        return None, str(error)
    return game, ""


def _compare(told: dict[str, Any], found: dict[str, dict[str, list[str]]]) -> list[Check]:
    checks = []
    for key, cards in found.items():
        part = told.get(key)
        wrong = [
            name
            for name in COUNTRIES
            if not isinstance(part, dict) or part.get(name) != cards[name]
        ]
        if wrong:
            checks.append(Check(key, False, say(f"verify.{key}.no", countries=", ".join(wrong))))
        else:
            checks.append(_check(key, True))
    return checks


# -- for who checks with tools of their own --------------------------------------------


@dataclass(frozen=True)
class DeckStep:
    """Something that chance did, or that happened to a country's deck, whose top is the last card.
    Numbered through as shuffles: `shuffle`, a deck in its new order; `pick`, some cards, of which
    the first is picked; `deal`, all hidden cards of a country in a game that goes on, from which
    they are dealt out. Then `draw` and `mill`: the top cards, drawn or discarded; `deck`: the
    deck as it lies now, dealt out, or after a player's choice (a card taken out or put on top or
    underneath, the top ones in another order)."""

    what: StepKind
    country: str
    cards: tuple[str, ...]


def deck_steps(game: Game) -> list[DeckStep]:
    """What happened to all decks since the game's last deal."""
    record = parse_record(game.record)
    steps: list[DeckStep] = []
    decks: list[tuple[int, ...]] = [()] * 6
    again = Game.begin(record)
    if record.anew:
        before, seed = record.anew[-1]
        earlier = Record(**{**vars(record), "anew": record.anew[:-1]})
        for _ in again.follow(earlier, to=before):
            pass
        again.deal_anew(seed, is_traced=True)
    else:
        rules, chance = again.state.rules, again.state.seed
        _take_in(new_state(rules, chance, is_traced=True), decks, steps)
        again.state.trace = []
    _take_in(again.state, decks, steps)
    for country, action, _ in record.actions[len(again.codes) :]:
        again.apply(action, country=country, is_whole=True)
        _take_in(again.state, decks, steps)
    return steps


def _take_in(s: State, decks: list[tuple[int, ...]], steps: list[DeckStep]) -> None:
    """Tell of what the trace has since it was last looked at."""
    names = [card.id for card in s.rules.cards]

    def tell(what: StepKind, country: int, cards: tuple[int, ...]) -> None:
        steps.append(DeckStep(what, COUNTRIES[country], tuple(names[card] for card in cards)))

    for what, country, before, cards in s.trace or []:
        if what == "shuffle":
            decks[country] = cards
            tell("shuffle", country, cards)
            continue
        if what in ("pick", "deal"):
            tell("pick" if what == "pick" else "deal", country, cards)
            continue
        if decks[country] != before:
            tell("deck", country, before)
        decks[country] = before[: len(before) - len(cards)]
        tell("draw" if what == "draw" else "mill", country, cards)
    for country in range(6):
        deck = s.zones[DECK + country]
        if decks[country] != deck:
            decks[country] = deck
            tell("deck", country, deck)
    s.trace = []

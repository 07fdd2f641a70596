"""What one seat may know of a game: a new object, with no way back to the state.

Rules 8: a country's hand, its responses face down and the cards it discarded face down
are known to its player alone, of a discard pile the others see the top card and the
number; the order of a deck is nobody's to know, save what a card shows.
"""

from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from typing import Any

from quartermaster.forms.notation import make_action
from quartermaster.rules.board import LAND_MASK, SPACES
from quartermaster.rules.engine import current_op, decider
from quartermaster.rules.names import (
    AIR_FORCE,
    ALLIES,
    ARMY,
    AXIS,
    COUNTRIES,
    DECK,
    FACE_DOWN,
    FACE_UP,
    HAND,
    NAVY,
    PIECES,
    SET,
    STEPS,
    TABLE,
    TEAMS,
    team_of,
)
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State
from quartermaster.sight.decision import Decision, decision_of
from quartermaster.speech.nouns import team_noun
from quartermaster.speech.say import say, say_many, spoken


@dataclass(frozen=True)
class CountryView:
    """One country's side of the table. Lists of hidden cards are `None`.

    >>> from quartermaster import Game
    >>> side = Game.new(seed=7).view().countries["japan"]
    >>> side.armies, side.hand_size, side.hand
    (('japan',), 10, None)
    """

    country: str
    team: str
    armies: tuple[str, ...]
    navies: tuple[str, ...]
    air_forces: tuple[str, ...]
    reserve: dict[str, int]
    table: tuple[str, ...]
    discard_top: str | None  # the top card of the discard pile, if it lies face up
    hand_size: int
    deck_size: int
    discard_size: int
    set_size: int  # responses face down on the table
    hand: tuple[str, ...] | None
    face_up: tuple[str, ...] | None  # discarded face up, the last on top
    face_down: tuple[str, ...] | None  # discarded face down
    set: tuple[str, ...] | None
    deck: tuple[str, ...] | None  # what is in it, sorted: its order is nobody's to know


@dataclass(frozen=True)
class View:
    """A game as one seat sees it.

    >>> from quartermaster import Game
    >>> view = Game.new(seed=7).view("germany")
    >>> view.turn, view.score_text, len(view.legal_actions)
    ('germany', 'Axis 0, Allies 0', 10)
    """

    rules: str
    options: dict[str, bool]
    seat: tuple[str, ...]  # the countries whose cards are seen
    round: int
    turn: str
    step: str
    score: dict[str, int]
    score_text: str  # as the rule set shows it
    countries: dict[str, CountryView]
    protected: dict[str, tuple[str, ...]]
    used: tuple[str, ...]  # cards that cannot be used again this turn
    winner: str | None
    decision: Decision | None  # of this seat
    waiting_for: str | None  # another's decision, where everyone may know whose it is
    legal_actions: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The view as plain data, for JSON.

        >>> from quartermaster import Game
        >>> Game.new(seed=7).view().to_dict()["round"]
        1
        """
        return asdict(self)


class Shared:
    """What is the same for all who look at one state in one language, made once: what everyone
    may know, and the side of each country as its owner sees it, which only the owner is given."""

    def __init__(self, s: State, before: "Shared | None" = None) -> None:
        """`before`: of an earlier state of the same game, from which the sides are taken that
        have not changed since."""
        self.state = s
        self._cards = [_cards_of(s, country) for country in range(6)]
        same: dict[int, CountryView] = {}  # sides as strangers see them
        self._own: dict[int, CountryView] = {}
        if before is not None and before.state.rules is s.rules:
            for country, name in enumerate(COUNTRIES):
                if self._cards[country] == before._cards[country]:
                    same[country] = before.view.countries[name]
                    if country in before._own:
                        self._own[country] = before._own[country]
        is_over = s.winner >= 0
        self.decider = -1 if is_over else decider(s)
        # That someone is asked to react would tell that they hold a card that can.
        self.is_open = not is_over and current_op(s).kind != "react"
        # As a stranger sees it who is told of no decision.
        self.view: View = View(
            rules=s.rules.name,
            options=dict(s.rules.options),
            seat=(),
            round=s.round,
            turn=COUNTRIES[s.country],
            step=STEPS[s.step],
            score={"axis": s.axis_score, "allies": s.allies_score},
            score_text=score_text(s),
            countries={
                name: same.get(country) or _side(s.rules, country, False, *self._cards[country])
                for country, name in enumerate(COUNTRIES)
            },
            protected={
                COUNTRIES[country]: _space_ids(s.protected[country])
                for country in range(6)
                if s.protected[country]
            },
            used=tuple(s.rules.cards[card].id for card in s.used),
            winner=TEAMS[s.winner] if is_over else None,
            decision=None,
            waiting_for=None,
            legal_actions=(),
        )

    def sides(self, countries: frozenset[int]) -> dict[str, CountryView]:
        """The sides of all countries, as who holds some of them sees them."""
        found = dict(self.view.countries)
        for country in countries:
            if country not in self._own:
                cards = self._cards[country]
                self._own[country] = _side(self.state.rules, country, True, *cards)
            found[COUNTRIES[country]] = self._own[country]
        return found


def make_view(
    s: State, countries: frozenset[int], shared: Shared | None = None, is_waiting: bool = True
) -> View:
    """The view of a seat that holds some countries; without any, what an onlooker sees.

    `shared` holds what all views of this very state have in common: whoever makes several gives
    it, so that it is made once. Unless the game `is_waiting`, the view tells of no decision.
    """
    shared = Shared(s) if shared is None else shared
    # A copy with some other fields: `replace` would set all of them one by one again.
    view = View.__new__(View)
    fields = vars(view)
    fields.update(vars(shared.view))
    fields["seat"] = _seat(countries)
    fields["countries"] = shared.sides(countries)
    if is_waiting and s.winner < 0:
        if shared.decider in countries:
            fields["decision"] = decision_of(s)
            fields["legal_actions"] = tuple(
                make_action(s.rules, shared.decider, code).text for code in s.options
            )
        elif shared.is_open:
            fields["waiting_for"] = COUNTRIES[shared.decider]
    return view


@cache
def _seat(countries: frozenset[int]) -> tuple[str, ...]:
    return tuple(COUNTRIES[country] for country in sorted(countries))


def score_text(s: State) -> str:
    """The score as the rule set's track shows it: two totals, or one difference."""
    return _score_text(s.rules.is_score_difference, s.axis_score, s.allies_score, spoken())


@lru_cache(maxsize=2_000)
def _score_text(is_difference: bool, axis: int, allies: int, language: str) -> str:
    lead = axis - allies
    if not is_difference:
        return say("score.totals", axis=axis, allies=allies)
    if lead == 0:
        return say("score.even")
    team = team_noun(TEAMS[AXIS if lead > 0 else ALLIES])
    return say_many("score.lead", abs(lead), team=team)


@lru_cache(maxsize=10_000)
def _space_ids(mask: int) -> tuple[str, ...]:
    return tuple(SPACES[i][0] for i in range(len(SPACES)) if mask >> i & 1)


_ZONES = (TABLE, FACE_UP, FACE_DOWN, HAND, DECK, SET)


Cards = tuple[int, ...]


def _cards_of(s: State, country: int) -> tuple[int, int, Cards, Cards, Cards, Cards, Cards, Cards]:
    """What a country's side is made of: its pieces, its air forces, and its cards by `_ZONES`."""
    zones = s.zones
    return (
        s.pieces[country],
        s.air[country],
        zones[TABLE + country],
        zones[FACE_UP + country],
        zones[FACE_DOWN + country],
        zones[HAND + country],
        zones[DECK + country],
        zones[SET + country],
    )


@lru_cache(maxsize=10_000)
def _side(
    rules: Rules,
    country: int,
    is_own: bool,
    pieces: int,
    air: int,
    *zones: Cards,
) -> CountryView:
    """A country's side of the table, kept for all that it depends on: most turns change one
    side, and the others can be given again."""
    cards = dict(zip(_ZONES, zones, strict=True))

    def ids(zone: int) -> tuple[str, ...]:
        return tuple(rules.cards[card].id for card in cards[zone])

    spaces = _space_ids(pieces)
    lands = _space_ids(pieces & LAND_MASK)
    counts = {
        ARMY: len(lands), NAVY: len(spaces) - len(lands), AIR_FORCE: air.bit_count()
    }  # fmt: skip
    kinds = (ARMY, NAVY, AIR_FORCE) if rules.has_air_forces else (ARMY, NAVY)
    reserve = {PIECES[kind]: rules.piece_limits[kind][country] - counts[kind] for kind in kinds}
    return CountryView(
        country=COUNTRIES[country],
        team=TEAMS[team_of(country)],
        armies=lands,
        navies=tuple(space for space in spaces if space not in lands),
        air_forces=_space_ids(air),
        reserve=reserve,
        table=ids(TABLE),
        discard_top=ids(FACE_UP)[-1] if cards[FACE_UP] else None,
        hand_size=len(cards[HAND]),
        deck_size=len(cards[DECK]),
        discard_size=len(cards[FACE_UP]) + len(cards[FACE_DOWN]),
        set_size=len(cards[SET]),
        hand=ids(HAND) if is_own else None,
        face_up=ids(FACE_UP) if is_own else None,
        face_down=ids(FACE_DOWN) if is_own else None,
        set=ids(SET) if is_own else None,
        deck=tuple(sorted(ids(DECK))) if is_own else None,
    )

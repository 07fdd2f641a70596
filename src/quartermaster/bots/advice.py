"""Advice for people: what a good bot would do and why, and who is likely to win."""

from collections.abc import Iterator
from dataclasses import dataclass

from quartermaster.bots.knowledge import knowledge_of
from quartermaster.bots.mind.judge import income
from quartermaster.bots.mind.planner import Planner
from quartermaster.bots.searching import LINES, WIDTH, search
from quartermaster.errors import QuartermasterError
from quartermaster.look import Look
from quartermaster.notation import Action, make_action
from quartermaster.nouns import card_noun, country_noun, piece_noun, space_noun
from quartermaster.rules.actions import DISCARD, PASS, card_of, verb_of
from quartermaster.rules.board import HOMES, LAND_SPACES, SPACES, SUPPLY_MASK, spaces_in
from quartermaster.rules.engine import apply, current_op, decider
from quartermaster.rules.names import COUNTRIES, DECK, HAND, SET, TABLE
from quartermaster.rules.state import Rules, State
from quartermaster.rules.supply import near_supplied_mask, supplied_mask
from quartermaster.words import Noun, say, say_many

_DEALS = 24  # of the hidden cards, for an estimate
_TURNS = 6  # that an estimate looks ahead


@dataclass(frozen=True)
class Hint:
    """An action worth thinking of, the chance to win with it, and a reason in words."""

    action: Action
    chance: float
    reason: str

    def __str__(self) -> str:
        action = self.action.phrase
        return say("why.hint", action=action, chance=self.chance, reason=self.reason)


@dataclass(frozen=True)
class Estimate:
    """How a game is likely to end: the chance of each team, and the final lead of the Axis
    to expect, in points."""

    axis: float
    allies: float
    lead: float


def estimate(look: Look, seed: int = 0) -> Estimate:
    """Who is likely to win, by what a seat knows; of nobody's look, by what all can see.

    >>> from quartermaster import Game
    >>> game = Game.from_position({"score": [80, 45], "round": 18})
    >>> estimate(game.look()).axis > 0.9
    True
    """
    s = look.seen
    if s.winner >= 0:
        axis = 1.0 - s.winner
        return Estimate(axis, 1.0 - axis, float(s.axis_score - s.allies_score))
    known = knowledge_of(s.rules)
    planner = Planner(known.judge, known.habits, LINES, WIDTH)
    chance = lead = 0.0
    for number in range(_DEALS):
        dealt = look.deal(seed * _DEALS + number)
        planner.play_on(dealt, 6 * s.round + s.country + _TURNS)
        chance += known.judge.chance(dealt) / _DEALS
        if dealt.winner >= 0:
            lead += (dealt.axis_score - dealt.allies_score) / _DEALS
        else:
            lead += known.judge.lead(dealt) / _DEALS
    return Estimate(chance, 1.0 - chance, lead)


def advise(
    look: Look, count: int = 3, seconds: float = 1.0, nodes: int = 0, cores: int = 1, seed: int = 0
) -> list[Hint]:
    """The best few actions for the decision of the country that looks, the best first. With
    `nodes` the advice for a seed is always the same.

    >>> from quartermaster import Game
    >>> hints = advise(Game.new(seed=7).look("germany"), nodes=50)
    >>> len(hints), 0 <= hints[0].chance <= 1
    (3, True)
    """
    s = look.seen
    if not s.options:
        raise QuartermasterError("advice is for who has a decision; this look has none")
    found = search(look, seed, 0.0 if nodes else seconds, nodes, cores)
    order = sorted(range(len(s.options)), key=lambda i: (-found.visits[i], -found.chances[i]))
    reasons = _Reasons(look, seed)
    me = decider(s)
    return [
        Hint(make_action(s.rules, me, s.options[i]), found.chances[i], reasons.of(s.options[i]))
        for i in order[:count]
        if found.visits[i]
    ]


class _Reasons:
    """Says what an option brings that doing nothing, or else the worst option, does not."""

    def __init__(self, look: Look, seed: int) -> None:
        known = knowledge_of(look.seen.rules)
        self._planner = Planner(known.judge, known.habits, LINES)
        self._start = look.deal(seed)
        self._me = decider(self._start)
        self._kind = current_op(self._start).kind
        options = self._start.options
        values = dict(zip(options, self._planner.values(self._start), strict=True))
        idle = [code for code in options if code == PASS]
        if not idle and self._kind == "play":
            idle = [code for code in options if verb_of(code) == DISCARD]
            idle.sort(key=lambda code: -values[code])
        self._idle = idle[0] if idle else min(options, key=lambda code: values[code])
        self._best_other = max(
            (code for code in options if code != self._idle), key=lambda code: values[code]
        )
        self._ends: dict[int, State] = {}

    def of(self, code: int) -> str:
        if verb_of(code) == DISCARD and self._kind != "discard-theirs":
            if self._kind == "play":
                return say("why.discard.turn")
            return say("why.discard", card=_card(self._start.rules, card_of(code)))
        other = self._best_other if code == self._idle else self._idle
        ends = self._end(code), self._end(other)
        facts = sorted(differences(*ends, self._me, self._start), reverse=True)
        said = [text for weight, text in facts[:2] if weight >= 1.0]
        if said:
            return said[0] if len(said) == 1 else say("why.two", one=said[0], other=said[1])
        if code == PASS and self._kind == "discard-step":
            return say("why.keep-hand")
        return say("why.wait" if code == PASS else "why.open")

    def _end(self, code: int) -> State:
        """Where the turn ends if the option is taken and the plan followed."""
        if code not in self._ends:
            s = self._start.copy()
            turn = (s.round, s.country)
            apply(s, code)
            while s.winner < 0 and (s.round, s.country) == turn:
                if current_op(s).kind == "discard-step":
                    apply(s, PASS)
                elif decider(s) == self._me:
                    values = self._planner.values(s)
                    apply(s, s.options[max(range(len(values)), key=values.__getitem__)])
                else:
                    apply(s, self._planner.habits.best(s))
            self._ends[code] = s
        return self._ends[code]


def differences(a: State, b: State, me: int, start: State) -> Iterator[tuple[float, str]]:
    """What is better for a country's team in `a` than in `b`, each with its weight. Both come
    after `start`."""
    if a.winner >= 0 and a.winner == me & 1 and b.winner != a.winner:
        yield 99.0, say("why.win")
    for country in range(6):
        is_own = (country ^ me) & 1 == 0
        # What is good for an enemy is the other way round.
        yield from _better_for(a, b, country, me, start) if is_own else _worse_for(a, b, country)
    lead = (a.axis_score - a.allies_score) - (b.axis_score - b.allies_score)
    points = lead if me & 1 == 0 else -lead
    if points > 0:
        yield float(points), say_many("why.points", points)


def _better_for(
    a: State, b: State, country: int, me: int, start: State
) -> Iterator[tuple[float, str]]:
    it = country_noun(COUNTRIES[country])
    points = income(a, country) - income(b, country)
    if points > 0:
        yield 3.0 * points, say_many("why.income", points, country=it)
    home = 1 << HOMES[country]
    enemies = 1 - (country & 1)
    if b.team_mask(enemies) & home and not a.team_mask(enemies) & home:
        yield 9.0, say("why.free", country=it)
    for space in spaces_in(a.pieces[country] & ~b.pieces[country]):
        is_star = SUPPLY_MASK >> space & 1
        is_old = start.pieces[country] >> space & 1
        yield 1.5 + is_star, say("why.keep" if is_old else "why.put", **_piece(country, space))
    both = a.pieces[country] & b.pieces[country]
    for space in spaces_in(both & supplied_mask(a, country) & ~supplied_mask(b, country)):
        yield 2.5, say("why.supply", space=_space(space))
    for space in spaces_in(both & SUPPLY_MASK & _reach(b, enemies) & ~_reach(a, enemies)):
        yield 1.2, say("why.safe", space=_space(space))
    for card in set(a.zones[TABLE + country]) - set(b.zones[TABLE + country]):
        yield 2.4, say("why.status", card=_card(a.rules, card))
    if country == me:
        for card in set(a.zones[SET + country]) - set(b.zones[SET + country]):
            yield 1.4, say("why.response", card=_card(a.rules, card))
        saved = _cards_left(a, country) - _cards_left(b, country)
        if saved > 1:
            yield 0.5 * saved, say_many("why.spare", saved)


def _worse_for(a: State, b: State, country: int) -> Iterator[tuple[float, str]]:
    it = country_noun(COUNTRIES[country])
    points = income(b, country) - income(a, country)
    if points > 0:
        yield 3.0 * points, say_many("why.deny", points, country=it)
    for space in spaces_in(b.pieces[country] & ~a.pieces[country]):
        yield 2.0, say("why.remove", **_piece(country, space))
    both = a.pieces[country] & b.pieces[country]
    for space in spaces_in(both & supplied_mask(b, country) & ~supplied_mask(a, country)):
        yield 2.5, say("why.cut", **_piece(country, space))
    enemies = 1 - (country & 1)
    for space in spaces_in(both & SUPPLY_MASK & _reach(a, enemies) & ~_reach(b, enemies)):
        yield 1.2, say("why.threaten", space=_space(space))
    lost = _cards_left(b, country) - _cards_left(a, country)
    if lost > 0:
        yield 0.6 * lost, say_many("why.cost", lost, country=it)
    for card in set(b.zones[TABLE + country]) - set(a.zones[TABLE + country]):
        yield 2.4, say("why.take", card=_card(a.rules, card), country=it)


def _card(rules: Rules, card: int) -> Noun:
    return card_noun(rules.cards[card].id, rules.cards[card].name)


def _space(space: int) -> Noun:
    return space_noun(SPACES[space][0])


def _piece(country: int, space: int) -> dict[str, Noun]:
    """A piece and where it stands, for a sentence."""
    kind = "army" if space < LAND_SPACES else "navy"
    return {"piece": piece_noun(COUNTRIES[country], kind), "space": _space(space)}


def _reach(s: State, team: int) -> int:
    """The spaces a team could battle."""
    return (
        near_supplied_mask(s, team) | near_supplied_mask(s, team + 2)
        | near_supplied_mask(s, team + 4)
    )  # fmt: skip


def _cards_left(s: State, country: int) -> int:
    return len(s.zones[HAND + country]) + len(s.zones[DECK + country])

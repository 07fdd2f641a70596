"""Why an option is good, in words: what the step itself brings the team.

A step is the option with all that belongs to it: a card that is played, with the choices its
text asks for. What else the turn may bring is left out, for it is decided later and may come
of other steps too. So after the step everyone lets everything be to the end of the turn, and
where that leads is compared with where doing nothing leads.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from quartermaster.bots.knowledge import knowledge_of
from quartermaster.bots.mind.planner import Planner, is_about_hand
from quartermaster.rules.actions import (
    BATTLE,
    BUILD,
    DISCARD,
    ELIMINATE,
    ELIMINATE_AIR,
    NO_COUNTRY,
    PASS,
    PLAY,
    PROTECT,
    REBUILD,
    RECRUIT,
    USE,
    card_of,
    country_of,
    space_of,
    verb_of,
)
from quartermaster.rules.board import HOMES, LAND_SPACES, SPACES, SUPPLY_MASK, spaces_in
from quartermaster.rules.engine import apply, current_op, decider
from quartermaster.rules.names import (
    BOLSTER,
    COUNTRIES,
    DECK,
    HAND,
    RESPONSE,
    SET,
    TABLE,
    TEAMS,
    are_enemies,
    other_team,
    team_of,
)
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.state import State
from quartermaster.rules.supply import near_supplied_mask, supplied_mask
from quartermaster.rules.victory import income
from quartermaster.sight.look import Look
from quartermaster.speech.nouns import card_noun, country_noun, piece_noun, space_noun, team_noun
from quartermaster.speech.say import Noun, say, say_many

_LINES = 24  # of play that are looked at for a choice within the step
_WORTH_SAYING = 1.0  # a fact of less weight is said only where there is no other
DEEDS = (PASS, BUILD, RECRUIT, BATTLE, ELIMINATE, ELIMINATE_AIR, REBUILD, PROTECT)

Fact = tuple[float, str]


@dataclass
class _End:
    """Where a step leads, and what happened in it."""

    state: State
    facts: list[Fact]  # that the state does not show
    points: tuple[int, int]  # that cards gave either team


class Reasons:
    """Of the decision of a country that looks; `order` are the options, the best first, and
    `plans` what is to be chosen next for the same card, by option, where that is known already:
    what a card is praised for must be what is then advised."""

    def __init__(
        self, look: Look, order: list[int], seed: int, plans: dict[int, int] | None = None
    ) -> None:
        known = knowledge_of(look.seen.rules)
        self._planner = Planner(known.judge, known.habits, _LINES)
        self._start = look.deal(seed)
        self._me = decider(self._start)
        self._kind = current_op(self._start).kind
        self._order = order
        self._plans = plans or {}
        self._plan: int | None = None  # what is still to be chosen of the step looked at
        self._ends: dict[tuple[int, bool], _End] = {}
        self._occasions: list[Fact] = []  # for own cards, in the step that is looked at
        values = self._planner.values(self._start)
        worth = dict(zip(self._start.options, values, strict=True))
        if PASS in worth:
            self._idle = PASS
        else:
            wasted = [code for code in worth if self._is_waste(code)]
            idle = wasted or [code for code in worth if is_bare(self._start, code)]
            self._idle = (
                max(idle, key=worth.__getitem__) if idle else min(worth, key=worth.__getitem__)
            )

    def of(self, code: int) -> str:
        if len(self._order) == 1:
            return say("why.only")
        if verb_of(code) == DISCARD and self._kind != "discard-theirs":
            return self._of_discarding(code)
        if code == PASS and self._kind == "discard-step":
            return say("why.keep-hand" if self._order[0] == PASS else "why.keep-hand.all")
        for is_whole_card, facts in self._all_facts(code):
            said = [text for weight, text in facts[:2] if weight >= _WORTH_SAYING]
            said = said or [text for _, text in facts[:1]]
            if said:
                reason = said[0] if len(said) == 1 else say("why.two", one=said[0], other=said[1])
                return self._with_price(code, reason, is_whole_card)
        if code == PASS:
            return self._of_passing()
        if code == self._idle:  # a choice that must be made: the least good does something too
            facts = sorted(
                differences(self._end(code, False).state, self._start, self._me, self._start)
            )
            if facts:
                return facts[-1][1]
        return say("why.nothing")

    def is_useful(self, code: int) -> bool:
        """Whether an option does something. To pass may be wise, and to discard; neither is a
        choice in vain."""
        if verb_of(code) in (PASS, DISCARD) or len(self._order) == 1:
            return True
        if code == self._idle:
            end = self._end(code, verb_of(code) not in DEEDS).state
            return any(differences(end, self._start, self._me, self._start))
        return any(facts for _, facts in self._all_facts(code))

    def _all_facts(self, code: int) -> Iterator[tuple[bool, list[Fact]]]:
        """What an option brings by itself; and with what follows for the same card, where what
        only chooses has its effect."""
        for is_whole_card in (False,) if verb_of(code) in DEEDS else (False, True):
            yield is_whole_card, self._facts(code, self._other(code), is_whole_card)

    def _of_discarding(self, code: int) -> str:
        """Cards that leave the hand are told apart by how much they are missed."""
        card = _card(self._start.rules, card_of(code))
        others = [c for c in self._order if verb_of(c) == DISCARD]
        if self._kind == "play":
            best = code == self._order[0]
            return say("why.discard.turn" if best else "why.discard.waste", card=card)
        if self._kind == "discard-step" and code == self._order[0]:
            return say("why.discard.step", card=card)
        if code == others[0]:
            return say("why.discard", card=card)
        before = _card(self._start.rules, card_of(others[others.index(code) - 1]))
        return say("why.discard.more", card=card, before=before)

    def _of_passing(self) -> str:
        other = self._other(PASS)
        if verb_of(other) == USE:
            card = self._start.rules.cards[card_of(other)]
            if card.type in (RESPONSE, BOLSTER):
                return say("why.wait", card=_card(self._start.rules, card.index))
        return say("why.idle" if self._order[0] == PASS else "why.forgo")

    def _is_waste(self, code: int) -> bool:
        return self._kind == "play" and verb_of(code) == DISCARD

    def _other(self, code: int) -> int:
        """What an option is compared with: doing nothing; and doing nothing with the best other
        option."""
        if code != self._idle:
            return self._idle
        return next(c for c in self._order if c != code)

    def _facts(self, code: int, other: int, is_whole_card: bool) -> list[Fact]:
        end, idle = self._end(code, is_whole_card), self._end(other, is_whole_card)
        facts = [fact for fact in end.facts if fact not in idle.facts]
        facts += differences(end.state, idle.state, self._me, self._start)
        own, enemies = team_of(self._me), other_team(self._me)
        won = end.points[own] - idle.points[own]
        if won > 0:
            facts.append((float(won), say_many("why.points", won)))
        kept = idle.points[enemies] - end.points[enemies]
        if kept > 0:
            team = team_noun(TEAMS[enemies])
            facts.append((float(kept), say_many("why.points.deny", kept, team=team)))
        return sorted(facts, reverse=True)

    def _with_price(self, code: int, reason: str, is_whole_card: bool) -> str:
        """A reason with what the step costs beside the card that is played."""
        if code == self._idle:
            return reason
        end = self._end(code, is_whole_card).state
        idle = self._end(self._idle, is_whole_card).state
        cards = _cards_left(idle, self._me) - _cards_left(end, self._me)
        if self._kind == "play-more" and verb_of(code) == PLAY:
            cards -= 1
        return say_many("why.price", cards, reason=reason) if cards > 0 else reason

    # -- where a step leads --------------------------------------------------------------

    def _end(self, code: int, is_whole_card: bool) -> _End:
        key = (code, is_whole_card)
        if key not in self._ends:
            s = self._start.copy()
            s.log = []
            depth = len(s.stack) - is_whole_card
            turn = (s.round, s.country)
            self._occasions = []
            self._plan = self._plans.get(code)
            apply(s, code)
            while s.winner < 0 and (s.round, s.country) == turn and len(s.stack) > depth:
                self._go_on(s)
            is_same_turn = (s.round, s.country) == turn
            facts = [*_told(s, self._me, is_same_turn), *self._occasions]
            while s.winner < 0 and (s.round, s.country) == turn:
                if current_op(s).kind == "reposition":  # to let it be loses an air force
                    self._go_on(s)
                elif PASS in s.options:
                    apply(s, PASS)
                elif decider(s) == self._me or current_op(s).kind == "play":
                    break
                else:
                    apply(s, self._planner.habits.best(s))
            self._ends[key] = _End(s, facts, _points(s))
        return self._ends[key]

    def _go_on(self, s: State) -> None:
        """Take a decision within the step. No other card is used, save what lies open before
        an enemy, for that everyone can foresee."""
        who = decider(s)
        code = self._planned(s) if who == self._me else self._planner.habits.best(s)
        if current_op(s).kind == "react" and code != PASS:
            if who == self._me:
                card = _card(s.rules, card_of(code))
                self._occasions.append((0.9, say("why.occasion", card=card)))
            if not are_enemies(who, self._me) or card_of(code) not in s.zones[TABLE + who]:
                code = PASS
        apply(s, code)

    def _planned(self, s: State) -> int:
        if self._plan in s.options and not is_about_hand(s) and len(s.options) > 1:
            plan, self._plan = self._plan, None
            return plan
        values = self._planner.values(s)
        return s.options[max(range(len(values)), key=values.__getitem__)]


def is_bare(s: State, code: int) -> bool:
    """Whether a build only names a piece that is there, or a battle an empty space."""
    if verb_of(code) in (BUILD, RECRUIT):
        return bool(s.pieces[country_of(code)] >> space_of(code) & 1)
    return verb_of(code) == BATTLE and country_of(code) == NO_COUNTRY


def _told(s: State, me: int, is_same_turn: bool) -> Iterator[Fact]:
    """What a step brought that its end does not show."""
    drawn = 0
    for what, country, card, space, whose, _, _ in s.log or []:
        if country == me and what == "take":
            yield 1.6, say("why.fetch", card=_card(s.rules, card))
        elif country == me and what == "draw":
            drawn += 1
        elif country == me and what == "put-under":
            yield 0.8, say("why.under", card=_card(s.rules, card))
        elif country == me and what == "negate":
            yield 2.5, say("why.negate", card=_card(s.rules, card))
        elif what == "protect" and not are_enemies(whose, me):
            yield 1.8, say("why.protect", **_piece(whose, space))
    if drawn and is_same_turn:  # else they are what everyone draws at the end of a turn
        yield 0.5 * drawn, say_many("why.draw", drawn)


def _points(s: State) -> tuple[int, int]:
    """The points that cards brought the teams. Those of stars are left out: `_income` tells what
    they bring a round."""
    points = [0, 0]
    for what, country, card, _, _, n, _ in s.log or []:
        if what == "score" and (card >= 0 or n < 0):
            points[team_of(country)] += n
    return points[0], points[1]


# -- what differs ----------------------------------------------------------------------------


def differences(a: State, b: State, me: int, start: State) -> Iterator[Fact]:
    """What is better for a country's team in `a` than in `b`, each with its weight. Both come
    after `start`."""
    own, enemies = team_of(me), other_team(me)
    if a.winner != b.winner:
        if a.winner == own:
            yield 99.0, say("why.win")
        elif b.winner == enemies:
            yield 99.0, say("why.avert")
    yield from _income(a, b, own, "why.income")
    yield from _income(b, a, enemies, "why.deny")
    for country in range(own, 6, 2):
        yield from _better_for(a, b, country, start)
    for country in range(enemies, 6, 2):
        yield from _worse_for(a, b, country)
    yield from _reach_gained(a, b, own)
    yield from _own_cards(a, b, me, start)


def _income(a: State, b: State, team: int, id: str) -> Iterator[Fact]:
    """The points a round that a team would collect more in `a` than in `b`. What one country wins
    and a teammate loses does not count."""
    changes = {c: income(a, c) - income(b, c) for c in range(team, 6, 2)}
    points = sum(changes.values())
    if points > 0:
        changed = [country for country, change in changes.items() if change]
        if len(changed) == 1:
            who = country_noun(COUNTRIES[changed[0]])
            yield 3.0 * points, say_many(id, points, country=who)
        else:
            yield 3.0 * points, say_many(f"{id}.team", points, team=team_noun(TEAMS[team]))


def _better_for(a: State, b: State, country: int, start: State) -> Iterator[Fact]:
    home = 1 << HOMES[country]
    enemies = other_team(country)
    if b.team_mask(enemies) & home and not a.team_mask(enemies) & home:
        yield 9.0, say("why.free", country=country_noun(COUNTRIES[country]))
    for space in spaces_in(a.pieces[country] & ~b.pieces[country]):
        is_star = SUPPLY_MASK >> space & 1
        is_old = start.pieces[country] >> space & 1
        yield 1.5 + is_star, say("why.keep" if is_old else "why.put", **_piece(country, space))
    for space in spaces_in(a.air[country] & ~b.air[country]):
        is_old = start.air[country] >> space & 1
        yield 1.1, say("why.keep" if is_old else "why.put", **_air_force(country, space))
    both = a.pieces[country] & b.pieces[country]
    was = supplied_mask(start, country)
    for space in spaces_in(both & supplied_mask(a, country) & ~supplied_mask(b, country)):
        is_new = start.pieces[country] & ~was & 1 << space
        yield 2.5, say("why.supply.again" if is_new else "why.supply", space=_space(space))
    for space in spaces_in(both & SUPPLY_MASK & _reach(b, enemies) & ~_reach(a, enemies)):
        yield 1.2, say("why.safe", space=_space(space))
    for card in set(a.zones[TABLE + country]) - set(b.zones[TABLE + country]):
        is_later = card in a.fresh and a.rules.is_status_delayed
        id = "why.status.later" if is_later else "why.status"
        yield 2.4, say(id, card=_card(a.rules, card))


def _worse_for(a: State, b: State, country: int) -> Iterator[Fact]:
    it = country_noun(COUNTRIES[country])
    for space in spaces_in(b.pieces[country] & ~a.pieces[country]):
        yield 2.0, say("why.remove", **_piece(country, space))
    for space in spaces_in(b.air[country] & ~a.air[country]):
        yield 1.1, say("why.remove", **_air_force(country, space))
    both = a.pieces[country] & b.pieces[country]
    for space in spaces_in(both & supplied_mask(b, country) & ~supplied_mask(a, country)):
        yield 2.5, say("why.cut", **_piece(country, space))
    lost = _cards_left(b, country) - _cards_left(a, country)
    if lost > 0:
        yield 0.6 * lost, say_many("why.cost", lost, country=it)
    for card in set(b.zones[TABLE + country]) - set(a.zones[TABLE + country]):
        yield 2.4, say("why.take", card=_card(a.rules, card), country=it)


def _reach_gained(a: State, b: State, team: int) -> Iterator[Fact]:
    """Stars a team can now battle or build on."""
    stars = SUPPLY_MASK & _reach(a, team) & ~_reach(b, team)
    enemies = a.team_mask(1 - team) & b.team_mask(1 - team)
    for space in spaces_in(stars & enemies):
        yield 1.2, say("why.threaten", space=_space(space))
    taken = a.team_mask(0) | a.team_mask(1)
    for space in spaces_in(stars & ~taken):
        yield 1.1, say("why.way", space=_space(space))


def _own_cards(a: State, b: State, me: int, start: State) -> Iterator[Fact]:
    for card in set(a.zones[SET + me]) - set(b.zones[SET + me]):
        if card not in start.zones[SET + me]:
            yield 1.4, say("why.response", card=_card(a.rules, card))
    saved = _cards_left(a, me) - _cards_left(b, me)
    if saved > 0:
        yield 0.5 * saved, say_many("why.spare", saved)


def _card(rules: Rules, card: int) -> Noun:
    return card_noun(rules.cards[card].id, rules.cards[card].name)


def _space(space: int) -> Noun:
    return space_noun(SPACES[space][0])


def _piece(country: int, space: int) -> dict[str, Noun]:
    """A piece and where it stands, for a sentence."""
    kind = "army" if space < LAND_SPACES else "navy"
    return {"piece": piece_noun(COUNTRIES[country], kind), "space": _space(space)}


def _air_force(country: int, space: int) -> dict[str, Noun]:
    return {"piece": piece_noun(COUNTRIES[country], "air-force"), "space": _space(space)}


def _reach(s: State, team: int) -> int:
    """The spaces a team could battle."""
    return (
        near_supplied_mask(s, team) | near_supplied_mask(s, team + 2)
        | near_supplied_mask(s, team + 4)
    )  # fmt: skip


def _cards_left(s: State, country: int) -> int:
    return len(s.zones[HAND + country]) + len(s.zones[DECK + country])

"""Advice for people: what a good bot would do and why, and who is likely to win."""

from dataclasses import dataclass

from quartermaster.bots.knowledge import knowledge_of
from quartermaster.bots.mind.planner import Planner, is_about_hand
from quartermaster.bots.reasons import DEEDS, Reasons
from quartermaster.bots.search import LINES, WIDTH, Found, search
from quartermaster.errors import QuartermasterError, show
from quartermaster.forms.notation import Action, make_action
from quartermaster.rules.actions import DISCARD, PASS, card_of, verb_of
from quartermaster.rules.engine import apply, current_op, decider
from quartermaster.rules.imagine import MOST_ASKS
from quartermaster.rules.names import HAND
from quartermaster.rules.state import State
from quartermaster.sight.decision import decision_of
from quartermaster.sight.look import Look
from quartermaster.speech.say import say

# So few simulations that they need no clock: what a card is praised for when it is played, and
# where its next hint then leads, come of the same search and so agree.
_STEP_NODES = 250
_EVEN = 1.0  # standard errors within which options are as good as each other, ...
_EVEN_MOST = 0.01  # ... but no more than this, for few deals doubt much
_BEYOND_DOUBT = 3.0  # and those by which doing nothing must be better than doing something
_SAME = 0.001  # chances that differ by less are the same
_DEALS = 24  # of the hidden cards, for an estimate
_TURNS = 6  # that an estimate looks ahead


@dataclass(frozen=True)
class Hint:
    """An action worth thinking of, the chance to win with it, and a reason in words. Where
    several cards may go together, `cards` are the ids of those that best go with this one, itself
    among them, the best first: as many as the decision wants, a card held twice maybe twice."""

    action: Action
    chance: float
    reason: str
    cards: tuple[str, ...] = ()

    def __str__(self) -> str:
        action = self.action.phrase
        return say("why.hint", action=action, chance=round(self.chance * 100), reason=self.reason)


@dataclass(frozen=True)
class Estimate:
    """How a game is likely to end: the chance of each team, and the final lead of the Axis
    to expect, in points."""

    axis: float
    allies: float
    lead: float


def _check_look(look: object) -> None:
    if not isinstance(look, Look):
        raise QuartermasterError(f"expected a look, such as game.look('germany'), got {show(look)}")


def estimate(look: Look, seed: int = 0) -> Estimate:
    """Who is likely to win, by what a seat knows; of nobody's look, by what all can see.

    >>> from quartermaster import Game
    >>> game = Game.from_position({"score": [80, 45], "round": 18})
    >>> estimate(game.look()).axis > 0.9
    True
    """
    _check_look(look)
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
    _check_look(look)
    s = look.seen
    if not s.options:
        raise QuartermasterError("advice is for who has a decision; this look has none")
    thought = _think(look, seconds, nodes, cores, seed)
    shown = thought.order[:count]
    plans = {}
    for i in shown:
        later = _choice_after(look, s.options[i], seed)
        if later is not None:
            then = _think(later, seconds, nodes, cores, seed)
            plans[s.options[i]] = later.seen.options[then.order[0]]
    reasons = Reasons(look, [s.options[i] for i in thought.order], seed, plans)
    me = decider(s)
    return [
        Hint(
            make_action(s.rules, me, s.options[i]),
            chance,
            reasons.of(s.options[i]),
            _together(s, [s.options[j] for j in thought.order], s.options[i]),
        )
        for i, chance in zip(shown, thought.chances, strict=False)
    ]


def _together(s: State, order: list[int], code: int) -> tuple[str, ...]:
    """The cards that best go with one that goes, it among them. Each card's worth is its own, so
    the best are those that stand first; of any number, those that stand before keeping the rest.

    >>> from quartermaster import Game
    >>> first, second, *_ = advise(Game.new(seed=7).look("germany"))
    >>> len(first.cards), first.cards[0] == first.action.card, second.cards == first.cards
    (3, True, True)
    """
    if verb_of(code) != DISCARD or not is_about_hand(s):
        return ()
    is_any_number = current_op(s).kind == "discard-step"
    if is_any_number and PASS in order:
        order = order[: order.index(PASS)]
    hand = s.zones[HAND + decider(s)]
    best = [card_of(each) for each in order for _ in range(hand.count(card_of(each)))]
    if not is_any_number:
        best = best[: decision_of(s).count]
    if card_of(code) not in best:
        best = [*(best if is_any_number else best[:-1]), card_of(code)]
    return tuple(s.rules.cards[card].id for card in best)


@dataclass(frozen=True)
class _Thought:
    """The places of the options of a decision, the best first, and the chance to win with each."""

    order: list[int]
    chances: list[float]


def _think(look: Look, seconds: float, nodes: int, cores: int, seed: int) -> _Thought:
    """What is best, as a person would put it: of options that the search cannot tell apart the
    one that does most on the board comes first, by the judge."""
    s = look.seen
    if is_choice_of_card(s) and not nodes:
        nodes = _STEP_NODES
    found = search(look, seed, 0.0 if nodes else seconds, nodes, cores)
    tried = [i for i in range(len(s.options)) if found.visits[i]]
    order = sorted(tried, key=lambda i: (-found.chances[i], -found.visits[i], -found.promises[i]))
    if not is_about_hand(s):
        order = _told_apart(look, found, order, seed)
    # No option is shown behind one that comes after it.
    chances = [found.chances[i] for i in order]
    return _Thought(order, [max(chances[place:]) for place in range(len(chances))])


def _told_apart(look: Look, found: Found, order: list[int], seed: int) -> list[int]:
    """The order by chance, but for what the chances cannot tell apart. In a game that is as good
    as won every option has a chance of one, and what came first among them was chance."""
    options = look.seen.options
    most = found.chances[order[0]]

    def is_within(i: int, doubt: float) -> bool:
        return most - found.chances[i] <= max(_SAME, doubt)

    even = [i for i in order if is_within(i, min(_EVEN_MOST, _EVEN * found.doubts[i]))]
    even.sort(key=lambda i: -found.promises[i])
    order = even + [i for i in order if i not in even]
    reasons = Reasons(look, [options[i] for i in order], seed)
    useful = [
        i
        for i in order
        if is_within(i, _BEYOND_DOUBT * found.doubts[i]) and reasons.is_useful(options[i])
    ]
    return useful + [i for i in order if i not in useful]


def _choice_after(look: Look, code: int, seed: int) -> Look | None:
    """What the country will know when it next chooses for the same card, if nobody reacts: what
    it is then advised to is what the card is praised for now."""
    if verb_of(code) in DEEDS:  # it is told by itself
        return None
    s = look.deal(seed)
    me = decider(s)
    depth = len(s.stack)
    apply(s, code)
    for _ in range(MOST_ASKS):
        if s.winner >= 0 or len(s.stack) < depth:
            return None
        if current_op(s).kind == "react":
            apply(s, PASS)
        elif decider(s) != me:
            return None
        elif is_about_hand(s) and s.stack[-1].card >= 0:  # what the card costs
            apply(s, s.options[search(Look.at(s, look.countries), seed, 0.0).best])
        elif len(s.options) == 1:
            apply(s, s.options[0])
        else:
            break
    return Look.at(s, look.countries) if is_choice_of_card(s) else None


def is_choice_of_card(s: State) -> bool:
    """Whether the decision is one that the text of a card in play asks for."""
    return s.stack[-1].card >= 0 and current_op(s).kind not in ("react", "discard", "play-more")

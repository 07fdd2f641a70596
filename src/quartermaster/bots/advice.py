"""Advice for people: what a good bot would do and why, and who is likely to win."""

from dataclasses import dataclass

from quartermaster.bots.knowledge import knowledge_of
from quartermaster.bots.mind.planner import Planner
from quartermaster.bots.reasons import Reasons
from quartermaster.bots.search import LINES, WIDTH, search
from quartermaster.errors import QuartermasterError, show
from quartermaster.forms.notation import Action, make_action
from quartermaster.rules.engine import decider
from quartermaster.sight.look import Look
from quartermaster.speech.say import say

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
    found = search(look, seed, 0.0 if nodes else seconds, nodes, cores)
    tried = [i for i in range(len(s.options)) if found.visits[i]]
    order = sorted(tried, key=lambda i: (-found.chances[i], -found.visits[i]))
    reasons = Reasons(look, [s.options[i] for i in order], seed)
    me = decider(s)
    return [
        Hint(make_action(s.rules, me, s.options[i]), found.chances[i], reasons.of(s.options[i]))
        for i in order[:count]
    ]

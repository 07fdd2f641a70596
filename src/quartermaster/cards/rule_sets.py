"""The rule sets: each row of the rules' table is one value here, asked in one place."""

import copyreg
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from quartermaster.cards import (
    germany,
    italy,
    japan,
    soviet_union,
    united_kingdom,
    united_states,
)
from quartermaster.cards.card_sets import (
    CARD_SETS,
    CardSet,
    card_set,
    compose,
    load_card_sets,
    own_sets,
    where_from,
)
from quartermaster.errors import QuartermasterError, UnknownName, show
from quartermaster.rules.programs import link
from quartermaster.rules.rule_set import Rules
from quartermaster.speech.say import say

card_set(
    "first",
    "The cards of the first edition, and of the French rules.",
    germany=germany.FIRST,
    united_kingdom=united_kingdom.FIRST,
    japan=japan.FIRST,
    soviet_union=soviet_union.FIRST,
    italy=italy.FIRST,
    united_states=united_states.FIRST,
)
card_set(
    "second",
    "The cards of the second edition.",
    germany=germany.SECOND,
    united_kingdom=united_kingdom.SECOND,
    japan=japan.SECOND,
    soviet_union=soviet_union.SECOND,
    italy=italy.SECOND,
    united_states=united_states.SECOND,
)
card_set(
    "air-marshal",
    "The cards of the Air Marshal expansion.",
    germany=germany.AIR_MARSHAL,
    united_kingdom=united_kingdom.AIR_MARSHAL,
    japan=japan.AIR_MARSHAL,
    soviet_union=soviet_union.AIR_MARSHAL,
    italy=italy.AIR_MARSHAL,
    united_states=united_states.AIR_MARSHAL,
)

_ARMIES = (7, 5, 5, 7, 4, 5)
_NAVIES = (3, 5, 5, 1, 3, 5)
_AIR_FORCES = (2, 2, 2, 1, 1, 3)


@dataclass(frozen=True)
class Option:
    """A choice that players make before the game."""

    name: str
    default: bool
    cards: str = ""  # the card set it brings

    @property
    def text(self) -> str:
        return say(f"option.{self.name}")


REALLOCATE = Option("reallocate", True)
LEAD_VICTORY = Option("lead-victory", False)
AIR_MARSHAL = Option("air-marshal", False, cards="air-marshal")


@dataclass(frozen=True)
class RuleSet:
    """A rule set as players pick it: a value for each rule in which the editions differ.

    >>> RULE_SETS["second"].lead_to_win, len(RULE_SETS["second"].seats)
    (30, 5)
    """

    name: str
    edition: str  # whose board and card set
    options: tuple[Option, ...]
    us_navies: int  # of the United States; all other pieces are as many in every edition
    has_sudden_victory: bool  # two enemy home spaces, or 400 points, win at once
    lead_to_win: int | None  # points ahead at the end of a round; None: an option
    has_reallocate: bool | None  # whether there is Reallocate Resources; None: an option
    is_status_delayed: bool  # a status holds only from the round after it was played
    is_removal_free: bool  # own pieces may be taken off at any time, not only when all are placed
    is_hand_behind_deck: bool  # what an empty deck cannot discard comes from hand, not from points
    is_empty_hand_costly: bool  # a country without a card to play discards one off its deck
    is_score_difference: bool  # the track shows the lead alone, not both totals
    seats: Mapping[int, tuple[tuple[int, ...], ...]]  # by the number of players

    @property
    def text(self) -> str:
        """What it is, in a line.

        >>> len(RULE_SETS["second"].text) > 0
        True
        """
        return say(f"rules.{self.name}")


_TWO = ((0, 2, 4), (1, 3, 5))
_SIX = ((0,), (1,), (2,), (3,), (4,), (5,))
_FIRST_SEATS = {
    2: _TWO,
    3: ((0, 4), (1, 3, 5), (2,)),
    4: ((0, 4), (1, 5), (2,), (3,)),
    5: ((0, 4), (1,), (2,), (3,), (5,)),
    6: _SIX,
}
_SECOND_SEATS = {
    2: _TWO,
    3: ((0,), (1, 3, 5), (2, 4)),
    4: ((0,), (1, 5), (2, 4), (3,)),
    5: ((0,), (1,), (2, 4), (3,), (5,)),
    6: _SIX,
}

_FIRST = RuleSet(
    name="first",
    edition="first",
    options=(LEAD_VICTORY, replace(REALLOCATE, default=False), AIR_MARSHAL),
    us_navies=5,
    has_sudden_victory=True,
    lead_to_win=None,
    has_reallocate=None,
    is_status_delayed=False,
    is_removal_free=True,
    is_hand_behind_deck=True,
    is_empty_hand_costly=False,
    is_score_difference=False,
    seats=_FIRST_SEATS,
)

RULE_SETS: dict[str, RuleSet] = {
    "first": _FIRST,
    "french": replace(
        _FIRST,
        name="french",
        options=(AIR_MARSHAL,),
        has_sudden_victory=False,
        lead_to_win=30,
        has_reallocate=True,
        is_status_delayed=True,
        is_removal_free=False,
        is_score_difference=True,
    ),
    "second": RuleSet(
        name="second",
        edition="second",
        options=(REALLOCATE, AIR_MARSHAL),
        us_navies=6,
        has_sudden_victory=False,
        lead_to_win=30,
        has_reallocate=None,
        is_status_delayed=False,
        is_removal_free=True,
        is_hand_behind_deck=False,
        is_empty_hand_costly=True,
        is_score_difference=False,
        seats=_SECOND_SEATS,
    ),
}


@cache
def _rules(
    name: str, chosen: tuple[tuple[str, bool], ...], own: tuple[CardSet, ...], is_version_1: bool
) -> Rules:
    rule_set = RULE_SETS[name]
    options = dict(chosen)
    has_air = options["air-marshal"]
    has_reallocate = has_air or rule_set.has_reallocate is True or options.get("reallocate", False)
    if rule_set.lead_to_win is not None:
        lead_to_win = rule_set.lead_to_win
    else:
        lead_to_win = 30 if options["lead-victory"] else 0
    brought = [CARD_SETS[o.cards] for o in rule_set.options if o.cards and options[o.name]]
    decks = compose([CARD_SETS[rule_set.edition], *brought, *own])
    cards = [card.card(country) for country, deck in enumerate(decks) for card in deck]
    programs = link(cards, has_reallocate, has_air)
    navies = (*_NAVIES[:5], rule_set.us_navies)
    return Rules(
        name=name,
        cards=cards,
        programs=programs,
        options=options,
        sets=tuple(one.name for one in own),
        board=rule_set.edition,
        piece_limits=(_ARMIES, navies, _AIR_FORCES if has_air else (0,) * 6),
        setup_draw=12 if has_air else 10,
        has_air_forces=has_air,
        has_sudden_victory=rule_set.has_sudden_victory and not has_air,
        lead_to_win=lead_to_win,
        is_status_delayed=rule_set.is_status_delayed,
        is_removal_free=rule_set.is_removal_free,
        is_hand_behind_deck=rule_set.is_hand_behind_deck,
        is_empty_hand_costly=rule_set.is_empty_hand_costly,
        is_score_difference=rule_set.is_score_difference,
        is_version_1=is_version_1,
    )


def load_rules(
    name: str,
    options: Mapping[str, bool] | None = None,
    sets: Sequence[str] = (),
    is_version_1: bool = False,
) -> Rules:
    """The rules of a set, with its options and with card sets that people have added, by their
    names (`find_card_set` registers them); made once and shared. Those of
    version 1 are for games that began before version 2 of records.

    >>> load_rules("second").setup_draw, load_rules("second", {"air-marshal": True}).setup_draw
    (10, 12)
    """
    if not isinstance(name, str) or name not in RULE_SETS:
        raise UnknownName("rule set", name, RULE_SETS)
    if options is not None and not isinstance(options, Mapping):
        raise QuartermasterError(f"options: expected names with true or false, got {show(options)}")
    chosen = {option.name: option.default for option in RULE_SETS[name].options}
    for option, value in (options or {}).items():
        if option not in chosen:
            raise UnknownName(f"option of rule set {name!r}", option, chosen)
        if not isinstance(value, bool):
            raise QuartermasterError(f"option {option}: expected true or false, got {show(value)}")
        chosen[option] = value
    if chosen["air-marshal"]:
        # The expansion always has these. The options say so, or games that are alike would differ.
        chosen.update({name: True for name in ("reallocate", "lead-victory") if name in chosen})
    return _rules(name, tuple(sorted(chosen.items())), tuple(own_sets(sets)), is_version_1)


def _by_name(rules: Rules) -> tuple[Any, ...]:
    """How rules are pickled, and with them every state: by what they are loaded with, for each
    process has one of them. `Rules` itself knows nothing of cards and their files."""
    if load_rules(rules.name, rules.options, rules.sets, rules.is_version_1) is not rules:
        raise QuartermasterError(f"only rules that load_rules gives can be pickled, not {rules!r}")
    return _load_again, (rules.name, rules.options, where_from(rules.sets), rules.is_version_1)


def _load_again(name: str, options: dict[str, bool], sets: list[str], is_version_1: bool) -> Rules:
    return load_rules(name, options, load_card_sets(sets), is_version_1=is_version_1)


copyreg.pickle(Rules, _by_name)  # copies are made in this way too

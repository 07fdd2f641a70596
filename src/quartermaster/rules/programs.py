"""From cards as declared to a rule set: one flat program per card, one list of programs."""

from quartermaster.rules.card import Card, Op, Program
from quartermaster.rules.effects.air import AirAttack, AirDefense, GiveUpAirForce
from quartermaster.rules.effects.cards import BASIC_TYPES, Search
from quartermaster.rules.effects.costs import HandCost
from quartermaster.rules.effects.pieces import Part
from quartermaster.rules.flow import (
    About,
    Battled,
    DrawOne,
    Payment,
    Played,
    Removed,
    Reposition,
    TakeOff,
    Used,
    UsedDone,
)
from quartermaster.rules.names import (
    BOLSTER,
    DEPLOY_AIR_FORCE,
    RULE,
    START_AIR,
    START_DISCARD,
    START_DRAW,
    START_PLAY,
    START_SUPPLY,
    START_TURN,
    START_VICTORY,
    STATUS,
    types,
)
from quartermaster.rules.turn import (
    AirStep,
    BeginStep,
    BeginTurn,
    CollectPoints,
    DiscardStep,
    DrawStep,
    EndTurn,
    KeepHand,
    Marshal,
    PlayStep,
    SupplyStep,
)
from quartermaster.rules.when import MayAttack, MayDefend, StartOf
from quartermaster.rules.where import BESIDE_THERE
from quartermaster.rules.window import Window


def system_programs(has_air_forces: bool) -> list[Program]:
    """The programs every rule set begins with, in the order of the constants of `flow`."""
    turn: list[Op] = [BeginTurn(), BeginStep(START_TURN), BeginStep(START_PLAY), PlayStep()]
    if has_air_forces:
        turn += [BeginStep(START_AIR), AirStep(), Marshal()]
    turn += [
        BeginStep(START_SUPPLY), SupplyStep(), BeginStep(START_VICTORY), CollectPoints(),
        BeginStep(START_DISCARD), DiscardStep(), BeginStep(START_DRAW), DrawStep(), EndTurn(),
    ]  # fmt: skip
    removal: list[Op] = [About(), TakeOff(), Reposition(), Removed()]
    programs: list[list[Op]] = [
        turn,
        [KeepHand()],
        [Window()],
        [*removal, Battled()],
        removal,
        [Payment()],
        [DrawOne()],
    ]
    return [Program(ops, len(ops)) for ops in programs]


def program_of(card: Card) -> Program:
    """What happens when a card is played or, if it is a reaction, used."""
    ops: list[Op] = []
    if not card.is_reaction:
        if card.names_target is not None:
            ops.append(card.names_target)
        ops.append(Played())
        ops += card.effects
        return Program(ops, len(ops))
    ops += card.cost
    if card.type == STATUS or card.type == BOLSTER:
        ops.append(Used())
    ops += card.effects
    if card.type == STATUS or card.type == BOLSTER:
        ops.append(UsedDone())
        tail = len(ops) - 1
    else:
        tail = len(ops)
    parts = [op for op in card.effects if isinstance(op, Part)]
    if len(parts) == 1 and len(card.effects) == 1 and parts[0].is_users():
        card.is_must = True
    return Program(ops, tail)


def rule_cards(has_reallocate: bool, has_air_forces: bool) -> list[Card]:
    """What the rules let every country do as a reaction, in the form of cards."""
    cards: list[Card] = []
    if has_reallocate:
        fetchable = BASIC_TYPES | (types(DEPLOY_AIR_FORCE) if has_air_forces else 0)
        fetched = "Build Army, Build Navy, Land Battle"
        fetched += ", Sea Battle or Deploy Air Force" if has_air_forces else " or Sea Battle"
        for country in range(6):
            card = Card(
                "Reallocate Resources",
                RULE,
                "At the start of your play step, once per turn: discard 4 cards from hand to"
                f" take a {fetched} card from your deck into hand, shown to all. Shuffle the deck.",
                [HandCost(4, is_strict=True)],
                [Search(fetchable)],
                trigger=StartOf(START_PLAY),
                is_once=True,
            )
            card.id = "reallocate-resources"
            card.country = country
            cards.append(card)
    if has_air_forces:
        for country in range(6):
            card = Card(
                "Air Defense",
                RULE,
                "When your army or navy would be removed by a battle: remove your air force in"
                " its space instead.",
                [],
                [AirDefense()],
                trigger=MayDefend(),
            )
            card.id = "air-defense"
            card.country = country
            cards.append(card)
            card = Card(
                "Air Attack",
                RULE,
                "When an enemy uses air defense: remove your air force adjacent to the battled"
                " space to remove the targeted army or navy after all.",
                [GiveUpAirForce(BESIDE_THERE)],
                [AirAttack()],
                trigger=MayAttack(),
            )
            card.id = "air-attack"
            card.country = country
            cards.append(card)
    return cards


def link(cards: list[Card], has_reallocate: bool, has_air_forces: bool) -> list[Program]:
    """Number the cards, add those of the rules to the list, and give each its program."""
    cards += rule_cards(has_reallocate, has_air_forces)
    programs = system_programs(has_air_forces)
    for index, card in enumerate(cards):
        card.index = index
        if card.effects:
            card.program = len(programs)
            programs.append(program_of(card))
    return programs

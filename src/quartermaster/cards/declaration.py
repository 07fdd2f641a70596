"""How a card is declared, and how one deck is made out of another."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quartermaster.rules.card import Always, Card, Num, Op, Trigger
from quartermaster.rules.effects.cards import Score
from quartermaster.rules.effects.pieces import Battle, Build
from quartermaster.rules.effects.warfare import NameTarget
from quartermaster.rules.names import (
    ARMY,
    BOLSTER,
    BUILD_ARMY,
    BUILD_NAVY,
    DEPLOY_AIR_FORCE,
    ECONOMIC_WARFARE,
    EVENT,
    LAND_BATTLE,
    NAVY,
    RESPONSE,
    SEA_BATTLE,
    STATUS,
)
from quartermaster.rules.when import InVictoryStep


@dataclass(frozen=True)
class Declaration:
    """A card as it is declared; `card` makes the engine's card of it."""

    name: str
    type: int
    text: str
    do: Sequence[Op] = ()
    when: Trigger | None = None
    cost: Sequence[Op] = ()
    once: bool = False
    auto: bool = False
    in_place: bool = False
    always: Always | None = None
    needs: Num | None = None
    target: NameTarget | None = None
    copies: int = 1

    def card(self, country: int) -> Card:
        card = Card(
            self.name,
            self.type,
            self.text,
            list(self.cost),
            list(self.do),
            trigger=self.when,
            is_once=self.once,
            is_auto=self.auto,
            is_in_place=self.in_place,
            always=self.always,
            needs=self.needs,
            names_target=self.target,
            copies=self.copies,
        )
        card.id = slug(self.name)
        card.country = country
        return card


def slug(name: str) -> str:
    """The id of a card, from its name.

    >>> slug("Shvernik's Evacuation Council")
    'shverniks-evacuation-council'
    """
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"['.]", "", name.lower())).strip("-")


def basic_cards(
    build_army: int, build_navy: int, land_battle: int, sea_battle: int
) -> list[Declaration]:
    """The four kinds of cards that every country has, so many of each."""
    return [
        Declaration("Build Army", BUILD_ARMY, "Build an army.", [Build(ARMY)], copies=build_army),
        Declaration("Build Navy", BUILD_NAVY, "Build a navy.", [Build(NAVY)], copies=build_navy),
        Declaration(
            "Land Battle", LAND_BATTLE, "Battle a land space.", [Battle(ARMY)], copies=land_battle
        ),
        Declaration(
            "Sea Battle", SEA_BATTLE, "Battle a sea space.", [Battle(NAVY)], copies=sea_battle
        ),
    ]


def event(name: str, text: str, *do: Op) -> Declaration:
    return Declaration(name, EVENT, text, do)


def warfare(
    name: str,
    text: str,
    *do: Op,
    needs: Num | None = None,
    target: NameTarget | None = None,
    copies: int = 1,
) -> Declaration:
    """An economic-warfare card."""
    return Declaration(name, ECONOMIC_WARFARE, text, do, needs=needs, target=target, copies=copies)


def status(
    name: str,
    text: str,
    *do: Op,
    when: Trigger | None = None,
    once: bool = False,
    cost: Sequence[Op] = (),
    auto: bool = False,
    in_place: bool = False,
    always: Always | None = None,
) -> Declaration:
    return Declaration(
        name, STATUS, text, do,
        when=when, cost=cost, once=once, auto=auto, in_place=in_place, always=always,
    )  # fmt: skip


def victory_status(name: str, text: str, points: Num) -> Declaration:
    """A status that gives points in the own victory step, by itself."""
    return status(name, text, Score(points), when=InVictoryStep(), auto=True)


def response(name: str, text: str, *do: Op, when: Trigger) -> Declaration:
    return Declaration(name, RESPONSE, text, do, when=when)


def bolster(name: str, text: str, *do: Op, when: Trigger, cost: Sequence[Op] = ()) -> Declaration:
    return Declaration(name, BOLSTER, text, do, when=when, cost=cost)


def deploy_air_force(copies: int) -> Declaration:
    return Declaration(
        "Deploy Air Force",
        DEPLOY_AIR_FORCE,
        "In your air-force step: discard this card to deploy an air force in a space with your"
        " supplied army or navy. In your play step it can only be discarded for nothing.",
        copies=copies,
    )


@dataclass(frozen=True)
class Alteration:
    """What is different about a card of the same name."""

    name: str
    changes: dict[str, Any]


def alter(name: str, **changes: Any) -> Alteration:
    """A card that is as before but for some things."""
    return Alteration(name, changes)


def revise(
    base: Iterable[Declaration],
    *,
    gone: Iterable[str] = (),
    changed: Iterable[Declaration | Alteration] = (),
    added: Iterable[Declaration] = (),
) -> list[Declaration]:
    """A deck as the difference from another: cards that are gone, that changed under the
    same name, and that are new. What is not named is the same in both."""
    deck = {card.name: card for card in base}
    for name in gone:
        del deck[name]
    for change in changed:
        before = deck[change.name]
        deck[change.name] = (
            replace(before, **change.changes) if isinstance(change, Alteration) else change
        )
    for card in added:
        if card.name in deck:
            raise KeyError(card.name)
        deck[card.name] = card
    return list(deck.values())

"""`/api/rules`, `/api/bots`: what never changes while the server runs."""

from functools import cache
from typing import Annotated, Any

from litestar import Controller, get
from litestar.params import PathParameter, QueryParameter

from quartermaster.bots import BotData, bots_data
from quartermaster.cards.as_data import (
    BoardData,
    CardData,
    RuleSetData,
    RulingData,
    board_data,
    card_data,
    compare_data,
    rules_data,
    rulings_data,
)
from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.errors import UnknownName
from quartermaster.rules.names import RULE
from quartermaster.speech.say import spoken

RuleSetName = Annotated[str, PathParameter(max_length=20)]


class ServedCard(CardData):
    """A card, and whether it can be used outside the own play step."""

    reacts: bool


class Library(Controller):
    """Rule sets, cards, boards, bots."""

    path = "/api"
    tags = ("Rules",)

    @get("/rules", summary="Rule sets, their options and seats", sync_to_thread=False)
    def rules(self) -> list[RuleSetData]:
        return rules_data()

    @get("/rules/{name:str}/cards", summary="All cards of a rule set", sync_to_thread=False)
    def cards(
        self,
        name: RuleSetName,
        air_marshal: Annotated[bool, QueryParameter(name="air-marshal")] = False,
    ) -> list[ServedCard]:
        return _cards(_known(name), air_marshal, spoken())

    @get("/rules/{name:str}/board", summary="The board of a rule set", sync_to_thread=False)
    def board(self, name: RuleSetName) -> BoardData:
        return board_data(RULE_SETS[_known(name)].edition)

    @get("/rules/{name:str}/compare/{other:str}", sync_to_thread=False, summary="What differs")
    def compare(self, name: RuleSetName, other: RuleSetName) -> dict[str, Any]:
        return compare_data(_known(name), _known(other))

    @get("/rulings", summary="Rulings on cards", sync_to_thread=False)
    def rulings(self) -> list[RulingData]:
        """What was decided where a card's text leaves something open."""
        return rulings_data()

    @get("/bots", summary="The bots, from weak to strong", sync_to_thread=False)
    def bots(self) -> list[BotData]:
        return bots_data()


def _known(name: str) -> str:
    if name not in RULE_SETS:
        raise UnknownName("rule set", name, RULE_SETS)
    return name


@cache
def _cards(name: str, air_marshal: bool, language: str) -> list[ServedCard]:
    rules = load_rules(name, {"air-marshal": air_marshal})
    return [
        {**card_data(rules, card), "reacts": card.trigger is not None}
        for card in rules.cards
        if card.type != RULE
    ]

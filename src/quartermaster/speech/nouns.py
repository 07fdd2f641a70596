"""What sentences speak of: countries, spaces, pieces, cards. Spaces and cards have English
names of their own, which other languages' catalogues replace."""

from functools import cache

from quartermaster.rules.board import SPACE_INDEX, SPACES
from quartermaster.rules.card import Card
from quartermaster.rules.names import COUNTRIES, RULE, STATUS
from quartermaster.rules.rule_set import Rules
from quartermaster.speech.say import Noun, say

HIDDEN_CARD = Noun("card.hidden")


@cache
def country_noun(country: str) -> Noun:
    """
    >>> str(country_noun("italy")), country_noun("italy").of
    ('Italy', "Italy's")
    """
    return Noun(f"country.{country}")


@cache
def team_noun(team: str) -> Noun:
    return Noun(f"team.{team}")


@cache
def space_noun(space: str) -> Noun:
    return Noun(f"space.{space}", SPACES[SPACE_INDEX[space]][1])


@cache
def piece_noun(country: str, piece: str) -> Noun:
    """
    >>> piece_noun("italy", "air-force").a
    'an Italian air force'
    """
    return Noun(f"piece.{country}.{piece}")


@cache
def type_noun(card_type: str) -> Noun:
    return Noun(f"type.{card_type}")


@cache
def card_noun(card: str, name: str) -> Noun:
    """A card by its id, and its English name."""
    return Noun(f"card.{card}", name)


def card_text(rules: Rules, card: Card) -> str:
    """What a card says. What the rules let every country do has one text for all."""
    if card.type == RULE:
        expansion = "air-marshal" if rules.has_air_forces else "base"
        return str(Noun(f"text.rule.{expansion}.{card.id}", card.text))
    edition, country = rules.board.edition, COUNTRIES[card.country]
    text = str(Noun(f"text.{edition}.{country}.{card.id}", card.text))
    if card.type == STATUS and rules.is_status_delayed:
        return say("delayed.status", text=text)
    return text

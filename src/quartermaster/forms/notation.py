"""The text form of actions, and ids to ints and back.

Every action has one stable text, read together with the country that acts:

    play blitzkrieg        discard land-battle      use stalingrad        pass
    build army ukraine     recruit navy north-sea   battle ukraine soviet-union
    battle china           (an empty space)
    recruit army balkans united-kingdom              (a teammate's piece)
    eliminate army ukraine soviet-union              remove army balkans
"""

from dataclasses import dataclass, field
from functools import cache

from quartermaster.errors import UnknownName
from quartermaster.rules import actions as verbs
from quartermaster.rules.actions import VERBS
from quartermaster.rules.board import LAND_SPACES, SPACE_INDEX, SPACES
from quartermaster.rules.names import AIR_FORCE, ARMY, COUNTRIES, PIECES, RULE, TEAMS
from quartermaster.rules.state import Card, Rules
from quartermaster.speech.nouns import card_noun, country_noun, piece_noun, space_noun
from quartermaster.speech.say import say

_ON_CARD = {
    verbs.PLAY, verbs.DISCARD, verbs.USE, verbs.TAKE, verbs.PUT, verbs.LAY,
}  # fmt: skip
_COUNTRY_INDEX = {name: index for index, name in enumerate(COUNTRIES)}
_ON_COUNTRY = {verbs.CHOOSE, verbs.DISCARD_RESPONSE}
_AIR = {
    verbs.ELIMINATE_AIR, verbs.REMOVE_AIR, verbs.DEPLOY, verbs.MARSHAL, verbs.MOVE,
}  # fmt: skip


# What the rules let countries use in some rule sets, and not in others.
_RULE_CARDS = ("reallocate-resources", "air-defense", "air-attack")


@dataclass(frozen=True)
class Action:
    """One choice of one country. `str(action)` is its text.

    `verb` and the rest say what the text says: the card it names, the space, the kind of
    piece, and the country whose piece it is, each `None` where it does not apply.
    """

    country: str
    text: str
    code: int
    verb: str
    card: str | None = None
    space: str | None = None
    piece: str | None = None
    target: str | None = None
    card_name: str = field(default="", compare=False, repr=False)  # in English

    @property
    def phrase(self) -> str:
        """The same for people, in the language spoken: "Battle the Soviet army in Ukraine"."""
        parts: dict[str, object] = {}
        if self.card is not None:
            parts["card"] = card_noun(self.card, self.card_name)
        if self.space is not None:
            parts["space"] = space_noun(self.space)
        if self.target is not None:
            parts["country"] = country_noun(self.target)
            if self.piece is not None:
                parts["piece"] = piece_noun(self.target, self.piece)
        elif self.verb == "battle":
            return say("do.battle.empty", **parts)
        return say(f"do.{self.verb}", **parts)

    def __hash__(self) -> int:
        return hash((self.country, self.text))  # which tell all the rest

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.country}: {self.text}>"


@cache
def make_action(rules: Rules, country: int, code: int) -> Action:
    """The action a code stands for when a country does it. Made once, then shared."""
    verb = verbs.verb_of(code)
    word = verbs.VERBS[verb]
    actor = COUNTRIES[country]
    if verb in (verbs.PASS, verbs.DISCARD_DECK):
        return Action(actor, word, code, word)
    if verb in _ON_CARD:
        card = rules.cards[verbs.card_of(code)]
        text = f"{word} {card.id}"
        return Action(actor, text, code, word, card=card.id, card_name=card.name)
    whose = verbs.country_of(code)
    if verb in _ON_COUNTRY:
        target = COUNTRIES[whose]
        return Action(actor, f"{word} {target}", code, word, target=target)
    index = verbs.space_of(code)
    space = SPACES[index][0]
    piece = "air-force" if verb in _AIR else "army" if index < LAND_SPACES else "navy"
    if verb == verbs.BATTLE:
        enemy = None if whose == verbs.NO_COUNTRY else COUNTRIES[whose]
        text = f"battle {space}" if enemy is None else f"battle {space} {enemy}"
        return Action(actor, text, code, word, space=space, piece=piece, target=enemy)
    target = COUNTRIES[whose]
    if verb in (verbs.DEPLOY, verbs.MARSHAL, verbs.MOVE):
        text = f"{word} {space}"
    elif whose == country and verb not in (verbs.ELIMINATE, verbs.ELIMINATE_AIR):
        text = f"{word} {piece} {space}"
    else:
        text = f"{word} {piece} {space} {target}"
    return Action(actor, text, code, word, space=space, piece=piece, target=target)


@cache
def action_names(rules: Rules) -> tuple[str, ...]:
    """The actions of a rule set by their numbers (`rules.numbering`), each with the country of
    its card or piece, for a number does not tell who acts.

    >>> from quartermaster.cards.rule_sets import load_rules
    >>> names = action_names(load_rules("second"))
    >>> names[0], names[1], [name for name in names if "battle army ukraine" in name][-1]
    ('pass', 'play germany build-army', 'battle army ukraine nobody')
    """
    return tuple(_name_of(rules, code) for code in rules.numbering.codes)


@cache
def _numbers(rules: Rules) -> dict[str, int]:
    return {name: number for number, name in enumerate(action_names(rules))}


def action_number(rules: Rules, name: object) -> int:
    """The number of an action, from its name."""
    numbers = _numbers(rules)
    if isinstance(name, str) and name in numbers:
        return numbers[name]
    raise UnknownName("action", name, numbers)


def _name_of(rules: Rules, code: int) -> str:
    verb = verbs.verb_of(code)
    word = verbs.VERBS[verb]
    if verb == verbs.PASS:
        return word
    if verb in _ON_CARD:
        card = rules.cards[verbs.card_of(code)]
        return f"{word} {COUNTRIES[card.country]} {card.id}"
    whose = verbs.country_of(code)
    owner = "nobody" if whose == verbs.NO_COUNTRY else COUNTRIES[whose]
    if verb in _ON_COUNTRY or verb == verbs.DISCARD_DECK:
        return f"{word} {owner}"
    space = verbs.space_of(code)
    piece = "air-force" if verb in _AIR else "army" if space < LAND_SPACES else "navy"
    return f"{word} {piece} {SPACES[space][0]} {owner}"


def country_index(name: object) -> int:
    """The number of a country, from its id."""
    if isinstance(name, str) and name in _COUNTRY_INDEX:
        return _COUNTRY_INDEX[name]
    raise UnknownName("country", name, COUNTRIES)


def space_index(name: object) -> int:
    if isinstance(name, str) and name in SPACE_INDEX:
        return SPACE_INDEX[name]
    raise UnknownName("space", name, SPACE_INDEX)


def team_index(name: object) -> int:
    if isinstance(name, str) and name in TEAMS:
        return TEAMS.index(name)
    raise UnknownName("team", name, TEAMS)


@cache
def deck_of(rules: Rules, country: int) -> dict[str, Card]:
    """A country's cards by id."""
    return {c.id: c for c in rules.cards if c.country == country and c.type != RULE}


def check_action(rules: Rules, country: int, text: str) -> None:
    """Refuse a text that no action of a country could begin with: its words must be known, and
    stand where such words stand."""
    verb, *words = text.split() or [""]
    if verb not in VERBS:
        raise UnknownName("action", verb, VERBS)
    if verb in ("pass", "discard-deck"):
        kinds: list[str] = []
    elif verb in ("play", "discard", "use", "take", "put", "lay"):
        kinds = ["card"]
    elif verb in ("choose", "discard-response"):
        kinds = ["country"]
    elif verb in ("deploy", "marshal", "move"):
        kinds = ["space"]
    elif verb == "battle":
        kinds = ["space", "country"]
    else:
        kinds = ["piece", "space", "country"]
    if len(words) > len(kinds):
        shape = " ".join([verb, *(kind.upper() for kind in kinds)])
        raise UnknownName(f"action of the form {shape!r}", text, [])
    for kind, word in zip(kinds, words, strict=False):
        known = _words_of_kind(rules, country, verb, kind)
        if word not in known:
            what = f"card of {COUNTRIES[country]}" if kind == "card" else kind
            raise UnknownName(what, word, known)
    if kinds[:1] == ["piece"] and len(words) > 1 and words[0] != PIECES[AIR_FORCE]:
        if (words[0] == PIECES[ARMY]) != (SPACE_INDEX[words[1]] < LAND_SPACES):
            raise UnknownName(
                f"space for {'an army' if words[0] == 'army' else 'a navy'}", words[1], []
            )


def _words_of_kind(rules: Rules, country: int, verb: str, kind: str) -> list[str]:
    """What may stand in a place of an action."""
    if kind == "card":
        cards = [card for card in rules.cards if card.country == country]
        if verb == "discard":  # also another's from the table, by a card that says so
            cards = rules.cards
        known = [card.id for card in cards]
        return known + list(_RULE_CARDS) if verb == "use" else known
    return list({"country": COUNTRIES, "space": SPACE_INDEX, "piece": PIECES}[kind])


def card_index(rules: Rules, country: int, name: object) -> int:
    """The number of a country's card, from its id."""
    deck = deck_of(rules, country)
    if isinstance(name, str) and name in deck:
        return deck[name].index
    raise UnknownName(f"card of {COUNTRIES[country]}", name, deck)

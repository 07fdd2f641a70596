"""The text form of actions, and ids to ints and back.

Every action has one stable text, read together with the country that acts:

    play blitzkrieg        discard land-battle      use stalingrad        pass
    build army ukraine     recruit navy north-sea   battle ukraine soviet-union
    battle china           (an empty space)
    recruit army balkans united-kingdom              (a teammate's piece)
    eliminate army ukraine soviet-union              remove army balkans
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

from quartermaster.errors import (
    IllegalAction,
    QuartermasterError,
    UnknownName,
    shorten,
    show,
)
from quartermaster.rules.actions import (
    NO_COUNTRY,
    ON_CARD,
    ON_COUNTRY,
    ON_NOTHING,
    REMOVE,
    REMOVE_AIR,
    VERBS,
    Verb,
    card_of,
    country_of,
    on_space,
    space_of,
    verb_of,
)
from quartermaster.rules.board import LAND_SPACES, SPACE_INDEX, SPACES, spaces_in
from quartermaster.rules.card import Card
from quartermaster.rules.names import AIR_FORCE, ARMY, COUNTRIES, NAVY, PIECES, RULE, TEAMS
from quartermaster.rules.rule_set import Rules
from quartermaster.speech.nouns import card_noun, country_noun, piece_noun, space_noun
from quartermaster.speech.say import say

_COUNTRY_INDEX = {name: index for index, name in enumerate(COUNTRIES)}
_VERB_WORDS = tuple(dict.fromkeys(verb.word for verb in VERBS))
_FORMS = {verb.word: verb.form for verb in VERBS}

# What the rules let countries use in some rule sets, and not in others.
_RULE_CARDS = ("reallocate-resources", "air-defense", "air-attack")


@dataclass(frozen=True)
class Action:
    """One choice of one country. `str(action)` is its text.

    `verb` and the rest say what the text says: the card it names, the space, the kind of
    piece, and the country whose piece it is, each `None` where it does not apply.

    >>> from quartermaster import Game
    >>> game = Game.from_position({"hand": {"germany": ["build-army", "plunder"]}})
    >>> game.apply("play build-army")
    >>> game.legal_actions()[0]  # doctest: +NORMALIZE_WHITESPACE
    Action('germany', 'build army western-europe', 131080, 'build',
           space='western-europe', piece='army', target='germany')
    """

    country: str
    text: str
    code: int
    verb: str
    card: str | None = None
    space: str | None = None
    piece: str | None = None
    target: str | None = None
    card_name: str = field(default="", compare=False)  # in English

    @property
    def phrase(self) -> str:
        """The action for people, in the language spoken: "Battle the Soviet army in Ukraine".

        >>> from quartermaster import Game
        >>> Game.new(seed=7).legal_actions()[0].phrase
        'Discard Build Army'
        """
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
        parts = [repr(part) for part in (self.country, self.text, self.code, self.verb)]
        for name in ("card", "space", "piece", "target", "card_name"):
            if value := getattr(self, name):
                parts.append(f"{name}={value!r}")
        return f"Action({', '.join(parts)})"


@cache
def make_action(rules: Rules, country: int, code: int) -> Action:
    """The action a code stands for when a country does it. Made once, then shared."""
    verb = VERBS[verb_of(code)]
    word, actor = verb.word, COUNTRIES[country]
    if not verb.form:
        return Action(actor, word, code, word)
    if verb.on == ON_CARD:
        card = rules.cards[card_of(code)]
        text = f"{word} {card.id}"
        return Action(actor, text, code, word, card=card.id, card_name=card.name)
    whose = country_of(code)
    target = None if whose == NO_COUNTRY else COUNTRIES[whose]
    if verb.on == ON_COUNTRY:
        return Action(actor, f"{word} {target}", code, word, target=target)
    space, piece = SPACES[space_of(code)][0], _piece(verb, space_of(code))
    is_told = target is not None and whose != country
    said = {"PIECE": piece, "SPACE": space, "COUNTRY": target, "[COUNTRY]": target}
    names = [said[name] for name in verb.form.split() if name != "[COUNTRY]" or is_told]
    text = " ".join([word, *(name for name in names if name)])
    return Action(actor, text, code, word, space=space, piece=piece, target=target)


def _piece(verb: Verb, space: int) -> str:
    """The kind of piece that a verb on a space is about."""
    return PIECES[AIR_FORCE if verb.is_air else ARMY if space < LAND_SPACES else NAVY]


@lru_cache(maxsize=10_000)
def removal_actions(rules: Rules, country: int, pieces: int, air: int) -> tuple[Action, ...]:
    """What takes off each of a country's pieces: most turns change none of them."""
    codes = [on_space(REMOVE, country, space) for space in spaces_in(pieces)]
    codes += [on_space(REMOVE_AIR, country, space) for space in spaces_in(air)]
    return tuple(make_action(rules, country, code) for code in codes)


@cache
def made_actions(rules: Rules) -> list[list[Action | None]]:
    """Room for the actions of a rule set that games have come by (`rules.core_game`): for each
    country, by their numbers."""
    return [[None] * rules.numbering.size for _ in COUNTRIES]


def read_action(action: object, country: object = None) -> tuple[str, object]:
    """The text of an action that is given as such or as text, and the country that is said to
    act: beside it, or before a colon in the text.

    >>> read_action("italy:  remove army ukraine")
    ('remove army ukraine', 'italy')
    """
    if isinstance(action, Action):
        return action.text, action.country if country is None else country
    if not isinstance(action, str):
        raise IllegalAction(f"expected an action or its text, got {show(action)}")
    text = " ".join(action.split())
    if country is None and ":" in text:
        country, _, text = (part.strip() for part in text.partition(":"))
    return text, country


def find_action(text: str, legal: Sequence[Action], is_whole: bool) -> Action | None:
    """The legal action of a text, which may be cut short unless it must be whole."""
    found = [action for action in legal if action.text == text]
    if not found and text and not is_whole:
        found = [action for action in legal if action.text.startswith(text)]
    if len(found) > 1:
        listed = shorten(action.text for action in found)
        raise IllegalAction(f"{text!r} could be {listed}; say which")
    return found[0] if found else None


def action_names(rules: Rules) -> tuple[str, ...]:
    """The actions of a rule set by their numbers (`rules.numbering`), each with the country of
    its card or piece, for a number does not tell who acts.

    >>> from quartermaster.cards.rule_sets import load_rules
    >>> names = action_names(load_rules("second"))
    >>> names[0], names[1], [name for name in names if "battle army ukraine" in name][-1]
    ('pass', 'play germany build-army', 'battle army ukraine nobody')
    """
    return _names(_checked(rules))


@cache
def _names(rules: Rules) -> tuple[str, ...]:
    return tuple(_name_of(rules, code) for code in rules.numbering.codes)


@cache
def _numbers(rules: Rules) -> dict[str, int]:
    return {name: number for number, name in enumerate(_names(rules))}


def _checked(rules: object) -> Rules:
    if not isinstance(rules, Rules):
        raise QuartermasterError(f"rules: expected what load_rules gives, got {show(rules)}")
    return rules


def action_number(rules: Rules, name: object) -> int:
    """The number of an action, from its name.

    >>> from quartermaster.cards.rule_sets import load_rules
    >>> rules = load_rules("second")
    >>> action_names(rules)[action_number(rules, "play germany blitzkrieg")]
    'play germany blitzkrieg'
    """
    numbers = _numbers(_checked(rules))
    if isinstance(name, str) and name in numbers:
        return numbers[name]
    raise UnknownName("action", name, numbers)


def _name_of(rules: Rules, code: int) -> str:
    verb = VERBS[verb_of(code)]
    if verb.on == ON_NOTHING:
        return verb.word
    if verb.on == ON_CARD:
        card = rules.cards[card_of(code)]
        return f"{verb.word} {COUNTRIES[card.country]} {card.id}"
    whose = country_of(code)
    owner = "nobody" if whose == NO_COUNTRY else COUNTRIES[whose]
    if verb.on == ON_COUNTRY:
        return f"{verb.word} {owner}"
    space = space_of(code)
    return f"{verb.word} {_piece(verb, space)} {SPACES[space][0]} {owner}"


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
    if verb not in _VERB_WORDS:
        raise UnknownName("action", verb, _VERB_WORDS)
    form = _FORMS[verb].replace("[", "").replace("]", "")
    kinds = form.lower().split()
    if len(words) > len(kinds):
        raise UnknownName(f"action of the form {f'{verb} {form}'.strip()!r}", text, [])
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

"""Card sets: the cards that rule sets are composed of, and how people add their own.

A card set says for each country which cards it brings. A rule set begins with the set of its
edition; an option may add another (Air Marshal), and so may the person at the machine:

    # desert.py
    from quartermaster.cards.vocabulary import *

    card_set(
        "desert",
        "More sand for North Africa.",
        italy=[event("Giarabub Oasis", "Build an army in Africa.", Build(ARMY, In("africa")))],
    )

A card with the name of a card that is there already takes its place, `alter` changes one, and
`gone` takes cards away. `find_card_set` runs such a file, so it is for files that the person
at the machine names, never for what a stranger sent.
"""

import importlib.util
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path

from quartermaster.cards.declaration import Alteration, Declaration, revise, slug
from quartermaster.errors import QuartermasterError, UnknownName, show
from quartermaster.rules.actions import KINDS
from quartermaster.rules.names import COUNTRIES

OF_THE_GAME = ("first", "second", "air-marshal")
ENTRY_POINTS = "quartermaster.card_sets"
_MOST_CARDS = 500  # an action's code has room for 512 card numbers; the rules need a few


@dataclass(frozen=True, eq=False)
class CardSet:
    """Cards by country, and where the set comes from: "" for those of the game itself."""

    name: str
    about: str
    decks: Mapping[str, Sequence[Declaration | Alteration]]
    gone: Mapping[str, Sequence[str]] = field(default_factory=dict)
    origin: str = ""

    def add_to(self, country: str, deck: Iterable[Declaration]) -> list[Declaration]:
        """A country's deck with this set's cards in it."""
        before = list(deck)
        names = {card.name for card in before}
        cards = self.decks.get(country, ())
        named = [card.name for card in cards if isinstance(card, Alteration)]
        for name in (*self.gone.get(country, ()), *named):
            if name not in names:
                raise QuartermasterError(f"card set {self.name}: {country} has no card {name!r}")
        new = [c for c in cards if isinstance(c, Declaration) and c.name not in names]
        changed = [card for card in cards if card.name in names]
        return revise(before, gone=self.gone.get(country, ()), changed=changed, added=new)


CARD_SETS: dict[str, CardSet] = {}
_loading: list[str] = []  # where the sets that are being made come from


def card_set(
    name: str,
    about: str,
    *,
    gone: Mapping[str, Sequence[str]] | None = None,
    **decks: Sequence[Declaration | Alteration],
) -> CardSet:
    """Make a card set and register it. The decks are given by country: `united_kingdom=[...]`.

    >>> card_set("nobody", "No cards.", prussia=[])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    quartermaster.errors.UnknownName: unknown country 'prussia'; expected germany or ...
    """
    if name != slug(name) or not name:
        raise QuartermasterError(f"card set {name!r}: expected small letters and dashes")
    known = dict(CARD_SETS)
    by_country = {country.replace("_", "-"): deck for country, deck in decks.items()}
    for country in (*by_country, *(gone or {})):
        if country not in COUNTRIES:
            raise UnknownName("country", country, COUNTRIES)
    for country, deck in by_country.items():
        for card in deck:
            if not isinstance(card, Declaration | Alteration):
                raise QuartermasterError(
                    f"card set {name}, {country}: expected cards, got {card!r}"
                )
            _check_words(name, card)
        ids = [slug(card.name) for card in deck]
        for id in ids:
            if ids.count(id) > 1 or not id:
                raise QuartermasterError(f"card set {name}, {country}: two cards are named {id!r}")
    made = CardSet(name, about, by_country, dict(gone or {}), _loading[-1] if _loading else "")
    if name in known and known[name].origin != made.origin:
        raise QuartermasterError(f"there is another card set named {name!r}; rename one of them")
    CARD_SETS[name] = made
    return made


def _check_words(name: str, card: Declaration | Alteration) -> None:
    """Refuse a word that asks for a kind of decision which nobody could put into words."""
    if isinstance(card, Declaration):
        for op in (*card.cost, *card.do):
            word = f"{type(op).__name__} of {card.name} (card set {name})"
            if "kind" in vars(type(op)) and not type(op).__module__.startswith("quartermaster."):
                raise QuartermasterError(
                    f"{word} has its kind in the class, where a compiled core does not see it;"
                    " set self.kind in __init__"
                )
            if op.kind and op.kind not in KINDS:
                raise UnknownName(f"kind of decision in {word}", op.kind, KINDS)


def find_card_set(spec: str) -> list[CardSet]:
    """The card sets of a Python file, or the one with a name: registered before, or by an
    installed package in the entry-point group `quartermaster.card_sets`."""
    if spec.endswith(".py"):
        return _run(str(Path(spec).expanduser().resolve()))
    if spec in CARD_SETS:
        return [CARD_SETS[spec]]
    installed = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if spec not in installed:
        known = [name for name in (*CARD_SETS, *installed) if name not in OF_THE_GAME]
        raise UnknownName("card set", spec, [*known, "a file FILE.py"])
    _loading.append(spec)
    try:
        installed[spec].load()
    finally:
        _loading.pop()
    if spec not in CARD_SETS:
        raise QuartermasterError(f"the package behind {spec!r} makes no card set of that name")
    return [CARD_SETS[spec]]


def _run(path: str) -> list[CardSet]:
    made = [card_set for card_set in CARD_SETS.values() if card_set.origin == path]
    if made:
        return made
    if not Path(path).is_file():
        raise QuartermasterError(f"{path}: there is no such file")
    spec = importlib.util.spec_from_file_location(f"card_set_{slug(Path(path).stem)}", path)
    assert spec is not None
    assert spec.loader is not None
    _loading.append(path)
    try:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))
    except QuartermasterError as error:
        raise QuartermasterError(f"{path}: {error}") from None
    except Exception as error:
        raise QuartermasterError(f"{path}: {type(error).__name__}: {error}") from error
    finally:
        _loading.pop()
    made = [card_set for card_set in CARD_SETS.values() if card_set.origin == path]
    if not made:
        raise QuartermasterError(f"{path}: it makes no card set; call card_set(...) in it")
    return made


def load_card_sets(specs: Sequence[str]) -> list[str]:
    """The names of card sets given as names or Python files, which are run."""
    return list(dict.fromkeys(one.name for spec in _listed(specs) for one in find_card_set(spec)))


def _listed(specs: object) -> list[str]:
    listed = None if isinstance(specs, str) or not isinstance(specs, Iterable) else list(specs)
    if listed is None or not all(isinstance(spec, str) for spec in listed):
        raise QuartermasterError(f"sets: expected a list of names or files, got {show(specs)}")
    return listed


def where_from(names: Iterable[str]) -> list[str]:
    """What other processes of the same person load card sets by: their files, or their names."""
    return [CARD_SETS[name].origin or name for name in names]


def own_sets(names: Iterable[str]) -> list[CardSet]:
    """The sets that people have added, by their names. They must be registered already: a
    record or a save names sets, and nothing that it says may run code."""
    found = []
    for name in _listed(names):
        if name not in CARD_SETS or name in OF_THE_GAME:
            known = [known for known in CARD_SETS if known not in OF_THE_GAME]
            raise UnknownName("card set", name, [*known, "one that --set FILE.py brings"])
        found.append(CARD_SETS[name])
    return found


def compose(sets: Iterable[CardSet]) -> list[list[Declaration]]:
    """The six decks that card sets make, one set after the other."""
    decks: list[list[Declaration]] = [[] for _ in COUNTRIES]
    for one in sets:
        decks = [
            one.add_to(name, deck) for name, deck in zip(COUNTRIES, decks, strict=True)
        ]  # fmt: skip
    n = sum(len(deck) for deck in decks)
    if n > _MOST_CARDS:
        raise QuartermasterError(f"{n} different cards; a game has room for {_MOST_CARDS}")
    return decks

"""The tables of verbs and of kinds of decisions, and what a new row of either still lacks.

Numbers, notation and habits are made of the tables. Sentences and docs are written by hand: these
tests list all that are missing at once, so that whoever adds a verb need not meet them one by one.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from quartermaster.bots.knowledge import knowledge_of
from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import QuartermasterError
from quartermaster.forms.notation import check_action, make_action
from quartermaster.rules.actions import KINDS, ON_CARD, ON_SPACE, VERBS, Verb
from quartermaster.rules.card import Op
from quartermaster.speech.say import catalogue, languages

NOTATION = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
FORMS = {"", "CARD", "COUNTRY", "SPACE", "SPACE [COUNTRY]"} | {
    f"PIECE SPACE {country}" for country in ("COUNTRY", "[COUNTRY]")
}


def lacks_of_verb(verb: Verb) -> Iterator[str]:
    if verb not in VERBS or VERBS[verb.number] is not verb:
        yield f"verb {verb.id}: a row in VERBS (rules/actions.py), at the place of its number"
    if verb.form not in FORMS:
        yield f"verb {verb.id}: a form that the notation knows, not {verb.form!r}"
    for language in languages():
        if f"do.{verb.word}" not in catalogue("game", language):
            yield f"verb {verb.id}: do.{verb.word} in {language}/LC_MESSAGES/game.po"
    if not re.search(rf"`{verb.word}[ `]", NOTATION):
        yield f"verb {verb.id}: a row `{verb.word} {verb.form}` in docs/notation.md"


def lacks_of_kind(kind: str) -> Iterator[str]:
    if kind not in KINDS:
        yield f"kind {kind}: a place in KINDS (rules/actions.py)"
    for language in languages():
        texts = catalogue("game", language)
        if f"ask.{kind}" not in texts and f"ask.{kind}.other" not in texts:
            yield f"kind {kind}: ask.{kind} in {language}/LC_MESSAGES/game.po"
    if f"`{kind}`" not in NOTATION:
        yield f"kind {kind}: a row in docs/notation.md, under Kinds of decisions"


def kinds_of_ops(root: type[Op] = Op) -> set[str]:
    found = {root.kind} - {""}
    return found.union(*(kinds_of_ops(one) for one in root.__subclasses__()))


def test_no_verb_and_no_kind_of_decision_lacks_anything() -> None:
    lacking = [lack for verb in VERBS for lack in lacks_of_verb(verb)]
    asked = {kind for kind in kinds_of_ops() if not kind.startswith("made-up")}
    lacking += [lack for kind in sorted(asked | {*KINDS}) for lack in lacks_of_kind(kind)]
    lacking += [f"kind {kind}: an op that asks for it" for kind in KINDS if kind not in asked]
    assert not lacking, "still to be written:\n" + "\n".join(lacking)


def test_a_new_verb_is_told_all_that_it_lacks_at_once() -> None:
    lacking = list(lacks_of_verb(Verb(len(VERBS), "barter", ON_CARD, "CARD FOR CARD")))
    assert [lack.partition(": ")[2].split()[0] for lack in lacking] == [
        "a", "a", *["do.barter"] * len(languages()), "a",
    ]  # fmt: skip
    assert len(list(lacks_of_kind("barter"))) == 1 + len(languages()) + 1


def test_verbs_are_told_apart() -> None:
    assert [verb.number for verb in VERBS] == list(range(len(VERBS)))
    assert len({verb.id for verb in VERBS}) == len(VERBS)
    assert len({(verb.word, verb.is_air) for verb in VERBS}) == len(VERBS)
    assert all(verb.on == ON_SPACE for verb in VERBS if verb.is_air)


@pytest.mark.parametrize("rules", ["first", "second"])
def test_what_the_notation_writes_it_also_reads(rules: str) -> None:
    loaded = load_rules(rules, {"air-marshal": True})
    texts = set()
    for code in loaded.numbering.codes:
        for country in (0, 3):
            action = make_action(loaded, country, code)
            if action.card is None or loaded.cards[code & 511].country == country:
                check_action(loaded, country, action.text)
                texts.add(action.text)
                assert action.phrase
    assert {text.split()[0] for text in texts} == {verb.word for verb in VERBS}
    with pytest.raises(QuartermasterError, match="action of the form 'play CARD'"):
        check_action(loaded, 0, "play blitzkrieg ukraine")


def test_every_verb_has_habits_of_its_own() -> None:
    names = knowledge_of(load_rules("second", {"air-marshal": True})).habits.names()
    assert len(set(names.values())) == len(names)
    words = {word for name in names.values() for word in name.split()[:2]}
    assert {verb.id for verb in VERBS} <= words

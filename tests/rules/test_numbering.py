"""The numbers of actions: without gaps, both ways, and for every action that games offer."""

import pytest

from quartermaster.cards.rule_sets import load_rules
from quartermaster.errors import UnknownName
from quartermaster.forms.notation import action_names, action_number, make_action
from quartermaster.lab.checks.fuzz import variants
from quartermaster.rules.engine import apply, decider, new_state

VARIANTS = variants()


@pytest.mark.parametrize(("rules", "options"), VARIANTS)
def test_numbers_and_names_go_both_ways(rules: str, options: dict[str, bool]) -> None:
    loaded = load_rules(rules, options)
    numbering = loaded.numbering
    names = action_names(loaded)
    assert len(names) == len(set(names)) == numbering.size
    for number, name in enumerate(names):
        assert numbering.number(numbering.code(number)) == number
        assert action_number(loaded, name) == number


@pytest.mark.parametrize(("rules", "options"), VARIANTS)
def test_every_action_of_a_game_has_a_number(rules: str, options: dict[str, bool]) -> None:
    loaded = load_rules(rules, options)
    numbering = loaded.numbering
    names = action_names(loaded)
    s = new_state(loaded, 3)
    step = 0
    while s.winner < 0:
        for code in s.options:
            number = numbering.number(code)
            assert 0 <= number < numbering.size
            assert numbering.code(number) == code
            words = names[number].split()
            assert set(make_action(loaded, decider(s), code).text.split()) <= set(words)
        apply(s, s.options[step * 7 % len(s.options)])
        step += 1


def test_names_that_no_action_has() -> None:
    rules = load_rules("second")
    with pytest.raises(UnknownName, match="did you mean battle army ukraine"):
        action_number(rules, "battle army ukrane germany")
    with pytest.raises(UnknownName):
        action_number(rules, 7)

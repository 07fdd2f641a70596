"""The tables of what the bots have learned."""

import random
from importlib.resources import files

import pytest

from moments import moments
from quartermaster.bots.knowledge import (
    Knowledge,
    format_knowledge,
    knowledge_of,
    parse_knowledge,
)
from quartermaster.bots.mind.habits import N_SLOTS, Habits
from quartermaster.bots.mind.judge import Judge
from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.errors import BrokenFile
from quartermaster.rules.rule_set import Rules

VARIANTS = [(name, air) for name in RULE_SETS for air in (False, True)]


every_variant = pytest.mark.parametrize(("rules", "air"), VARIANTS)


def weights() -> dict[str, str]:
    """The tables by name."""
    folder = files("quartermaster.bots") / "weights"
    return {path.name.removesuffix(".tsv"): path.read_text("utf-8") for path in folder.iterdir()}


def rules_of(table: str) -> Rules:
    """The rules whose table it is, with every card that an option adds."""
    name = table.removesuffix("-air-marshal")
    options = {"reallocate": True, "air-marshal": table != name}
    return load_rules(name, options)


@every_variant
def test_every_rule_set_has_a_table(rules: str, air: bool) -> None:
    known = knowledge_of(load_rules(rules, {"air-marshal": air}))
    assert any(known.judge.early)
    assert any(known.habits.early)
    assert known.judge.slope > 0


@pytest.mark.parametrize("table", weights())
def test_a_table_names_each_thing_once_and_nothing_unknown(table: str) -> None:
    rules = rules_of(table)
    known = {("judge", name) for name in Judge(rules).names()}
    known |= {("habit", name) for name in Habits(rules).names().values()}
    known.add(("slope", "chance"))
    named = [tuple(line.split("\t")[:2]) for line in weights()[table].splitlines()]
    assert set(named) - known == set()
    assert len(set(named)) == len(named)
    assert ("slope", "chance") in named


@every_variant
def test_what_is_weighed_has_a_name_of_its_own(rules: str, air: bool) -> None:
    loaded = load_rules(rules, {"air-marshal": air})
    judge, slots = Judge(loaded), Habits(loaded).names()
    assert len(set(judge.names())) == len(judge.names()) == judge.size
    assert len(set(slots.values())) == len(slots)
    assert max(slots) < N_SLOTS
    assert not any("\t" in name for name in (*judge.names(), *slots.values()))


@every_variant
def test_whatever_comes_up_has_a_name(rules: str, air: bool) -> None:
    """Every feature of a position and every slot of a choice, so that it can be learned."""
    known = knowledge_of(load_rules(rules, {"air-marshal": air}))
    names = known.habits.names()
    for game in moments(rules, air, every=9):
        at, x = known.judge.features(game.state)
        assert len(at) == len(x)
        assert all(0 <= number < known.judge.size for number in at)
        assert all(slot in names for slot in known.habits.slots(game.state))
        assert sum(known.habits.shares(game.state)) == pytest.approx(1)


def made_up(rules: Rules) -> Knowledge:
    known = Knowledge(Judge(rules), Habits(rules))
    rng = random.Random(1)
    known.judge.slope, known.judge.slope_late = 0.125, -0.5
    early, late = ([rng.randint(-900, 900) / 100 for _ in range(N_SLOTS)] for _ in range(2))
    size = known.judge.size
    known.judge.learn(early[:size], late[:size])
    known.habits.learn(early, late)
    return known


def test_a_table_reads_as_it_was_written() -> None:
    rules = load_rules("second", {"air-marshal": True})
    known = made_up(rules)
    text = format_knowledge(known)
    again = parse_knowledge(rules, text, "made-up.tsv")
    assert again.judge.early == known.judge.early
    assert again.judge.late == known.judge.late
    assert (again.judge.slope, again.judge.slope_late) == (0.125, -0.5)
    for slot in known.habits.names():
        assert again.habits.early[slot] == known.habits.early[slot]
        assert again.habits.late[slot] == known.habits.late[slot]
    assert format_knowledge(again) == text


@pytest.mark.parametrize("table", weights())
def test_the_tables_are_written_as_they_are_read(table: str) -> None:
    text = weights()[table]
    assert format_knowledge(parse_knowledge(rules_of(table), text, table)) == text


@pytest.mark.parametrize(
    "line",
    [
        "judge\tlead\t1.0",
        "judge\tlead\t1.0\t2.0\t3.0",
        "judge\tlead\tmuch\t2.0",
        "guess\tlead\t1.0\t2.0",
        "slope\tchance\t0.1\tsteep",
        "",
    ],
)
def test_a_broken_line_is_told_with_its_number(line: str) -> None:
    text = f"slope\tchance\t0.1\t0.2\njudge\tlead\t1.0\t0.5\n{line}\njudge\tlead\t1\t1\n"
    with pytest.raises(BrokenFile, match=r"table\.tsv, line 3: expected a kind, a name") as broken:
        parse_knowledge(load_rules("second"), text, "table.tsv")
    assert broken.value.line == 3


def test_names_of_cards_that_an_option_leaves_out_are_passed_over() -> None:
    line = "habit\tuse germany reallocate-resources\t1.00\t2.00\n"
    for has_it in (True, False):
        rules = load_rules("second", {"reallocate": has_it})
        known = parse_knowledge(rules, line, "table.tsv")
        assert any(known.habits.early) == has_it


@pytest.mark.parametrize("air", [False, True])
def test_the_french_rules_are_played_with_what_was_learned_of_the_first(air: bool) -> None:
    french = knowledge_of(load_rules("french", {"air-marshal": air}))
    first = knowledge_of(load_rules("first", {"reallocate": True, "air-marshal": air}))
    assert french.judge.names() == first.judge.names()
    assert french.judge.early == first.judge.early
    assert french.habits.late == first.habits.late

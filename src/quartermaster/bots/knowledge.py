"""What the bots have learned, by rule set: the weights of `mind.judge` and `mind.habits`.

The files are plain tables with names, so that they outlive a renumbering of the cards:

    judge   supplied germany ukraine    1.93    -0.87
    habit   play germany blitzkrieg     2.10    -1.40

The two numbers are for the beginning of the game and what is added by its end.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from quartermaster.bots.mind.habits import N_SLOTS, Habits
from quartermaster.bots.mind.judge import Judge
from quartermaster.errors import BrokenFile
from quartermaster.rules.rule_set import Rules


@dataclass(frozen=True)
class Knowledge:
    """A rule set's judge and habits."""

    judge: Judge
    habits: Habits


@cache
def knowledge_of(rules: Rules) -> Knowledge:
    """What is known of a rule set. The French rules are played with the first edition's
    cards, and with what was learned of those."""
    name = "first" if rules.name == "french" else rules.name
    if rules.has_air_forces:
        name += "-air-marshal"
    text = (files("quartermaster.bots") / "weights" / f"{name}.tsv").read_text("utf-8")
    return parse_knowledge(rules, text, f"{name}.tsv")


def parse_knowledge(rules: Rules, text: str, source: str) -> Knowledge:
    """The knowledge a table tells. Names that this rule set does not have are left out."""
    judge = Judge(rules)
    habits = Habits(rules)
    places: dict[str, Mapping[str, int]] = {
        "judge": {name: at for at, name in enumerate(judge.names())},
        "habit": {name: at for at, name in habits.names().items()},
    }
    early = {"judge": [0.0] * judge.size, "habit": [0.0] * N_SLOTS}
    late = {"judge": [0.0] * judge.size, "habit": [0.0] * N_SLOTS}
    for number, line in enumerate(text.splitlines(), 1):
        try:
            kind, name, first, second = line.split("\t")
            if kind == "slope":
                judge.slope, judge.slope_late = float(first), float(second)
            elif name in places[kind]:
                at = places[kind][name]
                early[kind][at], late[kind][at] = float(first), float(second)
        except (KeyError, ValueError):
            raise BrokenFile(
                source, number, f"expected a kind, a name and two numbers, got {line!r}"
            ) from None
    judge.learn(early["judge"], late["judge"])
    habits.learn(early["habit"], late["habit"])
    return Knowledge(judge, habits)


def format_knowledge(known: Knowledge) -> str:
    """The table that `parse_knowledge` reads; weights too small to matter are left out."""
    judge, habits = known.judge, known.habits
    lines = [f"slope\tchance\t{judge.slope:.4f}\t{judge.slope_late:.4f}"]
    for kind, names, early, late in (
        ("judge", dict(enumerate(judge.names())), judge.early, judge.late),
        ("habit", habits.names(), habits.early, habits.late),
    ):
        for at, name in names.items():
            if abs(early[at]) >= 0.01 or abs(late[at]) >= 0.01:
                lines.append(f"{kind}\t{name}\t{early[at]:.2f}\t{late[at]:.2f}")
    return "\n".join(lines) + "\n"

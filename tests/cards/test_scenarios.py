"""Every scenario under tests/cards/scenarios is a test of its own."""

import re
from collections import Counter
from pathlib import Path

import pytest

from quartermaster import load_rules
from quartermaster.forms.position import KEYS
from quartermaster.lab.scenario import CHECKS, Scenario, load_scenarios
from quartermaster.rules.names import BOLSTER, COUNTRIES, DEPLOY_AIR_FORCE, RULE

FOLDER = Path(__file__).parent / "scenarios"
ALL = [scenario for path in sorted(FOLDER.rglob("*.yaml")) for scenario in load_scenarios(path)]


@pytest.mark.parametrize("scenario", ALL, ids=lambda s: f"{Path(s.source).stem}: {s.name}")
def test_scenario(scenario: Scenario) -> None:
    result = scenario.run()
    assert result.is_passed, "\n".join(str(failure) for failure in result.failures)


def _mentions() -> Counter[tuple[str, str, str]]:
    """In how many scenarios of a folder's and country's file a card stands, in the position or
    the script; by folder, country and any word that may be a card."""
    found: Counter[tuple[str, str, str]] = Counter()
    for scenario in ALL:
        path = Path(scenario.source)
        words = set(re.findall(r"[\w-]+", f"{scenario.position} {scenario.script}"))
        found.update((path.parent.name, path.stem, word) for word in words)
    return found


@pytest.mark.parametrize("edition", ["second", "first"])
def test_every_card_stands_in_scenarios(edition: str) -> None:
    """No card is forgotten: two scenarios at the least. What they show is theirs to say.
    First-edition cards that are as in the second have their other cases there."""
    mentions = _mentions()
    second = {(c.country, c.id): c.text for c in load_rules("second").cards}
    for card in load_rules(edition, {"air-marshal": True}).cards:
        if card.type == RULE:
            continue
        folder = "air-marshal" if card.type in (DEPLOY_AIR_FORCE, BOLSTER) else edition
        is_alike = edition == "first" and second.get((card.country, card.id)) == card.text
        country = COUNTRIES[card.country]
        assert mentions[folder, country, card.id] >= (1 if is_alike else 2), (
            f"{folder}/{country}.yaml has too few scenarios with {card.id}"
        )


def test_the_notation_tells_all_that_scenarios_can_say() -> None:
    """Every key of a position and every expectation; `rules/test_verbs.py` sees to the rest."""
    text = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")
    for word in KEYS | CHECKS.keys() | {"refused", "says"}:
        assert f"`{word}`" in text or f"`{word}: " in text, word
    for piece in ("army", "navy", "air-force"):
        assert f"`remove {piece} SPACE`" in text

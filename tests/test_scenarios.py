"""Every scenario under tests/scenarios is a test of its own."""

from pathlib import Path

import pytest

from quartermaster.scenario import Scenario, load_scenarios

FOLDER = Path(__file__).parent / "scenarios"
ALL = [scenario for path in sorted(FOLDER.rglob("*.yaml")) for scenario in load_scenarios(path)]


@pytest.mark.parametrize("scenario", ALL, ids=lambda s: f"{Path(s.source).stem}: {s.name}")
def test_scenario(scenario: Scenario) -> None:
    result = scenario.run()
    assert result.is_passed, "\n".join(str(failure) for failure in result.failures)

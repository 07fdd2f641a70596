"""Observations and actions keep their meaning: networks and files of arrays outlive a version."""

from hashlib import sha256
from pathlib import Path

import pytest

from quartermaster import action_names
from quartermaster.lab.env import OBSERVATION_VERSION, observation_of

PAGE = Path(__file__).parents[2] / "docs" / "environments.md"
# Of the names of all numbers of an observation and of all actions, in their order. Whoever changes
# them raises OBSERVATION_VERSION, and writes the new digests here.
VERSION = 1
DIGESTS = {
    ("second", False): "402566318c299ad9",
    ("second", True): "a8530326c7377237",
    ("first", False): "b2609ed7ca09ada1",
    ("first", True): "41a160d9011218de",
    ("french", False): "e373314cff672d1a",
    ("french", True): "41a160d9011218de",
}


@pytest.mark.parametrize(("rules", "has_air_marshal"), DIGESTS)
def test_what_the_numbers_mean_changes_only_with_the_version(
    rules: str, has_air_marshal: bool
) -> None:
    assert OBSERVATION_VERSION == VERSION, "write the digests of this version here"
    known = observation_of(rules, {"air-marshal": has_air_marshal})
    assert known.version == OBSERVATION_VERSION
    names = (*known.names, *action_names(known.rules))
    digest = sha256("\n".join(names).encode()).hexdigest()[:16]
    told = "numbers mean something else now: raise OBSERVATION_VERSION, and mend the docs"
    assert digest == DIGESTS[rules, has_air_marshal], told


def test_the_page_tells_the_version_and_how_many_numbers_there_are() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert f"`OBSERVATION_VERSION` (now {OBSERVATION_VERSION})" in page
    for rules, has_air_marshal in DIGESTS:
        known = observation_of(rules, {"air-marshal": has_air_marshal})
        name = f"`{rules}`{', Air Marshal' if has_air_marshal else ''}"
        assert f"| {name} | {known.size:,} | {known.rules.numbering.size:,} |" in page

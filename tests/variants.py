"""The rule sets that tests of everything run over."""

import pytest

VARIANTS = [
    ("first", {"reallocate": True}),
    ("first", {"air-marshal": True}),
    ("french", {}),
    ("french", {"air-marshal": True}),
    ("second", {}),
    ("second", {"air-marshal": True}),
]
every_variant = pytest.mark.parametrize(("rules", "options"), VARIANTS)

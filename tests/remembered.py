"""What is put into words once and remembered, and how a test forgets it."""

from collections.abc import Iterator

import pytest

from quartermaster.server.table import choices
from quartermaster.sight import log, view
from quartermaster.speech import say as words


def forget_texts() -> None:
    log._told.cache_clear()
    view._score_text.cache_clear()
    choices._choice.cache_clear()
    choices._removals.cache_clear()
    for kept in (words.catalogue, words._read, words._texts, words._plural_form):
        if hasattr(kept, "cache_clear"):  # not where a test put something else in its place
            kept.cache_clear()


@pytest.fixture
def nothing_remembered() -> Iterator[None]:
    """For tests that change what catalogues say: nothing said before stands in for it, and
    nothing of it is left for other tests."""
    forget_texts()
    yield
    forget_texts()

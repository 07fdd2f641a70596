"""What the server does not do, and how it says so."""

from collections.abc import Iterable
from functools import reduce

from quartermaster.errors import QuartermasterError
from quartermaster.speech.say import say


class Refused(QuartermasterError):
    """Something that is not done: with the HTTP status that says why, and with the id of its
    sentence (`refuse.<code>` in the catalogue), said in the language of the request."""

    def __init__(
        self,
        status: int,
        code: str,
        /,
        headers: dict[str, str] | None = None,
        offers: list[str] | None = None,  # what could be asked for instead
        **parts: object,
    ) -> None:
        super().__init__(say(f"refuse.{code}", **parts))
        self.status = status
        self.code = code
        self.headers = headers
        self.offers = offers


def either(texts: Iterable[str]) -> str:
    """One or more things of which one is expected.

    >>> either(["first", "second", "french"])
    'first or second or french'
    """
    return reduce(lambda one, other: say("server.either", one=one, other=other), texts)

"""One check of e-mail addresses, for operators and for people."""

import pytest

from quartermaster.server.edge.mail import check_email
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import is_address

ANYWHERE = ["anna@example.org", "anna.b+games@mail.example.org", "a" * 64 + "@example.org"]
AT_HOME = ["anna@localhost", "a" * 65 + "@example.org", "anna@example..org"]
NOWHERE = [
    "",
    "anna",
    "anna@",
    "@example.org",
    "a b@example.org",
    "a@b@example.org",
    "x\n@example.org",
]


@pytest.mark.parametrize("address", ANYWHERE)
def test_public_addresses_are_taken(address: str) -> None:
    assert is_address(address)
    assert check_email(address) == address


@pytest.mark.parametrize("address", AT_HOME)
def test_an_operator_may_have_an_address_that_people_may_not(address: str) -> None:
    assert is_address(address)
    with pytest.raises(Refused):
        check_email(address)


@pytest.mark.parametrize("address", NOWHERE)
def test_what_is_no_address_is_refused(address: str) -> None:
    assert not is_address(address)
    with pytest.raises(Refused):
        check_email(address)

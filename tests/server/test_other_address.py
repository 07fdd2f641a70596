"""Who has somebody's session, but not their password, cannot have a new password mailed to
themselves."""

import httpx

from places import Place, change_address, claim
from postoffice import links
from servers import Client


def patched(client: Client, **change: str) -> tuple[int, str]:
    answer = client.http.patch("/api/me", json=change)
    return answer.status_code, answer.json().get("code", "")


def test_an_account_has_mail_sent_elsewhere_only_by_its_password(place: Place) -> None:
    owner = claim(place.client("Perdita", address="192.0.2.81"))
    home, away = "perdita@example.org", "thief@example.org"
    assert patched(owner, email=home) == (422, "password-needed")
    assert patched(owner, email=home, password="guessed at") == (403, "wrong-old-password")
    place.mail.mails(home, 0, seconds=0.2)
    change_address(owner, home)
    [mail] = place.mail.mails(home)
    httpx.post(links(mail, "confirm")[0]).raise_for_status()
    for change in ({"email": away}, {"email": ""}):
        assert patched(owner, **change) == (422, "password-needed"), change
    assert owner.get("/api/me")["email"] == home
    place.mail.mails(away, 0, seconds=0.2)
    # What stays as it is needs no password: the page sends all of its form.
    assert patched(owner, name="Perdita", email=home, language="fr") == (200, "")
    assert patched(owner, email="", password="swordfish") == (200, "")
    assert owner.get("/api/me")["email"] is None


def test_a_guest_has_no_password_to_give(place: Place) -> None:
    guest = place.client("Wanderer", address="192.0.2.82")
    assert patched(guest, email="wanderer@example.org") == (200, "")
    assert patched(guest, email="") == (200, "")

"""People: names, passwords, devices and mail, on a real server with each database."""

import asyncio
import threading
import time
from pathlib import Path

import httpx
import pytest

from places import Place, Stream, change_address, claim, refused, use
from postoffice import links
from quartermaster.server.store.migrate import upgrade
from quartermaster.server.store.people import People
from quartermaster.server.store.rows import User
from quartermaster.server.store.schema import sessions
from quartermaster.server.store.store import Store
from servers import ApiError, Client, two_seats

# Names.


def test_the_name_of_someone_with_a_password_is_theirs(place: Place) -> None:
    claim(place.client("Ludmilla I."))
    for alike in (
        "ludmilla i.", "LUDMILLA-I", "Ludmi11a l", "\uff2cudmilla I.", "Ludmill\u0430 I.",
    ):  # fmt: skip
        with pytest.raises(ApiError) as caught:
            place.client(alike)
        assert (caught.value.status, caught.value.code) == (422, "name-reserved")
    answer = httpx.post(f"{place.servers[0].url}/api/me", json={"name": "Ludmilla I"})
    [offer, *_] = answer.json()["expected"]
    assert offer in answer.json()["error"]
    assert place.client(offer).get("/api/me")["name"] == offer
    guest = place.client("Somebody")
    for taken in ("ludmilla i.", "Moderator"):
        assert guest.http.patch("/api/me", json={"name": taken}).json()["code"] == "name-reserved"
    seats = two_seats("me", "hot-seat")
    seats[1]["name"] = "Ludmilla I."
    with refused(422, "name-reserved"):
        guest.post("/api/games", {"seats": seats})


def test_a_guest_whose_name_was_claimed_must_take_another(place: Place) -> None:
    guest, owner = place.client("Bruno"), place.client("Bruno")
    table = guest.post("/api/games", {"seats": two_seats()})
    claim(owner)
    with refused(422, "name-reserved"):
        guest.post("/api/games", {})
    with refused(422, "name-reserved"):
        guest.post(f"/api/games/{table['id']}/chat", {"text": "I am Bruno"})
    with refused(422, "name-reserved"):
        claim(guest)
    assert owner.post("/api/games", {})["host"] == "Bruno"
    guest.http.patch("/api/me", json={"name": "Bruno the guest"}).raise_for_status()
    guest.post(f"/api/games/{table['id']}/chat", {"text": "I am not"})
    assert owner.http.patch("/api/me", json={"name": "BRUNO"}).json()["name"] == "BRUNO"


# Passwords.


def test_strangers_cannot_lock_the_owner_out(place: Place) -> None:
    claim(place.client("Victoria"))
    home = place.sign_in("Victoria", "swordfish", "192.0.2.1")
    cookie = "; ".join(f"{key}={value}" for key, value in home.cookies.items())
    codes = [place.sign_in("Victoria", f"guess {n}", "203.0.113.9") for n in range(12)]
    assert [one.status_code for one in codes[:5]] == [403] * 5
    [slowed, *_] = [one for one in codes if one.status_code == 429]
    assert int(slowed.headers["retry-after"]) >= 1
    assert place.sign_in("Victoria", "swordfish", "192.0.2.77").status_code == 200
    # Even from the same address, on a device that she has used before.
    same = place.sign_in(
        "Victoria", "swordfish", "203.0.113.9", cookie=cookie, origin=place.servers[0].url
    )
    assert same.status_code == 200


def test_checking_passwords_has_a_bounded_queue(place: Place) -> None:
    claim(place.client("Quentin"))
    codes: list[int] = []
    threads = [
        threading.Thread(
            target=lambda n=n: codes.append(
                place.sign_in("Quentin", "swordfish", f"192.0.2.{100 + n}").status_code
            )
        )
        for n in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(codes) == {200, 503}
    assert codes.count(200) >= 8
    assert place.sign_in("Quentin", "swordfish").status_code == 200


def test_a_password_changes_only_with_the_old_one(place: Place) -> None:
    anna = claim(place.client("Annabelle"))
    with refused(422, "old-password-needed"):
        anna.post("/api/me/password", {"password": "another one"})
    with refused(403, "wrong-old-password"):
        anna.post("/api/me/password", {"password": "another one", "old": "guessed it"})
    with refused(422, "common-password"):
        anna.post("/api/me/password", {"password": "Anna Belle", "old": "swordfish"})
    use(anna, anna.post("/api/me/password", {"password": "another one", "old": "swordfish"}))
    assert anna.get("/api/me")["name"] == "Annabelle"
    assert place.sign_in("annabelle", "swordfish").status_code == 403
    assert place.sign_in("annabelle", "another one").status_code == 200


# Devices.


def test_devices_are_listed_and_signed_out(place: Place) -> None:
    anna = claim(place.client("Deirdre"))
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    browser = place.sign_in("Deirdre", "swordfish", **{"user-agent": agent}).json()["token"]
    devices = anna.get("/api/me/sessions")
    assert [one["is_this"] for one in devices].count(True) == 1
    [other] = [one for one in devices if not one["is_this"]]
    assert other["device"] == "Firefox, Linux"

    elsewhere = place.client("x", 1)
    elsewhere.http.headers["authorization"] = f"Bearer {browser}"
    assert elsewhere.get("/api/me")["id"] == anna.id
    game = anna.post("/api/games", {"seats": two_seats()})["id"]
    stream, kept = Stream(elsewhere, game), Stream(anna, game)
    anna._read(anna.http.delete(f"/api/me/sessions/{other['id']}"))
    assert stream.over.wait(3)  # on the other worker, too
    assert not kept.over.is_set()
    with refused(401, "who-are-you"):
        elsewhere.get("/api/me")
    answer = anna.http.delete(f"/api/me/sessions/{other['id']}")
    assert answer.json()["code"] == "no-such-session"
    assert place.client("Mallory").http.delete(
        f"/api/me/sessions/{anna.get('/api/me/sessions')[0]['id']}"
    ).status_code == 404  # fmt: skip

    third = place.sign_in("Deirdre", "swordfish").json()["token"]
    elsewhere.http.headers["authorization"] = f"Bearer {third}"
    stream = Stream(elsewhere, game)
    anna.post("/api/sign-out", {"everywhere": True})
    assert stream.over.wait(3)
    assert kept.over.wait(3)
    for one in (anna, elsewhere):
        with refused(401, "who-are-you"):
            one.get("/api/me")


def test_signing_out_here_voids_the_token(place: Place) -> None:
    anna = place.client("Wanda")
    anna.post("/api/sign-out")
    with refused(401, "who-are-you"):
        anna.get("/api/me")


def test_a_new_password_ends_streams_elsewhere(place: Place) -> None:
    anna = claim(place.client("Pauline"))
    thief = place.client("x", 1)
    thief.http.headers["authorization"] = anna.http.headers["authorization"]
    game = anna.post("/api/games", {"seats": two_seats()})["id"]
    stream = Stream(thief, game)
    anna.post("/api/me/password", {"password": "another one", "old": "swordfish"})
    assert stream.over.wait(3)


# Mail.


def test_nothing_is_mailed_to_an_address_that_was_not_confirmed(place: Place) -> None:
    ben = place.client("Ben of the Mail", address="192.0.2.50")
    address = "ben@example.org"
    me = ben._read(ben.http.patch("/api/me", json={"email": address}))
    assert (me["email"], me["pending_email"]) == (None, address)
    [mail] = place.mail.mails(address)
    assert "Ben of" not in mail.as_string()
    [link] = links(mail, "confirm")
    assert link.startswith(f"{place.servers[0].url}/mail/")

    anna = place.client("Anna with words")
    title = "BUY NOW https://evil.example"
    wait_for_turn(anna, ben, title)
    time.sleep(0.5)
    place.mail.mails(address)  # no other

    assert httpx.get(link).status_code == 200  # as mail programs do
    assert ben.get("/api/me")["email"] is None
    assert httpx.post(link).status_code == 200
    me = ben.get("/api/me")
    assert (me["email"], me["pending_email"]) == (address, None)
    wait_for_turn(anna, ben, title)
    _, notice = place.mail.mails(address, 2)
    assert notice["Subject"] == "Quartermaster: your turn"
    for foreign in ("BUY", "evil", "Anna"):
        assert foreign not in notice.as_string()
    assert "Soviet Union" in notice.get_content()

    [stop] = links(notice, "stop")
    assert notice["List-Unsubscribe"] == f"<{stop}>"
    assert notice["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert httpx.get(stop).status_code == 200
    assert ben.get("/api/me")["email"] == address
    answer = httpx.post(stop, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert ben.get("/api/me")["email"] is None
    wait_for_turn(anna, ben, title)
    time.sleep(0.5)
    place.mail.mails(address, 2)


def wait_for_turn(anna: Client, ben: Client, title: str) -> None:
    """Ben, who does not look, has to choose his first cards."""
    wish = {"seats": two_seats("me", "open"), "title": title, "pause": 0, "window": 0}
    table = anna.post("/api/games", wish)
    ben.post(f"/api/games/{table['id']}/seats/1/take")
    ben.post(f"/api/games/{table['id']}/ready")
    anna.post(f"/api/games/{table['id']}/start")


def test_strangers_get_few_mails_and_can_end_them(place: Place) -> None:
    """Guests are free, so it is the address written to that counts, and who asks."""
    stranger = "stranger@example.org"
    codes = []
    for number in range(6):
        guest = place.client(f"Guest {number}", number, f"192.0.2.{number}")
        codes.append(guest.http.patch("/api/me", json={"email": stranger}).status_code)
    assert codes == [200] * 3 + [429] * 3
    first = place.mail.mails(stranger, 3)[0]
    codes = []
    for number in range(12):
        guest = place.client(f"Guest {number}", number, "192.0.2.200")
        answer = guest.http.patch("/api/me", json={"email": f"other{number}@example.org"})
        codes.append(answer.status_code)
    assert codes == [200] * 10 + [429] * 2

    [never] = links(first, "stop")
    assert httpx.post(never).status_code == 200
    guest = place.client("Guest again", 1, "192.0.2.33")
    answer = guest.http.patch("/api/me", json={"email": stranger.upper()})
    assert answer.json()["code"] == "mail-unwanted"


@pytest.mark.parametrize(
    "hostile",
    [
        "a@example.org\r\nBcc: b@example.org",
        "a@example.org\nSubject: x",
        "a@example.org,b@example.org",
        "A <a@example.org>",
        '"a b"@example.org',
        "a@example.org?subject=x",
        "a@example.org\u2028b",
        "a@localhost",
        "a@[127.0.0.1]",
        "a" * 300 + "@example.org",
    ],
)
def test_addresses_cannot_smuggle_headers(place: Place, hostile: str) -> None:
    before = len(place.mail.post.mails)
    guest = place.client("Smuggler")
    answer = guest.http.patch("/api/me", json={"email": hostile})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-email")
    assert guest.get("/api/me")["pending_email"] is None
    assert len(place.mail.post.mails) == before


def test_links_hold_once_and_for_their_purpose(place: Place) -> None:
    anna = claim(place.client("Linda", address="192.0.2.61"))
    change_address(anna, "linda@example.org")
    [mail] = place.mail.mails("linda@example.org")
    [link], [stop] = links(mail, "confirm"), links(mail, "stop")
    change_address(anna, "linda2@example.org")
    assert httpx.post(link).status_code == 422  # she wants another address now
    swapped = stop.replace("/mail/stop", "/mail/confirm")
    assert httpx.post(swapped).status_code == 422
    assert httpx.post(f"{place.servers[0].url}/mail/confirm?token=x").status_code == 422
    assert httpx.post(f"{place.servers[0].url}/mail/reset").status_code == 422


def test_a_forgotten_password_is_set_anew_by_mail(place: Place) -> None:
    anna = claim(place.client("Oblivia", address="192.0.2.62"))
    change_address(anna, "oblivia@example.org")
    [mail] = place.mail.mails("oblivia@example.org")
    ask = {"name": "Oblivia"}
    other = place.client("Asker", 1, "192.0.2.63")
    nobody = other.post("/api/password-reset", {"name": "Nobody of that name"})
    assert other.post("/api/password-reset", ask) == nobody
    time.sleep(0.3)
    place.mail.mails("oblivia@example.org")  # not confirmed: nothing goes there
    httpx.post(links(mail, "confirm")[0]).raise_for_status()
    other.post("/api/password-reset", ask)
    _, mail = place.mail.mails("oblivia@example.org", 2)
    [link] = links(mail, "reset")
    assert "Oblivia" in httpx.get(link).text
    assert httpx.post(link, data={"password": "short"}).status_code == 422
    assert httpx.post(link, files={"password": b"of a file"}).status_code == 422
    done = httpx.post(link, data={"password": "remembered"})
    assert done.status_code == 200
    assert done.cookies["quartermaster"]
    assert httpx.post(link, data={"password": "once more!"}).status_code == 422
    with refused(401, "who-are-you"):
        anna.get("/api/me")
    assert place.sign_in("Oblivia", "remembered").status_code == 200
    for _ in range(4):
        other.post("/api/password-reset", ask)
    place.mail.mails("oblivia@example.org", 4)


def test_a_session_ends_when_it_is_not_used(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    upgrade(url)

    async def work() -> None:
        store = Store(url)
        kept = People(store)
        await store.add_user(User("anna", "Anna", None, None, None, None, 1.0))
        row = await kept.add_session("s", "anna", "Firefox")
        assert row.expires_at - time.time() == pytest.approx(180 * 86400, abs=60)
        old = {"seen_at": 1.0, "expires_at": time.time() + 1}
        change = sessions.update().values(**old)
        await store.write(lambda connection: connection.execute(change))
        assert await kept.session("s") is not None
        await kept.see_session("s")  # used: holds for as long again
        found = await kept.session("s")
        assert found is not None
        assert found[0].expires_at > time.time() + 179 * 86400
        change = sessions.update().values(expires_at=time.time() - 1)
        await store.write(lambda connection: connection.execute(change))
        assert await kept.session("s") is None
        assert await kept.sessions_of("anna") == []
        await store.close()

    asyncio.run(work())

"""Mail to people: only to addresses whose reader has agreed, few a day, in our own words.

An address counts once its reader has followed the link in a first mail; that mail, and a
forgotten password's, are all that anybody can have sent, to one address three times a day. Links
are signed, end in a page with a button (mail programs follow links by themselves, and must
change nothing), and always begin with the server's own address, never with what a request
names. Of addresses that mail went to only a keyed hash is kept, for counting.
"""

import hmac
import time
from hashlib import sha256
from typing import Final
from urllib.parse import quote

from quartermaster.server.edge.notify import Notifier
from quartermaster.server.identity.tokens import read_link, sign_link
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import Settings, is_address
from quartermaster.server.store.people import People
from quartermaster.server.store.rows import User
from quartermaster.speech.say import say, speaking, spoken

CONFIRM_SECONDS: Final = 2 * 86400
RESET_SECONDS: Final = 3600
STOP_SECONDS: Final = 400 * 86400  # old mail is read too

# How many a day, of each kind: to an address, for a person, for who sends the request.
ASKED: Final = {"address": 3, "user_id": 5, "client": 10}
NOTICES: Final = {"address": 40, "user_id": 40}
TOTAL: Final = 5_000  # from this server


class Mail:
    """The post office of one worker."""

    def __init__(self, settings: Settings, people: People, notifier: Notifier) -> None:
        self._settings = settings
        self._secret = settings.secret
        self._people = people
        self._notifier = notifier

    @property
    def is_on(self) -> bool:
        return self._settings.smtp_url is not None

    # -- asking for mail ---------------------------------------------------------------

    async def ask_to_confirm(self, user: User, address: str, client: str) -> None:
        """Count a first mail to an address; `send_confirm` sends it."""
        if not self.is_on:
            raise Refused(422, "no-mail")
        reason = await self._count("confirm", address, user.id, client, ASKED)
        if reason == "silenced":
            raise Refused(422, "mail-unwanted")
        if reason is not None:
            raise Refused(429, "too-much-mail", headers={"retry-after": "3600"})

    async def send_confirm(self, user: User, address: str) -> None:
        link = self._link("confirm", user.id, address)
        never = self._link("stop", "", address)
        text = say("mail.confirm", host=self._settings.public_url)
        await self._notifier.send(None, address, say("mail.confirm-subject"), text, link, never)

    async def send_reset(self, user: User | None, client: str) -> None:
        """Mail a link to set a new password; nothing, where that cannot be."""
        if user is None or user.email is None or user.password is None:
            return
        if await self._count("reset", user.email, user.id, client, ASKED) is not None:
            return
        link = self.reset_link(user)
        never = self._link("stop", "", user.email)
        with speaking(user.language or spoken()):  # not always theirs who asks for it
            text = say("mail.reset", host=self._settings.public_url)
            subject = say("mail.reset-subject")
            await self._notifier.send(None, user.email, subject, text, link, never)

    def reset_link(self, user: User) -> str:
        """A link that sets a new password, once: it holds while the password is what it is."""
        return self._link("reset", user.id, self._mark(user))

    async def may_notify(self, user: User) -> bool:
        """Count a notice to someone; whether it may go out."""
        if user.email is None or not self.is_on:
            return False
        return await self._count("notice", user.email, user.id, "", NOTICES) is None

    def stop_link(self, user: User) -> str | None:
        """The link by which someone ends notices."""
        return None if user.email is None else self._link("stop", user.id, user.email)

    # -- what comes of the links -------------------------------------------------------

    async def confirm(self, token: str) -> None:
        """Take an address as its account's, if it still is what the account asks for."""
        user_id, address = self._read("confirm", token, CONFIRM_SECONDS)
        user = await self._people.store.user(user_id)
        if user is None or address not in (user.pending_email, user.email):
            raise Refused(422, "link-void")
        await self._people.change(user_id, email=address, pending_email=None)

    async def stop(self, token: str) -> None:
        """Send nothing more: of an account's notices, or to the address at all."""
        user_id, address = self._read("stop", token, STOP_SECONDS)
        if not user_id:
            await self._people.silence(self.hashed(address), address)
            return
        user = await self._people.store.user(user_id)
        if user is not None and user.email == address:
            await self._people.change(user_id, email=None)

    async def user_to_reset(self, token: str) -> User:
        """Whose password a link sets anew."""
        user_id, mark = self._read("reset", token, RESET_SECONDS)
        user = await self._people.store.user(user_id)
        if user is None or not hmac.compare_digest(mark, self._mark(user)):
            raise Refused(422, "link-void")
        return user

    def hashed(self, text: str) -> str:
        """What is kept of an address: enough to know it again, for who has the secret."""
        return hmac.new(self._secret, f"mail {text.lower()}".encode(), sha256).hexdigest()[:32]

    def _mark(self, user: User) -> str:
        return self.hashed(f"password {user.password}")

    async def _count(
        self, kind: str, address: str, user_id: str, client: str, limits: dict[str, int]
    ) -> str | None:
        columns = {
            "address": self.hashed(address),
            "user_id": user_id,
            "client": self.hashed(client) if client else "",
            "kind": kind,
            "at": time.time(),
        }
        return await self._people.count_mail(columns, limits, TOTAL)

    def _link(self, purpose: str, *values: str) -> str:
        token = sign_link(self._secret, purpose, *values)
        return f"{self._settings.public_url or ''}/mail/{purpose}?token={quote(token)}"

    def _read(self, purpose: str, token: str, seconds: int) -> tuple[str, str]:
        found = read_link(self._secret, purpose, token, seconds)
        if found is None or len(found) != 2:
            raise Refused(422, "link-void")
        return found[0], found[1]


def check_email(text: str) -> str:
    """An address as it is to be kept, or an error."""
    if not is_address(text, is_public=True):
        raise Refused(422, "bad-email")
    return text

"""Where a request comes from, and letting someone in there."""

from typing import Final

import msgspec
from litestar import Response
from litestar.datastructures import Cookie
from litestar.types import HTTPScope

from quartermaster.server.edge.defence import address_of
from quartermaster.server.edge.languages import COOKIE as LANGUAGE
from quartermaster.server.identity.tokens import COOKIE, Caller, find_cookie, read_link, sign_link
from quartermaster.server.names import new_id
from quartermaster.server.services import Services
from quartermaster.server.settings import Settings
from quartermaster.server.store.people import device_of
from quartermaster.server.store.rows import User
from quartermaster.speech import say as words

DEVICE: Final = "quartermaster-device"  # the cookie by which a browser is known again
_LONG: Final = 400 * 24 * 3600  # seconds: as long as browsers keep anything


class Client(msgspec.Struct, frozen=True):
    """Someone's browser or program."""

    address: str
    device: str  # such as "Firefox, Linux"
    is_secure: bool
    token: str | None
    has_cookie: bool
    devices: str | None  # the cookie of people who have signed in from here

    @classmethod
    def of(cls, scope: HTTPScope, settings: Settings) -> "Client":
        caller = Caller(scope)
        return cls(
            address_of(caller, settings),
            device_of(caller.header("user-agent")[:300]),
            caller.scheme == "https",
            caller.token,
            caller.has_cookie and not caller.has_bearer,
            find_cookie(caller.header("cookie"), DEVICE),
        )

    def known_to(self, user: User | None, secret: bytes) -> str | None:
        """The id of this device, if a user has signed in from it before."""
        found = read_link(secret, "device", self.devices or "", _LONG)
        if user is None or found is None or len(found) != 2 or found[0] != user.id:
            return None
        return found[1]


class Me(msgspec.Struct, frozen=True):
    """A person, as only they see themselves."""

    id: str
    name: str
    has_password: bool
    webhook: str | None
    email: str | None  # confirmed: notices go there
    pending_email: str | None  # a mail was sent there with a link to confirm it
    language: str | None  # of notices, and of every device on which they sign in


class Session(msgspec.Struct, frozen=True):
    """The token goes into `Authorization: Bearer` or, in browsers, into a cookie by itself."""

    token: str
    me: Me


def me_of(user: User) -> Me:
    return Me(
        user.id, user.name, user.password is not None, user.webhook, user.email,
        user.pending_email, user.language if user.language in words.languages() else None,
    )  # fmt: skip


async def let_in(
    services: Services, user: User, client: Client, status: int = 200
) -> Response[Session]:
    """A new session for someone, here."""
    token = await services.sessions.begin(user, client.device)
    cookies = [session_cookie(token, client)]
    if user.language is not None:
        cookies.append(language_cookie(user.language, client))
    secret = services.settings.secret
    if user.password is not None and client.known_to(user, secret) is None:
        mark = sign_link(secret, "device", user.id, new_id())
        cookies.append(_cookie(DEVICE, mark, client, _LONG))
    return Response(Session(token, me_of(user)), cookies=cookies, status_code=status)


def session_cookie(token: str, client: Client) -> Cookie:
    """The cookie that holds a session's token; without a token, the one that deletes it."""
    return _cookie(COOKIE, token, client, _LONG if token else 0)


def language_cookie(language: str, client: Client) -> Cookie:
    """The cookie that keeps a browser's language. The page may set it too, for people without a
    name here."""
    return _cookie(LANGUAGE, language, client, _LONG, is_hidden=False)


def _cookie(key: str, value: str, client: Client, seconds: int, is_hidden: bool = True) -> Cookie:
    return Cookie(
        key=key, value=value, max_age=seconds, httponly=is_hidden, samesite="lax",
        secure=client.is_secure,
    )  # fmt: skip

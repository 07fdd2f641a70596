"""Who somebody is: session tokens, links in mail, and what a request tells.

>>> token = sign(b"a secret of the server", "anna", "laptop")
>>> read(b"a secret of the server", token), read(b"another secret", token)
(('anna', 'laptop'), None)
"""

import hashlib
import ipaddress
from functools import cache, lru_cache
from urllib.parse import urlsplit

from itsdangerous import BadData, URLSafeSerializer, URLSafeTimedSerializer
from litestar.types import HTTPScope

COOKIE = "quartermaster"
LONGEST_TOKEN = 600


def sign(secret: bytes, user_id: str, session: str) -> str:
    """A token for a session. It holds for as long as the session is in the database."""
    return str(_serializer(secret, "session").dumps([user_id, session]))


def read(secret: bytes, token: str) -> tuple[str, str] | None:
    """User id and session of a token; None for whatever we have not signed.

    Whether the session still holds the caller must ask the database.
    """
    return _read(secret, token) if len(token) <= LONGEST_TOKEN else None


@lru_cache(maxsize=5_000)
def _read(secret: bytes, token: str) -> tuple[str, str] | None:
    """A token says the same each time, and is sent with every request."""
    match _loaded(_serializer(secret, "session"), token):
        case [str(user_id), str(session)]:
            return user_id, session
        case [str(user_id), int(epoch)]:  # from before there were sessions
            return user_id, f"{user_id}.{epoch}"
    return None


def sign_link(secret: bytes, purpose: str, *values: str) -> str:
    """A token to send by mail: whoever has it has read that mail."""
    return str(_timed(secret, purpose).dumps(list(values)))


def read_link(secret: bytes, purpose: str, token: str, seconds: int) -> list[str] | None:
    """The values in a token of `sign_link`; None if it is none of ours, or too old.

    >>> link = sign_link(b"a secret of the server", "confirm", "anna", "anna@example.org")
    >>> read_link(b"a secret of the server", "confirm", link, 3600)
    ['anna', 'anna@example.org']
    >>> read_link(b"a secret of the server", "reset", link, 3600)  # of another purpose
    """
    found = _loaded(_timed(secret, purpose), token, seconds)
    if isinstance(found, list) and all(isinstance(value, str) for value in found):
        return found
    return None


def find_token(cookies: str, authorization: str) -> str | None:
    """The token in the values of the headers Cookie and Authorization; the latter goes first.

    >>> find_token("theme=dark; quartermaster=abc", "")
    'abc'
    >>> find_token("quartermaster=abc", "Bearer xyz")
    'xyz'
    """
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return find_cookie(cookies, COOKIE)


def find_cookie(cookies: str, wanted: str) -> str | None:
    """The value of a cookie in the header of that name."""
    for pair in cookies.split(";"):
        name, _, value = pair.strip().partition("=")
        if name == wanted:
            return value.strip('"')
    return None


class Caller:
    """What a request tells of who sent it, and from where."""

    def __init__(self, scope: HTTPScope) -> None:
        self.headers = headers_of(scope)
        client = scope.get("client")
        self.peer = client[0] if client else ""  # the other end of the connection
        cookies, authorization = self.header("cookie"), self.header("authorization")
        self.token = find_token(cookies, authorization)
        self._user: str | None = ""
        self.has_cookie = find_token(cookies, "") is not None
        self.has_bearer = find_token("", authorization) is not None
        forwarded = self.header("x-forwarded-proto").rpartition(",")[2].strip().lower()
        self.scheme = forwarded or scope["scheme"]
        self.host = self.header("host")

    @property
    def origin(self) -> str | None:
        """The origin that the request was sent to, as far as it says."""
        host = self.header("x-forwarded-host") or self.host
        return origin_of(f"{self.scheme}://{host.rpartition(',')[2].strip()}")

    def header(self, name: str) -> str:
        return self.headers.get(name, "")

    def user(self, secret: bytes) -> str | None:
        """The user by the token alone: good for counting, not for letting in."""
        if self._user == "":  # not read yet
            found = read(secret, self.token) if self.token else None
            self._user = found[0] if found else None
        return self._user


def caller_of(scope: HTTPScope) -> Caller:
    """What a request tells, read once for all who ask while it is answered."""
    state: dict[str, object] = scope.setdefault("state", {})
    caller = state.get("caller")
    if not isinstance(caller, Caller):
        caller = state["caller"] = Caller(scope)
    return caller


def headers_of(scope: HTTPScope) -> dict[str, str]:
    """The headers of a request; one given twice is joined, as lists are."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name in found:
            value = found[name] + ("; " if name == "cookie" else ", ") + value
        found[name] = value
    return found


def origin_of(url: str) -> str | None:
    """Scheme, host and port of a URL, written one way.

    >>> origin_of("HTTPS://Games.example.org:443"), origin_of("null")
    ('https://games.example.org', None)
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/"):
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    default = 443 if parts.scheme == "https" else 80
    return f"{parts.scheme}://{host}" + (f":{port}" if port not in (None, default) else "")


def hostname(host: str) -> str:
    """The name in a Host header."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host name or an address is this very machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


_HOW = {"digest_method": hashlib.sha256, "key_derivation": "hmac"}


@cache
def _serializer(secret: bytes, purpose: str) -> URLSafeSerializer:
    return URLSafeSerializer(secret, salt=purpose, signer_kwargs=_HOW)


def _timed(secret: bytes, purpose: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(secret, salt=f"link {purpose}", signer_kwargs=_HOW)


def _loaded(
    serializer: URLSafeSerializer | URLSafeTimedSerializer, token: str, seconds: int | None = None
) -> object:
    if len(token) > LONGEST_TOKEN:
        return None
    try:
        if isinstance(serializer, URLSafeTimedSerializer):
            return serializer.loads(token, max_age=seconds)
        return serializer.loads(token)
    except (BadData, ValueError):
        return None

"""How the server is set up: read once from the environment, and checked then.

An empty variable counts as unset, since that is how many tools pass on what is not given.

>>> chosen = Settings.from_environment({"DATABASE_URL": "sqlite://", "QUARTERMASTER_RATE": "60"})
>>> chosen.rate_limit, chosen.public_url
(60, None)
"""

import os
import re
import secrets
import sys
from collections.abc import Mapping
from email.utils import parseaddr
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from quartermaster.errors import QuartermasterError
from quartermaster.server.addresses import LOOPBACK, Network, parse_proxies
from quartermaster.server.folders import data_folder

# Name, default and meaning of each variable, for people.
VARIABLES = [
    (
        "DATABASE_URL",
        "sqlite, quartermaster.db in the user's data folder",
        "where games are kept: sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME",
    ),
    (
        "QUARTERMASTER_SECRET",
        "with sqlite: the file `secret` beside the database, made at the first start",
        "signs sessions; 16 characters or more; needed with PostgreSQL",
    ),
    (
        "QUARTERMASTER_URL",
        "none: whatever host the browser names",
        "the address people use, as https://games.example.org; set it behind a proxy",
    ),
    ("QUARTERMASTER_BOTS", "one less than there are processors", "processes that bots think in"),
    (
        "QUARTERMASTER_SMTP",
        "none: no mail",
        "the mail server: smtp://USER:PASSWORD@HOST:PORT, or smtps:// for TLS from the start",
    ),
    ("QUARTERMASTER_MAIL_FROM", "none", "the sender of mail; needed with QUARTERMASTER_SMTP"),
    (
        "QUARTERMASTER_PRIVATE_WEBHOOKS",
        "0",
        "1 lets webhooks go to private addresses, and without TLS",
    ),
    (
        "QUARTERMASTER_PROXY",
        "this machine, if QUARTERMASTER_URL is set; else none",
        "addresses or networks of proxies, divided by commas, or `private`: they alone are"
        " believed whom they pass on for (X-Forwarded-For)",
    ),
    (
        "QUARTERMASTER_RATE",
        "600",
        "requests per minute and person; four times as many from one address; 0: no limit",
    ),
    ("QUARTERMASTER_GUESTS", "120", "new guests per hour from one address; 0: no limit"),
    (
        "QUARTERMASTER_TABLES",
        "60",
        "new tables per hour and person; four times as many from one address; 0: no limit",
    ),
    (
        "QUARTERMASTER_QUOTA",
        "20",
        "megabytes that are kept per day and person (a long game is 0.1); four times as many from"
        " one address; 0: no limit",
    ),
    (
        "QUARTERMASTER_STREAMS",
        "100",
        "live streams at once from one address, in each process; 0: no limit",
    ),
    (
        "QUARTERMASTER_CONNECTIONS",
        "200",
        "connections at once from one address that is no proxy, in each process; 0: no limit",
    ),
    (
        "QUARTERMASTER_MOST_CONNECTIONS",
        "as many as open files are allowed, less 128; 20000 at most",
        "connections at once in all, in each process",
    ),
    (
        "QUARTERMASTER_PATIENCE",
        "20",
        "seconds in which the head of a request must have come, and then its body",
    ),
    (
        "QUARTERMASTER_METRICS_TOKEN",
        "none: /metrics answers this machine alone",
        "the bearer token that opens /metrics; set it behind a proxy",
    ),
    ("QUARTERMASTER_LOG", "info", "how much is logged: debug, info, warning or error"),
]

LEVELS = ("debug", "info", "warning", "error")
SCHEMES = {"sqlite": "sqlite", "postgres": "postgresql", "postgresql": "postgresql"}
HIDDEN = "***"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the server was told. Its repr holds no secrets, so it may be logged."""

    database_url: str  # sqlite:///... or postgresql://..., without a driver: the store has its own
    secret: bytes
    public_url: str | None = None  # an origin: no path, no slash at the end
    bot_processes: int = 1
    smtp_url: str | None = None
    mail_from: str | None = None
    allow_private_webhooks: bool = False
    proxies: tuple[Network, ...] = ()
    rate_limit: int = 600  # requests per minute and person; 0: none, here and below
    guests_limit: int = 120  # new ones per hour and address
    tables_limit: int = 60  # new ones per hour and person
    quota: int = 20  # megabytes per day and person
    address_streams: int = 100
    address_connections: int = 200
    most_connections: int = 0  # as many as there are descriptors for
    patience: float = 20.0  # seconds for the head of a request, and for its body
    metrics_token: str | None = None
    log_level: str = "info"

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> "Settings":
        """The settings; makes the file of the secret if there is none yet."""
        database = _database(environ)
        smtp = _smtp(environ)
        sender = _get(environ, "QUARTERMASTER_MAIL_FROM")
        if sender is not None and not is_address(parseaddr(sender)[1]):
            raise _wrong("QUARTERMASTER_MAIL_FROM", "an address, as games@example.org", sender)
        if smtp is not None and sender is None:
            raise QuartermasterError(
                "QUARTERMASTER_MAIL_FROM: expected the sender's address, since"
                " QUARTERMASTER_SMTP is set"
            )
        if smtp is not None and _origin(environ) is None:
            raise QuartermasterError(
                "QUARTERMASTER_URL: expected the address people use, since QUARTERMASTER_SMTP is"
                " set: mail holds links to it"
            )
        level = (_get(environ, "QUARTERMASTER_LOG") or "info").lower()
        if level not in LEVELS:
            raise _wrong("QUARTERMASTER_LOG", " or ".join(LEVELS), level)
        return cls(
            database_url=database.render_as_string(hide_password=False),
            secret=_secret(environ, database),
            public_url=_origin(environ),
            bot_processes=_number(environ, "QUARTERMASTER_BOTS", max(1, _processors() - 1), 1, 256),
            smtp_url=smtp,
            mail_from=sender,
            allow_private_webhooks=_yes(environ, "QUARTERMASTER_PRIVATE_WEBHOOKS"),
            proxies=_proxies(environ),
            rate_limit=_number(environ, "QUARTERMASTER_RATE", 600, 0, 1_000_000),
            guests_limit=_number(environ, "QUARTERMASTER_GUESTS", 120, 0, 1_000_000),
            tables_limit=_number(environ, "QUARTERMASTER_TABLES", 60, 0, 1_000_000),
            quota=_number(environ, "QUARTERMASTER_QUOTA", 20, 0, 1_000_000),
            address_streams=_number(environ, "QUARTERMASTER_STREAMS", 100, 0, 1_000_000),
            address_connections=_number(environ, "QUARTERMASTER_CONNECTIONS", 200, 0, 1_000_000),
            most_connections=_number(environ, "QUARTERMASTER_MOST_CONNECTIONS", 0, 0, 1_000_000),
            patience=_number(environ, "QUARTERMASTER_PATIENCE", 20, 1, 3600),
            metrics_token=_get(environ, "QUARTERMASTER_METRICS_TOKEN"),
            log_level=level,
        )

    def shown(self) -> dict[str, object]:
        """The settings without what must stay secret."""
        values = msgspec.structs.asdict(self)
        values["secret"] = HIDDEN
        if self.metrics_token is not None:
            values["metrics_token"] = HIDDEN
        values["database_url"] = hide_password(self.database_url)
        if self.smtp_url is not None:
            values["smtp_url"] = hide_password(self.smtp_url)
        return values

    def __repr__(self) -> str:
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in self.shown().items())})"

    def __rich_repr__(self) -> list[tuple[str, object]]:  # what tracebacks by rich show
        return list(self.shown().items())


def database_url(environ: Mapping[str, str] = os.environ) -> str:
    """The database alone, for commands that need no server."""
    return _database(environ).render_as_string(hide_password=False)


def hide_password(url: str) -> str:
    """A URL to show.

    >>> hide_password("postgresql://me:secret@db/games?password=secret")
    'postgresql://me:***@db/games?password=***'
    """
    url = re.sub(r"(://[^:/?#]*):.*@", rf"\1:{HIDDEN}@", url)
    return re.sub(r"(password=)[^&]*", rf"\1{HIDDEN}", url)


def is_address(text: str, is_public: bool = False) -> bool:
    """Whether a text is one plain e-mail address; whether mail arrives only sending can tell.
    A public one is on the internet: its host has a dot. An operator may send from `me@localhost`.

    >>> is_address("me@localhost"), is_address("me@localhost", is_public=True)
    (True, False)
    """
    name, _, host = text.rpartition("@")
    return (
        len(text) <= 254
        and text.isprintable()
        and bool(re.fullmatch(r"[^\s@<>,;:\"()\[\]\\]+@[^\s@<>,;:\"()\[\]\\]+", text))
        and (not is_public or (len(name) <= 64 and bool(re.fullmatch(r"[\w-]+(\.[\w-]+)+", host))))
    )


def _get(environ: Mapping[str, str], name: str) -> str | None:
    return environ.get(name, "").strip() or None


def _wrong(name: str, expected: str, given: str | None = None) -> QuartermasterError:
    """The error that a setting is wrong. Its value is quoted only where it holds no secret."""
    return QuartermasterError(
        f"{name}: expected {expected}" + (f"; it is {given!r}" if given is not None else "")
    )


def _number(environ: Mapping[str, str], name: str, default: int, least: int, most: int) -> int:
    text = _get(environ, name)
    if text is None:
        return default
    if not re.fullmatch("[0-9]{1,9}", text) or not least <= int(text) <= most:
        raise _wrong(name, f"a whole number from {least} to {most}", text)
    return int(text)


def _yes(environ: Mapping[str, str], name: str) -> bool:
    text = (_get(environ, name) or "0").lower()
    if text not in ("0", "1", "no", "yes", "false", "true"):
        raise _wrong(name, "1 or 0", text)
    return text in ("1", "yes", "true")


def _processors() -> int:
    """How many processors this process may use: in a container often fewer than there are."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _database(environ: Mapping[str, str]) -> URL:
    text = _get(environ, "DATABASE_URL")
    if text is None:
        path = data_folder(environ) / "quartermaster.db"
        return URL.create("sqlite", database=str(path))
    expected = "sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise _wrong("DATABASE_URL", expected) from None
    scheme = SCHEMES.get(url.get_backend_name())
    if scheme is None:
        raise _wrong("DATABASE_URL", expected, f"{url.drivername}://...")
    return url.set(drivername=scheme)


def _origin(environ: Mapping[str, str]) -> str | None:
    text = _get(environ, "QUARTERMASTER_URL")
    if text is None:
        return None
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise _wrong("QUARTERMASTER_URL", "an address without path, as https://games.example.org")
    if "@" in parts.netloc:
        raise _wrong("QUARTERMASTER_URL", "an address without user and password")
    return f"{parts.scheme}://{parts.netloc.lower()}"


def _proxies(environ: Mapping[str, str]) -> tuple[Network, ...]:
    text = _get(environ, "QUARTERMASTER_PROXY")
    if text is None:
        return parse_proxies(LOOPBACK) if _get(environ, "QUARTERMASTER_URL") else ()
    try:
        return parse_proxies(text)
    except QuartermasterError as error:
        raise QuartermasterError(f"QUARTERMASTER_PROXY: {error}") from None


def _smtp(environ: Mapping[str, str]) -> str | None:
    text = _get(environ, "QUARTERMASTER_SMTP")
    if text is None:
        return None
    try:
        parts = urlsplit(text)
        fits = parts.scheme in ("smtp", "smtps") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        fits = False
    if not fits or parts.path not in ("", "/"):
        expected = "smtp://USER:PASSWORD@HOST:PORT (special characters as %40) or smtps://..."
        raise _wrong("QUARTERMASTER_SMTP", expected)
    return text


def _secret(environ: Mapping[str, str], database: URL) -> bytes:
    expected = "16 characters or more that nobody can guess, as `openssl rand -hex 32` prints"
    text = _get(environ, "QUARTERMASTER_SECRET")
    if text is not None:
        if len(text) < 16:
            raise _wrong("QUARTERMASTER_SECRET", expected)
        return text.encode()
    if database.drivername != "sqlite" or (database.database or "").startswith("file:"):
        raise _wrong("QUARTERMASTER_SECRET", f"{expected} (only a sqlite file has one beside it)")
    if database.database in (None, "", ":memory:"):
        return secrets.token_hex(32).encode()  # such a database is gone with the process too
    return _kept_secret(Path(str(database.database)).parent / "secret")


def _kept_secret(path: Path) -> bytes:
    """The secret in a file; a random one is made if there is none.

    It is written elsewhere and then linked, so that of two servers that start at once
    neither reads half a secret, and both take the one that was first.
    """
    try:
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft = path.with_name(f".secret-{secrets.token_hex(8)}")
            try:
                flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY
                with os.fdopen(os.open(draft, flags, 0o600), "wb") as file:
                    file.write(secrets.token_hex(32).encode())
                    file.flush()
                    os.fsync(file.fileno())
                if not path.exists():
                    os.link(draft, path)
            except FileExistsError:
                pass
            finally:
                draft.unlink(missing_ok=True)
        secret = path.read_bytes().strip()
    except OSError as error:
        raise QuartermasterError(
            f"cannot keep a secret in {path} ({error.strerror}); set QUARTERMASTER_SECRET"
        ) from None
    if len(secret) < 16:
        raise QuartermasterError(f"{path}: expected 16 characters or more; delete it or mend it")
    return secret

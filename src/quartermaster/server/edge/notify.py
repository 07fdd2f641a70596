"""Telling people that it is their turn: by a webhook of theirs, or by mail.

A webhook is an address that a user gives and the server calls, so it could be aimed at what
only the server can reach (SSRF). Therefore its name is looked up once, all addresses found must
be public, and the connection goes to one of these: a second look-up could find another one.
"""

import asyncio
import ipaddress
import logging
import smtplib
import socket
import ssl
from collections.abc import Awaitable, Callable
from email.message import EmailMessage
from email.utils import formatdate, make_msgid
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, unquote, urlsplit

from quartermaster.server.identity.tokens import is_loopback
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import Settings, is_address
from quartermaster.speech.say import say

if TYPE_CHECKING:  # imported when first needed: it takes long, and most servers call nobody
    import httpx

log = logging.getLogger(__name__)

TIMEOUT = 5.0
LONGEST_URL = 500
LONGEST_WAIT = 5.0  # that a webhook may ask for before the second try
_NAT64 = ipaddress.ip_network("64:ff9b::/96")  # each of it stands for an address of IPv4
SMTP_PORTS = {"smtp": 587, "smtps": 465}


class NotDelivered(Exception):
    """Why something did not arrive, in words fit for the log."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait  # seconds before another try; None: it would be in vain


class Notifier:
    """Sends; never raises for what others do wrong."""

    def __init__(
        self, settings: Settings, tls: ssl.SSLContext | None = None, pause: float = 1.0
    ) -> None:
        self.settings = settings
        self.tls = tls  # other authorities than the usual
        self.pause = pause  # seconds before the second try
        self.client: httpx.AsyncClient | None = None
        self.is_closed = False

    def check_webhook(self, url: str) -> str:
        """The URL as it is to be kept, or an error."""
        return check_webhook(url, self.settings.allow_private_webhooks)

    async def send(
        self,
        user_webhook: str | None,
        user_email: str | None,
        subject: str,
        text: str,
        link: str,
        stop: str | None = None,
    ) -> bool:
        """Whether all arrived that is set up; what is not set up counts as done.

        Mail is set up if the user has an address and the server a mail server. `stop` is the
        link by which its reader can end such mail.
        """
        ways: list[Awaitable[bool]] = []
        if user_webhook:
            url = user_webhook
            content = {"content": f"{text}\n{link}"}
            ways.append(self.persist("webhook", lambda: self.call(url, content)))
        if user_email and self.settings.smtp_url:
            address = user_email
            body = f"{text}\n\n{link}\n"
            ways.append(self.persist("mail", lambda: self.mail(address, subject, body, stop)))
        return all(await asyncio.gather(*ways))

    async def close(self) -> None:
        """Give back the connections; nothing is sent any more."""
        self.is_closed = True
        if self.client is not None:
            await self.client.aclose()
            self.client = None

    async def persist(self, what: str, deliver: Callable[[], Awaitable[None]]) -> bool:
        """Deliver something, with a second try where the first may have failed by chance."""
        for is_last in (False, True):
            try:
                if self.is_closed:
                    raise NotDelivered("the server is closing")
                await deliver()
                return True
            except NotDelivered as error:
                log.warning("%s not delivered: %s", what, error)
                if is_last or error.wait is None:
                    return False
                await asyncio.sleep(error.wait)
            except Exception as error:
                # Its text may hold the URL or the address: only its kind is safe to log.
                log.error("%s not delivered: %s", what, type(error).__name__)
                return False
        return False

    async def call(self, url: str, content: dict[str, str]) -> None:
        """Post to a webhook."""
        try:
            parts = urlsplit(self.check_webhook(url))
        except Refused as error:
            raise NotDelivered(str(error)) from None
        host = parts.hostname or ""
        import httpx

        try:
            async with asyncio.timeout(TIMEOUT):
                address = await self.look_up(host, port_of(parts))
                # Certificate and Host are still those of the name.
                target = parts._replace(netloc=f"{bracketed(address)}:{port_of(parts)}").geturl()
                async with self.http().stream(
                    "POST",
                    target,
                    json=content,
                    headers={"host": parts.netloc},
                    extensions={"sni_hostname": host},
                ) as response:  # the body is not read: it may be endless
                    status = response.status_code
                    asked = response.headers.get("retry-after", "")
        except (TimeoutError, httpx.TransportError) as error:
            raise NotDelivered(f"{host}: {type(error).__name__}", self.pause) from None
        if status == 429 or status >= 500:
            wait = float(asked) if asked.isdecimal() else 0.0
            raise NotDelivered(
                f"{host} answered {status}", min(max(wait, self.pause), LONGEST_WAIT)
            )
        if not 200 <= status < 300:
            raise NotDelivered(f"{host} answered {status}")

    async def look_up(self, host: str, port: int) -> str:
        """The address to connect to."""
        try:
            found = await asyncio.get_running_loop().getaddrinfo(
                host, port, type=socket.SOCK_STREAM
            )
        except (OSError, UnicodeError):
            raise NotDelivered(f"{host}: no such host", self.pause) from None
        addresses = [str(one[4][0]) for one in found]
        if not self.settings.allow_private_webhooks:
            if not all(is_public(address) for address in addresses):
                raise NotDelivered(f"{host}: not a public address")
        return addresses[0]

    def http(self) -> "httpx.AsyncClient":
        """The client, made when first needed: reading the certificates takes a while.

        No proxy of the environment is used: it would look names up itself. No connection is
        kept: one is known by its address, though its certificate was that of another name.
        """
        import httpx

        if self.client is None:
            self.client = httpx.AsyncClient(
                timeout=TIMEOUT,
                follow_redirects=False,
                trust_env=False,
                limits=httpx.Limits(max_connections=20, max_keepalive_connections=0),
                verify=self.tls if self.tls is not None else True,
                headers={"user-agent": "quartermaster"},
            )
        return self.client

    async def mail(self, address: str, subject: str, body: str, stop: str | None = None) -> None:
        """Send a mail, with the link by which its reader can end such mail."""
        if not is_address(address):
            raise NotDelivered("not an e-mail address")
        message = EmailMessage()
        message["From"] = sender = self.settings.mail_from or ""
        message["To"] = address
        message["Subject"] = " ".join(subject.split())
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2].strip(" >") or None)
        message["Auto-Submitted"] = "auto-generated"  # no answers from machines, please
        if stop is not None:
            body += "\n" + say("mail.stop") + f"\n{stop}\n"
            message["List-Unsubscribe"] = f"<{stop}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(body)
        try:
            await asyncio.to_thread(self.hand_over, message)
        except smtplib.SMTPResponseException as error:
            wait = self.pause if error.smtp_code < 500 else None
            raise NotDelivered(f"the mail server answered {error.smtp_code}", wait) from None
        except smtplib.SMTPRecipientsRefused as error:
            code = max(code for code, _ in error.recipients.values())
            wait = self.pause if code < 500 else None
            raise NotDelivered(f"the mail server answered {code}", wait) from None
        except OSError as error:  # SMTPException is one
            raise NotDelivered(f"mail server: {type(error).__name__}", self.pause) from None

    def hand_over(self, message: EmailMessage) -> None:
        """Talk to the mail server, in a thread."""
        parts = urlsplit(self.settings.smtp_url or "")
        host, port = parts.hostname or "", parts.port or SMTP_PORTS[parts.scheme]
        tls = self.tls or ssl.create_default_context()
        if parts.scheme == "smtps":
            connection: smtplib.SMTP = smtplib.SMTP_SSL(host, port, timeout=TIMEOUT, context=tls)
        else:
            connection = smtplib.SMTP(host, port, timeout=TIMEOUT)
        with connection as server:
            server.ehlo_or_helo_if_needed()
            is_hidden = parts.scheme == "smtps"
            if not is_hidden and server.has_extn("starttls"):
                server.starttls(context=tls)
                server.ehlo()
                is_hidden = True
            if parts.username:
                if not is_hidden and not is_loopback(host):
                    raise NotDelivered("the mail server offers no TLS: no password was sent")
                server.login(unquote(parts.username), unquote(parts.password or ""))
            server.send_message(message)


def check_webhook(url: str, allow_private: bool = False) -> str:
    """A webhook's URL as it is to be kept, or an error. Names are looked up only when sending.

    >>> check_webhook(" https://discord.com/api/webhooks/1/abc ")
    'https://discord.com/api/webhooks/1/abc'
    """
    url = url.strip()
    schemes = ("https", "http") if allow_private else ("https",)
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        fits = parts.scheme in schemes and bool(host) and parts.port != 0 and url.isascii()
    except ValueError:
        fits = False
    if not fits or len(url) > LONGEST_URL or not url.isprintable() or " " in url:
        raise Refused(422, "bad-webhook", most=LONGEST_URL)
    if "@" in parts.netloc or parts.fragment:
        raise Refused(422, "webhook-with-user")
    if not allow_private and not may_be_public(host):
        raise Refused(422, "private-webhook")
    return url


def may_be_public(host: str) -> bool:
    """Whether a name or an address can be one on the internet."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        last = host.rstrip(".").rpartition(".")
        return bool(last[0]) and last[2] not in ("localhost", "local", "internal")
    return is_public(host)


def is_public(address: str) -> bool:
    """Whether an address is one on the internet; those that wrap another one are not.

    >>> [is_public(one) for one in ("1.1.1.1", "10.0.0.1", "::ffff:10.0.0.1", "2002:a00:1::")]
    [True, False, False, False]
    >>> is_public("64:ff9b::a00:1")
    False
    """
    found = ipaddress.ip_address(address)
    if not found.is_global or found.is_multicast or found.is_reserved:
        return False
    if isinstance(found, ipaddress.IPv6Address):
        if found in _NAT64:
            return False
        return not (found.ipv4_mapped or found.sixtofour or found.teredo or found.is_site_local)
    return True


def port_of(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def bracketed(address: str) -> str:
    return f"[{address}]" if ":" in address else address

"""Where requests come from: the addresses that limits are counted by, and proxies.

>>> network_of("203.0.113.7"), network_of("2001:db8:1:2:3::4"), network_of("::ffff:203.0.113.7")
('203.0.113.7', '2001:db8:1:2::/64', '203.0.113.7')
>>> proxies = parse_proxies("127.0.0.1, 10.0.0.0/8")
>>> client_address("10.1.2.3", "192.0.2.1, 203.0.113.7, 10.9.9.9", proxies)
'203.0.113.7'
>>> client_address("198.51.100.5", "203.0.113.7", proxies)
'198.51.100.5'
"""

import ipaddress
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache

from quartermaster.errors import QuartermasterError

Network = ipaddress.IPv4Network | ipaddress.IPv6Network
LOOPBACK = "127.0.0.0/8, ::1"
PRIVATE = f"{LOOPBACK}, 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7"
UNKNOWN = "unknown"

_calling: ContextVar[str | None] = ContextVar("address", default=None)


def parse_proxies(text: str) -> tuple[Network, ...]:
    """Networks, divided by commas; `private` stands for all that are not of the internet."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    try:
        return tuple(
            ipaddress.ip_network(one.strip(), strict=False)
            for name in names
            for one in (PRIVATE if name == "private" else name).split(",")
        )
    except ValueError:
        raise QuartermasterError(
            f"expected addresses or networks, as 127.0.0.1,10.0.0.0/8, or private; got {text!r}"
        ) from None


@lru_cache(maxsize=10_000)
def network_of(address: str) -> str:
    """What an address counts as: of IPv6 the network, since everyone has many addresses in it."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ipaddress.ip_network((str(parsed), 64), strict=False))
    return str(parsed)


@lru_cache(maxsize=10_000)
def is_proxy(peer: str, proxies: tuple[Network, ...]) -> bool:
    """Whether the other end of a connection is one of our proxies. What is no address is a
    socket of this machine, as a proxy may use."""
    if not proxies:
        return False
    try:
        parsed = ipaddress.ip_address(peer)
    except ValueError:
        return True
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    return any(parsed in network for network in proxies)


def client_address(peer: str, forwarded: str, proxies: tuple[Network, ...]) -> str:
    """The network a request comes from. Only a proxy is believed whom it passes on for: the
    last that is no proxy itself, for those before it anyone can make up."""
    address = peer
    for one in reversed(forwarded.split(",") if forwarded else []):
        if not is_proxy(address, proxies):
            break
        address = one.strip()
        if network_of(address) == UNKNOWN:
            return UNKNOWN
    return network_of(address)


@contextmanager
def calling(address: str) -> Iterator[None]:
    """What is done within is done for a request from this address."""
    token = _calling.set(address)
    try:
        yield
    finally:
        _calling.reset(token)


def called_from() -> str | None:
    """The address whose request is answered now; none where the server acts by itself."""
    return _calling.get()

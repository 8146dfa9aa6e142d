"""Where a webhook leads: its address as it was given, and the machines behind it, which must be public ones.

An admin of an account names the address and this service calls it. So it must not lead to what only this service can reach: its
own machine, its network, a cloud's metadata. The name is resolved for every connection, and the connection is made to the
very address that was looked at, since a name may lead elsewhere a moment later.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from graph_memory.base.errors import Invalid
from graph_memory.webhooks.settings import WebhooksSettings

LONGEST_URL = 2000

# IPv6 addresses that stand for an IPv4 address in their last 32 bits.
_TRANSLATED = (IPv6Network("64:ff9b::/96"), IPv6Network("::/96"))
# Set apart from the public ones, which the standard library of older versions does not know.
_SET_APART = (IPv6Network("64:ff9b:1::/48"), IPv4Network("192.0.0.0/24"))
_PORTS = {"https": 443, "http": 80}


class NotPublic(Exception):  # noqa: N818 - named by what is wrong
    """The host has no address, or one that is not public."""


@dataclass(frozen=True)
class Destination:
    """The parts of an address that a request needs."""

    is_secure: bool
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """Host and port as a request names them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS["https" if self.is_secure else "http"] else f"{host}:{self.port}"


def check(url: str, settings: WebhooksSettings) -> Destination:
    """The destination of an address that may be a webhook's; Invalid when it may not."""
    found = destination(url)
    if not found.is_secure and not settings.private:
        raise Invalid("The url of a webhook must begin with https://.", path="url")
    try:
        addresses(found, settings)
    except NotPublic:
        raise Invalid(
            f"The host {found.host[:200]} has no public address, and webhooks may lead to public addresses only, "
            "unless GRAPH_MEMORY_WEBHOOKS_PRIVATE is set.",
            path="url",
        ) from None
    return found


def destination(url: str) -> Destination:
    """The parts of an address; Invalid when it is no address of HTTP."""
    if len(url) > LONGEST_URL:
        raise Invalid(f"The url has {len(url)} characters; at most {LONGEST_URL} are allowed.", path="url")
    if not url.isascii() or not url.isprintable() or " " in url:
        raise Invalid("The url must be written in ASCII without spaces; encode all others.", path="url")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise Invalid("The url cannot be read as an address.", path="url") from None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise Invalid("The url must be an address as in https://example.org/changes.", path="url")
    if parts.username is not None or parts.fragment:
        raise Invalid("The url must not hold a user, a password or a fragment.", path="url")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Destination(
        parts.scheme == "https", parts.hostname, _PORTS[parts.scheme] if port is None else port, target
    )


def addresses(found: Destination, settings: WebhooksSettings) -> list[str]:
    """The machines of the host; NotPublic when there are none, or when one of them is not public and that is not allowed."""
    try:
        rows = socket.getaddrinfo(found.host, found.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise NotPublic from None
    names = list(dict.fromkeys(str(row[4][0]) for row in rows))
    if not settings.private and not all(is_public(name) for name in names):
        raise NotPublic
    return names


def is_public(name: str) -> bool:
    """Whether anybody can reach this address; one that stands for another is as public as that."""
    found = ip_address(name.partition("%")[0])
    inner = _inner(found) if isinstance(found, IPv6Address) else None
    if inner is not None:
        return is_public(str(inner))
    is_set_apart = any(found in network for network in _SET_APART)
    return found.is_global and not found.is_multicast and not is_set_apart


def _inner(found: IPv6Address) -> IPv4Address | None:
    """The IPv4 address that an IPv6 address stands for."""
    if any(found in network for network in _TRANSLATED):
        return IPv4Address(int(found) & 0xFFFFFFFF)
    return found.ipv4_mapped or found.sixtofour

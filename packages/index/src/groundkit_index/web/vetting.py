"""The addresses that may be connected to for a host."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import ip_address

from groundkit_index.web.addresses import IPAddress
from groundkit_index.web.errors import ForbiddenError, UnreachableError
from groundkit_index.web.resolving import Resolver, resolve_within

AddressPolicy = Callable[[IPAddress], bool]
"""Tells whether an address may be connected to."""


def vetted_addresses(
    host: str, resolver: Resolver, allows: AddressPolicy, seconds: float
) -> tuple[IPAddress, ...]:
    """Return the addresses of a host, each allowed by the policy, in the resolver's order.

    The resolver is asked once, and not at all for addresses and for `localhost`. One address
    that is not allowed makes the host forbidden: who publishes it mixes public and private.

    Args:
        host: as `canonical_host` gives it.
        resolver: knows the addresses of names.
        allows: the policy.
        seconds: how long the resolver may take.

    Raises:
        ForbiddenError: `forbidden_address`.
        UnreachableError: `unknown_host`, or `too_slow`.
    """
    literal = literal_address(host)
    texts = (str(literal),) if literal else _resolved(host, resolver, seconds)
    try:
        addresses = tuple(map(ip_address, texts))
    except ValueError:
        addresses = ()
    if not addresses:
        raise UnreachableError("unknown_host", "the name has no address", host)
    if not all(map(allows, addresses)):
        raise ForbiddenError(
            "forbidden_address",
            "only addresses of the public internet are fetched, and this host has another",
            host,
        )
    return addresses


def literal_address(host: str) -> IPAddress | None:
    """Return the address that a host is without asking anyone, if it is one."""
    if host == "localhost" or host.endswith(".localhost"):
        return ip_address("127.0.0.1")
    try:
        return ip_address(host)
    except ValueError:
        return None


def _resolved(host: str, resolver: Resolver, seconds: float) -> tuple[str, ...]:
    try:
        return tuple(resolve_within(resolver, host, seconds))
    except TimeoutError:
        raise UnreachableError("too_slow", "the name server does not answer", host) from None
    except OSError:
        raise UnreachableError("unknown_host", "the name is not known", host) from None

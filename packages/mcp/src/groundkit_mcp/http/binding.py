"""Opens the sockets to listen on, and refuses addresses that others can reach."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import socket
from collections.abc import Iterable

from groundkit_core.errors import SettingsError

_BACKLOG = 512
_MOST_CONNECTIONS, _MOST_AT_A_TIME = 1_000, 128

_TAKEN = (errno.EADDRINUSE, errno.EACCES)

Address = tuple[socket.AddressFamily, tuple[str, int]]


def listen(host: str, port: int, *, allowed: bool) -> list[socket.socket]:
    """Return listening sockets for every address of a host.

    Args:
        host: a name or an address, in any spelling that the system understands.
        port: 0 takes a free one.
        allowed: whether an address that others can reach is acceptable.

    Raises:
        SettingsError: the host is unknown, others can reach it, or the port is taken.
    """
    addresses = _resolved(host, port)
    if not allowed and not all(_is_loopback(address) for _, address in addresses):
        raise SettingsError(
            f"--host {host or '(empty)'} can be reached by others; that needs --allow-remote and "
            "configured authentication (--auth-tokens, or --auth-keys with --auth-issuer and "
            "--auth-audience)"
        )
    opened: list[socket.socket] = []
    failure: OSError | None = None
    for family, address in addresses if port else addresses[:1]:
        try:
            opened.append(_opened(family, address))
        except OSError as error:
            # A machine without IPv6 still resolves `localhost` to an address of it.
            failure = error if failure is None or error.errno in _TAKEN else failure
    if failure is not None and (not opened or failure.errno in _TAKEN):
        _close(opened)
        reason = str(failure.strerror).lower()
        raise SettingsError(f"cannot listen on {host} port {port}: {reason}; try another --port")
    return opened


def connection_limits() -> tuple[int, int]:
    """Return how many connections to hold, and how many to accept at a time.

    Half of the files that the process may open are left for the index and for connections that
    are on their way to be turned away: asyncio has up to four such batches in hand.
    """
    files = _most_files()
    return min(_MOST_CONNECTIONS, files // 2), max(1, min(_MOST_AT_A_TIME, files // 16))


def _most_files() -> int:
    try:
        import resource
    except ImportError:  # only systems that limit them have it
        return 2 * _MOST_CONNECTIONS
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 2 * _MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else soft


def _resolved(host: str, port: int) -> list[Address]:
    try:
        found = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):
        raise SettingsError("--host names no address of this machine") from None
    unique = dict.fromkeys((family, address[:2]) for family, _, _, _, address in found)
    # IPv4 first: a free port is then taken where most clients look.
    return sorted(
        ((family, (str(name), int(number))) for family, (name, number) in unique),
        key=lambda entry: entry[0] != socket.AF_INET,
    )


def _is_loopback(address: tuple[str, int]) -> bool:
    found = ipaddress.ip_address(address[0].partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None)
    return bool((mapped or found).is_loopback)


def _opened(family: socket.AddressFamily, address: tuple[str, int]) -> socket.socket:
    # asyncio turns Nagle's algorithm off only where the protocol is named; it costs 40 ms a call.
    opened = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if os.name == "posix":
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind(address)
        opened.listen(_BACKLOG)
    except OSError:
        opened.close()
        raise
    return opened


def _close(opened: Iterable[socket.socket]) -> None:
    for one in opened:
        with contextlib.suppress(OSError):
            one.close()

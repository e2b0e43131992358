"""Addresses of a host name."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Sequence

Resolver = Callable[[str], Sequence[str]]
"""Returns the addresses of a host name; raises `OSError` when there are none."""


def resolve(host: str) -> list[str]:
    """Return what the operating system knows, in the order in which to try."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def resolve_within(resolver: Resolver, host: str, seconds: float) -> Sequence[str]:
    """Return what a resolver gives, without waiting longer than some seconds.

    Raises:
        OSError: it knows none.
        TimeoutError: it takes longer. Nothing can stop it; its thread ends when it likes.
    """
    found: list[Sequence[str]] = []
    failed: list[Exception] = []

    def ask() -> None:
        try:
            found.append(resolver(host))
        except (OSError, UnicodeError) as error:
            failed.append(error)

    thread = threading.Thread(target=ask, name="resolve", daemon=True)
    thread.start()
    thread.join(max(0.0, seconds))
    if found:
        return found[0]
    if failed:
        raise OSError(f"{host} is not known") from failed[0]
    raise TimeoutError

"""How the HTTP application is set up."""

from __future__ import annotations

from dataclasses import dataclass, field

from groundkit_mcp.auth.settings import AuthSettings
from groundkit_mcp.limits import Limits

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, slots=True)
class HttpSettings:
    """What the operator has set; requests change none of it.

    Attributes:
        hosts: names that the Host header may carry, lower case, without a port.
        auth: how callers prove who they are.
        resource: the address under which clients reach `/mcp` [taken from the Host header].
        limits: how much runs at once, and how long.
        body_bytes: the longest body that is read.
        body_seconds: how long a body may take to arrive.
        header_seconds: how long the head of a request may take to arrive.
        drain_seconds: how long requests may go on once the end is near.
    """

    hosts: frozenset[str] = LOOPBACK_NAMES
    auth: AuthSettings = field(default_factory=AuthSettings)
    resource: str | None = None
    limits: Limits = field(default_factory=Limits)
    body_bytes: int = 1_000_000
    body_seconds: float = 10.0
    header_seconds: float = 10.0
    drain_seconds: int = 8

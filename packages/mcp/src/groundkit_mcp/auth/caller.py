"""Who a request comes from, as far as the deployment has verified it."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.access import Principal


@dataclass(frozen=True, slots=True)
class Caller:
    """The origin of a request.

    Attributes:
        principal: who asks.
        scopes: what its token carries; None for one that needs no token.
    """

    principal: Principal
    scopes: frozenset[str] | None = frozenset()

    @property
    def local(self) -> bool:
        """True for whoever reaches a service without authentication: the deployment's owner."""
        return self.scopes is None

    @property
    def share(self) -> tuple[bool, str]:
        """Whose share of the service the request uses up."""
        return self.local, self.principal.subject

    def may(self, scope: str) -> bool:
        """Return whether the caller holds a scope."""
        return self.scopes is None or scope in self.scopes


LOCAL = Caller(Principal("local"), scopes=None)
"""Whoever talks to stdio, or to a loopback address where no authentication is configured."""

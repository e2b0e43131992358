"""Who reads, and under which policy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundkit_core.access import Policy, PolicySource, Principal, Profile


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads: a principal that the policy maps to a profile, or a profile by name.

    Attributes:
        source: the policy, as it is at each query.
        principal: who asks, as the deployment verified it; None is nobody in particular.
        profile: name of the profile that the deployment binds; it wins over the principal.
    """

    source: PolicySource
    principal: Principal | None = None
    profile: str | None = None

    def current(self) -> tuple[Policy, Profile]:
        """Return the policy in force and the profile that it gives; unknown is restricted."""
        from groundkit_core.access import ANONYMOUS

        policy = self.source.current()
        if self.profile is not None:
            return policy, policy.named(self.profile).profile
        return policy, policy.profile_of(self.principal or ANONYMOUS)

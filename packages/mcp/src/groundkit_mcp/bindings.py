"""What a caller may see of a deployment: its policy, and the profile that callers are bound to."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from groundkit_mcp.engine import import_engine

if TYPE_CHECKING:
    from groundkit_core.access import PolicySource, Profile
    from groundkit_core.settings import Settings
    from groundkit_mcp.auth.caller import Caller
    from groundkit_retrieval.access import Reader

_log = logging.getLogger(__name__)


class Bindings:
    """Binds callers to profiles, under the policy of the moment.

    A caller with a verified token is bound by the policy's identities. The local one, on stdio
    or on loopback without authentication, gets the profile that the deployment names; missing
    or unknown is `restricted`.

    Args:
        settings: name the policy's file and the profile.

    Raises:
        PolicyError: the policy cannot be used.
    """

    def __init__(self, settings: Settings) -> None:
        from groundkit_core.access import PolicySource

        self._source: PolicySource = PolicySource(settings.policy)
        self._profile = settings.profile or ""

    def reader(self, caller: Caller) -> Reader:
        """Return the reader that a caller is."""
        import_engine()
        from groundkit_retrieval.access import Reader

        if caller.local:
            return Reader(self._source, profile=self._profile)
        return Reader(self._source, caller.principal)

    def profile(self, caller: Caller) -> Profile:
        """Return the profile of a caller."""
        return self.reader(caller).current()[1]

    @property
    def problems(self) -> tuple[str, ...]:
        """Why nobody reads anything now; empty when the policy is good."""
        self._source.current()
        return self._source.problems

    def announce(self) -> None:
        """Say on the log which profile local callers have, when nobody chose it."""
        binding = self._source.current().named(self._profile)
        if binding.fell_back:
            classes = ", ".join(sorted(binding.profile.classes)) or "nothing"
            _log.warning(
                "%s, so local callers are bound to %r, which reads %s; GROUNDKIT_PROFILE names "
                "another, such as engineer or auditor",
                binding.why,
                binding.profile.name,
                classes,
            )

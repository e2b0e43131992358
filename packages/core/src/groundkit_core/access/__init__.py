"""Who may read which documents: principals, profiles, rules and the policy that joins them."""

from __future__ import annotations

from groundkit_core.access.decisions import Binding, Decision
from groundkit_core.access.declarations import declared
from groundkit_core.access.loading import load_policy, parse_policy
from groundkit_core.access.policy import Policy
from groundkit_core.access.principals import ANONYMOUS, Identity, Principal
from groundkit_core.access.profiles import Profile
from groundkit_core.access.rules import Classified, Rule
from groundkit_core.access.source import PolicySource
from groundkit_core.errors import PolicyError

__all__ = [
    "ANONYMOUS",
    "Binding",
    "Classified",
    "Decision",
    "Identity",
    "Policy",
    "PolicyError",
    "PolicySource",
    "Principal",
    "Profile",
    "Rule",
    "declared",
    "load_policy",
    "parse_policy",
]

"""Which rules a person may switch off."""

from __future__ import annotations

from collections.abc import Iterable

from groundkit_core.errors import SettingsError
from groundkit_index.guard.names import NAME_RULES
from groundkit_index.guard.table import RULES


def check_allowed(rule_ids: Iterable[str]) -> frozenset[str]:
    """Return the ids of rules that are not applied, as `scan` takes them.

    Args:
        rule_ids: ids of content rules or of name rules.

    Raises:
        SettingsError: there is no such rule.
    """
    wanted = frozenset(rule_ids)
    known = sorted({*(rule.rule_id for rule in RULES), *(rule.rule_id for rule in NAME_RULES)})
    unknown = sorted(wanted.difference(known))
    if unknown:
        raise SettingsError(f"no rule {unknown[0]!r} to allow; the rules are {', '.join(known)}")
    return wanted

"""Keeps secrets and private paths out of an index."""

from groundkit_index.guard.allowed import check_allowed
from groundkit_index.guard.names import NAME_RULES, NameRule, private_name
from groundkit_index.guard.rule import Rule
from groundkit_index.guard.scan import MAX_FINDINGS, Finding, scan
from groundkit_index.guard.table import RULES

__all__ = [
    "MAX_FINDINGS",
    "NAME_RULES",
    "RULES",
    "Finding",
    "NameRule",
    "Rule",
    "check_allowed",
    "private_name",
    "scan",
]

"""Finds secrets and private paths in a text; reports the rule and the line, never the value.

Not found: a secret that is split over lines or strings, encoded (other than a PEM key in
base64), compressed, broken up by invisible characters, or of a shape that no rule describes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

from groundkit_core.text import LineIndex
from groundkit_index.guard.gates import compile_gates, possible_rules
from groundkit_index.guard.rule import Rule
from groundkit_index.guard.table import RULES

MAX_FINDINGS: Final = 20

_GATES = compile_gates(RULES)
_LINE_END = re.compile(r"[\r\n]")


@dataclass(frozen=True, slots=True)
class Finding:
    """Where a rule matched.

    Attributes:
        rule_id: the rule.
        line: the line on which the match begins, counted from 1.
    """

    rule_id: str
    line: int


def scan(text: str, allowed: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """Return what the content rules find in a text, ordered by line.

    Args:
        text: the decoded text of a document.
        allowed: ids of rules that are not applied.

    Returns:
        The first `MAX_FINDINGS`, one for each rule and line.
    """
    hits = [
        (offset, rule.rule_id)
        for rule in possible_rules(text, _GATES)
        if rule.rule_id not in allowed
        for offset in islice(_first_on_each_line(rule, text), MAX_FINDINGS)
    ]
    if not hits:
        return ()
    lines = LineIndex(text)
    found = sorted((lines.line_of(offset), rule_id) for offset, rule_id in hits)
    return tuple(Finding(rule_id, line) for line, rule_id in found[:MAX_FINDINGS])


def _first_on_each_line(rule: Rule, text: str) -> Iterator[int]:
    resume = 0
    for match in rule.pattern.finditer(text):
        if match.start() >= resume and rule.confirm(match):
            yield match.start()
            line_end = _LINE_END.search(text, match.start())
            if line_end is None:
                return
            resume = line_end.start()

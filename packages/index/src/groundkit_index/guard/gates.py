"""Which rules a text can match at all, found in one fast pass per rare character.

A search for a single character runs at memory speed; a search for thirty literals, one by one
or as an alternation, costs four to seven times as much. So each literal is looked for by its rarest
character, and what stands around that character is compared only where it occurs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from groundkit_index.guard.rule import Rule

_RARE_FIRST = "@J\\_xGK=kA/gP:-."


@dataclass(frozen=True, slots=True)
class Gate:
    """The rules whose literals share a character, and where one of those literals occurs."""

    pattern: re.Pattern[str]
    rules: tuple[Rule, ...]


def compile_gates(rules: Iterable[Rule]) -> tuple[Gate, ...]:
    """Return the gates for a table of rules."""
    shapes: dict[str, list[str]] = {}
    owners: dict[str, dict[str, Rule]] = {}
    for rule in rules:
        for literal in rule.literals:
            at = _rarest(literal)
            before, after = literal[: at + 1], literal[at + 1 :]
            shape = f"(?<={re.escape(before)}){re.escape(after)}"
            shapes.setdefault(literal[at], []).append(shape)
            owners.setdefault(literal[at], {})[rule.rule_id] = rule
    return tuple(
        Gate(
            re.compile(f"{re.escape(char)}(?:{'|'.join(alternatives)})"), (*owners[char].values(),)
        )
        for char, alternatives in shapes.items()
    )


def possible_rules(text: str, gates: Iterable[Gate]) -> list[Rule]:
    """Return the rules of which a text holds a literal."""
    passed = {
        rule.rule_id: rule for gate in gates if gate.pattern.search(text) for rule in gate.rules
    }
    return [rule for rule in passed.values() if any(part in text for part in rule.literals)]


def _rarest(literal: str) -> int:
    ranks = [_RARE_FIRST.find(char) % (len(_RARE_FIRST) + 1) for char in literal]
    return ranks.index(min(ranks))

"""What a gate may name."""

from __future__ import annotations

from collections.abc import Sequence

from groundkit_core.errors import RequestError
from groundkit_eval.comparison.outcomes import outcomes
from groundkit_eval.comparison.pairing import compared_stages
from groundkit_eval.gates.grammar import SIGNIFICANT, Gate
from groundkit_eval.results import EvaluationResult

OF_STAGES = ("auroc", "p50_ms", "p95_ms")
"""Measures of a whole stage, which no single query and no category has."""


def check_names(gates: Sequence[Gate], baseline: EvaluationResult) -> None:
    """Check before long work that the baseline has what the gates name.

    Raises:
        RequestError: it has not.
    """
    stages = compared_stages(baseline)
    for gate in gates:
        if gate.measure == SIGNIFICANT:
            continue
        if gate.stage and gate.stage not in stages:
            raise unknown(gate, "stage", gate.stage, stages)
        if gate.category and gate.category not in baseline.judgments.categories:
            known = list(baseline.judgments.categories)
            raise unknown(gate, "category", gate.category, known)
        named(gate, _measures(gate, baseline))


def _measures(gate: Gate, baseline: EvaluationResult) -> list[str]:
    found: dict[str, None] = {}
    for query in baseline.queries:
        if gate.category in ("", query.category):
            for stage, answer in query.stages.items():
                if gate.stage in ("", stage):
                    found.update(dict.fromkeys(outcomes(query, answer)))
    return [*found, *(() if gate.category else OF_STAGES)]


def named(gate: Gate, known: Sequence[str]) -> str:
    """Return the measure of a gate as results write it, whatever its case in the gate.

    Raises:
        RequestError: there is none of the name.
    """
    if gate.measure in known:
        return gate.measure
    for name in known:
        if name.lower() == gate.measure.lower():
            return name
    where = f"measure of category {gate.category}" if gate.category else "measure"
    raise unknown(gate, where, gate.measure, known)


def unknown(gate: Gate, what: str, name: str, known: Sequence[str]) -> RequestError:
    """Return the error that says what a gate may name instead."""
    return RequestError(
        f"gate {gate.text!r}: there is no {what} {name!r}; known are {', '.join(known)}"
    )

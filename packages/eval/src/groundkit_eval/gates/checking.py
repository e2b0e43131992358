"""Holds a comparison to its gates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from groundkit_eval.comparison.outcomes import better
from groundkit_eval.comparison.results import Change, Comparison, StageChange
from groundkit_eval.errors import GateError
from groundkit_eval.gates.grammar import SIGNIFICANT, Gate
from groundkit_eval.gates.naming import named, unknown

WORST = 5


@dataclass(frozen=True, slots=True)
class GateResult:
    """Whether a gate was kept by one stage.

    Attributes:
        gate: as it was written.
        subject: stage, measure and category that were held to it.
        found: what was found, in words.
        worst: ids of the queries that lost most, the worst first; empty when it was kept.
    """

    gate: str
    subject: str
    passed: bool
    found: str
    worst: tuple[str, ...] = ()


def check_gates(gates: Sequence[Gate], comparison: Comparison) -> tuple[GateResult, ...]:
    """Return the result of every gate, for each stage that it holds for.

    Raises:
        RequestError: a gate names a stage, a measure or a category that was not compared.
    """
    found: list[GateResult] = []
    for gate in gates:
        if gate.measure == SIGNIFICANT:
            found.extend(_significant(comparison))
            continue
        stages = [one for one in comparison.stages if gate.stage in ("", one.stage)]
        if not stages:
            raise unknown(gate, "stage", gate.stage, [one.stage for one in comparison.stages])
        found.extend(_checked(gate, one, comparison) for one in stages)
    return tuple(found)


def refuse_failed(results: Sequence[GateResult]) -> None:
    """Raise a GateError that names the gates that were not kept, and the worst queries."""
    failed = [result for result in results if not result.passed]
    if failed:
        gates = "gate" if len(failed) == 1 else "gates"
        raise GateError(f"{len(failed)} {gates} failed: {'; '.join(map(describe, failed))}")


def describe(result: GateResult) -> str:
    """Return one line on what became of a gate."""
    worst = f"; worst {', '.join(result.worst)}" if result.worst else ""
    return f"{result.gate} ({result.subject}: {result.found}{worst})"


def _significant(comparison: Comparison) -> Iterator[GateResult]:
    lost = False
    for stage in comparison.stages:
        for measure, change in stage.measures.items():
            if change.verdict == "loss":
                lost = True
                found = f"{change.delta:+.3f}, p {change.p_corrected:.4f}"
                worst = _worst(stage, measure, "")
                yield GateResult(SIGNIFICANT, f"{stage.stage} {measure}", False, found, worst)
    if not lost:
        tests = comparison.method.tests
        found = f"no significant loss in {tests} {'test' if tests == 1 else 'tests'}"
        yield GateResult(SIGNIFICANT, "all stages", True, found)


def _checked(gate: Gate, stage: StageChange, comparison: Comparison) -> GateResult:
    measure, change = _change(gate, stage, comparison)
    subject = f"{stage.stage} {measure}{f' [{gate.category}]' if gate.category else ''}"
    value = _ratio(change) if gate.ratio else change.delta
    if value is None:
        return GateResult(gate.text, subject, False, "no value to hold to it")
    passed = gate.keeps(value)
    worst = () if passed else _worst(stage, measure, gate.category)
    return GateResult(gate.text, subject, passed, _words(gate, change, value), worst)


def _words(gate: Gate, change: Change, value: float) -> str:
    places = 1 if gate.measure.endswith("_ms") else 3
    shown = f"{value:.2f}x" if gate.ratio else f"{value:+.{places}f}"
    return f"{shown}, {change.before:.{places}f} before and {change.after:.{places}f} after"


def _change(gate: Gate, stage: StageChange, comparison: Comparison) -> tuple[str, Change]:
    """Return the measure by its own name, and how it changed in what the gate holds."""
    if gate.category:
        known = list(stage.categories)
        if gate.category not in stage.categories:
            raise unknown(gate, "category", gate.category, known)
        return _named(gate, stage.categories[gate.category])
    latency = comparison.timings[stage.stage]
    overall: dict[str, Change] = {
        measure: Change(before=of.before, after=of.after, delta=of.delta)
        for measure, of in stage.measures.items()
    }
    overall |= {"auroc": stage.auroc, "p50_ms": latency.p50_ms, "p95_ms": latency.p95_ms}
    return _named(gate, overall)


def _named(gate: Gate, found: Mapping[str, Change]) -> tuple[str, Change]:
    name = named(gate, list(found))
    return name, found[name]


def _ratio(change: Change) -> float | None:
    if change.before is None or change.after is None:
        return None
    if change.before == 0:
        return 1.0 if change.after == 0 else float("inf")
    return change.after / change.before


def _worst(stage: StageChange, measure: str, category: str) -> tuple[str, ...]:
    lost = [
        (better(measure, query.deltas[measure]), query.id)
        for query in stage.queries
        if category in ("", query.category) and better(measure, query.deltas.get(measure, 0.0)) < 0
    ]
    return tuple(id_ for _, id_ in sorted(lost)[:WORST])

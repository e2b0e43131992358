"""The tables of a comparison, before they are rendered."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from groundkit_eval.comparison.results import Comparison, MeasureChange
from groundkit_eval.gates import GateResult
from groundkit_eval.report.tables import Table

_COLUMNS = (
    "stage",
    "against",
    "measure",
    "baseline",
    "now",
    "difference",
    "95 % interval",
    "p",
    "verdict",
    "better",
    "same",
    "worse",
)


_WORDS = frozenset({"against", "measure", "verdict"})


def change_table(comparison: Comparison, measures: Collection[str] = ()) -> Table:
    """Return a row for each stage and measure, or for these measures and what is significant."""
    # A column that says the same as the first is left out.
    same = all(stage.stage == stage.against for stage in comparison.stages)
    columns = tuple(name for name in _COLUMNS if not (same and name == "against"))
    rows = tuple(
        (stage.stage, *(() if same else (stage.against,)), measure, *_cells(change))
        for stage in comparison.stages
        for measure, change in stage.measures.items()
        if not measures or measure in measures or change.verdict != "same"
    )
    return Table("Differences", columns, rows, _WORDS)


def _cells(change: MeasureChange) -> tuple[str, ...]:
    return (
        f"{change.before:.3f}",
        f"{change.after:.3f}",
        f"{change.delta:+.3f}",
        f"{change.low:+.3f} to {change.high:+.3f}",
        p_value(change.p_corrected),
        "" if change.verdict == "same" else f"significant {change.verdict}",
        str(change.wins),
        str(change.ties),
        str(change.losses),
    )


def p_value(p: float) -> str:
    """Return a p-value to read."""
    return "<0.001" if p < 0.001 else f"{p:.3f}"


def gate_table(gates: Sequence[GateResult]) -> Table:
    """Return a row for each gate and stage."""
    rows = tuple(
        (
            gate.gate,
            "kept" if gate.passed else "FAILED",
            gate.subject,
            gate.found,
            ", ".join(gate.worst),
        )
        for gate in gates
    )
    columns = ("gate", "outcome", "held for", "found", "worst queries")
    return Table("Gates", columns, rows, frozenset(columns))


def verdict_line(comparison: Comparison, gates: Sequence[GateResult]) -> str:
    """Return what came out, in one line."""
    failed = sum(not gate.passed for gate in gates)
    verdicts = [change.verdict for stage in comparison.stages for change in stage.measures.values()]
    losses, gains = verdicts.count("loss"), verdicts.count("gain")
    parts = [f"{_count(losses, 'significant loss', 'significant losses')}, {_count(gains, 'gain')}"]
    if gates:
        parts.insert(0, f"{_count(failed, 'gate')} failed" if failed else "all gates kept")
    return "; ".join(parts)


def method_lines(comparison: Comparison) -> list[str]:
    """Return how it was tested, and what a reader must know of the inputs."""
    method = comparison.method
    return [
        f"{comparison.queries} queries paired. Paired randomisation test, p corrected for "
        f"{_count(method.tests, 'test')} by Holm's method; {method.level:.0%} bootstrap "
        f"intervals of {method.resamples:,} resamples.".replace("%", " %"),
        *comparison.notes,
    ]


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number or 'no'} {one if number == 1 else many or f'{one}s'}"

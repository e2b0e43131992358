"""How one stage differs from another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from groundkit_eval.comparison.outcomes import better
from groundkit_eval.comparison.pairing import Paired
from groundkit_eval.comparison.results import (
    CategoryChange,
    Change,
    MeasureChange,
    QueryDelta,
    StageChange,
)
from groundkit_eval.comparison.showing import Moved, Stages, largest
from groundkit_eval.comparison.testing import Key, Values
from groundkit_eval.results import EvaluationResult

ByMeasure = Mapping[str, Values]


def change(before: float | None, after: float | None) -> Change:
    """Return a change; its delta is None where either value is."""
    known = before is not None and after is not None
    return Change(
        before=before,
        after=after,
        delta=round(after - before, 6) if known else None,  # type: ignore[operator]
    )


def changed_stage(
    stages: Stages,
    paired: Paired,
    found: Mapping[Key, Values],
    changes: Mapping[Key, MeasureChange],
    by: str,
) -> StageChange:
    """Put together what was found for one stage.

    Args:
        stages: the stage and the one it is compared with.
        paired: the queries.
        found: the values of every comparison, of all stages.
        changes: the comparisons that were tested, of all stages.
        by: the measure that orders gains and losses.
    """
    values = {key.measure: of for key, of in found.items() if key.stage == stages.stage}
    moved = _moved(paired, values.get(by, {}), by)
    return StageChange(
        stage=stages.stage,
        against=stages.against,
        measures={key.measure: of for key, of in changes.items() if key.stage == stages.stage},
        categories=_categories(paired, values),
        auroc=change(
            _auroc(stages.before, stages.against),
            _auroc(stages.after, stages.stage),
        ),
        gains=largest(moved, stages, 1),
        losses=largest(moved, stages, -1),
        queries=_queries(paired, values),
    )


def _moved(paired: Paired, values: Values, by: str) -> list[Moved]:
    return [
        Moved(pair, *values[pair.after.id], gain=round(_gain(by, values[pair.after.id]), 6))
        for pair in paired.pairs
        if pair.after.id in values
    ]


def _gain(measure: str, values: tuple[float, float]) -> float:
    return better(measure, values[1] - values[0])


def _auroc(result: EvaluationResult, stage: str) -> float | None:
    return next(one.abstention.auroc for one in result.stages if one.name == stage)


def _categories(paired: Paired, values: ByMeasure) -> dict[str, dict[str, CategoryChange]]:
    grouped: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(dict)
    for pair in paired.pairs:
        for measure, of in values.items():
            if pair.after.id in of:
                group = grouped[pair.after.category].setdefault(measure, [])
                group.append(of[pair.after.id])
    return {
        category: {measure: _mean_change(rows) for measure, rows in measures.items()}
        for category, measures in sorted(grouped.items())
    }


def _mean_change(rows: Sequence[tuple[float, float]]) -> CategoryChange:
    before, after = (sum(side) / len(rows) for side in zip(*rows, strict=True))
    return CategoryChange(
        before=round(before, 6),
        after=round(after, 6),
        delta=round(after - before, 6),
        queries=len(rows),
    )


def _queries(paired: Paired, values: ByMeasure) -> tuple[QueryDelta, ...]:
    rows = []
    for pair in paired.pairs:
        id_ = pair.after.id
        deltas = {m: round(of[id_][1] - of[id_][0], 6) for m, of in values.items() if id_ in of}
        differing = {measure: delta for measure, delta in deltas.items() if delta}
        if differing:
            rows.append(QueryDelta(id=id_, category=pair.after.category, deltas=differing))
    return tuple(rows)

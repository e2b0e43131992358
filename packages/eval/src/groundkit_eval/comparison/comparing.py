"""Compares two results, or two stages of one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from groundkit_core.errors import RequestError
from groundkit_eval.comparison import bootstrap, randomisation
from groundkit_eval.comparison.outcomes import outcomes
from groundkit_eval.comparison.pairing import Paired, compared_stages, pair
from groundkit_eval.comparison.results import (
    Comparison,
    LatencyChange,
    MeasureChange,
    Method,
    Side,
)
from groundkit_eval.comparison.showing import Stages
from groundkit_eval.comparison.stages import change, changed_stage
from groundkit_eval.comparison.testing import ALPHA, SEED, Key, Values, tested
from groundkit_eval.errors import ResultError
from groundkit_eval.results import EvaluationResult

BY = "ndcg@10"


def compare(
    before: EvaluationResult,
    after: EvaluationResult,
    *,
    stages: Sequence[str] = (),
    against: str | None = None,
    measures: Sequence[str] = (),
    by: str | None = None,
    allow_different_judgments: bool = False,
) -> Comparison:
    """Compare what two results found, query by query.

    Args:
        before: the result that is compared with; the same as `after` for two of its stages.
        after: the result that is looked at.
        stages: those of `after` to compare; all that both have, without the independent
            baseline, when empty.
        against: the stage of `before` that all of them are compared with; each with its own
            namesake when None.
        measures: those to test together; all that both have when empty.
        by: the measure that orders gains and losses [`ndcg@10`, else the first there is].
        allow_different_judgments: compares the queries that both results have.

    Raises:
        RequestError: a stage or a measure is not there.
        ResultError: the judgments differ, or the results share no query or no stage.
    """
    paired = pair(before, after, allow_different_judgments=allow_different_judgments)
    chosen = [
        Stages(before, after, against=old, stage=new)
        for new, old in _stages(before, after, stages, against)
    ]
    found = {
        Key(one.stage, measure): values
        for one in chosen
        for measure, values in _values(paired, one)
    }
    _check_measures([*measures, *([by] if by else [])], found)
    order = by or _order(found)
    changes = tested({k: v for k, v in found.items() if not measures or k.measure in measures})
    return Comparison(
        before=_side(before),
        after=_side(after),
        notes=paired.notes,
        queries=len(paired.pairs),
        left_out=paired.left_out,
        by=order,
        method=_method(changes.values()),
        stages=tuple(changed_stage(one, paired, found, changes, order) for one in chosen),
        timings={one.stage: _latency(one) for one in chosen},
    )


def _stages(
    before: EvaluationResult,
    after: EvaluationResult,
    stages: Sequence[str],
    against: str | None,
) -> list[tuple[str, str]]:
    """Return the stages of `after`, each with the one of `before` it is compared with."""
    old, new = ([stage.name for stage in result.stages] for result in (before, after))
    if against is not None:
        _check_stages([against], old)
    _check_stages(stages, new)
    wanted = list(dict.fromkeys(stages)) or compared_stages(after)
    pairs = [(name, against or name) for name in wanted]
    if before is after:
        pairs = [(name, other) for name, other in pairs if name != other]
    elif against is None and stages:
        _check_stages(stages, old)
    pairs = [(name, other) for name, other in pairs if other in old]
    if not pairs:
        raise ResultError("there are no two stages to compare; both results need one of a name")
    return pairs


def _check_stages(names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise RequestError(f"there is no stage {name!r}; the result has {', '.join(known)}")


def _check_measures(names: Sequence[str], found: dict[Key, Values]) -> None:
    known = list(dict.fromkeys(key.measure for key in found))
    for name in names:
        if name not in known:
            raise RequestError(f"there is no measure {name!r}; compared can be {', '.join(known)}")


def _order(found: dict[Key, Values]) -> str:
    known = [key.measure for key in found]
    return BY if BY in known else known[0]


def _values(paired: Paired, stages: Stages) -> Iterator[tuple[str, Values]]:
    """Yield every measure with the values of the queries that both sides have one for."""
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for one in paired.pairs:
        old = outcomes(one.before, one.before.stages[stages.against])
        new = outcomes(one.after, one.after.stages[stages.stage])
        for measure, value in new.items():
            if measure in old:
                found.setdefault(measure, {})[one.after.id] = (old[measure], value)
    yield from found.items()


def _side(result: EvaluationResult) -> Side:
    return Side(
        judgments=result.judgments.sha256,
        corpus=result.corpus.sha256,
        documents=result.corpus.documents,
        chunks=result.corpus.chunks,
        versions=result.settings.versions,
    )


def _method(changes: Iterable[MeasureChange]) -> Method:
    return Method(
        permutations=randomisation.PERMUTATIONS,
        exact=randomisation.EXACT,
        resamples=bootstrap.RESAMPLES,
        level=bootstrap.LEVEL,
        alpha=ALPHA,
        tests=sum(1 for change in changes if change.wins or change.losses),
        seed=SEED,
    )


def _latency(stages: Stages) -> LatencyChange:
    old = stages.before.timings.stages[stages.against]
    new = stages.after.timings.stages[stages.stage]
    return LatencyChange(
        p50_ms=change(old.p50_ms, new.p50_ms), p95_ms=change(old.p95_ms, new.p95_ms)
    )

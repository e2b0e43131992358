"""A result in a notebook: a small table, and data frames."""

from __future__ import annotations

import html
import importlib
from typing import Any, Literal

from groundkit_eval.errors import ResultError
from groundkit_eval.report.tables import headline, stage_table
from groundkit_eval.results import EvaluationResult

Row = dict[str, Any]


def to_table(result: EvaluationResult) -> str:
    """Return headline and stages as a small HTML table."""
    table = stage_table(result)
    head = "".join(f'<th scope="col">{html.escape(column)}</th>' for column in table.columns)
    body = "".join(f"<tr>{_cells(row)}</tr>" for row in table.rows)
    return (
        f"<table><caption>{html.escape(headline(result))}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cells(row: tuple[str, ...]) -> str:
    first, *rest = (html.escape(cell) for cell in row)
    return f'<th scope="row">{first}</th>' + "".join(f"<td>{cell}</td>" for cell in rest)


def to_frame(result: EvaluationResult, by: Literal["stages", "queries"]) -> Any:
    """Return the rows of `stage_rows` or `query_rows` as a pandas data frame.

    Raises:
        ResultError: pandas is missing.
    """
    try:
        pandas = importlib.import_module("pandas")
    except ImportError:
        raise ResultError(
            "data frames need pandas; install it with `pip install 'groundkit-eval[notebook]'`"
        ) from None
    if by == "stages":
        return pandas.DataFrame(stage_rows(result)).set_index("stage")
    return pandas.DataFrame(query_rows(result)).set_index(["id", "stage"])


def stage_rows(result: EvaluationResult) -> list[Row]:
    """Return a row for each stage: its measures, how it abstains, and its latency."""
    return [
        {
            "stage": stage.name,
            **stage.measures,
            "abstained": stage.abstention.unanswerable,
            "wrongly_abstained": stage.abstention.answerable,
            "auroc": stage.abstention.auroc,
            "p50_ms": result.timings.stages[stage.name].p50_ms,
            "p95_ms": result.timings.stages[stage.name].p95_ms,
        }
        for stage in result.stages
    ]


def query_rows(result: EvaluationResult) -> list[Row]:
    """Return a row for each query and stage: what was asked, answered and measured."""
    return [
        {
            "id": query.id,
            "stage": stage,
            "query": query.query,
            "category": query.category,
            "answerable": query.answerable,
            "status": answer.status,
            "first_relevant_rank": answer.first_relevant_rank,
            "probability": answer.probability,
            **answer.measures,
        }
        for query in result.queries
        for stage, answer in query.stages.items()
    ]

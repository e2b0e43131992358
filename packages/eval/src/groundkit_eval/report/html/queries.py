"""The queries of the page: a table of them, and what changed most with the passages shown."""

from __future__ import annotations

import html
from collections.abc import Sequence

from groundkit_eval.comparison.results import Comparison, QueryChange, ShownPassage, StageChange
from groundkit_eval.report.html.svg import tag
from groundkit_eval.report.html.tables import html_table
from groundkit_eval.report.tables import Table, measure_name
from groundkit_eval.results import EvaluationResult, QueryResult

MAX_ROWS = 300
_CUT = 120


def query_table(
    result: EvaluationResult,
    stages: Sequence[str],
    measure: str,
    comparison: Comparison | None,
) -> str:
    """Return the table of the queries, at most `MAX_ROWS`: those that changed most, then the worst.

    Args:
        result: what was found.
        stages: a column each.
        measure: what the columns hold.
        comparison: orders the queries, when there is one.
    """
    changed = _changed(comparison, measure)
    asked = [query for query in result.queries if query.answerable]
    asked.sort(key=lambda q: (-changed.get(q.id, 0.0), _total(q, stages, measure), q.id))
    shown = asked[:MAX_ROWS]
    columns = ("query", "id", "category", *stages)
    rows = tuple(_row(query, stages, measure) for query in shown)
    cut = f", {len(shown)} of {len(asked)}" if len(shown) < len(asked) else ""
    order = "those that changed most first, then the worst" if changed else "the worst first"
    caption = f"{measure_name(measure)} of answerable queries{cut}, {order}"
    words = frozenset({"id", "category"})
    return html_table(Table("Queries", columns, rows, words), caption, sortable=True, wraps=True)


def _changed(comparison: Comparison | None, measure: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for stage in comparison.stages if comparison else ():
        for query in stage.queries:
            change = abs(query.deltas.get(measure, 0.0))
            found[query.id] = max(change, found.get(query.id, 0.0))
    return found


def _total(query: QueryResult, stages: Sequence[str], measure: str) -> float:
    return sum(query.stages[stage].measures.get(measure, 0.0) for stage in stages)


def _row(query: QueryResult, stages: Sequence[str], measure: str) -> tuple[str, ...]:
    values = (query.stages[stage].measures.get(measure) for stage in stages)
    shown = ("-" if value is None else f"{value:.3f}" for value in values)
    return (_cut(query.query), query.id, query.category, *shown)


def _cut(text: str) -> str:
    return text if len(text) <= _CUT else f"{text[: _CUT - 1]}…"


def largest_changes(stage: StageChange, measure: str) -> str:
    """Return the largest losses and gains of a stage, each to be opened."""
    named = measure_name(measure)
    return "".join(
        _changes(f"{stage.stage}: {len(changes)} largest {title} in {named}", changes)
        for title, changes in (("losses", stage.losses), ("gains", stage.gains))
        if changes
    )


def _changes(summary: str, changes: Sequence[QueryChange]) -> str:
    inside = "".join(map(_change, changes))
    return tag("details", f"<summary>{html.escape(summary)}</summary>{inside}")


def _change(change: QueryChange) -> str:
    heading = tag("h4", html.escape(change.query))
    facts = f"{change.id} · {change.category} · {change.before:.3f} to {change.after:.3f}"
    gold = "".join(_passage(one.source, "", one.excerpt) for one in change.gold[:2])
    sides = (
        _side("Expected", f"<ul>{gold}</ul>" if gold else "")
        + _side("Baseline", _passages(change.passages_before))
        + _side("Now", _passages(change.passages_after))
    )
    return tag("article", f'{heading}<p class="facts">{html.escape(facts)}</p>{sides}')


def _side(title: str, content: str) -> str:
    return f'<div class="side"><h5>{title}</h5>{content or "<p>nothing</p>"}</div>'


def _passages(passages: Sequence[ShownPassage]) -> str:
    items = "".join(
        _passage(one.source, one.heading, one.excerpt, relevant=one.relevant) for one in passages
    )
    return tag("ol", items) if items else ""


def _passage(source: str, heading: str, excerpt: str, *, relevant: bool = False) -> str:
    mark = ' <strong class="hit">✓ relevant</strong>' if relevant else ""
    where = html.escape(f"{source} · {heading}" if heading else source)
    body = f"<p>{html.escape(excerpt)}</p>" if excerpt else ""
    return f'<li><span class="where">{where}</span>{mark}{body}</li>'

"""Puts the page together."""

from __future__ import annotations

import base64
import hashlib
import html
from collections.abc import Iterator, Sequence
from pathlib import Path

from groundkit_eval.comparison import Comparison, compare
from groundkit_eval.gates import GateResult
from groundkit_eval.report.changes import change_table, gate_table, method_lines, verdict_line
from groundkit_eval.report.html.bars import category_bars
from groundkit_eval.report.html.latency import latency_curves
from groundkit_eval.report.html.queries import largest_changes, query_table
from groundkit_eval.report.html.risk import risk_coverage, risk_curves
from groundkit_eval.report.html.scatter import scatter
from groundkit_eval.report.html.svg import MAX_SERIES, legend, tag
from groundkit_eval.report.html.tables import html_table
from groundkit_eval.report.tables import category_table, headline, setup_line, stage_table
from groundkit_eval.results import EvaluationResult

_HERE = Path(__file__).parent
_MEASURE = "ndcg@10"


def to_html(
    result: EvaluationResult,
    baseline: EvaluationResult | None = None,
    comparison: Comparison | None = None,
    gates: Sequence[GateResult] = (),
) -> str:
    """Return the page; it loads nothing and needs no script to be read.

    Args:
        result: what was found.
        baseline: an earlier result; the stages are compared with the first one when None.
        comparison: the differences between the two.
        gates: what became of the gates.
    """
    if baseline is None or comparison is None:
        baseline, comparison = result, _with_first(result)
    sections = list(_sections(result, baseline, comparison, gates))
    links = "".join(f'<li><a href="#{name}">{title}</a></li>' for name, title, _ in sections)
    shown = "".join(
        tag("section", f'<h2 id="{name}">{title}</h2>{body}', aria_labelledby=name)
        for name, title, body in sections
    )
    main = (
        f"{_verdict(comparison, gates, result is baseline)}"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>{shown}'
    )
    return _document(_header(result), main, _footer(result))


def _with_first(result: EvaluationResult) -> Comparison | None:
    if len(result.stages) < 2:
        return None
    return compare(result, result, against=result.settings.baseline)


def _sections(
    result: EvaluationResult,
    baseline: EvaluationResult,
    comparison: Comparison | None,
    gates: Sequence[GateResult],
) -> Iterator[tuple[str, str, str]]:
    """Yield id, title and content of each section that has something to show."""
    stages = [stage.name for stage in result.stages][:MAX_SERIES]
    measure = comparison.by if comparison else _measure(result)
    if gates:
        table = html_table(gate_table(gates), "Gates and what became of them")
        yield "gates", "Gates", table
    yield "stages", "Stages", _stages(result)
    if comparison is not None:
        yield "differences", "Differences", _differences(comparison)
    yield "categories", "Categories", _categories(result, stages, measure)
    if comparison is not None:
        changes = "".join(largest_changes(one, measure) for one in comparison.stages[:MAX_SERIES])
        figures = _scatters(result, baseline, comparison, measure)
        yield "changes", "Query by query", f"{figures}{changes}"
    curves = {stage: risk_coverage(result, stage) for stage in stages}
    risk = risk_curves(curves)
    if risk:
        yield "abstention", "Confidence", f"{legend(stages)}{risk}"
    latency = latency_curves({stage: result.timings.stages[stage].queries_ms for stage in stages})
    if latency:
        yield "latency", "Latency", f"{legend(stages)}{latency}"
    yield "queries", "Queries", query_table(result, stages, measure, comparison)


def _measure(result: EvaluationResult) -> str:
    known = [name for stage in result.stages for name in stage.measures]
    return _MEASURE if _MEASURE in known or not known else known[0]


def _stages(result: EvaluationResult) -> str:
    items = "".join(
        f"<li><strong>{html.escape(stage.name)}</strong>: {html.escape(stage.summary)}</li>"
        for stage in result.stages
    )
    return html_table(stage_table(result), "Measures of each stage") + f"<ul>{items}</ul>"


def _differences(comparison: Comparison) -> str:
    method = html.escape(method_lines(comparison)[0])
    table = html_table(change_table(comparison), "Difference in every measure", sortable=True)
    return f'<p class="soft">{method}</p>{table}'


def _categories(result: EvaluationResult, stages: Sequence[str], measure: str) -> str:
    bars = category_bars(result, stages, measure)
    table = html_table(category_table(result), "Measures by category", sortable=True)
    return (f"{legend(stages)}{bars}" if bars else "") + table


def _scatters(
    result: EvaluationResult, baseline: EvaluationResult, comparison: Comparison, measure: str
) -> str:
    old = {query.id: query.stages for query in baseline.queries}
    figures = []
    for number, stage in enumerate(comparison.stages[:MAX_SERIES]):
        values = [
            (old[query.id][stage.against].measures[measure], now[measure])
            for query in result.queries
            if measure in (now := query.stages[stage.stage].measures)
            and query.id in old
            and measure in old[query.id][stage.against].measures
        ]
        against = stage.against if result is baseline else f"{stage.against} of the baseline"
        if values:
            figures.append(scatter(f"scatter-{number}", stage.stage, against, measure, values))
    return tag("div", "".join(figures), class_="figures") if figures else ""


def _verdict(comparison: Comparison | None, gates: Sequence[GateResult], alone: bool) -> str:
    if comparison is None:
        return ""
    line = html.escape(verdict_line(comparison, gates))
    against = comparison.stages[0].against if alone else "the baseline"
    failed = any(not gate.passed for gate in gates)
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in comparison.notes)
    shown = f"<p><strong>Against {html.escape(against)}: {line}.</strong></p>{notes}"
    return tag("div", shown, class_="verdict failed" if failed else "verdict")


def _header(result: EvaluationResult) -> str:
    lines = filter(None, (headline(result), setup_line(result)))
    return "<h1>Retrieval evaluation</h1>" + "".join(f"<p>{html.escape(x)}</p>" for x in lines)


def _footer(result: EvaluationResult) -> str:
    versions = ", ".join(f"{name} {of}" for name, of in result.settings.versions.items())
    return (
        f"<p>Judgments {result.judgments.sha256[:16]}, corpus {result.corpus.sha256[:16]}. "
        f"{html.escape(versions)}.</p>"
    )


def _document(header: str, main: str, footer: str) -> str:
    style, script = ((_HERE / f"page.{kind}").read_text("utf-8") for kind in ("css", "js"))
    policy = f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'"
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>Retrieval evaluation</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<a class="skip" href="#main">To the content</a>\n<header>{header}</header>\n'
        f'<main id="main">{main}</main>\n<footer>{footer}</footer>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _digest(content: str) -> str:
    """Return what allows an inline style or script, and nothing that a corpus brings in."""
    return f"sha256-{base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()}"

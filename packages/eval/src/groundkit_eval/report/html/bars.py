"""Bars by category, each with the bootstrap interval of its mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from groundkit_eval.comparison.bootstrap import intervals
from groundkit_eval.report.html.svg import WIDTH, Scale, figure, line, tag, text
from groundkit_eval.report.tables import measure_name
from groundkit_eval.results import EvaluationResult

MAX_CATEGORIES = 20
_BAR, _GAP, _LABEL, _TOP = 9, 3, 18, 22
_SCALE = Scale(0, 1, 34, WIDTH - 40)


class Bar(NamedTuple):
    """A mean with the ends of its interval."""

    mean: float
    low: float
    high: float


def category_bars(result: EvaluationResult, stages: Sequence[str], measure: str) -> str:
    """Return the figure; empty without answerable queries."""
    shown = sorted(result.judgments.categories, key=lambda c: -result.judgments.categories[c])
    rows = {
        category: bars
        for category in sorted(shown[:MAX_CATEGORIES])
        if (bars := _bars(result, category, stages, measure))
    }
    if not rows:
        return ""
    row = _LABEL + len(stages) * (_BAR + _GAP) + 6
    height = _TOP + len(rows) * row + 4
    body = _axis(height) + "".join(
        _category(category, result, bars, _TOP + number * row)
        for number, (category, bars) in enumerate(rows.items())
    )
    left = len(shown) - MAX_CATEGORIES
    more = f" The {MAX_CATEGORIES} largest categories are shown." if left > 0 else ""
    return figure(
        "categories-figure",
        f"{measure_name(measure)} by category",
        f"Bars are means over the queries of a category, in the order of the legend; "
        f"lines are 95 % bootstrap intervals. The table below holds the figures.{more}",
        height,
        body,
    )


def _bars(
    result: EvaluationResult, category: str, stages: Sequence[str], measure: str
) -> list[Bar]:
    answers = [query.stages for query in result.queries if query.category == category]
    values = [
        [by[stage].measures[measure] for stage in stages]
        for by in answers
        if all(measure in by[stage].measures for stage in stages)
    ]
    if not values:
        return []
    means = (sum(column) / len(column) for column in zip(*values, strict=True))
    found = zip(means, intervals(values), strict=True)
    return [Bar(mean, low, high) for mean, (low, high) in found]


def _axis(height: float) -> str:
    ticks = (0, 0.25, 0.5, 0.75, 1)
    return "".join(
        line(_SCALE.at(tick), _TOP - 6, _SCALE.at(tick), height, "grid")
        + text(f"{tick:g}", _SCALE.at(tick), _TOP - 10, "middle")
        for tick in ticks
    )


def _category(category: str, result: EvaluationResult, bars: Sequence[Bar], top: float) -> str:
    label = category if len(category) <= 36 else f"{category[:35]}…"
    queries = result.judgments.categories[category]
    heading = text(f"{label} ({queries})", _SCALE.start, top + 12, class_="name")
    return heading + "".join(
        _bar(bar, number, top + _LABEL + number * (_BAR + _GAP)) for number, bar in enumerate(bars)
    )


def _bar(bar: Bar, number: int, top: float) -> str:
    middle = top + _BAR / 2
    width = _SCALE.at(bar.mean) - _SCALE.start
    low, high = _SCALE.at(bar.low), _SCALE.at(bar.high)
    return (
        tag("rect", x=_SCALE.start, y=top, width=width, height=_BAR, class_=f"bar s{number}")
        + line(low, middle, high, middle, "halo")
        + line(low, middle, high, middle, "whisker")
        + text(f"{bar.mean:.2f}", WIDTH - 4.0, middle + 4, "end")
    )

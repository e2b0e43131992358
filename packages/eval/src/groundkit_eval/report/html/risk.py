"""Risk and coverage of the confidence gate (El-Yaniv and Wiener 2010)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundkit_eval.report.html.svg import WIDTH, Scale, figure, line, polyline, text
from groundkit_eval.results import EvaluationResult

_POINTS = 120
_X = Scale(0, 1, 40, WIDTH - 16.0)
_Y = Scale(0, 1, 196, 10)
_HEIGHT = 232

Curve = list[tuple[float, float]]


def risk_coverage(result: EvaluationResult, stage: str) -> Curve:
    """Return (coverage, risk) for every threshold of the gate, the highest first.

    Coverage is the share of all queries that are answered. Risk is the share of these that have
    no answer in the corpus, or whose answer holds no gold passage.
    """
    asked = [
        (answer.probability, not (query.answerable and answer.first_relevant_rank))
        for query in result.queries
        if (answer := query.stages[stage]).probability is not None
    ]
    asked.sort(key=lambda item: -(item[0] or 0.0))
    curve, wrong = [], 0
    for number, (probability, failed) in enumerate(asked, start=1):
        wrong += failed
        # Queries of equal probability are answered together.
        if number == len(asked) or asked[number][0] != probability:
            curve.append((number / len(result.queries), wrong / number))
    return curve


def risk_curves(curves: Mapping[str, Curve]) -> str:
    """Return the figure of stages with their curves; empty without any."""
    if not any(curves.values()):
        return ""
    drawn = "".join(
        polyline([(_X.at(x), _Y.at(y)) for x, y in _thinned(curve)], f"curve s{number}")
        for number, curve in enumerate(curves.values())
        if curve
    )
    return figure(
        "risk-figure",
        "Risk and coverage of the confidence gate",
        "As the gate lets more queries through (to the right), a larger share of the answers is "
        "wrong: the query has no answer, or none of the passages holds it. Lower is better.",
        _HEIGHT,
        _axes() + drawn,
    )


def _thinned(curve: Sequence[tuple[float, float]]) -> Curve:
    last = len(curve) - 1
    places = sorted({round(step * last / _POINTS) for step in range(_POINTS + 1)})
    return [curve[place] for place in places]


def _axes() -> str:
    parts = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        parts.append(line(_X.at(tick), _Y.start, _X.at(tick), _Y.end, "grid"))
        parts.append(line(_X.start, _Y.at(tick), _X.end, _Y.at(tick), "grid"))
        parts.append(text(f"{tick:.0%}", _X.at(tick), _Y.start + 16, "middle"))
        parts.append(text(f"{tick:.0%}", _X.start - 6, _Y.at(tick) + 4, "end"))
    parts.append(text("coverage →", _X.end, _HEIGHT - 4.0, "end", "name"))
    return "".join(parts)

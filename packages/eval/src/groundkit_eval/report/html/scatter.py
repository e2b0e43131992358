"""Every query by its value in the baseline and now."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from groundkit_eval.report.html.svg import WIDTH, Scale, figure, line, tag, text
from groundkit_eval.report.tables import measure_name

_STEPS = 20
"""Values are shown in steps of one twentieth, so that any number of queries fits."""

_X = Scale(0, 1, 44, WIDTH - 16)
_Y = Scale(0, 1, 332, 32)
_HEIGHT = 376
_RADIUS = 11.0


def scatter(
    name: str, stage: str, against: str, measure: str, values: Sequence[tuple[float, float]]
) -> str:
    """Return the figure of one stage.

    Args:
        name: an id that is unique in the page.
        stage: what is looked at.
        against: what it is compared with.
        measure: the measure, best 1.
        values: baseline and now of each query.
    """
    better = sum(now > before for before, now in values)
    worse = sum(now < before for before, now in values)
    cells = Counter((_step(before), _step(now)) for before, now in values)
    most = max(cells.values(), default=1)
    points = "".join(_point(cell, count, most) for cell, count in sorted(cells.items()))
    return figure(
        name,
        f"{stage} against {against}",
        f"{measure_name(measure)} of each of {len(values)} queries: {better} better, above the "
        f"line, {worse} worse, below it, and {len(values) - better - worse} equal. The area of "
        "a circle is the number of queries.",
        _HEIGHT,
        _axes(stage, against) + points,
    )


def _step(value: float) -> int:
    return round(value * _STEPS)


def _point(cell: tuple[int, int], count: int, most: int) -> str:
    before, now = (step / _STEPS for step in cell)
    side = "gain" if now > before else "loss" if now < before else "tie"
    radius = max(2.0, _RADIUS * math.sqrt(count / most))
    title = tag("title", f"{count}: {before:g} to {now:g}")
    return tag("circle", title, cx=_X.at(before), cy=_Y.at(now), r=radius, class_=side)


def _axes(stage: str, against: str) -> str:
    parts = []
    for tick in (0, 0.5, 1):
        parts.append(line(_X.at(tick), _Y.start, _X.at(tick), _Y.end, "grid"))
        parts.append(line(_X.start, _Y.at(tick), _X.end, _Y.at(tick), "grid"))
        parts.append(text(f"{tick:g}", _X.at(tick), _Y.start + 26, "middle"))
        parts.append(text(f"{tick:g}", _X.start - 16, _Y.at(tick) + 4, "end"))
    parts.append(line(_X.start, _Y.start, _X.end, _Y.end, "diagonal"))
    parts.append(text(_cut(f"{against} →"), _X.end, _HEIGHT - 4.0, "end", "name"))
    parts.append(text(_cut(f"↑ {stage}"), 4, 10, class_="name"))
    return "".join(parts)


def _cut(label: str) -> str:
    return label if len(label) <= 40 else f"{label[:39]}…"

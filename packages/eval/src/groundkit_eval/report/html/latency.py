"""How many queries were answered within which time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundkit_eval.report.html.svg import WIDTH, Scale, figure, line, polyline, text

_POINTS = 100
_Y = Scale(0, 1, 176, 10)
_HEIGHT = 212
_LEAST = 0.01


def latency_curves(latencies: Mapping[str, Sequence[float]]) -> str:
    """Return the figure of stages with the milliseconds of each query; empty without any."""
    known = {stage: sorted(values) for stage, values in latencies.items() if values}
    if not known:
        return ""
    low = max(_LEAST, min(values[0] for values in known.values()))
    high = max(2 * low, *(values[-1] for values in known.values()))
    x = Scale(low, high, 40, WIDTH - 12.0, logarithmic=True)
    curves = "".join(
        polyline(_curve(known[stage], x), f"curve s{number}")
        for number, stage in enumerate(latencies)
        if stage in known
    )
    return figure(
        "latency-figure",
        "Latency of the queries",
        "Share of the queries that were answered within so many milliseconds, in this process; "
        "the axis of time is logarithmic. Latency differs from run to run.",
        _HEIGHT,
        _axes(x) + curves,
    )


def _curve(values: Sequence[float], x: Scale) -> list[tuple[float, float]]:
    last = len(values) - 1
    places = sorted({round(step * last / _POINTS) for step in range(_POINTS + 1)})
    return [(x.at(values[place]), _Y.at((place + 1) / len(values))) for place in places]


def _axes(x: Scale) -> str:
    parts = []
    for share in (0, 0.5, 0.95):
        parts.append(line(x.start, _Y.at(share), x.end, _Y.at(share), "grid"))
        parts.append(text(f"{share:.0%}", x.start - 6, _Y.at(share) + 4, "end"))
    for tick in _ticks(x.low, x.high):
        parts.append(line(x.at(tick), _Y.start, x.at(tick), _Y.end, "grid"))
        parts.append(text(f"{tick:g}", x.at(tick), _Y.start + 16, "middle"))
    parts.append(text("milliseconds →", x.end, _HEIGHT - 4.0, "end", "name"))
    return "".join(parts)


def _ticks(low: float, high: float) -> list[float]:
    """Return powers of ten within the range, with 2 and 5 times these where they are few."""
    powers = [10.0**power for power in range(-2, 8)]
    coarse = [tick for tick in powers if low <= tick <= high]
    fine = [step * tick for tick in powers for step in (1, 2, 5) if low <= step * tick <= high]
    return coarse if len(coarse) >= 3 else fine

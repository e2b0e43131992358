"""Small functions that write SVG; colours and fonts come from the page's style sheet."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 360
"""Units across a figure: one is about a pixel on a phone."""

MAX_SERIES = 6
"""Stages that a figure shows; each has a colour and a dash of its own in the style sheet."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values to units of a figure.

    Attributes:
        low: the value at `start`.
        high: the value at `end`.
        logarithmic: whether equal ratios are equally far apart; values are above 0 then.
    """

    low: float
    high: float
    start: float
    end: float
    logarithmic: bool = False

    def at(self, value: float) -> float:
        """Return where a value stands; what lies outside stands at the nearer end."""
        low, high, value = (
            (math.log(x) for x in (self.low, self.high, max(value, self.low)))
            if self.logarithmic
            else (self.low, self.high, value)
        )
        share = min(1.0, max(0.0, (value - low) / (high - low)))
        return self.start + share * (self.end - self.start)


def tag(name: str, content: str = "", **attributes: object) -> str:
    """Return an element; `_` in attribute names is `-`, and a trailing one is dropped.

    Args:
        name: of the element.
        content: markup that is not escaped.
        attributes: values, which are; numbers are rounded to a tenth.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.1f}".removesuffix(".0")
    return html.escape(str(value))


def text(content: str, x: float, y: float, anchor: str | None = None, class_: str = "") -> str:
    """Return a line of text; `anchor` is `middle` or `end`."""
    return tag("text", html.escape(content), x=x, y=y, text_anchor=anchor, class_=class_ or None)


def line(x1: float, y1: float, x2: float, y2: float, class_: str) -> str:
    """Return a straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=class_)


def polyline(points: Sequence[tuple[float, float]], class_: str) -> str:
    """Return a line through points."""
    return tag("polyline", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points), class_=class_)


def figure(name: str, title: str, description: str, height: float, body: str) -> str:
    """Return a figure whose drawing is told to who cannot see it.

    Args:
        name: an id that is unique in the page.
        title: shown above the drawing.
        description: what it shows, shown below it.
        height: in units.
        body: the drawing.
    """
    drawing = tag(
        "svg",
        body,
        viewBox=f"0 0 {WIDTH} {_value(float(height))}",
        role="img",
        aria_labelledby=f"{name}-title",
        aria_describedby=f"{name}-text",
    )
    heading = tag("h3", html.escape(title), id=f"{name}-title")
    caption = tag("figcaption", html.escape(description), id=f"{name}-text")
    return tag("figure", f"{heading}{drawing}{caption}", id=name)


def legend(names: Sequence[str]) -> str:
    """Return the names of the series with their colours and dashes."""
    items = "".join(
        tag("li", f"{_swatch(number)}{html.escape(name)}") for number, name in enumerate(names)
    )
    return tag("ul", items, class_="legend")


def _swatch(number: int) -> str:
    shown = line(0, 5, 26, 5, f"curve s{number}")
    return tag("svg", shown, viewBox="0 0 26 10", width=26, height=10, aria_hidden="true")

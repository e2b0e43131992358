"""Where a chunk stands in its document, as the catalog keeps it."""

from __future__ import annotations

import json

from groundkit_core.structure import Box, Where


def place_text(where: Where) -> str:
    """Return a place as text, without its page; empty when there is nothing else to it."""
    value: dict[str, object] = {}
    if where.label:
        value["label"] = where.label
    if where.fragment:
        value["fragment"] = where.fragment
    if where.boxes:
        value["boxes"] = [[box.page, *(round(edge, 1) for edge in box[1:])] for box in where.boxes]
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def parse_place(text: str, page: int | None) -> Where:
    """Return the place that `place_text` made text of."""
    if not text:
        return Where(page)
    value = json.loads(text)
    boxes = tuple(Box(*edges) for edges in value.get("boxes", ()))
    return Where(page, value.get("label", ""), value.get("fragment", ""), boxes)

"""MathML as one line."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

_STYLE = re.compile(r"^\{\\(?:displaystyle|textstyle)\s*(.*)\}$", re.DOTALL)


def formula(node: LexborNode) -> str:
    """Return the TeX that a `math` element carries, else its symbols with blanks between."""
    source = node.css_first('annotation[encoding="application/x-tex"]')
    tex = source.text() if source is not None else node.attributes.get("alttext") or ""
    if tex.strip():
        return _STYLE.sub(r"\1", tex.strip())
    return node.text(separator=" ")

"""The part of a Markdown page that a benchmark writes."""

from __future__ import annotations

from pathlib import Path

from scripts.bench.errors import BenchError


def markers(name: str) -> tuple[str, str]:
    """Return the lines between which a benchmark writes."""
    return f"<!-- {name}:begin -->", f"<!-- {name}:end -->"


BEGIN, END = markers("scale")


def update(path: Path, markdown: str, name: str = "scale") -> None:
    """Put the text between the markers of a page.

    Raises:
        BenchError: the page has not one pair of markers.
    """
    begin, end = markers(name)
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(begin)
    _, ended, after = rest.partition(end)
    if not ended or begin in rest or end in after:
        raise BenchError(f"{path.name} needs one line {begin} and below it one line {end}")
    path.write_text(f"{before}{begin}\n{markdown.strip()}\n{end}{after}", encoding="utf-8")

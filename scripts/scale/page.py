"""The part of a Markdown page that the benchmark writes."""

from __future__ import annotations

from pathlib import Path

from scripts.bench.errors import BenchError

BEGIN, END = "<!-- scale:begin -->", "<!-- scale:end -->"


def update(path: Path, markdown: str) -> None:
    """Put the text between the markers of a page.

    Raises:
        BenchError: the page has not one pair of markers.
    """
    text = path.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not ended or BEGIN in rest or END in after:
        raise BenchError(f"{path.name} needs one line {BEGIN} and below it one line {END}")
    path.write_text(f"{before}{BEGIN}\n{markdown.strip()}\n{END}{after}", encoding="utf-8")

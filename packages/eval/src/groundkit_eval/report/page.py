"""Keeps the tables within a Markdown page in step with a result."""

from __future__ import annotations

from pathlib import Path

from groundkit_eval.errors import ResultError
from groundkit_eval.files import read_text, write_text
from groundkit_eval.judgments.problems import one_line
from groundkit_eval.report.markdown import without_timings

BEGIN = "<!-- eval:begin -->"
END = "<!-- eval:end -->"


def update_page(path: Path, markdown: str) -> bool:
    """Put the text between the markers of a page; return whether that changed the page.

    Raises:
        ResultError: the page cannot be read or written, or has not one pair of markers.
    """
    before, shown, after = _split(path)
    newline = "\r\n" if "\r\n" in before else "\n"
    fresh = f"{newline}{markdown.strip()}{newline}".replace("\r\n", "\n").replace("\n", newline)
    if shown == fresh:
        return False
    write_text(path, before + fresh + after)
    return True


def check_page(path: Path, markdown: str) -> None:
    """Check that a page shows the text between its markers; latency does not count.

    Raises:
        ResultError: it shows something else, or cannot be read.
    """
    _, shown, _ = _split(path)
    if without_timings(shown.strip()) != without_timings(markdown.strip()):
        raise ResultError(
            f"{one_line(path.name)} does not show this result; "
            f"run `groundkit-eval table RESULT --update {one_line(path.name)}`"
        )


def _split(path: Path) -> tuple[str, str, str]:
    text = read_text(path)
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(END) < text.index(BEGIN):
        raise ResultError(
            f"{one_line(path.name)} needs one line {BEGIN} and below it one line {END}; "
            "the tables go between them"
        )
    start = text.index(BEGIN) + len(BEGIN)
    end = text.index(END)
    return text[:start], text[start:end], text[end:]

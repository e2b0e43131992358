"""The title of a document."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundkit_index.loaders.pdf.cleaning import clean
from groundkit_index.loaders.pdf.model import Page

_FILE_NAME = re.compile(
    r"\.(?:docx?|odt|rtf|tex|dvi|ps|pdf|indd|xlsx?|pptx?|fm|qxd|html?|txt|md|rst|xml|fo)$", re.I
)
_NO_TITLE = re.compile(
    r"untitled|no title|(?:table of )?contents|document\d*|title|presentation|slide \d+", re.I
)
_MADE_BY = re.compile(r"^microsoft (?:word|powerpoint|excel) - ", re.I)
_FIRST_PAGES = 2
_SAME = 0.3
_LARGER = 1.12
_MOST_LINES = 3


def title_of(metadata: str, pages: Sequence[Page], body: float) -> str:
    """Return the title in the metadata where it is one, else the largest of the first lines.

    Args:
        metadata: may be empty.
        pages: the pages; only the first two are looked at.
        body: font size of the running text.
    """
    named = clean(" ".join(_MADE_BY.sub("", metadata).split()))
    if _is_title(named):
        return named
    for page in pages:
        if page.number < _FIRST_PAGES and (found := _largest(page, body)):
            return found
    return ""


def _largest(page: Page, body: float) -> str:
    """Return the first lines of a page in its largest font; empty when that is the body's."""
    lines = [line for line in page.lines if line.size > _LARGER * body and _is_title(line.text)]
    size = max((line.size for line in lines), default=0.0)
    first = next((at for at, line in enumerate(lines) if line.size > size - _SAME), 0)
    found = []
    for line in lines[first : first + _MOST_LINES]:
        if line.size < size - _SAME:
            break
        found.append(line.text)
    return " ".join(found)


def _is_title(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    if letters < 3 and not any("\u2e80" < char < "\ud800" for char in text):
        return False
    return not _FILE_NAME.search(text) and not _NO_TITLE.fullmatch(text)

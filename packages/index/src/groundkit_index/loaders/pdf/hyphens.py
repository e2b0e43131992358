"""Words that go on in the next line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from groundkit_index.loaders.pdf.cleaning import HYPHEN

_MARKS = ".,;:!?()[]\"'“”„‘’«»/"
_LAST = re.compile(r"[^\W_]+(?:-[^\W_]+)*$")
_FIRST = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_JOINING = frozenset(f"{HYPHEN}-/\N{EM DASH}")
# Scripts that are written without spaces between words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff"
    "\uff00-\uff60\U00020000-\U0003ffff]"
)


class Joiner:
    """Joins lines to running text; the document's own words tell which hyphens are real.

    Args:
        lines: every line of the document.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self._words: set[str] | None = None

    def join(self, text: str, following: str) -> tuple[str, str]:
        """Return a line as it stands before the next one, and what is between them."""
        last = text[-1:]
        if last not in _JOINING and last < "\u0e00":
            return text, " "
        if last in {HYPHEN, "-"} and following[:1].isalnum():
            real = self._is_real(text[:-1], following)
            return (f"{text[:-1]}-" if real else text[:-1]), ""
        text = whole(text)
        if last in {"\N{EM DASH}", "/"} and len(text) > 1 and not text[-2].isspace():
            return text, ""
        if _UNSPACED.match(last) and _UNSPACED.match(following):
            return text, ""
        return text, " "

    def _is_real(self, before: str, after: str) -> bool:
        """Whether a hyphen belongs to the word, and not only to the end of the line."""
        first, second = _LAST.search(before), _FIRST.match(after)
        if not first or not second or not second[0][:1].islower() or not first[0].isalpha():
            return True
        one, two = first[0].lower(), second[0].lower()
        words = self._known()
        if f"{one}{two}" in words:
            return False
        if f"{one}-{two}" in words:
            return True
        return one in words and two in words

    def _known(self) -> set[str]:
        """Words of the document that stand within a line."""
        if self._words is None:
            text = "\n".join(_uncut(self._lines)).lower()
            for mark in _MARKS:
                text = text.replace(mark, " ")
            self._words = set(text.split())
        return self._words


def _uncut(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines without words that go on in the next line."""
    cut = False
    for line in lines:
        found = line.partition(" ")[2] if cut else line
        cut = line.endswith((HYPHEN, "-"))
        yield found.rpartition(" ")[0] if cut else found


def whole(text: str) -> str:
    """Return a line that nothing follows."""
    return f"{text[:-1]}-" if text.endswith(HYPHEN) else text

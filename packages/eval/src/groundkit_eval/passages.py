"""The texts that a result shows of passages: short, and each one once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundkit_eval.judgments.model import JudgedQuery, Place
from groundkit_eval.results import GoldPlace, OtherPlace, PassageText
from groundkit_eval.runs import StageRun

if TYPE_CHECKING:
    from groundkit_index.catalog.records import ChunkRecord

SHOWN = 3
"""Passages of an answer whose text is kept."""

MAX_CHARS = 300


def excerpt(text: str) -> str:
    """Return the first code points of a text on one line, at most `MAX_CHARS`."""
    line = " ".join(text[: 4 * MAX_CHARS].split())
    return line if len(line) <= MAX_CHARS else f"{line[: MAX_CHARS - 1].rstrip()}…"


def shown_passages(
    chunks: Sequence[ChunkRecord], runs: Sequence[StageRun]
) -> dict[str, PassageText]:
    """Return chunk id -> text of the best passages of every answer, in the order of the ids.

    A passage is left out when neither its answer nor the chunks of the corpus tell its text.
    """
    best = {
        chunk.chunk_id: chunk.place.text
        for run in runs
        for answer in run.answers
        for chunk in answer.chunks[:SHOWN]
    }
    texts = {
        key: PassageText(heading="", excerpt=excerpt(text)) for key, text in best.items() if text
    }
    for chunk in chunks:
        if chunk.chunk_id in best:
            heading = " > ".join(chunk.heading_path)
            texts[chunk.chunk_id] = PassageText(heading=heading, excerpt=excerpt(chunk.content))
    return dict(sorted(texts.items()))


class GoldTexts:
    """Gives gold passages their text: their own, else out of the chunks of a corpus."""

    def __init__(self, chunks: Sequence[ChunkRecord]) -> None:
        self._chunks: dict[str, list[ChunkRecord]] = {}
        for chunk in chunks:
            self._chunks.setdefault(chunk.source, []).append(chunk)

    def shown(self, query: JudgedQuery) -> tuple[GoldPlace, ...]:
        """Return the gold passages of a query with their first code points."""
        return tuple(
            GoldPlace(
                source=gold.source,
                start=gold.start,
                end=gold.end,
                grade=gold.grade,
                alternatives=tuple(
                    OtherPlace(source=place.source, start=place.start, end=place.end)
                    for place in gold.alternatives
                ),
                excerpt=excerpt(gold.text or self._text(gold)),
            )
            for gold in query.gold
        )

    def _text(self, place: Place) -> str:
        return " ".join(
            chunk.content[max(0, place.start - chunk.start) : place.end - chunk.start]
            for chunk in self._chunks.get(place.source, ())
            if chunk.start < place.end and place.start < chunk.end
        )

"""An independent BM25 over the same tokens of the same chunks: rank-bm25."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from groundkit_core.filters import DocumentFilter
from groundkit_eval.judgments.model import JudgedQuery, Place
from groundkit_eval.runs import Answer, RankedChunk, Searcher
from groundkit_eval.stages.registry import stage
from groundkit_eval.targets.folder import Target

if TYPE_CHECKING:
    from groundkit_index.catalog.records import ChunkRecord

BASELINE = "baseline"


@stage(BASELINE, "rank-bm25 (BM25Okapi, its defaults) on title, headings and body as one bag")
@contextlib.contextmanager
def open_baseline(target: Target) -> Iterator[Searcher]:
    """Tokenise the chunks and give a search over them; nothing is folded or verified."""
    from groundkit_core.analysis import Analyzer

    analyzer = Analyzer(str(target.settings["language"]))
    ranker = Bm25([analyzer.tokens(bag(chunk)) for chunk in target.chunks])
    places = [Place(chunk.source, chunk.start, chunk.end, chunk.content) for chunk in target.chunks]

    def search(query: JudgedQuery, limit: int) -> Answer:
        found: list[RankedChunk] = []
        searched = DocumentFilter.of(query.source_class).classes
        for number in ranker.rank(analyzer.query_tokens(query.text)):
            if target.chunks[number].source_class in searched:
                found.append(RankedChunk(target.chunks[number].chunk_id, places[number]))
                if len(found) == limit:
                    break
        return Answer(tuple(found), abstained=not found)

    yield Searcher(search)


def bag(chunk: ChunkRecord) -> str:
    """Return the text whose tokens stand for a chunk: title, headings, body."""
    return "\n".join((chunk.title, *chunk.heading_path, chunk.content))


class Bm25:
    """Ranks bags of tokens with rank-bm25, scoring only those that share a token with the query.

    Args:
        bags: the tokens of each chunk.
    """

    def __init__(self, bags: Sequence[Sequence[str]]) -> None:
        from rank_bm25 import BM25Okapi

        self._postings: dict[str, list[int]] = defaultdict(list)
        for number, tokens in enumerate(bags):
            for token in dict.fromkeys(tokens):
                self._postings[token].append(number)
        self._scorer = BM25Okapi(bags) if self._postings else None

    def rank(self, tokens: Sequence[str]) -> list[int]:
        """Return the numbers of the chunks that share a token, best first, ties by number."""
        known = [token for token in dict.fromkeys(tokens) if token in self._postings]
        candidates = sorted({number for token in known for number in self._postings[token]})
        if self._scorer is None or not candidates:
            return []
        scores = self._scorer.get_batch_scores(known, candidates)
        order = sorted(range(len(candidates)), key=lambda i: (-scores[i], i))
        return [candidates[i] for i in order]

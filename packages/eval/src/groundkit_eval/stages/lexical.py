"""The engine's lexical search, as every surface offers it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from groundkit_core.contracts import Citation
from groundkit_eval.judgments.model import JudgedQuery, Place
from groundkit_eval.runs import Answer, RankedChunk, SearchFunction
from groundkit_eval.stages.registry import stage
from groundkit_eval.targets import Target

_UNCUT = 10**9
"""The ranking is measured, so no response is cut to its usual length."""


@stage("lexical", "groundkit search --mode lexical, citations verified, duplicates folded")
@contextlib.contextmanager
def open_lexical(target: Target) -> Iterator[SearchFunction]:
    """Open the collection and give its lexical search."""
    from groundkit_retrieval import Collection

    with Collection.open(
        target.collection, index_dir=target.index_dir, result_chars=_UNCUT
    ) as collection:

        def search(query: JudgedQuery, limit: int) -> Answer:
            response = collection.search(
                query.text, limit=limit, mode="lexical", source_class=query.source_class
            )
            chunks = tuple(
                RankedChunk(
                    hit.chunk_id,
                    _place(hit.citation),
                    tuple(_place(duplicate) for duplicate in hit.duplicates),
                )
                for hit in response.results
            )
            return Answer(chunks, abstained=response.status == "NO_RELEVANT_CONTEXT")

        yield search


def _place(citation: Citation) -> Place:
    return Place(citation.source, citation.start_offset, citation.end_offset)

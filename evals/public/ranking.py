"""nDCG@10 of the engine's stages, by document, as every surface would answer."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from hashlib import sha256

from evals.public.indexing import Indexed
from groundkit_core.contracts import Mode, SearchRequest
from groundkit_retrieval import Collection
from groundkit_retrieval.rerank import RerankerSettings

_TOP = 10
_CHUNKS = 20
_UNCUT = 10**9
_MODES: dict[str, Mode] = {
    "lexical": "lexical",
    "dense": "dense",
    "hybrid": "hybrid",
    "hybrid + maxsim": "hybrid",
}
STAGES = tuple(_MODES)

FLOORS = {
    "scifact": {"lexical": 0.68, "dense": 0.645, "hybrid": 0.715},
    "squad2": {"lexical": 0.895, "dense": 0.80, "hybrid": 0.91},
    "chroma_spans": {"lexical": 0.75, "dense": 0.64, "hybrid": 0.75},
    "cranfield": {"lexical": 0.36, "dense": 0.375, "hybrid": 0.405},
}
"""What plain parts give; the engine must not fall below it."""

ABSTENTION_FLOORS = {
    ("hybrid", "all"): {"topic": 0.985},
    ("hybrid", "squad2"): {"paragraph": 0.89},
    ("hybrid", "scifact"): {"topic": 0.95, "paragraph": 0.77},
    ("hybrid", "chroma_spans"): {"topic": 0.97, "paragraph": 0.76},
}
"""AUROC that the gate must reach; `all` is of all four sets."""


def mean_ndcg(indexed: Indexed, stage: str, most: int) -> float:
    """Return the mean over the answerable queries, or over `most` of them by digest.

    A document counts where its first passage stands.
    """
    judged = indexed.judged
    queries = sorted(judged.answerable, key=lambda query: sha256(query.encode()).digest())[:most]
    reranker = RerankerSettings("maxsim") if stage == "hybrid + maxsim" else None
    total = 0.0
    with Collection.open(
        judged.name, index_dir=indexed.index_dir, result_chars=_UNCUT, reranker=reranker
    ) as collection:
        for query in queries:
            request = SearchRequest.model_construct(
                query=judged.queries[query],
                limit=_CHUNKS,
                mode=_MODES[stage],
                source_class="all",
                project=None,
                confidence="normal",
            )
            response = collection.search(request)
            if response.coverage.failed:
                raise RuntimeError(f"a branch failed: {response.coverage.failed}")
            sources = dict.fromkeys(hit.citation.source for hit in response.results)
            total += ndcg((indexed.names[source] for source in sources), judged.qrels[query])
    return total / len(queries)


def ndcg(ranked: Iterable[str], grades: Mapping[str, int]) -> float:
    """Return nDCG@10 with linear gains (Jarvelin and Kekalainen 2002)."""
    gained = sum(
        grades.get(document, 0) / math.log2(rank + 1)
        for rank, document in enumerate(list(ranked)[:_TOP], 1)
    )
    best = sorted(grades.values(), reverse=True)[:_TOP]
    return gained / sum(grade / math.log2(rank + 1) for rank, grade in enumerate(best, 1))

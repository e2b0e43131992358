from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from groundkit_core.errors import EmbeddingError, SettingsError
from groundkit_index.reader import IndexReader
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval import Collection
from groundkit_retrieval.access import View
from groundkit_retrieval.ranking import Candidate
from groundkit_retrieval.relocation import Relocator
from groundkit_retrieval.rerank import RerankerSettings
from groundkit_retrieval.reranking import Reranked


class Reversing:
    """Scores the last passage best; stands in for a model at the protocol's boundary."""

    name = "reversing"

    def __init__(self, failure: EmbeddingError | None = None) -> None:
        self.seen: list[str] = []
        self.failure = failure

    def of(self, _: Snapshot) -> Reversing:
        return self

    def rerank(self, query: str, passages: Sequence[str]) -> list[float]:
        if self.failure:
            raise self.failure
        self.seen.extend(passages)
        return [float(place) for place in range(len(passages))]

    def close(self) -> None:
        return


def _reranked(
    index_dir: Path, reranker: Any, depth: int, gone: int = 0
) -> tuple[list[Candidate], dict[str, str]]:
    failed: dict[str, str] = {}
    with IndexReader.open(index_dir) as reader:
        keys = [chunk.chunk_key for chunk in reader.chunks()]
        keys[1:1] = [10_000 + n for n in range(gone)]
        fused = [
            Candidate(key, 1 - place / 100, {"lexical": 1.0}) for place, key in enumerate(keys)
        ]

        def fetch(limit: int, offset: int) -> list[Candidate]:
            return fused[offset : offset + limit]

        def work(snapshot: Snapshot) -> list[Candidate]:
            again = Reranked(View(snapshot, Relocator()), "query", reranker, fetch, failed, depth)
            return [candidate for start in range(0, 40, 3) for candidate in again.fetch(3, start)]

        return reader.read(work), failed


@pytest.mark.parametrize("gone", [0, 2])
def test_every_candidate_comes_once_and_only_the_best_are_looked_at(
    index_dir: Path, gone: int
) -> None:
    reranker = Reversing()
    found, failed = _reranked(index_dir, reranker, depth=6, gone=gone)
    with IndexReader.open(index_dir) as reader:
        keys = {chunk.chunk_key for chunk in reader.chunks()}
    assert [c.chunk_key for c in found if c.chunk_key < 10_000] == list(
        dict.fromkeys(c.chunk_key for c in found if c.chunk_key < 10_000)
    )
    assert {c.chunk_key for c in found} >= keys
    assert len(reranker.seen) == 6 - gone
    assert failed == {}
    scores = [c.score for c in found]
    assert scores == sorted(scores, reverse=True)


def test_scores_are_blended_and_kept_beside_those_of_the_branches(index_dir: Path) -> None:
    found, _ = _reranked(index_dir, Reversing(), depth=3)
    assert [c.score for c in found[:3]] == pytest.approx([0.5, 0.5, 0.5])
    assert {c.scores["rerank"] for c in found[:3]} == {0.0, 1.0, 2.0}
    assert all(c.scores["lexical"] == 1.0 for c in found)
    assert "rerank" not in found[3].scores


def test_a_reranker_that_fails_is_said_and_leaves_the_order(index_dir: Path) -> None:
    found, failed = _reranked(index_dir, Reversing(EmbeddingError("the model failed")), depth=6)
    assert failed == {"rerank": "the model failed"}
    keys = [c.chunk_key for c in found]
    assert keys == sorted(keys)


def test_rerank_asked_for_but_not_configured_is_an_error(index_dir: Path) -> None:
    with (
        Collection.open(index_dir=index_dir) as collection,
        pytest.raises(SettingsError, match="no reranker is configured"),
    ):
        collection.search("zebra", rerank=True)


def test_an_unknown_reranker_is_refused_when_the_collection_opens(index_dir: Path) -> None:
    with pytest.raises(SettingsError, match="known: "):
        Collection.open(index_dir=index_dir, reranker=RerankerSettings("nonesuch"))


def test_maxsim_over_an_embedder_without_tokens_is_an_error(hashed: Path) -> None:
    with Collection.open(index_dir=hashed, reranker=RerankerSettings("maxsim")) as collection:
        with pytest.raises(SettingsError, match="onnx"):
            collection.search("zebra")
        assert collection.search("zebra", rerank=False).status == "OK"


def test_maxsim_over_a_lexical_collection_is_an_error(index_dir: Path) -> None:
    with (
        Collection.open(index_dir=index_dir, reranker=RerankerSettings("maxsim")) as collection,
        pytest.raises(SettingsError, match="onnx"),
    ):
        collection.search("zebra")

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from groundkit_core.filters import DocumentFilter
from groundkit_index import IndexReader, IngestOptions, ingest
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval.confidence import Signals, measure


class Words:
    """Three chunks: 1 holds a and b, 2 holds a, 3 holds nothing of the query."""

    held: Mapping[int, set[str]] = {1: {"a", "b"}, 2: {"a"}, 3: set()}

    def idf(self, tokens: Sequence[str]) -> dict[str, float]:
        return {token: {"a": 1.0, "b": 3.0, "c": 4.0}[token] for token in tokens}

    def highest_idf(self) -> float:
        return 8.0

    def coverage(self, keys: Sequence[int], idf: Mapping[str, float]) -> float:
        return max(sum(idf[token] for token in self.held[key] & set(idf)) for key in keys)


def test_signals_are_what_their_names_say() -> None:
    lexical = [(1, 6.0), (2, 3.0), (3, 1.5)]
    dense = [(1, 0.9), (4, 0.5), (2, 0.1)]
    found = measure(["a", "b", "c"], lexical, dense, Words())
    assert found == Signals(
        bm25_ratio=6.0 / 8.0,
        idf_coverage=4.0 / 8.0,
        bm25_gap=1 - (3.0 + 1.5) / 2 / 6.0,
        rarity=4.0 / 8.0,
        top_cosine=0.9,
        cosine_gap=pytest.approx(0.9 - 0.5),  # type: ignore[arg-type]
        overlap=2 / 10,
        same_top=1.0,
    )


@pytest.mark.parametrize(
    ("tokens", "lexical", "dense"),
    [([], [], []), (["a"], [], []), ([], [(1, 2.0)], []), ([], [], [(1, 0.5)])],
    ids=["nothing", "no hits", "no tokens", "dense alone"],
)
def test_what_is_missing_gives_zeros_and_never_fails(
    tokens: list[str], lexical: list[tuple[int, float]], dense: list[tuple[int, float]]
) -> None:
    found = measure(tokens, lexical, dense, Words())
    assert found.bm25_ratio == found.idf_coverage == found.bm25_gap == 0.0
    assert found.top_cosine == (0.5 if dense else 0.0)
    assert all(math.isfinite(value) for value in found.values(["rarity", "cosine_gap"]))


@pytest.fixture
def reader(tmp_path: Path) -> IndexReader:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("# Zebra\n\nStripes confuse the biting flies.\n")
    (docs / "b.md").write_text("# Heron\n\nIt fishes; flies avoid it.\n")
    ingest(docs, index_dir=tmp_path / "index", options=IngestOptions())
    return IndexReader.open(tmp_path / "index")


def test_idf_and_coverage_of_an_index_are_those_of_its_chunks(reader: IndexReader) -> None:
    def look(snapshot: Snapshot) -> tuple[dict[str, float], float, float, list[float]]:
        tokens = snapshot.analyzer.query_tokens("zebra flies unicorn")
        idf = snapshot.idf(tokens)
        found = snapshot.lexical(tokens, DocumentFilter.of("all"), 10)
        covered = [snapshot.coverage([key], idf) for key, _ in found]
        both = snapshot.coverage([key for key, _ in found], idf)
        assert both == max(covered)
        assert snapshot.coverage([], idf) == 0.0
        return idf, snapshot.highest_idf(), both, covered

    with reader:
        idf, highest, _, covered = reader.read(look)
    zebra, flies, unicorn = (idf[token] for token in idf)
    assert unicorn == pytest.approx(math.log(1 + 2.5 / 0.5)) == highest
    assert zebra == pytest.approx(math.log(1 + 1.5 / 1.5))
    assert flies == pytest.approx(math.log(1 + 0.5 / 2.5))
    assert covered == [pytest.approx(zebra + flies), pytest.approx(flies)]

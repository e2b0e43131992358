from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from groundkit_core.errors import CorruptIndexError, EmbeddingMismatchError, SettingsError
from groundkit_core.filters import DocumentFilter
from groundkit_index import ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_index.layout import CollectionPaths
from groundkit_index.rebuild import rebuild
from groundkit_index.vectors.slab import Label, Matrix, Slab
from groundkit_index.vectors.slab_writer import SlabWriter
from groundkit_index.vectors.table import VectorTable
from groundkit_retrieval import Collection

HASH = EmbedderSettings("hash")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(12):
        (folder / f"{number}.md").write_text(f"# Page {number}\n\nThe word number{number}.\n")
    (folder / "app.toml").write_text("[server]\nword = 'number0'\n")
    return folder


def unit(count: int, seed: int = 0) -> Matrix:
    vectors = np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def labels(count: int, first: int = 1, project: str = "p") -> list[Label]:
    return [Label(first + n, "docs", project, bytes([first + n]) * 16) for n in range(count)]


def test_a_slab_finds_what_a_full_sort_finds(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, 8)
    vectors = unit(50)
    writer.commit([], labels(50), vectors)
    query = unit(1, seed=9)[0]
    expected = sorted(range(50), key=lambda n: -float(vectors[n] @ query))
    found = Slab.open(tmp_path).search(query, DocumentFilter(), 5, offset=2)
    assert [key - 1 for key, _ in found] == expected[2:7]


def test_filters_apply_before_ranking(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, 8)
    vectors = unit(40)
    writer.commit([], labels(38), vectors[:38])
    writer.commit([], labels(2, first=101, project="rare"), vectors[38:])
    found = writer.slab.search(vectors[0], DocumentFilter(project="rare"), 10)
    assert {key for key, _ in found} == {101, 102}
    assert writer.slab.search(vectors[0], DocumentFilter(project="none"), 10) == []
    assert writer.slab.search(vectors[0], DocumentFilter(frozenset({"code"})), 10) == []


def test_what_a_crash_left_behind_the_valid_rows_is_written_over(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, 8)
    writer.commit([], labels(3), unit(3))
    with (tmp_path / "rows-0.f32").open("ab") as file:
        file.write(b"half a row")
    again = SlabWriter(tmp_path, 8)
    again.commit([1], labels(1, first=9), unit(1, seed=3))
    assert again.slab.keys() == {2, 3, 9}
    assert np.allclose(again.slab.vectors[3], unit(1, seed=3)[0])


def test_dead_rows_are_compacted_away(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, 8)
    many = [Label(n + 1, "docs", "p", n.to_bytes(16, "big")) for n in range(1_200)]
    writer.commit([], many, np.repeat(unit(1), 1_200, axis=0))
    writer.commit(list(range(1, 1_001)), [], np.empty((0, 8), np.float32))
    writer.compact()
    assert len(writer.slab.labels) == 200
    assert writer.slab.keys() == set(range(1_001, 1_201))


def test_a_damaged_slab_is_refused(tmp_path: Path) -> None:
    SlabWriter(tmp_path, 8).commit([], labels(3), unit(3))
    (tmp_path / "rows-0.f32").write_bytes(b"short")
    with pytest.raises(CorruptIndexError):
        Slab.open(tmp_path)


def test_the_table_finds_the_same_as_the_slab(tmp_path: Path) -> None:
    vectors = unit(30)
    table = VectorTable(tmp_path / "vectors.lance", 8)
    slab = SlabWriter(tmp_path / "slab", 8)
    for place in (table, slab):
        place.commit([], labels(30), vectors)
        place.commit([4], labels(1, first=77), unit(1, seed=5))
    query = unit(1, seed=9)[0]
    assert table.rows == 30
    expected = slab.slab.search(query, DocumentFilter(project="p"), 6)
    found = table.search(query, DocumentFilter(project="p"), 6)
    assert [key for key, _ in found] == [key for key, _ in expected]
    assert np.allclose([s for _, s in found], [s for _, s in expected], atol=1e-5)


def test_embed_gives_an_existing_collection_vectors_once(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    ingest(docs, index_dir=index)
    first = embed(index_dir=index, embedder=HASH)
    assert (first.embedded, first.vectors, first.pending) == (13, 13, 0)
    again = embed(index_dir=index)
    assert (again.embedded, again.vectors) == (0, 13)


def test_an_ingest_embeds_what_is_new_and_forgets_what_is_gone(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    ingest(docs, index_dir=index)
    embed(index_dir=index, embedder=HASH)
    (docs / "new.md").write_text("# New\n\nA giraffe.\n")
    (docs / "0.md").unlink()
    ingest(docs, index_dir=index)
    report = embed(index_dir=index)
    assert (report.embedded, report.vectors) == (0, 13)
    with Collection.open(index_dir=index) as collection:
        found = collection.search("giraffe", mode="dense", limit=1)
    assert found.results[0].citation.source == "new.md"


def test_a_rebuild_copies_vectors_instead_of_embedding_again(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    ingest(docs, index_dir=index)
    embed(index_dir=index, embedder=HASH)
    rebuild(index_dir=index)
    version = CollectionPaths.of(index, "default").current()
    assert version.name == "v000002"
    assert len(Slab.open(version.slab).keys()) == 13
    assert embed(index_dir=index).embedded == 0


def test_a_rebuild_can_bind_to_another_embedder(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    ingest(docs, index_dir=index)
    embed(index_dir=index, embedder=HASH)
    rebuild(index_dir=index, embedder=EmbedderSettings("hash", dimensions=64))
    report = embed(index_dir=index)
    assert (report.dimensions, report.vectors, report.pending) == (64, 13, 0)
    with Collection.open(index_dir=index) as collection:
        assert collection.search("number3", mode="dense").results[0].citation.source == "3.md"


def test_hybrid_is_the_default_with_vectors_and_config_stays_out(
    docs: Path, tmp_path: Path
) -> None:
    index = tmp_path / "index"
    ingest(docs, index_dir=index)
    with Collection.open(index_dir=index) as collection:
        assert collection.search("number0").mode == "lexical"
        embed(index_dir=index, embedder=HASH)
        response = collection.search("number0", limit=20)
        assert response.mode == "hybrid"
        assert set(response.results[0].scores) == {"lexical", "dense"}
        assert "app.toml" not in {hit.citation.source for hit in response.results}
        named = collection.search("number0", source_class="config", mode="dense")
        assert [hit.citation.source for hit in named.results] == ["app.toml"]


def test_a_failing_dense_branch_degrades_hybrid_and_fails_dense(docs: Path, tmp_path: Path) -> None:
    index = tmp_path / "index"
    ingest(docs, index_dir=index)
    embed(index_dir=index, embedder=HASH)
    (CollectionPaths.of(index, "default").current().slab / "slab.json").write_text("{")
    with Collection.open(index_dir=index) as collection:
        hybrid = collection.search("number3")
        assert hybrid.coverage.degraded
        assert "dense" in hybrid.coverage.failed
        assert hybrid.results[0].citation.source == "3.md"
        dense = collection.search("number3", mode="dense")
    assert (dense.status, dense.reason) == ("NO_RELEVANT_CONTEXT", "plane_failed")


def test_another_embedder_is_refused_and_none_is_chosen_silently(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "index"
    ingest(docs, index_dir=index)
    monkeypatch.setitem(sys.modules, "fastembed", None)
    with pytest.raises(SettingsError, match="--embedder"):
        embed(index_dir=index)
    embed(index_dir=index, embedder=HASH)
    with pytest.raises(EmbeddingMismatchError):
        embed(index_dir=index, embedder=EmbedderSettings("hash", dimensions=64))

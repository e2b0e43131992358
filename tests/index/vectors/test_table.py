from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

from groundkit_core.errors import CorruptIndexError
from groundkit_core.filters import DocumentFilter
from groundkit_index.layout import VersionPaths, folder_size
from groundkit_index.vectors.searcher import VectorIndex
from groundkit_index.vectors.slab import Label, Matrix
from groundkit_index.vectors.slab_writer import SlabWriter
from groundkit_index.vectors.table import VectorTable

WIDTH = 128
ROWS = 3_000
EVERYTHING = DocumentFilter()


CENTRES = np.random.default_rng(99).normal(size=(60, WIDTH)).astype(np.float32)


def unit(count: int, seed: int) -> Matrix:
    """Vectors in groups, as those of texts are."""
    random = np.random.default_rng(seed)
    vectors = CENTRES[random.integers(0, len(CENTRES), count)]
    vectors = vectors + random.normal(size=(count, WIDTH)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def labels(count: int, first: int = 1) -> list[Label]:
    return [
        Label(key, "docs", "rare" if key % 100 == 0 else "p", key.to_bytes(16, "big"))
        for key in range(first, first + count)
    ]


@pytest.fixture
def version(tmp_path: Path) -> VersionPaths:
    return VersionPaths(tmp_path / "v000001")


def fill(version: VersionPaths) -> tuple[VectorTable, SlabWriter]:
    table, slab = VectorTable(version.vectors, WIDTH), SlabWriter(version.slab, WIDTH)
    for place in (table, slab):
        place.commit([], labels(ROWS), unit(ROWS, 0))
    return table, slab


def test_an_indexed_table_finds_nearly_what_a_scan_finds(version: VersionPaths) -> None:
    table, slab = fill(version)
    table.optimize(most_scanned=ROWS - 1)
    assert table.indexed
    exact = slab.slab
    shares = []
    for query in unit(20, 1):
        found = {key for key, _ in table.search(query, EVERYTHING, 10)}
        shares.append(len(found & {key for key, _ in exact.search(query, EVERYTHING, 10)}) / 10)
    assert np.mean(shares) >= 0.98


def test_a_small_table_is_not_indexed(version: VersionPaths) -> None:
    table, _ = fill(version)
    table.optimize()
    assert not table.indexed


def test_rows_that_came_after_the_index_are_found(version: VersionPaths) -> None:
    table, slab = fill(version)
    table.optimize(most_scanned=ROWS - 1)
    late = unit(1, 77)
    for place in (table, slab):
        place.commit([5], labels(1, first=ROWS + 1), late)
    index = VectorIndex(version, WIDTH, most_scanned=100)
    found = index.search(late[0], EVERYTHING, 3)
    assert found[0][0] == ROWS + 1
    assert found[0][1] == pytest.approx(1.0, abs=1e-5)
    gone = unit(ROWS, 0)[4]
    assert 5 not in {key for key, _ in index.search(gone, EVERYTHING, 3)}


def test_a_narrow_filter_of_a_large_collection_loses_nothing(version: VersionPaths) -> None:
    table, slab = fill(version)
    table.optimize(most_scanned=ROWS - 1)
    index = VectorIndex(version, WIDTH, most_scanned=ROWS // 2)
    rare = DocumentFilter(project="rare")
    for query in unit(5, 3):
        assert index.search(query, rare, 10) == slab.slab.search(query, rare, 10)


def test_a_reader_looks_again_when_the_version_it_holds_is_dropped(
    version: VersionPaths, at_once: None
) -> None:
    table, _ = fill(version)
    index = VectorIndex(version, WIDTH, most_scanned=100)
    query = unit(1, 5)[0]
    before = index.search(query, EVERYTHING, 10)
    for number in range(70):
        table.commit([], labels(1, first=10_000 + number), -query[None])
    table.optimize()
    assert index.search(query, EVERYTHING, 10) == before


def test_a_hundred_small_commits_do_not_swell_the_table(
    version: VersionPaths, at_once: None
) -> None:
    table, slab = fill(version)
    before = folder_size(version.vectors), folder_size(version.slab)
    for number in range(100):
        gone, fresh = [number + 1], labels(1, first=ROWS + number + 1)
        for place in (table, slab):
            place.commit(gone, fresh, unit(1, number))
        table.optimize()
    assert table.rows == slab.live == ROWS
    assert folder_size(version.vectors) < 2 * before[0]
    assert folder_size(version.slab) < 1.1 * before[1]


def test_a_table_is_read_in_portions(version: VersionPaths) -> None:
    table, _ = fill(version)
    portions = list(table.batches(1_000))
    assert max(len(some) for some, _ in portions) <= 1_000
    read = {
        label.key: vector for some, of in portions for label, vector in zip(some, of, strict=True)
    }
    assert np.array_equal(np.array([read[key] for key in range(1, ROWS + 1)]), unit(ROWS, 0))


def test_a_large_collection_without_its_table_is_refused(version: VersionPaths) -> None:
    SlabWriter(version.slab, WIDTH).commit([], labels(ROWS), unit(ROWS, 0))
    index = VectorIndex(version, WIDTH, most_scanned=100)
    with pytest.raises(CorruptIndexError):
        index.search(unit(1, 1)[0], EVERYTHING, 3)
    assert not version.vectors.exists()


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Versions are dropped when they are older than a moment."""
    monkeypatch.setattr("groundkit_index.vectors.table._KEPT", timedelta(milliseconds=1))

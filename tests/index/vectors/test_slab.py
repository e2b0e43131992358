from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_core.errors import CorruptIndexError
from groundkit_core.filters import DocumentFilter, DocumentSet
from groundkit_index.vectors.known import KnownVectors
from groundkit_index.vectors.scan import Matrix, best, products
from groundkit_index.vectors.slab import MANIFEST, Label, Slab
from groundkit_index.vectors.slab_writer import SlabWriter

WIDTH = 4
PROJECTS = ("a", "b")
DOCUMENTS = 5


def grid(values: list[int]) -> Matrix:
    """Vectors of small whole numbers: their products are exact, and many of them are equal."""
    codes = np.asarray(values)[:, None] // 3 ** np.arange(WIDTH) % 3
    return np.asarray(codes - 1, dtype=np.float32)


def label(key: int, source_class: str = "docs", project: str = "a") -> Label:
    return Label(key, source_class, project, key.to_bytes(16, "big"), key % DOCUMENTS)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[list[int], list[Label], list[int]]]:
    """Commits: keys to delete, labels to add, and a number for each vector."""
    history, key = [], 0
    for _ in range(draw(st.integers(1, 4))):
        count = draw(st.integers(0, 12))
        deleted = draw(st.lists(st.integers(1, max(1, key)), max_size=4)) if key else []
        classes = st.sampled_from(SOURCE_CLASSES)
        added = [
            label(key + n + 1, draw(classes), draw(st.sampled_from(PROJECTS))) for n in range(count)
        ]
        key += count
        history.append((deleted, added, draw(values(count))))
    return history


def values(count: int) -> st.SearchStrategy[list[int]]:
    return st.lists(st.integers(0, 80), min_size=count, max_size=count)


def only(documents: frozenset[int]) -> DocumentFilter:
    return DocumentFilter(among=DocumentSet(documents, frozenset(range(DOCUMENTS)) - documents))


by_class_and_project = st.builds(
    DocumentFilter,
    st.frozensets(st.sampled_from(SOURCE_CLASSES)),
    st.sampled_from([None, "a", "b", "none such"]),
    st.none() | st.frozensets(st.sampled_from(PROJECTS)),
)
filters = by_class_and_project | st.builds(only, st.frozensets(st.integers(0, DOCUMENTS - 1)))


@settings(max_examples=60, deadline=None)
@given(histories(), filters, st.integers(0, 80), st.integers(1, 8), st.integers(0, 8))
def test_a_search_finds_what_a_full_sort_finds(
    tmp_path_factory: pytest.TempPathFactory,
    history: list[tuple[list[int], list[Label], list[int]]],
    where: DocumentFilter,
    asked: int,
    limit: int,
    offset: int,
) -> None:
    folder = tmp_path_factory.mktemp("slab")
    model: dict[int, tuple[Label, Matrix]] = {}
    for deleted, added, values in history:
        vectors = grid(values)
        SlabWriter(folder, WIDTH).commit(deleted, added, vectors)
        for key in deleted:
            model.pop(key, None)
        model |= {one.key: (one, v) for one, v in zip(added, vectors, strict=True)}
    query = grid([asked])[0]
    ranked = sorted(
        (-float(vector @ query), key)
        for key, (one, vector) in model.items()
        if where.allows(one.document, one.source_class, one.project)  # type: ignore[arg-type]
    )
    expected = [(key, -score) for score, key in ranked][offset : offset + limit]
    slab = Slab.open(folder)
    assert slab.search(query, where, limit, offset) == expected
    assert slab.keys() == set(model)


def test_equal_vectors_score_the_same_in_every_part_of_a_scan() -> None:
    one = np.random.default_rng(1).normal(size=384).astype(np.float32)
    many = np.repeat(one[None], 70_001, axis=0)
    scores = products(many, one)
    assert len(set(scores.tolist())) == 1
    few = products(many[:3], one)
    assert few[0] == scores[0]
    keys = np.arange(70_001, 0, -1, dtype=np.uint64)
    assert keys[best(scores, keys, 3)].tolist() == [1, 2, 3]


def test_deleted_rows_are_not_found_and_are_not_counted(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, WIDTH)
    writer.commit([], [label(1), label(2), label(3)], grid([1, 2, 3]))
    writer.commit([2, 77], [], grid([]))
    again = SlabWriter(tmp_path, WIDTH)
    assert (again.rows, again.live) == (3, 2)
    assert {key for key, _ in again.slab.search(grid([2])[0], DocumentFilter(), 9)} == {1, 3}


def test_a_commit_that_is_repeated_replaces_its_rows(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, WIDTH)
    for _ in range(2):
        writer.commit([1, 2], [label(1), label(2)], grid([5, 6]))
    assert writer.live == 2
    assert [k for k, _ in writer.slab.search(grid([5])[0], DocumentFilter(), 9)] == [1, 2]


def test_a_crash_between_append_and_publish_leaves_the_last_commit(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, WIDTH)
    writer.commit([], [label(1), label(2)], grid([1, 2]))
    published = (tmp_path / MANIFEST).read_bytes()
    writer.commit([1], [label(3)], grid([3]))
    (tmp_path / MANIFEST).write_bytes(published)
    assert Slab.open(tmp_path).keys() == {1, 2}
    after = SlabWriter(tmp_path, WIDTH)
    after.commit([2], [label(4)], grid([4]))
    slab = Slab.open(tmp_path)
    assert slab.keys() == {1, 4}
    assert slab.vectors[2].tolist() == grid([4])[0].tolist()


def test_what_a_commit_writes_does_not_grow_with_what_is_there(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, WIDTH)
    many = [label(n + 1) for n in range(5_000)]
    writer.commit([], many, grid([0] * 5_000))
    kept = {path.name: path.stat().st_ino for path in tmp_path.iterdir() if path.name != MANIFEST}
    writer.commit([], [label(5_001)], grid([1]))
    for name, inode in kept.items():
        assert (tmp_path / name).stat().st_ino == inode
    assert writer.rows == 5_001


def test_an_open_slab_stays_whole_while_the_writer_goes_on(tmp_path: Path) -> None:
    writer = SlabWriter(tmp_path, WIDTH)
    writer.commit([], [label(n + 1) for n in range(1_200)], grid([7] * 1_200))
    slab = Slab.open(tmp_path)
    writer.commit(list(range(1, 1_001)), [label(2_000)], grid([8]))
    writer.compact()
    assert len(slab.search(grid([7])[0], DocumentFilter(), 2_000)) == 1_200
    assert writer.rows == 201
    assert writer.slab.keys() == {*range(1_001, 1_201), 2_000}


def test_vectors_of_another_length_are_refused(tmp_path: Path) -> None:
    SlabWriter(tmp_path, WIDTH).commit([], [label(1)], grid([1]))
    with pytest.raises(CorruptIndexError):
        SlabWriter(tmp_path, WIDTH + 1)


@pytest.mark.parametrize("damage", ["", "[]", '{"format": 1}', '{"format": 2, "rows": -1}'])
def test_a_manifest_that_is_none_is_refused(tmp_path: Path, damage: str) -> None:
    SlabWriter(tmp_path, WIDTH).commit([], [label(1)], grid([1]))
    (tmp_path / MANIFEST).write_text(damage)
    with pytest.raises(CorruptIndexError):
        Slab.open(tmp_path)


def test_a_manifest_cannot_name_files_elsewhere(tmp_path: Path) -> None:
    folder = tmp_path / "slab"
    SlabWriter(folder, WIDTH).commit([], [label(1)], grid([1]))
    (folder / "rows-0.f32").rename(tmp_path / "rows-0.f32")
    text = (folder / MANIFEST).read_text()
    (folder / MANIFEST).write_text(text.replace("rows-0.f32", "../rows-0.f32"))
    with pytest.raises(CorruptIndexError):
        Slab.open(folder)


def test_known_vectors_are_found_by_text_also_when_their_rows_are_deleted(tmp_path: Path) -> None:
    older = SlabWriter(tmp_path / "older", WIDTH)
    older.commit([], [label(900)], grid([40]))
    writer = SlabWriter(tmp_path / "slab", WIDTH)
    writer.commit([], [label(n + 1) for n in range(50)], grid(list(range(50))))
    writer.commit([7], [], grid([]))
    known = KnownVectors(writer, older.slab)
    writer.commit([], [label(60)], grid([60]))
    known.add([label(60).digest], first=50)
    for key, value in ((1, 0), (7, 6), (50, 49), (60, 60), (900, 40)):
        found = known.find(label(key).digest)
        assert found is not None
        assert found.tolist() == grid([value])[0].tolist()
    assert known.find(label(61).digest) is None

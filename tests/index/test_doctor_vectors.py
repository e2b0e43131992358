"""Damage of vectors is found; good vectors are kept and only the others are embedded again."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from groundkit_core.contracts import SearchResponse
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.doctor.vector_repair import put_aside
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_index.vectors.binding import Binding
from groundkit_index.vectors.slab import Label, Slab
from groundkit_index.vectors.slab_writer import SlabWriter
from groundkit_index.vectors.table import VectorTable

if TYPE_CHECKING:
    from tests.embedding_server import EmbeddingServer
    from tests.index.conftest import Workspace

DIMENSIONS = 8
LEXICAL, VECTORS = "lexical index", "vectors"
ANIMALS = ("zebra", "giraffe", "camel", "ibex", "lynx", "okapi")
TEXTS = {f"{animal}.md": f"The {animal} crosses at noon.\n" for animal in ANIMALS}
Vectors = dict[int, bytes]


@pytest.fixture
def filled(space: Workspace, server: EmbeddingServer) -> Workspace:
    """A collection with vectors, from a server that can be taken down."""
    space.write_all(TEXTS)
    space.ingest()
    settings = EmbedderSettings("ollama", model="tiny", endpoint=server.endpoint, timeout=2)
    assert embed(index_dir=space.index, embedder=settings).vectors == len(TEXTS)
    # A commit more than one, so that rows are deleted in both copies.
    space.write("camel.md", "The camel drinks at dusk.\n")
    space.ingest()
    server.requests.clear()
    return space


def slab_folder(space: Workspace) -> Path:
    return space.paths.current().slab


def table_folder(space: Workspace) -> Path:
    return space.paths.current().vectors / "vectors.lance"


def in_slab(space: Workspace) -> Vectors:
    slab = Slab.open(slab_folder(space))
    rows = zip(slab.labels["key"], slab.vectors, strict=True)
    return {int(key): vector.tobytes() for key, vector in rows if key}


def in_table(space: Workspace) -> Vectors:
    table = VectorTable.existing(space.paths.current().vectors, DIMENSIONS)
    labels, vectors = table.read_all()
    return {label.key: v.tobytes() for label, v in zip(labels, vectors, strict=True)}


def ask(space: Workspace, mode: str) -> SearchResponse:
    """Search as a process that starts now."""
    collection = space.open()
    response = collection.search("zebra crosses", mode=mode)
    collection.close()
    return response


def newest(paths: Iterator[Path]) -> Path:
    return max(paths, key=lambda path: path.stat().st_mtime_ns)


FILES: dict[str, Callable[[Workspace], Path]] = {
    "slab.json": lambda space: slab_folder(space) / "slab.json",
    "rows": lambda space: newest(slab_folder(space).glob("rows-*")),
    "labels": lambda space: newest(slab_folder(space).glob("labels-*")),
    "deleted rows": lambda space: newest(slab_folder(space).glob("dead-*")),
    "table data": lambda space: max(
        (table_folder(space) / "data").iterdir(), key=lambda path: path.stat().st_size
    ),
    "table manifest": lambda space: newest((table_folder(space) / "_versions").glob("*.manifest")),
}


def _gone(path: Path) -> None:
    path.unlink()


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    # The exponent of a number, in a file of them.
    data[len(data) // 20 * 4 + 3] ^= 0x40
    path.write_bytes(data)


def test_a_healthy_collection_with_vectors_passes_every_check(filled: Workspace) -> None:
    report = filled.doctor()
    assert report.healthy
    assert [check.name for check in report.checks] == ["catalog", LEXICAL, VECTORS, "versions"]
    assert report.notes == ()


def test_a_repair_of_healthy_vectors_writes_nothing(filled: Workspace) -> None:
    before = {path: path.stat().st_mtime_ns for path in filled.index.rglob("*")}
    assert filled.doctor(repair=True).healthy
    assert {path: path.stat().st_mtime_ns for path in filled.index.rglob("*")} == before


def test_a_collection_without_vectors_imports_nothing_for_them(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    script = (
        "import sys\n"
        "from groundkit_index.doctor import examine\n"
        "from groundkit_retrieval import Collection\n"
        f"assert examine(index_dir={str(space.index)!r}, repair=True).healthy\n"
        f"with Collection.open(index_dir={str(space.index)!r}) as collection:\n"
        "    assert collection.status().embedding is None\n"
        "    assert collection.search('zebra').results\n"
        "print({'numpy', 'lancedb', 'pyarrow', 'httpx'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("set()", "")


@pytest.mark.parametrize("damage", [_gone, _cut, _flipped])
@pytest.mark.parametrize("name", FILES)
def test_damage_of_a_file_is_found_and_healed_from_the_other_copy(
    filled: Workspace, server: EmbeddingServer, name: str, damage: Callable[[Path], None]
) -> None:
    truth, path = in_slab(filled), FILES[name](filled)
    whole = path.read_bytes()
    damage(path)
    hybrid, dense = ask(filled, "hybrid"), ask(filled, "dense")
    assert hybrid.results[0].citation.source == "zebra.md"
    assert hybrid.coverage.degraded == ("dense" in hybrid.coverage.failed)
    assert dense.status == "OK" or dense.reason == "plane_failed"
    faults = filled.faults()
    if name == "table manifest" and damage in (_gone, _flipped) and not faults:
        # An older manifest, or a byte that means nothing, may describe the same rows.
        assert in_table(filled) == truth
        path.write_bytes(whole)
        return
    assert list(faults) == [VECTORS]
    server.close()
    report = filled.doctor(repair=True)
    assert report.healthy
    assert [check.name for check in report.checks if check.repaired] == [VECTORS]
    assert report.notes == ()
    assert in_slab(filled) == in_table(filled) == truth
    assert filled.faults() == {}


@pytest.mark.parametrize(
    "path", [slab_folder, table_folder], ids=["the slab's folder", "the table's folder"]
)
def test_a_copy_that_is_gone_is_healed_from_the_other(
    filled: Workspace, server: EmbeddingServer, path: Callable[[Workspace], Path]
) -> None:
    truth = in_slab(filled)
    shutil.rmtree(path(filled))
    assert list(filled.faults()) == [VECTORS]
    assert ask(filled, "hybrid").results[0].citation.source == "zebra.md"
    server.close()
    assert filled.doctor(repair=True).healthy
    assert in_slab(filled) == in_table(filled) == truth


def test_vectors_that_are_gone_altogether_degrade_the_search_and_are_made_again(
    filled: Workspace, server: EmbeddingServer
) -> None:
    truth = in_slab(filled)
    shutil.rmtree(slab_folder(filled))
    shutil.rmtree(table_folder(filled).parent)
    hybrid = ask(filled, "hybrid")
    assert hybrid.coverage.degraded
    assert "groundkit doctor --repair" in hybrid.coverage.failed["dense"]
    assert ask(filled, "dense").reason == "plane_failed"
    assert list(filled.faults()) == [VECTORS]
    assert filled.doctor(repair=True).healthy
    assert in_slab(filled) == in_table(filled) == truth


def corrupt(space: Workspace, key: int, vector: object) -> None:
    """Overwrite the vector of a chunk in the flat copy."""
    slab = Slab.open(slab_folder(space))
    (row,) = np.flatnonzero(slab.labels["key"] == key)
    with FILES["rows"](space).open("r+b") as file:
        file.seek(int(row) * 4 * DIMENSIONS)
        file.write(np.asarray(vector, "<f4").tobytes())


@pytest.mark.parametrize(
    "vector",
    [
        pytest.param([np.nan] * 8, id="not a number"),
        pytest.param([np.inf] * 8, id="infinite"),
        pytest.param([0.0] * 8, id="zeros"),
        pytest.param([0.5] * 8, id="not of unit length"),
        pytest.param([8**-0.5] * 8, id="another direction"),
    ],
)
def test_a_vector_that_is_none_is_found_and_taken_from_the_table(
    filled: Workspace, server: EmbeddingServer, vector: list[float]
) -> None:
    truth = in_slab(filled)
    corrupt(filled, 2, vector)
    ask(filled, "hybrid")
    (fault, *_) = filled.faults()[VECTORS]
    assert "chunk 2" in fault
    filled.doctor(repair=True)
    assert in_slab(filled) == in_table(filled) == truth
    # One that could be right is not trusted when the copies disagree.
    assert len(server.inputs) == (1 if vector == [8**-0.5] * 8 else 0) + _queries(server)


def _queries(server: EmbeddingServer) -> int:
    """Return how many requests were not for a passage."""
    return sum("crosses at noon" not in texts[0] for texts in server.inputs)


def test_a_query_never_meets_a_score_that_is_none(filled: Workspace) -> None:
    for key in in_slab(filled):
        corrupt(filled, key, [np.nan] * 8)
    hybrid = ask(filled, "hybrid")
    assert hybrid.coverage.degraded
    assert all(set(hit.scores) == {"lexical"} for hit in hybrid.results)
    assert ask(filled, "dense").reason == "plane_failed"


def both(space: Workspace, deleted: list[int], labels: list[Label], vectors: object) -> None:
    """Change both copies, as the feed would."""
    version = space.paths.current()
    rows = np.asarray(vectors, np.float32).reshape(-1, DIMENSIONS)
    SlabWriter(version.slab, DIMENSIONS).commit(deleted, labels, rows)
    VectorTable(version.vectors, DIMENSIONS).commit(deleted, labels, rows)


def label_of(space: Workspace, row_key: int, **changes: object) -> Label:
    slab = Slab.open(slab_folder(space))
    (row,) = np.flatnonzero(slab.labels["key"] == row_key)
    digest = bytes.fromhex(slab.labels["digest"][row].decode())
    document = int(slab.labels["document"][row])
    values = {"key": row_key, "source_class": "docs", "project": "default", "digest": digest}
    return Label(**values | {"document": document} | changes)  # type: ignore[arg-type]


def vector_of(space: Workspace, key: int) -> object:
    return np.frombuffer(in_slab(space)[key], "<f4")


def test_a_chunk_without_a_vector_is_found_and_its_deleted_vector_found_again(
    filled: Workspace, server: EmbeddingServer
) -> None:
    truth = in_slab(filled)
    both(filled, [2], [], [])
    assert filled.faults() == {
        VECTORS: ("flat copy: chunk 2 has no vector", "table: chunk 2 has no vector")
    }
    server.close()
    assert filled.doctor(repair=True).healthy
    assert in_slab(filled) == truth


def test_a_vector_of_a_chunk_that_is_gone_is_found_and_dropped(filled: Workspace) -> None:
    truth = in_slab(filled)
    both(filled, [], [label_of(filled, 2, key=77)], vector_of(filled, 2))
    assert filled.faults() == {
        VECTORS: (
            "flat copy: chunk 77 has a vector but is gone",
            "table: chunk 77 has a vector but is gone",
        )
    }
    assert filled.doctor(repair=True).healthy
    assert in_slab(filled) == in_table(filled) == truth


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"digest": b"x" * 16}, "is of another text"),
        ({"source_class": "config"}, "is filed under other labels"),
        ({"project": "kite"}, "is filed under other labels"),
        ({"document": 77}, "is filed under other labels"),
    ],
)
def test_a_label_that_is_not_the_chunks_is_found_and_mended(
    filled: Workspace, change: dict[str, object], message: str
) -> None:
    truth = in_slab(filled)
    both(filled, [2], [label_of(filled, 2, **change)], vector_of(filled, 2))
    assert filled.faults() == {
        VECTORS: tuple(
            f"{place}: the vector of chunk 2 {message}" for place in ("flat copy", "table")
        )
    }
    assert filled.doctor(repair=True).healthy
    assert in_slab(filled) == in_table(filled) == truth


def test_a_manifest_that_describes_other_sizes_is_found(filled: Workspace) -> None:
    path = FILES["slab.json"](filled)
    path.write_text(path.read_text().replace('"dimensions": 8', '"dimensions": 4'))
    assert filled.faults() == {VECTORS: ("flat copy: it cannot be read",)}
    assert ask(filled, "hybrid").coverage.degraded
    assert filled.doctor(repair=True).healthy


def test_only_what_is_bad_in_every_copy_is_embedded_again(
    filled: Workspace, server: EmbeddingServer
) -> None:
    truth = in_slab(filled)
    both(filled, [2], [label_of(filled, 2)], [2.0] * 8)
    corrupt_dead(filled)
    assert filled.doctor(repair=True).healthy
    texts = [text for texts in server.inputs for text in texts if text != "dimensions"]
    assert texts == ["The giraffe crosses at noon.\n".strip()]
    assert in_slab(filled) == in_table(filled) == truth


def corrupt_dead(space: Workspace) -> None:
    """Spoil what deleted rows hold, which would otherwise be found again."""
    slab = Slab.open(slab_folder(space))
    with FILES["rows"](space).open("r+b") as file:
        for row in np.flatnonzero(slab.labels["key"] == 0):
            file.seek(int(row) * 4 * DIMENSIONS)
            file.write(np.full(DIMENSIONS, np.nan, "<f4").tobytes())


def test_without_the_embedder_the_rest_is_healed_and_the_bad_one_waits(
    filled: Workspace, server: EmbeddingServer
) -> None:
    truth = in_slab(filled)
    both(filled, [2], [label_of(filled, 2)], [2.0] * 8)
    corrupt_dead(filled)
    server.close()
    done = filled.command("doctor", "--repair")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == (
        f"note: 1 chunks wait for their vectors (ollama at {server.endpoint} does not answer; "
        "start it with `ollama serve`); run `groundkit embed` when that is mended"
    )
    del truth[2]
    assert in_slab(filled) == in_table(filled) == truth
    report = filled.doctor()
    assert report.healthy
    assert report.notes == ("1 changes wait for their vectors; run `groundkit embed`",)


def test_an_interrupted_repair_is_finished_by_the_next(
    filled: Workspace, server: EmbeddingServer
) -> None:
    truth, version = in_slab(filled), filled.paths.current()
    catalog = CatalogWriter(version.catalog)
    identity = Binding.from_manifest(catalog.embedding or {}).identity
    catalog.close()
    slab = Slab.open(version.slab)
    wanted = {bytes.fromhex(digest.decode()) for digest in slab.labels["digest"]}
    put_aside(version, identity, wanted)
    shutil.rmtree(version.slab)
    shutil.rmtree(version.vectors)
    assert "a repair was interrupted" in filled.faults()[VECTORS]
    server.close()
    assert filled.doctor(repair=True).healthy
    assert in_slab(filled) == in_table(filled) == truth
    assert not version.salvage.exists()


def test_changes_that_wait_for_their_vectors_are_no_fault_but_told(
    filled: Workspace, server: EmbeddingServer
) -> None:
    server.close()
    filled.write("yak.md", "The yak.\n")
    (filled.folder / "zebra.md").unlink()
    (note,) = filled.ingest().notes
    assert "wait for their vectors" in note
    assert filled.faults() == {}
    assert filled.doctor().notes == ("2 changes wait for their vectors; run `groundkit embed`",)


def test_words_that_are_not_indexed_are_found_while_vectors_wait(
    filled: Workspace, server: EmbeddingServer
) -> None:
    server.close()
    filled.write("yak.md", "The yak.\n")
    filled.ingest()
    shutil.rmtree(filled.lexical)
    assert LEXICAL in filled.faults()
    assert filled.doctor(repair=True).healthy
    assert filled.found("yak", mode="lexical") == ["yak.md"]


def test_mending_the_words_leaves_what_waits_for_the_vectors(
    filled: Workspace, server: EmbeddingServer
) -> None:
    (filled.folder / "zebra.md").unlink()
    reply_down = server.endpoint
    server.close()
    filled.write("yak.md", "The yak.\n")
    filled.ingest()
    shutil.rmtree(filled.lexical)
    report = filled.doctor(repair=True)
    assert report.healthy
    assert reply_down not in str(report.checks)
    catalog = CatalogWriter(filled.catalog)
    waiting = {(op, key) for _, op, key in catalog.outbox.pending("vectors", 100)}
    catalog.close()
    assert ("delete", 6) in waiting


def test_a_bound_manifest_that_is_damaged_is_a_fault_of_the_catalog(filled: Workspace) -> None:
    data = filled.catalog.read_bytes()
    assert data.count(b'"dimensions": 8') >= 1
    filled.catalog.write_bytes(data.replace(b'"dimensions": 8', b'"dimensionz": 8'))
    assert "catalog" in filled.faults()


def test_an_ingest_goes_on_over_a_damaged_table_and_says_so(filled: Workspace) -> None:
    path = FILES["table manifest"](filled)
    for manifest in path.parent.glob("*.manifest"):
        manifest.write_bytes(b"damage")
    filled.write("yak.md", "The yak.\n")
    (note,) = filled.ingest().notes
    assert "groundkit doctor --repair" in note
    assert filled.found("yak", mode="lexical") == ["yak.md"]
    assert filled.doctor(repair=True).healthy
    assert filled.faults() == {}
    assert len(in_slab(filled)) == len(TEXTS) + 1


def test_no_flipped_bit_of_the_vectors_goes_unseen_or_breaks_a_search(
    filled: Workspace,
) -> None:
    chance, truth = random.Random(7), in_slab(filled)
    folders = (slab_folder(filled), table_folder(filled))
    files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
    files = [path for path in files if path.parent.name != "_transactions"]
    for path in [*files] * 4:
        whole = path.read_bytes()
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        response = ask(filled, "hybrid")
        assert response.results[0].citation.source == "zebra.md"
        if VECTORS not in filled.faults():
            assert in_slab(filled) == in_table(filled) == truth
        path.write_bytes(whole)

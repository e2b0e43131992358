"""Every kind of damage is found; what is derived is mended and what is truth is never touched."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.analysis import Analyzer
from groundkit_core.errors import CollectionNotFoundError
from groundkit_index import IndexReader
from groundkit_index.layout import CURRENT
from groundkit_index.lexical.entry import entry_of
from groundkit_index.lexical.writer import LexicalWriter, create_lexical

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

CATALOG, LEXICAL, VERSIONS = "catalog", "lexical index", "versions"
TEXTS = {
    "a.md": "The zebra crosses at noon.\n",
    "b.md": "The giraffe eats at dawn.\n",
    "c.md": "The camel drinks at dusk.\n",
}


@pytest.fixture
def filled(space: Workspace) -> Workspace:
    space.write_all(TEXTS)
    space.ingest()
    return space


def sql(space: Workspace, *statements: str) -> None:
    with closing(sqlite3.connect(space.catalog)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def truth(space: Workspace) -> list[str]:
    """Return what the catalog holds, but for what it remembers of the derived indexes."""
    derived = ("outbox", "consumers", "sqlite_sequence")
    with closing(sqlite3.connect(space.catalog)) as connection:
        lines = list(connection.iterdump())
    return [line for line in lines if not any(f'"{name}"' in line for name in derived)]


def replace_bytes(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert data.count(old) >= 1
    path.write_bytes(data.replace(old, new))


def test_a_healthy_collection_passes_every_check(filled: Workspace) -> None:
    report = filled.doctor()
    assert report.healthy
    assert [(check.name, check.ok) for check in report.checks] == [
        (CATALOG, True),
        (LEXICAL, True),
        (VERSIONS, True),
    ]


@pytest.mark.parametrize("history", ["edit", "remove", "move", "rebuild", "empty"])
def test_a_collection_with_a_history_is_healthy(filled: Workspace, history: str) -> None:
    if history == "edit":
        filled.write("a.md", "The ibex.\n")
    elif history == "remove":
        (filled.folder / "a.md").unlink()
    elif history == "move":
        (filled.folder / "a.md").rename(filled.folder / "z.md")
    elif history == "rebuild":
        filled.rebuild()
    else:
        shutil.rmtree(filled.folder)
        filled.folder.mkdir()
    filled.ingest(allow_empty=True)
    assert filled.faults() == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"The zebra crosses", b"The zebra crossed"),  # the content of a chunk
        (b"a.md", b"x.md"),  # the source of a document
        (b"markdown", b"markdowm"),  # its kind
    ],
)
def test_changed_bytes_of_a_row_are_found(filled: Workspace, old: bytes, new: bytes) -> None:
    replace_bytes(filled.catalog, old, new)
    assert CATALOG in filled.faults()


@pytest.mark.parametrize(
    "statement",
    [
        "delete from chunks where chunk_key = 1",
        "delete from documents where doc_key = 1",
        "update chunks set content = 'The zebra waits at noon.' where chunk_key = 1",
        "update chunks set start = start + 1, end = end + 1 where chunk_key = 1",
        "update chunks set chunk_id = 'x' where chunk_key = 1",
        "update chunks set doc_key = 2 where chunk_key = 1",
        "update documents set sha256 = 'x' where doc_key = 1",
        "update documents set chunks = 7 where doc_key = 1",
        "update documents set root_key = 9 where doc_key = 1",
        "update documents set project = 'kite' where doc_key = 1",
        "update documents set source_class = 'config' where doc_key = 1",
        "update roots set name = 'other'",
        "update manifest set value = '\"00\"' where name = 'documents_digest'",
        "delete from manifest where name = 'documents_digest'",
    ],
)
def test_rows_that_do_not_agree_are_found(filled: Workspace, statement: str) -> None:
    sql(filled, statement)
    assert CATALOG in filled.faults()


@pytest.mark.parametrize(
    "statement",
    [
        "update manifest set value = '{' where name = 'settings'",
        "update manifest set value = '\"1r' where name = 'generation'",
        "delete from manifest where name = 'generation'",
        "update manifest set value = '1' where name = 'next_chunk_key'",
        "delete from consumers",
    ],
)
def test_a_damaged_manifest_is_found(filled: Workspace, statement: str) -> None:
    sql(filled, statement)
    assert CATALOG in filled.faults()


def test_a_damaged_digest_is_a_fault_and_not_an_exception(filled: Workspace) -> None:
    sql(filled, "update manifest set value = '\"' where name = 'documents_digest'")
    assert CATALOG in filled.faults()


def test_a_damaged_page_of_the_database_is_found(filled: Workspace) -> None:
    data = bytearray(filled.catalog.read_bytes())
    data[4096:4196] = b"\xff" * 100
    filled.catalog.write_bytes(data)
    assert CATALOG in filled.faults()


def test_a_catalog_that_is_gone_is_a_fault(filled: Workspace) -> None:
    filled.catalog.unlink()
    assert CATALOG in filled.faults()


def segment_files(space: Workspace) -> list[Path]:
    return sorted(p for p in space.lexical.iterdir() if p.suffix and not p.name.startswith("."))


@pytest.mark.parametrize("kind", ["fast", "fieldnorm", "idx", "pos", "store", "term"])
def test_a_flipped_byte_of_a_lexical_file_is_found_and_mended(filled: Workspace, kind: str) -> None:
    (path,) = filled.lexical.glob(f"*.{kind}")
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)
    assert list(filled.faults()) == [LEXICAL]
    repaired(filled)


def test_flipped_bytes_of_the_list_of_segments_are_found_and_mended(filled: Workspace) -> None:
    path = filled.lexical / "meta.json"
    path.write_text(path.read_text().replace('"body"', '"bodx"'))
    assert list(filled.faults()) == [LEXICAL]
    repaired(filled)


def repaired(space: Workspace) -> None:
    """Repair, and hold the result to all that a repair promises."""
    before = truth(space)
    report = space.doctor(repair=True)
    assert report.healthy
    assert [check.name for check in report.checks if check.repaired] == [LEXICAL]
    assert truth(space) == before
    assert space.found("zebra") == ["a.md"]
    assert space.found("giraffe") == ["b.md"]
    assert space.faults() == {}


Damage = Callable[[Path], None]


def _no_folder(folder: Path) -> None:
    shutil.rmtree(folder)


def _empty_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def _no_list(folder: Path) -> None:
    (folder / "meta.json").unlink()


def _no_terms(folder: Path) -> None:
    for path in folder.glob("*.term"):
        path.unlink()


def _cut_postings(folder: Path) -> None:
    for path in folder.glob("*.idx"):
        path.write_bytes(path.read_bytes()[:-20])


@pytest.mark.parametrize("damage", [_no_folder, _empty_folder, _no_list, _no_terms, _cut_postings])
def test_missing_lexical_files_are_found_and_mended(filled: Workspace, damage: Damage) -> None:
    damage(filled.lexical)
    assert LEXICAL in filled.faults()
    repaired(filled)


def test_what_a_killed_writer_left_beside_the_segments_is_no_fault(filled: Workspace) -> None:
    (filled.lexical / "0123456789abcdef0123456789abcdef.term").write_bytes(b"half of a segment")
    assert filled.faults() == {}


def lexical_writer(space: Workspace) -> LexicalWriter:
    return LexicalWriter(space.lexical, Analyzer())


def test_a_chunk_that_is_not_indexed_is_found_and_mended(filled: Workspace) -> None:
    writer = lexical_writer(filled)
    writer.delete([1])
    writer.commit()
    writer.close()
    assert filled.faults() == {LEXICAL: ("chunk 1 is not indexed",)}
    repaired(filled)


def test_a_key_that_the_catalog_lacks_is_found_and_mended(filled: Workspace) -> None:
    with IndexReader.open(filled.index) as reader:
        record = reader.chunks()[0]
    strange = type(record)(
        **{name: getattr(record, name) for name in record.__slots__} | {"chunk_key": 77}
    )
    writer = lexical_writer(filled)
    writer.add([entry_of(strange, Analyzer("english"))])
    writer.commit()
    writer.close()
    assert filled.faults() == {LEXICAL: ("chunk 77 is indexed but gone",)}
    repaired(filled)


def test_an_index_left_empty_by_a_crash_is_found(filled: Workspace) -> None:
    create_lexical(filled.lexical)
    assert len(filled.faults()[LEXICAL]) == 3
    repaired(filled)


def test_changes_that_wait_in_the_outbox_are_no_fault(filled: Workspace) -> None:
    from groundkit_index.catalog.writer import CatalogWriter

    catalog = CatalogWriter(filled.catalog)
    (root,) = catalog.roots()
    with catalog.batch():
        catalog.remove_document(catalog.known_documents(root)["a.md"])
    catalog.close()
    assert filled.open().status().pending == 1
    assert filled.faults() == {}


def test_an_orphan_version_is_found_and_removed(filled: Workspace) -> None:
    orphan = filled.paths.folder / "v000009"
    shutil.copytree(filled.paths.current().folder, orphan)
    assert filled.faults() == {VERSIONS: ("version v000009 is an orphan",)}
    report = filled.doctor(repair=True)
    assert report.healthy
    assert not orphan.exists()
    assert filled.found("zebra") == ["a.md"]


def test_an_old_version_that_a_reader_holds_is_no_fault(filled: Workspace) -> None:
    reader = IndexReader.open(filled.index)
    filled.rebuild()
    assert (filled.paths.folder / "v000001").exists()
    assert filled.faults() == {}
    assert filled.doctor(repair=True).healthy
    assert (filled.paths.folder / "v000001").exists()
    reader.close()


def test_what_an_interrupted_switch_left_is_found_and_removed(filled: Workspace) -> None:
    (filled.paths.folder / f"{CURRENT}.new").write_text("v0")
    assert list(filled.faults()) == [VERSIONS]
    assert filled.doctor(repair=True).healthy
    assert not (filled.paths.folder / f"{CURRENT}.new").exists()


def test_a_repair_of_a_healthy_collection_writes_nothing(filled: Workspace) -> None:
    before = {path: path.stat().st_mtime_ns for path in filled.index.rglob("*")}
    assert filled.doctor(repair=True).healthy
    assert {path: path.stat().st_mtime_ns for path in filled.index.rglob("*")} == before


def test_a_repair_leaves_a_damaged_catalog_as_it_is(filled: Workspace) -> None:
    replace_bytes(filled.catalog, b"The zebra crosses", b"The zebra crossed")
    before = filled.catalog.read_bytes()
    _no_list(filled.lexical)
    report = filled.doctor(repair=True)
    assert not report.healthy
    assert filled.catalog.read_bytes() == before


def test_a_repair_keeps_other_versions_when_the_live_catalog_is_damaged(filled: Workspace) -> None:
    other = filled.paths.folder / "v000009"
    shutil.copytree(filled.paths.current().folder, other)
    replace_bytes(filled.catalog, b"The zebra crosses", b"The zebra crossed")
    filled.doctor(repair=True)
    assert other.exists()


def test_a_rebuild_mends_a_damaged_row(filled: Workspace) -> None:
    before = filled.documents()
    replace_bytes(filled.catalog, b"The zebra crosses", b"The zebra crossed")
    filled.rebuild()
    assert filled.faults() == {}
    assert filled.documents() == before
    assert filled.found("zebra") == ["a.md"]


def test_an_unknown_collection_is_an_error(space: Workspace) -> None:
    with pytest.raises(CollectionNotFoundError):
        space.doctor()


def test_the_command_fails_on_a_fault_and_names_the_repair(filled: Workspace) -> None:
    _no_list(filled.lexical)
    found = filled.command("doctor", "--json")
    assert found.returncode == 1
    assert json.loads(found.stdout)["healthy"] is False
    assert "--repair" in found.stderr
    assert len(found.stderr.splitlines()) == 1

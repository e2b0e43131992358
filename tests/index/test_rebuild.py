"""A rebuild fills a version beside the serving one and switches to it, or changes nothing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.contracts import DoctorReport
from groundkit_core.errors import (
    CollectionNotFoundError,
    IncompatibleIndexError,
    RootMissingError,
    StorageError,
)
from groundkit_core.model import ChunkSettings
from groundkit_index import IndexReader
from groundkit_index.rebuild import rebuild
from groundkit_index.removal import remove

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

TEXTS = {"a.md": "The zebras cross.\n", "sub/b.md": "The giraffe.\n", "c.py": "camel = 1\n"}


@pytest.fixture
def filled(space: Workspace) -> Workspace:
    space.write_all(TEXTS)
    space.ingest()
    return space


def versions(space: Workspace) -> list[str]:
    return [version.name for version in space.paths.versions()]


def ids(space: Workspace) -> set[tuple[str, str, str]]:
    """Return (source, document id, chunk id) of every chunk."""
    return {
        (chunk.source, chunk.document_id, chunk.chunk_id)
        for chunks in space.chunks().values()
        for chunk in chunks
    }


def test_a_rebuild_makes_the_next_version_the_live_one(filled: Workspace) -> None:
    before = filled.open().status()
    report = filled.rebuild()
    after = filled.open().status()
    assert (before.version, after.version) == ("v000001", "v000002")
    assert after.generation == report.generation > before.generation
    assert after.documents_digest == before.documents_digest
    assert report.documents.added == 3
    assert filled.faults() == {}
    assert filled.verdicts() == {"verified": 3}


def test_a_rebuild_keeps_every_id(filled: Workspace) -> None:
    before = ids(filled)
    filled.rebuild()
    assert ids(filled) == before


def test_a_rebuild_keeps_the_ids_of_documents_that_moved(filled: Workspace) -> None:
    (filled.folder / "a.md").rename(filled.folder / "moved.md")
    filled.ingest()
    filled.write("a.md", "Another document stands here now.\n")
    filled.ingest()
    before = ids(filled)
    for _ in range(2):
        filled.rebuild()
        assert ids(filled) == before


def test_a_document_that_comes_later_takes_no_id_that_is_kept(filled: Workspace) -> None:
    """`a.md` moved to `z.md` and kept its id; a new `a.md` is only seen by the rebuild."""
    document = filled.documents()["a.md"]
    (filled.folder / "a.md").rename(filled.folder / "z.md")
    filled.ingest()
    filled.write("a.md", "Another document.\n")
    filled.rebuild()
    assert filled.documents()["z.md"] == document
    assert filled.documents()["a.md"] != document
    assert filled.faults() == {}


def test_a_rebuild_reflects_what_changed_on_the_disk(filled: Workspace) -> None:
    filled.write("a.md", "The ibex.\n")
    filled.write("new.md", "The lynx.\n")
    (filled.folder / "c.py").unlink()
    filled.rebuild()
    assert sorted(filled.documents()) == ["a.md", "new.md", "sub/b.md"]
    assert filled.found("zebra") == []
    assert filled.counts() == {"unchanged": 3}


def test_a_rebuild_keeps_parts_and_labels(filled: Workspace) -> None:
    filled.ingest(project="kite")
    filled.ingest(filled.folder / "sub", project="crew", source_class="memory")
    filled.rebuild()
    sources = {entry.source: entry for entry in filled.open().sources().sources}
    assert (sources["sub/b.md"].project, sources["sub/b.md"].source_class) == ("crew", "memory")
    assert sources["a.md"].project == "kite"
    filled.write("sub/new.md", "The lynx.\n")
    filled.ingest()
    assert filled.found("lynx", project="crew", source_class="memory") == ["sub/new.md"]


def test_a_rebuild_takes_only_the_parts_that_were_ingested(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(space.folder / "a.md")
    space.rebuild()
    assert list(space.documents()) == ["a.md"]


def test_a_rebuild_keeps_several_roots(filled: Workspace) -> None:
    other = filled.folder.parent / "other"
    other.mkdir()
    (other / "x.md").write_text("The yak.\n")
    filled.ingest(other)
    before = ids(filled)
    filled.rebuild()
    assert ids(filled) == before
    assert [root.name for root in filled.open().status().roots] == ["documents", "other"]


def test_a_rebuild_changes_the_language(filled: Workspace) -> None:
    assert filled.found("zebra") == ["a.md"]
    filled.rebuild(language="none")
    assert filled.found("zebra") == []
    assert filled.found("zebras") == ["a.md"]
    assert filled.open().status().settings["language"] == "none"
    assert filled.counts() == {"unchanged": 3}


def test_a_rebuild_changes_the_chunk_sizes_and_later_ones_keep_them(space: Workspace) -> None:
    space.write("a.md", "The zebra crosses at noon. " * 100)
    space.ingest()
    few = len(space.chunks()["a.md"])
    space.rebuild(chunking=ChunkSettings(100, 200, 0))
    many = len(space.chunks()["a.md"])
    assert many > 2 * few
    space.rebuild()
    assert len(space.chunks()["a.md"]) == many
    assert space.open().status().settings["chunk_target"] == 100


def test_other_chunk_sizes_at_ingest_name_the_rebuild_to_run(filled: Workspace) -> None:
    with pytest.raises(IncompatibleIndexError, match="groundkit rebuild --chunk-target 100"):
        filled.ingest(chunking=ChunkSettings(100, 2000, 0))
    assert filled.counts() == {"unchanged": 3}


def test_another_language_at_ingest_names_the_rebuild_to_run(filled: Workspace) -> None:
    with pytest.raises(IncompatibleIndexError, match="groundkit rebuild --language german"):
        filled.ingest(language="german")


def test_an_unreachable_root_is_refused_and_the_old_version_serves(filled: Workspace) -> None:
    away = filled.folder.parent / "away"
    filled.folder.rename(away)
    with pytest.raises(RootMissingError, match="3 documents"):
        filled.rebuild()
    assert versions(filled) == ["v000001"]
    assert filled.found("zebra") == ["a.md"]
    away.rename(filled.folder)
    filled.rebuild()
    assert versions(filled) == ["v000002"]


def test_an_unreachable_root_can_be_taken_out_first(filled: Workspace) -> None:
    other = filled.folder.parent / "other"
    other.mkdir()
    (other / "x.md").write_text("The yak.\n")
    filled.ingest(other)
    shutil.rmtree(other)
    remove(str(other), index_dir=filled.index)
    filled.rebuild()
    assert len(filled.documents()) == 3


def test_an_unreachable_part_is_refused_and_the_old_version_serves(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(space.folder / "sub/b.md")
    (space.folder / "sub/b.md").unlink()
    with pytest.raises(RootMissingError):
        space.rebuild()
    assert versions(space) == ["v000001"]
    assert list(space.documents()) == ["b.md"]


def test_strict_keeps_the_old_version_when_a_document_is_refused(filled: Workspace) -> None:
    filled.write("bad.md", b"a\0b")
    with pytest.raises(StorageError, match=r"bad\.md"):
        filled.rebuild(strict=True)
    assert versions(filled) == ["v000001"]
    assert filled.found("zebra") == ["a.md"]
    assert filled.faults() == {}
    report = filled.rebuild()
    assert report.documents.refused == 1
    assert versions(filled) == ["v000002"]
    (filled.folder / "bad.md").unlink()
    filled.rebuild(strict=True)
    assert versions(filled) == ["v000003"]


def test_the_old_version_goes_only_when_no_reader_holds_it(filled: Workspace) -> None:
    reader = IndexReader.open(filled.index)
    assert len(reader.chunks()) == 3
    filled.rebuild()
    assert versions(filled) == ["v000001", "v000002"]
    filled.ingest()
    assert versions(filled) == ["v000001", "v000002"]
    assert filled.faults() == {}
    assert len(reader.chunks()) == 3  # goes over to the new version and lets go of the old one
    filled.ingest()
    assert versions(filled) == ["v000002"]
    reader.close()


def test_a_running_query_finishes_on_the_old_version(filled: Workspace) -> None:
    with IndexReader.open(filled.index) as reader:

        def work(snapshot: object) -> tuple[str, int]:
            filled.rebuild()
            filled.rebuild()
            assert snapshot is not None
            return snapshot.version, len(list(snapshot.all_chunks()))  # type: ignore[attr-defined]

        assert reader.read(work) == ("v000001", 3)
        assert reader.read(lambda snapshot: snapshot.version) == "v000003"


def test_a_reader_that_was_killed_holds_nothing(filled: Workspace) -> None:
    code = (
        "import os, sys\nfrom groundkit_index import IndexReader\n"
        "IndexReader.open(sys.argv[1]).chunks()\nos._exit(9)\n"
    )
    assert subprocess.run([sys.executable, "-c", code, filled.index]).returncode == 9
    filled.rebuild()
    assert versions(filled) == ["v000002"]


CRASH = """
import os, sys
from groundkit_index import IngestOptions
from groundkit_index.rebuild import rebuild
seen = []
def progress(stage, done, total):
    seen.append(done)
    if len(seen) == int(sys.argv[2]):
        os._exit(9)
rebuild(index_dir=sys.argv[1], progress=progress)
"""


@pytest.mark.parametrize("step", [1, 3])
def test_a_crash_in_the_middle_leaves_the_old_version_serving(filled: Workspace, step: int) -> None:
    before = ids(filled)
    child = subprocess.run([sys.executable, "-c", CRASH, filled.index, str(step)])
    assert child.returncode == 9
    assert versions(filled) == ["v000001", "v000002"]
    assert filled.paths.current().name == "v000001"
    assert ids(filled) == before
    filled.ingest()
    assert versions(filled) == ["v000001"]
    assert filled.faults() == {}
    filled.rebuild()
    assert ids(filled) == before


def test_an_error_in_the_middle_leaves_nothing_behind(filled: Workspace) -> None:
    def progress(stage: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(index_dir=filled.index, progress=progress)
    assert versions(filled) == ["v000001"]
    assert filled.faults() == {}


def test_queries_are_answered_from_the_old_version_while_it_runs(filled: Workspace) -> None:
    collection = filled.open()
    answers: list[tuple[str, int]] = []

    def progress(stage: str, done: int, total: int) -> None:
        answers.append((collection.status().version, len(collection.search("zebra").results)))

    rebuild(index_dir=filled.index, progress=progress)
    assert answers
    assert set(answers) == {("v000001", 1)}


def test_the_doctor_finds_nothing_wrong_while_it_runs(filled: Workspace) -> None:
    reports: list[DoctorReport] = []

    def progress(stage: str, done: int, total: int) -> None:
        reports.append(filled.doctor())

    rebuild(index_dir=filled.index, progress=progress)
    assert reports
    assert all(report.healthy for report in reports)


def test_a_rebuild_of_an_empty_collection_is_empty(space: Workspace) -> None:
    space.ingest()
    report = space.rebuild()
    assert report.chunks == 0
    assert versions(space) == ["v000002"]


def test_a_collection_that_does_not_exist_is_not_made(space: Workspace) -> None:
    with pytest.raises(CollectionNotFoundError):
        space.rebuild()
    assert not space.index.exists()


def test_the_command_rebuilds_and_reports_as_json(filled: Workspace) -> None:
    result = filled.command("rebuild", "--json", "--language", "none")
    assert (result.returncode, result.stderr) == (0, "")
    assert '"added": 3' in result.stdout
    assert filled.open().status().settings["language"] == "none"


def test_what_was_left_at_the_next_place_is_not_taken_over(filled: Workspace) -> None:
    rest = filled.paths.folder / "v000002"
    rest.mkdir()
    (rest / "catalog.sqlite3").write_bytes(b"half of something")
    filled.rebuild()
    assert filled.found("zebra") == ["a.md"]
    assert filled.faults() == {}
    assert not Path(rest).exists()

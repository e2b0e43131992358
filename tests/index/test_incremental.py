"""An ingest does no more than what changed asks for."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_index import CollectionPaths, ingest

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

Opened = Callable[[Callable[[], object]], set[str]]
Settled = Callable[[], None]

TEXTS = {
    "guide.md": "# Guide\n\nThe zebra crosses at noon.\n",
    "notes/one.txt": "The giraffe eats at dawn.\n",
}


def test_new_files_are_added_and_found(space: Workspace) -> None:
    space.write_all(TEXTS)
    report = space.ingest()
    assert report.documents.model_dump() == {
        "added": 2,
        "updated": 0,
        "removed": 0,
        "unchanged": 0,
        "refused": 0,
        "moved": 0,
    }
    assert report.chunks == 2
    assert space.found("zebra") == ["guide.md"]
    assert space.found("giraffe") == ["notes/one.txt"]


def test_a_second_ingest_changes_nothing_not_even_the_generation(space: Workspace) -> None:
    space.write_all(TEXTS)
    first = space.ingest()
    second = space.ingest()
    assert (second.generation, second.chunks) == (first.generation, first.chunks)
    assert second.documents.unchanged == 2


def test_a_settled_file_is_not_opened_again(
    space: Workspace, settled: Settled, opened_files: Opened
) -> None:
    space.write_all(TEXTS)
    settled()
    assert {"guide.md", "one.txt"} <= opened_files(space.ingest)
    assert not {"guide.md", "one.txt"} & opened_files(space.ingest)


def test_checksum_reads_settled_files_anyway(
    space: Workspace, settled: Settled, opened_files: Opened
) -> None:
    space.write_all(TEXTS)
    settled()
    space.ingest()
    read = opened_files(lambda: space.ingest(checksum=True))
    assert {"guide.md", "one.txt"} <= read
    assert space.counts(checksum=True) == {"unchanged": 2}


def test_only_the_edited_file_is_read(
    space: Workspace, settled: Settled, opened_files: Opened
) -> None:
    space.write_all(TEXTS)
    settled()
    space.ingest()
    space.write("guide.md", "The zebra crosses at midnight.\n")
    read = opened_files(space.ingest)
    assert "guide.md" in read
    assert "one.txt" not in read
    assert [hit.content for hit in space.find("zebra")] == ["The zebra crosses at midnight."]


def test_an_edit_is_counted_as_updated_and_steps_the_generation(space: Workspace) -> None:
    space.write_all(TEXTS)
    before = space.ingest()
    space.write("guide.md", "The zebra sleeps.\n")
    after = space.ingest()
    assert (after.documents.updated, after.documents.unchanged) == (1, 1)
    assert after.generation == before.generation + 1


def test_a_touched_file_is_unchanged_and_then_not_read_again(
    space: Workspace, settled: Settled, opened_files: Opened
) -> None:
    path = space.write("guide.md", "The zebra crosses.\n")
    space.ingest()
    os.utime(path, ns=(1, time.time_ns() - 10**10))
    settled()
    assert space.counts() == {"unchanged": 1}
    assert "guide.md" not in opened_files(space.ingest)


def test_a_file_as_young_as_the_clocks_grain_is_read_again(
    space: Workspace, opened_files: Opened
) -> None:
    path = space.write("guide.md", "The zebra crosses.\n")
    soon = time.time_ns() + 10**10
    os.utime(path, ns=(soon, soon))
    space.ingest()
    assert "guide.md" in opened_files(space.ingest)
    assert space.counts() == {"unchanged": 1}


def test_an_edit_of_the_same_size_and_time_is_seen(space: Workspace, settled: Settled) -> None:
    path = space.write("guide.md", "The zebra crosses.\n")
    settled()
    space.ingest()
    before = path.stat()
    path.write_text("The camel crosses.\n")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert space.counts() == {"updated": 1}
    assert space.found("camel") == ["guide.md"]


def test_a_file_replaced_by_a_rename_is_seen(space: Workspace, settled: Settled) -> None:
    path = space.write("guide.md", "The zebra crosses.\n")
    settled()
    space.ingest()
    fresh = space.folder.parent / "fresh"
    fresh.write_text("The camel crosses.\n")
    os.utime(fresh, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    fresh.replace(path)
    assert space.counts() == {"updated": 1}
    assert space.found("zebra") == []


def test_a_deleted_file_leaves_the_index(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    (space.folder / "guide.md").unlink()
    assert space.counts() == {"removed": 1, "unchanged": 1}
    assert space.found("zebra") == []
    assert space.ingest().chunks == 1


def test_an_emptied_file_is_no_longer_found(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    space.write("guide.md", "")
    assert space.counts()["updated"] == 1
    assert space.found("zebra") == []
    assert "guide.md" in space.documents()


def test_each_batch_that_changed_something_steps_the_generation_once(space: Workspace) -> None:
    space.write_all(TEXTS)
    generations = [space.ingest().generation]
    for text in ("one", "two"):
        space.write("guide.md", text)
        generations.append(space.ingest().generation)
        generations.append(space.ingest().generation)
    start = generations[0]
    assert generations == [start, start + 1, start + 1, start + 2, start + 2]


def test_a_file_that_names_itself_like_a_folder_below_is_kept_apart(space: Workspace) -> None:
    space.write_all({"a.md/x.md": "inner zebra", "a.mdx": "outer zebra", "a.md.md": "third zebra"})
    space.ingest()
    space.counts(space.folder / "a.md")
    assert space.found("zebra") == ["a.md.md", "a.md/x.md", "a.mdx"]


def test_a_relative_index_dir_stays_where_it_was(space: Workspace, tmp_path: Path) -> None:
    space.write_all(TEXTS)
    here = Path.cwd()
    try:
        os.chdir(tmp_path)
        paths = CollectionPaths.of("relative", "default")
        ingest(space.folder, index_dir="relative")
    finally:
        os.chdir(here)
    assert paths.current().catalog == tmp_path / "relative/default/v000001/catalog.sqlite3"
    assert paths.current().catalog.is_file()

"""Documents and collections are taken out; the files stay."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.contracts import RemovalReport
from groundkit_core.errors import CollectionNotFoundError, NotFoundError
from groundkit_index import ingest, list_collections
from groundkit_index.removal import remove, remove_collection

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

TEXTS = {"top.md": "The zebra.\n", "sub/a.md": "The giraffe.\n", "sub/b.md": "The camel.\n"}


@pytest.fixture
def filled(space: Workspace) -> Workspace:
    space.write_all(TEXTS)
    space.ingest()
    return space


def take_out(space: Workspace, path: str | Path) -> RemovalReport:
    return remove(str(path), index_dir=space.index)


def test_a_document_is_removed_by_its_path(filled: Workspace) -> None:
    report = take_out(filled, filled.folder / "sub/a.md")
    assert (report.removed, report.chunks) == (1, 2)
    assert filled.found("giraffe") == []
    assert (filled.folder / "sub/a.md").is_file()
    assert filled.faults() == {}


def test_documents_are_removed_by_the_source_that_citations_name(filled: Workspace) -> None:
    assert take_out(filled, "sub").removed == 2
    assert list(filled.documents()) == ["top.md"]


def test_a_path_that_is_gone_from_the_disk_can_be_removed(filled: Workspace) -> None:
    shutil.rmtree(filled.folder)
    assert take_out(filled, filled.folder).removed == 3
    assert filled.documents() == {}
    assert filled.open().status().roots == ()


def test_a_name_that_is_only_a_beginning_removes_nothing(filled: Workspace) -> None:
    for path in ("su", "sub/a", filled.folder / "to", "top.m"):
        with pytest.raises(NotFoundError):
            take_out(filled, path)
    assert len(filled.documents()) == 3


def test_the_generation_steps_and_a_reader_sees_the_removal(filled: Workspace) -> None:
    collection = filled.open()
    before = collection.search("giraffe").metadata.generation
    report = take_out(filled, "sub/a.md")
    answer = collection.search("giraffe")
    assert answer.results == ()
    assert answer.metadata.generation == report.generation == before + 1


def test_removing_the_last_document_forgets_the_root(filled: Workspace) -> None:
    take_out(filled, filled.folder)
    assert filled.open().status().roots == ()
    assert filled.counts() == {"added": 3}


def test_a_removed_single_file_does_not_stop_a_rebuild(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(space.folder / "sub/a.md")
    space.ingest(space.folder / "sub/b.md")
    (space.folder / "sub/a.md").unlink()
    take_out(space, space.folder / "sub/a.md")
    space.rebuild()
    assert list(space.documents()) == ["b.md"]


def test_a_collection_that_does_not_exist_cannot_be_removed_from(filled: Workspace) -> None:
    with pytest.raises(CollectionNotFoundError, match="default"):
        remove("top.md", index_dir=filled.index, collection="other")
    with pytest.raises(CollectionNotFoundError):
        remove_collection("other", index_dir=filled.index)
    assert not (filled.index / "other").exists()


def test_a_whole_collection_is_removed_and_can_be_made_again(filled: Workspace) -> None:
    collection = filled.open()
    assert len(collection.search("zebra").results) == 1
    remove_collection("default", index_dir=filled.index)
    assert list_collections(filled.index).collections == ()
    assert not (filled.index / "default").exists()
    with pytest.raises(CollectionNotFoundError):
        collection.search("zebra")
    filled.ingest()
    assert len(collection.search("zebra").results) == 1


def test_removing_one_collection_leaves_the_others(filled: Workspace) -> None:
    ingest(filled.folder, index_dir=filled.index, collection="other")
    remove_collection("default", index_dir=filled.index)
    assert [c.name for c in list_collections(filled.index).collections] == ["other"]

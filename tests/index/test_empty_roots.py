"""A root that vanished or is suddenly empty deletes nothing."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import RootEmptyError, RootMissingError, SourceError

if TYPE_CHECKING:
    from tests.index.conftest import Workspace


@pytest.fixture
def filled(space: Workspace) -> Workspace:
    space.write_all({"a.md": "The zebra.\n", "sub/b.md": "The giraffe.\n"})
    space.ingest()
    return space


def empty(space: Workspace) -> None:
    for entry in space.folder.iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def test_an_emptied_root_is_an_error_and_keeps_its_documents(filled: Workspace) -> None:
    empty(filled)
    with pytest.raises(RootEmptyError, match="--allow-empty"):
        filled.ingest()
    assert sorted(filled.documents()) == ["a.md", "sub/b.md"]
    assert filled.faults() == {}


def test_allow_empty_removes_the_documents(filled: Workspace) -> None:
    empty(filled)
    assert filled.counts(allow_empty=True) == {"removed": 2}
    assert filled.documents() == {}
    assert filled.found("zebra") == []


def test_a_vanished_root_is_an_error_and_keeps_its_documents(filled: Workspace) -> None:
    shutil.rmtree(filled.folder)
    for allow_empty in (False, True):
        with pytest.raises(RootMissingError):
            filled.ingest(allow_empty=allow_empty)
    assert sorted(filled.documents()) == ["a.md", "sub/b.md"]


def test_an_emptied_part_of_a_root_keeps_its_documents(filled: Workspace) -> None:
    (filled.folder / "sub/b.md").unlink()
    with pytest.raises(RootEmptyError):
        filled.ingest(filled.folder / "sub")
    assert sorted(filled.documents()) == ["a.md", "sub/b.md"]


def test_a_root_with_only_other_files_left_keeps_its_documents(filled: Workspace) -> None:
    empty(filled)
    (filled.folder / "lost+found").mkdir()
    (filled.folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(RootEmptyError):
        filled.ingest()
    assert len(filled.documents()) == 2


def test_an_empty_folder_can_be_ingested_and_found_empty(space: Workspace) -> None:
    assert space.counts() == {}
    assert space.documents() == {}
    assert space.found("zebra") == []


def test_a_path_that_does_not_exist_creates_no_index(space: Workspace) -> None:
    with pytest.raises(RootMissingError):
        space.ingest(space.folder / "nothing")
    assert not space.index.exists()


def test_the_index_itself_is_not_ingested(filled: Workspace) -> None:
    with pytest.raises(SourceError, match="inside the index"):
        filled.ingest(filled.index / "default")


def test_an_index_inside_the_documents_is_passed_over(filled: Workspace) -> None:
    filled.index.rename(filled.folder / ".groundkit")
    filled.index = filled.folder / ".groundkit"
    assert filled.counts() == {"unchanged": 2}


def test_a_rebuild_of_an_emptied_root_keeps_the_old_version(filled: Workspace) -> None:
    empty(filled)
    with pytest.raises(RootEmptyError):
        filled.rebuild()
    assert sorted(filled.documents()) == ["a.md", "sub/b.md"]

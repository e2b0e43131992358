"""Damage to what names the live version is told, and never costs another version."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import (
    CollectionNotFoundError,
    CorruptIndexError,
    GroundkitError,
    RequestError,
)
from groundkit_index import CollectionPaths, IndexReader, ingest
from groundkit_index.layout import CURRENT
from groundkit_index.versions import create_version, fixed_settings

if TYPE_CHECKING:
    from tests.index.conftest import Workspace


@pytest.fixture
def filled(space: Workspace) -> Workspace:
    space.write_all({"a.md": "The zebra.\n"})
    space.ingest()
    return space


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"v1\n", b"../v000001\n", b"v000001/../x\n", b"\xff\xfe", b"x" * 5000]
)
def test_a_damaged_current_file_is_refused_by_readers_and_writers(
    filled: Workspace, content: bytes
) -> None:
    current = filled.paths.folder / CURRENT
    current.write_bytes(content)
    with pytest.raises(CorruptIndexError, match="CURRENT"):
        filled.open()
    with pytest.raises(CorruptIndexError, match="CURRENT"):
        filled.ingest()
    assert current.read_bytes() == content
    current.write_text("v000001\n")
    assert filled.found("zebra") == ["a.md"]


def test_a_current_that_is_a_folder_is_refused(filled: Workspace) -> None:
    (filled.paths.folder / CURRENT).unlink()
    (filled.paths.folder / CURRENT).mkdir()
    with pytest.raises(CorruptIndexError):
        IndexReader(filled.paths)


def test_a_current_that_names_no_version_is_refused_by_a_reader(filled: Workspace) -> None:
    (filled.paths.folder / CURRENT).write_text("v000003\n")
    with pytest.raises(CorruptIndexError, match="v000003"):
        filled.open()


@pytest.mark.parametrize("writer", ["ingest", "doctor"])
def test_a_current_that_names_no_version_costs_no_other_version(
    filled: Workspace, writer: str
) -> None:
    current = filled.paths.folder / CURRENT
    current.write_text("v000003\n")
    with pytest.raises(GroundkitError):
        filled.ingest()
    if writer == "doctor":
        assert not filled.doctor(repair=True).healthy
    current.write_text("v000001\n")
    assert filled.found("zebra") == ["a.md"]


def test_a_version_without_its_folder_is_refused_by_a_writer(filled: Workspace) -> None:
    shutil.rmtree(filled.paths.current().folder)
    with pytest.raises(CorruptIndexError):
        filled.ingest()


def test_a_version_without_its_catalog_is_refused_and_none_is_made(filled: Workspace) -> None:
    filled.catalog.unlink()
    with pytest.raises(CorruptIndexError):
        filled.open()
    with pytest.raises(CorruptIndexError):
        filled.ingest()
    assert not filled.catalog.exists()


def test_a_collection_whose_making_was_interrupted_is_empty_and_not_damaged(
    space: Workspace,
) -> None:
    space.paths.folder.mkdir(parents=True)
    version = space.paths.next_version()
    create_version(version, fixed_settings(None, None))
    space.paths.set_current(version)
    assert space.found("zebra") == []


def test_what_an_interrupted_making_left_does_not_stop_the_next_one(space: Workspace) -> None:
    space.paths.folder.mkdir(parents=True)
    create_version(space.paths.next_version(), fixed_settings(None, None))
    (space.paths.folder / f"{CURRENT}.new").write_text("v0")
    with pytest.raises(CollectionNotFoundError):
        space.open()
    space.write("a.md", "The zebra.\n")
    space.ingest()
    assert space.found("zebra") == ["a.md"]
    assert [version.name for version in space.paths.versions()] == ["v000002"]
    assert space.faults() == {}


def test_what_an_interrupted_switch_left_is_gone_after_the_next_ingest(filled: Workspace) -> None:
    (filled.paths.folder / f"{CURRENT}.new").write_text("v000002\n")
    filled.ingest()
    assert filled.faults() == {}


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "a/b", ".hidden", "-x", "a b", "x" * 101, "a\0b", "e\u0301"]
)
def test_a_collection_name_that_could_be_a_path_is_refused(space: Workspace, name: str) -> None:
    with pytest.raises(RequestError):
        CollectionPaths.of(space.index, name)
    with pytest.raises(RequestError):
        ingest(space.folder, index_dir=space.index, collection=name)
    assert not space.index.exists()


def test_a_fresh_index_dir_is_private_and_ignored_by_git(filled: Workspace) -> None:
    assert filled.index.stat().st_mode & 0o077 == 0
    assert (filled.index / ".gitignore").read_text() == "*\n"


def test_an_index_dir_that_is_a_file_is_an_error_that_keeps_it(space: Workspace) -> None:
    space.index.write_text("precious")
    space.write("a.md", "The zebra.\n")
    result = space.command("ingest", space.folder)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("groundkit: ")
    assert len(result.stderr.splitlines()) == 1
    assert space.index.read_text() == "precious"

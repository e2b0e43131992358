"""The inventory of an index directory."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import CollectionNotFoundError
from groundkit_index import ingest, list_collections
from groundkit_retrieval import Collection

if TYPE_CHECKING:
    from tests.index.conftest import Workspace


@pytest.fixture
def three(space: Workspace) -> Workspace:
    space.write_all({"a.md": "The zebra.\n", "b.md": "The giraffe.\n"})
    for name in ("beta", "alpha", "default"):
        ingest(space.folder, index_dir=space.index, collection=name)
    return space


def names(space: Workspace) -> list[str]:
    return [entry.name for entry in list_collections(space.index).collections]


def test_collections_are_listed_by_name_with_their_counts(three: Workspace) -> None:
    entries = list_collections(three.index).collections
    assert [entry.name for entry in entries] == ["alpha", "beta", "default"]
    assert {(entry.documents, entry.chunks) for entry in entries} == {(2, 2)}
    assert all(entry.generation > 0 for entry in entries)


def test_no_index_dir_has_no_collections_and_none_is_made(space: Workspace) -> None:
    assert list_collections(space.index).collections == ()
    assert not space.index.exists()


def test_other_folders_and_files_are_not_collections(three: Workspace) -> None:
    (three.index / "empty").mkdir()
    (three.index / "file").write_text("x")
    (three.index / "link").symlink_to(three.index / "nothing")
    assert names(three) == ["alpha", "beta", "default"]


def test_opening_an_unknown_collection_names_the_others_and_makes_nothing(
    three: Workspace,
) -> None:
    before = sorted(three.index.iterdir())
    with pytest.raises(CollectionNotFoundError, match="alpha, beta, default"):
        Collection.open("defualt", index_dir=three.index)
    assert sorted(three.index.iterdir()) == before


def test_a_collection_that_cannot_be_opened_does_not_hide_the_others(three: Workspace) -> None:
    (three.index / "beta/v000001/catalog.sqlite3").write_bytes(b"x" * 5000)
    (three.index / "alpha/CURRENT").write_text("?")
    assert names(three) == ["default"]


@pytest.mark.parametrize("value", ['"1r', "", "x"])
def test_a_collection_whose_manifest_is_damaged_does_not_hide_the_others(
    three: Workspace, value: str
) -> None:
    with closing(sqlite3.connect(three.index / "beta/v000001/catalog.sqlite3")) as connection:
        connection.execute("update manifest set value=? where name='generation'", (value,))
        connection.commit()
    assert names(three) == ["alpha", "default"]


def test_a_folder_with_a_name_of_no_collection_does_not_hide_the_others(three: Workspace) -> None:
    (three.index / "my notes").mkdir()
    (three.index / "my notes/CURRENT").write_text("v000001\n")
    assert names(three) == ["alpha", "beta", "default"]
    with pytest.raises(CollectionNotFoundError) as caught:
        Collection.open("other", index_dir=three.index)
    assert caught.value.existing == ("alpha", "beta", "default")

"""A file that moved keeps its ids, and no twin takes another's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

TEXT = "# Guide\n\nThe zebra crosses at noon.\n"


def test_a_moved_file_keeps_its_document_and_chunk_ids(space: Workspace) -> None:
    space.write("guide.md", TEXT)
    space.ingest()
    document, chunks = space.documents()["guide.md"], space.chunks()["guide.md"]
    (space.folder / "new").mkdir()
    (space.folder / "guide.md").rename(space.folder / "new/handbook.md")
    assert space.counts() == {"moved": 1}
    assert space.documents() == {"new/handbook.md": document}
    moved = space.chunks()["new/handbook.md"]
    assert [chunk.chunk_id for chunk in moved] == [chunk.chunk_id for chunk in chunks]
    assert [hit.citation.source for hit in space.find("zebra")] == ["new/handbook.md"]
    assert space.verdicts() == {"verified": 1}


def test_the_new_path_is_searchable_and_the_old_one_is_not(space: Workspace) -> None:
    space.write("giraffe.md", TEXT)
    space.ingest()
    assert space.found("giraffe") == ["giraffe.md"]
    (space.folder / "giraffe.md").rename(space.folder / "camel.md")
    space.ingest()
    assert space.found("giraffe") == []
    assert space.found("camel") == ["camel.md"]


def test_a_renamed_folder_is_moved_without_a_document_changed(space: Workspace) -> None:
    space.write_all({f"old/{n}.md": f"The zebra number{n}.\n" for n in range(5)})
    space.ingest()
    before = space.documents()
    (space.folder / "old").rename(space.folder / "new")
    assert space.counts() == {"moved": 5}
    assert space.documents() == {k.replace("old", "new"): v for k, v in before.items()}


def test_equal_files_of_a_renamed_folder_each_keep_their_own_id(space: Workspace) -> None:
    space.write_all({"old/a.md": TEXT, "old/b.md": TEXT})
    space.ingest()
    before = space.documents()
    (space.folder / "old").rename(space.folder / "new")
    space.ingest()
    assert space.documents() == {k.replace("old", "new"): v for k, v in before.items()}


def test_a_new_file_at_the_place_of_one_that_moved_gets_an_id_of_its_own(
    space: Workspace,
) -> None:
    space.write("guide.md", TEXT)
    space.ingest()
    document = space.documents()["guide.md"]
    (space.folder / "guide.md").rename(space.folder / "old.md")
    space.ingest()
    space.write("guide.md", "The giraffe eats.\n")
    assert space.counts() == {"added": 1, "unchanged": 1}
    assert space.documents()["old.md"] == document
    assert space.documents()["guide.md"] != document
    assert space.found("zebra") == ["old.md"]


def test_a_file_that_moved_while_a_new_one_took_its_place_keeps_its_ids(space: Workspace) -> None:
    space.write("guide.md", TEXT)
    space.ingest()
    (hit,) = space.find("zebra")
    (space.folder / "guide.md").rename(space.folder / "old.md")
    space.write("guide.md", "The giraffe eats.\n")
    space.ingest()
    assert [h.citation.source for h in space.find("zebra")] == ["old.md"]
    assert space.find("zebra")[0].chunk_id == hit.chunk_id


def test_two_files_that_swap_their_names_swap_their_contents(space: Workspace) -> None:
    space.write_all({"a.md": "The zebra.\n", "b.md": "The giraffe.\n"})
    space.ingest()
    (space.folder / "a.md").rename(space.folder / "c.md")
    (space.folder / "b.md").rename(space.folder / "a.md")
    (space.folder / "c.md").rename(space.folder / "b.md")
    space.ingest()
    assert space.contents() == {"a.md": ["The giraffe."], "b.md": ["The zebra."]}
    assert space.found("zebra") == ["b.md"]
    assert space.verdicts() == {"verified": 2}
    assert space.faults() == {}


def test_a_chain_of_renames_leaves_each_content_where_it_is(space: Workspace) -> None:
    space.write_all({"a.md": "The zebra.\n", "b.md": "The giraffe.\n"})
    space.ingest()
    (space.folder / "b.md").rename(space.folder / "c.md")
    (space.folder / "a.md").rename(space.folder / "b.md")
    space.ingest()
    assert space.contents() == {"b.md": ["The zebra."], "c.md": ["The giraffe."]}
    assert space.verdicts() == {"verified": 2}
    assert space.faults() == {}


def test_a_copy_is_a_new_document_and_the_original_stays(space: Workspace) -> None:
    space.write("a.md", TEXT)
    space.ingest()
    document = space.documents()["a.md"]
    space.write("b.md", TEXT)
    assert space.counts() == {"added": 1, "unchanged": 1}
    assert space.documents()["a.md"] == document


def test_a_file_that_was_copied_and_then_deleted_is_removed(space: Workspace) -> None:
    space.write_all({"a.md": TEXT, "b.md": TEXT})
    space.ingest()
    (space.folder / "a.md").unlink()
    assert space.counts() == {"removed": 1, "unchanged": 1}
    assert list(space.documents()) == ["b.md"]


def test_a_move_to_a_name_of_another_kind_is_read_anew(space: Workspace) -> None:
    space.write("notes.md", "# Guide\n\nThe zebra crosses.\n")
    space.ingest()
    document = space.documents()["notes.md"]
    (space.folder / "notes.md").rename(space.folder / "notes.txt")
    assert space.counts() == {"moved": 1}
    assert space.documents() == {"notes.txt": document}
    assert space.chunks()["notes.txt"][0].heading_path == ()
    assert space.verdicts() == {"verified": len(space.chunks()["notes.txt"])}


def test_a_file_that_moved_and_was_edited_is_found_at_its_new_place_only(space: Workspace) -> None:
    space.write("a.md", TEXT)
    space.ingest()
    (space.folder / "a.md").rename(space.folder / "b.md")
    space.write("b.md", TEXT + "\nIt rests at dusk.\n")
    assert space.counts() == {"added": 1, "removed": 1}
    assert space.found("zebra") == ["b.md"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Guide.md", "guide.md"),
        ("a b.md", "a_b.md"),
        ("a b.md", "a-b.md"),
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("a.md", "a .md"),
        ("dir/x.md", "Dir/x.md"),
    ],
)
def test_twins_of_a_name_are_documents_of_their_own(
    space: Workspace, first: str, second: str
) -> None:
    space.write_all({first: "The zebra.\n", second: "The giraffe.\n"})
    if len([p for p in space.folder.rglob("*") if p.is_file()]) < 2:
        pytest.skip("this file system takes the two names for one")
    assert space.counts() == {"added": 2}
    assert space.found("zebra") == [first]
    assert space.found("giraffe") == [second]
    (space.folder / first).unlink()
    assert space.counts() == {"removed": 1, "unchanged": 1}
    assert list(space.documents()) == [second]
    assert space.found("zebra") == []


def test_a_rename_to_a_case_twin_is_a_move(space: Workspace) -> None:
    space.write("Guide.md", TEXT)
    space.ingest()
    document = space.documents()["Guide.md"]
    (space.folder / "Guide.md").rename(space.folder / "guide.md")
    assert space.counts() == {"moved": 1}
    assert space.documents() == {"guide.md": document}


def test_names_that_sql_or_a_shell_would_read_are_only_names(space: Workspace) -> None:
    names = ["'); DROP TABLE documents;--.md", "50%_off.md", "[a-z]*.md", "$(id).md", '"q".md']
    space.write_all({name: f"The zebra {number}.\n" for number, name in enumerate(names)})
    assert space.counts() == {"added": len(names)}
    assert space.found("zebra") == sorted(names)
    (space.folder / names[1]).unlink()
    assert space.counts() == {"removed": 1, "unchanged": len(names) - 1}
    assert space.faults() == {}

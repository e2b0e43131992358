"""Folders, parts of folders and single files find their root."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

TEXTS = {
    "top.md": "The zebra.\n",
    "guides/one.md": "The giraffe.\n",
    "guides/two.md": "The camel.\n",
    "notes/three.md": "The yak.\n",
}


def roots(space: Workspace) -> dict[str, int]:
    """Return root name -> number of documents."""
    return {root.name: root.documents for root in space.open().status().roots}


def test_a_folder_below_a_root_is_a_part_of_it(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    space.write("guides/four.md", "The ibex.\n")
    space.write("notes/five.md", "The lynx.\n")
    assert space.counts(space.folder / "guides") == {"added": 1, "unchanged": 2}
    assert roots(space) == {"documents": 5}
    assert "notes/five.md" not in space.documents()


def test_a_part_that_lost_a_file_removes_only_that_one(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    (space.folder / "guides/one.md").unlink()
    (space.folder / "top.md").unlink()
    assert space.counts(space.folder / "guides") == {"removed": 1, "unchanged": 1}
    assert sorted(space.documents()) == ["guides/two.md", "notes/three.md", "top.md"]


def test_a_folder_above_takes_over_and_every_id_stays(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(space.folder / "guides")
    space.ingest(space.folder / "notes")
    assert roots(space) == {"guides": 2, "notes": 1}
    before = space.documents()
    (hit,) = space.find("giraffe")
    report = space.ingest()
    assert (report.documents.added, report.documents.unchanged) == (1, 3)
    assert len(report.notes) == 2
    assert roots(space) == {"documents": 4}
    after = space.documents()
    assert after["guides/one.md"] == before["one.md"]
    assert after["notes/three.md"] == before["three.md"]
    (again,) = space.find("giraffe")
    assert (again.chunk_id, again.citation.source) == (hit.chunk_id, "guides/one.md")
    assert again.citation.verification == "verified"
    assert space.faults() == {}


def test_a_moved_root_is_found_again_and_every_id_stays(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    before = space.documents()
    elsewhere = space.folder.parent / "elsewhere"
    space.folder.rename(elsewhere)
    report = space.ingest(elsewhere)
    assert report.notes == ("root 'documents' has moved",)
    assert report.documents.added == report.documents.removed == 0
    assert space.documents() == before
    assert roots(space) == {"documents": 4}
    assert space.verdicts() == {"verified": 4}


def test_a_moved_root_with_changes_reflects_them(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    before = space.documents()
    elsewhere = space.folder.parent / "elsewhere"
    space.folder.rename(elsewhere)
    (elsewhere / "top.md").unlink()
    (elsewhere / "guides/new.md").write_text("The ibex.\n")
    report = space.ingest(elsewhere)
    assert (report.documents.added, report.documents.removed) == (1, 1)
    assert space.documents()["guides/one.md"] == before["guides/one.md"]


def test_another_folder_is_another_root_while_the_first_is_there(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    copy = space.folder.parent / "copy" / "documents"
    shutil.copytree(space.folder, copy)
    report = space.ingest(copy)
    assert report.documents.added == 4
    assert roots(space) == {"documents": 4, "documents-2": 4}
    assert len(set(space.documents().values())) == 4
    assert space.open().status().documents == 8


def test_a_different_folder_is_not_taken_for_a_root_that_is_gone(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    space.folder.rename(space.folder.parent / "away")
    other = space.folder.parent / "other"
    other.mkdir()
    (other / "top.md").write_text("Something else altogether.\n")
    report = space.ingest(other)
    assert (report.documents.added, report.documents.removed) == (1, 0)
    assert roots(space) == {"documents": 4, "other": 1}


def test_a_single_file_is_ingested_alone(space: Workspace) -> None:
    space.write_all(TEXTS)
    assert space.counts(space.folder / "guides/one.md") == {"added": 1}
    assert list(space.documents()) == ["one.md"]
    assert space.counts(space.folder / "guides/one.md") == {"unchanged": 1}


def test_a_second_single_file_leaves_the_first_alone(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest(space.folder / "guides/one.md")
    (space.folder / "guides/one.md").unlink()
    assert space.counts(space.folder / "guides/two.md") == {"added": 1}
    assert sorted(space.documents()) == ["one.md", "two.md"]


def test_a_single_file_below_a_root_is_a_part_of_it(space: Workspace) -> None:
    space.write_all(TEXTS)
    space.ingest()
    space.write("guides/one.md", "The ibex.\n")
    space.write("guides/two.md", "The lynx.\n")
    assert space.counts(space.folder / "guides/one.md") == {"updated": 1}
    assert space.found("ibex") == ["guides/one.md"]
    assert space.found("camel") == ["guides/two.md"]


def test_a_folder_named_through_a_link_is_the_folder(space: Workspace) -> None:
    space.write_all(TEXTS)
    link = space.folder.parent / "link"
    link.symlink_to(space.folder)
    space.ingest()
    assert space.counts(link) == {"unchanged": 4}
    assert roots(space) == {"documents": 4}


def test_a_hidden_folder_that_was_named_stays_when_its_parent_is_ingested(
    space: Workspace,
) -> None:
    space.write_all({"top.md": "The zebra.\n", ".journal/day.md": "The giraffe.\n"})
    space.ingest(space.folder / ".journal")
    space.ingest()
    assert space.found("giraffe") == [".journal/day.md"]

"""A process that ends at any point leaves an index that serves, and the next writer heals it."""

from __future__ import annotations

import shutil
from threading import Event
from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import CollectionNotFoundError
from groundkit_index import IndexReader, ingest
from groundkit_index.catalog.schema import LEXICAL
from groundkit_index.catalog.writer import CatalogWriter

if TYPE_CHECKING:
    from tests.index.conftest import Crash, Workspace

OLD = {"a.md": "The zebra.", "b.md": "The giraffe.", "c.md": "The camel."}
NEW = {"a.md": "The ibex.", "c.md": "The camel.", "moved.md": "The giraffe."}


@pytest.fixture
def changed(space: Workspace) -> Workspace:
    """An index of the old texts, and a folder with the new ones."""
    space.write_all(OLD)
    space.ingest()
    space.write("a.md", NEW["a.md"])
    (space.folder / "b.md").rename(space.folder / "moved.md")
    return space


def served(space: Workspace) -> dict[str, str]:
    """Return source -> content of what the catalog holds, and hold the search to it."""
    contents = {source: parts[0] for source, parts in space.contents().items()}
    for animal in ("zebra", "giraffe", "camel", "ibex"):
        for hit in space.find(animal):
            assert contents[hit.citation.source] == hit.content
    return contents


def check_healed(space: Workspace, texts: dict[str, str]) -> None:
    assert served(space) == texts
    for source, text in texts.items():
        assert space.found(text.split()[-1]) == [source]
    assert space.open().status().pending == 0
    assert space.verdicts() == {"verified": len(texts)}
    assert space.faults() == {}


@pytest.mark.parametrize(
    ("point", "after"),
    [
        ("opening the lexical index", OLD),
        ("writing the first document", OLD),
        ("committing the catalog", OLD),
        ("committing the lexical index", NEW),
        ("acknowledging", NEW),
        ("closing the catalog", NEW),
    ],
)
def test_a_crash_during_an_ingest_is_healed_by_the_next_one(
    changed: Workspace, crash: Crash, point: str, after: dict[str, str]
) -> None:
    assert crash(changed, point, "ingest") == 9
    assert served(changed) == after
    changed.ingest()
    check_healed(changed, NEW)


@pytest.mark.parametrize(
    "point",
    [
        "making the version",
        "opening the lexical index",
        "writing the first document",
        "committing the lexical index",
        "acknowledging",
    ],
)
def test_a_crash_during_the_first_ingest_is_healed_by_the_next_one(
    space: Workspace, crash: Crash, point: str
) -> None:
    space.write_all(OLD)
    assert crash(space, point, "ingest") == 9
    if point in ("making the version", "opening the lexical index"):
        with pytest.raises(CollectionNotFoundError):
            space.open()
    else:
        assert served(space) in ({}, OLD)
    space.ingest()
    check_healed(space, OLD)


@pytest.mark.parametrize(
    "point",
    [
        "offering all chunks",
        "committing the lexical index",
        "acknowledging",
    ],
)
def test_a_crash_while_the_lexical_index_is_made_again_is_healed(
    space: Workspace, crash: Crash, point: str
) -> None:
    space.write_all(OLD)
    space.ingest()
    shutil.rmtree(space.lexical)
    assert crash(space, point, "ingest") == 9
    space.ingest()
    check_healed(space, OLD)


@pytest.mark.parametrize(
    ("point", "version"),
    [
        ("writing the first document", "v000001"),
        ("committing the lexical index", "v000001"),
        ("making the version", "v000001"),
        ("dropping the old version", "v000002"),
    ],
)
def test_a_crash_during_a_rebuild_leaves_one_whole_version_serving(
    changed: Workspace, crash: Crash, point: str, version: str
) -> None:
    assert crash(changed, point, "rebuild") == 9
    assert changed.paths.current().name == version
    assert served(changed) == (OLD if version == "v000001" else NEW)
    changed.ingest()
    check_healed(changed, NEW)
    assert [live.name for live in changed.paths.versions()] == [version]


def test_a_crash_within_the_lexical_commit_is_healed_by_the_next_ingest(
    changed: Workspace, crash: Crash
) -> None:
    """The new files are there, but the list of segments is still the old one."""
    segments = changed.lexical / "meta.json"
    before = segments.read_bytes()
    assert crash(changed, "acknowledging", "ingest") == 9
    segments.write_bytes(before)
    assert list(changed.lexical.glob("*.del"))
    changed.ingest()
    check_healed(changed, NEW)


def test_a_reader_that_stayed_open_lives_through_a_crash(changed: Workspace, crash: Crash) -> None:
    with IndexReader.open(changed.index) as reader:
        before = len(reader.chunks())
        assert crash(changed, "committing the lexical index", "ingest") == 9
        assert {chunk.content for chunk in reader.chunks()} == set(NEW.values())
        changed.ingest()
        assert {chunk.content for chunk in reader.chunks()} == set(NEW.values())
        assert before == len(OLD)


def test_a_removal_that_crashed_is_not_served_and_then_drained(
    space: Workspace, crash: Crash
) -> None:
    space.write_all(OLD)
    space.ingest()
    (space.folder / "a.md").unlink()
    assert crash(space, "committing the lexical index", "ingest") == 9
    assert space.found("zebra") == []
    assert space.open().status().pending > 0
    space.ingest()
    assert space.open().status().pending == 0
    assert space.faults() == {}


def test_several_crashes_in_a_row_are_healed_together(changed: Workspace, crash: Crash) -> None:
    for point in ("committing the lexical index", "acknowledging", "closing the catalog"):
        changed.write("d.md", f"The yak of {point}.")
        assert crash(changed, point, "ingest") == 9
    changed.write("d.md", "The yak.")
    changed.ingest()
    check_healed(changed, NEW | {"d.md": "The yak."})


def test_taking_up_a_change_twice_is_harmless(changed: Workspace) -> None:
    changed.ingest()
    catalog = CatalogWriter(changed.catalog)
    catalog.outbox.offer_all(LEXICAL)
    catalog.close()
    changed.ingest()
    check_healed(changed, NEW)
    assert len(changed.find("camel")) == 1


def test_a_run_that_is_told_to_stop_keeps_what_it_wrote_and_removes_nothing(
    space: Workspace,
) -> None:
    space.write("gone.md", "The zebra.")
    space.ingest()
    (space.folder / "gone.md").unlink()
    for number in range(20):
        space.write(f"{number:02}.md", f"The camel {number}.")
    stop = Event()

    def progress(stage: str, done: int, total: int) -> None:
        if done == 5:
            stop.set()

    report = ingest(space.folder, index_dir=space.index, progress=progress, stop=stop)
    assert report.interrupted
    assert report.documents.removed == 0
    assert 1 <= report.documents.added <= 6
    assert len(space.documents()) == 1 + report.documents.added
    assert space.faults() == {}
    rest = space.ingest()
    assert not rest.interrupted
    assert rest.documents.added == 20 - report.documents.added
    assert rest.documents.removed == 1

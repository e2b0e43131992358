"""Reading creates nothing, sees one state at a time, and takes up new ones by itself."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.errors import CollectionNotFoundError
from groundkit_index import IndexReader
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.reader import _OpenVersion
from groundkit_index.snapshot import Snapshot
from groundkit_index.versions import writing

if TYPE_CHECKING:
    from tests.index.conftest import Crash, Workspace

DOCUMENTS = 12


@pytest.fixture
def filled(space: Workspace) -> Workspace:
    for number in range(DOCUMENTS):
        space.write(f"{number:02}.md", f"The zebra number{number} crosses.\n")
    space.ingest()
    return space


@pytest.fixture
def reader(filled: Workspace) -> Iterator[IndexReader]:
    with IndexReader.open(filled.index) as opened:
        yield opened


Entry = tuple[int, int, int, int, int]


def listing(folder: Path) -> dict[str, Entry]:
    """Return what `lstat` says of everything below a folder, but for the times of access."""
    found = {}
    for path in [folder, *folder.rglob("*")]:
        status = path.lstat()
        found[str(path)] = (
            status.st_ino,
            status.st_mode,
            status.st_size,
            status.st_mtime_ns,
            status.st_ctime_ns,
        )
    return found


def read_everything(space: Workspace) -> None:
    with space.open() as collection:
        hit = collection.search("zebra").results[0]
        collection.fetch(hit.chunk_id, context=2)
        collection.verify()
        collection.sources()
        collection.status()
    space.doctor()


def test_reading_creates_and_writes_nothing(filled: Workspace) -> None:
    before = listing(filled.index)
    read_everything(filled)
    assert listing(filled.index) == before


def test_reading_beside_an_open_writer_writes_no_new_file(filled: Workspace) -> None:
    with writing(filled.paths) as writer:
        with writer.batch() as catalog:
            catalog.set_scope(catalog.roots()[0], "", "kite", None)
        before = {path: entry[:2] for path, entry in listing(filled.index).items()}
        read_everything(filled)
        after = {path: entry[:2] for path, entry in listing(filled.index).items()}
    assert after == before


def test_a_missing_collection_is_an_error_and_makes_nothing(space: Workspace) -> None:
    with pytest.raises(CollectionNotFoundError):
        space.open()
    assert not space.index.exists()


@pytest.fixture
def read_only(filled: Workspace) -> Iterator[Path]:
    """The index on a read-only mount, or without write permission where that is not allowed."""
    if os.geteuid() != 0:
        places = [filled.index, *filled.index.rglob("*")]
        for place in places:
            place.chmod(place.stat().st_mode & ~0o222)
        yield filled.index
        for place in places:
            place.chmod(place.stat().st_mode | 0o200)
        return
    mounted = filled.index.parent / "mounted"
    mounted.mkdir()
    if subprocess.run(["mount", "--bind", filled.index, mounted], capture_output=True).returncode:
        pytest.skip("this process may not mount")
    try:
        subprocess.run(["mount", "-o", "remount,ro,bind", mounted], check=True)
        yield mounted
    finally:
        subprocess.run(["umount", "-l", mounted], check=True)


def test_an_index_that_cannot_be_written_can_be_read(filled: Workspace, read_only: Path) -> None:
    filled.index = read_only
    assert len(filled.find("zebra", limit=20)) == DOCUMENTS
    read_everything(filled)


def test_a_reader_makes_no_lock_file_in_the_lexical_index(filled: Workspace) -> None:
    for lock in filled.lexical.glob(".tantivy-*.lock"):
        lock.unlink()
    before = listing(filled.index)
    read_everything(filled)
    assert listing(filled.index) == before


def test_an_open_reader_sees_an_ingest_of_another_process(filled: Workspace) -> None:
    collection = filled.open()
    before = collection.search("giraffe")
    filled.write("giraffe.md", "The giraffe eats.\n")
    assert filled.command("ingest", filled.folder).returncode == 0
    after = collection.search("giraffe")
    assert (len(before.results), len(after.results)) == (0, 1)
    assert after.metadata.generation > before.metadata.generation


def test_an_open_reader_sees_edits_moves_and_removals(filled: Workspace) -> None:
    collection = filled.open()
    filled.write("03.md", "The ibex rests.\n")
    filled.ingest()
    assert [hit.content for hit in collection.search("ibex").results] == ["The ibex rests."]
    (filled.folder / "03.md").rename(filled.folder / "moved.md")
    filled.ingest()
    assert collection.search("ibex").results[0].citation.source == "moved.md"
    (filled.folder / "moved.md").unlink()
    filled.ingest()
    assert collection.search("ibex").results == ()


def test_an_open_reader_goes_over_to_a_rebuilt_version(filled: Workspace) -> None:
    collection = filled.open()
    assert collection.status().version == "v000001"
    filled.write("giraffe.md", "The giraffe eats.\n")
    filled.rebuild()
    assert len(collection.search("giraffe").results) == 1
    assert collection.status().version == "v000002"


def test_opening_a_second_reader_does_not_make_the_first_one_stale(
    filled: Workspace, crash: Crash
) -> None:
    def ingest_elsewhere(animal: str) -> None:
        filled.write("00.md", f"The {animal}.\n")
        assert crash(filled, "dropping the old version", "ingest") == 0

    filled.write("00.md", "The giraffe.\n")
    assert crash(filled, "closing the catalog", "ingest") == 9
    with IndexReader.open(filled.index) as first:
        assert first.chunks()[0].content == "The giraffe."
        for animal in ("camel", "ibex", "lynx"):
            ingest_elsewhere(animal)
            assert filled.contents()["00.md"] == [f"The {animal}."]
            assert first.chunks()[0].content == f"The {animal}."


def test_a_query_sees_one_state_while_the_writer_commits(
    filled: Workspace, reader: IndexReader
) -> None:
    with writing(filled.paths) as writer:
        catalog = writer.catalog
        (root,) = catalog.roots()

        def work(snapshot: Snapshot) -> tuple[int, int, int]:
            before = len(list(snapshot.all_chunks()))
            with writer.batch():
                for document in list(catalog.known_documents(root).values())[:5]:
                    catalog.remove_document(document)
            return before, len(list(snapshot.all_chunks())), snapshot.generation

        with writer.batch():
            catalog.set_scope(root, "", None, None)
        before, after, generation = reader.read(work)
        assert (before, after) == (DOCUMENTS, DOCUMENTS)
        assert reader.read(lambda snapshot: snapshot.generation) == generation + 1
    assert len(reader.chunks()) == DOCUMENTS - 5


def test_a_query_that_a_writer_overtook_is_answered_anew(
    filled: Workspace, reader: IndexReader
) -> None:
    """A catalog without a log is read as immutable; its pages then change under the query."""
    runs = []

    def replace_all() -> None:
        for number in range(DOCUMENTS):
            filled.write(f"{number:02}.md", f"The giraffe number{number} eats. " * 200)
        filled.ingest()

    def work(snapshot: Snapshot) -> set[str]:
        documents = snapshot.facts().documents
        runs.append(documents)
        if len(runs) == 1:
            replace_all()
        return {chunk.content[:11] for chunk in snapshot.all_chunks()}

    assert reader.read(work) == {"The giraffe"}
    assert len(runs) == 2


def test_threads_share_a_reader_while_the_writer_works(
    filled: Workspace, reader: IndexReader
) -> None:
    done = threading.Event()
    wrong: list[object] = []
    served = [0] * 4

    def serve(place: int) -> None:
        collection = filled.open()
        try:
            while not done.is_set():
                for hit in collection.search("zebra", limit=20).results:
                    if not hit.content.startswith("The zebra"):
                        wrong.append(hit)
                reader.chunks()
                served[place] += 1
        except Exception as error:  # noqa: BLE001
            wrong.append(error)

    threads = [threading.Thread(target=serve, args=(place,)) for place in range(4)]
    for thread in threads:
        thread.start()
    for turn in range(6):
        filled.write(f"{turn:02}.md", f"The zebra number{turn} turns {turn}.\n")
        filled.write(f"extra{turn}.md", f"The zebra extra{turn}.\n")
        filled.ingest()
        if turn % 3 == 2:
            filled.rebuild()
    done.set()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert min(served) > 0


def test_a_version_that_goes_while_a_query_begins_does_not_fail_the_query(
    filled: Workspace,
) -> None:
    class Overtaken(IndexReader):
        """A reader whose first query is overtaken by two rebuilds and another thread's queries."""

        overtaken = False

        def _live(self) -> _OpenVersion:
            version = super()._live()
            if not self.overtaken:
                self.overtaken = True
                for _ in range(2):
                    filled.rebuild()
                    super()._live()
            return version

    with Overtaken(filled.paths) as reader:
        assert len(reader.chunks()) == DOCUMENTS


def test_a_closed_reader_frees_its_version(filled: Workspace) -> None:
    reader = IndexReader.open(filled.index)
    old = filled.paths.current()
    reader.close()
    filled.rebuild()
    assert not old.folder.exists()


def behind(space: Workspace, change: Callable[[CatalogWriter], None]) -> None:
    """Change the catalog, and leave the lexical index behind as a crash would."""
    catalog = CatalogWriter(space.catalog)
    with catalog.batch():
        change(catalog)
    catalog.close()


def remove_first(number: int) -> Callable[[CatalogWriter], None]:
    def change(catalog: CatalogWriter) -> None:
        (root,) = catalog.roots()
        for document in list(catalog.known_documents(root).values())[:number]:
            catalog.remove_document(document)

    return change


def test_what_the_catalog_lacks_is_dropped_and_the_page_refilled(space: Workspace) -> None:
    for number in range(60):
        times = 1 if number >= 50 else 9
        space.write(f"{number:02}.md", f"The giraffe {'zebra ' * times} number{number}.\n")
    space.ingest()
    behind(space, remove_first(50))
    results = space.find("zebra", limit=8)
    assert len(results) == 8
    assert all(int(hit.citation.source[:2]) >= 50 for hit in results)
    assert space.open().status().pending == 50
    space.ingest()
    assert space.open().status().pending == 0


def test_a_page_is_filled_however_many_hits_the_catalog_lacks(space: Workspace) -> None:
    filler = "The sentence is long enough to fill a chunk all by itself. " * 18
    sections = [f"## S{n}\n\nThe zebra zebra zebra {n}. {filler}\n\n" for n in range(1500)]
    space.write("large.md", "".join(sections))
    space.write_all({f"z{n}.md": f"A zebra {n} {filler}{filler}\n" for n in range(3)})
    space.ingest()
    behind(space, remove_first(1))
    assert space.found("zebra", limit=20) == ["z0.md", "z1.md", "z2.md"]

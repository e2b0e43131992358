"""A watch keeps the collection in step, one ingest for each burst of changes."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from groundkit_core.contracts import IngestReport
from groundkit_core.errors import RootMissingError
from groundkit_index.watching import keep_in_step

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

_PATIENCE = 20.0


@dataclass
class Watch:
    """A watch that runs in a thread."""

    space: Workspace
    reports: list[IngestReport] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def start(self) -> Watch:
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self.until(lambda: len(self.reports) >= 2)  # the first, and one that the watch began with
        return self

    def _run(self) -> None:
        for report in keep_in_step(
            self.space.folder,
            index_dir=self.space.index,
            notice=lambda message: self.notices.append(message),
            stop=self.stop,
        ):
            self.reports.append(report)

    def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _PATIENCE
        while not holds():
            assert time.monotonic() < deadline, (self.reports, self.notices)
            time.sleep(0.05)

    def end(self) -> None:
        self.stop.set()
        assert self._thread is not None
        self._thread.join(10)
        assert not self._thread.is_alive()


@pytest.fixture
def watch(space: Workspace) -> Iterator[Watch]:
    """A watch on a folder that holds its own index."""
    space.index = space.folder / ".groundkit"
    space.write("first.md", "The zebra.\n")
    running = Watch(space).start()
    yield running
    running.end()


def test_a_burst_is_taken_up_by_one_ingest_and_deletes_are_seen(watch: Watch) -> None:
    space = watch.space
    before = len(watch.reports)
    for number in range(25):
        space.write(f"burst/{number}.md", f"The giraffe {number}.\n")
        time.sleep(0.01)
    watch.until(lambda: sum(r.documents.added for r in watch.reports) == 26)
    assert len(watch.reports) - before <= 2
    (space.folder / "burst/3.md").unlink()
    (space.folder / "burst/4.md").rename(space.folder / "burst/four.md")
    watch.until(lambda: sum(r.documents.removed for r in watch.reports) == 1)
    watch.until(lambda: sum(r.documents.moved for r in watch.reports) == 1)
    assert "burst/3.md" not in space.documents()
    assert "burst/four.md" in space.documents()


def test_an_ingest_does_not_set_off_another_one(watch: Watch) -> None:
    time.sleep(1.2)
    before = len(watch.reports)
    time.sleep(1.2)
    assert len(watch.reports) == before


def test_a_failing_ingest_is_told_and_the_watch_goes_on(watch: Watch) -> None:
    space = watch.space
    (space.folder / "first.md").unlink()
    watch.until(lambda: bool(watch.notices))
    assert "nothing was removed" in watch.notices[0]
    assert list(space.documents()) == ["first.md"]
    space.write("second.md", "The camel.\n")
    watch.until(lambda: space.found("camel") == ["second.md"] and not space.found("zebra"))


def test_a_folder_that_is_not_there_cannot_be_watched(space: Workspace) -> None:
    shutil.rmtree(space.folder)
    with pytest.raises(RootMissingError):
        next(keep_in_step(space.folder, index_dir=space.index))

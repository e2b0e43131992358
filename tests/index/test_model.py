"""Whatever is done to a folder, the index equals a naive model of it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from groundkit_core.contracts import SearchHit
from groundkit_core.errors import RootEmptyError
from groundkit_retrieval import Collection

if TYPE_CHECKING:
    from tests.index.conftest import Crash, Workspace

EXAMPLES = int(os.environ.get("GROUNDKIT_MODEL_EXAMPLES", "8"))
STEPS = int(os.environ.get("GROUNDKIT_MODEL_STEPS", "25"))
WORDS = ("zebra", "giraffe", "camel", "ibex", "lynx", "yak")
NAMES = ("a.md", "A.md", "b.md", "a b.md", "a_b.md", "dir/a.md", "Dir/a.md", "dir/b.txt", "c.txt")
POINTS = (
    "opening the lexical index",
    "writing the first document",
    "committing the catalog",
    "committing the lexical index",
    "acknowledging",
    "closing the catalog",
)

Documents = dict[str, str]
words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True)
names = st.sampled_from(NAMES)


class Folder(RuleBasedStateMachine):
    """A folder, its index, and the model: what each source held when it was last ingested."""

    make: Callable[[], Workspace]
    crash_at: Crash

    def __init__(self) -> None:
        super().__init__()
        self.space = self.make()
        self.disk: Documents = {}
        self.indexed: Documents = {}
        self.fresh = False
        self.exists = False
        self.checked = False

    # What happens to the folder

    def put(self, name: str, text: str) -> None:
        self.space.write(name, text)
        self.disk[name] = text
        self.fresh = False

    def drop(self, name: str) -> None:
        (self.space.folder / name).unlink()
        del self.disk[name]
        self.fresh = False

    @rule(name=names, content=words)
    def write(self, name: str, content: list[str]) -> None:
        self.put(name, f"The {' '.join(content)}.")

    @rule(content=words)
    def write_twins(self, content: list[str]) -> None:
        for name in ("a.md", "A.md"):
            self.put(name, f"The {' '.join(content)} of {name[0]}.")

    @precondition(lambda self: self.disk)
    @rule(data=st.data(), content=words)
    def edit(self, data: st.DataObject, content: list[str]) -> None:
        name = data.draw(st.sampled_from(sorted(self.disk)))
        self.put(name, f"{self.disk[name]} Then the {' '.join(content)}."[-300:])

    @precondition(lambda self: self.disk)
    @rule(data=st.data(), new=names)
    def move(self, data: st.DataObject, new: str) -> None:
        old = data.draw(st.sampled_from(sorted(self.disk)))
        target = self.space.folder / new
        target.parent.mkdir(exist_ok=True)
        (self.space.folder / old).replace(target)
        self.disk[new] = self.disk.pop(old)
        self.fresh = False

    @precondition(lambda self: self.disk)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        self.drop(data.draw(st.sampled_from(sorted(self.disk))))

    # What is done to the index

    @rule(checksum=st.booleans())
    def ingest(self, checksum: bool) -> None:
        if self.indexed and not self.disk:
            with pytest.raises(RootEmptyError):
                self.space.ingest(checksum=checksum)
            return
        self.space.ingest(checksum=checksum)
        self.took_up()

    @precondition(lambda self: self.indexed and not self.disk)
    @rule()
    def ingest_nothing(self) -> None:
        self.space.ingest(allow_empty=True)
        self.took_up()

    @precondition(lambda self: self.exists and self.disk)
    @rule()
    def rebuild(self) -> None:
        self.space.rebuild()
        self.took_up()

    @precondition(lambda self: self.exists and self.disk)
    @rule(point=st.sampled_from(POINTS), operation=st.sampled_from(["ingest", "rebuild"]))
    def crash(self, point: str, operation: str) -> None:
        code = self.crash_at(self.space, point, operation)
        if code == 0:
            self.took_up()
            return
        assert code == 9
        before, after = self.indexed, self.disk
        held = {source: parts[0] for source, parts in self.space.contents().items()}
        # Batches are whole: nothing was taken up, or all but what is removed in the last one.
        assert held == before or (
            operation == "ingest"
            and after.items() <= held.items()
            and held.items() <= (before | after).items()
        )
        self.indexed, self.fresh, self.checked = held, False, False

    def took_up(self) -> None:
        self.indexed = dict(self.disk)
        self.fresh = self.exists = True
        self.checked = False

    # What must hold

    @invariant()
    def the_index_equals_the_model(self) -> None:
        if not self.exists or self.checked:
            return
        assert self.space.contents() == {source: [text] for source, text in self.indexed.items()}
        with Collection.open(index_dir=self.space.index) as collection:
            for word in WORDS:
                self.check_search(word, collection.search(word, limit=20).results)
        self.checked = True

    def check_search(self, word: str, hits: tuple[SearchHit, ...]) -> None:
        assert {hit.content for hit in hits} <= {t for t in self.indexed.values() if word in t}
        for hit in hits:
            assert self.indexed[hit.citation.source] == hit.content
            assert hit.citation.verification == "verified" or not self.fresh
        if self.fresh:
            cited = {hit.citation.source for hit in hits}
            cited |= {copy.source for hit in hits for copy in hit.duplicates}
            assert cited == {source for source, text in self.indexed.items() if word in text}

    def teardown(self) -> None:
        if self.exists and self.disk:
            self.space.ingest()
            self.took_up()
            self.the_index_equals_the_model()
            assert self.space.faults() == {}
        with suppress(OSError):
            shutil.rmtree(self.space.folder.parent)


def test_the_index_always_equals_the_model(
    make_space: Callable[[], Workspace], crash: Crash
) -> None:
    attributes: dict[str, Any] = {"make": staticmethod(make_space), "crash_at": staticmethod(crash)}
    machine = type("Machine", (Folder,), attributes)
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            derandomize="GROUNDKIT_MODEL_EXAMPLES" not in os.environ,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        ),
    )

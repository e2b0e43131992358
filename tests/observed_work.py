"""Counts what a piece of code does that takes time: statements, rankings, embeddings, files."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from groundkit_core.errors import GroundkitError

_STEPS = {
    "LexicalSearcher.search": "lexical ranking",
    "VectorIndex.search": "dense ranking",
    "IndexReader.open": "index opened",
    "collection_names": "collections listed",
}
_FILES = frozenset({"open", "stat", "lstat", "fstat", "read", "listdir", "scandir"})
_SOURCES = frozenset({"stat_beneath", "read_beneath"})
_STATEMENTS = frozenset({"execute", "executemany", "executescript"})


@dataclass
class Work:
    """What was done.

    Attributes:
        steps: one entry for each step; lists are appended to by several threads at once.
        sources: paths of documents that were looked at on the disk.
    """

    steps: list[str] = field(default_factory=list)
    sources: set[str] = field(default_factory=set)

    @property
    def counts(self) -> Counter[str]:
        return Counter(self.steps)


_observed: Work | None = None


def _hook(frame: FrameType, event: str, arg: Any) -> None:
    work = _observed
    if work is None:
        return
    if event == "call":
        _note_call(work, frame)
    elif event == "c_call":
        _note_builtin(work, arg)


def _note_call(work: Work, frame: FrameType) -> None:
    module = frame.f_globals.get("__name__", "")
    if not module.startswith("groundkit_"):
        return
    name = frame.f_code.co_name
    qualified = frame.f_code.co_qualname
    if name in _SOURCES:
        work.sources.add(frame.f_locals["source"])
    if name == "embed_query":
        work.steps.append("embedding")
    elif qualified in _STEPS:
        work.steps.append(_STEPS[qualified])


def _note_builtin(work: Work, function: Any) -> None:
    name = function.__name__
    owner = type(getattr(function, "__self__", None)).__module__
    if owner == "sqlite3" and name in _STATEMENTS:
        work.steps.append("statement")
    elif getattr(function, "__module__", None) == "posix" and name in _FILES:
        work.steps.append(f"file {name}")


@contextmanager
def threads_observed() -> Iterator[None]:
    """Let threads that start meanwhile be observed, too, as long as they live."""
    threading.setprofile(_hook)
    try:
        yield
    finally:
        threading.setprofile(None)


def work_of(task: Callable[[], object]) -> Work:
    """Run a task, whose errors of groundkit's own are an answer, too; return what it did."""
    global _observed
    work, before = Work(), sys.getprofile()
    _observed = work
    sys.setprofile(_hook)
    try:
        with contextlib.suppress(GroundkitError):
            task()
    finally:
        sys.setprofile(before)
        _observed = None
    return work

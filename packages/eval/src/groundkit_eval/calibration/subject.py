"""The collection that is calibrated, and what stands in the way of that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.contracts import SOURCE_CLASSES, Mode
from groundkit_core.filters import DocumentFilter
from groundkit_eval.errors import CalibrationError, LeakError
from groundkit_eval.judgments.problems import one_line

if TYPE_CHECKING:
    from groundkit_index.reader import IndexReader
    from groundkit_index.snapshot import Snapshot

_PAGE = 1_000


def mode_of(reader: IndexReader, asked: Mode | None) -> Mode:
    """Return the mode to calibrate: the one asked for, or the best the collection has.

    Raises:
        CalibrationError: the mode needs vectors, and some are still missing.
    """
    bound = reader.read(lambda snapshot: snapshot.binding is not None)
    mode = asked or ("hybrid" if bound else "lexical")
    pending = reader.read(lambda snapshot: snapshot.facts().pending)
    if bound and mode != "lexical" and pending:
        raise CalibrationError(
            f"{pending} changes of the collection are not embedded yet; run `groundkit embed` first"
        )
    return mode


def refuse_indexed(reader: IndexReader, judgments: Path) -> None:
    """Refuse judgments that are a document of the collection.

    Raises:
        LeakError: they are, links resolved.
    """
    path = judgments.resolve()
    if reader.read(lambda snapshot: _holds(snapshot, path)):
        raise LeakError(
            f"the judgments file {one_line(path.name)} is a document of the collection; "
            "move it out of the folder that is indexed and ingest again"
        )


def _holds(snapshot: Snapshot, path: Path) -> bool:
    for root in snapshot.roots():
        folder = Path(root.path).resolve()
        if path.is_relative_to(folder):
            source = path.relative_to(folder).as_posix()
            if (root.name, source) in _sources(snapshot):
                return True
    return False


def _sources(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    for name in SOURCE_CLASSES:
        where, offset = DocumentFilter.of(name, None), 0
        while rows := snapshot.sources(where, _PAGE, offset)[1]:
            yield from ((row.root, row.source) for row in rows)
            offset += _PAGE

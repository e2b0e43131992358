"""What the catalog says the vectors must be of."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_index.catalog import queries
from groundkit_index.catalog.schema import VECTORS
from groundkit_index.vectors.slab import LABELS, Label
from groundkit_index.vectors.text import embedded_text, text_digest

_WAITING = "select chunk_key from outbox where seq > (select acked from consumers where name=?)"
_CLASSES = {str(name): code for code, name in enumerate(SOURCE_CLASSES)}
_UNKNOWN_CLASS, _UNKNOWN_PROJECT = 255, 65_535

Keys = NDArray[np.uint64]
Labels = NDArray[Any]


class Expected:
    """Key, class, project, text digest and document of every chunk.

    Attributes:
        labels: by key, with project codes of this catalog.
        waiting: keys whose changes have not been taken up, so that nothing is said of them.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._projects: dict[str, int] = {}
        waiting = [key for (key,) in connection.execute(_WAITING, (VECTORS,))]
        self.waiting: Keys = np.unique(np.array(waiting, np.uint64))
        self.labels = self.rows(
            Label(r.chunk_key, r.source_class, r.project, text_digest(embedded_text(r)), r.doc_key)
            for r in queries.all_chunks(connection)
        )
        self.labels.sort(order="key")

    def rows(self, labels: Iterable[Label]) -> Labels:
        """Return labels as an array, with the project codes of this catalog."""
        return np.fromiter(map(self._row, labels), LABELS)

    def recoded(self, labels: Labels, projects: tuple[str, ...]) -> Labels:
        """Return labels of a slab with the project codes of this catalog."""
        codes = np.full(_UNKNOWN_PROJECT + 1, _UNKNOWN_PROJECT, np.uint16)
        codes[: len(projects)] = [self._code(project) for project in projects]
        recoded = labels.copy()
        recoded["project"] = codes[labels["project"]]
        return recoded

    def settled(self, keys: Keys) -> Keys:
        """Return keys, in order, without those that wait."""
        return np.setdiff1d(keys, self.waiting)

    def _row(self, label: Label) -> tuple[int, int, int, bytes, int]:
        source_class = _CLASSES.get(label.source_class, _UNKNOWN_CLASS)
        digest = label.digest.hex().encode()
        return label.key, source_class, self._code(label.project), digest, label.document

    def _code(self, project: str) -> int:
        return self._projects.setdefault(project, len(self._projects))

"""Appends to a slab; what a commit costs does not depend on what is there."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from groundkit_core.errors import CorruptIndexError
from groundkit_index.layout import sync_folder
from groundkit_index.vectors.slab import (
    CLASS_CODES,
    LABELS,
    MANIFEST,
    Label,
    Matrix,
    Slab,
    SlabManifest,
)

_COPIED_ROWS = 4_096
_FEWEST_COMPACTED = 1_000
_LEAST_LIVE = 0.75


class SlabWriter:
    """The one writer of a slab; each commit replaces the manifest atomically.

    Args:
        folder: where it lives; made when absent.
        dimensions: length of a vector.

    Raises:
        CorruptIndexError: what is there cannot be read, or holds vectors of another length.
    """

    def __init__(self, folder: Path, dimensions: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._state = SlabManifest(0, 0, dimensions, "rows-0.f32", "labels-0.bin", "", ())
        self._labels = np.empty(0, LABELS)
        if (folder / MANIFEST).exists():
            self._labels = Slab.open(folder).labels
            self._state = SlabManifest.parse((folder / MANIFEST).read_text(encoding="utf-8"))
            if self._state.dimensions != dimensions:
                raise CorruptIndexError("the vectors have another length than the collection's")
        self._projects = {name: code for code, name in enumerate(self._state.projects)}
        self._largest = int(self.labels["key"].max(initial=0))

    @property
    def slab(self) -> Slab:
        """The committed state, read from disk."""
        return Slab.open(self._folder)

    @property
    def rows(self) -> int:
        """Rows, deleted ones included."""
        return self._state.rows

    @property
    def labels(self) -> NDArray[Any]:
        """One label of each row; the key of a deleted row is 0."""
        return self._labels[: self._state.rows]

    @property
    def live(self) -> int:
        """Rows that are not deleted."""
        return int(np.count_nonzero(self.labels["key"]))

    def vector(self, row: int) -> Matrix:
        """Return the vector of a row, deleted ones included; shape (dimensions,)."""
        width = self._state.dimensions
        return np.fromfile(self._folder / self._state.vectors, "<f4", width, offset=4 * width * row)

    def commit(self, deleted: Sequence[int], labels: Sequence[Label], vectors: Matrix) -> None:
        """Delete keys, append rows, and make both durable.

        Args:
            deleted: keys; those that are not there are passed over.
            labels: one a row.
            vectors: shape (labels, dimensions).
        """
        state = self._state
        if not (self._folder / MANIFEST).exists():
            _append(self._folder / state.vectors, 0, lambda file: None)
            _append(self._folder / state.labels, 0, lambda file: None)
        dead = self._rows_of(deleted)
        fresh = self._coded(labels)
        if len(fresh):
            flat = np.ascontiguousarray(vectors, "<f4")
            _append(self._folder / state.vectors, state.rows * 4 * state.dimensions, flat.tofile)
            _append(self._folder / state.labels, state.rows * LABELS.itemsize, fresh.tofile)
        self._hold(dead, fresh)
        rows = state.rows + len(fresh)
        self._publish(rows, state.vectors, state.labels, dead_changed=bool(len(dead)))

    def compact(self) -> None:
        """Write the live rows into new files, when a quarter of the rows is dead."""
        state = self._state
        live = np.flatnonzero(self.labels["key"])
        if state.rows < _FEWEST_COMPACTED or len(live) > _LEAST_LIVE * state.rows:
            return
        vectors, kept = self.slab.vectors, self.labels[live]

        def copy(file: BinaryIO) -> None:
            for first in range(0, len(live), _COPIED_ROWS):
                vectors[live[first : first + _COPIED_ROWS]].tofile(file)

        names = (f"rows-{state.number + 1}.f32", f"labels-{state.number + 1}.bin")
        _append(self._folder / names[0], 0, copy)
        _append(self._folder / names[1], 0, kept.tofile)
        self._labels = kept
        self._publish(len(kept), *names, dead_changed=True)

    def _rows_of(self, keys: Sequence[int]) -> NDArray[np.intp]:
        # Keys only grow, so that the new ones of a backfill need no search.
        known = [key for key in keys if 0 < key <= self._largest]
        if not known:
            return np.empty(0, np.intp)
        return np.flatnonzero(np.isin(self.labels["key"], np.asarray(known, "<u8")))

    def _coded(self, labels: Sequence[Label]) -> NDArray[Any]:
        coded = np.empty(len(labels), LABELS)
        for row, label in enumerate(labels):
            project = self._projects.setdefault(label.project, len(self._projects))
            digest = label.digest.hex().encode()
            coded[row] = (
                label.key,
                CLASS_CODES[label.source_class],
                project,
                digest,
                label.document,
            )
        return coded

    def _hold(self, dead: NDArray[np.intp], fresh: NDArray[Any]) -> None:
        rows = self._state.rows
        self._labels["key"][dead] = 0
        if rows + len(fresh) > len(self._labels):
            # Doubled, so that a backfill does not copy all labels with every commit.
            larger = np.empty(max(2 * rows, rows + len(fresh)), LABELS)
            larger[:rows] = self._labels[:rows]
            self._labels = larger
        self._labels[rows : rows + len(fresh)] = fresh
        self._largest = max(self._largest, int(fresh["key"].max(initial=0)))

    def _publish(self, rows: int, vectors: str, labels: str, *, dead_changed: bool) -> None:
        number, dead = self._state.number + 1, self._state.dead
        if dead_changed:
            numbers = np.flatnonzero(self._labels["key"][:rows] == 0).astype("<u4")
            dead = f"dead-{number}.npy" if len(numbers) else ""
            if dead:
                _append(self._folder / dead, 0, lambda file: np.save(file, numbers))
        projects = tuple(self._projects)
        state = SlabManifest(number, rows, self._state.dimensions, vectors, labels, dead, projects)
        temporary = self._folder / f"{MANIFEST}.new"
        _append(temporary, 0, lambda file: file.write(state.text().encode()))
        temporary.replace(self._folder / MANIFEST)
        sync_folder(self._folder)
        self._state = state
        self._remove_others({MANIFEST, vectors, labels, dead})

    def _remove_others(self, kept: set[str]) -> None:
        for path in self._folder.iterdir():
            if path.name not in kept:
                path.unlink(missing_ok=True)


def _append(path: Path, size: int, write: Callable[[BinaryIO], object]) -> None:
    """Write behind the first `size` bytes, over what a crash left there, durably."""
    path.touch()
    with path.open("r+b") as file:
        file.truncate(size)
        file.seek(0, os.SEEK_END)
        write(file)
        file.flush()
        os.fsync(file.fileno())

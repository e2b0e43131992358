"""A flat file of vectors: appended to, memory-mapped, and scanned.

slab.json        what is valid: rows, dimensions, names of the files below
rows-N.f32       float32 vectors, one after the other
labels-N.npy     key, source class, project and text digest of each row; key 0 is deleted
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_core.errors import CorruptIndexError
from groundkit_core.filters import DocumentFilter
from groundkit_index.layout import sync_folder

MANIFEST = "slab.json"
LABELS = np.dtype([("key", "<u8"), ("class", "u1"), ("project", "<u2"), ("digest", "S32")])
_CLASS_CODES = {name: code for code, name in enumerate(SOURCE_CLASSES)}
_FEW = 4
_UNREADABLE = "the vectors cannot be read; run `groundkit doctor --repair`"

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Label:
    """What a row is filtered and found by."""

    key: int
    source_class: str
    project: str
    digest: bytes


@dataclass(frozen=True, slots=True)
class Slab:
    """The valid state of a slab, read from disk."""

    vectors: Matrix
    labels: NDArray[Any]
    projects: tuple[str, ...]

    @classmethod
    def open(cls, folder: Path) -> Slab:
        """Map a slab.

        Raises:
            CorruptIndexError: the files are not those that the manifest describes.
        """
        try:
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            rows, dimensions = int(manifest["rows"]), int(manifest["dimensions"])
            labels = np.load(folder / manifest["labels"], allow_pickle=False)
            path = folder / manifest["vectors"]
            shape = (rows, dimensions)
            mapped = (
                np.memmap(path, dtype="<f4", mode="r", shape=shape)
                if rows
                else np.empty(shape, "<f4")
            )
            projects = tuple(manifest["projects"])
            fits = labels.dtype == LABELS and len(labels) == rows
        except (OSError, ValueError, KeyError, TypeError):
            raise CorruptIndexError(_UNREADABLE) from None
        if not fits:
            raise CorruptIndexError(_UNREADABLE)
        return cls(np.asarray(mapped), labels, projects)

    def search(
        self, query: Matrix, where: DocumentFilter, limit: int, offset: int = 0
    ) -> list[tuple[int, float]]:
        """Return (chunk key, cosine) of the nearest vectors, best first, ties by key.

        Args:
            query: shape (dimensions,), unit length as the vectors are.
            where: which rows are looked at at all.
            limit: how many to return.
            offset: how many of the best to pass over.
        """
        allowed = np.flatnonzero(self._allowed(where))
        if not len(allowed) or limit < 1:
            return []
        if _FEW * len(allowed) < len(self.labels):
            scores = self.vectors[allowed] @ query
        else:
            scores = (self.vectors @ query)[allowed]
        wanted = min(limit + offset, len(allowed))
        best = np.argpartition(-scores, wanted - 1)[:wanted]
        keys = self.labels["key"][allowed[best]]
        order = np.lexsort((keys, -scores[best]))[offset:]
        return [(int(keys[place]), float(scores[best[place]])) for place in order]

    def _allowed(self, where: DocumentFilter) -> NDArray[np.bool_]:
        codes = [_CLASS_CODES[name] for name in where.classes]
        allowed = (self.labels["key"] != 0) & np.isin(self.labels["class"], codes)
        if where.project is not None:
            known = where.project in self.projects
            code = self.projects.index(where.project) if known else len(self.projects)
            allowed &= self.labels["project"] == code
        return np.asarray(allowed, dtype=np.bool_)

    def keys(self) -> set[int]:
        """Return the keys of the live rows."""
        return {int(key) for key in self.labels["key"] if key}

    def by_digest(self) -> dict[bytes, int]:
        """Return text digest -> row, deleted rows included: their vectors are still good."""
        return {bytes.fromhex(d.decode()): row for row, d in enumerate(self.labels["digest"])}


class SlabWriter:
    """Appends to a slab; each commit replaces the manifest atomically.

    Args:
        folder: where it lives; made when absent.
        dimensions: length of a vector.
    """

    def __init__(self, folder: Path, dimensions: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._dimensions = dimensions
        if (folder / MANIFEST).exists():
            self.slab = Slab.open(folder)
            manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            self._number, self._file = int(manifest["number"]), str(manifest["vectors"])
        else:
            self._number, self._file = 0, "rows-0.f32"
            empty = np.empty((0, dimensions), "<f4")
            self.slab = Slab(empty, np.empty(0, LABELS), ())

    def commit(self, deleted: Sequence[int], labels: Sequence[Label], vectors: Matrix) -> None:
        """Delete keys, append rows, and make both durable."""
        slab = self.slab
        projects = list(slab.projects)
        for label in labels:
            if label.project not in projects:
                projects.append(label.project)
        old = slab.labels.copy()
        old["key"][np.isin(old["key"], np.asarray(deleted, dtype="<u8"))] = 0
        new = np.array([_row(label, projects) for label in labels], dtype=LABELS)
        merged = np.concatenate([old, new]) if len(new) else old
        self._append(np.ascontiguousarray(vectors, dtype="<f4"), len(slab.labels))
        self._publish(merged, projects)

    def compact(self) -> None:
        """Write the live rows into a new file, when a quarter of the rows is dead."""
        live = self.slab.labels["key"] != 0
        if len(live) < 1_000 or live.mean() > 0.75:
            return
        labels, vectors = self.slab.labels[live], np.asarray(self.slab.vectors[live])
        self._file = f"rows-{self._number + 1}.f32"
        self._append(vectors, 0)
        self._publish(labels, list(self.slab.projects))

    def _append(self, vectors: Matrix, rows: int) -> None:
        path = self._folder / self._file
        path.touch()
        with path.open("r+b") as file:
            # What a crash left behind the valid rows is written over.
            file.truncate(rows * self._dimensions * 4)
            file.seek(0, os.SEEK_END)
            file.write(vectors.tobytes())
            file.flush()
            os.fsync(file.fileno())

    def _publish(self, labels: NDArray[Any], projects: list[str]) -> None:
        self._number += 1
        name = f"labels-{self._number}.npy"
        with (self._folder / name).open("wb") as file:
            np.save(file, labels, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
        manifest = {
            "number": self._number,
            "rows": len(labels),
            "dimensions": self._dimensions,
            "vectors": self._file,
            "labels": name,
            "projects": projects,
        }
        temporary = self._folder / f"{MANIFEST}.new"
        with temporary.open("w", encoding="utf-8") as text:
            json.dump(manifest, text)
            text.flush()
            os.fsync(text.fileno())
        temporary.replace(self._folder / MANIFEST)
        sync_folder(self._folder)
        self.slab = Slab.open(self._folder)
        self._remove_others({name, self._file, MANIFEST})

    def _remove_others(self, kept: set[str]) -> None:
        for path in self._folder.iterdir():
            if path.name not in kept:
                path.unlink(missing_ok=True)


def _row(label: Label, projects: list[str]) -> tuple[int, int, int, bytes]:
    return (
        label.key,
        _CLASS_CODES[label.source_class],  # type: ignore[index]
        projects.index(label.project),
        label.digest.hex().encode(),
    )

"""A flat file of vectors: memory-mapped and scanned.

slab.json        what is valid: rows, dimensions, names of the files below
rows-N.f32       float32 vectors, one after the other
labels-N.bin     key, source class, project, text digest in hex and document of each row
dead-N.npy       numbers of the rows that are deleted; absent when there are none
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from groundkit_core.contracts import SOURCE_CLASSES
from groundkit_core.errors import CorruptIndexError
from groundkit_core.filters import DocumentFilter, DocumentSet
from groundkit_index.vectors.damage import DAMAGE, UNREADABLE
from groundkit_index.vectors.scan import Matrix, best, products

MANIFEST = "slab.json"
FORMAT = 3
LABELS = np.dtype(
    [("key", "<u8"), ("class", "u1"), ("project", "<u2"), ("digest", "S32"), ("document", "<u8")]
)
CLASS_CODES: dict[str, int] = {name: code for code, name in enumerate(SOURCE_CLASSES)}
# Rows are gathered before they are scored when fewer than one in so many is looked at.
_FEW = 4
_FILTERED = ("key", "class", "project", "document")

__all__ = ["LABELS", "MANIFEST", "Label", "Matrix", "Slab", "SlabManifest"]


@dataclass(frozen=True, slots=True)
class Label:
    """What a row is filtered and found by; the digest has 16 bytes."""

    key: int
    source_class: str
    project: str
    digest: bytes
    document: int = 0


@dataclass(frozen=True, slots=True)
class SlabManifest:
    """What is valid in a slab's folder.

    Attributes:
        number: grows with every commit.
        rows: how many rows the files hold, deleted ones included.
        dimensions: length of a vector.
        vectors: name of the file of vectors.
        labels: name of the file of labels.
        dead: name of the file of deleted rows; empty when there are none.
        projects: the names that labels give by number.
    """

    number: int
    rows: int
    dimensions: int
    vectors: str
    labels: str
    dead: str
    projects: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a manifest; raises ValueError, KeyError or TypeError when it is none."""
        value = json.loads(text)
        if value["format"] != FORMAT:
            raise ValueError("another format")
        number, rows, dimensions = (int(value[name]) for name in ("number", "rows", "dimensions"))
        # A manifest that came with an index must not name files elsewhere.
        vectors, labels, dead = (Path(value[name]).name for name in ("vectors", "labels", "dead"))
        projects = tuple(map(str, value["projects"]))
        return cls(number, rows, dimensions, vectors, labels, dead, projects)

    def text(self) -> str:
        """Return the manifest as it is written."""
        return json.dumps({"format": FORMAT, **asdict(self)})


@dataclass(frozen=True, slots=True)
class Slab:
    """The valid state of a slab, read from disk.

    Attributes:
        vectors: shape (rows, dimensions), mapped.
        labels: one of each row; the key of a deleted row is 0.
        projects: the names that labels give by number.
    """

    vectors: Matrix
    labels: NDArray[Any]
    projects: tuple[str, ...]
    _keys: NDArray[np.uint64]
    _classes: NDArray[np.uint8]
    _project_codes: NDArray[np.uint16]
    _documents: NDArray[np.uint64]

    @classmethod
    def of(cls, vectors: Matrix, labels: NDArray[Any], projects: Sequence[str]) -> Self:
        """Return a slab of its parts; the columns that filters read are laid out by themselves."""
        columns = (np.ascontiguousarray(labels[name]) for name in _FILTERED)
        return cls(vectors, labels, tuple(projects), *columns)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Map a slab, which a writer may replace meanwhile.

        Raises:
            CorruptIndexError: the files are not those that the manifest describes.
        """
        text = _manifest(folder)
        while True:
            try:
                return cls._load(folder, SlabManifest.parse(text))
            except DAMAGE:
                before, text = text, _manifest(folder)
                if text == before:
                    raise CorruptIndexError(UNREADABLE) from None

    @classmethod
    def _load(cls, folder: Path, manifest: SlabManifest) -> Self:
        rows, shape = manifest.rows, (manifest.rows, manifest.dimensions)
        labels = np.fromfile(folder / manifest.labels, LABELS, rows)
        if len(labels) != rows:
            raise ValueError("labels are missing")
        if manifest.dead:
            labels["key"][np.load(folder / manifest.dead, allow_pickle=False)] = 0
        if not rows:
            return cls.of(np.empty(shape, "<f4"), labels, manifest.projects)
        mapped = np.memmap(folder / manifest.vectors, dtype="<f4", mode="r", shape=shape)
        return cls.of(np.asarray(mapped), labels, manifest.projects)

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
        allowed = self.allowed(where)
        count = int(np.count_nonzero(allowed))
        wanted = min(limit + offset, count)
        if limit < 1 or wanted <= offset:
            return []
        if _FEW * count < len(allowed):
            scores = products(self.vectors[np.flatnonzero(allowed)], query)
        else:
            scores = products(self.vectors, query)[allowed]
        keys = self._keys[allowed]
        found = best(scores, keys, wanted)
        if len(found) < wanted:
            # Some scores are no numbers.
            raise CorruptIndexError(UNREADABLE)
        found = found[offset:]
        return list(zip(keys[found].tolist(), scores[found].tolist(), strict=True))

    def allowed(self, where: DocumentFilter) -> NDArray[np.bool_]:
        """Return which rows are live and meet a condition, shape (rows,)."""
        live = self._keys != 0
        if where.among is not None:
            return np.asarray(live & self._is_among(where.among))
        wanted = np.zeros(256, np.bool_)
        wanted[[CLASS_CODES[name] for name in where.classes]] = True
        allowed = wanted[self._classes] & live
        if where.only is not None:
            codes = [n for n, name in enumerate(self.projects) if name in where.only]
            allowed &= np.isin(self._project_codes, codes)
        return np.asarray(allowed)

    def _is_among(self, documents: DocumentSet) -> NDArray[np.bool_]:
        left_out = len(documents.others) < len(documents.keys)
        keys = documents.others if left_out else documents.keys
        named = np.isin(self._documents, np.fromiter(keys, np.uint64, len(keys)), kind="sort")
        return np.asarray(~named if left_out else named)

    def keys(self) -> set[int]:
        """Return the keys of the live rows."""
        return set(self._keys[self._keys != 0].tolist())


def _manifest(folder: Path) -> str:
    try:
        return (folder / MANIFEST).read_text(encoding="utf-8")
    except (OSError, ValueError):
        raise CorruptIndexError(UNREADABLE) from None

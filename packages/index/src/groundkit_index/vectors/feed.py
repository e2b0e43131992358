"""Feeds the vectors of a version from its catalog's outbox."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence

import numpy as np

from groundkit_core.errors import CorruptIndexError
from groundkit_core.protocols import Embedder, Progress
from groundkit_index.catalog.records import ChunkRecord
from groundkit_index.catalog.schema import VECTORS
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.layout import VersionPaths
from groundkit_index.vectors.slab import MANIFEST, Label, Matrix, Slab, SlabWriter
from groundkit_index.vectors.table import VectorTable
from groundkit_index.vectors.text import embedded_text, text_digest

_ROWS = 512

Known = Callable[[bytes], "Matrix | None"]


class VectorFeed:
    """Takes up changes: vectors that are known are copied, the others are embedded.

    Args:
        version: where the vectors live; made when absent.
        embedder: the embedder that the collection is bound to.
        older: a slab of another version under the same identity, to copy vectors from.
    """

    def __init__(
        self, version: VersionPaths, embedder: Embedder, older: Slab | None = None
    ) -> None:
        self._embedder = embedder
        dimensions = embedder.identity.dimensions
        self._table = VectorTable(version.vectors, dimensions)
        self._slab = _slab(version, self._table, dimensions)
        self._sources = [slab for slab in (self._slab.slab, older) if slab is not None]
        self._places = [slab.by_digest() for slab in self._sources]
        self.embedded = 0
        self._changed = False

    def drain(
        self,
        catalog: CatalogWriter,
        progress: Progress | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Take up all changes, one durable portion after the other.

        Raises:
            EmbeddingError: the embedder failed; what was done stays, the rest is still pending.
        """
        total, done = catalog.outbox.count(VECTORS), 0
        while not stop() and (rows := catalog.outbox.pending(VECTORS, _ROWS)):
            last = {key: op for _, op, key in rows}
            self._take_up(catalog, last)
            catalog.outbox.acknowledge(VECTORS, rows[-1][0])
            self._changed = True
            done += len(rows)
            if progress:
                progress("embed", done, max(total, done))

    @property
    def vectors(self) -> int:
        """Vectors of live chunks."""
        return len(self._slab.slab.keys())

    def finish(self) -> None:
        """Compact what the changes left behind; call it once, at the end."""
        if self._changed:
            self._table.optimize()
            self._slab.compact()

    def _take_up(self, catalog: CatalogWriter, last: dict[int, str]) -> None:
        put = [key for key, op in last.items() if op == "put"]
        records = list(catalog.chunks(put).values())
        texts = [embedded_text(record) for record in records]
        digests = [text_digest(text) for text in texts]
        vectors = self._vectors(texts, digests)
        labels = [_label(record, d) for record, d in zip(records, digests, strict=True)]
        self._table.commit(list(last), labels, vectors)
        first = len(self._slab.slab.labels)
        self._slab.commit(list(last), labels, vectors)
        self._sources[0] = self._slab.slab
        self._places[0].update({d: first + row for row, d in enumerate(digests)})

    def _vectors(self, texts: Sequence[str], digests: Sequence[bytes]) -> Matrix:
        vectors = np.zeros((len(texts), self._embedder.identity.dimensions), np.float32)
        missing: dict[bytes, list[int]] = {}
        for place, digest in enumerate(digests):
            known = self._known(digest)
            if known is None:
                missing.setdefault(digest, []).append(place)
            else:
                vectors[place] = known
        if missing:
            fresh = self._embedder.embed_documents([texts[p[0]] for p in missing.values()])
            for vector, places in zip(fresh, missing.values(), strict=True):
                vectors[places] = vector
            self.embedded += len(missing)
        return vectors

    def _known(self, digest: bytes) -> Matrix | None:
        for slab, places in zip(self._sources, self._places, strict=True):
            row = places.get(digest)
            if row is not None:
                return np.asarray(slab.vectors[row])
        return None


def _label(record: ChunkRecord, digest: bytes) -> Label:
    return Label(record.chunk_key, record.source_class, record.project, digest)


def _slab(version: VersionPaths, table: VectorTable, dimensions: int) -> SlabWriter:
    """Open the slab, or make it anew from the table when it is damaged or behind."""
    try:
        writer = SlabWriter(version.slab, dimensions)
        if len(writer.slab.keys()) == table.rows:
            return writer
    except CorruptIndexError:
        pass
    shutil.rmtree(version.slab, ignore_errors=True)
    (version.slab / MANIFEST).unlink(missing_ok=True)
    writer = SlabWriter(version.slab, dimensions)
    labels, vectors = table.read_all()
    if labels:
        writer.commit([], labels, vectors)
    return writer

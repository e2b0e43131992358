"""Feeds the vectors of a version from its catalog's outbox."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from groundkit_core.errors import CorruptIndexError, StorageError
from groundkit_core.protocols import Embedder, Progress
from groundkit_index.catalog.records import ChunkRecord
from groundkit_index.catalog.schema import VECTORS
from groundkit_index.catalog.writer import CatalogWriter
from groundkit_index.layout import VersionPaths
from groundkit_index.vectors.damage import DAMAGE, reading
from groundkit_index.vectors.known import KnownVectors
from groundkit_index.vectors.slab import Label, Matrix, Slab
from groundkit_index.vectors.slab_writer import SlabWriter
from groundkit_index.vectors.table import VectorTable
from groundkit_index.vectors.text import embedded_text, text_digest

_ROWS = 512
_PART = 128


class VectorFeed:
    """Takes up changes: vectors that are known are copied, the others are embedded.

    Args:
        version: where the vectors live; made when absent.
        embedder: the embedder that the collection is bound to.
        older: another slab under the same identity, to copy vectors from.

    Raises:
        CorruptIndexError: the table is damaged, and the slab with it or beyond it.
    """

    def __init__(
        self, version: VersionPaths, embedder: Embedder, older: Slab | None = None
    ) -> None:
        self._embedder = embedder
        dimensions = embedder.identity.dimensions
        with reading():
            self._table = VectorTable(version.vectors, dimensions)
            self._slab = _slab(version, self._table, dimensions)
            self._known = KnownVectors(self._slab, older)
        self.embedded = 0
        self._changed = False

    def drain(
        self,
        catalog: CatalogWriter,
        progress: Progress | None = None,
        stop: Callable[[], bool] = lambda: False,
        limit: int | None = None,
    ) -> None:
        """Take up all changes, or `limit` of them, one durable portion after the other.

        Raises:
            EmbeddingError: the embedder failed; what was done stays, the rest is still pending.
            StorageError: the vectors cannot be written.
        """
        waiting, done = catalog.outbox.count(VECTORS), 0
        total = waiting if limit is None else min(limit, waiting)

        def step(more: int) -> None:
            if progress:
                progress("embed", min(done + more, total), total)

        while done < total and not stop():
            rows = catalog.outbox.pending(VECTORS, min(_ROWS, total - done))
            last = {key: op for _, op, key in rows}
            self._take_up(catalog, last, step)
            catalog.outbox.acknowledge(VECTORS, rows[-1][0])
            self._changed = True
            done += len(rows)
            step(0)

    @property
    def vectors(self) -> int:
        """Vectors of live chunks."""
        return self._slab.live

    def finish(self) -> None:
        """Free the embedder, and compact what the changes left behind; call it once, at the end."""
        self._embedder.close()
        if self._changed:
            with _writing():
                self._table.optimize()
                self._slab.compact()

    def _take_up(
        self, catalog: CatalogWriter, last: dict[int, str], step: Callable[[int], None]
    ) -> None:
        put = [key for key, op in last.items() if op == "put"]
        records = list(catalog.chunks(put).values())
        texts = [embedded_text(record) for record in records]
        digests = [text_digest(text) for text in texts]
        vectors = self._vectors(texts, digests, step)
        labels = [_label(record, d) for record, d in zip(records, digests, strict=True)]
        first = self._slab.rows
        with _writing():
            # The slab first: after a crash, what it holds is copied and not embedded again.
            self._slab.commit(list(last), labels, vectors)
            self._table.commit(list(last), labels, vectors)
        self._known.add(digests, first)

    def _vectors(
        self, texts: Sequence[str], digests: Sequence[bytes], step: Callable[[int], None]
    ) -> Matrix:
        vectors = np.zeros((len(texts), self._embedder.identity.dimensions), np.float32)
        missing: dict[bytes, list[int]] = {}
        with reading():
            for place, digest in enumerate(digests):
                known = self._known.find(digest)
                if known is None:
                    missing.setdefault(digest, []).append(place)
                else:
                    vectors[place] = known
        # By length, so that parts are batches of texts of one size.
        groups = sorted(missing.values(), key=lambda places: -len(texts[places[0]]))
        for first in range(0, len(groups), _PART):
            part = groups[first : first + _PART]
            fresh = self._embedder.embed_documents([texts[places[0]] for places in part])
            for vector, places in zip(fresh, part, strict=True):
                vectors[places] = vector
            self.embedded += len(part)
            step(first + len(part))
        return vectors


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    try:
        yield
    except DAMAGE as error:
        cause = getattr(error, "strerror", None) or type(error).__name__
        raise StorageError(
            f"the vectors cannot be written ({cause}); free space and try again, or run "
            "`groundkit doctor --repair`"
        ) from error


def _label(record: ChunkRecord, digest: bytes) -> Label:
    return Label(record.chunk_key, record.source_class, record.project, digest, record.doc_key)


def _slab(version: VersionPaths, table: VectorTable, dimensions: int) -> SlabWriter:
    """Open the slab, or make it anew from the table when it is damaged or gone."""
    with contextlib.suppress(CorruptIndexError, *DAMAGE):
        writer = SlabWriter(version.slab, dimensions)
        if writer.rows or not table.rows:
            return writer
    shutil.rmtree(version.slab, ignore_errors=True)
    writer = SlabWriter(version.slab, dimensions)
    for labels, vectors in table.batches():
        writer.commit([], labels, vectors)
    return writer

"""Makes the vectors of a version anew: good ones are kept, the others embedded."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Iterator
from contextlib import suppress

import numpy as np

from groundkit_core.errors import CorruptIndexError, EmbeddingError, SettingsError
from groundkit_core.model import EmbeddingIdentity
from groundkit_core.protocols import Notice, Progress
from groundkit_index.catalog import queries
from groundkit_index.catalog.reader import CatalogReader
from groundkit_index.catalog.schema import VECTORS
from groundkit_index.doctor.stored import BLOCK, open_slab, open_table, sound
from groundkit_index.embedders.extras import expect
from groundkit_index.layout import VersionPaths, sync_folder
from groundkit_index.vectors.binding import Binding
from groundkit_index.vectors.damage import reading
from groundkit_index.vectors.deferred import DeferredEmbedder
from groundkit_index.vectors.feed import VectorFeed
from groundkit_index.vectors.slab import Label, Matrix, Slab
from groundkit_index.vectors.slab_writer import SlabWriter
from groundkit_index.vectors.table import VectorTable
from groundkit_index.vectors.text import embedded_text, text_digest
from groundkit_index.writer import VersionWriter

_WRITTEN_AT_ONCE = 4 * BLOCK

Block = tuple[list[bytes], Matrix]


def repair_vectors(
    writer: VersionWriter, progress: Progress | None = None, notice: Notice | None = None
) -> str | None:
    """Make slab and table anew; return a line on what could not be done, or None.

    What is good is put aside first, so that a crash at any instant loses no vector; what is not
    is embedded again, or waits in the outbox when the embedder cannot be had.

    Args:
        writer: the version, open for writing without embedding.
        progress: told how far it is.
        notice: told what a person should know, such as a download.
    """
    try:
        expect("lancedb", "groundkit-index[dense]")
    except EmbeddingError as error:
        return f"the vectors were left as they are ({error})"
    version, outbox = writer.version, writer.catalog.outbox
    binding = Binding.from_manifest(writer.catalog.embedding or {})
    wanted = _wanted(version)
    kept = put_aside(version, binding.identity, set(wanted.values()))
    known = {_digest(text) for text in kept.labels["digest"]} if kept else set()
    keys = sorted(wanted, key=lambda key: (wanted[key] not in known, key))
    shutil.rmtree(version.slab, ignore_errors=True)
    shutil.rmtree(version.vectors, ignore_errors=True)
    outbox.offer(VECTORS, keys)
    embedder = DeferredEmbedder(binding, notice)
    try:
        feed = VectorFeed(version, embedder, kept)
        feed.drain(writer.catalog, limit=sum(digest in known for digest in wanted.values()))
        note = _embed_rest(writer, feed, progress)
        feed.finish()
    finally:
        embedder.close()
    shutil.rmtree(version.salvage, ignore_errors=True)
    return note


def _embed_rest(writer: VersionWriter, feed: VectorFeed, progress: Progress | None) -> str | None:
    try:
        feed.drain(writer.catalog, progress)
    except (EmbeddingError, SettingsError) as error:
        waiting = writer.catalog.outbox.count(VECTORS)
        return (
            f"{waiting} chunks wait for their vectors ({error}); "
            "run `groundkit embed` when that is mended"
        )
    return None


def _wanted(version: VersionPaths) -> dict[int, bytes]:
    """Return the key of every chunk and the digest of its embedded text."""
    reader = CatalogReader(version.catalog)
    try:
        return reader.read(
            lambda connection: {
                record.chunk_key: text_digest(embedded_text(record))
                for record in queries.all_chunks(connection)
            }
        )
    finally:
        reader.close()


def put_aside(
    version: VersionPaths, identity: EmbeddingIdentity, wanted: set[bytes]
) -> Slab | None:
    """Copy the vectors that are still good into the folder `salvage`; None when none is.

    A vector is good when it can be compared and all copies under its text's digest are equal.

    Args:
        version: slab, table and what an interrupted repair put aside are read.
        identity: what the vectors are compared under.
        wanted: digests of the texts that need a vector.
    """
    marks = _agreed(version, identity, wanted)
    fresh = version.folder / f"{version.salvage.name}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    writer = SlabWriter(fresh, identity.dimensions)
    digests: list[bytes] = []
    vectors: list[Matrix] = []
    for found, block in _sound_blocks(version, identity):
        for digest, vector in zip(found, block, strict=True):
            if marks.get(digest) == zlib.crc32(vector):
                del marks[digest]
                digests.append(digest)
                vectors.append(vector)
        if len(digests) >= _WRITTEN_AT_ONCE:
            _write(writer, digests, vectors)
            digests, vectors = [], []
    _write(writer, digests, vectors)
    # The old one goes only now: it may be all that is left of a repair that was interrupted.
    shutil.rmtree(version.salvage, ignore_errors=True)
    fresh.rename(version.salvage)
    sync_folder(version.folder)
    return Slab.open(version.salvage) if writer.rows else None


def _agreed(
    version: VersionPaths, identity: EmbeddingIdentity, wanted: set[bytes]
) -> dict[bytes, int]:
    """Return text digest -> CRC-32 of its vector, where all copies have the same."""
    marks: dict[bytes, int | None] = {}
    for digests, vectors in _sound_blocks(version, identity):
        for digest, vector in zip(digests, vectors, strict=True):
            mark = zlib.crc32(vector)
            if digest in wanted and marks.setdefault(digest, mark) != mark:
                marks[digest] = None
    return {digest: mark for digest, mark in marks.items() if mark is not None}


def _write(writer: SlabWriter, digests: list[bytes], vectors: list[Matrix]) -> None:
    if digests:
        first = writer.rows + 1
        labels = [Label(first + n, "docs", "", digest) for n, digest in enumerate(digests)]
        writer.commit([], labels, np.stack(vectors))


def _sound_blocks(version: VersionPaths, identity: EmbeddingIdentity) -> Iterator[Block]:
    """Yield all that can be read and compared; where reading fails, the next copy is read."""
    for folder in (version.slab, version.salvage):
        with suppress(CorruptIndexError), reading():
            slab = open_slab(folder, identity.dimensions)
            yield from _only_sound(_slab_blocks(slab), identity) if slab else ()
    with suppress(CorruptIndexError), reading():
        table = open_table(version, identity.dimensions)
        yield from _only_sound(_table_blocks(table), identity) if table else ()


def _only_sound(blocks: Iterator[Block], identity: EmbeddingIdentity) -> Iterator[Block]:
    for digests, vectors in blocks:
        good = np.flatnonzero(sound(vectors, normalized=identity.normalized))
        yield [digests[row] for row in good], np.ascontiguousarray(vectors[good])


def _slab_blocks(slab: Slab) -> Iterator[Block]:
    """Yield all rows, those of deleted chunks included: their text may have come back."""
    for first in range(0, len(slab.labels), BLOCK):
        rows = slice(first, first + BLOCK)
        yield [_digest(text) for text in slab.labels["digest"][rows]], slab.vectors[rows]


def _table_blocks(table: VectorTable) -> Iterator[Block]:
    for labels, vectors in table.batches(BLOCK):
        yield [label.digest for label in labels], vectors


def _digest(text: bytes) -> bytes:
    """Return the digest that a label holds; a damaged one names no text."""
    try:
        return bytes.fromhex(text.decode("ascii"))
    except ValueError:
        return b""

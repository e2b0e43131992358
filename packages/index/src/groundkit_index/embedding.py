"""Gives a collection vectors, in place."""

from __future__ import annotations

import time
from pathlib import Path
from threading import Event

from groundkit_core.contracts import EmbedReport
from groundkit_core.errors import SettingsError
from groundkit_core.protocols import Notice, Progress
from groundkit_index.catalog.schema import LEXICAL, VECTORS
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.layout import CollectionPaths
from groundkit_index.vectors.binding import Binding, check_identity
from groundkit_index.vectors.feed import VectorFeed
from groundkit_index.versions import writing
from groundkit_index.writer import VersionWriter


def embed(
    *,
    index_dir: str | Path = ".groundkit",
    collection: str = "default",
    embedder: EmbedderSettings | None = None,
    wait: float = 60.0,
    progress: Progress | None = None,
    notice: Notice | None = None,
    stop: Event | None = None,
) -> EmbedReport:
    """Embed every chunk that has no vector yet; the first run binds the collection.

    Can be stopped or killed at any instant; the next run goes on where this one ended.

    Args:
        index_dir: the folder that holds the collections.
        collection: the collection's name.
        embedder: the embedder to bind to; None takes the one the collection is bound to.
        wait: seconds to wait for another writer.
        progress: told how far it is.
        notice: told what a person should know, such as a download.
        stop: set it to end after the portion under way.

    Raises:
        CollectionNotFoundError: there is no such collection.
        EmbeddingMismatchError: the collection is bound to another embedder.
        EmbeddingError: the embedder cannot be reached or failed; what was done stays.
    """
    started = time.perf_counter()
    paths = CollectionPaths.of(index_dir, collection)
    paths.current()
    stopped = stop or Event()
    with writing(paths, wait=wait, notice=notice, embed=False) as writer:
        binding, feed = _open(writer, embedder, notice)
        feed.drain(writer.catalog, progress, stopped.is_set)
        feed.finish()
        outbox = writer.catalog.outbox
        return EmbedReport(
            collection=paths.name,
            generation=writer.catalog.generation,
            provider=binding.identity.provider,
            model=binding.identity.model,
            dimensions=binding.identity.dimensions,
            embedded=feed.embedded,
            vectors=feed.vectors,
            pending=outbox.count(VECTORS),
            seconds=round(time.perf_counter() - started, 3),
            interrupted=stopped.is_set(),
        )


def _open(
    writer: VersionWriter, settings: EmbedderSettings | None, notice: Notice | None
) -> tuple[Binding, VectorFeed]:
    bound = writer.catalog.embedding
    if settings is None:
        if bound is None:
            raise SettingsError(
                "the collection has no embedder yet; name one with --embedder, such as "
                "'fastembed', or 'onnx' with --model DIR"
            )
        binding = Binding.from_manifest(bound)
        embedder = binding.embedder(notice)
    else:
        embedder = make_embedder(settings, notice)
        binding = Binding(embedder.identity, settings)
        if bound is not None:
            check_identity(Binding.from_manifest(bound).identity, embedder.identity)
    if bound != binding.to_manifest():
        bind(writer, binding)
    return binding, VectorFeed(writer.version, embedder)


def bind(writer: VersionWriter, binding: Binding) -> None:
    """Bind a version to an embedder, and offer every chunk to the vectors."""
    with writer.catalog.batch():
        writer.catalog.set_embedding(binding.to_manifest())
        if not writer.catalog.outbox.has(VECTORS):
            writer.catalog.outbox.add_consumer(VECTORS, LEXICAL)

"""Gives a collection vectors, in place."""

from __future__ import annotations

import contextlib
import importlib.util
import time
from pathlib import Path
from threading import Event
from typing import Any

from groundkit_core.contracts import EmbedReport
from groundkit_core.errors import SettingsError
from groundkit_core.protocols import Embedder, Notice, Progress
from groundkit_index.catalog.schema import LEXICAL, VECTORS
from groundkit_index.embedders import EmbedderSettings, make_embedder
from groundkit_index.layout import CollectionPaths
from groundkit_index.vectors.binding import Binding, check_identity
from groundkit_index.vectors.feed import VectorFeed
from groundkit_index.versions import writing
from groundkit_index.writer import VersionWriter

_DEFAULT = "fastembed"
_LOCAL = "groundkit-index[local]"


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
        embedder: the embedder to bind to; None takes the one the collection is bound to, and
            for a collection without one `fastembed`, where it is installed.
        wait: seconds to wait for another writer.
        progress: told how far it is.
        notice: told what a person should know, such as a download.
        stop: set it to end after the portion under way.

    Raises:
        CollectionNotFoundError: there is no such collection.
        SettingsError: no embedder was named, and there is no default.
        EmbeddingMismatchError: the collection is bound to another embedder.
        EmbeddingError: the embedder cannot be reached or failed; what was done stays.
        StorageError: the vectors cannot be read or written; what was done stays.
    """
    started = time.perf_counter()
    paths = CollectionPaths.of(index_dir, collection)
    paths.current()
    stopped = stop or Event()
    with writing(paths, wait=wait, notice=notice, embed=False) as writer:
        bound = writer.catalog.embedding
        binding, made = _embedder(bound, embedder, notice)
        with contextlib.closing(made):
            if bound != binding.to_manifest():
                bind(writer, binding)
            feed = VectorFeed(writer.version, made)
            feed.drain(writer.catalog, progress, stopped.is_set)
            feed.finish()
        _tell_lost(writer, feed, notice)
        return EmbedReport(
            collection=paths.name,
            generation=writer.catalog.generation,
            provider=binding.identity.provider,
            model=binding.identity.model,
            dimensions=binding.identity.dimensions,
            embedded=feed.embedded,
            vectors=feed.vectors,
            pending=writer.catalog.outbox.count(VECTORS),
            seconds=round(time.perf_counter() - started, 3),
            interrupted=stopped.is_set(),
        )


def _embedder(
    bound: dict[str, Any] | None, settings: EmbedderSettings | None, notice: Notice | None
) -> tuple[Binding, Embedder]:
    if settings is None and bound is not None:
        binding = Binding.from_manifest(bound)
        return binding, binding.embedder(notice)
    chosen = settings or _default(notice)
    embedder = make_embedder(chosen, notice)
    try:
        identity = embedder.identity
        if bound is not None:
            check_identity(Binding.from_manifest(bound).identity, identity)
    except BaseException:
        embedder.close()
        raise
    return Binding(identity, chosen), embedder


def _tell_lost(writer: VersionWriter, feed: VectorFeed, notice: Notice | None) -> None:
    """Tell of chunks that have no vector though nothing waits."""
    lost = writer.catalog.counts[1] - feed.vectors
    if notice and lost > writer.catalog.outbox.count(VECTORS):
        notice(f"{lost} chunks have lost their vectors; run `groundkit doctor --repair`")


def _default(notice: Notice | None) -> EmbedderSettings:
    """Return the embedder of a collection that none was named for."""
    if importlib.util.find_spec(_DEFAULT) is None:
        raise SettingsError(
            "the collection has no embedder yet; name one with --embedder, such as "
            f"'onnx' with --model DIR, or get the default with `pip install '{_LOCAL}'`"
        )
    if notice:
        notice(f"no embedder was named, so {_DEFAULT} is taken")
    return EmbedderSettings(_DEFAULT)


def bind(writer: VersionWriter, binding: Binding) -> None:
    """Bind a version to an embedder, and offer every chunk to the vectors."""
    with writer.catalog.batch():
        writer.catalog.set_embedding(binding.to_manifest())
        if not writer.catalog.outbox.has(VECTORS):
            writer.catalog.outbox.add_consumer(VECTORS, LEXICAL)

"""A folder, indexed into a collection that is thrown away afterwards."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.contracts import SourceClass
from groundkit_core.errors import RootMissingError, SourceError
from groundkit_core.model import ChunkSettings
from groundkit_core.protocols import Progress
from groundkit_eval.judgments.problems import one_line
from groundkit_eval.results import EmbeddingSummary, FusionSummary
from groundkit_eval.setup import Setup

if TYPE_CHECKING:
    from groundkit_index.catalog.records import ChunkRecord

COLLECTION = "evaluation"


@dataclass(frozen=True, slots=True)
class Document:
    """A document that was indexed: the digest of its bytes, and its class."""

    source: str
    sha256: str
    source_class: SourceClass


@dataclass(frozen=True, slots=True)
class Target:
    """An indexed corpus.

    Attributes:
        index_dir: the folder that holds the collection, gone when the evaluation ends.
        collection: its name.
        settings: what was fixed when it was made (analyzer, language, chunker).
        refused: files that could not be indexed, with the reason.
        chunks: every chunk, by source and place.
        documents: every document by source.
        setup: how it is embedded, ranked and looked at again.
        embedding: the embedder it is bound to; None for a lexical collection.
        fusion: how its hybrid search joins the branches; None for a lexical collection.
        names: source -> document id, where files stand for the documents of a judged set.
    """

    index_dir: Path
    collection: str
    settings: dict[str, str | int]
    refused: dict[str, str]
    chunks: tuple[ChunkRecord, ...]
    documents: dict[str, Document]
    setup: Setup = field(default_factory=Setup)
    embedding: EmbeddingSummary | None = None
    fusion: FusionSummary | None = None
    names: dict[str, str] = field(default_factory=dict)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield every source, and the texts of its chunks in a row."""
        for source, chunks in itertools.groupby(self.chunks, key=lambda chunk: chunk.source):
            yield source, "".join(chunk.content for chunk in chunks)


def check_folder(corpus: Path) -> None:
    """Raise a RootMissingError unless the corpus is a folder."""
    if not corpus.is_dir():
        raise RootMissingError(
            f"{one_line(corpus.name)} is not a folder; --corpus takes a folder of documents"
        )


@dataclass(frozen=True, slots=True)
class IndexChoice:
    """How a folder is indexed.

    Attributes:
        language: language of the analyzer.
        chunking: sizes of chunks.
    """

    language: str = "english"
    chunking: ChunkSettings = field(default_factory=ChunkSettings)


@contextlib.contextmanager
def indexed_folder(
    corpus: Path,
    choice: IndexChoice,
    progress: Progress | None = None,
    keep: Path | None = None,
) -> Iterator[Target]:
    """Index a folder into a collection, which is removed however the block ends.

    Args:
        corpus: the folder.
        choice: how it is indexed.
        progress: called while it works.
        keep: a folder that keeps the collection, and is brought in step when it has one.

    Raises:
        SourceError: the folder holds nothing that can be indexed.
    """
    with contextlib.ExitStack() as opened:
        folder = keep or Path(
            opened.enter_context(tempfile.TemporaryDirectory(prefix="groundkit-eval-"))
        )
        yield _index(corpus, folder, choice, progress)


def _index(corpus: Path, index_dir: Path, choice: IndexChoice, progress: Progress | None) -> Target:
    from groundkit_index import IndexReader, IngestOptions, ingest

    report = ingest(
        corpus,
        index_dir=index_dir,
        collection=COLLECTION,
        options=IngestOptions(language=choice.language, chunking=choice.chunking),
        progress=progress,
    )
    if report.interrupted:
        raise KeyboardInterrupt
    with IndexReader.open(index_dir, COLLECTION) as reader:
        chunks = tuple(reader.chunks())
        settings = reader.read(lambda snapshot: snapshot.facts().settings)
    if not chunks:
        raise SourceError(
            f"nothing in {one_line(corpus.name)} could be indexed; "
            "`groundkit ingest` on the folder says why"
        )
    refused = {refusal.source: refusal.reason for refusal in report.refusals}
    return Target(index_dir, COLLECTION, settings, refused, chunks, documents_of(chunks))


def documents_of(chunks: Iterable[ChunkRecord]) -> dict[str, Document]:
    """Return the documents that chunks belong to, by source."""
    return {
        chunk.source: Document(chunk.source, chunk.sha256, chunk.source_class) for chunk in chunks
    }


def corpus_digest(documents: Sequence[Document]) -> str:
    """Return the SHA-256 over paths and content of the documents, in order of their paths."""
    state = hashlib.sha256()
    for document in sorted(documents, key=lambda document: document.source):
        state.update(f"{document.source}\0{document.sha256}\n".encode())
    return state.hexdigest()

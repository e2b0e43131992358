"""A collection as its users see it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from copy import copy
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, TypeVar

from pydantic import ValidationError

from groundkit_core.analysis import Analyzer
from groundkit_core.contracts import (
    CollectionStatus,
    Passage,
    SearchRequest,
    SearchResponse,
    SourceClass,
    SourceList,
    VerifyReport,
)
from groundkit_core.errors import RequestError, SettingsError
from groundkit_core.protocols import Check, Notice
from groundkit_index.layout import folder_size
from groundkit_index.origins import is_folder
from groundkit_index.reader import IndexReader
from groundkit_index.snapshot import Snapshot
from groundkit_retrieval.access import Reader, View, Visibilities
from groundkit_retrieval.assessing import Assessment
from groundkit_retrieval.branches import unlimited
from groundkit_retrieval.checking import verify_chunks
from groundkit_retrieval.images import draw_passage
from groundkit_retrieval.passages import fetch_passage
from groundkit_retrieval.query_embedding import QueryEmbedder
from groundkit_retrieval.relocation import Relocator
from groundkit_retrieval.rerank import RerankerSettings
from groundkit_retrieval.reranking import CollectionReranker
from groundkit_retrieval.searching import Engine, answer, assess_request
from groundkit_retrieval.stating import source_entry, status_of
from groundkit_retrieval.tuning import RankingChoice

DEFAULT_BUDGET = 24_000
_MAX_PAGE = 1_000
_T = TypeVar("_T")


class Collection:
    """A collection, open for search; safe to share between threads and to keep open.

    Args:
        reader: the open index.
        result_chars: characters that one response holds at the most.
        ranking: how the branches are joined; None leaves it to the collection.
        reranker: looks at the best passages again; None where none is wanted.
        notice: told what a person should know, such as a download.

    Raises:
        SettingsError: the reranker is unknown, or a setting of it is wrong.
        EmbeddingError: the reranker needs an extra that is not installed.
    """

    def __init__(
        self,
        reader: IndexReader,
        *,
        result_chars: int = DEFAULT_BUDGET,
        ranking: RankingChoice | None = None,
        reranker: RerankerSettings | None = None,
        notice: Notice | None = None,
    ) -> None:
        self._reader = reader
        self._embedder = QueryEmbedder(notice)
        self._reranker = CollectionReranker(reranker, self._embedder, notice) if reranker else None
        self._engine = Engine(
            reader.paths.name,
            self._embedder,
            self._executor,
            ranking or RankingChoice(),
            result_chars,
        )
        self._visibilities = Visibilities(reader.paths.name)
        self._seen_by: Reader | None = None
        self._relocator = Relocator()
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    @classmethod
    def open(
        cls,
        name: str = "default",
        *,
        index_dir: str | Path = ".groundkit",
        result_chars: int = DEFAULT_BUDGET,
        ranking: RankingChoice | None = None,
        reranker: RerankerSettings | None = None,
        notice: Notice | None = None,
    ) -> Self:
        """Open a collection for reading; creates nothing.

        Raises:
            CollectionNotFoundError: there is no such collection; the message names those there are.
            StorageError: what is there cannot be read.
            SettingsError: the reranker is unknown, or a setting of it is wrong.
        """
        reader = IndexReader.open(index_dir, name)
        try:
            return cls(
                reader,
                result_chars=result_chars,
                ranking=ranking,
                reranker=reranker,
                notice=notice,
            )
        except BaseException:
            reader.close()
            raise

    @property
    def name(self) -> str:
        """The collection's name."""
        return self._reader.paths.name

    @property
    def analyzer(self) -> Analyzer:
        """The analyzer that the collection was made with."""
        return self._reader.analyzer

    def search(
        self,
        query: str | SearchRequest,
        *,
        rerank: bool | None = None,
        check: Check = unlimited,
        offset: int = 0,
        **options: Any,
    ) -> SearchResponse:
        """Return the passages that bear on a query, each with a checked citation.

        Args:
            query: the query, or a whole request.
            rerank: look at the best passages again; None does so where a reranker is configured.
            check: called between the stages; what it raises ends the search, as a deadline does.
            offset: passages of the `limit` to pass over, because an earlier response held them
                and counted the rest in `coverage.withheld.over_budget`.
            options: fields of `SearchRequest`, when `query` is a string.

        Raises:
            RequestError: the query or an option is out of bounds.
            ModeUnavailableError: the collection cannot answer in that mode.
            SettingsError: reranking was asked for and cannot be done.
        """
        request = query if isinstance(query, SearchRequest) else make_request(query, **options)
        if offset < 0:
            raise RequestError("offset is at least 0")
        chosen = self._reranker_for(rerank)
        return self._read(
            lambda view: answer(view, request, self._engine, chosen, check, offset=offset)
        )

    def assess(self, query: str | SearchRequest, **options: Any) -> Assessment:
        """Return how sure the engine is that it can answer a query, with the signals behind it.

        Args:
            query: the query, or a whole request.
            options: fields of `SearchRequest`, when `query` is a string.

        Raises:
            RequestError: the query or an option is out of bounds.
            ModeUnavailableError: the collection cannot answer in that mode.
        """
        request = query if isinstance(query, SearchRequest) else make_request(query, **options)
        return self._read(lambda view: assess_request(view, request, self._engine))

    def _reranker_for(self, rerank: bool | None) -> CollectionReranker | None:
        if rerank and self._reranker is None:
            raise SettingsError(
                "reranking was asked for and no reranker is configured; name one with "
                "--reranker, GROUNDKIT_RERANKER or Collection.open(reranker=...)"
            )
        return None if rerank is False else self._reranker

    def _executor(self) -> Executor:
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(thread_name_prefix="groundkit-dense")
            return self._pool

    def fetch(self, chunk_id: str, *, context: int = 0) -> Passage:
        """Return a passage by id, with up to `context` lines before and after it.

        Raises:
            ChunkNotFoundError: the collection has no such chunk.
        """
        return self._read(lambda view: fetch_passage(view, chunk_id, context))

    def page_image(self, chunk_id: str, *, scale: float = 2.0) -> bytes:
        """Return the PDF page of a passage as a PNG image, with its lines highlighted.

        Args:
            chunk_id: the passage.
            scale: pixels a point, 0.5 to 6.

        Raises:
            ChunkNotFoundError: the collection has no such chunk.
            RequestError: its document has no pages to draw, or has changed.
            DocumentRefusedError: the page cannot be drawn.
        """
        if not 0.5 <= scale <= 6:
            raise RequestError("scale is 0.5 to 6 pixels a point")
        return self._read(lambda view: draw_passage(view, chunk_id, scale))

    def verify(
        self, chunk_ids: Sequence[str] | None = None, *, check: Check = unlimited
    ) -> VerifyReport:
        """Check citations against their sources; all of the collection's when none are named.

        Raises:
            ChunkNotFoundError: the collection has no such chunk.
        """
        return self._read(lambda view: verify_chunks(view, self.name, chunk_ids, check))

    def sources(
        self,
        *,
        source_class: SourceClass | Literal["all"] = "all",
        project: str | None = None,
        limit: int = 100,
        offset: int = 0,
    ) -> SourceList:
        """Return a page of the documents, by root and source; `all` leaves out `config`."""
        if not 1 <= limit <= _MAX_PAGE or offset < 0:
            raise RequestError(f"limit is 1 to {_MAX_PAGE} and offset at least 0")

        def work(view: View) -> SourceList:
            total, rows = view.sources(view.searched(source_class, project), limit, offset)
            after = offset + len(rows)
            return SourceList(
                collection=self.name,
                generation=view.snapshot.generation,
                total=total,
                sources=tuple(source_entry(row) for row in rows),
                next_offset=after if after < total else None,
            )

        return self._read(work)

    def status(self) -> CollectionStatus:
        """Return counts, settings, embedding, roots and size, of what the reader may see."""
        size = folder_size(self._reader.paths.folder)
        return self._read(lambda view: status_of(view, self.name, size))

    def progress(self) -> tuple[int, int]:
        """Return the generation, and how many changes the derived indexes have not taken up."""
        return self._reader.read(lambda s: (s.generation, s.facts().pending))

    def root_folders(self) -> dict[str, Path]:
        """Return name -> path of the roots that are folders; never for a response."""
        return self._reader.read(
            lambda s: {r.name: Path(r.path) for r in s.roots() if is_folder(r.path)}
        )

    def as_seen_by(self, reader: Reader) -> Collection:
        """Return the collection as a reader may see it; close the one it came from, not this."""
        seen = copy(self)
        seen._seen_by = reader
        return seen

    def _read(self, work: Callable[[View], _T]) -> _T:
        reader = self._seen_by
        if reader is None:
            return self._reader.read(lambda snapshot: work(View(snapshot, self._relocator)))
        policy, profile = reader.current()

        def as_seen(snapshot: Snapshot) -> _T:
            seen = self._visibilities.of(snapshot, policy, profile)
            return work(View(snapshot, self._relocator, seen))

        return self._reader.read(as_seen)

    def close(self) -> None:
        """Close the index and what was opened for it."""
        self._reader.close()
        self._embedder.close()
        self._relocator.close()
        if self._reranker is not None:
            self._reranker.close()
        if self._pool is not None:
            self._pool.shutdown(wait=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def make_request(query: str, **options: Any) -> SearchRequest:
    """Return a checked request.

    Raises:
        RequestError: a field is out of bounds; the message does not repeat its value.
    """
    try:
        return SearchRequest(query=query, **options)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        field = ".".join(str(part) for part in first["loc"][:1])
        message = first["msg"].removeprefix("Value error, ")
        raise RequestError(f"{field}: {message}") from None

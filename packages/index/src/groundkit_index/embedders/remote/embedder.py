"""The embedder over a server, whatever its wire format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundkit_core.errors import EmbeddingError
from groundkit_core.model import EmbeddingIdentity
from groundkit_core.protocols import Notice
from groundkit_index.embedders.extras import expect
from groundkit_index.embedders.prefixes import prefixes
from groundkit_index.embedders.remote.client import Client, TooLongError
from groundkit_index.embedders.remote.patience import FOR_DOCUMENTS, FOR_QUERIES, Patience
from groundkit_index.embedders.remote.wire import Wire
from groundkit_index.embedders.settings import EmbedderSettings
from groundkit_index.embedders.texts import batches, prefixed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_BATCH_ITEMS = 32
_BATCH_CHARS = 32_000
_MAX_CHARS = 8_000
_SHORTEST_CUT = 500
# Room for one vector as JSON (40,000 numbers), and for what is around the vectors.
_VECTOR_BYTES = 2**20
_ENVELOPE_BYTES = 2**16
_PROBE = "dimensions"


class RemoteEmbedder:
    """Embeds over HTTP and trusts nothing that comes back.

    Args:
        settings: batch limits, dimensions, prefixes, time-out.
        wire: the kind of server.
        notice: told when a text is cut.
    """

    def __init__(self, settings: EmbedderSettings, wire: Wire, notice: Notice) -> None:
        expect("numpy", "groundkit-index[dense]")
        self._wire = wire
        self._notice = notice
        self._client = Client(wire, settings.timeout)
        self._query_prefix, self._document_prefix = prefixes(settings, wire.model)
        self._normalize = settings.normalize is not False
        self._items = settings.batch_items or _BATCH_ITEMS
        self._chars = settings.batch_chars or _BATCH_CHARS
        self._max_chars = settings.max_chars or _MAX_CHARS
        self._dimensions = settings.dimensions

    @property
    def identity(self) -> EmbeddingIdentity:
        """What the vectors must be compared under; asks the server once for the dimensions."""
        if self._dimensions is None:
            self._ask([_PROBE], FOR_QUERIES)
        if self._dimensions is None:
            raise EmbeddingError("the provider gave no vector")
        return EmbeddingIdentity(
            provider=self._wire.provider,
            model=self._wire.model,
            revision="",
            dimensions=self._dimensions,
            normalized=self._normalize,
            query_prefix=self._query_prefix,
            document_prefix=self._document_prefix,
        )

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one vector a passage, shape (texts, dimensions).

        Texts longer than `max_chars` are cut. A batch that the server finds too long is
        split, a single text halved, not below 500 code points.

        Raises:
            EmbeddingError: the server is down, refuses, or answers no such vectors.
        """
        import numpy as np

        cut = [text[: self._max_chars] for text in prefixed(self._document_prefix, texts)]
        parts = [
            self._split(batch, FOR_DOCUMENTS) for batch in batches(cut, self._items, self._chars)
        ]
        if not parts:
            return np.empty((0, self.identity.dimensions), dtype=np.float32)
        return np.concatenate(parts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a query, shape (dimensions,); waits a second at the most."""
        query = prefixed(self._query_prefix, [text])[0]
        vectors = self._split([query[: self._max_chars]], FOR_QUERIES)
        return vectors.reshape(-1)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _split(self, texts: Sequence[str], patience: Patience) -> NDArray[np.float32]:
        import numpy as np

        try:
            return self._ask(texts, patience)
        except TooLongError:
            half = len(texts) // 2
            if half:
                parts = (texts[:half], texts[half:])
                return np.concatenate([self._split(part, patience) for part in parts])
            shorter = len(texts[0]) // 2
            if shorter < _SHORTEST_CUT:
                raise
            self._notice(f"{self._wire.provider}: a long text was cut to {shorter} characters")
            return self._split([texts[0][:shorter]], patience)

    def _ask(self, texts: Sequence[str], patience: Patience) -> NDArray[np.float32]:
        from groundkit_index.embedders.vectors import checked, unit

        largest = _ENVELOPE_BYTES + len(texts) * _VECTOR_BYTES
        answer = self._client.post(self._wire.request(texts), largest, patience)
        source = f"{self._wire.provider} at {self._wire.endpoint}"
        try:
            rows = self._wire.rows(answer)
        except (TypeError, ValueError) as error:
            raise EmbeddingError(f"{source} answered {error}") from error
        vectors = checked(rows, len(texts), self._dimensions, source)
        self._dimensions = vectors.shape[1]
        return unit(vectors) if self._normalize else vectors

"""A rebuild keeps the vectors of texts that stay, whether or not the embedder can be had."""

from __future__ import annotations

from typing import TYPE_CHECKING

from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed

if TYPE_CHECKING:
    from tests.embedding_server import EmbeddingServer
    from tests.index.conftest import Workspace


def test_a_rebuild_copies_vectors_without_asking_the_embedder(
    space: Workspace, server: EmbeddingServer
) -> None:
    space.write_all({"a.md": "The zebra.\n", "b.md": "The giraffe.\n"})
    space.ingest()
    embed(index_dir=space.index, embedder=EmbedderSettings("ollama", "tiny", server.endpoint))
    server.close()
    assert space.rebuild().notes == ()
    assert space.faults() == {}
    embedding = space.open().status().embedding
    assert embedding is not None
    assert (embedding.vectors, embedding.pending) == (2, 0)

"""A provider of embeddings that misbehaves is told on REST and MCP, and costs no more than that."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.embedding_server import EmbeddingServer, Reply, server

from groundkit_index import ingest
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_mcp import ServiceContext

if TYPE_CHECKING:
    from tests.mcp.http.conftest import Served

__all__ = ["server"]

METADATA = "http://169.254.169.254/latest/meta-data/"


def _always(status: int, body: bytes = b"", **more: Any) -> Callable[[EmbeddingServer], None]:
    def misbehave(server: EmbeddingServer) -> None:
        server.replies = [Reply(status, body, **more) for _ in range(20)]

    return misbehave


def _answering(rows: Callable[[int], Any]) -> Callable[[EmbeddingServer], None]:
    def misbehave(server: EmbeddingServer) -> None:
        server.change = lambda vectors: rows(len(vectors))

    return misbehave


MISBEHAVIOUR = {
    "wrong dimensions": _answering(lambda n: [[1.0] * 5] * n),
    "not a number": _answering(lambda n: [[math.nan] * 8] * n),
    "zeros": _answering(lambda n: [[0.0] * 8] * n),
    "too slow": _always(200, delay=1.2),
    "failing": _always(500, b"stack trace of the provider"),
    "huge": _always(200, b" " * 8_000_000),
    "redirecting": _always(302, headers={"Location": METADATA}),
    "down": lambda server: server.close(),
}


@pytest.fixture
def served(
    tmp_path: Path, documents: Path, server: EmbeddingServer, start_service: Callable[..., Served]
) -> Served:
    ingest(documents, index_dir=tmp_path / "index")
    settings = EmbedderSettings("openai", model="tiny", endpoint=server.endpoint, timeout=0.4)
    embed(index_dir=tmp_path / "index", embedder=settings)
    context = ServiceContext(tmp_path / "index")
    served = start_service(context)
    assert served.search("zebra engine").json()["coverage"]["failed"] == {}
    return served


@pytest.mark.parametrize("misbehave", MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_hybrid_is_degraded_and_dense_has_failed_on_both_surfaces(
    served: Served, server: EmbeddingServer, misbehave: Callable[[EmbeddingServer], None]
) -> None:
    misbehave(server)
    started = time.monotonic()
    answers = []
    for mode in ("hybrid", "dense"):
        body = {"query": "zebra engine", "mode": mode}
        rest = served.client.post("/v1/search", json=body)
        assert rest.status_code == 200
        call = {"name": "search", "arguments": body}
        result = served.rpc("tools/call", call).json()["result"]
        assert not result.get("isError")
        answers.append((rest.json(), result["structuredContent"]))
    for hybrid in answers[0]:
        assert (hybrid["status"], hybrid["coverage"]["degraded"]) == ("OK", True)
        assert hybrid["results"][0]["citation"]["source"] == "guide/install.md"
    for dense in answers[1]:
        assert (dense["status"], dense["reason"]) == ("NO_RELEVANT_CONTEXT", "plane_failed")
        assert dense["results"] == []
    for found in [*answers[0], *answers[1]]:
        (reason,) = found["coverage"]["failed"].values()
        assert len(reason.splitlines()) == 1
        for secret in ("zebra", "stack trace", METADATA, "Traceback"):
            assert secret not in reason
    assert "NaN" not in json.dumps(answers)
    assert time.monotonic() - started < 8
    assert served.get("/healthz").status_code == 200

"""A provider that misbehaves costs the search its meaning branch, never more."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.embedding_server import EmbeddingServer, Reply, server

from groundkit_core.contracts import SearchResponse
from groundkit_index.embedders import EmbedderSettings
from groundkit_index.embedding import embed
from groundkit_retrieval import Collection

__all__ = ["server"]

QUERY = "zebra canary-7f3a stripes"
KEY = "sk-very-secret"
TIMEOUT = 0.4
METADATA = "http://169.254.169.254/latest/meta-data/"

Misbehave = Callable[[EmbeddingServer], None]


@pytest.fixture
def provider() -> str:
    return "openai"


@pytest.fixture
def bound(index_dir: Path, server: EmbeddingServer, provider: str) -> Path:
    """An index whose vectors came from the server while it behaved."""
    settings = EmbedderSettings(
        provider, model="tiny", endpoint=server.endpoint, timeout=TIMEOUT, max_chars=400
    )
    assert embed(index_dir=index_dir, embedder=settings).pending == 0
    server.requests.clear()
    return index_dir


@pytest.fixture
def collection(bound: Path) -> Iterator[Collection]:
    with Collection.open(index_dir=bound) as opened:
        # The embedder is made, so that what follows meets a query and not the first look.
        assert opened.search("heron", mode="dense").status == "OK"
        yield opened


def always(status: int, body: bytes = b"", **more: Any) -> Misbehave:
    def misbehave(server: EmbeddingServer) -> None:
        server.replies = [Reply(status, body, **more) for _ in range(20)]

    return misbehave


def answering(change: Callable[[list[list[float]]], Any]) -> Misbehave:
    def misbehave(server: EmbeddingServer) -> None:
        server.change = change

    return misbehave


def asking_for_the_query(server: EmbeddingServer) -> None:
    """Send the texts and the headers that came back as the complaint."""

    class Echo(list[Reply]):
        def __bool__(self) -> bool:
            return True

        def pop(self, _index: Any = 0) -> Reply:
            return Reply(422, json.dumps([server.inputs, str(server.requests)]).encode())

    server.replies = Echo()


MISBEHAVIOUR: dict[str, Misbehave] = {
    "wrong dimensions": answering(lambda rows: [row[:5] for row in rows]),
    "not a number": answering(lambda rows: [[math.nan] * 8 for _ in rows]),
    "infinite": answering(lambda rows: [[math.inf] * 8 for _ in rows]),
    "zeros": answering(lambda rows: [[0.0] * 8 for _ in rows]),
    "too many": answering(lambda rows: rows * 3),
    "no vectors": answering(lambda rows: None),
    "words": answering(lambda rows: [["a"] * 8 for _ in rows]),
    "too slow": always(200, delay=3 * TIMEOUT),
    "dripping": always(200, drip=0.05),
    "dripping headers": always(200, drip=0.05, drips_headers=True),
    "failing": always(500, b"stack trace of the provider"),
    "busy": always(429, headers={"Retry-After": "3600"}),
    "huge": always(200, b" " * 8_000_000),
    "deep": always(200, b"[" * 100_000),
    "no JSON": always(200, b"<html>"),
    "refusing": always(401, b"wrong key"),
    "redirecting": always(302, headers={"Location": METADATA}),
    "echoing": asking_for_the_query,
    "down": lambda server: server.close(),
}


@pytest.fixture(params=MISBEHAVIOUR)
def misbehaving(
    request: pytest.FixtureRequest, collection: Collection, server: EmbeddingServer
) -> EmbeddingServer:
    MISBEHAVIOUR[request.param](server)
    return server


def check_reason(response: SearchResponse, server: EmbeddingServer) -> None:
    """Check that the reason names the endpoint, in one line that tells nothing else."""
    (reason,) = response.coverage.failed.values()
    assert server.endpoint in reason
    assert len(reason.splitlines()) == 1
    assert len(reason) < 200
    for secret in ("canary", "stripes", KEY, "stack trace", METADATA):
        assert secret not in reason


def test_hybrid_answers_by_words_and_dense_fails_in_bounded_time(
    misbehaving: EmbeddingServer, collection: Collection
) -> None:
    started = time.monotonic()
    hybrid = collection.search(QUERY)
    assert hybrid.status == "OK"
    assert hybrid.mode == "hybrid"
    assert hybrid.coverage.degraded
    assert hybrid.results[0].citation.source == "zebra.md"
    assert all(set(hit.scores) == {"lexical"} for hit in hybrid.results)
    check_reason(hybrid, misbehaving)

    dense = collection.search(QUERY, mode="dense")
    assert (dense.status, dense.reason) == ("NO_RELEVANT_CONTEXT", "plane_failed")
    assert dense.results == ()
    assert not dense.coverage.degraded
    check_reason(dense, misbehaving)
    assert time.monotonic() - started < 5
    json.loads(hybrid.model_dump_json())


def test_lexical_does_not_ask_the_provider(collection: Collection, server: EmbeddingServer) -> None:
    server.requests.clear()
    assert collection.search(QUERY, mode="lexical").status == "OK"
    assert server.requests == []


def test_a_provider_that_comes_back_is_used_again(
    collection: Collection, server: EmbeddingServer
) -> None:
    server.replies = [Reply(500, b"") for _ in range(2)]
    assert collection.search(QUERY).coverage.degraded
    again = collection.search(QUERY)
    assert not again.coverage.degraded
    assert "dense" in again.results[0].scores


@pytest.mark.parametrize("provider", ["ollama", "openai"])
def test_a_provider_that_is_down_from_the_start_is_named_with_what_starts_it(
    bound: Path, server: EmbeddingServer, provider: str
) -> None:
    server.close()
    with Collection.open(index_dir=bound) as fresh:
        reason = fresh.search(QUERY).coverage.failed["dense"]
    advice = {
        "ollama": "start it with `ollama serve`",
        "openai": "start the embedding server there or correct the endpoint",
    }
    assert reason == f"{provider} at {server.endpoint} does not answer; {advice[provider]}"


def test_a_model_that_is_another_one_now_is_not_compared_with_the_old_vectors(
    bound: Path, server: EmbeddingServer
) -> None:
    server.change = lambda rows: [row[:4] for row in rows]
    with Collection.open(index_dir=bound) as fresh:
        response = fresh.search(QUERY)
        dense = fresh.search(QUERY, mode="dense")
    assert response.coverage.degraded
    assert "dimensions 8, not 4" in response.coverage.failed["dense"]
    assert dense.reason == "plane_failed"


@pytest.mark.parametrize("status", [302, 401, 403, 404, 418, 500])
def test_the_key_is_in_no_reason(
    index_dir: Path, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setenv("EMBEDDING_KEY", KEY)
    monkeypatch.setenv("GROUNDKIT_EMBEDDER_KEY_ENV", "EMBEDDING_KEY")
    monkeypatch.setenv("GROUNDKIT_EMBEDDER_ENDPOINT", server.endpoint)
    settings = EmbedderSettings(
        "openai", model="tiny", endpoint=server.endpoint, api_key_env="EMBEDDING_KEY"
    )
    embed(index_dir=index_dir, embedder=settings)
    with Collection.open(index_dir=index_dir) as collection:
        collection.search(QUERY)
        assert server.requests[-1][1]["Authorization"] == f"Bearer {KEY}"
        complaint = f"wrong key {KEY} for {QUERY}".encode()
        server.replies = [Reply(status, complaint, {"Location": f"/{KEY}"}) for _ in range(4)]
        answer = collection.search(QUERY)
    assert answer.coverage.degraded
    check_reason(answer, server)


def test_a_key_is_sent_only_to_the_server_that_its_owner_names(
    index_dir: Path, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EMBEDDING_KEY", KEY)
    settings = EmbedderSettings("openai", model="tiny", endpoint=server.endpoint)
    embed(index_dir=index_dir, embedder=settings)
    monkeypatch.setenv("GROUNDKIT_EMBEDDER_KEY_ENV", "EMBEDDING_KEY")
    monkeypatch.setenv("GROUNDKIT_EMBEDDER_ENDPOINT", "https://elsewhere.example.net/v1")
    with Collection.open(index_dir=index_dir) as collection:
        assert not collection.search(QUERY).coverage.degraded
    assert all("Authorization" not in headers for _, headers, _ in server.requests)

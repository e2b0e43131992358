from __future__ import annotations

import json
import logging
import math
import socket
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from groundkit_core.errors import EmbeddingError, SettingsError
from groundkit_core.protocols import Embedder
from groundkit_index.embedders import EmbedderSettings, make_embedder

if TYPE_CHECKING:
    from tests.embedding_server import EmbeddingServer, Reply

_KEY = "sk-very-secret"
_TEXTS = ["red apple", "green pear", "blue plum", "a longer text about fruit and trees"]


@pytest.fixture(params=["ollama", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def notices() -> list[str]:
    return []


@pytest.fixture
def embedder(provider: str, server: EmbeddingServer, notices: list[str]) -> Embedder:
    return server.connect(provider, lambda message: notices.append(message))


class TestWireFormats:
    def test_ollama_is_asked_by_its_own_interface(self, server: EmbeddingServer) -> None:
        server.connect("ollama").embed_documents(["a", "b"])
        path, headers, body = server.requests[0]
        assert path == "/api/embed"
        assert body == {"model": "tiny", "input": ["a", "b"], "truncate": True}
        assert "Authorization" not in headers

    def test_openai_is_asked_by_its_own_interface(
        self, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("EMBEDDING_KEY", _KEY)
        endpoint = server.endpoint + "/v1"
        server.connect(
            "openai", endpoint=endpoint, api_key_env="EMBEDDING_KEY", dimensions=8
        ).embed_documents(["a"])
        path, headers, body = server.requests[0]
        assert path == "/v1/embeddings"
        assert body == {
            "model": "tiny",
            "input": ["a"],
            "encoding_format": "float",
            "dimensions": 8,
        }
        assert headers["Authorization"] == f"Bearer {_KEY}"

    def test_vectors_are_those_of_the_texts_in_their_order(self, embedder: Embedder) -> None:
        local = make_embedder(EmbedderSettings("hash", dimensions=8))
        assert np.allclose(embedder.embed_documents(_TEXTS), local.embed_documents(_TEXTS))
        assert np.allclose(embedder.embed_query(_TEXTS[1]), local.embed_query(_TEXTS[1]))

    def test_the_identity_asks_once_for_the_dimensions(
        self, embedder: Embedder, provider: str, server: EmbeddingServer
    ) -> None:
        identity = embedder.identity
        assert (identity.provider, identity.model, identity.dimensions) == (provider, "tiny", 8)
        assert embedder.identity == identity
        assert len(server.requests) == 1

    def test_no_texts_give_no_vectors(self, embedder: Embedder) -> None:
        assert embedder.embed_documents([]).shape == (0, 8)

    def test_text_that_cannot_be_encoded_is_sent_all_the_same(
        self, embedder: Embedder, server: EmbeddingServer
    ) -> None:
        embedder.embed_query("half \ud83d of a pair, 漢字 and \0")
        assert server.inputs == [["half ? of a pair, 漢字 and \0"]]

    def test_known_models_get_their_prefixes_unless_others_are_set(
        self, provider: str, server: EmbeddingServer
    ) -> None:
        known = server.connect(provider, model="nomic-embed-text:v1.5")
        known.embed_documents(["a"])
        known.embed_query("b")
        server.connect(provider, model="nomic-embed-text", query_prefix="").embed_query("c")
        assert server.inputs == [["search_document: a"], ["search_query: b"], ["c"]]
        assert known.identity.document_prefix == "search_document: "

    def test_vectors_are_left_alone_when_normalisation_is_off(
        self, provider: str, server: EmbeddingServer
    ) -> None:
        server.change = lambda vectors: [[3.0, 4.0] for _ in vectors]
        raw = server.connect(provider, normalize=False)
        assert raw.embed_query("a").tolist() == [3.0, 4.0]
        assert not raw.identity.normalized
        assert np.allclose(server.connect(provider).embed_query("a"), [0.6, 0.8])


class TestBatches:
    def test_limits_of_items_and_characters_hold(
        self, provider: str, server: EmbeddingServer
    ) -> None:
        embedder = server.connect(provider, batch_items=3, batch_chars=10, max_chars=12)
        embedder.embed_documents(["aaaa", "bbbb", "cc", "d", "e", "f", "g" * 50, "h"])
        assert server.inputs == [["aaaa", "bbbb", "cc"], ["d", "e", "f"], ["g" * 12], ["h"]]

    def test_a_batch_over_the_token_cap_is_split(
        self, embedder: Embedder, server: EmbeddingServer
    ) -> None:
        server.longest_batch = 1
        local = make_embedder(EmbedderSettings("hash", dimensions=8))
        assert np.allclose(embedder.embed_documents(_TEXTS), local.embed_documents(_TEXTS))
        assert [len(texts) for texts in server.inputs] == [4, 2, 1, 1, 2, 1, 1]

    def test_a_text_over_the_token_cap_is_cut_and_said(
        self, embedder: Embedder, server: EmbeddingServer, notices: list[str]
    ) -> None:
        server.longest_input = 1500
        assert embedder.embed_documents(["word " * 1000, "b"]).shape == (2, 8)
        assert [len(texts[0]) for texts in server.inputs if len(texts) == 1] == [
            5000,
            2500,
            1250,
            1,
        ]
        assert notices[-1].endswith("a long text was cut to 1250 characters")

    def test_a_server_that_finds_everything_too_long_is_given_up_soon(
        self, embedder: Embedder, server: EmbeddingServer
    ) -> None:
        server.longest_input = 0
        with pytest.raises(EmbeddingError, match="takes less text at once"):
            embedder.embed_documents(["word " * 1000] * 32)
        assert len(server.requests) < 15


class TestUntrustedAnswers:
    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda rows: [row[:5] for row in rows], "5 dimensions, not 8"),
            (lambda rows: rows[:-1], "1 vectors for 2 texts"),
            (lambda rows: rows + rows, "4 vectors for 2 texts"),
            (lambda rows: [], "not a list of vectors"),
            (lambda rows: [[math.nan] * 8 for _ in rows], "not finite"),
            (lambda rows: [[math.inf] * 8 for _ in rows], "not finite"),
            (lambda rows: [[1e300] * 8 for _ in rows], "not finite"),
            (lambda rows: [[0.0] * 8 for _ in rows], "zeros"),
            (lambda rows: [rows[0], [1e-300] * 8], "zeros"),
            (lambda rows: [rows[0], rows[1][:3]], "unequal length"),
            (lambda rows: [["1.0"] * 8 for _ in rows], "not a list of vectors"),
            (lambda rows: [[True] * 8 for _ in rows], "not a list of vectors"),
            (lambda rows: [[None] * 8 for _ in rows], "not a list of vectors"),
            (lambda rows: [[10**400] * 8 for _ in rows], "not a list of vectors"),
            (lambda rows: [[] for _ in rows], "not a list of vectors"),
            (lambda rows: [[[1.0] * 8] for _ in rows], "not a list of vectors"),
            (lambda rows: ["text" for _ in rows], "not a list of vectors"),
            (lambda rows: [{} for _ in rows], "not a list of vectors"),
        ],
    )
    def test_vectors_that_are_none_are_refused(
        self, provider: str, server: EmbeddingServer, change: Any, message: str
    ) -> None:
        server.change = change
        embedder = server.connect(provider, dimensions=8)
        with pytest.raises(EmbeddingError, match=message) as refused:
            embedder.embed_documents(["a", "b"])
        assert server.endpoint in str(refused.value)
        assert len(str(refused.value).splitlines()) == 1

    def test_the_dimensions_may_not_change_between_answers(
        self, embedder: Embedder, server: EmbeddingServer
    ) -> None:
        embedder.embed_query("a")
        server.change = lambda rows: [row[:5] for row in rows]
        with pytest.raises(EmbeddingError, match="5 dimensions, not 8"):
            embedder.embed_query("a")

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"<html>",
            b"null",
            b"[]",
            b"{}",
            b'{"embeddings": null, "data": null}',
            b'{"embeddings": {}, "data": {}}',
            b'{"embeddings": [1], "data": [1]}',
            b'{"embeddings": [[]], "data": [{"index": [], "embedding": [1]}]}',
            b'{"embeddings": [], "data": [{"index": 5, "embedding": [1]}]}',
            b'{"embeddings": [], "data": [{"index": 0, "embedding": [1]}, {"index": 0}]}',
            b"\xff\xfe\x00",
            b"[" * 100_000,
            b'{"embeddings": [[' + b"9" * 5000 + b"]]}",
        ],
    )
    def test_answers_of_another_form_are_refused(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply], body: bytes
    ) -> None:
        server.replies = [reply(200, body)]
        with pytest.raises(EmbeddingError, match="answered"):
            embedder.embed_query("a")

    def test_a_huge_answer_is_not_read_to_its_end(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        server.replies = [reply(200, b" " * 8_000_000)]
        with pytest.raises(EmbeddingError, match="more than 1114112 bytes"):
            embedder.embed_query("a")

    def test_a_huge_complaint_is_not_read_to_its_end(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        server.replies = [reply(403, b"x" * 8_000_000)]
        with pytest.raises(EmbeddingError, match="answered 403"):
            embedder.embed_query("a")

    def test_a_compressed_answer_is_refused(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        server.replies = [reply(200, b"x", {"Content-Encoding": "gzip"})]
        with pytest.raises(EmbeddingError, match="compressed"):
            embedder.embed_query("a")

    @pytest.mark.parametrize("status", [301, 302, 307, 308])
    def test_a_redirect_is_not_followed(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply], status: int
    ) -> None:
        server.replies = [reply(status, b"", {"Location": f"{server.endpoint}/elsewhere"})]
        with pytest.raises(EmbeddingError, match=rf"redirect \({status}\)"):
            embedder.embed_query("a")
        assert len(server.requests) == 1


class TestTrouble:
    @pytest.fixture
    def provider(self) -> str:
        return "openai"

    @pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
    def test_a_busy_server_is_asked_again(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply], status: int
    ) -> None:
        server.replies = [reply(status, b"busy"), reply()]
        assert embedder.embed_documents(["a"]).shape == (1, 8)
        assert len(server.requests) == 2

    def test_retry_after_is_obeyed(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        server.replies = [reply(429, b"", {"Retry-After": "1"}), reply()]
        start = time.monotonic()
        embedder.embed_query("a")
        assert time.monotonic() - start >= 1

    def test_a_query_does_not_wait_for_a_server_that_asks_for_long(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        server.replies = [reply(429, b"", {"Retry-After": "3600"})]
        with pytest.raises(EmbeddingError, match="answered 429"):
            embedder.embed_query("a")
        assert len(server.requests) == 1

    def test_attempts_are_bounded(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        server.replies = [reply(503, b"") for _ in range(9)]
        with pytest.raises(EmbeddingError, match="answered 503"):
            embedder.embed_documents(["a"])
        assert len(server.requests) == 4

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 418])
    def test_a_refusal_is_final(
        self, embedder: Embedder, server: EmbeddingServer, reply: type[Reply], status: int
    ) -> None:
        server.replies = [reply(status, b"no")]
        with pytest.raises(EmbeddingError, match=f"answered {status}"):
            embedder.embed_documents(["a"])
        assert len(server.requests) == 1

    def test_a_slow_server_is_given_up(
        self, provider: str, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        server.replies = [reply(delay=0.6)]
        with pytest.raises(EmbeddingError, match=r"took more than 0\.2 s"):
            server.connect(provider, timeout=0.2).embed_query("a")
        assert len(server.requests) == 1

    @pytest.mark.parametrize("headers", [False, True])
    def test_a_server_that_drips_is_given_up(
        self, provider: str, server: EmbeddingServer, reply: type[Reply], headers: bool
    ) -> None:
        server.replies = [reply(drip=0.05, drips_headers=headers)]
        start = time.monotonic()
        with pytest.raises(EmbeddingError, match=r"took more than 0\.3 s"):
            server.connect(provider, timeout=0.3).embed_query("a")
        assert time.monotonic() - start < 2

    def test_a_server_that_is_down_is_named_with_what_starts_it(self) -> None:
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            endpoint = f"http://127.0.0.1:{unused.getsockname()[1]}"
            settings = EmbedderSettings("ollama", endpoint=endpoint)
            embedder = make_embedder(settings)
            with pytest.raises(EmbeddingError) as down:
                embedder.embed_query("a")
            embedder.close()
        assert str(down.value) == (
            f"ollama at {endpoint} does not answer; start it with `ollama serve`"
        )

    def test_a_missing_model_is_named_with_what_gets_it(
        self, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        body = json.dumps({"error": 'model "tiny" not found, try pulling it first'}).encode()
        server.replies = [reply(404, body)]
        with pytest.raises(EmbeddingError, match="get the model with `ollama pull tiny`"):
            server.connect("ollama").embed_query("a")

    def test_proxies_of_the_environment_are_not_used(
        self, embedder: Embedder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, "http://127.0.0.1:9")
        assert embedder.embed_query("a").shape == (8,)

    def test_a_closed_embedder_opens_again(self, embedder: Embedder) -> None:
        embedder.embed_query("a")
        embedder.close()
        assert embedder.embed_query("a").shape == (8,)


class TestKeys:
    @pytest.fixture
    def keyed(self, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch) -> Embedder:
        monkeypatch.setenv("EMBEDDING_KEY", _KEY)
        return server.connect("openai", api_key_env="EMBEDDING_KEY")

    @pytest.mark.parametrize("status", [302, 401, 404, 418, 503])
    def test_the_key_is_in_no_error_and_no_log(
        self,
        keyed: Embedder,
        server: EmbeddingServer,
        reply: type[Reply],
        status: int,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        server.replies = [reply(status, f"wrong key {_KEY}".encode()) for _ in range(2)]
        with pytest.raises(EmbeddingError) as refused:
            keyed.embed_query("a")
        seen = repr(keyed) + caplog.text
        error: BaseException | None = refused.value
        while error is not None:
            seen += repr(error)
            error = error.__cause__ or error.__context__
        assert _KEY not in seen

    def test_a_refused_key_is_named_by_its_variable(
        self, keyed: Embedder, server: EmbeddingServer, reply: type[Reply]
    ) -> None:
        server.replies = [reply(401, b"")]
        with pytest.raises(EmbeddingError, match="check the key in EMBEDDING_KEY"):
            keyed.embed_query("a")

    @pytest.mark.parametrize("value", ["", "  ", "two words", "line\nbreak", "schlüssel"])
    def test_a_variable_without_a_key_is_an_error(
        self, server: EmbeddingServer, monkeypatch: pytest.MonkeyPatch, value: str
    ) -> None:
        monkeypatch.setenv("EMBEDDING_KEY", value)
        with pytest.raises(SettingsError, match="EMBEDDING_KEY holds no key"):
            server.connect("openai", api_key_env="EMBEDDING_KEY")

    def test_a_key_given_for_a_variable_is_not_repeated(self, server: EmbeddingServer) -> None:
        with pytest.raises(SettingsError, match="name of an environment variable") as refused:
            server.connect("openai", api_key_env=_KEY)
        assert _KEY not in str(refused.value)

    @pytest.mark.parametrize("missing", ["endpoint", "model"])
    def test_openai_needs_an_endpoint_and_a_model(
        self, server: EmbeddingServer, missing: str
    ) -> None:
        with pytest.raises(SettingsError, match=f"needs .* {missing}"):
            server.connect("openai", None, **{missing: ""})

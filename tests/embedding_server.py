"""A server of embeddings on loopback that misbehaves on demand, and its fixtures."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from groundkit_core.protocols import Embedder, Notice
from groundkit_index.embedders import EmbedderSettings, make_embedder

DIMENSIONS = 8


@dataclass
class Reply:
    """What the server does with one request."""

    status: int = 200
    body: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    drips_headers: bool = False


class EmbeddingServer:
    """Speaks the wire formats of Ollama and OpenAI over loopback, and misbehaves on demand."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.replies: list[Reply] = []
        self.change: Callable[[list[list[float]]], Any] = lambda vectors: vectors
        self.longest_batch = 10**9
        self.longest_input = 10**9
        self.closed = False
        self._opened: list[Embedder] = []
        self._model = make_embedder(EmbedderSettings("hash", dimensions=DIMENSIONS))
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        # Clients that give up break the pipe, which is what is being tested.
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.endpoint = f"http://127.0.0.1:{self._http.server_port}"

    @property
    def inputs(self) -> list[list[str]]:
        """The texts of each request."""
        return [body["input"] for _, _, body in self.requests]

    def connect(self, provider: str, notice: Notice | None = None, **options: Any) -> Embedder:
        """Return an embedder that asks this server; it is closed along with it."""
        options = {"model": "tiny", "endpoint": self.endpoint, "timeout": 5, **options}
        embedder = make_embedder(EmbedderSettings(provider, **options), notice)
        self._opened.append(embedder)
        return embedder

    def reply(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Reply:
        self.requests.append((path, headers, body))
        if self.replies:
            reply = self.replies.pop(0)
            if reply.body is not None or reply.status != 200:
                return reply
            return replace(reply, body=self._answer(path, body))
        texts = body["input"]
        if len(texts) > self.longest_batch or max(map(len, texts)) > self.longest_input:
            complaint = {"error": {"message": "This model's maximum context length is 512 tokens"}}
            return Reply(400, json.dumps(complaint).encode())
        return Reply(200, self._answer(path, body))

    def _answer(self, path: str, body: dict[str, Any]) -> bytes:
        vectors = self.change(self._model.embed_documents(body["input"]).tolist())
        if path == "/api/embed":
            return json.dumps({"model": body["model"], "embeddings": vectors}).encode()
        data = [
            {"object": "embedding", "index": index, "embedding": vector}
            for index, vector in enumerate(vectors)
        ]
        # The order is not promised; `index` is.
        return json.dumps({"object": "list", "data": data[::-1]}).encode()

    def close(self) -> None:
        self.closed = True
        for embedder in self._opened:
            embedder.close()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet an answer

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            if server.closed:
                # A connection that was kept open goes down with the server.
                self.close_connection = True
                return
            reply = server.reply(self.path, dict(self.headers), json.loads(content))
            body = reply.body or b""
            time.sleep(reply.delay)
            if reply.drips_headers:
                self._drip_headers(reply.drip)
                return
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if not reply.drip:
                self.wfile.write(body)
                return
            for byte in body:
                self.wfile.write(bytes([byte]))
                self.wfile.flush()
                time.sleep(reply.drip)

        def _drip_headers(self, pause: float) -> None:
            self.wfile.write(b"HTTP/1.1 200 OK\r\n")
            for number in range(200):
                self.wfile.write(b"X-%d: more\r\n" % number)
                self.wfile.flush()
                time.sleep(pause)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@pytest.fixture
def server() -> Iterator[EmbeddingServer]:
    """A server of embeddings on this machine."""
    running = EmbeddingServer()
    yield running
    running.close()


@pytest.fixture
def reply() -> type[Reply]:
    """Makes what the server does with one request."""
    return Reply

"""Sites on loopback that misbehave on demand, and fetchers that may talk to them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from typing import Any

from groundkit_index.web import Fetcher, FetchLimits
from groundkit_index.web.addresses import IPAddress

LOOPBACK = ip_address("127.0.0.1")
NAMES = {
    "site.test": ["127.0.0.1"],
    "other.test": ["127.0.0.1"],
    "private.test": ["10.0.0.7"],
    "metadata.test": ["169.254.169.254"],
    "mixed.test": ["127.0.0.1", "192.168.0.1"],
}


@dataclass
class Reply:
    """What the site answers to one request."""

    body: bytes = b""
    type: str | None = "text/html; charset=utf-8"
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Request:
    """What the site was asked."""

    path: str
    headers: dict[str, str]


class Site:
    """Serves what a test puts at its paths; a list is answered one by one, its last forever."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply | list[Reply] | Callable[[Request], Reply]] = {}
        self.requests: list[Request] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        # Clients that give up break the pipe, which is what is being tested.
        self._http.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.port = self._http.server_port

    @property
    def paths(self) -> list[str]:
        """What was asked for, in order."""
        return [request.path for request in self.requests]

    def url(self, path: str = "/", host: str = "site.test") -> str:
        return f"http://{host}:{self.port}{path}"

    def put(self, path: str, body: str | bytes = b"", **reply: Any) -> None:
        """Serve a body at a path."""
        self.pages[path] = Reply(body.encode() if isinstance(body, str) else body, **reply)

    def redirect(self, path: str, to: str, status: int = 302) -> None:
        self.pages[path] = Reply(status=status, headers={"Location": to})

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        found = self.pages.get(request.path)
        if found is None:
            return Reply(b"<p>nothing here</p>", status=404)
        if isinstance(found, list):
            return found.pop(0) if len(found) > 1 else found[0]
        return found if isinstance(found, Reply) else found(request)

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(site: Site) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet an answer

        def do_GET(self) -> None:
            reply = site.answer(Request(self.path, {k.lower(): v for k, v in self.headers.items()}))
            self.send_response(reply.status)
            if reply.type is not None:
                self.send_header("Content-Type", reply.type)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if reply.status != 304:
                self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            self.wfile.write(reply.body)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@dataclass
class Opener:
    """Makes fetchers that may talk to 127.0.0.1 and to nothing else."""

    asked: list[str] = field(default_factory=list)
    slept: list[float] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=lambda: dict(NAMES))
    opened: list[Fetcher] = field(default_factory=list)

    def __call__(self, **options: Any) -> Fetcher:
        limits = FetchLimits(
            **{"seconds": 5.0, "connect_seconds": 2.0, **options.pop("limits", {})}
        )
        options = {
            "resolver": self.resolve,
            "sleep": self.slept.append,
            "_allow": is_loopback,
            **options,
        }
        fetcher = Fetcher(limits, **options)
        self.opened.append(fetcher)
        return fetcher

    def resolve(self, host: str) -> list[str]:
        self.asked.append(host)
        if host not in self.names:
            raise OSError("no such name")
        return self.names[host]


def is_loopback(address: IPAddress) -> bool:
    return address == LOOPBACK


class RawServer:
    """Lets a test write the bytes of each connection."""

    def __init__(self, speak: Callable[[socket.socket], None]) -> None:
        self._speak = speak
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"http://site.test:{self.port}/"
        self.connections = 0
        self._threads: list[threading.Thread] = []
        self._thread = threading.Thread(target=self._accept, daemon=True)
        self._thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(65536)
                self._speak(connection)
            except OSError:
                pass

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in (self._thread, *self._threads):
            thread.join(2)

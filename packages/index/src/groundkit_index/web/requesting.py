"""One request: sent without anything of the user's, answered within limits."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import httpcore

from groundkit_index.web.answers import FetchLimits, Validators
from groundkit_index.web.connecting import VettedBackend
from groundkit_index.web.decoding import (
    OFFERED,
    NotDecodableError,
    TooLargeError,
    collected,
    decoded,
    is_offered,
)
from groundkit_index.web.errors import AnswerError, FetchError, UnreachableError
from groundkit_index.web.urls import Url

_ACCEPT = "text/html,application/xhtml+xml,text/*;q=0.9,application/pdf;q=0.9,*/*;q=0.5"
_VISIBLE = frozenset(map(chr, range(0x20, 0x7F)))


class Answer:
    """The head of an answer, and its body as long as the connection is open.

    Args:
        url: what answered.
        response: the answer.
        conditional: whether the request was.
    """

    def __init__(self, url: Url, response: httpcore.Response, *, conditional: bool) -> None:
        self.url = url
        self.status = response.status
        self.conditional = conditional
        self._response = response

    def header(self, name: str) -> str | None:
        """Return the first header of a name, given in lower case."""
        return next(self._headers(name), None)

    def all_headers(self, name: str) -> str:
        """Return the headers of a name, given in lower case, one a line."""
        return "\n".join(self._headers(name))

    def body(self, limits: FetchLimits, largest: int, *, cut: bool) -> bytes:
        """Read the body and undo its encoding.

        Raises:
            AnswerError: it is too large, or in an encoding that cannot be undone.
        """
        encoding = self.header("content-encoding") or ""
        if not is_offered(encoding):
            detail = f"the body is in an encoding other than {OFFERED}"
            raise AnswerError("encoding_not_supported", detail, self.url.shown)
        pieces = decoded(self._wire(limits.wire_bytes), encoding)
        try:
            return collected(pieces, largest, cut=cut)
        except TooLargeError:
            detail = f"more than {min(largest, limits.wire_bytes):,} bytes"
            raise AnswerError("too_large", detail, self.url.shown) from None
        except NotDecodableError:
            detail = "the body is not in the encoding that it is said to be in"
            raise AnswerError("broken_encoding", detail, self.url.shown) from None

    def _headers(self, name: str) -> Iterator[str]:
        wanted = name.encode("ascii")
        for key, value in self._response.headers:
            if key.lower() == wanted:
                yield value.decode("latin-1").strip()

    def _wire(self, largest: int) -> Iterator[bytes]:
        announced = self.header("content-length") or ""
        if announced.isdecimal() and (len(announced) > 18 or int(announced) > largest):
            raise TooLargeError
        size = 0
        for block in self._response.iter_stream():
            size += len(block)
            if size > largest:
                raise TooLargeError
            yield block


class Connections:
    """Connections to servers, kept open by origin. For one thread at a time.

    Proxies, credentials, certificates and cookies of the environment are out of reach: httpcore
    looks at none, and nothing is kept between requests but the connection.

    Args:
        backend: opens the sockets.
        user_agent: the `User-Agent`.
        tls: verifies certificates; None takes those that certifi brings.
    """

    def __init__(self, backend: VettedBackend, user_agent: str, tls: ssl.SSLContext | None) -> None:
        self._backend = backend
        self._user_agent = user_agent
        self._tls = tls
        self._pools: dict[str, httpcore.ConnectionPool] = {}

    @contextmanager
    def get(self, url: Url, validators: Validators | None) -> Iterator[Answer]:
        """Send a request and yield the answer.

        Raises:
            UnreachableError: there is no answer, or it breaks off while it is read.
            FetchError: whatever is raised while it is read.
        """
        conditions = _conditions(validators)
        headers = [*self._headers(url), *conditions]
        extensions = {"timeout": {"connect": self._backend.deadline.left()}}
        try:
            with self._pool(url.scheme).stream(
                "GET", _core_url(url), headers=headers, extensions=extensions
            ) as response:
                yield Answer(url, response, conditional=bool(conditions))
        except FetchError:
            raise
        except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError) as error:
            raise _failure(error, url) from error

    def close(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            pool.close()
        self._pools.clear()

    def _pool(self, scheme: str) -> httpcore.ConnectionPool:
        if scheme not in self._pools:
            # Loading certificates takes 40 ms, and plain HTTP has no use for them.
            tls = (self._tls or _verifying()) if scheme == "https" else None
            self._pools[scheme] = httpcore.ConnectionPool(
                ssl_context=tls, max_connections=4, network_backend=self._backend
            )
        return self._pools[scheme]

    def _headers(self, url: Url) -> list[tuple[str, str]]:
        return [
            ("Host", url.origin.partition("://")[2]),
            ("User-Agent", self._user_agent),
            ("Accept", _ACCEPT),
            ("Accept-Encoding", OFFERED),
        ]


def _conditions(validators: Validators | None) -> list[tuple[str, str]]:
    if validators is None:
        return []
    found = (
        ("If-None-Match", validators.etag),
        ("If-Modified-Since", validators.last_modified),
    )
    return [(name, value) for name, value in found if value and _is_sendable(value)]


def _core_url(url: Url) -> httpcore.URL:
    return httpcore.URL(scheme=url.scheme, host=url.host, port=url.port, target=url.target)


def _is_sendable(value: str) -> bool:
    return len(value) <= 1024 and _VISIBLE.issuperset(value)


def _verifying() -> ssl.SSLContext:
    import certifi

    return ssl.create_default_context(cafile=certifi.where())


def _failure(error: Exception, url: Url) -> UnreachableError:
    if isinstance(error, httpcore.ConnectTimeout):
        return UnreachableError("unreachable", "the server does not answer in time", url.shown)
    if isinstance(error, httpcore.TimeoutException):
        return UnreachableError("too_slow", "the whole answer took too long", url.shown)
    if isinstance(error, httpcore.ConnectError):
        return UnreachableError("unreachable", "the server cannot be connected to", url.shown)
    return UnreachableError("broken_off", "the answer was broken off or is not HTTP", url.shown)

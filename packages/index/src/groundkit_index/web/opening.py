"""Sends requests of other protocols over vetted connections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import httpcore

from groundkit_core.errors import SourceError
from groundkit_index.web.addresses import is_public
from groundkit_index.web.connecting import VettedBackend
from groundkit_index.web.deadline import Deadline
from groundkit_index.web.ports import check_port
from groundkit_index.web.resolving import Resolver, resolve
from groundkit_index.web.urls import Url, join_url, parse_url
from groundkit_index.web.versions import USER_AGENT
from groundkit_index.web.vetting import AddressPolicy

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5
_CONNECT_SECONDS = 10.0
_SECONDS = 600.0
_READ_SECONDS = 60.0


@dataclass(slots=True)
class Answered:
    """An answer whose body is read piece by piece.

    Attributes:
        status: the HTTP status.
        url: where it came from, after redirects.
        headers: by name in lower case.
    """

    status: int
    url: str
    headers: Mapping[str, str]
    _response: httpcore.Response
    _pool: httpcore.ConnectionPool
    _left: bytes = b""
    _pieces: Iterator[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self._pieces = self._response.iter_stream()

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes of the body; empty at its end."""
        try:
            while not self._left:
                self._left = next(self._pieces)
        except StopIteration:
            return b""
        except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
            raise SourceError("the server broke off its answer; try again") from None
        piece, self._left = self._left[:size], self._left[size:]
        return piece

    def close(self) -> None:
        """Close the connection."""
        self._response.close()
        self._pool.close()


class PublicOpener:
    """Sends requests to the public internet, as `Fetcher` does: vetted, pinned, without proxies.

    Args:
        resolver: knows the addresses of names.
        _allow: which addresses may be connected to; for tests that talk to their own servers.
    """

    def __init__(self, resolver: Resolver = resolve, *, _allow: AddressPolicy = is_public) -> None:
        self._resolver = resolver
        self._allows = _allow

    def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> Answered:
        """Return the answer; redirects of GET are followed.

        Raises:
            SourceError: the address is refused, or there is no answer.
        """
        place = parse_url(url)
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._send(method, place, headers, body)
            target = answer.headers.get("location")
            if method != "GET" or answer.status not in _REDIRECTS or not target:
                return answer
            answer.close()
            before, place = place, join_url(place, target)
            if before.scheme == "https" and place.scheme != "https":
                raise SourceError("the server leads from https to http; that is not followed")
        raise SourceError("the server leads from one address to the next without end")

    def _send(
        self, method: str, url: Url, headers: Mapping[str, str], body: bytes | None
    ) -> Answered:
        check_port(url)
        backend = VettedBackend(self._resolver, self._allows, _CONNECT_SECONDS)
        backend.deadline = Deadline(_SECONDS)
        pool = httpcore.ConnectionPool(network_backend=backend, max_connections=1)
        sent = {"host": url.origin.partition("://")[2], "user-agent": USER_AGENT, **headers}
        timeout = {"connect": _CONNECT_SECONDS, "read": _READ_SECONDS, "write": _READ_SECONDS}
        request = httpcore.Request(
            method,
            str(url),
            headers=list(sent.items()),
            content=body,
            extensions={"timeout": timeout},
        )
        try:
            response = pool.handle_request(request)
        except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProtocolError):
            pool.close()
            raise SourceError(f"{url.host} does not answer; try again") from None
        except BaseException:
            pool.close()
            raise
        found = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in response.headers}
        return Answered(response.status, str(url), found, response, pool)


def public_opener() -> PublicOpener:
    """Return what sends git's requests to the public internet."""
    return PublicOpener()

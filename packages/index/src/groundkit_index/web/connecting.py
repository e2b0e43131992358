"""Connections that go only to vetted addresses and last no longer than allowed."""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from typing import Any

import httpcore

from groundkit_index.web.deadline import Deadline
from groundkit_index.web.errors import UnreachableError
from groundkit_index.web.resolving import Resolver
from groundkit_index.web.vetting import AddressPolicy, vetted_addresses

_MOST_ADDRESSES = 4


class VettedBackend(httpcore.NetworkBackend):
    """Opens sockets for httpcore: the one place where a name becomes an address.

    Since the very call that connects has vetted the address, no second answer of the name
    server can lead elsewhere. TLS is verified for the name.

    Args:
        resolver: knows the addresses of names.
        allows: tells which of them may be connected to.
        connect_seconds: how long resolving and connecting may take together.
    """

    def __init__(self, resolver: Resolver, allows: AddressPolicy, connect_seconds: float) -> None:
        self._resolver = resolver
        self._allows = allows
        self._connect_seconds = connect_seconds
        self._sockets = httpcore.SyncBackend()
        self.deadline = Deadline(connect_seconds)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        """Connect to the first address of a host that answers; all of them must be allowed.

        Raises:
            ForbiddenError: one of them is not allowed.
            UnreachableError: there is none.
            httpcore.ConnectError, httpcore.ConnectTimeout: none answers.
        """
        until = Deadline(min(self._connect_seconds, self.deadline.left()))
        found = vetted_addresses(host, self._resolver, self._allows, until.left())
        failure: Exception | None = None
        for address in found[:_MOST_ADDRESSES]:
            if until.left() <= 0:
                break
            try:
                stream = self._sockets.connect_tcp(str(address), port, timeout=until.left())
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
            else:
                return _TimedStream(stream, self)
        raise failure or httpcore.ConnectTimeout("no time is left")


class _TimedStream(httpcore.NetworkStream):
    """Lets no operation outlast the deadline; single reads of a slow drip all succeed."""

    def __init__(self, stream: httpcore.NetworkStream, backend: VettedBackend) -> None:
        self._stream = stream
        self._backend = backend

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._left(httpcore.ReadTimeout, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._left(httpcore.WriteTimeout, timeout))

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        left = self._left(httpcore.ConnectTimeout, timeout)
        try:
            secured = self._stream.start_tls(ssl_context, server_hostname, left)
        except httpcore.ConnectError as error:
            if isinstance(error.__cause__, ssl.SSLCertVerificationError):
                detail = "the server's certificate cannot be verified"
                raise UnreachableError("bad_certificate", detail, server_hostname or "") from error
            raise
        return _TimedStream(secured, self._backend)

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def _left(self, expired: type[httpcore.TimeoutException], timeout: float | None) -> float:
        left = self._backend.deadline.left()
        if left <= 0:
            raise expired("the whole took too long")
        return left if timeout is None else min(left, timeout)

"""Fetches from the public internet, and from nowhere else."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from groundkit_index.embedders.remote.patience import Patience
from groundkit_index.web.addresses import is_public
from groundkit_index.web.answers import Fetched, FetchLimits, Validators
from groundkit_index.web.connecting import VettedBackend
from groundkit_index.web.deadline import Deadline
from groundkit_index.web.errors import (
    AnswerError,
    FetchError,
    ForbiddenError,
    StatusError,
    UnreachableError,
)
from groundkit_index.web.media import Accepts, is_document, parse_content_type
from groundkit_index.web.ports import check_port
from groundkit_index.web.requesting import Answer, Connections
from groundkit_index.web.resolving import Resolver, resolve
from groundkit_index.web.urls import Url, join_url, parse_url
from groundkit_index.web.versions import USER_AGENT
from groundkit_index.web.vetting import AddressPolicy, literal_address

_GOOD = frozenset({200, 203})
_BUSY = frozenset({429, 503})
_PERMANENT = frozenset({301, 308})
_REDIRECTS = _PERMANENT | {302, 303, 307}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What one call of `get` asks for."""

    known: Mapping[str, Validators]
    accepts: Accepts
    largest: int
    cut: bool


class Fetcher:
    """Fetches addresses; a context manager that keeps connections. For one thread at a time.

    A name is resolved once a connection and every address it has must be public; the
    connection goes to the address that was vetted. Redirects are vetted like any address. No
    credentials, cookies or proxies are used, and nothing of the environment is looked at.

    Args:
        limits: what one fetch may take.
        resolver: knows the addresses of names.
        sleep: waits before another attempt.
        tls: verifies certificates; None takes those that certifi brings.
        _allow: which addresses may be connected to. For tests that talk to their own servers;
            nothing in the product passes it, and no setting leads here.
    """

    def __init__(
        self,
        limits: FetchLimits | None = None,
        *,
        resolver: Resolver = resolve,
        sleep: Callable[[float], None] = time.sleep,
        tls: ssl.SSLContext | None = None,
        _allow: AddressPolicy = is_public,
    ) -> None:
        self.limits = limits or FetchLimits()
        self.sleep = sleep
        self._allows = _allow
        self._backend = VettedBackend(resolver, _allow, self.limits.connect_seconds)
        self._connections = Connections(self._backend, USER_AGENT, tls)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections; the next fetch opens new ones."""
        self._connections.close()

    def get(
        self,
        url: str | Url,
        *,
        known: Mapping[str, Validators] | None = None,
        accepts: Accepts = is_document,
        largest: int | None = None,
        cut: bool = False,
    ) -> Fetched:
        """Fetch an address, following redirects.

        Args:
            url: the address.
            known: what is known of addresses, by `str(Url)`; the address itself and every one
                that it redirects to is asked for conditionally when it is among them.
            accepts: which content types are taken.
            largest: bytes that the decoded body may have; None takes the limit.
            cut: take the first `largest` bytes of a longer body.

        Raises:
            FetchError: one of its subclasses; see `groundkit_index.web.errors`.
        """
        start = parse_url(url) if isinstance(url, str) else url
        wanted = _Wanted(known or {}, accepts, largest or self.limits.decoded_bytes, cut)
        self._backend.deadline = Deadline(self.limits.seconds)
        target, met, moved = start, {start}, True
        while True:
            answer, body = self._patiently(target, wanted)
            location = answer.header("location")
            if answer.status not in _REDIRECTS or location is None:
                break
            target = self._next(target, location, met)
            moved = moved and answer.status in _PERMANENT
        return _fetched(start, answer, body, moved=moved and target != start)

    def _patiently(self, target: Url, wanted: _Wanted) -> tuple[Answer, bytes]:
        """Ask again while the server is busy or breaks off, as far as patience goes."""
        patience = Patience(self.limits.attempts, self.limits.longest_wait)
        attempt, retry_after = 0, None
        while True:
            failure: FetchError | None = None
            try:
                answer, body = self._ask(target, wanted)
                if answer.status not in _BUSY:
                    return answer, body
                retry_after = answer.header("retry-after")
                failure = StatusError(answer.status, target.shown)
            except UnreachableError as error:
                if error.reason != "broken_off":
                    raise
                failure = error
            wait = patience.wait(attempt, retry_after)
            if wait is None:
                raise failure
            self.sleep(wait)
            self._backend.deadline.postpone(wait)
            attempt += 1

    def _ask(self, target: Url, wanted: _Wanted) -> tuple[Answer, bytes]:
        """Send one request; the body is read only when it is wanted."""
        self._vet(target)
        validators = wanted.known.get(str(target))
        with self._connections.get(target, validators) as answer:
            if answer.status in _GOOD:
                _check_type(answer, wanted.accepts)
                return answer, answer.body(self.limits, wanted.largest, cut=wanted.cut)
        return answer, b""

    def _vet(self, target: Url) -> None:
        """Refuse what needs no resolver to be refused."""
        check_port(target, self.limits.ports)
        address = literal_address(target.host)
        if address is not None and not self._allows(address):
            detail = "only addresses of the public internet are fetched"
            raise ForbiddenError("forbidden_address", detail, target.shown)

    def _next(self, current: Url, location: str, met: set[Url]) -> Url:
        """Return where a redirect leads to.

        Raises:
            ForbiddenError: it goes in a circle, on and on, or from HTTPS to HTTP.
        """
        with suppress(UnicodeDecodeError):
            # Servers send UTF-8 where the standard wants percent-encoding.
            location = location.encode("latin-1").decode("utf-8")
        try:
            target = join_url(current, location)
        except ForbiddenError as error:
            detail = f"it redirects where nothing is fetched: {error.detail}"
            raise ForbiddenError(error.reason, detail, current.shown) from None
        if current.scheme == "https" and target.scheme == "http":
            raise ForbiddenError("downgrade", "it redirects from https to http", current.shown)
        if target in met:
            raise ForbiddenError("redirect_loop", "it redirects in a circle", current.shown)
        if len(met) > self.limits.redirects:
            detail = f"more than {self.limits.redirects} redirects"
            raise ForbiddenError("too_many_redirects", detail, current.shown)
        met.add(target)
        return target


def _check_type(answer: Answer, accepts: Accepts) -> None:
    content_type, _ = parse_content_type(answer.header("content-type") or "")
    if not accepts(content_type):
        detail = f"{content_type or 'no type'} is not a type of document that can be read"
        raise AnswerError("type_not_supported", detail, answer.url.shown)


def _fetched(start: Url, answer: Answer, body: bytes, *, moved: bool) -> Fetched:
    """Return what came of it.

    Raises:
        StatusError: nothing good, or 304 without a condition.
    """
    if answer.status not in _GOOD and not (answer.status == 304 and answer.conditional):
        raise StatusError(answer.status, answer.url.shown)
    content_type, charset = parse_content_type(answer.header("content-type") or "")
    return Fetched(
        status=answer.status,
        url=str(start),
        final_url=str(answer.url),
        moved=moved,
        content_type=content_type,
        charset=charset,
        etag=answer.header("etag"),
        last_modified=answer.header("last-modified"),
        robots=answer.all_headers("x-robots-tag"),
        body=body,
        not_modified=answer.status == 304,
    )

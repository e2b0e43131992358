"""Speaks git's smart HTTP through a connection that somebody else vets."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from dulwich.client import AbstractHttpGitClient

from groundkit_core.errors import SourceError


class Response(Protocol):
    """The answer to a request.

    Attributes:
        status: the HTTP status.
        url: where it came from, after redirects.
        headers: the header fields, by name in lower case.
    """

    @property
    def status(self) -> int:
        """See above."""

    @property
    def url(self) -> str:
        """See above."""

    @property
    def headers(self) -> Mapping[str, str]:
        """See above."""

    def read(self, size: int) -> bytes:
        """Return at most `size` bytes of the body, decoded; empty at its end."""

    def close(self) -> None:
        """Give the connection back."""


class Opener(Protocol):
    """Sends a request; everything that git sends goes through it.

    It resolves and vets the host of every hop, pins the address, ignores proxies and `.netrc`
    of the environment, sets time limits for connecting and for each read, and follows
    redirects of GET requests only.
    """

    def __call__(
        self, method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> Response:
        """Return the answer.

        Raises:
            SourceError: the address is refused, or there is no answer.
        """


@dataclass(slots=True)
class Budget:
    """How much may still be received.

    Attributes:
        left: bytes.
        deadline: in seconds of `time.monotonic`.
    """

    left: int
    deadline: float

    def spend(self, size: int) -> None:
        """Take bytes off.

        Raises:
            SourceError: there are too many, or it takes too long.
        """
        self.left -= size
        if self.left < 0:
            raise SourceError("the repository sends too much; clone it and name a folder of it")
        if time.monotonic() > self.deadline:
            raise SourceError("the repository takes too long to fetch; clone it and name the clone")


class _Answer:
    """What dulwich wants of a response."""

    def __init__(self, response: Response, url: str) -> None:
        self.content_type = response.headers.get("content-type")
        self.redirect_location = response.url if response.url != url else ""
        self.close = response.close


class VettedClient(AbstractHttpGitClient):
    """A client of one repository that opens no connection itself.

    Args:
        url: the repository.
        opener: sends the requests.
        budget: what may be received.
    """

    def __init__(self, url: str, opener: Opener, budget: Budget) -> None:
        # Some servers insist on it; with nothing to build on, a pack is whole all the same.
        super().__init__(url, thin_packs=True, quiet=True)
        self._fetch_capabilities.discard(b"packfile-uris")  # packs come from the server itself
        self._opener = opener
        self._budget = budget
        self._origins = {_origin(url)}

    def _http_request(  # type: ignore[override]
        self,
        url: str,
        headers: dict[str, str] | None = None,
        data: bytes | Iterator[bytes] | None = None,
        raise_for_status: bool = True,
    ) -> tuple[_Answer, Callable[[int], bytes]]:
        if _origin(url) not in self._origins:
            raise SourceError("the repository's server sends to another one, which is not followed")
        body = b"".join(data) if data is not None and not isinstance(data, bytes) else data
        sent = {"Accept-Encoding": "identity", "Pragma": "no-cache", **(headers or {})}
        response = self._opener("GET" if body is None else "POST", url, sent, body)
        try:
            _check_status(response.status)
            if body is None:
                _check_smart(response)
                if _is_secure_move(url, response.url):
                    self._origins.add(_origin(response.url))
        except BaseException:
            response.close()
            raise
        return _Answer(response, url), self._reading(response)

    def _reading(self, response: Response) -> Callable[[int], bytes]:
        def read(size: int) -> bytes:
            pieces, wanted = [], size
            while wanted > 0 and (piece := response.read(wanted)):
                self._budget.spend(len(piece))
                pieces.append(piece)
                wanted -= len(piece)
            return b"".join(pieces)

        return read

    @staticmethod
    def _warn_filter_objects() -> None:
        """Say nothing: a server that cannot leave out large files sends them."""


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc.lower()


def _is_secure_move(before: str, after: str) -> bool:
    return _origin(after)[0] == "https" or _origin(after) == _origin(before)


def _check_smart(response: Response) -> None:
    if not response.headers.get("content-type", "").startswith("application/x-git-"):
        raise SourceError("the URL is no git repository over smart HTTP; check it, or clone it")


def _check_status(status: int) -> None:
    if status in (401, 403, 404):
        raise SourceError(
            "there is no such repository that anybody may read; "
            "check the URL, or clone it and name the clone"
        )
    if status != 200:
        raise SourceError(f"the repository's server answered {status}; try again later")

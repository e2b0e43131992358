"""What a fetch returns, what it remembers for the next time, and its limits."""

from __future__ import annotations

from dataclasses import dataclass

_MIB = 2**20


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one fetch may take.

    Attributes:
        wire_bytes: bytes of a body as it is sent.
        decoded_bytes: bytes of a body after its content encoding is undone.
        seconds: for everything but intended waits: all redirects and attempts together.
        connect_seconds: for resolving a name and connecting.
        redirects: how many are followed.
        attempts: requests in all when a server is busy or breaks off.
        longest_wait: seconds that a `Retry-After` may ask for.
        ports: ports that are allowed beyond those of the web.
    """

    wire_bytes: int = 32 * _MIB
    decoded_bytes: int = 32 * _MIB
    seconds: float = 30.0
    connect_seconds: float = 10.0
    redirects: int = 5
    attempts: int = 3
    longest_wait: float = 60.0
    ports: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Validators:
    """What is known of an address from the last time.

    Attributes:
        etag: the `ETag` header.
        last_modified: the `Last-Modified` header.
        sha256: hexadecimal digest of the body; tells an unchanged body of a server that does
            not answer conditional requests.
        links: where the page led to, as `Page.links`; a crawl follows them when the page is
            unchanged.
    """

    etag: str | None = None
    last_modified: str | None = None
    sha256: str | None = None
    links: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer.

    Attributes:
        status: 200, 203 or 304.
        url: what was asked for.
        final_url: what answered, after all redirects.
        moved: all redirects were permanent ones; false when there was none.
        content_type: lower-case, without parameters; empty when not said.
        charset: from the content type.
        etag: the `ETag` header.
        last_modified: the `Last-Modified` header.
        robots: the `X-Robots-Tag` headers, one a line.
        body: without content encoding; empty when not modified.
        not_modified: the body is what it was when the validators were noted.
    """

    status: int
    url: str
    final_url: str
    moved: bool
    content_type: str
    charset: str | None
    etag: str | None
    last_modified: str | None
    robots: str
    body: bytes
    not_modified: bool

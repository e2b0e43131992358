"""What a crawl finds."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_index.web.answers import Validators


@dataclass(frozen=True, slots=True)
class Page:
    """A document that is new or has changed.

    Attributes:
        url: what was asked for, such as a link.
        final_url: where it is; the key under which the next crawl expects its validators.
        content_type: lower-case, without parameters; empty when not said.
        charset: from the content type.
        body: without content encoding.
        sha256: hexadecimal digest of the body.
        etag: the `ETag` header.
        last_modified: the `Last-Modified` header.
        links: addresses within the crawl that it leads to.
    """

    url: str
    final_url: str
    content_type: str
    charset: str | None
    body: bytes
    sha256: str
    etag: str | None
    last_modified: str | None
    links: tuple[str, ...] = ()

    @property
    def validators(self) -> Validators:
        """What the next crawl wants to know of it."""
        return Validators(self.etag, self.last_modified, self.sha256, self.links)


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A known document is what it was.

    Attributes:
        url: what was asked for.
        final_url: where it is; its key among the known ones.
        validators: what the next crawl wants to know of it.
    """

    url: str
    final_url: str
    validators: Validators


@dataclass(frozen=True, slots=True)
class Gone:
    """A known document is no more, so says its server; what was made of it can be removed.

    Attributes:
        url: its key among the known ones.
        reason: `http_404`, `http_410`, `moved`, `noindex`, `duplicate` or `not_canonical`.
        instead: the address that took its place, if one did.
    """

    url: str
    reason: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """An address that gives no document now; what was made of it before stays.

    Attributes:
        url: the address; credentials never get here, a query may.
        reason: a stable reason code: those of `FetchError`, and `robots`, `noindex`, `trap`,
            `duplicate`, `not_canonical`, `outside_prefix`, `over_limit`, `host_unreachable`.
        detail: what was found.
    """

    url: str
    reason: str
    detail: str = ""


Event = Page | Unchanged | Gone | Refused

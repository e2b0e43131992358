"""What an answer means for the documents that are known."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from groundkit_index.web.answers import Fetched, Validators
from groundkit_index.web.errors import FetchError
from groundkit_index.web.events import Event, Gone, Page, Refused, Unchanged
from groundkit_index.web.links import PageLinks
from groundkit_index.web.urls import Url

_GONE = frozenset({"http_404", "http_410"})


class Judge:
    """Makes events of answers, and remembers which addresses are settled.

    Args:
        known: what is known of documents, by address.
    """

    def __init__(self, known: Mapping[str, Validators]) -> None:
        self.known = known
        self.settled: set[str] = set()
        self._digests: dict[str, str] = {}

    def refused(self, url: Url, reason: str, detail: str) -> Refused:
        """Return that an address gives no document now."""
        self.settled.add(str(url))
        return Refused(str(url), reason, detail)

    def failed(self, url: Url, error: FetchError) -> Event:
        """Return what a failure means: only the server's word removes a known document."""
        if error.reason in _GONE:
            return self._dropped(url, error.reason, error.detail)
        return self.refused(url, error.reason, error.detail)

    def redirected(self, url: Url, final: Url, *, moved: bool, within: bool) -> Event | None:
        """Return what a redirect means for the address that it starts from, if anything.

        Args:
            url: the address.
            final: where it leads.
            moved: for good.
            within: whether that belongs to the crawl.
        """
        if str(url) in self.known and moved:
            return self._dropped(url, "moved", "", final)
        if str(url) in self.known:
            return self.refused(url, "redirected", f"for now, it leads to {final.shown}")
        if not within:
            return self.refused(url, "outside_prefix", f"it leads to {final.shown}")
        if str(final) in self.settled:
            return self.refused(url, "duplicate", f"it leads to {final.shown}")
        return None

    def document(
        self, url: Url, final: Url, fetched: Fetched, found: PageLinks, links: tuple[str, ...]
    ) -> Event:
        """Return what an answer is.

        Args:
            url: what was asked for.
            final: what answered.
            fetched: the answer.
            found: what the page says; its `canonical` is set only when it counts.
            links: where it leads to within the crawl.
        """
        self.settled.update((str(url), str(final)))
        before = self.known.get(str(final)) or Validators()
        now = _validators(fetched, before, links)
        if found.noindex:
            return self._dropped(final, "noindex", "the page asks not to be indexed")
        if found.canonical is not None:
            return self._dropped(final, "not_canonical", "the page is", found.canonical)
        first = self._digests.setdefault(now.sha256 or str(final), str(final))
        if first != str(final):
            return self._dropped(final, "duplicate", "the same is at", first)
        if fetched.not_modified or now.sha256 == before.sha256:
            return Unchanged(str(url), str(final), now)
        return Page(
            url=str(url),
            final_url=str(final),
            content_type=fetched.content_type,
            charset=fetched.charset,
            body=fetched.body,
            sha256=now.sha256 or "",
            etag=now.etag,
            last_modified=now.last_modified,
            links=links,
        )

    def _dropped(self, url: Url, reason: str, detail: str, instead: Url | str = "") -> Event:
        """Return that an address is no document (any more)."""
        if str(url) in self.known:
            self.settled.add(str(url))
            return Gone(str(url), reason, str(instead) or None)
        return self.refused(url, reason, f"{detail} {instead}".strip())


def _validators(fetched: Fetched, before: Validators, links: tuple[str, ...]) -> Validators:
    if fetched.not_modified:
        return replace(
            before,
            etag=fetched.etag or before.etag,
            last_modified=fetched.last_modified or before.last_modified,
            links=links,
        )
    digest = hashlib.sha256(fetched.body).hexdigest()
    return Validators(fetched.etag, fetched.last_modified, digest, links)

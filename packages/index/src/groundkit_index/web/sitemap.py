"""Sitemaps: XML (also packed), indexes of them, and plain lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from xml.sax import SAXException
from xml.sax.handler import ContentHandler

from groundkit_index.web.answers import Fetched
from groundkit_index.web.decoding import NotDecodableError, TooLargeError, gunzip
from groundkit_index.web.errors import FetchError, ForbiddenError
from groundkit_index.web.urls import Url, join_url, parse_url

LARGEST = 64 * 2**20
"""Bytes of an unpacked sitemap; the protocol allows 50 MB."""

_MOST_ENTRIES = 50_000
_MOST_FILES = 200
_DEEPEST = 3
_DEEPEST_ELEMENT = 32
_LONGEST_ADDRESS = 4096
# The group is atomic, or a page of comments could be split in endlessly many ways.
_ROOT = re.compile(
    rb"[\xef\xbb\xbf\xff\xfe]{0,3}\s*(?>(?:<\?.*?\?>|<!--.*?-->)\s*)*"
    rb"<(?:[\w.-]+:)?(?:urlset|sitemapindex)[\s>/]",
    re.DOTALL,
)
_HEAD = 4096
_GZIP_MAGIC = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Sitemap:
    """One sitemap file.

    Attributes:
        is_index: whether it lists sitemaps, not pages.
        locations: what it lists, as it stands there.
        broken: it ended early or is not well-formed; what came before is listed.
        cut: it lists more than the 50,000 that a sitemap may.
    """

    is_index: bool
    locations: tuple[str, ...]
    broken: bool = False
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """A part of a sitemap that could not be used.

    Attributes:
        url: which file.
        reason: a stable reason code.
        detail: what was found.
    """

    url: str
    reason: str
    detail: str


def read_sitemap(body: bytes, *, path: str = "") -> Sitemap | None:
    """Return a sitemap, or None when the bytes are none.

    Args:
        body: the file, maybe packed with gzip.
        path: of its address; only `.txt` is taken for a plain list of addresses.

    Raises:
        NotDecodableError: it is packed and broken.
        TooLargeError: it is packed and holds more than 64 MiB.
    """
    if body.startswith(_GZIP_MAGIC):
        body = gunzip(body, LARGEST)
    if _ROOT.match(_head(body)):
        return _read_xml(body)
    return _read_list(body) if path.lower().endswith((".txt", ".txt.gz")) else None


def expand_sitemap(
    first: Fetched,
    sitemap: Sitemap,
    get: Callable[[Url], Fetched],
    within: Callable[[Url], bool],
) -> Iterator[Url | Problem]:
    """Yield the addresses that a sitemap and the sitemaps it names list, in their order.

    Args:
        first: the sitemap as it was fetched.
        sitemap: what is in it.
        get: fetches further ones; they are taken from the same host only.
        within: tells whether an address is to be yielded; the others are counted.
    """
    expansion = _Expansion(get, within, parse_url(first.final_url).host)
    yield from expansion.walk(sitemap, parse_url(first.final_url), depth=1)
    if expansion.outside:
        yield Problem(first.final_url, "outside_prefix", f"{expansion.outside:,} addresses")


class _Expansion:
    def __init__(
        self, get: Callable[[Url], Fetched], within: Callable[[Url], bool], host: str
    ) -> None:
        self._get = get
        self._within = within
        self._host = host
        self._files: set[Url] = set()
        self._seen: set[Url] = set()
        self.outside = 0

    def walk(self, sitemap: Sitemap, place: Url, depth: int) -> Iterator[Url | Problem]:
        self._files.add(place)
        if sitemap.broken:
            yield Problem(str(place), "broken", "the sitemap is not well-formed XML to its end")
        if sitemap.cut:
            yield Problem(str(place), "over_limit", f"more than {_MOST_ENTRIES:,} entries")
        for location in sitemap.locations:
            target = _resolved(place, location)
            if target is None or (sitemap.is_index and target.host != self._host):
                self.outside += 1
            elif sitemap.is_index:
                yield from self._enter(target, depth + 1)
            elif target not in self._seen:
                yield from self._page(target)

    def _page(self, target: Url) -> Iterator[Url | Problem]:
        if len(self._seen) == _MOST_ENTRIES:
            yield Problem(str(target), "over_limit", f"more than {_MOST_ENTRIES:,} entries")
        if len(self._seen) <= _MOST_ENTRIES:
            self._seen.add(target)
            if self._within(target):
                yield target
            else:
                self.outside += 1

    def _enter(self, target: Url, depth: int) -> Iterator[Url | Problem]:
        if target in self._files:
            return
        if depth > _DEEPEST or len(self._files) >= _MOST_FILES:
            yield Problem(str(target), "over_limit", "sitemaps nest too deep or are too many")
            return
        self._files.add(target)
        try:
            fetched = self._get(target)
            sitemap = read_sitemap(fetched.body, path=target.path)
        except FetchError as error:
            yield Problem(str(target), error.reason, error.detail)
        except (NotDecodableError, TooLargeError):
            yield Problem(str(target), "broken", "the packed sitemap cannot be unpacked")
        else:
            if sitemap is None:
                yield Problem(str(target), "type_not_supported", "it is not a sitemap")
            else:
                yield from self.walk(sitemap, parse_url(fetched.final_url), depth)


def _head(body: bytes) -> bytes:
    head = body[:_HEAD]
    return head.replace(b"\0", b"") if head.startswith((b"\xff\xfe", b"\xfe\xff")) else head


def _read_list(body: bytes) -> Sitemap | None:
    lines = body.decode("utf-8-sig", "replace").split()
    if not lines or not all(line.startswith(("http://", "https://")) for line in lines):
        return None
    return Sitemap(False, tuple(lines[:_MOST_ENTRIES]), cut=len(lines) > _MOST_ENTRIES)


def _read_xml(body: bytes) -> Sitemap:
    """Read without building a tree; no document type and no entities are taken."""
    sax = import_module("defusedxml.sax")
    refused = import_module("defusedxml").DefusedXmlException
    found = _Locations()
    try:
        sax.parseString(body, found, forbid_dtd=True)
    except _EnoughError:
        return Sitemap(found.is_index, tuple(found.locations), cut=True)
    except (SAXException, refused, ValueError, LookupError):
        return Sitemap(found.is_index, tuple(found.locations), broken=True)
    return Sitemap(found.is_index, tuple(found.locations))


class _EnoughError(Exception):
    """There are more entries than are taken."""


class _Locations(ContentHandler):
    """Collects `<loc>` of `<url>` and `<sitemap>`, whatever prefix they have."""

    def __init__(self) -> None:
        super().__init__()
        self.is_index = False
        self.locations: list[str] = []
        self._path: list[str] = []
        self._text: list[str] | None = None
        self._length = 0

    def startElement(self, name: str, attrs: Any) -> None:  # noqa: N802
        local = name.rpartition(":")[2].lower()
        if not self._path:
            self.is_index = local == "sitemapindex"
        self._path.append(local)
        if len(self._path) > _DEEPEST_ELEMENT:
            raise SAXException("elements nest too deep")
        entry = "sitemap" if self.is_index else "url"
        # Images and videos have addresses of their own in `<image:loc>`, a level deeper.
        if self._path[1:] == [entry, "loc"]:
            self._text, self._length = [], 0

    def endElement(self, name: str) -> None:  # noqa: N802
        if self._text is not None and len(self._path) == 3:
            if len(self.locations) >= _MOST_ENTRIES:
                raise _EnoughError
            self.locations.append("".join(self._text).strip())
            self._text = None
        self._path.pop()

    def characters(self, content: str) -> None:
        if self._text is not None and self._length <= _LONGEST_ADDRESS:
            self._text.append(content)
            self._length += len(content)


def _resolved(base: Url, location: str) -> Url | None:
    try:
        return join_url(base, location)
    except ForbiddenError:
        return None

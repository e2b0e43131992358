"""Where an HTML page leads, and what it says to crawlers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from groundkit_index.web.errors import ForbiddenError
from groundkit_index.web.tags import start_tags
from groundkit_index.web.urls import Url, join_url
from groundkit_index.web.versions import PRODUCT

MOST_LINKS = 10_000
"""Links of one page that are looked at."""

_PLACES = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
_WANTED = frozenset({*_PLACES, "base", "link", "meta"})
_REFRESH = re.compile(r"\s*[\d.]+\s*[;,]?\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)
_VALUED = ("max-", "unavailable_after")
_BLANKS = re.compile(r"[\t\n\r]")


@dataclass(frozen=True, slots=True)
class PageLinks:
    """Where a page leads.

    Attributes:
        links: addresses in the order of the page, each once, without those that are not to be
            followed (`rel=nofollow`, or `nofollow` for the whole page).
        canonical: the address that the page says is its own.
        noindex: the page is not to be indexed.
    """

    links: tuple[Url, ...]
    canonical: Url | None
    noindex: bool


def page_links(html: bytes, url: Url, *, charset: str | None = None, robots: str = "") -> PageLinks:
    """Return where a page leads.

    Args:
        html: the page.
        url: its address; a `<base>` in it changes what links are relative to.
        charset: of the page; anything unknown is read as UTF-8.
        robots: the `X-Robots-Tag` headers, one a line.
    """
    said = _read(_text(html, charset))
    directives = said.directives | _header_directives(robots)
    base = (_resolved(url, said.base) if said.base is not None else None) or url
    follow = directives.isdisjoint({"nofollow", "none"})
    links = dict.fromkeys(_all_resolved(base, said.references)) if follow else {}
    links.pop(url, None)
    return PageLinks(
        links=tuple(links),
        canonical=_resolved(base, said.canonical) if said.canonical is not None else None,
        noindex=not directives.isdisjoint({"noindex", "none"}),
    )


@dataclass(slots=True)
class _Said:
    """What the tags of a page say, as it stands there."""

    references: list[str] = field(default_factory=list)
    base: str | None = None
    canonical: str | None = None
    directives: set[str] = field(default_factory=set)


def _text(html: bytes, charset: str | None) -> str:
    try:
        return html.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):  # no charset, or one that decodes to no text
        return html.decode("utf-8", "replace")


def _read(page: str) -> _Said:
    said = _Said()
    for name, attributes in start_tags(page, _WANTED):
        relations = attributes.get("rel", "").lower().split()
        if name == "base" and said.base is None:
            said.base = attributes.get("href")
        elif name == "link" and said.canonical is None and "canonical" in relations:
            said.canonical = attributes.get("href")
        elif name == "meta":
            _read_meta(said, attributes)
        elif (place := _PLACES.get(name)) in attributes and "nofollow" not in relations:
            said.references.append(attributes[place or ""])
            if len(said.references) == MOST_LINKS:
                break
    return said


def _read_meta(said: _Said, attributes: dict[str, str]) -> None:
    content = attributes.get("content", "")
    if attributes.get("http-equiv", "").strip().lower() == "refresh":
        refresh = _REFRESH.match(content)
        said.references += [refresh[1]] if refresh else []
    if attributes.get("name", "").strip().lower() in ("robots", PRODUCT):
        said.directives |= _words(content)


def _all_resolved(base: Url, references: Iterable[str]) -> Iterator[Url]:
    for reference in references:
        target = _resolved(base, reference)
        if target is not None:
            yield target


def _resolved(base: Url, reference: str) -> Url | None:
    """Return an address as browsers read it: blanks around it off, inside it encoded."""
    cleaned = _BLANKS.sub("", reference).strip().replace(" ", "%20")
    if not cleaned or cleaned.startswith("#"):
        return None
    try:
        return join_url(base, cleaned)
    except ForbiddenError:
        return None


def _header_directives(robots: str) -> set[str]:
    """Return the directives for all crawlers and for this one; `otherbot: none` is for others."""
    found: set[str] = set()
    for header in robots.lower().splitlines():
        agent = PRODUCT
        for part in header.split(","):
            name, colon, directive = part.rpartition(":")
            if colon and not name.strip().startswith(_VALUED):
                agent = name.strip()
            if agent == PRODUCT:
                found.add(directive.strip())
    return found


def _words(content: str) -> set[str]:
    return {word.strip() for word in content.lower().split(",")}

"""The package document of an e-book: its title, reading order and table of contents."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.containers import Container
from groundkit_index.loaders.xmltree import Element, parse

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_TYPE = "{http://www.idpf.org/2007/ops}type"
_NCX_TYPE = "application/x-dtbncx+xml"
_CHAPTER_TYPES = frozenset({"application/xhtml+xml", "text/html", "application/x-dtbook+xml"})
_ASIDE = frozenset({"cover", "toc"})
_FONTS_ONLY = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
"""What obfuscates fonts and leaves the text readable."""


class Chapter(NamedTuple):
    """A content document in the reading order.

    Attributes:
        member: its name in the container.
        href: its address as the package document writes it.
        title: what the table of contents calls it; may be empty.
        level: how deep it stands there, from 1.
    """

    member: str
    href: str
    title: str
    level: int


_Reader = Callable[[Element], Iterator[tuple[str, str, int]]]


class _Item(NamedTuple):
    href: str
    kind: str
    properties: frozenset[str]


class _Entry(NamedTuple):
    target: str
    title: str
    level: int


class Publication:
    """An e-book.

    Attributes:
        title: its title; may be empty.

    Raises:
        DocumentRefusedError: it is protected, or no e-book.
    """

    def __init__(self, container: Container) -> None:
        self._container = container
        part = _package_part(container)
        self._folder = posixpath.dirname(part)
        self._root = parse(container.read(part))
        titles = (one.text or "" for one in self._root.iterfind("{*}metadata//{*}title"))
        self.title = next((" ".join(one.split()) for one in titles if one.strip()), "")
        self._items = {
            one.get("id", ""): _item(one) for one in self._root.iterfind("{*}manifest/{*}item")
        }
        self._entries: dict[str, _Entry] = {}
        for entry in self._contents():
            self._entries.setdefault(entry.target, entry)
            self._entries.setdefault(entry.target.partition("#")[0], entry)
        self._missing = 0

    def chapters(self) -> list[Chapter]:
        """Return what is to be read, in order.

        Raises:
            DocumentRefusedError: it is encrypted, or nothing of it is there.
        """
        spine = list(self._spine())
        aside = self._aside()
        found = [one for one, linear in spine if linear and self._member(one.href) not in aside]
        items = list(dict.fromkeys(found or [one for one, _ in spine]))
        chapters = [self._chapter(item) for item in items]
        present = [one for one in chapters if one.member in self._container]
        if not present:
            raise DocumentRefusedError("broken", "it has no chapters")
        if _encrypted(self._container) & {one.member for one in present}:
            raise DocumentRefusedError("encrypted", "its chapters are protected")
        self._missing = len(chapters) - len(present)
        return present

    def entry(self, chapter: Chapter, fragment: str) -> str:
        """Return what the table of contents calls a place in a chapter; empty for nothing."""
        found = self._entries.get(f"{chapter.member}#{unquote(fragment)}")
        return found.title if found is not None else ""

    def report(self) -> tuple[str, ...]:
        """Return one line each on what was left out."""
        return (f"{self._missing} chapters are not in the file",) if self._missing else ()

    def _chapter(self, item: _Item) -> Chapter:
        member = self._member(item.href)
        entry = self._entries.get(member, _Entry("", "", 1))
        return Chapter(member, item.href, entry.title, entry.level)

    def _spine(self) -> Iterator[tuple[_Item, bool]]:
        for one in self._root.iterfind("{*}spine/{*}itemref"):
            item = self._items.get(one.get("idref", ""))
            if item is not None and item.kind in _CHAPTER_TYPES:
                yield item, one.get("linear") != "no" and "nav" not in item.properties

    def _aside(self) -> set[str]:
        """The covers and tables of contents that the guide names; a part of a chapter is none."""
        guide = self._root.iterfind("{*}guide/{*}reference")
        return {
            self._member(one.get("href", ""))
            for one in guide
            if one.get("type") in _ASIDE and "#" not in one.get("href", "")
        }

    def _member(self, href: str, folder: str | None = None) -> str:
        path = unquote(href.partition("#")[0])
        base = self._folder if folder is None else folder
        return posixpath.normpath(posixpath.join(base, path)).lstrip("/")

    def _contents(self) -> Iterator[_Entry]:
        """The entries of the table of contents, of the newer kind where there is one."""
        for item in self._items.values():
            if "nav" in item.properties:
                yield from self._listed(item.href, _nav_entries)
                return
        for item in self._items.values():
            if item.kind == _NCX_TYPE:
                yield from self._listed(item.href, _ncx_entries)
                return

    def _listed(self, href: str, read: _Reader) -> Iterator[_Entry]:
        member = self._member(href)
        try:
            root = parse(self._container.read(member))
        except DocumentRefusedError:
            return
        for target, title, level in read(root):
            path = self._member(target, posixpath.dirname(member))
            name = unquote(target.partition("#")[2])
            yield _Entry(f"{path}#{name}" if name else path, " ".join(title.split()), level)


def _package_part(container: Container) -> str:
    if _CONTAINER in container:
        for one in parse(container.read(_CONTAINER)).iter("{*}rootfile"):
            path = one.get("full-path", "")
            if path in container:
                return str(path)
    found = next((name for name in container.names if name.lower().endswith(".opf")), "")
    if not found:
        raise DocumentRefusedError("broken", "its package document is missing")
    return found


def _item(element: Element) -> _Item:
    properties = frozenset(element.get("properties", "").split())
    return _Item(element.get("href", ""), element.get("media-type", ""), properties)


def _nav_entries(root: Element) -> Iterator[tuple[str, str, int]]:
    for nav in root.iter("{*}nav"):
        if "toc" in nav.get(_TYPE, "").split():
            for link in nav.iter("{*}a"):
                level = sum(1 for _ in link.iterancestors("{*}ol"))
                yield link.get("href", ""), "".join(link.itertext()), max(level, 1)
            return


def _ncx_entries(root: Element) -> Iterator[tuple[str, str, int]]:
    for point in root.iter("{*}navPoint"):
        content = point.find("{*}content")
        label = point.find("{*}navLabel")
        if content is not None and label is not None:
            level = 1 + sum(1 for _ in point.iterancestors("{*}navPoint"))
            yield content.get("src", ""), "".join(label.itertext()), level


def _encrypted(container: Container) -> set[str]:
    """The members that cannot be read without a key."""
    if _ENCRYPTION not in container:
        return set()
    found = set()
    for one in parse(container.read(_ENCRYPTION)).iter("{*}EncryptedData"):
        method = one.find("{*}EncryptionMethod")
        reference = one.find("{*}CipherData/{*}CipherReference")
        known = method is not None and method.get("Algorithm") in _FONTS_ONLY
        if reference is not None and not known:
            found.add(unquote(reference.get("URI", "")))
    return found

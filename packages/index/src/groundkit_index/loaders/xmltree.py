"""Parses XML that nobody vouches for: no entities, no network, depth and text runs bounded."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any, TypeAlias

from lxml import etree

from groundkit_core.errors import DocumentRefusedError

Element: TypeAlias = etree._Element
"""An element of a parsed tree."""

VERSION = "lxml " + ".".join(str(part) for part in etree.LXML_VERSION[:3])

# libxml2 itself refuses elements more than 255 deep and text runs above 10 MB.
_SAFE: dict[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "huge_tree": False,
    "remove_comments": True,
    "remove_pis": True,
    # Not collect_ids=False: it lets libxml2 load external DTDs in spite of load_dtd=False.
}
_RESOURCE_LIMIT = 114


def parse(data: bytes) -> Element:
    """Return the root of an XML document.

    Raises:
        DocumentRefusedError: it is not well-formed, declares entities, or is beyond what the
            parser allows.
    """
    try:
        root: Element = etree.fromstring(data, etree.XMLParser(**_SAFE))
    except etree.XMLSyntaxError as error:
        raise _refusal(error) from None
    _check_entities(root)
    return root


def stream(data: bytes, *tags: str) -> Iterator[Element]:
    """Yield the elements with one of the tags as they end; each is emptied after its turn.

    Raises:
        DocumentRefusedError: as `parse`.
    """
    checked = False
    try:
        for _, element in etree.iterparse(io.BytesIO(data), tag=tags, **_SAFE):
            if not checked:
                _check_entities(element)
                checked = True
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise _refusal(error) from None


def number(text: str | None, default: int = 0) -> int:
    """Return a whole number as it stands in an attribute."""
    try:
        return int(text or default)
    except ValueError:
        return default


def _check_entities(element: Element) -> None:
    """Refuse entities: where one stands, text would be missing."""
    declared = element.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise DocumentRefusedError("broken", "its XML declares entities")


def _refusal(error: etree.XMLSyntaxError) -> DocumentRefusedError:
    if error.code == _RESOURCE_LIMIT:
        return DocumentRefusedError("over_limit", "its XML nests too deep or has too long parts")
    return DocumentRefusedError("broken", "its XML is not well-formed")

"""Parts of an Office Open XML package and how they refer to each other (ECMA-376 part 2)."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple
from urllib.parse import unquote

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.containers import Container
from groundkit_index.loaders.protocol import Limits
from groundkit_index.loaders.xmltree import Element, parse

R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_DC_TITLE = "{http://purl.org/dc/elements/1.1/}title"

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")

# The strict variant of the standard differs from the common one in namespaces only.
_STRICT = b"http://purl.oclc.org/ooxml/"
_COMMON = b"http://schemas.openxmlformats.org/"
_STRICT_NAME = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")

_UNTITLED = re.compile(
    r"microsoft (word|powerpoint|excel)\b.*|(word|powerpoint|excel) (document|presentation)"
    r"|untitled.*|(document|presentation|title|slide|book|workbook|sheet)\s?\d*"
    r"|(no|powerpoint) (slide )?title|.*\.(docx?|dotx?|pptx?|xlsx?|rtf|odt|indd|html?)",
    re.IGNORECASE,
)


class Relation(NamedTuple):
    """A part that another part refers to.

    Attributes:
        kind: the last step of the relation's type, such as `slide`.
        target: the part's name; empty for what is outside the package.
    """

    kind: str
    target: str


class Package:
    """The parts of a package.

    Raises:
        DocumentRefusedError: it is encrypted, or no package.
    """

    def __init__(self, data: bytes, limits: Limits) -> None:
        if data.startswith(_OLE):
            raise _ole_refusal(data)
        self._container = Container(data, limits)
        self._names = {_key(name): name for name in self._container.names}

    def __contains__(self, part: str) -> bool:
        return _key(part) in self._names

    def read(self, part: str) -> bytes:
        """Return a part's bytes, in the namespaces of the common variant."""
        data = self._container.read(self._names.get(_key(part), part))
        return _common(data) if _STRICT in data[:4096] else data

    def tree(self, part: str) -> Element:
        """Return a part as a tree."""
        return parse(self.read(part))

    def tree_of(self, relations: dict[str, Relation], kind: str) -> Element | None:
        """Return the first part of a kind as a tree; None where there is none."""
        for relation in relations.values():
            if relation.kind == kind and relation.target in self:
                return self.tree(relation.target)
        return None

    def relations(self, part: str = "") -> dict[str, Relation]:
        """Return what a part refers to, by id; the package itself without a part."""
        folder, name = posixpath.split(part)
        source = posixpath.join(folder, "_rels", f"{name}.rels")
        if source not in self:
            return {}
        found = self.tree(source).iter(_RELATION)
        return {one.get("Id", ""): _relation(one, folder) for one in found}

    def main(self) -> str:
        """Return the name of the part that the document begins with.

        Raises:
            DocumentRefusedError: there is none.
        """
        for relation in self.relations().values():
            if relation.kind == "officeDocument" and relation.target in self:
                return relation.target
        raise DocumentRefusedError("broken", "its main part is missing")

    def title(self) -> str:
        """Return the title that its author gave it; empty for none and for what programs put in."""
        try:
            core = self.tree_of(self.relations(), "core-properties")
        except DocumentRefusedError:
            return ""
        found = " ".join((core.findtext(_DC_TITLE) or "").split()) if core is not None else ""
        return "" if _UNTITLED.fullmatch(found) else found


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _relation(element: Element, folder: str) -> Relation:
    kind = element.get("Type", "").rpartition("/")[2]
    target = element.get("Target", "")
    if element.get("TargetMode") == "External" or not target:
        return Relation(kind, "")
    joined = posixpath.normpath(posixpath.join("/", folder, unquote(target)))
    return Relation(kind, joined.lstrip("/"))


def _common(data: bytes) -> bytes:
    def name(match: re.Match[bytes]) -> bytes:
        return _COMMON + match[1] + b"/2006/"

    return _STRICT_NAME.sub(name, data)


def _ole_refusal(data: bytes) -> DocumentRefusedError:
    if _ENCRYPTED in data:
        return DocumentRefusedError("encrypted", "it needs a password")
    return DocumentRefusedError("broken", "it is of an older binary format; save it in the new one")

"""What the loaders are compared with: only the parser, over the same bytes."""

from __future__ import annotations

import csv
import io
import json
import posixpath
import re
import tomllib
import zipfile
from collections.abc import Callable, Mapping
from email import message_from_bytes
from typing import NamedTuple
from urllib.parse import unquote

import pypdfium2
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

_OPF = "{http://www.idpf.org/2007/opf}"
_CONTAINER = "{urn:oasis:names:tc:opendocument:xmlns:container}"
_CUE = re.compile(r"^(.*-->.*)\n((?:.+\n?)*)", re.MULTILINE)


class Bare(NamedTuple):
    """A bare extractor.

    Attributes:
        words: what it does.
        run: extracts and throws away; returns how many pages and the like there were.
        unit: what it counts; empty for nothing that matters.
    """

    words: str
    run: Callable[[bytes], int]
    unit: str = ""


def _pdf(data: bytes) -> int:
    document = pypdfium2.PdfDocument(data)
    try:
        for page in document:
            text = page.get_textpage()
            text.get_text_range()
            text.close()
            page.close()
        return len(document)
    finally:
        document.close()


def _walk(text: str) -> int:
    parser = LexborHTMLParser(text)
    node, seen = parser.root, 0
    while node is not None:
        if node.is_text_node:
            seen += len(node.text_content or "")
        following = node.child
        while following is None and node is not None:
            following = node.next
            node = node.parent if following is None else node
        node = following
    return seen


def _html(data: bytes) -> int:
    _walk(data.decode("utf-8", "replace"))
    return 1


def _texts(data: bytes, ends: str) -> int:
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))
    return sum(len(element.text or "") for element in root.iter("{*}" + ends))


def _docx(data: bytes) -> int:
    with zipfile.ZipFile(io.BytesIO(data)) as container:
        _texts(container.read("word/document.xml"), "t")
    return 1


def _parts(data: bytes, pattern: str) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as container:
        names = [name for name in container.namelist() if re.fullmatch(pattern, name)]
        return [container.read(name) for name in names]


def _pptx(data: bytes) -> int:
    slides = _parts(data, r"ppt/slides/[^/]*\.xml")
    for slide in slides:
        _texts(slide, "t")
    return len(slides)


def _xlsx(data: bytes) -> int:
    for strings in _parts(data, r"xl/sharedStrings\.xml"):
        _texts(strings, "t")
    sheets = _parts(data, r"xl/worksheets/[^/]*\.xml")
    for sheet in sheets:
        _texts(sheet, "v")
    return len(sheets)


def _epub(data: bytes) -> int:
    with zipfile.ZipFile(io.BytesIO(data)) as container:
        root = etree.fromstring(container.read("META-INF/container.xml"))
        name = str(next(root.iter(f"{_CONTAINER}rootfile")).get("full-path"))
        package = etree.fromstring(container.read(name))
        items = {item.get("id"): item.get("href") or "" for item in package.iter(f"{_OPF}item")}
        chapters = [items[ref.get("idref")] for ref in package.iter(f"{_OPF}itemref")]
        for href in chapters:
            member = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(href)))
            _walk(container.read(member).decode("utf-8", "replace"))
    return len(chapters)


def _notebook(data: bytes) -> int:
    return len(json.loads(data).get("cells", ()))


def _email(data: bytes) -> int:
    parts = list(message_from_bytes(data).walk())
    for part in parts:
        if part.get_content_maintype() == "text":
            part.get_payload(decode=True)
    return len(parts)


def _subtitles(data: bytes) -> int:
    return len(_CUE.findall(data.decode("utf-8", "replace").replace("\r\n", "\n")))


def _csv(data: bytes) -> int:
    text = io.StringIO(data.decode("utf-8", "replace"), newline="")
    return sum(1 for _ in csv.reader(text))


def _json(data: bytes) -> int:
    json.loads(data)
    return 1


def _toml(data: bytes) -> int:
    tomllib.loads(data.decode())
    return 1


def _text(data: bytes) -> int:
    return len(data.decode("utf-8", "replace"))


EXTRACTORS: Mapping[str, Bare] = {
    "pdf": Bare("pypdfium2 `get_text_range`", _pdf, "pages"),
    "html": Bare("selectolax, parse and walk", _html),
    "docx": Bare("lxml over `document.xml`", _docx),
    "pptx": Bare("lxml over the slides", _pptx, "slides"),
    "xlsx": Bare("lxml over strings and sheets", _xlsx, "sheets"),
    "epub": Bare("selectolax over the chapters", _epub, "chapters"),
    "notebook": Bare("`json.loads`", _notebook, "cells"),
    "email": Bare("`email`, text parts decoded", _email, "parts"),
    "subtitles": Bare("a regex over cues", _subtitles, "cues"),
    "csv": Bare("`csv.reader`", _csv),
    "json": Bare("`json.loads`", _json),
    "toml": Bare("`tomllib`", _toml),
    "markdown": Bare("decode", _text),
    "text": Bare("decode", _text),
}

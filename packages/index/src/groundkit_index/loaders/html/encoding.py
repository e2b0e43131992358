"""Bytes of a web page to text, as browsers decode them."""

from __future__ import annotations

import codecs
import re

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.text import decode

_LOOKED_AT = 4096
_DECLARED = re.compile(
    rb"""<\?xml[^>]{0,200}?encoding\s*=\s*["']?([\w.:+-]+)"""
    rb"""|<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:+-]+)""",
    re.IGNORECASE,
)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
# Labels by which the web means a larger set: https://encoding.spec.whatwg.org/#names-and-labels
_LARGER = {
    "ascii": "cp1252",
    "big5": "big5hkscs",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "shift_jis": "cp932",
    "tis-620": "cp874",
}
_LABELS = {"ks_c_5601-1987": "cp949", "x-sjis": "cp932", "x-gbk": "gb18030", "utf8": "utf-8"}
_SEVEN_BITS = frozenset({"hz", "iso2022_jp"})
_HIGH = bytes(range(0x80, 0x100))
_MAX_BAD = 0.01
"""Share of undecodable characters above which an encoding is taken for wrong: for UTF-8, which
hardly ever fits by accident, of those outside of ASCII; else of all."""


def decode_markup(data: bytes) -> str:
    """Decode a page by its BOM, as UTF-8 if it is, as it declares, or as detected.

    Raises:
        DocumentRefusedError: `broken`, when it is not text.
    """
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return data.decode(encoding, "replace").replace("\0", "")
    clean = data.replace(b"\0", b"")
    declared = _declared(clean[:_LOOKED_AT])
    if declared in _SEVEN_BITS:
        return clean.decode(declared, "replace")
    try:
        return clean.decode()
    except UnicodeDecodeError:
        return _legacy(clean, declared)


def _declared(head: bytes) -> str:
    found = _DECLARED.search(head)
    if found is None:
        return ""
    label = (found[1] or found[2]).decode("ascii", "replace").lower()
    try:
        name = codecs.lookup(_LABELS.get(label, label)).name
        "".encode(name)
    except (LookupError, UnicodeError):
        return ""
    return _LARGER.get(name, name)


def _legacy(data: bytes, declared: str) -> str:
    text = data.decode("utf-8", "replace")
    if text.count("\ufffd") <= _MAX_BAD * (len(text) - len(data.translate(None, _HIGH))):
        return text
    if declared:
        text = data.decode(declared, "replace")
        if text.count("\ufffd") <= _MAX_BAD * len(text):
            return text
    try:
        return decode(data).text
    except DocumentRefusedError as error:
        raise DocumentRefusedError("broken", error.detail or "it is not text") from None

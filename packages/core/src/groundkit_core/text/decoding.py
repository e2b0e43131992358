"""Bytes to text, without touching newlines."""

from __future__ import annotations

import codecs
import unicodedata

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.model import DecodedText
from groundkit_core.text import binary
from groundkit_core.text.detection import detect_encoding

# UTF-32 first: its little-endian BOM starts with that of UTF-16.
_WIDE_BOMS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(data: bytes, *, detect: bool = True) -> DecodedText:
    """Decodes a document: UTF-8, else UTF-16 or UTF-32 by BOM, else a detected encoding.

    Args:
        data: the whole content of the source.
        detect: whether to guess an encoding for bytes that are none of the above.

    Raises:
        DocumentRefusedError: with the reason `binary`, `nul_byte`, `lone_surrogate`
            or `undecodable`.
    """
    decoded = _unicode(data)
    if decoded is not None:
        return decoded
    encoding = detect_encoding(data) if detect else None
    if encoding is None:
        raise DocumentRefusedError("undecodable", "not UTF-8, and no encoding fits")
    return DecodedText(_legacy(data, encoding), encoding)


def decode_as(data: bytes, encoding: str) -> str:
    """Decodes a later state of a document that was decoded from `encoding`.

    Bytes that announce an encoding themselves, by BOM or by being UTF-8, are
    taken at their word, as `decode` does; `encoding` counts for the others.

    Raises:
        DocumentRefusedError: as `decode`.
    """
    decoded = _unicode(data)
    return _legacy(data, encoding) if decoded is None else decoded.text


def _unicode(data: bytes) -> DecodedText | None:
    for bom, encoding in _WIDE_BOMS:
        if data.startswith(bom):
            return DecodedText(_wide(data, encoding), encoding)
    if binary.has_signature(data):
        raise DocumentRefusedError("binary", "the bytes start like a binary format")
    _refuse_nul(data.find(b"\0"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        _refuse_encoded_surrogates(data, "utf-8")
        _refuse_binary(data)
        return None
    _refuse_controls(data, binary.MAX_CONTROL_SHARE)
    return DecodedText(text, "utf-8-sig" if data.startswith(codecs.BOM_UTF8) else "utf-8")


def _wide(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        _refuse_encoded_surrogates(data, encoding)
        raise DocumentRefusedError("undecodable", f"byte {error.start} is not {encoding}") from None
    _refuse_nul(text.find("\0"))
    _refuse_controls(text.encode(), binary.MAX_CONTROL_SHARE)
    return text


def _legacy(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except (LookupError, UnicodeError):
        raise DocumentRefusedError("undecodable", f"not {encoding}") from None
    _refuse_nul(text.find("\0"))
    if any(unicodedata.category(char) in {"Cs", "Cn", "Co"} for char in set(text)):
        raise DocumentRefusedError("undecodable", f"{encoding} gives code points without a meaning")
    return text


def _refuse_nul(found: int) -> None:
    if found >= 0:
        raise DocumentRefusedError("nul_byte", f"at offset {found}")


def _refuse_controls(data: bytes, share: float) -> None:
    if binary.control_share(data) > share:
        raise DocumentRefusedError("binary", "mostly control bytes")


def _refuse_binary(data: bytes) -> None:
    """Refuses what is not UTF-8 and looks binary, before anything guesses an encoding."""
    if binary.has_ascii_signature(data):
        raise DocumentRefusedError("binary", "the bytes start like a binary format")
    _refuse_controls(data, binary.MAX_LEGACY_CONTROL_SHARE)


def _refuse_encoded_surrogates(data: bytes, encoding: str) -> None:
    try:
        text = data.decode(encoding, "surrogatepass")
    except UnicodeDecodeError:
        return
    found = next(i for i, char in enumerate(text) if "\ud800" <= char <= "\udfff")
    raise DocumentRefusedError("lone_surrogate", f"at offset {found}")

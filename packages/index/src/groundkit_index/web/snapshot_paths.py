"""Names of local copies of what was fetched."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from urllib.parse import unquote

from groundkit_index.web.urls import Url, parse_url

_LONGEST_PART = 60
_LONGEST_PATH = 180
_DIGEST = 12
_UNSAFE = re.compile(r"[^a-z0-9._-]+")
_SUFFIX = re.compile(r"\.[a-z0-9]{1,8}")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?")
_OFFICE = "application/vnd.openxmlformats-officedocument."
_SUFFIXES = {
    "application/epub+zip": ".epub",
    "application/json": ".json",
    "application/pdf": ".pdf",
    "application/toml": ".toml",
    "application/x-ipynb+json": ".ipynb",
    "application/x-pdf": ".pdf",
    "application/x-subrip": ".srt",
    "application/x-yaml": ".yaml",
    "application/xhtml+xml": ".html",
    "application/yaml": ".yaml",
    "message/rfc822": ".eml",
    "text/csv": ".csv",
    "text/html": ".html",
    "text/markdown": ".md",
    "text/vtt": ".vtt",
    f"{_OFFICE}presentationml.presentation": ".pptx",
    f"{_OFFICE}spreadsheetml.sheet": ".xlsx",
    f"{_OFFICE}wordprocessingml.document": ".docx",
}
# Types that servers give to anything; the name in the address knows better.
_VAGUE = {
    "": ".html",
    "application/octet-stream": ".bin",
    "application/xml": ".xml",
    "text/plain": ".txt",
    "text/xml": ".xml",
}


def snapshot_path(url: str | Url, content_type: str = "") -> str:
    """Return the relative path of the local copy of an address, such as `h/a/b~1f3c….html`.

    The digest of the whole address keeps those apart that differ in case, query, scheme or in
    what was made safe. Paths are lower-case ASCII in POSIX form, at most 180 characters long,
    and can be made on every file system: no `..`, reserved name, trailing dot or hidden file.

    Args:
        url: the address.
        content_type: of what was fetched; decides the suffix.

    Raises:
        ForbiddenError: it is not an address on the web.
    """
    place = parse_url(url) if isinstance(url, str) else url
    digest = hashlib.sha256(str(place).encode()).hexdigest()[:_DIGEST]
    *folders, name = unquote(place.path).lower().split("/")[1:]
    suffix = _suffix(name, content_type)
    stem = _safe(name.removesuffix(suffix)) or "index"
    file = f"{stem}~{digest}{suffix}"
    kept = [_folder(place.host if place.port in (80, 443) else f"{place.host}_{place.port}")]
    for folder in filter(None, folders):
        part = _folder(folder)
        if len("/".join((*kept, part, file))) > _LONGEST_PATH:
            break
        kept.append(part)
    return "/".join((*kept, file))


def _suffix(name: str, content_type: str) -> str:
    if content_type in _SUFFIXES:
        return _SUFFIXES[content_type]
    dot = name.rfind(".")
    own = name[dot:] if dot > 0 and _SUFFIX.fullmatch(name[dot:]) else ""
    return own or _VAGUE.get(content_type) or _general(content_type)


def _general(content_type: str) -> str:
    if content_type.startswith("text/"):
        return ".txt"
    structure = content_type.rpartition("+")[2]
    return f".{structure}" if structure in ("json", "xml") else ".bin"


def _folder(text: str) -> str:
    safe = _safe(text) or "_"
    return f"_{safe}" if _RESERVED.fullmatch(safe) else safe


def _safe(text: str) -> str:
    """Return text in plain letters, digits, `.`, `_` and `-`; accents are taken off."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii")
    return _UNSAFE.sub("-", plain.lower())[:_LONGEST_PART].strip(".-")

"""Content types: which are documents, and what their headers say."""

from __future__ import annotations

import re
from collections.abc import Callable

Accepts = Callable[[str], bool]
"""Tells whether a content type is taken; it is lower-case, without parameters, maybe empty."""

_TYPE = re.compile(r"\s*([\w.+-]{1,100}/[\w.+-]{1,100})\s*(?:;|$)")
_CHARSET = re.compile(r";\s*charset\s*=\s*[\"']?([\w.:+-]{1,40})", re.IGNORECASE)
_DOCUMENTS = frozenset(
    {
        "",  # not said; whoever reads it looks at its first bytes
        "application/octet-stream",
        "application/epub+zip",
        "application/javascript",
        "application/json",
        "application/pdf",
        "application/toml",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "application/x-ipynb+json",
        "application/x-pdf",
        "application/x-subrip",
        "application/x-yaml",
        "application/xhtml+xml",
        "application/xml",
        "application/yaml",
        "message/rfc822",
    }
)
_ENDLESS = "text/event-stream"
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_GZIP = frozenset({"application/gzip", "application/x-gzip"})


def parse_content_type(header: str) -> tuple[str, str | None]:
    """Return the type in lower case, empty when it is none, and the charset if one is named."""
    found, charset = _TYPE.match(header), _CHARSET.search(header)
    return found[1].lower() if found else "", charset[1].lower() if charset else None


def is_document(content_type: str) -> bool:
    """Return whether something of this type may be a document: text, data, office, book."""
    if content_type.startswith("text/"):
        return content_type != _ENDLESS
    if content_type.startswith("application/") and content_type.endswith(("+xml", "+json")):
        return True
    return content_type in _DOCUMENTS


def is_html(content_type: str) -> bool:
    """Return whether something of this type is a page with links."""
    return content_type in _HTML


def is_document_or_gzip(content_type: str) -> bool:
    """Return whether something of this type may be a document or a packed sitemap."""
    return content_type in _GZIP or is_document(content_type)


def is_anything(_content_type: str) -> bool:
    """Take any type."""
    return True

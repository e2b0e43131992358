"""What a person means by the thing to ingest."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from groundkit_core.errors import SourceError

_DRIVE = re.compile(r"[A-Za-z]:")
_URL = re.compile(r"((?:git\+)?https?:)|(file:)/|([a-z][a-z0-9+.-]+:)//", re.IGNORECASE)


def is_web_url(text: str) -> bool:
    """Return whether a target is a page or a sitemap."""
    return text.lower().startswith(("http:", "https:"))


def is_git_url(text: str) -> bool:
    """Return whether a target is a repository to fetch."""
    return text.lower().startswith("git+")


def parse_target(text: str) -> Path:
    r"""Return the path that `groundkit ingest TEXT` names; it need not exist.

    `C:\docs` and `c:/docs` are paths, `file:///srv/docs` is the path `/srv/docs`.

    Raises:
        SourceError: the text is empty, holds a NUL, or is a URL that names no local file. A
            URL is not repeated in the message, as it may hold a password.
    """
    if not text.strip() or "\0" in text:
        raise SourceError("no path to ingest; name a folder or a file")
    url = _URL.match(text)
    if url is None:
        return Path(text)
    scheme = url[url.lastindex or 0].lower()
    if scheme == "file:":
        return _file_url(text)
    raise SourceError(
        f"{scheme} URLs name no folder; use `ingest_url` for pages, `ingest_revision` for "
        "repositories, or download the documents"
    )


def _file_url(url: str) -> Path:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise SourceError("the file URL is malformed; name the path instead") from None
    path = unquote(parts.path)
    if parts.netloc.lower() not in ("", "localhost") or not path.startswith("/") or "\0" in path:
        raise SourceError("a file URL must name a local path, as in file:///srv/docs")
    if parts.query or parts.fragment:
        raise SourceError("a file URL has no query or fragment; write %3F for ? and %23 for #")
    return Path(path[1:] if _DRIVE.match(path, 1) else path)

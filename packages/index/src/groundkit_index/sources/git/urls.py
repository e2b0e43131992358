"""Reads `git+https://host/path.git@ref#subdir=docs`."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from groundkit_core.errors import SourceError

_PREFIX = "git+"
_UNSAFE = re.compile(r"[\x00-\x20\x7f\\]")
_REF = re.compile(r"(?!-)(?!.*(?:\.\.|@\{|//|\.lock(?:/|$)))[^\x00-\x20\x7f~^:?*\[\\]+(?<![/.])")


@dataclass(frozen=True, slots=True)
class GitUrl:
    """A repository to fetch.

    Attributes:
        url: where it is, without credentials, query or fragment.
        ref: the branch, tag or full commit id; None for the remote's default branch.
        subdir: the folder in it to ingest, in POSIX form; empty for all of it.
    """

    url: str
    ref: str | None = None
    subdir: str = ""

    @property
    def name(self) -> str:
        """The last part of the URL's path, without `.git`."""
        return self.url.rpartition("/")[2].removesuffix(".git")

    def __str__(self) -> str:
        ref = f"@{self.ref}" if self.ref else ""
        subdir = f"#subdir={self.subdir}" if self.subdir else ""
        return f"{_PREFIX}{self.url}{ref}{subdir}"


def parse_git_url(text: str, *, allow_loopback: bool = False) -> GitUrl:
    """Return the parts of a URL of a git repository.

    Args:
        text: `git+https://HOST/PATH`, then optionally `@REF` and `#subdir=FOLDER`.
        allow_loopback: take plain `http` to a loopback address too, for tests.

    Raises:
        SourceError: it is another URL. The URL is not repeated in the message, as it may hold
            a password.
    """
    if _UNSAFE.search(text):
        raise SourceError("the git URL holds spaces or control characters; percent-encode them")
    try:
        parts = urlsplit(text.removeprefix(_PREFIX))
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise SourceError("the git URL is malformed; write git+https://HOST/PATH@REF") from None
    if not text.startswith(_PREFIX) or not host or not _is_allowed(parts, allow_loopback):
        raise SourceError("git repositories are fetched from git+https:// URLs alone")
    if "@" in parts.netloc:
        raise SourceError("the git URL holds a name or password; clone it and name the clone")
    if parts.query or text.removeprefix(_PREFIX).partition("#")[0].endswith("?"):
        raise SourceError("a git URL has no query; write git+https://HOST/PATH@REF#subdir=FOLDER")
    path, at, ref = parts.path.rpartition("@")
    path, ref = (path, unquote(ref)) if at else (parts.path, "")
    if at and not is_ref_name(ref):
        raise SourceError("the git URL has no valid ref after @; name a branch, tag or commit id")
    if not path.strip("/") or ".." in unquote(path).split("/"):
        raise SourceError("the git URL has no path to a repository")
    url = f"{parts.scheme}://{parts.netloc.lower()}{path.rstrip('/')}"
    return GitUrl(url, ref or None, _subdir(parts.fragment))


def is_ref_name(ref: str) -> bool:
    """Return whether git takes a name for a branch, a tag or a commit id."""
    return _REF.fullmatch(ref) is not None


def _is_allowed(parts: SplitResult, allow_loopback: bool) -> bool:
    if parts.scheme == "https":
        return True
    if parts.scheme != "http" or not allow_loopback:
        return False
    try:
        return ipaddress.ip_address(parts.hostname or "").is_loopback
    except ValueError:
        return False


def _subdir(fragment: str) -> str:
    if not fragment:
        return ""
    key, equals, value = fragment.partition("=")
    folder = unquote(value).strip("/")
    if key != "subdir" or not equals or "&" in value:
        raise SourceError("a git URL takes one thing after #, as in #subdir=docs")
    parts = folder.split("/")
    if not all(parts) or "." in parts or ".." in parts or _UNSAFE.search(folder.replace(" ", "")):
        raise SourceError("the folder after #subdir= is not one below the repository")
    return folder

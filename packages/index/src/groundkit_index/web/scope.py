"""Which addresses belong to a crawl."""

from __future__ import annotations

from dataclasses import dataclass, replace

from groundkit_index.web.urls import Url

_DEEPEST = 16
_MOST_REPEATS = 3
_LONGEST = 1024
# What pages show or run and nobody reads.
_OTHER_SUFFIXES = (
    "7z apk avi avif bin bmp bz2 css deb dmg eot exe flac gif gz ico iso jar jpeg jpg js map mjs "
    "mov mp3 mp4 mpeg msi ogg otf png rar rpm svg tar tgz tif tiff ttf wasm wav webm webp woff "
    "woff2 xz zip zst"
)
_NO_DOCUMENTS = tuple(f".{suffix}" for suffix in _OTHER_SUFFIXES.split())


@dataclass(frozen=True, slots=True)
class Scope:
    """The addresses of one origin below a path.

    Attributes:
        root: origin and path; whole segments, so `/docs` takes `/docs/a` and not `/docs2`.
    """

    root: Url

    def admit(self, url: Url) -> Url | None:
        """Return an address as it is to be fetched, or None when it lies outside.

        Plain HTTP links of a site that is served over HTTPS lead to HTTPS.
        """
        root = self.root
        if url.scheme == "http" and root.scheme == "https" and (url.port, root.port) == (80, 443):
            url = replace(url, scheme="https", port=443)
        if (url.scheme, url.host, url.port) != (root.scheme, root.host, root.port):
            return None
        below = root.path if root.path.endswith("/") else root.path + "/"
        return url if url.path == root.path or url.path.startswith(below) else None

    def holds(self, url: Url) -> bool:
        """Return whether an address lies inside."""
        return self.admit(url) is not None


def folder_of(url: Url) -> Url:
    """Return the address of the folder that an address is in, such as `/a/` for `/a/b.html`."""
    return replace(url, path=url.path[: url.path.rfind("/") + 1], query="")


def may_be_document(url: Url) -> bool:
    """Return whether the name of an address does not speak against a document."""
    return not url.path.lower().endswith(_NO_DOCUMENTS)


def trap(url: Url) -> str | None:
    """Return what makes an address look like one of endlessly many, if anything does."""
    segments = [segment for segment in url.path.split("/") if segment]
    if len(segments) > _DEEPEST:
        return f"its path has more than {_DEEPEST} parts"
    if any(segments.count(segment) > _MOST_REPEATS for segment in set(segments)):
        return f"its path repeats a part more than {_MOST_REPEATS} times"
    if len(url.target) > _LONGEST:
        return f"it is longer than {_LONGEST} characters"
    return None

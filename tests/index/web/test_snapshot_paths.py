"""Names of local copies that every file system can hold."""

from __future__ import annotations

import re
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundkit_core.paths import split_source
from groundkit_index.web import parse_url, snapshot_path


def readable(url: str, content_type: str = "text/html") -> str:
    """Return a path without its digest."""
    return re.sub(r"~[0-9a-f]{12}", "~", snapshot_path(url, content_type))


@pytest.mark.parametrize(
    ("url", "path"),
    {
        "https://h.org/": "h.org/index~.html",
        "https://h.org/a/b": "h.org/a/b~.html",
        "https://h.org/a/b?x=1": "h.org/a/b~.html",
        "https://h.org/a/b.html": "h.org/a/b~.html",
        "https://h.org/a/b/": "h.org/a/b/index~.html",
        "https://h.org/a/b.php": "h.org/a/b.php~.html",
        "https://h.org:8443/a": "h.org_8443/a~.html",
        "https://[2a00::1]/a": "2a00-1/a~.html",
        "https://h.org/K%C3%A4se/%E6%97%A5": "h.org/kase/index~.html",
        "https://h.org/a%2Fb/c%5Cd": "h.org/a/b/c-d~.html",
        "https://h.org/CON/aux.txt/nul": "h.org/_con/_aux.txt/nul~.html",
        "https://h.org/.git/config": "h.org/git/config~.html",
        "https://h.org/%2e%2e%2f%2e%2e/x": "h.org/_/_/x~.html",
        "https://h.org/a./b%20/c": "h.org/a/b/c~.html",
        "https://h.org/a:b/c*?d=e": "h.org/a-b/c~.html",
        "https://h.org//a//b": "h.org/a/b~.html",
    }.items(),
)
def test_a_path_can_be_read(url: str, path: str) -> None:
    assert readable(url) == path


@pytest.mark.parametrize(
    ("url", "content_type", "suffix"),
    [
        ("https://h.org/a.pdf", "application/pdf", ".pdf"),
        ("https://h.org/download?id=1", "application/pdf", ".pdf"),
        ("https://h.org/a.md", "text/markdown", ".md"),
        ("https://h.org/a.md", "text/plain", ".md"),
        ("https://h.org/a.py", "text/x-python", ".py"),
        ("https://h.org/a", "text/plain", ".txt"),
        ("https://h.org/a", "text/x-rst", ".txt"),
        ("https://h.org/a.docx", "application/octet-stream", ".docx"),
        ("https://h.org/a", "application/octet-stream", ".bin"),
        ("https://h.org/a", "application/ld+json", ".json"),
        ("https://h.org/a.rss", "application/rss+xml", ".rss"),
        ("https://h.org/a", "application/rss+xml", ".xml"),
        ("https://h.org/a", "", ".html"),
        ("https://h.org/v1.2 notes".replace(" ", "%20"), "text/plain", ".txt"),
    ],
)
def test_the_suffix_says_what_it_is(url: str, content_type: str, suffix: str) -> None:
    assert snapshot_path(url, content_type).endswith(suffix)


@pytest.mark.parametrize(
    "other",
    [
        "https://h.org/A/b",
        "https://h.org/a/B",
        "https://h.org/a/b?x=1",
        "https://h.org/a/b?X=1",
        "https://h.org/a/b/",
        "https://h.org/a%2Fb",
        "http://h.org/a/b",
        "https://h.org:444/a/b",
        "https://h.org/a:b",
    ],
)
def test_different_addresses_have_different_paths_without_regard_to_case(other: str) -> None:
    one = snapshot_path("https://h.org/a/b", "text/html")
    assert snapshot_path(other, "text/html").lower() != one.lower()


def test_one_address_has_one_path() -> None:
    one = snapshot_path("https://h.org/a/b?x=1", "text/html")
    assert snapshot_path("HTTPS://H.org:443/a/./b?x=1#part", "text/html") == one
    assert one == "h.org/a/b~1e297766cc21.html"


@given(
    st.lists(
        st.text(max_size=80) | st.sampled_from([".", "..", "CON", "~", "a" * 300]), max_size=9
    ),
    st.sampled_from(["", "text/html", "text/plain", "application/pdf", "x/y"]),
)
def test_any_path_is_safe_everywhere(parts: list[str], content_type: str) -> None:
    from urllib.parse import quote

    encoded = "/".join(quote(part.encode("utf-8", "replace"), safe="") for part in parts)[:3000]
    path = snapshot_path(parse_url(f"https://example.org/{encoded}"), content_type)
    assert split_source(path, windows=True) == split_source(path, windows=False)
    assert re.fullmatch(r"[a-z0-9._~/-]+", path)
    assert len(path) <= 180
    assert not PurePosixPath(path).is_absolute()
    assert not PureWindowsPath(path).is_reserved()
    assert not any(part.startswith(".") or part.endswith(".") for part in path.split("/"))

from __future__ import annotations

from pathlib import Path

import pytest

from groundkit_core.errors import SourceError
from groundkit_index.sources import parse_target


@pytest.mark.parametrize(
    "text",
    [
        "docs",
        "./docs",
        "/srv/docs",
        "C:\\docs",
        "c:/docs",
        "C:docs",
        "Z:",
        "\\\\server\\share",
        "~",
        "-rf",
        "a b",
        "notes: today",
        "x:y/z",
        "http",
        "https.md",
        "./https://example.org",
        "docs/http://x",
        "file",
        "file.md",
    ],
)
def test_paths_are_taken_as_they_are(text: str) -> None:
    assert parse_target(text) == Path(text)


@pytest.mark.parametrize(
    ("text", "scheme"),
    [
        ("https://example.org/docs", "https:"),
        ("http://example.org", "http:"),
        ("HTTPS://EXAMPLE.ORG", "https:"),
        ("https:/example.org", "https:"),
        ("https:example.org", "https:"),
        ("git+https://example.org/r.git", "git\\+https:"),
        ("ssh://git@example.org/r", "ssh:"),
        ("s3://bucket/key", "s3:"),
        ("https://user:password@example.org/", "https:"),
    ],
)
def test_urls_are_refused_and_not_repeated(text: str, scheme: str) -> None:
    with pytest.raises(SourceError, match=rf"^{scheme} URLs name no folder") as caught:
        parse_target(text)
    assert "example.org" not in str(caught.value).lower()
    assert "password" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("file:///srv/docs", "/srv/docs"),
        ("file://localhost/srv/docs", "/srv/docs"),
        ("FILE:///srv/docs", "/srv/docs"),
        ("file:/srv/docs", "/srv/docs"),
        ("file:///srv/my%20docs/%23a", "/srv/my docs/#a"),
        ("file:///C:/docs", "C:/docs"),
    ],
)
def test_a_file_url_names_its_path(text: str, path: str) -> None:
    assert parse_target(text) == Path(path)


@pytest.mark.parametrize(
    "text",
    [
        "file://server/share",
        "file://",
        "file:///a%00b",
        "file:///docs?x=1",
        "file:///docs#part",
        "file://[bad/x",
    ],
)
def test_a_file_url_that_names_no_local_path_is_refused(text: str) -> None:
    with pytest.raises(SourceError, match="file URL"):
        parse_target(text)


@pytest.mark.parametrize("text", ["", " ", "\t\n", "a\0b"])
def test_nothing_is_no_target(text: str) -> None:
    with pytest.raises(SourceError, match="no path to ingest"):
        parse_target(text)

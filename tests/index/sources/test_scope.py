from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from groundkit_core.errors import RootMissingError, SourceError
from groundkit_index.sources import FolderSource, Scan

Build = Callable[..., Path]
Scanning = Callable[..., Scan]
posix_only = pytest.mark.skipif(os.name != "posix", reason="needs links")


def sources(found: Scan) -> list[str]:
    return [file.source for file in found.files]


@pytest.mark.parametrize("scope", ["", "."])
def test_no_scope_is_the_whole_root(build: Build, scan: Scanning, scope: str) -> None:
    assert sources(scan(build("a.md", "b/c.md"), scope)) == ["a.md", "b/c.md"]


@pytest.mark.parametrize("scope", ["b", "b/"])
def test_a_folder_limits_the_scan_and_keeps_paths_below_the_root(
    build: Build, scan: Scanning, scope: str
) -> None:
    found = scan(build("a.md", "b/c.md", "b/d/e.md", "bb/f.md", ".x"), scope)
    assert sources(found) == ["b/c.md", "b/d/e.md"]
    assert found.skipped == {}


def test_a_file_limits_the_scan_to_itself(build: Build, scan: Scanning) -> None:
    found = scan(build("a.md", "b/c.md", "b/d.md"), "b/c.md")
    assert found == Scan(files=found.files)
    assert sources(found) == ["b/c.md"]


def test_ignore_files_of_the_folders_above_still_hold(build: Build, scan: Scanning) -> None:
    root = build(
        ".gitignore",
        "a/.gitignore",
        "a/b/keep.md",
        "a/b/draft.md",
        "a/b/deep/old.md",
        **{".gitignore": "draft.md\n", "a/.gitignore": "/b/deep/\n"},
    )
    found = scan(root, "a/b")
    assert sources(found) == ["a/b/keep.md"]
    assert found.skipped == {"ignored": 2}


@pytest.mark.parametrize("scope", ["drafts", "node_modules", ".notes", "env"])
def test_a_folder_that_a_person_names_is_entered(build: Build, scan: Scanning, scope: str) -> None:
    root = build(".gitignore", f"{scope}/a.md", "env/pyvenv.cfg", **{".gitignore": "drafts/\n"})
    assert f"{scope}/a.md" in sources(scan(root, scope))
    assert f"{scope}/a.md" not in sources(scan(root))


@pytest.mark.parametrize("scope", [".a.md", "drafts/a.md", "node_modules/x/readme.md"])
def test_a_file_that_a_person_names_is_taken(build: Build, scan: Scanning, scope: str) -> None:
    root = build(".gitignore", scope, **{".gitignore": "drafts/\n*.md\n"})
    assert sources(scan(root, scope)) == [scope]


def test_a_named_file_that_cannot_be_had_is_refused(build: Build, scan: Scanning) -> None:
    root = build("a.png", "large.md", **{"large.md": "x" * 1001})
    assert scan(root, "a.png").refused == (("a.png", "unsupported_type"),)
    assert scan(root, "large.md").refused == (("large.md", "too_large"),)


@posix_only
def test_a_named_link_is_refused(build: Build, scan: Scanning) -> None:
    root = build("real/a.md")
    (root / "link.md").symlink_to("real/a.md")
    (root / "folder").symlink_to("real")
    assert scan(root, "link.md").refused == (("link.md", "symlink"),)
    with pytest.raises(SourceError, match=r"'folder/a\.md' lies behind a link"):
        scan(root, "folder/a.md")


@posix_only
def test_a_named_pipe_is_refused(build: Build, scan: Scanning) -> None:
    root = build()
    os.mkfifo(root / "pipe.md")
    assert scan(root, "pipe.md").refused == (("pipe.md", "not_regular"),)


@pytest.mark.parametrize("scope", ["..", "../x", "/etc", "a//b", "a/../b", "a\0b", "a/./b", "//"])
def test_a_scope_outside_the_root_is_an_error(build: Build, scan: Scanning, scope: str) -> None:
    with pytest.raises(SourceError, match="is not a path below the root"):
        scan(build("a/b"), scope)


def test_a_scope_that_is_not_there_is_an_error(build: Build, scan: Scanning) -> None:
    root = build("a.md")
    for scope in ("absent", "absent/b.md", "a.md/b.md"):
        with pytest.raises(RootMissingError, match=rf"'{scope}' cannot be listed") as caught:
            scan(root, scope)
        assert str(root) not in str(caught.value)


def test_a_source_says_what_it_covers(build: Build) -> None:
    source = FolderSource(build("b/c.md"), scope="b/", max_bytes=99)
    assert source.scope == "b"
    assert source.read("b/c.md")[0] == b"text\n"

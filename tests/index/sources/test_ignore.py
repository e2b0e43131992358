from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from groundkit_index.sources import Scan
from groundkit_index.sources.gitignore import MAX_RULES, parse_rules

Build = Callable[..., Path]
Scanning = Callable[..., Scan]


def sources(found: Scan) -> list[str]:
    return [file.source for file in found.files]


def test_an_inner_file_outranks_an_outer_one(build: Build, scan: Scanning) -> None:
    root = build(
        ".gitignore",
        "a/.gitignore",
        "a/x.md",
        "b/x.md",
        **{".gitignore": "x.md\n", "a/.gitignore": "!x.md\n"},
    )
    assert sources(scan(root)) == ["a/x.md"]


def test_a_file_below_an_ignored_folder_cannot_come_back(build: Build, scan: Scanning) -> None:
    root = build(
        ".gitignore",
        "a/.gitignore",
        "a/x.md",
        **{".gitignore": "a/\n!a/x.md\n", "a/.gitignore": "!x.md\n"},
    )
    found = scan(root)
    assert sources(found) == []
    assert found.skipped == {"hidden": 1, "ignored": 1}


def test_an_allow_list_keeps_folders_open(build: Build, scan: Scanning) -> None:
    root = build(
        ".gitignore", "a.py", "a.md", "deep/b.py", "deep/b.md", **{".gitignore": "*\n!*/\n!*.md\n"}
    )
    assert sources(scan(root)) == ["a.md", "deep/b.md"]


def test_without_a_repository_ignore_files_hold_as_well(build: Build, scan: Scanning) -> None:
    root = build(".gitignore", "a.md", "b.md", **{".gitignore": "b.md"})
    assert sources(scan(root)) == ["a.md"]


def test_excludes_of_the_repository_rank_below_ignore_files(build: Build, scan: Scanning) -> None:
    root = build(
        ".git/HEAD",
        ".git/info/exclude",
        ".gitignore",
        "a.md",
        "b.md",
        **{".git/info/exclude": "*.md\n", ".gitignore": "!b.md\n"},
    )
    assert sources(scan(root)) == ["b.md"]


def test_ignore_files_above_the_root_hold_up_to_the_repository(
    build: Build, scan: Scanning
) -> None:
    top = build(
        ".gitignore",
        "repo/.git/HEAD",
        "repo/.git/info/exclude",
        "repo/.gitignore",
        "repo/docs/.gitignore",
        "repo/docs/root/a.md",
        "repo/docs/root/b.md",
        "repo/docs/root/c/d.md",
        "repo/docs/root/e.md",
        "repo/docs/root/f.md",
        **{
            ".gitignore": "f.md\n",
            "repo/.git/info/exclude": "e.md\n",
            "repo/.gitignore": "/docs/root/b.md\n/a.md\n",
            "repo/docs/.gitignore": "root/*/d.md\n",
        },
    )
    root = top / "repo" / "docs" / "root"
    assert sources(scan(root)) == ["a.md", "f.md"]


def test_ignore_files_above_a_root_outside_of_repositories_do_not_hold(
    build: Build, scan: Scanning
) -> None:
    top = build(".gitignore", "root/a.md", **{".gitignore": "*\n"})
    assert sources(scan(top / "root")) == ["a.md"]


def test_a_repository_inside_another_starts_afresh(build: Build, scan: Scanning) -> None:
    root = build(
        ".gitignore",
        "inner/.git/HEAD",
        "inner/a.md",
        "worktree/.git",
        "worktree/a.md",
        "plain/.git/",
        "plain/a.md",
        **{".gitignore": "a.md\n", "worktree/.git": "gitdir: ../x\n"},
    )
    assert sources(scan(root)) == ["inner/a.md", "worktree/a.md"]


def test_windows_newlines_and_a_byte_order_mark_do_not_matter(build: Build, scan: Scanning) -> None:
    root = build(
        ".gitignore", "a.md", "b.md", "c.md", **{".gitignore": "\ufeffa.md\r\nb.md\r\n\r\n"}
    )
    assert sources(scan(root)) == ["c.md"]


def test_patterns_hold_for_names_outside_ascii(build: Build, scan: Scanning) -> None:
    root = build(".gitignore", "é/文.md", "é/b.md", "ü.md", **{".gitignore": "/é/文.*\nü.md\n"})
    assert sources(scan(root)) == ["é/b.md"]


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX names")
def test_patterns_hold_across_newlines_in_names(build: Build, scan: Scanning) -> None:
    root = build(".gitignore", "a\nb/x.md", "a\nb/y.md", **{".gitignore": "**/x.md\n"})
    assert sources(scan(root)) == ["a\nb/y.md"]


@pytest.mark.skipif(os.name != "posix", reason="needs links")
def test_an_ignore_file_that_is_a_link_is_reported_and_not_read(
    build: Build, scan: Scanning
) -> None:
    root = build("rules", "sub/a.md", rules="*\n")
    (root / "sub" / ".gitignore").symlink_to("../rules")
    found = scan(root)
    assert sources(found) == ["sub/a.md"]
    assert found.refused == (("sub/.gitignore", "symlink"),)


def test_an_ignore_file_out_of_bounds_is_reported(build: Build, scan: Scanning) -> None:
    root = build(
        "large/.gitignore",
        "many/.gitignore",
        "a.md",
        **{
            "large/.gitignore": "#" * 200_000,
            "many/.gitignore": "\n".join(f"{n:x}" for n in range(MAX_RULES + 1)),
        },
    )
    found = scan(root)
    assert sources(found) == ["a.md"]
    assert found.refused == (
        ("large/.gitignore", "too_large"),
        ("many/.gitignore", "too_many_rules"),
    )


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 40 + "*b", "a" * 250),
        ("/".join(["**/*a*"] * 100 + ["b"]), "/".join(["a"] * 2000)),
        ("/".join(["**/*a*"] * 100 + ["b"]), "/".join(["a" * 250] * 16)),
        ("**/" * 1000 + "b", "/".join(["a"] * 2000)),
        ("[" * 4000, "a"),
        ("[[:" * 1000, "a"),
        ("[" + "a-z" * 1000 + "]b", "a"),
        ("*?" * 100, "a" * 99),
    ],
)
def test_hostile_patterns_are_matched_without_backtracking(pattern: str, path: str) -> None:
    name = path.rpartition("/")[2]
    assert parse_rules(pattern.encode()).verdict(name, path, is_folder=False) is None


def test_a_pattern_longer_than_any_path_is_left_out() -> None:
    assert len(parse_rules(b"a" * 4096)) == 1
    assert len(parse_rules(b"a" * 4097)) == 0


@pytest.mark.parametrize(
    "line", ["", "# note", "/", "!", "   ", "a\\", "[", "[a-", "[[:no:]]", "[z-a", "!/"]
)
def test_lines_that_git_matches_nothing_with_are_no_rules(line: str) -> None:
    assert len(parse_rules(line.encode())) == 0

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from groundkit_core.errors import DocumentRefusedError, RootMissingError, SourceError
from groundkit_core.paths import stat_beneath
from groundkit_index.sources import FolderSource, Scan

Build = Callable[..., Path]
Scanning = Callable[..., Scan]
posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX names and file types")


def sources(found: Scan) -> list[str]:
    return [file.source for file in found.files]


def test_documents_come_in_code_point_order(build: Build, scan: Scanning) -> None:
    root = build("b.md", "B.md", "a/z.md", "a.md", "a-b/c.md", "文.md", "é.md")
    assert sources(scan(root)) == ["B.md", "a-b/c.md", "a.md", "a/z.md", "b.md", "é.md", "文.md"]


def test_two_scans_of_one_folder_are_equal(build: Build, scan: Scanning) -> None:
    root = build("a.md", "x/b.py", ".hidden", "c.png", "node_modules/d.js")
    assert scan(root) == scan(root)


def test_every_file_carries_its_signature(build: Build, scan: Scanning) -> None:
    root = build("a.md", "deep/er/b.py")
    for file in scan(root).files:
        assert file.signature == stat_beneath(root, file.source)


def test_an_empty_folder_has_nothing(build: Build, scan: Scanning) -> None:
    assert scan(build()) == Scan()


def test_unsupported_files_are_counted_by_suffix(build: Build, scan: Scanning) -> None:
    root = build("a.png", "b.PNG", "c.zst", "noext", ".x", "d.very-odd suffix", "e.md")
    found = scan(root)
    assert sources(found) == ["e.md"]
    assert found.skipped == {"hidden": 1, "unsupported_type": 5}
    assert found.unsupported == {".png": 2, ".zst": 1, "other": 2}


def test_hidden_files_and_folders_are_counted_once_each(build: Build, scan: Scanning) -> None:
    root = build(".notes.md", ".secret/a.md", ".secret/b.md", "a.md", "sub/.b.md")
    found = scan(root)
    assert sources(found) == ["a.md"]
    assert found.skipped == {"hidden": 3}


def test_the_folders_of_code_forges_are_not_hidden(build: Build, scan: Scanning) -> None:
    root = build(".github/CONTRIBUTING.md", ".gitlab/a.md", ".github/.x/b.md", ".github.md")
    found = scan(root)
    assert sources(found) == [".github/CONTRIBUTING.md", ".gitlab/a.md"]
    assert found.skipped == {"hidden": 2}


def test_hidden_documents_are_taken_on_request(build: Build, scan: Scanning) -> None:
    root = build(".a.md", ".b/c.md", ".git/d.md", ".groundkit/e.json", ".venv/f.py")
    found = scan(root, follow_hidden=True)
    assert sources(found) == [".a.md", ".b/c.md"]
    assert found.skipped == {"environment": 1, "hidden": 1, "index": 1}


def test_a_file_over_the_limit_is_refused(build: Build, scan: Scanning) -> None:
    root = build("fits.md", "large.md", **{"fits.md": "x" * 1000, "large.md": "x" * 1001})
    found = scan(root)
    assert sources(found) == ["fits.md"]
    assert found.refused == (("large.md", "too_large"),)


@posix_only
def test_links_are_refused_or_counted_and_never_followed(
    build: Build, scan: Scanning, tmp_path: Path
) -> None:
    root = build("real/a.md")
    (tmp_path / "outside.md").write_text("outside")
    (root / "file.md").symlink_to(tmp_path / "outside.md")
    (root / "dangling.md").symlink_to("nowhere")
    (root / "self.md").symlink_to("self.md")
    (root / "folder").symlink_to(tmp_path)
    (root / "real" / "up").symlink_to("..")
    (root / "picture.png").symlink_to("real/a.md")
    (root / ".hidden.md").symlink_to("real/a.md")
    found = scan(root)
    assert sources(found) == ["real/a.md"]
    assert found.refused == (
        ("dangling.md", "symlink"),
        ("file.md", "symlink"),
        ("self.md", "symlink"),
    )
    assert found.skipped == {"hidden": 1, "symlink": 3}


@posix_only
def test_pipes_with_a_wanted_suffix_are_refused(build: Build, scan: Scanning) -> None:
    root = build("a.md")
    os.mkfifo(root / "pipe.md")
    os.mkfifo(root / "pipe")
    found = scan(root)
    assert sources(found) == ["a.md"]
    assert found.refused == (("pipe.md", "not_regular"),)
    assert found.skipped == {"unsupported_type": 1}


@posix_only
@pytest.mark.parametrize(
    "name",
    [
        "new\nline.md",
        "\x1b[2J.md",
        "\"quoted'.md",
        "-rf.md",
        "~.md",
        " lead.md",
        "trail .md",
        "back\\slash.md",
        "C:.md",
        "%2e%2e.md",
        "\u202e.md",
    ],
)
def test_odd_names_are_documents_like_any_other(build: Build, scan: Scanning, name: str) -> None:
    root = build(name, f"in {name}/{name}")
    found = scan(root)
    assert sources(found) == sorted([name, f"in {name}/{name}"])
    assert FolderSource(root, max_bytes=99).read(name)[0] == b"text\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs names that are not Unicode")
def test_names_that_are_not_unicode_are_refused_and_shown_escaped(
    build: Build, scan: Scanning
) -> None:
    root = build("good.md")
    for name in (b"caf\xe9.md", b"caf\xe9.png", b".h\xe9.md"):
        (root / os.fsdecode(name)).touch()
    (root / os.fsdecode(b"d\xff")).mkdir()
    (root / os.fsdecode(b"d\xff") / "a.md").touch()
    found = scan(root)
    assert sources(found) == ["good.md"]
    assert found.refused == (("caf\\xe9.md", "invalid_name"), ("d\\xff", "invalid_name"))
    assert found.skipped == {"hidden": 1, "unsupported_type": 1}


@pytest.mark.parametrize(
    "pair",
    [
        ("Readme.md", "README.md"),
        ("a b.md", "a_b.md"),
        (unicodedata.normalize("NFC", "é.md"), unicodedata.normalize("NFD", "é.md")),
    ],
)
def test_twins_are_different_documents(build: Build, scan: Scanning, pair: tuple[str, str]) -> None:
    root = build(*pair)
    if len(list(root.iterdir())) < 2:
        pytest.skip("the file system takes the names for one")
    assert sources(scan(root)) == sorted(pair)


def test_a_folder_that_cannot_be_listed_is_reported_and_its_documents_stand(
    shared_folder: Path,
    scan: Scanning,
    unprivileged: Callable[[], AbstractContextManager[None]],
) -> None:
    (shared_folder / "a.md").touch()
    for name, mode in (("closed", 0), ("blind", 0o744)):
        (shared_folder / name).mkdir()
        (shared_folder / name / "b.md").touch()
        (shared_folder / name).chmod(mode)
    with unprivileged():
        if os.access(shared_folder / "closed", os.R_OK, effective_ids=True):
            pytest.skip("nothing is forbidden to this user")
        found = scan(shared_folder)
    expected = [("closed", "permission")]
    if os.geteuid() == 0:  # a folder of another owner can be listed, but its files not looked at
        expected.insert(0, ("blind/b.md", "permission"))
        assert found.is_unlisted("blind/b.md")
    assert list(found.refused) == expected
    assert found.is_unlisted("closed/deep/b.md")
    assert not found.is_unlisted("a.md")


def test_unlisted_covers_a_place_and_what_is_below_it() -> None:
    found = Scan(unlisted=("a/b", "c.md"))
    assert [s for s in ("a/b", "a/b/x/y.md", "c.md") if not found.is_unlisted(s)] == []
    assert [s for s in ("a", "a/bc.md", "a/b.md", "c.md2", "") if found.is_unlisted(s)] == []


def test_too_many_entries_are_an_error_that_says_what_to_do(build: Build, scan: Scanning) -> None:
    root = build("a.md", "b/c.md", "b/d.png")
    assert len(scan(root, max_entries=4).files) == 2
    with pytest.raises(SourceError, match=r"more than 3 files and folders; ingest a folder below"):
        scan(root, max_entries=3)


def test_a_large_folder_is_listed_whole(build: Build, scan: Scanning) -> None:
    root = build()
    for number in range(2000):
        (root / f"{number:04}.md").touch()
    assert sources(scan(root)) == [f"{number:04}.md" for number in range(2000)]


def test_five_hundred_levels_are_walked(
    build: Build, scan: Scanning, remove_deep: Callable[[Path], None]
) -> None:
    root = build()
    deep = root.joinpath(*["d"] * 500)
    os.makedirs(deep)  # noqa: PTH103 - `Path.mkdir` recurses once a level
    (deep / "a.md").touch()
    assert sources(scan(root)) == [f"{'d/' * 500}a.md"]
    remove_deep(root / "d")


@posix_only
def test_a_path_longer_than_the_system_takes_is_refused(
    build: Build, scan: Scanning, remove_deep: Callable[[Path], None]
) -> None:
    root = build("a.md")
    folder = os.open(root, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=folder)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    found = scan(root)
    assert sources(found) == ["a.md"]
    [(place, reason)] = found.refused
    assert reason == "name_too_long"
    assert found.is_unlisted(f"{place}/x.md")
    remove_deep(root / ("d" * 200))


def test_a_vanished_root_is_an_error_without_its_absolute_path(
    tmp_path: Path, scan: Scanning
) -> None:
    (tmp_path / "file.md").touch()
    for name in ("gone", "file.md"):
        with pytest.raises(RootMissingError, match=r"cannot be listed \(missing\)") as caught:
            scan(tmp_path / name)
        assert str(tmp_path) not in str(caught.value)


def test_a_file_that_vanishes_after_the_scan_is_missing(build: Build) -> None:
    source = FolderSource(build("a.md"), max_bytes=99)
    [file] = source.scan().files
    (source.root / "a.md").unlink()
    with pytest.raises(DocumentRefusedError, match="missing"):
        source.read(file.source)


def test_a_file_that_grew_too_large_after_the_scan_is_refused(build: Build) -> None:
    source = FolderSource(build("a.md"), max_bytes=99)
    source.scan()
    (source.root / "a.md").write_text("x" * 100)
    with pytest.raises(DocumentRefusedError, match="too_large"):
        source.read("a.md")

"""One bad file is refused with a reason, and the rest is indexed."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.contracts import IngestReport

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

GOOD = "The zebra crosses at noon.\n"


def reasons(report: IngestReport) -> dict[str, str]:
    """Return source -> reason code."""
    return {refusal.source: refusal.reason.partition(":")[0] for refusal in report.refusals}


BAD = {
    "nul": b"The giraffe\0 eats.\n",
    "binary": b"%PDF-1.7\n" + bytes(range(256)),
    "lone surrogate": "\ufeffThe giraffe \ud800 eats.".encode("utf-16-le", "surrogatepass"),
}


@pytest.mark.parametrize("name", sorted(BAD))
def test_a_file_that_is_not_text_is_refused_and_the_rest_is_indexed(
    space: Workspace, name: str
) -> None:
    space.write("bad.md", BAD[name])
    space.write("good.md", GOOD)
    report = space.ingest()
    assert (report.documents.added, report.documents.refused) == (1, 1)
    assert [refusal.source for refusal in report.refusals] == ["bad.md"]
    assert report.refusals[0].reason
    assert space.found("zebra") == ["good.md"]
    assert space.found("giraffe") == []


def test_nul_bytes_are_refused_by_name(space: Workspace) -> None:
    space.write("bad.md", b"text\0text\n")
    assert reasons(space.ingest()) == {"bad.md": "nul_byte"}


def test_an_undecodable_file_is_refused_when_guessing_is_off(space: Workspace) -> None:
    space.write("bad.md", "Die Gr\u00f6\u00dfe".encode("latin-1"))
    space.write("good.md", GOOD)
    report = space.ingest(detect_encoding=False)
    assert list(reasons(report)) == ["bad.md"]
    assert report.documents.added == 1


def test_a_file_that_is_too_large_is_refused_and_not_read(
    space: Workspace, opened_files: Callable[[Callable[[], object]], set[str]]
) -> None:
    space.write("large.md", "x" * 1001)
    space.write("good.md", GOOD)
    assert "large.md" not in opened_files(lambda: space.ingest(max_file_bytes=1000))
    report = space.ingest(max_file_bytes=1000)
    assert reasons(report) == {"large.md": "too_large"}
    assert space.found("zebra") == ["good.md"]


def test_a_sparse_file_of_two_gigabytes_is_refused_at_once(space: Workspace) -> None:
    path = space.write("huge.md", "")
    os.truncate(path, 2 * 2**30)
    assert reasons(space.ingest()) == {"huge.md": "too_large"}


def test_links_pipes_and_sockets_are_refused_without_blocking(space: Workspace) -> None:
    outside = space.folder.parent / "outside.md"
    outside.write_text("The giraffe is secret.\n")
    space.write("good.md", GOOD)
    (space.folder / "link.md").symlink_to(outside)
    (space.folder / "dangling.md").symlink_to(space.folder / "nothing.md")
    (space.folder / "loop.md").symlink_to(space.folder / "loop.md")
    os.mkfifo(space.folder / "pipe.md")
    with closing(socket.socket(socket.AF_UNIX)) as listener:
        here = Path.cwd()
        os.chdir(space.folder)  # the path of a socket is limited to about 100 bytes
        try:
            listener.bind("socket.md")
        finally:
            os.chdir(here)
        report = space.ingest()
    assert reasons(report) == {
        "link.md": "symlink",
        "dangling.md": "symlink",
        "loop.md": "symlink",
        "pipe.md": "not_regular",
        "socket.md": "not_regular",
    }
    assert report.documents.added == 1
    assert space.found("giraffe") == []


def test_a_linked_folder_is_not_entered(space: Workspace) -> None:
    outside = space.folder.parent / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("The giraffe is secret.\n")
    space.write("good.md", GOOD)
    (space.folder / "folder").symlink_to(outside)
    space.ingest()
    assert list(space.documents()) == ["good.md"]


Spoil = Callable[[Path], None]


def _with_nul(path: Path) -> None:
    path.write_bytes(b"The giraffe\0eats.\n")


def _as_link(path: Path) -> None:
    outside = path.parent.parent / "outside.md"
    outside.write_text("The camel is secret.\n")
    path.unlink()
    path.symlink_to(outside)


def _as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _too_large(path: Path) -> None:
    path.write_text("giraffe " * 1000)


@pytest.mark.parametrize("spoil", [_with_nul, _as_link, _as_pipe, _as_folder, _too_large])
def test_a_document_whose_file_became_bad_leaves_the_index(space: Workspace, spoil: Spoil) -> None:
    path = space.write("guide.md", "The giraffe eats at dawn.\n")
    space.write("good.md", GOOD)
    space.ingest(max_file_bytes=5000)
    assert space.found("giraffe") == ["guide.md"]
    spoil(path)
    report = space.ingest(max_file_bytes=5000)
    assert report.documents.removed == 1
    assert report.documents.refused == (0 if spoil is _as_folder else 1)
    assert space.found("giraffe") == []
    assert space.found("zebra") == ["good.md"]


def test_a_document_whose_file_was_mended_comes_back(space: Workspace) -> None:
    space.write("guide.md", b"The giraffe\0eats.\n")
    space.ingest()
    space.write("guide.md", "The giraffe eats.\n")
    assert space.counts() == {"added": 1}
    assert space.found("giraffe") == ["guide.md"]


def test_a_refused_file_is_reported_at_every_ingest(space: Workspace) -> None:
    space.write("bad.md", b"a\0b")
    space.write("good.md", GOOD)
    for _ in range(2):
        assert reasons(space.ingest()) == {"bad.md": "nul_byte"}


def test_a_name_that_is_not_unicode_is_refused_and_shown_with_escapes(space: Workspace) -> None:
    space.write("good.md", GOOD)
    Path(os.fsdecode(os.fsencode(space.folder) + b"/bad\xff.md")).write_text("giraffe")
    assert reasons(space.ingest()) == {"bad\\xff.md": "invalid_name"}
    assert space.found("zebra") == ["good.md"]


def test_a_reason_names_no_absolute_path(space: Workspace) -> None:
    space.write("bad.md", b"a\0b")
    space.write("large.md", "x" * 2000)
    (space.folder / "link.md").symlink_to("/etc/hostname")
    text = space.ingest(max_file_bytes=1000).model_dump_json()
    assert str(space.folder) not in text
    assert "/etc" not in text


def test_strange_line_ends_and_encodings_give_exact_passages(space: Workspace) -> None:
    texts = {
        "crlf.md": "# A\r\n\r\nThe zebra \U0001f993 crosses.\r\n".encode(),
        "bom.md": b"\xef\xbb\xbf# A\n\nThe zebra crosses.\n",
        "utf16.md": "# A\n\nThe zebra crosses.\n".encode("utf-16"),
        "combining.md": "# A\n\nThe zebra cafe\u0301 crosses.\n".encode(),
    }
    for source, data in texts.items():
        space.write(source, data)
    assert space.counts() == {"added": 4}
    for source, chunks in space.chunks().items():
        text = texts[source].decode("utf-16" if "16" in source else "utf-8-sig")
        assert [text[chunk.start : chunk.end] for chunk in chunks] == [c.content for c in chunks]
    assert space.verdicts() == {"verified": 4}

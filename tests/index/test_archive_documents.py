"""Documents in archives are found, cited and verified like files."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import pytest

if TYPE_CHECKING:
    from tests.index.conftest import Workspace

OTTER = "# Otters\n\nAn otter swims with its webbed feet.\n"
HOLT = "# Holts\n\nThe holt of an otter is dug into the bank.\n"


def zipped(**members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/") + ".md", text)
    return packed.getvalue()


def tarred(compression: str, **members: str) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=cast(Any, f"w:{compression}")) as archive:
        for name, text in members.items():
            entry = tarfile.TarInfo(name.replace("__", "/") + ".md")
            entry.size = len(text.encode())
            archive.addfile(entry, io.BytesIO(text.encode()))
    return packed.getvalue()


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("notes.zip", zipped),
        ("notes.tar", lambda **members: tarred("", **members)),
        ("notes.tar.gz", lambda **members: tarred("gz", **members)),
        ("notes.tbz2", lambda **members: tarred("bz2", **members)),
        ("notes.tar.xz", lambda **members: tarred("xz", **members)),
    ],
)
def test_a_member_is_cited_in_its_archive(
    space: Workspace, name: str, pack: Callable[..., bytes]
) -> None:
    space.write(f"old/{name}", pack(guide__otter=OTTER, guide__holt=HOLT))
    assert space.counts() == {"added": 2}
    (hit,) = space.open().search("webbed feet").results
    assert hit.citation.source == f"old/{name}!/guide/otter.md"
    assert hit.citation.link == f"old/{name}!/guide/otter.md:1"
    assert hit.citation.verification == "verified"
    passage = space.open().fetch(hit.chunk_id, context=5)
    assert passage.content == hit.content


def test_an_unchanged_archive_is_not_read_again(space: Workspace) -> None:
    space.write("a.zip", zipped(one=OTTER, two=HOLT))
    space.ingest()
    assert space.counts() == {"unchanged": 2}


def test_a_changed_archive_changes_only_the_members_that_changed(space: Workspace) -> None:
    space.write("a.zip", zipped(one=OTTER, two=HOLT))
    space.ingest()
    space.write("a.zip", zipped(one=OTTER, three="# Kits\n\nA kit is a young otter.\n"))
    assert space.counts() == {"added": 1, "unchanged": 1, "removed": 1}


def test_the_passage_of_a_member_that_moved_is_relocated(space: Workspace) -> None:
    space.write("a.zip", zipped(one=OTTER))
    space.ingest()
    space.write("a.zip", zipped(one="# Animals\n\nSome swim.\n\n" + OTTER))
    (hit,) = space.open().search("webbed feet").results
    assert hit.citation.verification == "relocated"


def test_a_member_that_is_gone_is_missing(space: Workspace) -> None:
    space.write("a.zip", zipped(one=OTTER))
    space.ingest()
    space.write("a.zip", zipped(two=HOLT))
    (hit,) = space.open().search("webbed feet").results
    assert hit.citation.verification == "missing"


def test_one_archive_can_be_named_and_goes_with_its_name(space: Workspace) -> None:
    path = space.write("a.zip", zipped(one=OTTER, two=HOLT))
    space.write("b.md", "# Else\n\nNothing of otters.\n")
    assert space.counts(path) == {"added": 2}
    path.unlink()
    assert space.counts() == {"added": 1, "removed": 2}


def test_a_broken_archive_is_refused_with_its_reason_and_the_rest_goes_on(
    space: Workspace,
) -> None:
    whole = zipped(one=OTTER)
    space.write("a.zip", whole[: len(whole) // 2])
    space.write("b.md", HOLT)
    report = space.ingest()
    assert report.documents.added == 1
    assert [(r.source, r.reason.partition(":")[0]) for r in report.refusals] == [
        ("a.zip", "broken")
    ]


def test_members_that_a_folder_would_not_give_are_passed_over(space: Workspace) -> None:
    space.write(
        "a.zip",
        zipped(one=OTTER, node_modules__two=HOLT, **{".hidden": HOLT}),
    )
    report = space.ingest()
    assert report.documents.added == 1
    assert report.skipped == {"hidden": 1, "vendored": 1}


def test_a_member_that_leads_out_of_its_archive_is_refused(space: Workspace) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../evil.md", OTTER)
        archive.writestr("good.md", HOLT)
    space.write("a.zip", packed.getvalue())
    report = space.ingest()
    assert report.documents.added == 1
    assert [refusal.reason for refusal in report.refusals] == ["outside_root"]


def test_a_program_or_an_office_file_is_no_archive(space: Workspace) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\n")
        archive.writestr("readme.md", OTTER)
    space.write("program.zip", packed.getvalue())
    report = space.ingest()
    assert report.documents.added == 0
    assert report.skipped == {"unsupported_type": 1}


def test_a_document_without_a_suffix_is_told_by_its_first_bytes(space: Workspace) -> None:
    space.write("page", "<!DOCTYPE html><title>Otters</title><p>An otter has webbed feet.</p>")
    space.write("data", b"\x00\x01\x02")
    report = space.ingest()
    assert (report.documents.added, report.skipped) == (1, {"unsupported_type": 1})
    (hit,) = space.open().search("webbed feet").results
    assert hit.citation.extractor is not None

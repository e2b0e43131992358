from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from groundkit_core.errors import DocumentRefusedError
from groundkit_index.loaders.protocol import Limits
from groundkit_index.sources.archive import Archive, is_archive, open_archive

MAX = 1_000_000
FILES = {"docs/a.md": b"# A\n", "docs/b.md": b"# B\n" * 500, "naïve.md": b"n\n", "empty.txt": b""}


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        archive.mkdir("docs")
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: dict[str, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, data in files.items():
            archive.addfile(header(name, size=len(data)), io.BytesIO(data))
    return out.getvalue()


def header(name: str, kind: bytes = tarfile.REGTYPE, size: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.size = kind, size
    return info


def opened(data: bytes | Path, limits: Limits | None = None, max_bytes: int = MAX) -> Archive:
    return open_archive(data, limits or Limits(), max_bytes=max_bytes)


def contents(data: bytes) -> dict[str, bytes]:
    with opened(data) as archive:
        return {member.name: found for member, found in archive.contents(lambda name: True)}


def contents_or_reason(data: bytes) -> dict[str, bytes] | str:
    try:
        return contents(data)
    except DocumentRefusedError as error:
        return error.reason


def reasons(data: bytes, **options: int) -> dict[str, str | None]:
    with opened(data, **options) as archive:  # type: ignore[arg-type]
        return {member.name: member.reason for member in archive.members()}


FORMATS: dict[str, Callable[[dict[str, bytes]], bytes]] = {
    "stored.zip": lambda files: zipped(files, zipfile.ZIP_STORED),
    "deflated.zip": zipped,
    "bzipped.zip": lambda files: zipped(files, zipfile.ZIP_BZIP2),
    "lzma.zip": lambda files: zipped(files, zipfile.ZIP_LZMA),
    "pax.tar": tarred,
    "gnu.tar": lambda files: tarred(files, tarfile.GNU_FORMAT),
    "a.tar.gz": lambda files: gzip.compress(tarred(files)),
    "a.tgz": lambda files: gzip.compress(tarred(files, tarfile.GNU_FORMAT)),
    "a.tar.bz2": lambda files: bz2.compress(tarred(files)),
    "a.tar.xz": lambda files: lzma.compress(tarred(files)),
}
every_format = pytest.mark.parametrize("name", FORMATS)


@every_format
def test_members_are_read_in_the_order_of_the_archive(name: str) -> None:
    data = FORMATS[name](FILES)
    assert is_archive(data[:512], name)
    with opened(data) as archive:
        listed = list(archive.members())
        assert [(member.name, member.size) for member in listed] == [
            (name, len(content)) for name, content in FILES.items()
        ]
        assert not any(member.reason for member in listed)
        found = [(member.name, content) for member, content in archive.contents(lambda n: True)]
        assert found == list(FILES.items())
        assert {name: archive.read(name) for name in FILES} == FILES


@every_format
def test_only_what_is_wanted_is_read(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FORMATS[name](FILES))
    with opened(path) as archive:
        found = [member.name for member, _ in archive.contents(lambda name: name.endswith(".md"))]
        assert found == ["docs/a.md", "docs/b.md", "naïve.md"]
        with pytest.raises(DocumentRefusedError, match="missing"):
            archive.read("docs/c.md")


@every_format
def test_an_archive_that_is_cut_anywhere_is_refused_whole(name: str) -> None:
    data = FORMATS[name](FILES)
    end = len(data.rstrip(b"\0")) if name.endswith(".tar") else len(data) - 1
    for keep in range(0, end, max(1, end // 40)):
        with pytest.raises(DocumentRefusedError) as caught:
            opened(data[:keep])
        assert caught.value.reason == "broken"


@every_format
def test_flipped_bits_never_give_wrong_text_of_a_checked_format(name: str) -> None:
    data = FORMATS[name](FILES)
    for at in range(0, len(data), max(1, len(data) // 60)):
        flipped = bytearray(data)
        flipped[at] ^= 0x10
        found = contents_or_reason(bytes(flipped))
        if isinstance(found, str):
            assert found in {"broken", "over_limit"}
        elif not name.endswith(".tar"):  # a plain TAR has no checksum of what its members hold
            assert all(content == FILES[name] for name, content in found.items() if name in FILES)


@every_format
def test_an_archive_in_an_archive_is_not_entered(name: str) -> None:
    inner = {"a.md": b"a", "inner.zip": zipped({"b.md": b"b"}), "inner.TAR.GZ": b"x"}
    data = FORMATS[name](inner)
    assert reasons(data) == {
        "a.md": None,
        "inner.zip": "nested_archive",
        "inner.TAR.GZ": "nested_archive",
    }
    assert contents(data) == {"a.md": b"a"}


@every_format
def test_members_that_are_too_large_are_refused_alone(name: str) -> None:
    data = FORMATS[name](FILES)
    assert reasons(data, max_bytes=1000)["docs/b.md"] == "too_large"
    with opened(data, max_bytes=1000) as archive:
        assert len(list(archive.contents(lambda name: True))) == 3
        with pytest.raises(DocumentRefusedError, match="too_large"):
            archive.read("docs/b.md")


@every_format
@pytest.mark.parametrize(
    "limits", [Limits(members=3), Limits(unpacked_bytes=1000), Limits(seconds=-1.0)]
)
def test_an_archive_beyond_the_limits_is_refused_whole(name: str, limits: Limits) -> None:
    with pytest.raises(DocumentRefusedError) as caught:
        next(opened(FORMATS[name](FILES), limits).contents(lambda name: True))
    assert caught.value.reason == "over_limit"


EVIL = {
    "/etc/passwd.md": "outside_root",
    "../up.md": "outside_root",
    "a/../../up.md": "outside_root",
    "a//b.md": "outside_root",
    "a/./b.md": "outside_root",
    "C:/x.md": "outside_root",
    "c:x.md": "outside_root",
    "..\\up.md": "outside_root",
    "\\\\host\\x.md": "outside_root",
    "dir\\x.md": "outside_root",
}


@every_format
def test_names_that_lead_elsewhere_are_refused(name: str) -> None:
    data = FORMATS[name](dict.fromkeys(EVIL, b"x"))
    assert reasons(data) == EVIL
    assert contents(data) == {}


class Twins(dict[str, bytes]):
    """Files that share names, as archives can have them."""

    def items(self):  # type: ignore[no-untyped-def]
        return [("a.md", b"1"), ("./a.md", b"2"), ("b.md", b"3"), ("c.md", b"4"), ("c.md", b"4")]


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("name", [name for name in FORMATS if name.endswith(".zip")])
def test_members_of_a_zip_that_share_a_name_but_not_their_content_are_refused(name: str) -> None:
    with opened(FORMATS[name](Twins())) as archive:
        assert [(member.name, member.reason) for member in archive.members()] == [
            ("a.md", "duplicate"),
            ("a.md", "duplicate"),
            ("b.md", None),
            ("c.md", None),
            ("c.md", "duplicate"),
        ]
        assert archive.read("c.md") == b"4"
        with pytest.raises(DocumentRefusedError, match="duplicate"):
            archive.read("a.md")


@pytest.mark.parametrize("name", [name for name in FORMATS if not name.endswith(".zip")])
def test_a_later_member_of_a_tar_replaces_an_earlier_one(name: str) -> None:
    with opened(FORMATS[name](Twins())) as archive:
        assert [(member.name, member.reason) for member in archive.members()] == [
            ("a.md", "duplicate"),
            ("a.md", None),
            ("b.md", None),
            ("c.md", "duplicate"),
            ("c.md", None),
        ]
        assert archive.read("a.md") == b"2"


@pytest.mark.parametrize(
    ("name", "kind", "names", "expected"),
    [
        ("a.zip", "stored.zip", None, True),
        ("A.ZIP", "stored.zip", None, True),
        ("a.zip", "stored.zip", ["a.md", "mimetype"], False),
        ("a.zip", "stored.zip", ["[Content_Types].xml"], False),
        ("a.zip", "stored.zip", ["META-INF/MANIFEST.MF"], False),
        ("a.docx", "stored.zip", None, False),
        ("a.whl", "stored.zip", None, False),
        ("a.epub", "stored.zip", None, False),
        ("a.zip", "pax.tar", None, False),
        ("a.tar", "pax.tar", None, True),
        ("a.tar", "a.tar.gz", None, False),
        ("a.tar.gz", "a.tar.gz", None, True),
        ("a.gz", "a.tar.gz", None, False),
        ("a.md", "a.tar.gz", None, False),
    ],
)
def test_what_an_archive_is_goes_by_content_and_name(
    name: str, kind: str, names: list[str] | None, expected: bool
) -> None:
    assert is_archive(FORMATS[kind](FILES)[:512], name, names) is expected


@pytest.mark.parametrize("data", [b"", b"PK", b"PK\x05\x06", b"text" * 500, bytes(100)])
def test_what_is_no_archive_is_refused(data: bytes) -> None:
    with pytest.raises(DocumentRefusedError, match="broken"):
        opened(data)


def test_empty_archives_have_no_members() -> None:
    for data in (zipfile_empty(), tarred({}), gzip.compress(tarred({}))):
        assert contents(data) == {}


def zipfile_empty() -> bytes:
    return b"PK\x05\x06" + bytes(18)


def test_a_gzip_file_that_holds_no_tar_is_refused() -> None:
    with pytest.raises(DocumentRefusedError, match="broken"):
        opened(gzip.compress(b"only text\n" * 100))


def zip_with(change: Callable[[zipfile.ZipInfo], None], name: str = "a.md") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo(name)
        change(info)
        archive.writestr(info, b"text")
        archive.writestr("b.md", b"b")
    return out.getvalue()


def _mode(mode: int) -> Callable[[zipfile.ZipInfo], None]:
    def change(info: zipfile.ZipInfo) -> None:
        info.external_attr = mode << 16

    return change


@pytest.mark.parametrize(
    ("mode", "reason"),
    [(0o100644, None), (0, None), (0o120777, "symlink"), (0o010644, "not_regular")],
)
def test_only_regular_members_of_a_zip_are_read(mode: int, reason: str | None) -> None:
    assert reasons(zip_with(_mode(mode))) == {"a.md": reason, "b.md": None}


def patched(data: bytes, local: int, central: int, value: bytes) -> bytes:
    """Change a field of the first member in both of its headers."""
    out = bytearray(data)
    for mark, offset in ((b"PK\x03\x04", local), (b"PK\x01\x02", central)):
        at = out.index(mark) + offset
        out[at : at + len(value)] = value
    return bytes(out)


def test_encrypted_members_are_refused_alone() -> None:
    data = patched(zip_with(lambda info: None), 6, 8, b"\x01\x00")
    assert reasons(data) == {"a.md": "encrypted", "b.md": None}
    assert contents(data) == {"b.md": b"b"}


def test_members_in_a_compression_that_is_not_known_are_refused_alone() -> None:
    data = patched(zip_with(lambda info: None), 8, 10, b"\x09\x00")
    assert reasons(data) == {"a.md": "unsupported_compression", "b.md": None}


def test_a_member_that_is_not_what_its_checksum_says_is_refused_alone() -> None:
    data = zip_with(lambda info: None).replace(b"text", b"lies")
    with opened(data) as archive:
        assert [member.name for member, _ in archive.contents(lambda name: True)] == ["b.md"]
        assert {m.name: m.reason for m in archive.members()} == {"a.md": "broken", "b.md": None}
        with pytest.raises(DocumentRefusedError, match="broken"):
            archive.read("a.md")


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        (b"caf\x82.md", "café.md"),
        ("café.md".encode(), "café.md"),
        ("文書.md".encode(), "文書.md"),
    ],
)
def test_names_without_a_mark_are_utf8_or_else_code_page_437(raw: bytes, name: str) -> None:
    placeholder = "x" * len(raw)
    data = zip_with(lambda info: None, placeholder).replace(placeholder.encode(), raw)
    assert list(reasons(data)) == [name, "b.md"]
    assert contents(data)[name] == b"text"


def test_a_name_with_a_nul_is_refused() -> None:
    data = zip_with(lambda info: None, "a.md_.exe").replace(b"a.md_", b"a.md\0")
    assert reasons(data) == {"a.md\\0.exe": "invalid_name", "b.md": None}


def test_members_of_a_zip_that_overlap_are_refused() -> None:
    body = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = body.compress(bytes(100_000)) + body.flush()
    crc = zlib.crc32(bytes(100_000))
    fields = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0x21, crc, len(packed), 100_000, 4, 0)
    local = b"PK\x03\x04" + fields + b"0.md" + packed
    central = b"".join(
        b"PK\x01\x02"
        + struct.pack("<H", 20)
        + fields
        + struct.pack("<HHHII", 0, 0, 0, 0, 0)
        + b"%d.md" % n
        for n in range(10)
    )
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 10, 10, len(central), len(local), 0)
    with pytest.raises(DocumentRefusedError, match="overlap"):
        opened(local + central + end)


def test_a_member_that_unpacks_to_far_more_than_it_should_is_refused_unread() -> None:
    data = zipped({"bomb.md": bytes(5_000_000), "small.md": bytes(500_000)})
    found = reasons(data, max_bytes=100_000_000)
    assert found == {"bomb.md": "over_limit", "small.md": None}


def test_a_member_of_a_zip_that_says_less_than_it_unpacks_to_is_refused() -> None:
    data = patched(zipped({"a.md": bytes(50_000_000)}), 0, 0, b"PK")
    at = data.rindex(b"a.md", 0, data.rindex(b"PK\x05\x06")) - 46
    lying = data[: at + 24] + struct.pack("<I", 100) + data[at + 28 :]
    with opened(lying) as archive:
        assert list(archive.contents(lambda name: True)) == []
        assert [member.reason for member in archive.members()] == ["broken"]


def test_the_members_of_a_zip_are_counted_before_they_are_listed() -> None:
    entry = b"PK\x01\x02" + bytes(42)
    count = 300_000
    directory = entry * count
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, len(directory), 4, 0)
    before = time.perf_counter()
    with pytest.raises(DocumentRefusedError, match="more than 20,000 members"):
        opened(b"PK\x03\x04" + directory + end)
    assert time.perf_counter() - before < 1


def test_a_packed_tar_that_unpacks_to_far_too_much_is_refused() -> None:
    bomb = tarred({"a.md": bytes(20_000_000)})
    for packed in (gzip.compress(bomb), bz2.compress(bomb), lzma.compress(bomb)):
        with pytest.raises(DocumentRefusedError, match="over_limit"):
            opened(packed)


def test_an_xz_file_that_needs_far_too_much_memory_is_refused() -> None:
    data = lzma.compress(tarred(FILES))
    assert contents(data) == FILES
    # The size of the dictionary is one byte of the block header, which has a checksum.
    block = bytearray(data[12 : 12 + (data[12] + 1) * 4])
    block[4] = 40
    block[-4:] = struct.pack("<I", zlib.crc32(block[:-4]))
    with pytest.raises(DocumentRefusedError, match="broken"):
        opened(data[:12] + bytes(block) + data[12 + len(block) :])


def test_links_devices_and_sparse_files_of_a_tar_are_refused_alone() -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for kind, name in (
            (tarfile.SYMTYPE, "link.md"),
            (tarfile.LNKTYPE, "hard.md"),
            (tarfile.CHRTYPE, "device.md"),
            (tarfile.FIFOTYPE, "pipe.md"),
            (tarfile.DIRTYPE, "folder.md"),
        ):
            info = header(name, kind)
            info.linkname = "/etc/passwd"
            archive.addfile(info)
        sparse = header("sparse.md", size=4)
        sparse.pax_headers = {"GNU.sparse.size": "99999999999", "GNU.sparse.map": "0,4"}
        archive.addfile(sparse, io.BytesIO(b"text"))
        archive.addfile(header("a.md", size=4), io.BytesIO(b"text"))
    assert reasons(out.getvalue()) == {
        "link.md": "symlink",
        "hard.md": "hard_link",
        "device.md": "not_regular",
        "pipe.md": "not_regular",
        "sparse.md": "not_regular",
        "a.md": None,
    }
    assert contents(out.getvalue()) == {"a.md": b"text"}


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_of_a_tar_are_whole(form: int) -> None:
    name = "/".join(["folder-with-a-long-name"] * 20) + "/ünïcode.md"
    assert contents(tarred({name: b"text", "b.md": b"b"}, form)) == {name: b"text", "b.md": b"b"}


def test_a_name_of_a_tar_that_is_not_utf8_is_refused_alone() -> None:
    out = io.BytesIO()
    with tarfile.open(
        fileobj=out, mode="w", format=tarfile.GNU_FORMAT, encoding="latin-1"
    ) as archive:
        archive.addfile(header("café.md"))
        archive.addfile(header("b.md"))
    assert reasons(out.getvalue()) == {"caf\\xe9.md": "invalid_name", "b.md": None}


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_that_is_far_too_long_is_refused(kind: bytes) -> None:
    block = header("x", kind, 10**10).tobuf(tarfile.GNU_FORMAT)
    before = time.perf_counter()
    with pytest.raises(DocumentRefusedError, match="over_limit"):
        opened(block + bytes(100_000))
    assert time.perf_counter() - before < 1


@pytest.mark.parametrize(
    "records", [b"99 path=a.md\n", b"4 ab", b"-9 path=a\n", b"x path=a\n", b"11 size=-9\n\n"]
)
def test_a_malformed_pax_header_is_refused(records: bytes) -> None:
    block = header("x", tarfile.XHDTYPE, len(records)).tobuf(tarfile.USTAR_FORMAT)
    data = block + records.ljust(512, b"\0") + tarred({"a.md": b"a"})
    with pytest.raises(DocumentRefusedError, match="broken"):
        opened(data)


def test_headers_that_announce_headers_without_end_are_refused() -> None:
    block = header("x", tarfile.XHDTYPE, 0).tobuf(tarfile.USTAR_FORMAT)
    with pytest.raises(DocumentRefusedError, match="broken"):
        opened(block * 1000 + tarred({"a.md": b"a"}))


def test_archives_made_of_several_streams_are_read_whole() -> None:
    data = tarred(FILES)
    half = len(data) // 2
    for pack in (gzip.compress, bz2.compress, lzma.compress):
        joined = pack(data[:half]) + pack(data[half:]) + bytes(512)
        assert contents(joined) == FILES


def test_a_tar_without_its_end_marks_is_read_only_where_a_checksum_vouches_for_it() -> None:
    data = tarred({"a.md": b"a"})[:1024]
    assert contents(gzip.compress(data)) == {"a.md": b"a"}
    with pytest.raises(DocumentRefusedError, match="truncated"):
        opened(data)


def test_what_comes_after_a_packed_stream_must_be_one_too() -> None:
    with pytest.raises(DocumentRefusedError, match="broken"):
        opened(gzip.compress(tarred(FILES)) + b"garbage")


def test_an_old_tar_without_a_magic_word_is_read() -> None:
    data = bytearray(tarred({"a.md": b"old"}, tarfile.USTAR_FORMAT))
    data[257:265] = bytes(8)
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    assert is_archive(bytes(data[:512]), "a.tar")
    assert contents(bytes(data)) == {"a.md": b"old"}

from __future__ import annotations

import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from groundkit_core import paths
from groundkit_core.errors import DocumentRefusedError, RootMissingError
from groundkit_core.paths import read_beneath, resolve_root, split_source, stat_beneath

posix_only = pytest.mark.skipif(os.name != "posix", reason="needs POSIX names and file types")
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
LIMIT = 1_000_000


@pytest.fixture(params=["by descriptor", "by path"], autouse=True)
def opener(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Runs every test with both ways to open a file, whichever the platform would choose."""
    by_descriptor = request.param == "by descriptor"
    if by_descriptor and not paths._CAN_OPEN_AT:
        pytest.skip("the platform cannot open relative to a descriptor")
    monkeypatch.setattr(
        paths, "_open_file", paths._open_at if by_descriptor else paths._open_by_path
    )
    return str(request.param)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "corpus"
    (folder / "guide").mkdir(parents=True)
    (folder / "guide" / "setup.md").write_bytes(b"# Setup\r\n")
    (tmp_path / "secret.md").write_bytes(b"outside")
    return folder


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder whose parents anybody may pass through."""
    folder = Path(tempfile.mkdtemp(prefix="groundkit-"))
    folder.chmod(0o755)
    yield folder
    for path in folder.iterdir():
        path.chmod(0o700)
    shutil.rmtree(folder)


@contextmanager
def unprivileged() -> Iterator[None]:
    """Gives up the right of root to read everything."""
    if os.name != "posix":
        pytest.skip("needs POSIX permissions")
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def refusal(root: Path, source: str, **options: int) -> str:
    with pytest.raises(DocumentRefusedError) as caught:
        read_beneath(root, source, max_bytes=LIMIT, **options)
    assert str(root.parent) not in str(caught.value)
    assert caught.value.__cause__ is None
    return caught.value.reason


def test_reads_the_bytes_and_signature_of_a_file(root: Path) -> None:
    data, signature = read_beneath(root, "guide/setup.md", max_bytes=LIMIT)
    status = (root / "guide" / "setup.md").stat()
    assert data == b"# Setup\r\n"
    assert signature.size == len(data)
    assert (signature.mtime_ns, signature.ctime_ns) == (status.st_mtime_ns, status.st_ctime_ns)
    assert signature.inode == status.st_ino


def test_an_empty_file_has_no_bytes(root: Path) -> None:
    (root / "empty.md").touch()
    assert read_beneath(root, "empty.md", max_bytes=LIMIT)[0] == b""


@pytest.mark.parametrize(
    "source",
    [
        "",
        ".",
        "..",
        "/etc/passwd",
        "//server/share",
        "../secret.md",
        "guide/../../secret.md",
        "guide/./setup.md",
        "guide//setup.md",
        "guide/",
        "guide/setup.md\0.txt",
    ],
)
def test_paths_that_could_leave_the_root_are_refused(root: Path, source: str) -> None:
    assert refusal(root, source) == "outside_root"


@pytest.mark.parametrize(
    "source",
    [
        "C:/docs",
        "c:docs",
        "..\\secret.md",
        "guide\\setup.md",
        "\\\\server\\share",
        "setup.md:stream",
        "guide./setup.md",
        "setup.md ",
        "...",
    ],
)
def test_windows_names_that_mean_another_place_are_refused_there(source: str) -> None:
    with pytest.raises(DocumentRefusedError, match="outside_root"):
        split_source(source, windows=True)
    assert split_source(source, windows=False) == source.split("/")


@posix_only
@pytest.mark.parametrize(
    "name",
    [
        "~",
        "~root",
        "%2e%2e",
        "..\\x",
        "C:",
        "-rf",
        "a\nb.md",
        "\x1b[31m.md",
        "\"'`$(x).md",
        " .md",
        "dot.",
        "é.md",
        "文書.md",
    ],
)
def test_odd_names_are_plain_names(root: Path, name: str) -> None:
    (root / name).write_bytes(name.encode())
    assert read_beneath(root, name, max_bytes=LIMIT)[0] == name.encode()
    assert stat_beneath(root, name) is not None


@pytest.mark.parametrize(
    "pair",
    [
        ("Readme.md", "README.md"),
        ("a b.md", "a_b.md"),
        (unicodedata.normalize("NFC", "é.md"), unicodedata.normalize("NFD", "é.md")),
    ],
)
def test_twins_are_different_files(root: Path, pair: tuple[str, str]) -> None:
    for name in pair:
        (root / name).write_text(repr(name))
    if len({path.name for path in root.iterdir()} & set(pair)) < 2:
        pytest.skip("the file system takes the names for one")
    for name in pair:
        assert read_beneath(root, name, max_bytes=LIMIT)[0] == repr(name).encode()


def test_a_name_that_is_not_unicode_is_refused(root: Path) -> None:
    assert refusal(root, "caf\udce9.md") == "invalid_name"
    assert refusal(root, "\ud800.md") == "invalid_name"


@pytest.mark.parametrize("source", ["absent.md", "absent/setup.md", "guide/setup.md/deeper.md"])
def test_what_is_not_there_is_missing(root: Path, source: str) -> None:
    assert refusal(root, source) == "missing"
    assert stat_beneath(root, source) is None


def test_a_vanished_root_is_missing(root: Path) -> None:
    assert refusal(root / "gone", "setup.md") == "missing"


@posix_only
def test_a_name_that_is_too_long_is_refused(root: Path) -> None:
    assert refusal(root, "x" * 300 + ".md") == "name_too_long"
    assert stat_beneath(root, "x" * 300 + ".md") is None


@posix_only
@pytest.mark.parametrize(
    ("link", "target", "source"),
    [
        ("link.md", "../secret.md", "link.md"),
        ("link.md", "guide/setup.md", "link.md"),
        ("link.md", "nowhere", "link.md"),
        ("link.md", "link.md", "link.md"),
        ("folder", "guide", "folder/setup.md"),
        ("folder", "..", "folder/secret.md"),
        ("folder", "folder", "folder/setup.md"),
    ],
)
def test_no_link_below_the_root_is_followed(
    root: Path, link: str, target: str, source: str
) -> None:
    (root / link).symlink_to(target)
    assert refusal(root, source) == "symlink"


@posix_only
def test_a_root_that_is_a_link_was_named_by_a_person(root: Path, tmp_path: Path) -> None:
    (tmp_path / "named").symlink_to(root)
    assert read_beneath(tmp_path / "named", "guide/setup.md", max_bytes=LIMIT)[0]


def _make_fifo(path: Path) -> None:
    os.mkfifo(path)


def _make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def _make_device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root may make a device node")


@posix_only
@pytest.mark.parametrize("make", [Path.mkdir, _make_fifo, _make_socket, _make_device])
def test_only_regular_files_are_read_and_nothing_blocks(
    root: Path, make: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(root)  # the name of a socket must be short
    make(Path("odd.md"))
    assert refusal(root, "odd.md") == "not_regular"
    assert stat_beneath(root, "odd.md") is None


def test_a_file_without_permission_is_refused(shared_folder: Path) -> None:
    (shared_folder / "locked").mkdir()
    (shared_folder / "locked" / "a.md").touch()
    (shared_folder / "private.md").touch(mode=0o600)
    for path in (shared_folder / "locked", shared_folder / "private.md"):
        path.chmod(0)
    with unprivileged():
        reasons = [refusal(shared_folder, source) for source in ("private.md", "locked/a.md")]
    assert reasons == ["permission", "permission"]


def test_the_size_limit_is_inclusive(root: Path) -> None:
    (root / "ten.md").write_bytes(b"0123456789")
    assert read_beneath(root, "ten.md", max_bytes=10)[0] == b"0123456789"
    with pytest.raises(DocumentRefusedError, match=r"^too_large: 10 bytes, at most 9$"):
        read_beneath(root, "ten.md", max_bytes=9)


def test_hard_links_are_read_unless_told_otherwise(root: Path) -> None:
    (root / "twin.md").hardlink_to(root.parent / "secret.md")
    assert read_beneath(root, "twin.md", max_bytes=LIMIT)[0] == b"outside"
    assert refusal(root, "twin.md", max_links=1) == "hard_link"
    assert read_beneath(root, "guide/setup.md", max_bytes=LIMIT, max_links=1)[0]


@linux_only
def test_a_file_with_more_bytes_than_announced_is_refused() -> None:
    assert refusal(Path("/proc/self"), "status") == "changed_while_read"


def test_a_file_that_grows_while_it_is_read_is_refused(root: Path) -> None:
    log = root / "log.md"
    log.write_bytes(b"x" * 8_000_000)
    stop = threading.Event()

    def write() -> None:
        with log.open("ab", buffering=0) as file:
            while not stop.is_set():
                file.write(b"y")

    writer = threading.Thread(target=write)
    writer.start()
    try:
        reasons = set()
        for _ in range(200):
            try:
                read_beneath(root, "log.md", max_bytes=10**9)
            except DocumentRefusedError as error:
                reasons.add(error.reason)
                break
    finally:
        stop.set()
        writer.join()
    assert reasons == {"changed_while_read"}


@posix_only
def test_a_folder_swapped_for_a_link_never_leads_outside(
    root: Path, tmp_path: Path, opener: str
) -> None:
    if opener == "by path":
        pytest.skip("checking by path narrows this race but cannot close it")
    (tmp_path / "setup.md").write_bytes(b"outside")
    (root / "link").symlink_to(tmp_path)
    stop = threading.Event()

    def swap() -> None:
        while not stop.is_set():
            (root / "guide").rename(root / "kept")
            (root / "link").rename(root / "guide")
            (root / "guide").rename(root / "link")
            (root / "kept").rename(root / "guide")

    swapper = threading.Thread(target=swap)
    swapper.start()
    seen: set[bytes] = set()
    try:
        deadline = time.monotonic() + 3
        while not {b"# Setup\r\n", b"symlink"} <= seen and time.monotonic() < deadline:
            try:
                seen.add(read_beneath(root, "guide/setup.md", max_bytes=LIMIT)[0])
            except DocumentRefusedError as error:
                seen.add(error.reason.encode())
    finally:
        stop.set()
        swapper.join()
    assert b"# Setup\r\n" in seen
    assert seen <= {b"# Setup\r\n", b"missing", b"symlink"}


@posix_only
def test_a_path_longer_than_the_system_takes_at_once(root: Path, opener: str) -> None:
    depth = 30
    folder = os.open(root, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d" * 200, dir_fd=folder)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(os.open("deep.md", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    source = f"{'/'.join(['d' * 200] * depth)}/deep.md"
    if opener == "by path":
        assert refusal(root, source) == "name_too_long"
    else:
        assert read_beneath(root, source, max_bytes=LIMIT)[0] == b""
    subprocess.run(["rm", "-rf", root / ("d" * 200)], check=True)


@posix_only
def test_no_descriptor_is_left_open(root: Path) -> None:
    (root / "link.md").symlink_to("guide/setup.md")

    def next_descriptor() -> int:
        descriptor = os.open(root, os.O_RDONLY)
        os.close(descriptor)
        return descriptor

    before = next_descriptor()
    for source in ("guide/setup.md", "link.md", "absent/a.md", "guide", "guide/setup.md/x"):
        for limit in (0, LIMIT):
            try:
                read_beneath(root, source, max_bytes=limit)
            except DocumentRefusedError:
                continue
    assert next_descriptor() == before


def test_a_stat_agrees_with_what_was_read(root: Path) -> None:
    _, signature = read_beneath(root, "guide/setup.md", max_bytes=LIMIT)
    assert stat_beneath(root, "guide/setup.md") == signature


def test_a_stat_tells_an_edit_of_equal_length_and_a_replacement(root: Path) -> None:
    file = root / "guide" / "setup.md"
    before = stat_beneath(root, "guide/setup.md")
    assert before is not None
    file.write_bytes(b"# SETUP\r\n")
    os.utime(file, ns=(before.mtime_ns, before.mtime_ns + 1))
    edited = stat_beneath(root, "guide/setup.md")
    assert edited != before
    (root / "new.md").write_bytes(b"# Setup\r\n")
    (root / "new.md").replace(file)
    replaced = stat_beneath(root, "guide/setup.md")
    assert replaced is not None
    assert edited is not None
    assert replaced.inode != edited.inode


@posix_only
def test_a_stat_gives_nothing_for_links_and_impossible_names(root: Path) -> None:
    (root / "link.md").symlink_to("guide/setup.md")
    for source in ("link.md", "guide", "a\0b", "\ud800"):
        assert stat_beneath(root, source) is None


def test_a_root_is_made_absolute(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(root))
    monkeypatch.setenv("USERPROFILE", str(root))
    resolved = root.resolve()
    assert resolve_root("guide") == resolved / "guide"
    assert resolve_root(Path("guide/../guide/setup.md")) == resolved / "guide" / "setup.md"
    assert resolve_root("~/guide") == resolved / "guide"


@posix_only
def test_a_root_behind_a_link_is_resolved_once(root: Path, tmp_path: Path) -> None:
    (tmp_path / "named").symlink_to(root)
    assert resolve_root(tmp_path / "named") == root.resolve()


@pytest.mark.parametrize(
    "name", ["absent", "guide/setup.md/x", "a\0b", "~no-such-user-here/x", "x" * 5000]
)
def test_a_root_that_cannot_be_found_is_named(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(root)
    with pytest.raises(RootMissingError) as caught:
        resolve_root(name)
    assert repr(name) in str(caught.value)
    assert "\n" not in str(caught.value)


@posix_only
def test_a_root_must_be_a_folder_or_a_file(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "loop").symlink_to("loop")
    for name in ("pipe", "loop"):
        with pytest.raises(RootMissingError, match=name):
            resolve_root(root / name)


def test_a_root_that_cannot_be_listed_is_an_error(shared_folder: Path) -> None:
    locked = shared_folder / "locked"
    locked.mkdir(mode=0o700)
    locked.chmod(0)
    with unprivileged(), pytest.raises(RootMissingError, match="permissions"):
        resolve_root(locked)


def test_opening_files_needs_no_pydantic() -> None:
    code = "import groundkit_core.paths, sys; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

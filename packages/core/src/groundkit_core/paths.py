"""Opens files beneath a root and never through a link that leads out of it."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from groundkit_core.errors import DocumentRefusedError, RootMissingError
from groundkit_core.model import FileSignature

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_FILE = (
    os.O_RDONLY
    | _NOFOLLOW
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_MOUNT_POINT_TAG = 0xA0000003  # a Windows junction, which `S_ISLNK` does not see
TRANSIENT = frozenset({"changed_while_read", "io_error", "permission"})
"""Reasons for a refusal that may be gone the next time, so that nothing is removed for them."""

_REASONS = {
    errno.ENOENT: "missing",
    errno.ENOTDIR: "missing",
    errno.EACCES: "permission",
    errno.EPERM: "permission",
    errno.ELOOP: "symlink",
    errno.EMLINK: "symlink",  # what some BSDs answer to O_NOFOLLOW
    errno.EISDIR: "not_regular",
    errno.ENXIO: "not_regular",
    errno.ENODEV: "not_regular",
    errno.ENAMETOOLONG: "name_too_long",
}


def resolve_root(path: str | Path) -> Path:
    """Return the absolute path of a folder or file that a person named, links resolved.

    Raises:
        RootMissingError: it does not exist, is neither a folder nor a regular file, or is a
            folder that cannot be listed.
    """
    shown = repr(os.fspath(path))
    try:
        resolved = Path(path).expanduser().resolve(strict=True)
        mode = resolved.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(resolved).close()
    except (FileNotFoundError, NotADirectoryError):
        raise RootMissingError(f"{shown} does not exist; check the path") from None
    except PermissionError:
        raise RootMissingError(f"{shown} cannot be listed; check its permissions") from None
    except (OSError, RuntimeError, ValueError):
        raise RootMissingError(f"{shown} cannot be opened; check the path") from None
    if not stat.S_ISDIR(mode) and not stat.S_ISREG(mode):
        raise RootMissingError(f"{shown} is neither a folder nor a regular file")
    return resolved


def split_source(source: str, *, windows: bool = os.name == "nt") -> list[str]:
    r"""Return the components of a path below a root, such as `["guide", "setup.md"]`.

    Components are plain names: `~`, `%2e` and, except on Windows, `\` and `:` mean themselves.

    Raises:
        DocumentRefusedError: `outside_root` when the path is empty, absolute or has an empty,
            `.` or `..` component, a NUL, or what Windows would read as one of these or as a
            drive; `invalid_name` when it is not valid Unicode.
    """
    parts = source.split("/")
    if "\0" in source or not all(parts) or "." in parts or ".." in parts:
        raise DocumentRefusedError("outside_root")
    if windows and any("\\" in part or ":" in part or part[-1] in ". " for part in parts):
        raise DocumentRefusedError("outside_root")
    try:
        source.encode()
    except UnicodeEncodeError:
        raise DocumentRefusedError("invalid_name") from None
    return parts


def read_beneath(
    root: Path, source: str, *, max_bytes: int, max_links: int | None = None
) -> tuple[bytes, FileSignature]:
    """Return the bytes of a regular file below a root, and its signature.

    No link below the root is followed, whatever is swapped in meanwhile, and nothing but a
    regular file is opened, so a pipe or device cannot block.

    Args:
        root: an existing folder; a link here is followed, for a person named it.
        source: the path below the root, in POSIX form.
        max_bytes: larger files are refused unread.
        max_links: how many names the file may have; None takes any number. A caller that knows
            how many of them lie below the root refuses those that also lie elsewhere.

    Raises:
        DocumentRefusedError: with the reason `outside_root`, `invalid_name`, `missing`,
            `symlink`, `not_regular`, `hard_link`, `permission`, `too_large`, `name_too_long`,
            `changed_while_read` or `io_error`.
    """
    parts = split_source(source)
    try:
        descriptor = _open_file(root, parts)
        try:
            return _read(descriptor, max_bytes, max_links)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise DocumentRefusedError(refusal_reason(error), error.strerror or "") from None


def open_beneath(root: Path, source: str, *, max_bytes: int) -> tuple[BinaryIO, FileSignature]:
    """Return a regular file below a root, open for reading, and its signature.

    Raises:
        DocumentRefusedError: as `read_beneath`.
    """
    parts = split_source(source)
    try:
        descriptor = _open_file(root, parts)
        try:
            status = os.fstat(descriptor)
            _require_regular(status)
            _require_size(status, max_bytes)
            return os.fdopen(descriptor, "rb"), signature_of(status)
        except BaseException:
            os.close(descriptor)
            raise
    except OSError as error:
        raise DocumentRefusedError(refusal_reason(error), error.strerror or "") from None


def stat_beneath(root: Path, source: str) -> FileSignature | None:
    """Return the signature of a file below a root, or None when there is no regular file.

    One `stat`, for sources that the catalog holds: an equal signature means the same file,
    wherever its folders lead. Reading goes through `read_beneath`.
    """
    try:
        status = os.lstat(f"{root}/{source}")
    except (OSError, ValueError):
        return None
    return signature_of(status) if stat.S_ISREG(status.st_mode) else None


def signature_of(status: os.stat_result) -> FileSignature:
    """Return the part of a `stat` that tells whether a file has changed."""
    return FileSignature(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)


def refusal_reason(error: OSError) -> str:
    """Return the reason code for an error of the operating system."""
    return _REASONS.get(error.errno or 0, "io_error")


def _open_at(root: Path, parts: list[str]) -> int:
    """Open component by component, each relative to the descriptor of its parent."""
    folder = os.open(root, _FOLDER)
    try:
        for part in parts[:-1]:
            inner = _enter(folder, part)
            os.close(folder)
            folder = inner
        _require_regular(os.stat(parts[-1], dir_fd=folder, follow_symlinks=False))
        return os.open(parts[-1], _FILE, dir_fd=folder)
    finally:
        os.close(folder)


def _enter(folder: int, part: str) -> int:
    try:
        return os.open(part, _FOLDER | _NOFOLLOW, dir_fd=folder)
    except NotADirectoryError:
        # Linux says ENOTDIR to O_DIRECTORY | O_NOFOLLOW for a link to a folder, too.
        if _is_link(os.stat(part, dir_fd=folder, follow_symlinks=False)):
            raise DocumentRefusedError("symlink") from None
        raise


def _open_by_path(root: Path, parts: list[str]) -> int:
    """Check each component, open the path, and compare what was opened with what was checked."""
    path = root
    for part in parts[:-1]:
        path /= part
        if _is_link(path.lstat()):
            raise DocumentRefusedError("symlink")
    path /= parts[-1]
    status = path.lstat()
    _require_regular(status)
    descriptor = os.open(path, _FILE)
    opened = os.fstat(descriptor)
    if (opened.st_dev, opened.st_ino) != (status.st_dev, status.st_ino):
        os.close(descriptor)
        raise DocumentRefusedError("changed_while_read")
    return descriptor


def _is_link(status: os.stat_result) -> bool:
    tag = getattr(status, "st_reparse_tag", 0)
    return stat.S_ISLNK(status.st_mode) or tag == _MOUNT_POINT_TAG


def _require_regular(status: os.stat_result) -> None:
    if _is_link(status):
        raise DocumentRefusedError("symlink")
    if not stat.S_ISREG(status.st_mode):
        raise DocumentRefusedError("not_regular")


def _require_size(status: os.stat_result, max_bytes: int) -> None:
    if status.st_size > max_bytes:
        raise DocumentRefusedError("too_large", f"{status.st_size} bytes, at most {max_bytes}")


def _read(descriptor: int, max_bytes: int, max_links: int | None) -> tuple[bytes, FileSignature]:
    before = os.fstat(descriptor)
    _require_regular(before)
    if max_links is not None and before.st_nlink > max_links:
        raise DocumentRefusedError("hard_link", f"{before.st_nlink} names")
    _require_size(before, max_bytes)
    data = _read_bytes(descriptor, before.st_size)
    after = os.fstat(descriptor)
    unchanged = (after.st_size, after.st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    if len(data) != before.st_size or not unchanged:
        raise DocumentRefusedError("changed_while_read")
    return data, signature_of(before)


def _read_bytes(descriptor: int, size: int) -> bytes:
    """Read to the end of the file, but at most one byte past the announced size."""
    blocks = []
    left = size + 1
    while left > 0 and (block := os.read(descriptor, left)):
        blocks.append(block)
        left -= len(block)
    return b"".join(blocks)


_CAN_OPEN_AT = bool(_NOFOLLOW) and {os.open, os.stat} <= os.supports_dir_fd
_open_file: Callable[[Path, list[str]], int] = _open_at if _CAN_OPEN_AT else _open_by_path

"""Reads and replaces the files a person names."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from groundkit_eval.errors import ResultError
from groundkit_eval.judgments.problems import one_line

MAX_BYTES = 512 * 2**20


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file, newlines untouched.

    Raises:
        ResultError: it is absent, unreadable, too large or not UTF-8.
    """
    try:
        _check_regular(path, path.stat())
        return path.read_bytes().decode()
    except UnicodeDecodeError:
        raise ResultError(f"{one_line(path.name)} is not UTF-8 text; check the path") from None
    except (OSError, ValueError) as error:
        raise _failed(path, "read", error) from None


def check_writable(path: Path) -> None:
    """Check before long work that a file can be written.

    Raises:
        ResultError: its folder is missing or closed, or the path is not that of a file.
    """
    try:
        if path.exists():
            _check_regular(path, path.stat())
        if not os.access(path.resolve().parent, os.W_OK):
            raise ResultError(
                f"{one_line(path.name)} cannot be written; its folder is missing or closed"
            )
    except (OSError, ValueError) as error:
        raise _failed(path, "written", error) from None


def write_text(path: Path, text: str) -> None:
    """Replace a file by the text, in UTF-8, at once.

    Raises:
        ResultError: it cannot be written.
    """
    check_writable(path)
    target = path.resolve()
    try:
        handle, draft = tempfile.mkstemp(dir=target.parent, prefix=".groundkit-eval-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
            Path(draft).chmod(_mode(target))
            Path(draft).replace(target)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise _failed(path, "written", error) from None


def _check_regular(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ResultError(f"{one_line(path.name)} is not a file; check the path")
    if found.st_size > MAX_BYTES:
        raise ResultError(f"{one_line(path.name)} is larger than {MAX_BYTES >> 20} MB")


def _mode(target: Path) -> int:
    if target.exists():
        return stat.S_IMODE(target.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _failed(path: Path, verb: str, error: OSError | ValueError) -> ResultError:
    reason = getattr(error, "strerror", None) or "not a usable path"
    return ResultError(f"{one_line(path.name)} cannot be {verb} ({reason}); check the path")

"""Reads a policy file, or says everything that is wrong with it without repeating a value."""

from __future__ import annotations

import os
import re
import stat
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from groundkit_core.access.file import MAX_PATTERNS, PolicyFile
from groundkit_core.access.policy import Policy
from groundkit_core.errors import PolicyError

MAX_BYTES = 1_000_000
_MAX_PROBLEMS = 50
_SETTLED_NS = 50_000_000  # a file that changed more recently may still be being written
_ATTEMPTS = 20
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_POSITION = re.compile(r"at (line \d+, column \d+|end of document)")
_UNSAFE = re.compile(r"[^\x20-\x7e]")
_WORDS = {
    "extra_forbidden": "unknown key",
    "missing": "is required",
    "model_type": "must be a table",
    "dict_type": "must be a table",
    "list_type": "must be a list",
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
}


def load_policy(path: Path) -> Policy:
    """Return the policy of a file that a person or a deployment named.

    Raises:
        PolicyError: it cannot be read or is not valid.
    """
    return parse_policy(read_policy(path), path.name)


def read_policy(path: Path) -> bytes:
    """Return the bytes of a policy file once it holds still.

    Raises:
        PolicyError: it cannot be read, everyone may write to it, or it keeps changing.
    """
    try:
        for _ in range(_ATTEMPTS):
            data, changed_ns = _read(path)
            wait = changed_ns + _SETTLED_NS - time.time_ns()
            if not 0 < wait <= _SETTLED_NS:
                return data
            time.sleep(wait / 1e9)
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) and error.strerror else "bad path"
        raise PolicyError([f"cannot be read: {what}"], path.name) from None
    raise PolicyError(["cannot be read: it keeps changing"], path.name)


def parse_policy(data: bytes, name: str = "policy") -> Policy:
    """Return the policy that a file's bytes describe.

    Args:
        data: TOML in UTF-8.
        name: what errors call it.

    Raises:
        PolicyError: it is not valid; all problems that were found are in `problems`.
    """
    try:
        entries = PolicyFile.model_validate(tomllib.loads(data.decode("utf-8-sig")))
    except ValidationError as error:
        raise PolicyError(_problems(error), name) from None
    except UnicodeDecodeError:
        raise PolicyError(["is not UTF-8"], name) from None
    except (ValueError, RecursionError) as error:
        position = _POSITION.search(str(error))
        where = f" at {position[1]}" if position else ""
        raise PolicyError([f"is not valid TOML{where}"], name) from None
    problems = list(_faults(entries))
    if problems:
        raise PolicyError(problems, name)
    try:
        return Policy(
            {key: entry.profile(key) for key, entry in entries.profiles.items()},
            tuple(entry.rule() for entry in entries.rules),
            tuple(entry.identity() for entry in entries.identities),
        )
    except PolicyError as error:
        raise PolicyError(error.problems, name) from None


def _read(path: Path) -> tuple[bytes, int]:
    """Return the bytes, and when the file last changed."""
    descriptor = os.open(path, _FLAGS)
    try:
        _require_trusted(os.fstat(descriptor))
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(MAX_BYTES + 1)
        status = os.fstat(descriptor)
    finally:
        os.close(descriptor)
    if len(data) > MAX_BYTES:
        raise OSError(0, f"it is larger than {MAX_BYTES} bytes")
    return data, max(status.st_mtime_ns, status.st_ctime_ns)


def _require_trusted(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise OSError(0, "it is not a regular file")
    if os.name == "posix" and status.st_mode & stat.S_IWOTH:
        raise OSError(0, "everyone may write to it; run `chmod o-w` on it")


def _faults(entries: PolicyFile) -> Iterator[str]:
    for name, profile in entries.profiles.items():
        fault = profile.fault(name)
        if fault is not None:
            yield f"profiles.{name}: {fault}"
    if sum(len(rule.paths) for rule in entries.rules) > MAX_PATTERNS:
        yield f"rules: more than {MAX_PATTERNS} paths in all"
    seen: dict[tuple[object, ...], int] = {}
    for number, entry in enumerate(entries.identities, 1):
        identity = entry.identity()
        first = seen.setdefault((identity.subject, identity.claims), number)
        if first != number:
            yield f"identities[{number}]: it asks what identities[{first}] asks, so never decides"


def _problems(error: ValidationError) -> list[str]:
    found = error.errors(include_url=False, include_input=False, include_context=False)
    lines = [f"{_key(item['loc'])}: {_words(item['type'], item['msg'])}" for item in found]
    more = len(lines) - _MAX_PROBLEMS
    return lines[:_MAX_PROBLEMS] + ([f"and {more} more problems"] if more > 0 else [])


def _words(kind: str, message: str) -> str:
    text = _WORDS.get(kind) or message.removeprefix("Value error, ")
    return text.replace("Input should be", "must be").replace("String should", "it should")


def _key(location: tuple[int | str, ...]) -> str:
    """Return the path of a key; entries of lists count from 1."""
    path = ""
    for part in location:
        if isinstance(part, int):
            path += f"[{part + 1}]"
        elif part != "[key]":
            path += f".{_UNSAFE.sub('?', part)[:60]}"
    return path.removeprefix(".") or "the file"

"""What an archive lists, and which of it may be read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from groundkit_index.sources.archive.formats import has_archive_suffix

_ABSOLUTE = re.compile(r"/|[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Member:
    """A member of an archive that is no folder.

    Attributes:
        name: its path in the archive, in POSIX form, without a leading `./`; of a refused
            member what its name says, with escapes for what cannot be shown.
        size: bytes, unpacked.
        reason: why it cannot be read, or None: `outside_root` (absolute, with `..`, an empty
            part, a backslash or a drive), `invalid_name`, `duplicate` (another one of its name
            counts, or none), `symlink`, `hard_link`, `not_regular`, `encrypted`,
            `nested_archive`, `unsupported_compression`, `too_large`, `over_limit` or `broken`.
    """

    name: str
    size: int
    reason: str | None = None


def named(name: str, size: int, reason: str | None) -> Member:
    """Return a member by the name that the archive has for it.

    Args:
        name: the name; bytes that are not text are surrogates.
        size: bytes, unpacked.
        reason: why its kind or content cannot be read, or None.
    """
    path = name[2:] if name.startswith("./") else name
    shown = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    if shown != path or "\0" in path:
        return Member(shown.replace("\0", "\\0"), size, "invalid_name")
    parts = path.split("/")
    if _ABSOLUTE.match(path) or "\\" in path or not all(parts) or {".", ".."} & set(parts):
        return Member(path, size, "outside_root")
    if reason is None and has_archive_suffix(path):
        reason = "nested_archive"
    return Member(path, size, reason)


def refuse(members: list[Member], numbers: Iterable[int], reason: str) -> None:
    """Give members a reason, by their place in the list; one that has a reason keeps it."""
    for number in numbers:
        members[number] = replace(members[number], reason=members[number].reason or reason)


def twins(members: Iterable[Member]) -> list[list[int]]:
    """Return the places of members that share a name, in order, for each such name."""
    places: dict[str, list[int]] = {}
    for number, member in enumerate(members):
        places.setdefault(member.name, []).append(number)
    return [found for found in places.values() if len(found) > 1]

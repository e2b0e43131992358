"""Fetches one commit of a remote repository into a bare repository of its own."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from groundkit_core.errors import DocumentRefusedError, SourceError
from groundkit_index.sources.git.incoming import store_pack
from groundkit_index.sources.git.transport import Budget, Opener, VettedClient
from groundkit_index.sources.git.urls import is_ref_name

if TYPE_CHECKING:
    from dulwich.client import FetchPackResult

_FULL_ID = re.compile(r"[0-9a-f]{40}")
_MAX_REFS_BYTES = 32 * 2**20


@dataclass(frozen=True, slots=True)
class FetchLimits:
    """What one fetch may take.

    Attributes:
        received_bytes: of the pack.
        unpacked_bytes: of all its objects together.
        object_bytes: of one of its objects.
        objects: how many.
        seconds: for all of it; each read has the opener's own limit.
    """

    received_bytes: int = 512 * 2**20
    unpacked_bytes: int = 2 * 2**30
    object_bytes: int = 128 * 2**20
    objects: int = 1_000_000
    seconds: float = 600.0


class _NoHistory:
    """The history that is there already: none."""

    shallow: frozenset[bytes] = frozenset()

    def __next__(self) -> None:
        return None

    next = __next__

    def ack(self, sha: bytes) -> None:
        """Nothing was offered."""

    def nak(self) -> None:
        """Nothing was offered."""


def fetch_repository(
    url: str,
    ref: str | None,
    folder: Path,
    opener: Opener,
    *,
    limits: FetchLimits = FetchLimits(),
    max_blob: int | None = None,
) -> str:
    """Fetch a commit without its history, and return its full id.

    The folder becomes a bare repository whose `HEAD` is the commit; `GitTree.open` and git
    itself read it.

    Args:
        url: the repository, `https://HOST/PATH`.
        ref: a branch, a tag or a full commit id; None for the remote's default branch.
        folder: where to; it must not exist, or be empty.
        opener: sends every request.
        limits: what it may take.
        max_blob: ask the server to leave out larger files, in bytes; not every server can.

    Raises:
        SourceError: there is no such repository or ref, the server misbehaves, or it takes
            more than the limits. What was written stays incomplete, without a `HEAD`.
    """
    budget = Budget(_MAX_REFS_BYTES, time.monotonic() + limits.seconds)
    wanted = _Wanted(ref, budget, limits.received_bytes)
    packs = folder / "objects" / "pack"
    packs.mkdir(parents=True)
    (folder / "refs").mkdir()
    incoming = packs / "incoming"
    with incoming.open("xb") as file:
        result = _receive(VettedClient(url, opener, budget), wanted, file.write, max_blob)
    if result.object_format not in (None, "sha1"):
        raise SourceError("SHA-256 repositories are not fetched; clone it and name the clone")
    try:
        store_pack(incoming, packs, limits, budget.deadline)
    except DocumentRefusedError as error:
        raise SourceError(f"what the repository sent cannot be used ({error})") from None
    return _finish(folder, wanted.oid, result, max_blob)


class _Wanted:
    """Picks the one object to fetch from what the remote offers."""

    def __init__(self, ref: str | None, budget: Budget, received_bytes: int) -> None:
        if ref is not None and not is_ref_name(ref):
            raise SourceError(f"{ref!r} is no name of a branch, a tag or a commit")
        self._ref = ref
        self._budget = budget
        self._received_bytes = received_bytes
        self.oid = ""

    @property
    def prefixes(self) -> list[bytes]:
        """The refs that the remote need list."""
        return [name.encode() for name in self._candidates]

    @property
    def _candidates(self) -> list[str]:
        if self._ref is None or self._ref == "HEAD":
            return ["HEAD"]
        names = ["refs/tags/{}", "refs/heads/{}", "refs/{}"]
        whole = [self._ref] if self._ref.startswith("refs/") else []
        return whole + [name.format(self._ref) for name in names]

    def __call__(self, refs: dict[bytes, bytes], depth: int | None = None) -> list[bytes]:
        """Return the id to fetch, now that the refs are known."""
        self._budget.left = self._received_bytes
        found = (refs[name] for name in self.prefixes if name in refs)
        oid = next(found, None)
        if oid is None and self._ref is not None and _FULL_ID.fullmatch(self._ref):
            oid = self._ref.encode()
        if oid is None:
            raise SourceError(self._missing())
        self.oid = oid.decode("ascii", "replace")
        if not _FULL_ID.fullmatch(self.oid):
            raise SourceError("SHA-256 repositories are not fetched; clone it and name the clone")
        return [oid]

    def _missing(self) -> str:
        if self._ref is None:
            return "the repository has no default branch; name a branch or tag after @"
        return f"the repository has no {self._ref!r}; name a branch, a tag or a full commit id"


def _receive(
    client: VettedClient, wanted: _Wanted, write: object, max_blob: int | None
) -> FetchPackResult:
    try:
        return client.fetch_pack(
            "",
            wanted,  # type: ignore[arg-type]
            _NoHistory(),
            write,  # type: ignore[arg-type]
            depth=1,
            ref_prefix=wanted.prefixes,
            filter_spec=None if max_blob is None else b"blob:limit=%d" % max_blob,
        )
    except SourceError:
        raise
    except Exception:  # noqa: BLE001  the other side may send anything
        raise SourceError(
            "the repository's server gave no usable answer; it must speak git's smart HTTP "
            "and, for a commit id, give commits by id"
        ) from None


def _finish(folder: Path, oid: str, result: FetchPackResult, max_blob: int | None) -> str:
    """Make the folder a repository, and return the commit that the fetched object leads to."""
    from groundkit_index.sources.git.tree import GitTree

    shallow = sorted(entry.decode("ascii") for entry in result.new_shallow or ())
    (folder / "shallow").write_text("".join(f"{entry}\n" for entry in shallow), "ascii")
    (folder / "config").write_text(_config(max_blob), "ascii")
    (folder / "HEAD").write_text(f"{oid}\n", "ascii")
    with GitTree.open(folder) as tree:
        commit = tree.commit
    (folder / "HEAD").write_text(f"{commit}\n", "ascii")
    return commit


def _config(max_blob: int | None) -> str:
    config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n"
    if max_blob is None:
        return config
    return config + "[extensions]\n\tpartialClone = origin\n"

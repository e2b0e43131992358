"""Finds the commit that a person names, by the rules of `git rev-parse`."""

from __future__ import annotations

import re
from pathlib import Path

from dulwich.refs import check_ref_format

from groundkit_core.errors import DocumentRefusedError, SourceError
from groundkit_core.paths import read_beneath
from groundkit_index.sources.git.objects import GitObject, Objects
from groundkit_index.sources.git.place import Place

_STEPS = re.compile(r"~\d{0,6}|\^\{(?:commit)?\}|\^\d{0,6}")
_REVISION = re.compile(rf"(.+?)((?:{_STEPS.pattern})*)", re.DOTALL)
_SHORT_ID = re.compile(r"[0-9a-f]{4,64}")
_PSEUDO_REF = re.compile(r"[A-Z_]+")
_SEARCHED = ("{}", "refs/{}", "refs/tags/{}", "refs/heads/{}", "refs/remotes/{}")
_MAX_REF = 4096
_MAX_PACKED_REFS = 64 * 2**20
_MAX_COMMIT = 16 * 2**20
_MAX_HOPS = 5


class Revisions:
    """The names of commits in a repository."""

    def __init__(self, place: Place, objects: Objects) -> None:
        self._place = place
        self._objects = objects

    def commit(self, rev: str) -> str:
        """Return the full id of the commit that a revision names.

        Args:
            rev: a branch, a tag, `HEAD`, a full or short id, each with any of `~2`, `^1`, `^{}`.

        Raises:
            SourceError: there is no such commit, or the short id is that of several.
        """
        parts = _REVISION.fullmatch(rev)
        if parts is None:
            raise SourceError("no revision; name a branch, a tag or a commit")
        try:
            oid = self._peel(self._resolve("HEAD" if parts[1] == "@" else parts[1], rev))
            for step in _STEPS.findall(parts[2]):
                oid = self._step(oid, step, rev)
        except DocumentRefusedError as error:
            raise self._unreadable(rev, error) from None
        return oid

    def tree(self, commit: str) -> str:
        """Return the id of a commit's tree."""
        try:
            return _headers(self._read(commit))["tree"][0]
        except DocumentRefusedError as error:
            raise self._unreadable(commit, error) from None
        except LookupError:
            raise SourceError(f"commit {commit} is malformed") from None

    def _resolve(self, name: str, rev: str) -> str:
        full = self._objects.object_format.hex_length
        short = name.lower()
        if len(short) == full and _SHORT_ID.fullmatch(short):
            return short
        oid = self._ref(name)
        if oid is not None:
            return oid
        if _SHORT_ID.fullmatch(short):
            found = {
                oid
                for oid in self._objects.starting_with(short)
                if self._objects.read(oid, max_bytes=_MAX_COMMIT).type in ("commit", "tag")
            }
            if len(found) == 1:
                return found.pop()
            if found:
                raise SourceError(f"{name!r} begins several commit ids; give more digits")
        raise self._unknown(rev)

    def _unknown(self, rev: str) -> SourceError:
        if not self._place.files_refs:
            return SourceError("refs in a reftable are not read; name the commit by its full id")
        if rev == "HEAD":
            return SourceError("the repository has no commit yet; commit, or name a branch")
        return SourceError(f"no revision {rev!r}; name a branch, a tag or a commit that is there")

    def _unreadable(self, rev: str, error: DocumentRefusedError) -> SourceError:
        if error.reason == "missing" and (self._place.common / "shallow").exists():
            return SourceError(f"{rev!r} is beyond a shallow clone; run `git fetch --unshallow`")
        return SourceError(f"{rev!r} cannot be read ({error})")

    def _ref(self, name: str) -> str | None:
        for pattern in (*_SEARCHED, "refs/remotes/{}/HEAD"):
            oid = self._follow(pattern.format(name))
            if oid is not None:
                return oid
        return None

    def _follow(self, ref: str) -> str | None:
        for _ in range(_MAX_HOPS):
            if not (ref.startswith("refs/") and _is_ref(ref)) and not _PSEUDO_REF.fullmatch(ref):
                return None
            value = self._loose_ref(ref) or self._packed_ref(ref)
            if not value.startswith("ref:"):
                oid = value[: self._objects.object_format.hex_length]
                return oid if _SHORT_ID.fullmatch(oid) else None
            ref = value.removeprefix("ref:").strip()
        return None

    def _loose_ref(self, ref: str) -> str:
        for folder in dict.fromkeys((self._place.control, self._place.common)):
            text = _text(folder, ref, _MAX_REF)
            if text:
                return text.strip()
        return ""

    def _packed_ref(self, ref: str) -> str:
        text = _text(self._place.common, "packed-refs", _MAX_PACKED_REFS)
        found = re.search(rf"^([0-9a-f]+) {re.escape(ref)}$", text, re.MULTILINE)
        return found[1] if found else ""

    def _step(self, oid: str, step: str, rev: str) -> str:
        if step.startswith("^{"):
            return oid
        count = int(step[1:] or 1)
        chosen = [1] * count if step[0] == "~" else [count] if count else []
        for number in chosen:
            parents = _headers(self._read(oid)).get("parent", [])
            if number > len(parents):
                raise SourceError(f"{rev!r} goes back further than the history")
            oid = parents[number - 1]
        self._read(oid)
        return oid

    def _peel(self, oid: str) -> str:
        """Return the commit that an object is or, as an annotated tag, leads to."""
        for _ in range(_MAX_HOPS):
            found = self._objects.read(oid, max_bytes=_MAX_COMMIT)
            if found.type == "commit":
                return oid
            if found.type != "tag":
                break
            oid = _headers(found).get("object", [""])[0]
        raise SourceError("the revision names no commit; name a branch, a tag or a commit")

    def _read(self, oid: str) -> GitObject:
        return self._objects.read(oid, max_bytes=_MAX_COMMIT)


def _headers(found: GitObject) -> dict[str, list[str]]:
    headers: dict[str, list[str]] = {}
    for line in found.data.partition(b"\n\n")[0].decode("utf-8", "replace").split("\n"):
        key, _, value = line.partition(" ")
        headers.setdefault(key, []).append(value)
    return headers


def _is_ref(ref: str) -> bool:
    return check_ref_format(ref.encode("utf-8", "surrogateescape"))  # type: ignore[arg-type]


def _text(folder: Path, name: str, max_bytes: int) -> str:
    try:
        data, _ = read_beneath(folder, name, max_bytes=max_bytes)
    except DocumentRefusedError:
        return ""
    return data.decode("utf-8", "surrogateescape")

"""Reads variants as an ingest does: in processes with limits, members of archives one by one."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from scripts.fuzz.checks import KNOWN, difference, problems
from scripts.fuzz.variants import Variant

from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import Kind, kind_of
from groundkit_core.model import ChunkSettings
from groundkit_index.isolation import IsolatedProcess
from groundkit_index.isolation.messages import ANSWER, REQUEST, Read
from groundkit_index.reading import Job, Outcome, ReadSettings
from groundkit_index.sources.members import MEMBER, is_archive_name, read_member, scan_archive

SECONDS = 10.0
MEMORY_BYTES = 300 * 2**20
_MAX_BYTES = 16 * 2**20
_MOST_MEMBERS = 50
_WARM = "warm.txt"
_NOTHING: frozenset[str] = frozenset()


class Reader:
    """Reads every variant twice, each time in another process.

    Args:
        folder: where variants are written; every reader needs its own.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._processes = [IsolatedProcess(SECONDS, MEMORY_BYTES) for _ in range(2)]
        self._settings = ReadSettings(
            root=str(folder),
            snapshots=str(folder),
            max_bytes=_MAX_BYTES,
            detect=True,
            chunking=ChunkSettings(),
            language="english",
            allowed=_NOTHING,
            held=_NOTHING,
        )

    def check(self, variant: Variant) -> tuple[str, list[str]]:
        """Return what came of a variant (`read` or the reason), and what is wrong about it."""
        path = self._folder / f"{variant.number}-{variant.name}"
        path.write_bytes(variant.data)
        try:
            if is_archive_name(path.name):
                return self._archive(path)
            kind = kind_of(path.name)
            return self._document(path.name, kind, variant.data) if kind else ("", ["no kind"])
        finally:
            path.unlink()

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.close()
            process.wait()

    def _document(self, source: str, kind: Kind, data: bytes) -> tuple[str, list[str]]:
        first, second = (self._sure(process, source, kind, data) for process in self._processes)
        found = list(problems(first, data))
        if not found and (differs := difference(first, second)):
            found.append(differs)
        return (first.refusal[0] if first.refusal else "read"), found

    def _sure(self, process: IsolatedProcess, source: str, kind: Kind, data: bytes) -> Outcome:
        """Ask, and ask again when it takes too long: a busy machine starts processes slowly."""
        found = self._ask(process, source, kind, data)
        if found.refusal is None or found.refusal[0] != "too_slow":
            return found
        (self._folder / _WARM).write_bytes(b"warm")
        self._ask(process, _WARM, Kind("text"), b"warm")
        return self._ask(process, source, kind, data)

    def _ask(self, process: IsolatedProcess, source: str, kind: Kind, data: bytes) -> Outcome:
        job = Job(source, len(data), kind, "docs", "default", 1, None)
        try:
            answer = ANSWER.validate_json(process.ask(REQUEST.dump_json(Read(job, self._settings))))
        except DocumentRefusedError as error:
            return Outcome(refusal=(error.reason, str(error)))
        if answer.outcome is not None:
            return answer.outcome
        reason, detail = answer.refusal or ("crashed", "there is no answer")
        return Outcome(refusal=(reason, f"{reason}: {detail}"))

    def _archive(self, path: Path) -> tuple[str, list[str]]:
        started = time.monotonic()
        try:
            scan = scan_archive(self._folder, path.name, max_bytes=_MAX_BYTES)
        except DocumentRefusedError as error:
            found = [] if error.reason in KNOWN else [f"refused: {error}"]
            return error.reason, found
        except Exception as error:  # noqa: BLE001  that is what is looked for
            return "crashed", [f"listing it raised {type(error).__name__}: {error}"]
        found = [
            f"{source}: refused: {reason}"
            for source, reason in (scan.refused if scan else ())
            if reason.partition(":")[0] not in KNOWN
        ]
        for source, kind in self._members(scan.files if scan else ()):
            found += self._member(source, kind)
        if time.monotonic() - started > SECONDS:
            found.append(f"it took more than {SECONDS:g} s")
        return ("read" if scan and scan.files else "nothing in it"), found

    def _members(self, files: tuple[object, ...]) -> Iterator[tuple[str, Kind]]:
        for file in files[:_MOST_MEMBERS]:
            source = str(getattr(file, "source", ""))
            kind = kind_of(source)
            if kind is not None:
                yield source, kind

    def _member(self, source: str, kind: Kind) -> list[str]:
        archive, _, member = source.partition(MEMBER)
        try:
            data, _ = read_member(self._folder, archive, member, max_bytes=_MAX_BYTES)
        except DocumentRefusedError as error:
            return [] if error.reason in KNOWN else [f"{member}: refused: {error}"]
        except Exception as error:  # noqa: BLE001  that is what is looked for
            return [f"{member}: reading it raised {type(error).__name__}: {error}"]
        return [f"{member}: {problem}" for problem in self._document(source, kind, data)[1]]

"""What became of every file: indexed, refused, or passed over, and never nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from scripts.formats.staging import Staged

from groundkit_core.contracts import IngestReport
from groundkit_core.kinds import kind_of
from groundkit_index.sources.archive.formats import format_of_name
from groundkit_index.sources.members import MEMBER
from groundkit_index.sources.skip import is_hidden

FAULTS = frozenset({"crashed", "io_error", "missing_package", "too_slow"})
"""Reasons that speak against us and not against the file."""


@dataclass(slots=True)
class Account:
    """What became of the files of one format.

    Attributes:
        name: the format.
        files: how many there are.
        size: their bytes.
        indexed: files that gave documents.
        refused: files by reason.
        refusals: the same as path and message.
        passed: files that are passed over by rule, by rule.
        documents: documents; an archive gives several.
        chunks: citations that were stored.
        unverified: citations that did not verify, by path.
        faults: files that crashed a reader, took too long or are unaccounted for: path and why.
        seconds: wall time of the ingest.
        peak_bytes: the most that one reading process held.
    """

    name: str
    files: int = 0
    size: int = 0
    indexed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    refusals: list[tuple[str, str]] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    documents: int = 0
    chunks: int = 0
    unverified: list[str] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    seconds: float = 0.0
    peak_bytes: int = 0

    @property
    def verified(self) -> int:
        """Citations that verified."""
        return self.chunks - len(self.unverified)

    @property
    def adds_up(self) -> bool:
        """Whether every file is accounted for."""
        return self.indexed + self.refused.total() + self.passed.total() == self.files


def settle(
    name: str, staged: Sequence[Staged], report: IngestReport, chunks: Mapping[str, int]
) -> Account:
    """Return what became of the files of one format.

    Args:
        name: the format.
        staged: its files.
        report: what the ingest said.
        chunks: how many each document has, by source.
    """
    account = Account(name, len(staged), sum(file.size for file in staged))
    account.documents, account.chunks = len(chunks), sum(chunks.values())
    indexed = {_file(source) for source in chunks}
    reasons = _reasons((refusal.source, refusal.reason) for refusal in report.refusals)
    for file in staged:
        found = reasons.get(file.source, [])
        account.faults += [(file.path, why) for why in found if _code(why) in FAULTS]
        if file.source in indexed:
            account.indexed += 1
        elif found:
            account.refused[_code(found[0])] += 1
            account.refusals.append((file.path, found[0]))
        elif rule := _rule(file):
            account.passed[rule] += 1
        else:
            account.faults.append((file.path, "neither indexed nor refused"))
    return account


def _file(source: str) -> str:
    return source.partition(MEMBER)[0]


def _code(message: str) -> str:
    return message.partition(":")[0]


def _reasons(refusals: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for source, message in refusals:
        found[_file(source)].append(message)
    return found


def _rule(file: Staged) -> str:
    """Return by which rule a file is passed over; empty for none."""
    name = file.path.rpartition("/")[2]
    if is_hidden(name, is_folder=False):
        return "hidden"
    if format_of_name(name) is not None:
        return "nothing in it"
    return "" if kind_of(name) else "unsupported type"

"""The result as a page for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from scripts.bench.machine import Machine
from scripts.bench.report import _aligned as aligned
from scripts.formats.account import Account
from scripts.formats.bare import EXTRACTORS
from scripts.formats.ingesting import Checked
from scripts.formats.second import Fidelity, Score
from scripts.formats.speed import MOST_OF_BARE, Speed

from groundkit_core.kinds import FORMATS

_SHOWN = 20
NOTES = (
    "Files are counted once; archives are read member by member. A file is passed over when its "
    "type is not supported, or its name is hidden.",
    "Memory is the most that one reading process held; MB is 10^6 bytes.",
    "The machine is shared with other work, so times move; ratios are of one run over the same "
    "files.",
)


@dataclass(slots=True)
class Result:
    """Everything that one run found.

    Attributes:
        machine: what it ran on.
        accounts: by format.
        checked: what checking the citations found; None when it was not done.
        fidelity: beside second extractors.
        speeds: beside bare parsers.
        failures: what failed, one line each.
    """

    machine: Machine
    accounts: list[Account]
    checked: Checked | None = None
    fidelity: list[Fidelity] = field(default_factory=list)
    speeds: list[Speed] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    def faults(self) -> list[str]:
        """What makes the run a failure, one line each."""
        found = list(self.failures)
        for account in self.accounts:
            found += [f"{account.name}: {path}: {why}" for path, why in account.faults]
            found += [f"{account.name}: {detail}" for detail in account.unverified]
            if not account.adds_up:
                found.append(f"{account.name}: the numbers do not add up to the files")
        return found


def as_json(result: Result) -> dict[str, Any]:
    """The result as plain data."""
    return {
        "machine": asdict(result.machine),
        "accounts": [_plain(account) for account in result.accounts],
        "checked": asdict(result.checked) if result.checked else None,
        "fidelity": [asdict(fidelity) for fidelity in result.fidelity],
        "speeds": [asdict(speed) for speed in result.speeds],
        "faults": result.faults(),
    }


def _plain(account: Account) -> dict[str, Any]:
    return {one.name: getattr(account, one.name) for one in fields(account)}


def as_page(result: Result) -> str:
    """The result as Markdown."""
    machine = result.machine
    head = (
        f"Machine: {machine.cpu}, {machine.cores} cores, {machine.memory_bytes / 1e9:.0f} GB, "
        f"{machine.python}; load {machine.load_1m:g} at the start."
    )
    faults = result.faults()
    shown = [f"Fault: {fault}" for fault in faults[:_SHOWN]]
    if len(faults) > _SHOWN:
        shown.append(f"and {len(faults) - _SHOWN} more faults")
    parts = [head, _files(result.accounts), _summary(result), _refusals(result.accounts)]
    parts += [_fidelity(one) for one in result.fidelity]
    parts += [_speed(result.speeds)] if result.speeds else []
    parts.append("\n".join(f"- {line}" for line in (*NOTES, *shown)))
    return "\n\n".join(part for part in parts if part)


def _files(accounts: Sequence[Account]) -> str:
    head = ["format", "files", "MB", "indexed", "refused", "passed over", "citations", "verified",
            "s", "MB/s", "memory, MB"]  # fmt: skip
    rows = [_row(account) for account in accounts]
    return "\n".join(aligned([head, *rows, _row(_sum(accounts))]))


def _row(account: Account) -> list[str]:
    return [
        account.name,
        f"{account.files:,}",
        f"{account.size / 1e6:.1f}",
        f"{account.indexed:,}",
        f"{account.refused.total():,}",
        f"{account.passed.total():,}",
        f"{account.chunks:,}",
        f"{account.verified:,}",
        f"{account.seconds:.1f}",
        f"{account.size / 1e6 / account.seconds:.2f}" if account.seconds else "",
        f"{account.peak_bytes / 1e6:.0f}" if account.peak_bytes else "",
    ]


def _sum(accounts: Sequence[Account]) -> Account:
    total = Account("all")
    for one in accounts:
        total.files += one.files
        total.size += one.size
        total.indexed += one.indexed
        total.refused += one.refused
        total.passed += one.passed
        total.chunks += one.chunks
        total.unverified += one.unverified
        total.seconds += one.seconds
        total.peak_bytes = max(total.peak_bytes, one.peak_bytes)
    return total


def _summary(result: Result) -> str:
    checked = result.checked
    if checked is None:
        return ""
    seconds = f"{checked.seconds:.0f} s"
    return f"All {checked.citations:,} citations were checked against the files: {seconds}."


def _refusals(accounts: Sequence[Account]) -> str:
    lines = []
    for account in accounts:
        found = [*account.refused.most_common(), *account.passed.most_common()]
        if found:
            lines.append(f"- {account.name}: " + ", ".join(f"{n:,} {why}" for why, n in found))
    return "\n".join(["Refused or passed over, by reason:", "", *lines]) if lines else ""


def _fidelity(one: Fidelity) -> str:
    if not one.scores:
        return f"{one.name}: not compared, `{one.beside}` is not installed."
    recall, recall_low = one.summary(_recall)
    order, order_low = one.summary(_order)
    head = (
        f"`{one.name}` beside `{one.beside}` over {len(one.scores):,} files: share of its words "
        f"that we have, median {recall:.3f}, 5th percentile {recall_low:.3f}; in the same order, "
        f"median {order:.3f}, 5th percentile {order_low:.3f}. The ten with the fewest:"
    )
    rows = [
        [score.path, f"{score.words:,}", f"{score.recall:.3f}", f"{score.order:.3f}"]
        for score in one.worst()
    ]
    table = aligned([["file", "words", "found", "in order"], *rows])
    failed = f"\n\n`{one.beside}` failed on {one.failed} files." if one.failed else ""
    return f"{head}\n\n" + "\n".join(table) + failed


def _recall(score: Score) -> float:
    return score.recall


def _order(score: Score) -> float:
    return score.order


def _speed(speeds: Sequence[Speed]) -> str:
    head = ["format", "files", "MB", "bare", "bare, MB/s", "loader, MB/s", "units/s", "of bare",
            "met", "whole, MB/s", "of bare", "two processes"]  # fmt: skip
    rows = [_speed_row(speed) for speed in speeds]
    words = (
        f"Loaders beside the bare parser, on one process; a loader may take {MOST_OF_BARE:g}x its "
        "time. Whole is the loader, chunking and analysis; two processes against one, both with "
        "their start."
    )
    return f"{words}\n\n" + "\n".join(aligned([head, *rows]))


def _speed_row(speed: Speed) -> list[str]:
    bare, size = EXTRACTORS[speed.name], speed.bytes / 1e6
    ratio = speed.loader / speed.bare
    verdict = "yes" if ratio <= MOST_OF_BARE else "no"
    return [
        speed.name,
        f"{speed.files:,}",
        f"{size:.1f}",
        bare.words,
        f"{size / speed.bare:.2f}",
        f"{size / speed.loader:.2f}",
        f"{speed.units / speed.loader:,.0f} {bare.unit}" if bare.unit else "",
        f"{ratio:.2f}x",
        verdict if speed.name in FORMATS else "",
        f"{size / speed.whole:.2f}",
        f"{speed.whole / speed.bare:.2f}x",
        f"{speed.read_1 / speed.read_2:.2f}x as fast" if speed.read_2 else "",
    ]

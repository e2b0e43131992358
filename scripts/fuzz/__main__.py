"""`python -m scripts.fuzz`, from the root of the checkout."""

from __future__ import annotations

import argparse
import queue
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import count as count_from
from itertools import islice
from pathlib import Path

from scripts.bench.corpus import CHECKOUT
from scripts.fuzz.reading import Reader
from scripts.fuzz.seeds import seeds
from scripts.fuzz.variants import Variant, variant

FINDINGS = CHECKOUT / ".benchmarks" / "fuzz"
_TOGETHER = 2


@dataclass(slots=True)
class Run:
    """What a run found.

    Attributes:
        outcomes: variants by suffix and outcome.
        findings: variants that something is wrong with, each with what it is.
        seconds: wall time.
    """

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[tuple[Variant, list[str]]] = field(default_factory=list)
    seconds: float = 0.0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.fuzz", description=__doc__)
    add = parser.add_argument
    add("--count", type=int, default=2_000, help="variants to read [2000]")
    add("--seed", type=int, default=1, help="gives the same variants again [1]")
    add("--seconds", type=float, help="begin no variant after so many [no limit]")
    add("--only", type=int, nargs="+", metavar="NUMBER", help="read these variants only")
    add("--format", metavar="SUFFIX", help="read variants of this suffix only")
    add("--findings", type=Path, default=FINDINGS, metavar="DIR", help="where they are kept")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Read variants; returns 1 when something is wrong with one of them."""
    options = _parser().parse_args(argv)
    numbers = options.only or _numbers(options.count, options.format)

    def keep(found: Variant, wrong: list[str]) -> None:
        print(_line(options.seed, found, wrong), flush=True)
        options.findings.mkdir(parents=True, exist_ok=True)
        path = options.findings / f"{options.seed}-{found.number}-{found.name}"
        path.write_bytes(found.data)

    run = fuzz(options.seed, numbers, seconds=options.seconds, on_finding=keep)
    print(_summary(run))
    return 1 if run.findings else 0


def _numbers(count: int, suffix: str | None) -> list[int]:
    """Return the first numbers of variants, or of those of documents with a suffix."""
    names = [one.name for one in seeds()]
    wanted = [n for n, name in enumerate(names) if not suffix or name.endswith(f".{suffix}")]
    every = (turn * len(names) + n for turn in count_from(0) for n in wanted)
    return list(islice(every, count)) if wanted else []


def fuzz(
    seed: int,
    numbers: Sequence[int],
    *,
    seconds: float | None = None,
    on_finding: Callable[[Variant, list[str]], None] | None = None,
) -> Run:
    """Read variants, two at a time.

    Args:
        seed: of the run.
        numbers: of the variants.
        seconds: begin no variant after so many.
        on_finding: told of every variant that something is wrong with, and of what.
    """
    run, started, documents = Run(), time.monotonic(), seeds()
    with tempfile.TemporaryDirectory(prefix="groundkit-fuzz-") as folder:
        readers = [Reader(Path(folder, str(number))) for number in range(_TOGETHER)]
        free: queue.SimpleQueue[Reader] = queue.SimpleQueue()
        for reader in readers:
            free.put(reader)

        def read(number: int) -> tuple[Variant, str, list[str]] | None:
            if seconds is not None and time.monotonic() - started > seconds:
                return None
            made = variant(seed, number, documents)
            reader = free.get()
            try:
                return made, *reader.check(made)
            finally:
                free.put(reader)

        try:
            with ThreadPoolExecutor(_TOGETHER) as pool:
                for found in pool.map(read, numbers):
                    if found is not None:
                        _note(run, *found)
                        if found[2] and on_finding is not None:
                            on_finding(found[0], found[2])
        finally:
            for reader in readers:
                reader.close()
    run.seconds = time.monotonic() - started
    return run


def _note(run: Run, made: Variant, outcome: str, wrong: list[str]) -> None:
    run.outcomes[made.name.partition(".")[2], outcome] += 1
    if wrong:
        run.findings.append((made, wrong))


def _line(seed: int, found: Variant, wrong: list[str]) -> str:
    ways = ", ".join(found.ways)
    return f"--seed {seed} --only {found.number}: {found.name}, {ways}: {'; '.join(wrong[:3])}"


def _summary(run: Run) -> str:
    return "\n".join(_summary_lines(run))


def _summary_lines(run: Run) -> Iterator[str]:
    for suffix in sorted({suffix for suffix, _ in run.outcomes}):
        counts = [(n, what) for (one, what), n in run.outcomes.items() if one == suffix]
        shown = ", ".join(f"{n} {what}" for n, what in sorted(counts, reverse=True))
        yield f"{suffix:8} {shown}"
    total = run.outcomes.total()
    yield (
        f"{total:,} variants in {run.seconds:.0f} s ({total / run.seconds:.0f}/s), "
        f"{len(run.findings)} findings"
    )


if __name__ == "__main__":
    sys.exit(main())

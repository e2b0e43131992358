"""`python -m scripts.bench`, from the root of the checkout."""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from scripts.bench import corpus, machine, queries
from scripts.bench.errors import BenchError, CorpusAbsentError
from scripts.bench.measure import measure
from scripts.bench.phases import Bench
from scripts.bench.process import environment
from scripts.bench.report import Result, as_json, as_table
from scripts.bench.systems import Ours, Peer, System
from scripts.bench.workers.loop import LIMIT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.bench", description=__doc__)
    add = parser.add_argument
    add("--corpus", type=Path, metavar="DIR|TAR", help="measure over this instead of the default")
    add("--peer", action="store_true", help="install the peer and measure it in turn")
    add("--json", type=Path, metavar="OUT", help="write the figures there as well")
    add("--repeats", type=int, default=3, help="how often each step is measured (default 3)")
    add("--queries", type=int, default=queries.COUNT, help="how many to draw (default 200)")
    add("--work", type=Path, metavar="DIR", help="keep corpus, indexes and peer in this folder")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns 0, also when it is skipped, or 1 when something failed."""
    options = _parser().parse_args(argv)
    try:
        origin = corpus.locate(options.corpus)
        with tempfile.TemporaryDirectory(prefix="groundkit-bench-") as temporary:
            work = (options.work or Path(temporary)).resolve() / "groundkit-bench"
            work.mkdir(parents=True, exist_ok=True)
            result = _measured(origin, work, options)
    except CorpusAbsentError as absent:
        print(f"skipped: {absent}")
        return 0
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(as_table(result))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(as_json(result), indent=2) + "\n", encoding="utf-8")
    return 1 if result.failures else 0


def _measured(origin: Path, work: Path, options: argparse.Namespace) -> Result:
    described = machine.describe()
    systems: list[System] = [Ours.find()]
    if options.peer:
        systems.append(Peer.install(work / "peer", os.environ))
    root = corpus.materialize(origin, work / "corpus")
    files = corpus.markdown_files(root)
    corpus_size = {"files": len(files), "bytes": sum(path.stat().st_size for path in files)}
    asked = queries.draw(root, options.queries)
    kinds = Counter(query.kind for query in asked)
    bench = Bench(root, work, environment(work), tuple(asked))
    failures = measure(bench, systems, options.repeats)
    return Result(
        machine=described,
        corpus=corpus_size,
        queries={
            "count": len(asked),
            "questions": kinds["question"],
            "keywords": kinds["keywords"],
            "limit": LIMIT,
            "sha256": queries.digest(asked),
        },
        versions={system.name: system.version for system in systems},
        samples=bench.samples,
        failures=failures,
    )


if __name__ == "__main__":
    sys.exit(main())

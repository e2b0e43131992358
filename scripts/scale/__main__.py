"""`python -m scripts.scale`, from the root of the checkout."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from scripts.bench import corpus, machine, queries
from scripts.bench.errors import BenchError, CorpusAbsentError
from scripts.bench.process import environment
from scripts.scale import page, phases, seeds
from scripts.scale.peers import install_bm25s
from scripts.scale.phases import Plan, Run
from scripts.scale.report import Result, Size, as_json, as_page

SIZES = (10_000, 100_000, 1_000_000)


def _size(text: str) -> int:
    factors = {"k": 1_000, "m": 1_000_000}
    number = text.lower().rstrip("km")
    return int(number.replace("_", "")) * factors.get(text[-1].lower(), 1)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.scale", description=__doc__)
    add = parser.add_argument
    add("--sizes", type=_size, nargs="+", default=SIZES, help="chunks [10k 100k 1m]")
    add("--seeds", type=Path, metavar="DIR|TAR", help="splice this instead of the default")
    add("--queries", type=int, default=queries.COUNT, help="how many to draw [200]")
    add("--rounds", type=int, default=5, help="how often each query is timed [5]")
    add("--repeats", type=int, default=5, help="how often opening and changing are measured [5]")
    add("--no-bm25s", action="store_true", help="install and measure no bm25s")
    add("--json", type=Path, metavar="OUT", help="write the figures there as well")
    add("--update", type=Path, metavar="PAGE", help="put the table between the page's markers")
    add("--work", type=Path, metavar="DIR", help="keep corpora and indexes in this folder")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns 0, also when it is skipped, or 1 when something failed."""
    options = _parser().parse_args(argv)
    try:
        origin = seeds.locate(options.seeds)
        with tempfile.TemporaryDirectory(prefix="groundkit-scale-") as temporary:
            work = (options.work or Path(temporary)).resolve() / "groundkit-scale"
            work.mkdir(parents=True, exist_ok=True)
            result = _measured(origin, work, options)
        _publish(result, options)
    except CorpusAbsentError as absent:
        print(f"skipped: {absent}")
        return 0
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 1 if result.failures else 0


def _publish(result: Result, options: argparse.Namespace) -> None:
    print(as_page(result))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(as_json(result), indent=2) + "\n", encoding="utf-8")
    if options.update:
        page.update(options.update, as_page(result))


def _measured(origin: Path, work: Path, options: argparse.Namespace) -> Result:
    described = machine.describe()
    folder = origin if origin.is_dir() else corpus.materialize(origin, work / "seeds")
    failures: list[str] = []
    plan = Plan(
        seeds=folder,
        work=work,
        env=environment(work),
        rounds=options.rounds,
        repeats=options.repeats,
        bm25s=None if options.no_bm25s else _bm25s(work, failures),
    )
    versions = {
        name: importlib.metadata.version(name)
        for name in ("groundkit-retrieval", "tantivy", "rank-bm25")
    }
    sizes: dict[int, Size] = {}
    asked: list[queries.Query] = []
    for size in sorted(set(options.sizes)):
        run = Run(plan, size)
        phases.write_corpus(run)
        # The smallest corpus is a part of the others, so that all are asked the same.
        asked = asked or _draw(run, options.queries)
        failures += phases.measure(run)
        sizes[size] = Size(run.figures, run.samples)
        versions |= run.notes
        if not options.work:
            shutil.rmtree(run.folder)
    kinds = Counter(query.kind for query in asked)
    return Result(
        machine=described,
        seeds=origin.name,
        queries={
            "count": len(asked),
            "questions": kinds["question"],
            "keywords": kinds["keywords"],
            "sha256": queries.digest(asked),
        },
        versions=versions,
        sizes=sizes,
        failures=failures,
    )


def _bm25s(work: Path, failures: list[str]) -> Path | None:
    try:
        return install_bm25s(work / "bm25s")
    except BenchError as error:
        failures.append(str(error))
        return None


def _draw(run: Run, count: int) -> list[queries.Query]:
    drawn = queries.draw(run.corpus, count)
    texts = json.dumps([query.text for query in drawn])
    run.plan.queries.write_text(texts, encoding="utf-8")
    return drawn


if __name__ == "__main__":
    sys.exit(main())

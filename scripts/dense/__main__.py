"""`python -m scripts.dense`, from the root of the checkout."""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from scripts.bench import corpus, machine, queries
from scripts.bench.errors import BenchError, CorpusAbsentError
from scripts.bench.process import environment
from scripts.dense.phases import Dense, measure
from scripts.dense.report import Result, as_json, as_page
from scripts.scale import page, phases, seeds
from scripts.scale.phases import Plan, Run
from tests.index.embedders.weights import WeightsUnavailableError, minilm_folder

_MEASURED = ("groundkit-retrieval", "groundkit-index", "lancedb", "numpy", "onnxruntime")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.dense", description=__doc__)
    add = parser.add_argument
    add("--chunks", type=int, default=100_000, help="chunks of the collection [100000]")
    add("--large", type=int, default=250_000, help="vectors of the indexed table [250000]")
    add("--model", type=Path, metavar="DIR", help="the model [all-MiniLM-L6-v2 int8, downloaded]")
    add("--seeds", type=Path, metavar="DIR|TAR", help="splice this instead of the default")
    add("--queries", type=int, default=100, help="how many to draw [100]")
    add("--rounds", type=int, default=5, help="how often each query is timed [5]")
    add("--repeats", type=int, default=5, help="how often commands are run [5]")
    add("--json", type=Path, metavar="OUT", help="write the figures there as well")
    add("--update", type=Path, metavar="PAGE", help="put the table between the page's markers")
    add("--work", type=Path, metavar="DIR", help="keep corpus and indexes in this folder")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns 0, also when it is skipped, or 1 when something failed."""
    options = _parser().parse_args(argv)
    try:
        origin = seeds.locate(options.seeds)
        model = (options.model or minilm_folder()).resolve()
        with tempfile.TemporaryDirectory(prefix="groundkit-dense-") as temporary:
            work = (options.work or Path(temporary)).resolve() / "groundkit-dense"
            work.mkdir(parents=True, exist_ok=True)
            result = _measured(origin, model, work, options)
        _publish(result, options)
    except (CorpusAbsentError, WeightsUnavailableError) as absent:
        print(f"skipped: {absent}")
        return 0
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 1 if result.failures else 0


def _measured(origin: Path, model: Path, work: Path, options: argparse.Namespace) -> Result:
    described = machine.describe()
    folder = origin if origin.is_dir() else corpus.materialize(origin, work / "seeds")
    run = Run(
        Plan(folder, work, environment(work), rounds=options.rounds, repeats=options.repeats),
        options.chunks,
    )
    phases.write_corpus(run)
    texts = [query.text for query in queries.draw(run.corpus, options.queries)]
    run.plan.queries.write_text(json.dumps(texts), encoding="utf-8")
    failures = measure(Dense(run, model, options.large, options.queries, texts))
    versions = {name: importlib.metadata.version(name) for name in _MEASURED}
    return Result(described, versions, run.figures, failures)


def _publish(result: Result, options: argparse.Namespace) -> None:
    print(as_page(result))
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(as_json(result), indent=2) + "\n", encoding="utf-8")
    if options.update:
        if result.missing():
            raise BenchError(f"{options.update.name} stays as it is: not all was measured")
        page.update(options.update, as_page(result), "dense")


if __name__ == "__main__":
    sys.exit(main())

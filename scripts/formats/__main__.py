"""`python -m scripts.formats`, from the root of the checkout."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.bench import machine
from scripts.bench.corpus import CHECKOUT
from scripts.bench.errors import BenchError, CorpusAbsentError
from scripts.formats import corpus, ingesting, second, speed
from scripts.formats.report import Result, as_json, as_page
from scripts.formats.second import Fidelity
from scripts.formats.staging import Staged, stage
from scripts.scale import page

CACHE = CHECKOUT / ".benchmarks" / "formats"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m scripts.formats", description=__doc__)
    add = parser.add_argument
    add("--corpus", type=Path, metavar="DIR", help="read this instead of what packages hold")
    add("--limit-per-format", type=int, metavar="N", help="files of each format [all]")
    add("--only", nargs="+", metavar="FORMAT", help="only these formats [all]")
    add("--budget", type=float, default=40, help="seconds to time each format for [40]; 0: none")
    add("--json", type=Path, metavar="OUT", help="write the figures there as well")
    add("--update", type=Path, metavar="PAGE", help="put the tables between the page's markers")
    add("--work", type=Path, metavar="DIR", help="keep files and index in this new folder")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run over the corpus; returns 0, also when it is skipped, or 1 when there is a fault."""
    options = _parser().parse_args(argv)
    try:
        folder = options.corpus or corpus.build(CACHE, _say)
        with tempfile.TemporaryDirectory(prefix="groundkit-formats-") as temporary:
            work = (options.work or Path(temporary)).resolve()
            result = _measured(folder.resolve(), work, options)
        _publish(result, options)
    except CorpusAbsentError as absent:
        print(f"skipped: {absent}")
        return 0
    except BenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 1 if result.faults() else 0


def _measured(folder: Path, work: Path, options: argparse.Namespace) -> Result:
    described = machine.describe()
    files, index = work / "files", work / "index"
    staged = stage(folder, files, options.limit_per_format)
    if options.only:
        staged = {name: staged[name] for name in options.only if name in staged}
    if not staged:
        raise BenchError("there is no file to read")
    accounts = ingesting.ingest_all(staged, files, index, _say)
    _say("verify")
    result = Result(described, accounts, ingesting.verify_all(accounts, staged, index))
    for name, found in staged.items():
        texts = ingesting.texts_of(index, name)
        if name in second.COMMANDS:
            _say(f"compare {name}")
            result.fidelity += _compared(name, found, files / name, texts)
        if options.budget:
            indexed = [file for file in found if file.source in texts]
            _time(result, name, indexed, files / name, options.budget)
    return result


def _compared(
    name: str, found: list[Staged], folder: Path, texts: Mapping[str, str]
) -> Iterator[Fidelity]:
    yield second.compare(name, found, folder, texts)
    if name == "html":
        whole = second.whole_pages(found, folder, texts)
        yield second.compare(name, found, folder, whole, title="html, with navigation")


def _time(result: Result, name: str, files: list[Staged], folder: Path, budget: float) -> None:
    _say(f"time {name}")
    work = folder.parent.parent
    try:
        taken = speed.measure(name, files, folder, work, budget)
    except BenchError as error:
        result.failures.append(f"{name}: not timed: {error}")
        return
    if taken is not None:
        result.speeds.append(taken)


def _publish(result: Result, options: argparse.Namespace) -> None:
    text = as_page(result)
    print(text)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps(as_json(result), indent=2) + "\n", encoding="utf-8")
    if options.update:
        page.update(options.update, text, "formats")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())

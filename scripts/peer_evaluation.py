"""Evaluates this engine and the peer, each over its own MCP server, on the same judgments.

python -m scripts.peer_evaluation [--update PAGE] [--work DIR]
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.bench.systems import Ours, Peer, System
from scripts.scale.page import update

from evals.public.sets import archive
from groundkit_eval.judgments.beir import BeirFolder, write_documents

ROOT = Path(__file__).parents[1]
_SETS = ("scifact", "squad2")
_LIMIT = 20
_COLUMNS = ("nDCG@10", "MRR@10", "recall@1", "recall@10")


@dataclass(frozen=True, slots=True)
class Judged:
    """A folder of documents, and the options that say what is asked of it."""

    name: str
    corpus: Path
    options: tuple[str, ...]


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", type=Path, metavar="PAGE", help="put the table into a page")
    parser.add_argument("--work", type=Path, help="keep the peer and the indexes here")
    arguments = parser.parse_args()
    with _work(arguments.work) as work:
        peer = Peer.install(work / "peer", os.environ)
        results = {judged.name: _evaluate(judged, peer, work) for judged in _judged(work)}
    text = "\n".join(_report(results, peer))
    print(text)
    if arguments.update:
        update(arguments.update, text, "eval-peer")
    return 0


@contextmanager
def _work(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder.resolve()
        return
    with tempfile.TemporaryDirectory() as scratch:
        yield Path(scratch)


def _judged(work: Path) -> Iterator[Judged]:
    golden = ROOT / "evals"
    questions = ("--judgments", str(golden / "judgments.jsonl"), "--corpus", str(golden / "corpus"))
    yield Judged("golden questions", golden / "corpus", questions)
    if archive().is_file():
        with tarfile.open(archive()) as tar:
            wanted = [m for m in tar if Path(m.name).parts[:2] in {("beir", s) for s in _SETS}]
            tar.extractall(work, wanted, filter="data")
        for name in _SETS:
            folder = work / "beir" / name
            shutil.rmtree(work / "documents" / name, ignore_errors=True)
            write_documents(BeirFolder(folder), work / "documents" / name)
            yield Judged(name, work / "documents" / name, ("--judgments", str(folder)))


def _evaluate(judged: Judged, peer: Peer, work: Path) -> dict[str, Any]:
    targets = []
    for system, mapping in ((Ours.find(), _OURS), (peer, _PEER)):
        index = work / "index" / judged.name.replace(" ", "-") / system.name
        shutil.rmtree(index, ignore_errors=True)
        _ingest(judged, system, index, work)
        command = json.dumps(system.serve(judged.corpus, index))
        root = json.dumps(str(judged.corpus.resolve()))
        path = work / f"{system.name}.toml"
        path.write_text(
            f'[{system.name}]\ntype = "mcp"\ncommand = {command}\nroot = {root}\n{mapping}',
            encoding="utf-8",
        )
        targets += ["--target", str(path)]
    out = work / "result.json"
    asked = [*judged.options, *targets, "--limit", str(_LIMIT), "--json", str(out)]
    run = [sys.executable, "-c", "from groundkit_eval.cli import main; main()", "run", *asked]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def _ingest(judged: Judged, system: System, index: Path, work: Path) -> None:
    command = system.ingest(judged.corpus, index)
    done = subprocess.run(command, capture_output=True, text=True, cwd=work, check=False)
    # The peer exits 1 when it refuses a single file, and has indexed the others.
    if done.returncode and not index.is_dir():
        raise SystemExit(f"{system.name} could not index {judged.name}: {done.stderr[-400:]}")


_OURS = """
environment = { GROUNDKIT_PROFILE = "auditor" }
arguments = { query = "{query}", limit = "{limit}", source_class = "{source_class}" }
[ours.fields]
source = "citation.source"
start = "citation.start_offset"
end = "citation.end_offset"
text = "content"
id = "chunk_id"
verification = "citation.verification"
[ours.folded]
list = "duplicates"
source = "source"
start = "start_offset"
end = "end_offset"
"""
_PEER = """
arguments = { query = "{query}", top_k = "{limit}", mode = "bm25" }
[peer.fields]
source = "source"
start = "start_offset"
end = "end_offset"
text = "content"
id = "chunk_id"
"""


def _report(results: dict[str, dict[str, Any]], peer: Peer) -> Iterator[str]:
    ours = Ours.find()
    yield ""
    names = {"ours": f"groundkit {ours.version}", "peer": f"groundkit {peer.version} (peer)"}
    rows = [row for name, result in results.items() for row in _rows(name, result, names)]
    columns = ("judgments", "queries", "system", *_COLUMNS, "citations verified", "p50")
    yield f"| {' | '.join(columns)} |"
    yield f"|---|---:|---|{'---:|' * (len(columns) - 3)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""
    yield f"- Both lexical, over MCP on standard input and output, {_LIMIT} results asked for."
    yield "- Golden questions count passages, by their spans; scifact and squad2 documents."
    yield "- The peer does not say whether a citation was verified, and has no source classes."
    yield ""


def _rows(name: str, result: dict[str, Any], names: dict[str, str]) -> Iterator[tuple[str, ...]]:
    for stage in result["stages"]:
        values = (f"{stage['measures'][column.lower()]:.3f}" for column in _COLUMNS)
        told = stage["citations"]
        verified = f"{told['shares']['verified']:.3f}" if told else "-"
        latency = result["timings"]["stages"][stage["name"]]["p50_ms"]
        asked = f"{result['judgments']['answerable']:,}"
        yield name, asked, names[stage["name"]], *values, verified, f"{latency:.1f} ms"


if __name__ == "__main__":
    sys.exit(main())

"""Prints published figures for scifact, with ours beside them.

python -m evals.public.published [--model DIR]

BM25 is scored here by the published method, so that judgments and measures are what is compared;
its run goes the way of any run file. The stages are those of `groundkit-eval run --beir`.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tarfile
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from Stemmer import Stemmer

from evals.public.sets import archive
from groundkit_eval.evaluation import evaluate_plan
from groundkit_eval.judgments.beir import BeirFolder
from groundkit_eval.judgments.reading import JudgmentsChoice
from groundkit_eval.plan import Plan
from groundkit_eval.results import EvaluationResult
from groundkit_eval.setup import Setup
from groundkit_index.embedders import EmbedderSettings

BM25 = ("BM25, flat", 0.679, "Anserini regressions for BEIR, k1 = 0.9, b = 0.4")
MINILM = ("all-MiniLM-L6-v2", 0.645, "MTEB, SciFact")
CLOSE = 0.01
_NO_DATA = 3
_PORTER = Stemmer("porter")
_K1, _B, _DEPTH = 0.9, 0.4, 100
_WORD = re.compile(r"\w+(?:[.'’]\w+)*")
_STOP = re.compile(
    r"(a|an|and|are|as|at|be|but|by|for|if|in|into|is|it|no|not|of|on|or|such|that|the|their|then|"
    r"there|these|they|this|to|was|will|with)"
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="folder of all-MiniLM-L6-v2 [BM25 only]")
    model = parser.parse_args().model
    if not archive().is_file():
        print("skipped: the judged sets are not beside the checkout")
        return _NO_DATA
    with tempfile.TemporaryDirectory() as scratch:
        folder = _unpacked(Path(scratch))
        run = Path(scratch) / "flat.trec"
        run.write_text("".join(_lines(BeirFolder(folder))), encoding="utf-8")
        kept = evaluate_plan(Plan(JudgmentsChoice(folder), targets=(run,)))
        rows = [(BM25, _ndcg(kept, "flat"))]
        setup = Setup(EmbedderSettings("onnx", model=str(model))) if model else Setup()
        found = evaluate_plan(Plan(JudgmentsChoice(folder), limit=20, setup=setup))
        if model:
            rows.append((MINILM, _ndcg(found, "dense")))
    print("scifact, nDCG@10 | published | ours | source")
    for (name, published, source), ours in rows:
        print(f"{name} | {published:.3f} | {ours:.3f} | {source}")
    for stage in found.stages:
        print(f"stage {stage.name} | - | {_ndcg(found, stage.name):.3f} | this engine")
    return 1 if any(abs(ours - published) > CLOSE for (_, published, _), ours in rows) else 0


def _unpacked(scratch: Path) -> Path:
    with tarfile.open(archive()) as tar:
        wanted = [member for member in tar if Path(member.name).parts[:2] == ("beir", "scifact")]
        tar.extractall(scratch, wanted, filter="data")
    return scratch / "beir" / "scifact"


def _ndcg(result: EvaluationResult, stage: str) -> float:
    value = next(found for found in result.stages if found.name == stage).measures["ndcg@10"]
    return value if value is not None else math.nan


def _lines(folder: BeirFolder) -> Iterator[str]:
    """Yield a run by Lucene's BM25 over title and text as one field, as Anserini indexes them."""
    documents = list(folder.documents())
    bags = [Counter(tokens(f"{document.title} {document.text}")) for document in documents]
    lengths = [bag.total() for bag in bags]
    average = sum(lengths) / len(lengths)
    postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for number, bag in enumerate(bags):
        for token, count in bag.items():
            postings[token].append((number, count))
    for query in folder.judged().queries:
        scores: dict[int, float] = defaultdict(float)
        for token, asked in Counter(tokens(query.text)).items():
            found = postings.get(token, [])
            idf = math.log(1 + (len(bags) - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                norm = _K1 * (1 - _B + _B * lengths[number] / average)
                scores[number] += asked * idf * count / (count + norm)
        best = sorted(scores.items(), key=lambda item: -item[1])[:_DEPTH]
        for rank, (number, score) in enumerate(best, start=1):
            yield f"{query.id} Q0 {documents[number].id} {rank} {score} flat\n"


def tokens(text: str) -> list[str]:
    """Return what Lucene's English analyzer makes of a text, near enough."""
    words = (re.sub(r"['’]s$", "", word.lower()) for word in _WORD.findall(text))
    return [_PORTER.stemWord(word) for word in words if word and not _STOP.fullmatch(word)]


if __name__ == "__main__":
    sys.exit(main())

"""Prints how well the engine ranks and abstains on the public sets.

python -m evals.public [--model DIR] [--sets NAME ...] [--check]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from evals.public.abstention import aurocs
from evals.public.indexing import Indexed, index
from evals.public.probes import probes
from evals.public.ranking import ABSTENTION_FLOORS, FLOORS, STAGES, mean_ndcg
from evals.public.sets import NAMES, archive, read_sets
from groundkit_retrieval.query_embedding import QueryEmbedder

_NO_DATA = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, help="folder of an onnx model [lexical only]")
    parser.add_argument("--sets", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--others", type=float, default=1.0, help="share of unjudged documents")
    parser.add_argument("--work", type=Path, help="keep the indexes here and use them again")
    parser.add_argument("--rerank", type=int, default=300, help="queries a set that are reranked")
    parser.add_argument("--no-abstention", action="store_true", help="rank only")
    parser.add_argument("--check", action="store_true", help="exit 1 below a floor")
    arguments = parser.parse_args()
    if not archive().is_file():
        print("skipped: the judged sets are not beside the checkout")
        return _NO_DATA
    with tempfile.TemporaryDirectory() as scratch:
        work = arguments.work or Path(scratch)
        read = list(read_sets(tuple(arguments.sets)).values())
        for judged in read:
            judged.thin(arguments.others)
        sets = index(read, work, arguments.model)
        below = _rank(list(sets.values()), arguments.model is not None, arguments.rerank)
        if arguments.model is not None and not arguments.no_abstention:
            below += _abstain(sets)
    for line in below:
        print(f"below its floor: {line}")
    return 1 if below and arguments.check else 0


def _rank(sets: Sequence[Indexed], vectors: bool, reranked: int) -> list[str]:
    stages = [stage for stage in STAGES if vectors or stage == "lexical"]
    stages = [stage for stage in stages if reranked or stage != "hybrid + maxsim"]
    print("\nnDCG@10 | " + " | ".join(stages) + " | queries (reranked)")
    below = []
    for indexed in sets:
        values, queries = {}, len(indexed.judged.answerable)
        for stage in stages:
            most = reranked if stage == "hybrid + maxsim" else queries
            values[stage] = mean_ndcg(indexed, stage, most)
            floor = FLOORS[indexed.judged.name].get(stage, 0.0)
            if values[stage] < floor:
                below.append(f"{indexed.judged.name} {stage} {values[stage]:.4f} < {floor}")
        row = " | ".join(f"{values[stage]:.4f}" for stage in stages)
        print(f"{indexed.judged.name} | {row} | {queries} ({min(reranked, queries)})", flush=True)
    return below


def _abstain(sets: dict[str, Indexed]) -> list[str]:
    print()
    asked = [probe for probe in probes(sets, QueryEmbedder()) if probe.test]
    below = []
    for mode in ("lexical", "dense", "hybrid"):
        for name in (*sets, "all"):
            chosen = [probe for probe in asked if name in ("all", probe.collection)]
            values = aurocs(chosen, mode)
            print(f"{mode} {name}: " + ", ".join(f"{k} {v:.3f}" for k, v in values.items()))
            if name == "all" and set(sets) != set(NAMES):
                continue
            for kind, floor in ABSTENTION_FLOORS.get((mode, name), {}).items():
                if values.get(kind, 1.0) < floor:
                    below.append(f"{mode} {name} {kind} {values[kind]:.4f} < {floor}")
    return below


if __name__ == "__main__":
    sys.exit(main())

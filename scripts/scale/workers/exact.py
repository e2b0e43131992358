"""Compare our ranking with exact BM25, and time rank-bm25: `INDEX ROWS ASKED.json ROUNDS`."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean

import numpy as np
from scripts.bench.process import resident_bytes
from scripts.scale.exact import ExactField, overlap
from scripts.scale.lexical import OurIndex
from scripts.scale.rows import read_rows
from scripts.scale.timing import in_turn

from groundkit_core.filters import DocumentFilter
from groundkit_index import IndexReader
from groundkit_index.lexical import schema
from groundkit_index.lexical.searcher import BOOSTS

PAGE = 10
Ranking = Callable[[Sequence[str]], list[int]]


def main() -> None:
    """Print overlaps with exact BM25, and times and memory of rank-bm25."""
    index, rows, asked, rounds = sys.argv[1:]
    queries = json.loads(Path(asked).read_text(encoding="utf-8"))
    started = time.perf_counter()
    body = ExactField(row.body for row in read_rows(Path(rows)))
    figures = {"seconds": time.perf_counter() - started, "resident_bytes": resident_bytes()}
    others = {
        schema.HEADINGS: ExactField(row.headings for row in read_rows(Path(rows))),
        schema.PATH: ExactField(row.path for row in read_rows(Path(rows))),
    }
    body_only = _body_only(OurIndex(index))
    with IndexReader.open(index) as reader:
        agreed = _overlaps(queries, body, others, body_only, _as_shipped(reader))
    calls = {f"rank_bm25_{PAGE}": lambda number: _best(body, queries[number])}
    times = in_turn(calls, len(queries), int(rounds))
    body.approximate()
    agreed["overlap_engine"] = fmean(overlap(body_only(q), body.scores(q)) for q in queries)
    print(json.dumps({**figures, **agreed, "times": times}))


def _overlaps(
    queries: Sequence[Sequence[str]],
    body: ExactField,
    others: dict[str, ExactField],
    body_only: Ranking,
    as_shipped: Ranking,
) -> dict[str, float]:
    """The mean overlap@10 of three pairs.

    `body`: our index asked for the body only, with exact BM25 of the body. `shipped`: our search,
    with the same. `formula`: our search, with the sum over its fields that it stands for.
    """
    shares: dict[str, list[float]] = {"body": [], "shipped": [], "formula": []}
    for tokens in queries:
        of_body = body.scores(tokens)
        boosted = [BOOSTS[name] * field.scores(tokens) for name, field in others.items()]
        summed = BOOSTS[schema.BODY] * of_body + np.sum(boosted, axis=0)
        shipped = as_shipped(tokens)
        shares["body"].append(overlap(body_only(tokens), of_body))
        shares["shipped"].append(overlap(shipped, of_body))
        shares["formula"].append(overlap(shipped, summed))
    return {f"overlap_{name}": fmean(values) for name, values in shares.items()}


def _as_shipped(reader: IndexReader) -> Ranking:
    def rank(tokens: Sequence[str]) -> list[int]:
        hits = reader.read(lambda s: s.lexical(tokens, DocumentFilter.of("all"), PAGE))
        return [key - 1 for key, _ in hits]

    return rank


def _body_only(index: OurIndex) -> Ranking:
    return lambda tokens: [key - 1 for key in index.search_body(tokens, PAGE)]


def _best(field: ExactField, tokens: Sequence[str]) -> object:
    """The best chunks the way rank-bm25 is used: the score of every chunk, then the largest."""
    scores = field.engine.get_scores(tokens)
    return np.argpartition(scores, -min(PAGE, len(scores)))[-PAGE:]


if __name__ == "__main__":
    main()

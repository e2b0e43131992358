"""The measures against a second implementation that knows chunks and spans only."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_eval.judgments.model import Gold, JudgedQuery, Place
from groundkit_eval.runs import Answer, RankedChunk, StageRun
from groundkit_eval.scoring import score

spans = st.tuples(st.integers(0, 60), st.integers(1, 30))
places = st.builds(
    lambda source, span: Place(source, span[0], span[0] + span[1]),
    st.sampled_from(["a.md", "b.md"]),
    spans,
)
golds = st.lists(places, min_size=1, max_size=4, unique=True)
rankings = st.lists(st.tuples(places, st.lists(places, max_size=2)), max_size=14)


def golds_of(places: list[Place]) -> tuple[Gold, ...]:
    return tuple(Gold(place.source, place.start, place.end) for place in places)


def holds_half(chunk: Place, gold: Place) -> bool:
    inside = [i for i in range(gold.start, gold.end) if chunk.start <= i < chunk.end]
    return chunk.source == gold.source and len(inside) >= (gold.end - gold.start) / 2


def expected(gold: list[Place], chunks: list[RankedChunk]) -> dict[str, float]:
    places_taken: list[bool] = []
    found_at: dict[Place, int] = {}
    for rank, chunk in enumerate(chunks, start=1):
        fresh = [
            passage
            for passage in gold
            if passage not in found_at
            and any(holds_half(place, passage) for place in (chunk.place, *chunk.folded))
        ]
        found_at.update(dict.fromkeys(fresh, rank))
        if rank <= 10:
            places_taken += [True] * len(fresh) if fresh else [False]
    first = next((rank for rank, hit in enumerate(places_taken, start=1) if hit), math.inf)
    gain = sum(1 / math.log2(i + 2) for i, hit in enumerate(places_taken[:10]) if hit)
    ideal = sum(1 / math.log2(i + 2) for i in range(len(gold)))
    recalls = {
        f"recall@{k}": sum(rank <= k for rank in found_at.values()) / len(gold) for k in (1, 5, 10)
    }
    return recalls | {"mrr@10": 1 / first if first <= 10 else 0.0, "ndcg@10": gain / ideal}


@settings(deadline=None)
@given(st.lists(st.tuples(golds, rankings), min_size=1, max_size=5))
def test_measures_agree_with_a_second_implementation(
    cases: list[tuple[list[Place], list[tuple[Place, list[Place]]]]],
) -> None:
    queries, answers, wanted = [], [], []
    for number, (gold, ranked) in enumerate(cases):
        chunks = [
            RankedChunk(f"c{i}", place, tuple(folded)) for i, (place, folded) in enumerate(ranked)
        ]
        queries.append(JudgedQuery(f"q{number}", "text", "any", "all", golds_of(gold), number + 1))
        answers.append(Answer(tuple(chunks), abstained=not chunks))
        wanted.append(expected(gold, chunks))
    count = len(answers)
    run = StageRun("any", tuple(answers), (1.0,) * count, (None,) * count)
    scored = score(run, queries)
    for query, values in zip(queries, wanted, strict=True):
        assert scored.by_query[query.id] == pytest.approx(values, abs=2e-6)
    for name in wanted[0]:
        average = sum(values[name] for values in wanted) / len(wanted)
        assert scored.overall[name] == pytest.approx(average, abs=2e-6)

"""Average precision, precision, success and graded nDCG against definitions written out."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_eval.measures.ranking import Ranking, measure
from groundkit_eval.measures.selection import select

CHOSEN = select("AP,AP@5,P@5,Success@3,RR,nDCG,nDCG@5,R@2")


@st.composite
def rankings(draw: st.DrawFn) -> Ranking:
    grades = tuple(draw(st.lists(st.integers(0, 3), min_size=1, max_size=5).filter(any)))
    left = [number for number, grade in enumerate(grades) if grade]
    chunks = []
    for name in range(draw(st.integers(0, 9))):
        new = tuple(left[: draw(st.integers(0, 2))])
        left = left[len(new) :]
        chunks.append((f"c{name}", new))
    return Ranking(grades, tuple(chunks))


def gains(ranking: Ranking) -> list[int]:
    """The grade at each place: a chunk takes one for each passage it newly covers."""
    found: list[int] = []
    for _, new in ranking.chunks:
        found += sorted((ranking.grades[n] for n in new), reverse=True) or [0]
    return found


def dcg(values: list[int], cutoff: int) -> float:
    return sum(value / math.log2(rank + 1) for rank, value in enumerate(values[:cutoff], start=1))


def expected(ranking: Ranking) -> dict[str, float]:
    found, relevant = gains(ranking), sum(grade > 0 for grade in ranking.grades)
    hits = [value > 0 for value in found]
    precisions = [sum(hits[: i + 1]) / (i + 1) if hit else 0.0 for i, hit in enumerate(hits)]
    ideal = sorted(ranking.grades, reverse=True)
    first_two = sum(len(new) for _, new in ranking.chunks[:2])
    return {
        "AP": sum(precisions) / relevant,
        "AP@5": sum(precisions[:5]) / relevant,
        "P@5": sum(hits[:5]) / 5,
        "Success@3": float(any(hits[:3])),
        "RR": 1 / (hits.index(True) + 1) if any(hits) else 0.0,
        "nDCG": dcg(found, 99) / dcg(ideal, 99),
        "nDCG@5": dcg(found, 5) / dcg(ideal, 5),
        "R@2": first_two / relevant,
    }


@settings(deadline=None, max_examples=60)
@given(st.lists(rankings(), min_size=1, max_size=4))
def test_measures_agree_with_their_definitions(cases: list[Ranking]) -> None:
    found = measure({f"q{n}": case for n, case in enumerate(cases)}, CHOSEN.ranked)
    for number, case in enumerate(cases):
        values = found[f"q{number}"]
        wanted = expected(case)
        assert {name: values[name] for name in wanted} == pytest.approx(wanted, abs=2e-6)

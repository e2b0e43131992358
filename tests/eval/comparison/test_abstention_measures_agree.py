"""Answered share, reliability and ECE against brute force and numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundkit_core.contracts import Verdict
from groundkit_eval.judgments.model import Place
from groundkit_eval.measures.citations import citation_shares
from groundkit_eval.measures.reliability import reliability
from groundkit_eval.measures.risk import answered_share
from groundkit_eval.runs import RankedChunk

probabilities = st.lists(
    st.integers(0, 20).map(lambda n: n / 20) | st.floats(0, 1), min_size=1, max_size=25
)


def brute_force(answerable: list[float], unanswerable: list[float], rate: float) -> float:
    thresholds = [*answerable, *unanswerable, 2.0]
    kept = [t for t in thresholds if sum(p >= t for p in unanswerable) <= rate * len(unanswerable)]
    return max(sum(p >= t for p in answerable) / len(answerable) for t in kept)


@settings(deadline=None)
@given(probabilities, probabilities, st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.25, 0.5]))
def test_the_answered_share_is_that_of_the_best_threshold_that_keeps_the_rate(
    answerable: list[float], unanswerable: list[float], rate: float
) -> None:
    assert answered_share(answerable, unanswerable, rate) == pytest.approx(
        brute_force(answerable, unanswerable, rate)
    )


def test_by_hand_one_false_answer_in_four_is_allowed() -> None:
    assert answered_share([0.9, 0.6, 0.5, 0.2], [0.7, 0.55, 0.1, 0.1], 0.25) == 0.5


@settings(deadline=None)
@given(probabilities, probabilities)
def test_reliability_agrees_with_numpy(answerable: list[float], unanswerable: list[float]) -> None:
    found = reliability(answerable, unanswerable)
    values = np.array([*answerable, *unanswerable])
    outcome = np.array([1.0] * len(answerable) + [0.0] * len(unanswerable))
    number = np.minimum((values * 10).astype(int), 9)
    gaps, held = 0.0, 0
    for which in range(10):
        inside = number == which
        if inside.any():
            part = found.bins[held]
            held += 1
            assert (part.queries, part.low) == (inside.sum(), which / 10)
            assert part.predicted == pytest.approx(values[inside].mean(), abs=1e-6)
            assert part.observed == pytest.approx(outcome[inside].mean(), abs=1e-6)
            gaps += inside.sum() * abs(outcome[inside].mean() - values[inside].mean())
    assert held == len(found.bins)
    assert found.ece == pytest.approx(gaps / len(values), abs=1e-5)


def test_ece_by_hand() -> None:
    # Bin 0.8-0.9: two queries at 0.8, one answerable; bin 0.1-0.2: one at 0.1, unanswerable.
    found = reliability([0.8], [0.8, 0.1])
    assert [(part.predicted, part.observed) for part in found.bins] == [(0.1, 0.0), (0.8, 0.5)]
    assert found.ece == pytest.approx((1 * 0.1 + 2 * 0.3) / 3, abs=1e-6)


def test_citation_shares_by_hand() -> None:
    verdicts: list[Verdict | None] = ["verified", "verified", "drifted", None, "relocated"]
    chunks = [RankedChunk(str(n), Place("a"), (), told) for n, told in enumerate(verdicts)]
    found = citation_shares([chunks[:2], chunks[2:]])
    assert found is not None
    assert found.hits == 4
    assert found.shares == {
        "verified": 0.5,
        "relocated": 0.25,
        "drifted": 0.25,
        "missing": 0.0,
        "refused": 0.0,
    }
    assert citation_shares([chunks[3:4], []]) is None

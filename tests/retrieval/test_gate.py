from __future__ import annotations

import math
from typing import get_args

import pytest

from groundkit_core.contracts import Mode
from groundkit_retrieval.confidence import SIGNALS, Gate, Levels, Signals, shipped_gate

GATE = Gate(("idf_coverage", "top_cosine"), (2.0, 4.0), -3.0, Levels(low=0.4, high=0.8))


def test_probability_is_the_logistic_of_the_weighted_signals() -> None:
    signals = Signals(idf_coverage=0.5, top_cosine=0.75, overlap=1.0)
    assert GATE.probability(signals) == pytest.approx(1 / (1 + math.exp(-(2 * 0.5 + 4 * 0.75 - 3))))


def test_levels_begin_at_their_thresholds() -> None:
    at = Gate((), (), 0.0, Levels(low=0.5, high=0.5))
    assert at.level(Signals()) == "high"
    assert Gate((), (), 0.0, Levels(low=0.5, high=0.6)).level(Signals()) == "medium"
    assert Gate((), (), 0.0, Levels(low=0.51, high=0.6)).level(Signals()) == "low"


def test_another_threshold_keeps_the_levels_in_order() -> None:
    assert GATE.with_low(0.9).levels == Levels(0.9, 0.9)
    assert GATE.with_low(0.1).levels == Levels(0.1, 0.8)


def test_extreme_signals_stay_probabilities() -> None:
    assert 0.0 < GATE.probability(Signals(top_cosine=-1e9)) < 1e-20
    assert GATE.probability(Signals(top_cosine=1e9)) == pytest.approx(1.0)


@pytest.mark.parametrize("mode", get_args(Mode))
def test_shipped_gates_use_the_signals_of_their_branches(mode: Mode) -> None:
    gate = shipped_gate(mode)
    used = set(gate.names)
    assert used <= set(SIGNALS)
    assert 0 < gate.levels.low < gate.levels.high < 1
    assert mode == "hybrid" or not used & {"overlap", "same_top"}
    assert ("top_cosine" in used) == (mode != "lexical")
    assert ("idf_coverage" in used) == (mode != "dense")


@pytest.mark.parametrize("mode", get_args(Mode))
def test_shipped_gates_tell_a_full_match_from_nothing(mode: Mode) -> None:
    gate = shipped_gate(mode)
    match = Signals(1.2, 1.0, 0.5, 0.8, 0.85, 0.3, 0.6, 1.0)
    assert gate.level(match) == "high"
    assert gate.level(Signals(rarity=1.0)) == "low"

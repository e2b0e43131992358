"""A logistic model over the signals, and the levels it gives."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Self

from groundkit_core.contracts import Confidence, Mode
from groundkit_retrieval.confidence.signals import Signals


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where the levels begin.

    Attributes:
        low: below this probability confidence is low.
        high: from this probability on it is high.
    """

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Gate:
    """P(answered) = 1 / (1 + exp(-(bias + sum of weight * signal))).

    Attributes:
        names: the signals that are used, in order.
        weights: one each.
        bias: the constant.
        threshold: where the levels begin.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    bias: float
    threshold: Threshold

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the gate that JSON values describe."""
        return cls(
            tuple(value["names"]),
            tuple(float(weight) for weight in value["weights"]),
            float(value["bias"]),
            Threshold(float(value["low"]), float(value["high"])),
        )

    def probability(self, signals: Signals) -> float:
        """Return the probability that the query is answered by what was found."""
        values = signals.values(self.names)
        logit = self.bias + sum(w * v for w, v in zip(self.weights, values, strict=True))
        return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, logit))))

    def level(self, signals: Signals) -> Confidence:
        """Return the level of a query."""
        probability = self.probability(signals)
        if probability < self.threshold.low:
            return "low"
        return "high" if probability >= self.threshold.high else "medium"


@lru_cache(maxsize=3)
def shipped_gate(mode: Mode) -> Gate:
    """Return the gate that was fitted on public judged sets by `evals/fit_confidence.py`."""
    text = files("groundkit_retrieval.confidence").joinpath("coefficients.json").read_text("utf-8")
    return Gate.from_json(json.loads(text)[mode])

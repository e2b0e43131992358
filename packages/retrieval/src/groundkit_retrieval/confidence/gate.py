"""A logistic model over the signals, and the levels it gives."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, Self

from groundkit_core.contracts import Confidence, Mode
from groundkit_retrieval.confidence.signals import Signals

_STEEPEST = 60.0


@dataclass(frozen=True, slots=True)
class Levels:
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
        levels: where the levels begin.
    """

    names: tuple[str, ...]
    weights: tuple[float, ...]
    bias: float
    levels: Levels

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Return the gate that JSON values describe."""
        weights = value["weights"]
        return cls(
            tuple(weights),
            tuple(float(weight) for weight in weights.values()),
            float(value["bias"]),
            Levels(float(value["low"]), float(value["high"])),
        )

    def with_low(self, low: float) -> Gate:
        """Return the gate with another threshold, below which confidence is low."""
        return replace(self, levels=Levels(low, max(low, self.levels.high)))

    def probability(self, signals: Signals) -> float:
        """Return the probability that what was found answers the query."""
        values = signals.values(self.names)
        logit = self.bias + sum(w * v for w, v in zip(self.weights, values, strict=True))
        return 1.0 / (1.0 + math.exp(-max(-_STEEPEST, min(_STEEPEST, logit))))

    def level(self, signals: Signals) -> Confidence:
        """Return the level of a query."""
        probability = self.probability(signals)
        if probability < self.levels.low:
            return "low"
        return "high" if probability >= self.levels.high else "medium"


@lru_cache(maxsize=3)
def shipped_gate(mode: Mode) -> Gate:
    """Return the gate that `evals/public/fit.py` fitted on public judged sets."""
    text = files("groundkit_retrieval.confidence").joinpath("coefficients.json").read_text("utf-8")
    return Gate.from_json(json.loads(text)["modes"][mode])

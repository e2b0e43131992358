"""Fits the confidence gate on the train half of the public queries and writes it down.

python -m evals.public.fit --model DIR [--work DIR]
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evals.public.abstention import aurocs
from evals.public.indexing import index
from evals.public.logistic import Vector, fit
from evals.public.probes import Probe, probes
from evals.public.sets import NAMES, read_sets
from groundkit_core.contracts import Mode
from groundkit_retrieval import confidence
from groundkit_retrieval.query_embedding import QueryEmbedder

FEATURES: dict[Mode, tuple[str, ...]] = {
    "lexical": ("bm25_ratio", "idf_coverage", "bm25_gap", "rarity"),
    "dense": ("top_cosine", "cosine_gap"),
    "hybrid": confidence.SIGNALS,
}
# Off-topic queries that may pass as medium, and those of a missing paragraph that pass as high.
_TOPIC_RATE, _PARAGRAPH_RATE = 0.05, 0.1
# Whole topics are told apart whatever the weights; missing paragraphs are what must be learnt.
_EASY = 0.3
_COEFFICIENTS = Path(confidence.__file__).with_name("coefficients.json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True, help="folder of an onnx model")
    parser.add_argument("--work", type=Path, help="keep the indexes here and use them again")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sets = index(list(read_sets().values()), arguments.work or Path(scratch), arguments.model)
        asked = [p for p in probes(sets, QueryEmbedder()) if p.kind != "adversarial"]
    train = [probe for probe in asked if not probe.test]
    modes = {mode: _mode(mode, train) for mode in FEATURES}
    record = {
        "fitted_on": {
            "sets": list(NAMES),
            "embedder": arguments.model.name,
            "train": {kind: sum(p.kind == kind for p in train) for kind in _KINDS},
        },
        "modes": modes,
    }
    _COEFFICIENTS.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    confidence.shipped_gate.cache_clear()
    for mode in FEATURES:
        print(mode, aurocs([p for p in asked if p.test], mode))


_KINDS = ("answered", "topic", "paragraph")


def _mode(mode: Mode, train: Sequence[Probe]) -> dict[str, Any]:
    names = FEATURES[mode]
    features = np.array([probe.signals[mode].values(names) for probe in train])
    answered = np.array([float(probe.kind == "answered") for probe in train])
    weights, bias = fit(features, answered, _weights(train))
    p = 1 / (1 + np.exp(-(features @ weights + bias)))
    return {
        "weights": {name: round(float(w), 4) for name, w in zip(names, weights, strict=True)},
        "bias": round(bias, 4),
        "low": round(_passed_by(p, train, "topic", _TOPIC_RATE), 4),
        "high": round(_passed_by(p, train, "paragraph", _PARAGRAPH_RATE), 4),
    }


def _weights(train: Sequence[Probe]) -> Vector:
    """Let a group of queries count by the root of its size, the easier ones less."""
    groups = [(probe.collection, probe.kind, probe.held_out) for probe in train]
    sizes = Counter(groups)
    ease = {True: 1.0, False: _EASY}
    return np.array([ease[group[2]] / sizes[group] ** 0.5 for group in groups])


def _passed_by(p: Vector, train: Sequence[Probe], kind: str, rate: float) -> float:
    chosen = np.array([probe.kind == kind for probe in train])
    return float(np.quantile(p[chosen], 1 - rate))


if __name__ == "__main__":
    main()

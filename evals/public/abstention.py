"""How well the shipped gate tells answered queries from the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

import numpy as np

from evals.public.logistic import Vector, auroc
from evals.public.probes import Kind, Probe
from groundkit_core.contracts import Mode
from groundkit_retrieval.confidence import shipped_gate


def aurocs(probes: Sequence[Probe], mode: Mode) -> dict[str, float]:
    """Return kind -> AUROC against the answered queries, and the shares that pass as not low.

    Where documents were held out, answered queries are those of the same holding out.
    """
    gate = shipped_gate(mode)
    found = {}
    for kind in get_args(Kind)[1:]:
        negative = _probabilities(probes, mode, kind, held_out=kind == "paragraph")
        positive = _probabilities(probes, mode, "answered", held_out=kind == "paragraph")
        if len(negative) and len(positive):
            found[kind] = round(auroc(positive, negative), 4)
            found[f"{kind} passed"] = round(float((negative >= gate.levels.low).mean()), 4)
            found[f"{kind} high"] = round(float((negative >= gate.levels.high).mean()), 4)
    whole = _probabilities(probes, mode, "answered", held_out=False)
    found["answered passed"] = round(float((whole >= gate.levels.low).mean()), 4)
    found["answered high"] = round(float((whole >= gate.levels.high).mean()), 4)
    return found


def _probabilities(probes: Sequence[Probe], mode: Mode, kind: Kind, *, held_out: bool) -> Vector:
    gate = shipped_gate(mode)
    return np.array(
        [
            gate.probability(probe.signals[mode])
            for probe in probes
            if probe.kind == kind and probe.held_out == held_out
        ]
    )

"""Stages: the ways of searching that are measured beside each other."""

from importlib import import_module

from groundkit_eval.stages.baseline import BASELINE
from groundkit_eval.stages.registry import STAGES, Stage, stage, stages_of

__all__ = ["BASELINE", "STAGES", "Stage", "stage", "stages_of"]

for _name in ("baseline", "engine"):  # each registers its own; the report keeps this order
    import_module(f"{__name__}.{_name}")

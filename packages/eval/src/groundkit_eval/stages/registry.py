"""The stages by name, in the order they are reported."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from groundkit_eval.runs import Searcher
from groundkit_eval.targets.folder import Target

OpenStage = Callable[[Target], AbstractContextManager[Searcher]]
Applies = Callable[[Target], bool]


@dataclass(frozen=True, slots=True)
class Stage:
    """A way of searching.

    Attributes:
        summary: what it is, in one line.
        open: gives its searcher for as long as the context lasts.
        applies: whether it is measured on a target.
    """

    name: str
    summary: str
    open: OpenStage
    applies: Applies


STAGES: dict[str, Stage] = {}


def always(_target: Target) -> bool:
    """Apply whatever is searched."""
    return True


def stage(name: str, summary: str, applies: Applies = always) -> Callable[[OpenStage], OpenStage]:
    """Register a function that opens a stage on a target."""

    def register(function: OpenStage) -> OpenStage:
        if name in STAGES:
            raise ValueError(f"stage {name!r} is registered twice")
        STAGES[name] = Stage(name, summary, function, applies)
        return function

    return register


def stages_of(target: Target) -> list[Stage]:
    """Return the stages that are measured on a target, in the order of the report."""
    return [stage for stage in STAGES.values() if stage.applies(target)]

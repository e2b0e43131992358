"""The stages by name, in the order they are reported."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from groundkit_eval.runs import SearchFunction
from groundkit_eval.targets import Target

OpenStage = Callable[[Target], AbstractContextManager[SearchFunction]]


@dataclass(frozen=True, slots=True)
class Stage:
    """A way of searching.

    Attributes:
        summary: what it is, in one line.
        open: gives its search function for as long as the context lasts.
    """

    name: str
    summary: str
    open: OpenStage


STAGES: dict[str, Stage] = {}


def stage(name: str, summary: str) -> Callable[[OpenStage], OpenStage]:
    """Register a function that opens a stage on a target."""

    def register(function: OpenStage) -> OpenStage:
        if name in STAGES:
            raise ValueError(f"stage {name!r} is registered twice")
        STAGES[name] = Stage(name, summary, function)
        return function

    return register

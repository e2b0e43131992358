"""A system under evaluation: a stage of the engine, a server, or a run that was kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field

from groundkit_eval.runs import Searcher

Opened = Callable[[], AbstractContextManager[Searcher]]
Settings = dict[str, str | int | float]


@dataclass(frozen=True, slots=True)
class System:
    """Something that answers queries with a ranking.

    Attributes:
        name: its name in the report, unique in an evaluation.
        summary: what it is, in one line, without a path of this machine.
        open: gives its searcher for as long as the context lasts.
        settings: what sets it apart from the others.
        most: results it can be asked for at the most; None when what it says is given.
        inputs: what its answers hang on beside the settings, for runs that are resumed.
    """

    name: str
    summary: str
    open: Opened
    settings: Settings = field(default_factory=dict)
    most: int | None = None
    inputs: str = ""

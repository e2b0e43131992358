"""What an evaluation is asked to do, checked before anything is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from groundkit_core.contracts.search import MAX_LIMIT
from groundkit_core.errors import RequestError
from groundkit_eval.judgments.reading import JudgmentsChoice
from groundkit_eval.measures.selection import Selection, select
from groundkit_eval.setup import Setup
from groundkit_eval.targets.folder import IndexChoice

LEAST = 10
"""Measures at ten are in every result, so no fewer chunks are asked for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An evaluation: judged queries, and what answers them.

    Attributes:
        judgments: what is asked.
        corpus: a folder that is indexed; with `collection` or `targets`, where quotes are found.
        collection: index folder and name of a collection that exists.
        targets: files of targets, run files and results.
        limit: chunks asked for with each query.
        index: how a folder is indexed.
        setup: how a collection is embedded, ranked and looked at again.
        matrix: settings whose combinations are measured beside each other.
        selection: the measures.
        resume: the folder that keeps answers while the run goes on.
    """

    judgments: JudgmentsChoice
    corpus: Path | None = None
    collection: tuple[Path, str] | None = None
    targets: tuple[Path, ...] = ()
    limit: int = LEAST
    index: IndexChoice = field(default_factory=IndexChoice)
    setup: Setup = field(default_factory=Setup)
    matrix: tuple[str, ...] = ()
    selection: Selection = field(default_factory=select)
    resume: Path | None = None

    def __post_init__(self) -> None:
        """Refuse what does not fit together.

        Raises:
            RequestError: it does not.
        """
        if self.limit < LEAST:
            raise RequestError(f"--limit is at least {LEAST}, which measures at {LEAST} need")
        if self.limit > MAX_LIMIT and (self.collection or not self.targets):
            raise RequestError(f"--limit is at most {MAX_LIMIT} for a search of this engine")
        cutoff, name = self.selection.deepest
        if cutoff > self.limit and not self.targets:
            raise RequestError(f"{name} looks at more than the --limit of {self.limit} results")
        if self.collection and self.setup.embedder is not None:
            raise RequestError("a collection has its own embedder; leave --embedder out")
        if self.matrix and (self.collection or self.targets):
            raise RequestError("--matrix indexes a folder; leave --collection and --target out")

    @property
    def indexes(self) -> bool:
        """Whether documents are indexed for the evaluation."""
        return self.collection is None and not self.targets

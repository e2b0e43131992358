"""Rules that classify documents by their path."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_core.contracts.base import SourceClass


@dataclass(frozen=True, slots=True)
class Rule:
    """Gives documents whose path matches a class, a project or labels.

    For class and project the first rule that matches and gives one decides; labels of all
    rules that match add up.

    Attributes:
        paths: patterns of paths below the root (see `globs`); one that matches is enough.
        source_class: the class that it gives; None gives none.
        project: the project that it gives; None gives none.
        labels: labels that it adds.
        collections: collections that it is for; None is for all.
        roots: names of the roots that it is for; None is for all.
        name: what explanations call it.
    """

    paths: tuple[str, ...]
    source_class: SourceClass | None = None
    project: str | None = None
    labels: frozenset[str] = frozenset()
    collections: frozenset[str] | None = None
    roots: frozenset[str] | None = None
    name: str = ""

    def described(self, number: int) -> str:
        """Return the rule in words; `number` is its place in the policy, from 1."""
        name = f" {self.name!r}" if self.name else ""
        more = f" and {len(self.paths) - 1} more" if len(self.paths) > 1 else ""
        return f"rule {number}{name} ({self.paths[0]}{more})"


@dataclass(frozen=True, slots=True)
class Classified:
    """What a document is, for access.

    Attributes:
        source_class: its source class.
        project: its project.
        labels: the labels that a reader must hold, all of them.
        why: one line for the class, one for the project, one for each label in sorted order,
            and then what was ignored.
    """

    source_class: SourceClass
    project: str
    labels: frozenset[str]
    why: tuple[str, ...]

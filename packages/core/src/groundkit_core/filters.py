"""Which documents a search may draw from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from groundkit_core.contracts.base import SOURCE_CLASSES, SourceClass


class DocumentSet:
    """Some of a collection's documents; equal only to itself, so that it can key a cache.

    Args:
        keys: row keys of the documents.
        others: row keys of the documents that are not among them.
    """

    __slots__ = ("__weakref__", "keys", "others")

    def __init__(self, keys: frozenset[int], others: frozenset[int]) -> None:
        self.keys = keys
        self.others = others


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """A condition on documents, applied below ranking in every branch.

    Attributes:
        classes: the source classes that are searched.
        project: the only project that is searched; None searches all.
        projects: the projects that may be searched; None allows all.
        among: the only documents that are searched, whatever their class and project.
    """

    classes: frozenset[SourceClass] = frozenset(SOURCE_CLASSES)
    project: str | None = None
    projects: frozenset[str] | None = None
    among: DocumentSet | None = None

    def allows(self, doc_key: int, source_class: SourceClass, project: str) -> bool:
        """Return whether a document meets the condition."""
        if self.among is not None:
            return doc_key in self.among.keys
        return source_class in self.classes and self._holds(project)

    @property
    def only(self) -> frozenset[str] | None:
        """The projects that are searched; None for all."""
        if self.project is None:
            return self.projects
        allowed = self.projects is None or self.project in self.projects
        return frozenset({self.project}) if allowed else frozenset()

    def _holds(self, project: str) -> bool:
        only = self.only
        return only is None or project in only

    @classmethod
    def of(
        cls, source_class: SourceClass | Literal["all"], project: str | None = None
    ) -> DocumentFilter:
        """Return the filter of a request; `all` leaves out `config`, which must be named."""
        if source_class == "all":
            return cls(frozenset(SOURCE_CLASSES) - {"config"}, project)
        return cls(frozenset({source_class}), project)

"""Which documents a search may draw from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from groundkit_core.contracts.base import SOURCE_CLASSES, SourceClass


@dataclass(frozen=True, slots=True)
class DocumentFilter:
    """A condition on documents, applied below ranking in every branch.

    Attributes:
        classes: the source classes that are searched.
        project: the only project that is searched; None searches all.
    """

    classes: frozenset[SourceClass] = frozenset(SOURCE_CLASSES)
    project: str | None = None

    def allows(self, source_class: SourceClass, project: str) -> bool:
        """Return whether a document meets the condition."""
        return source_class in self.classes and self.project in (None, project)

    @classmethod
    def of(
        cls, source_class: SourceClass | Literal["all"], project: str | None = None
    ) -> DocumentFilter:
        """Return the filter of a request; `all` leaves out `config`, which must be named."""
        if source_class == "all":
            return cls(frozenset(SOURCE_CLASSES) - {"config"}, project)
        return cls(frozenset({source_class}), project)

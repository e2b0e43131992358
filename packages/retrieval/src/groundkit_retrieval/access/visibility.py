"""Which documents of a collection a profile reads, and what they count as."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Self

from groundkit_core.contracts import SourceClass
from groundkit_core.filters import DocumentFilter, DocumentSet
from groundkit_index.snapshot import Snapshot

if TYPE_CHECKING:
    from groundkit_core.access import Classified, Policy, Profile
    from groundkit_core.access.profiles import Asked

_KEPT = 32


@dataclass(frozen=True, slots=True)
class Visibility:
    """What one profile reads of one state of a collection; safe to share between threads.

    Attributes:
        profile: whose it is.
        documents: document key -> what it counts as, of those that may be read; None where
            the class and project that a document was indexed with decide.
        others: keys of the documents that may not be read.
        everything: the condition on all documents that may be read, whatever is asked.
    """

    profile: Profile
    documents: Mapping[int, Classified] | None
    others: frozenset[int]
    everything: DocumentFilter
    _sets: dict[tuple[Asked, str | None], DocumentSet] = field(default_factory=dict)

    def searched(self, asked: Asked, project: str | None) -> DocumentFilter:
        """Return the condition on documents for what is asked."""
        classes = frozenset(self.profile.searched(asked))
        if self.documents is None:
            return DocumentFilter(classes, project, self.profile.projects)
        key = (asked, project)
        found = self._sets.get(key)
        if found is None:
            found = self._sets.setdefault(key, self._among(classes, project))
            if len(self._sets) > _KEPT:
                self._sets.clear()
        return DocumentFilter(among=found)

    @classmethod
    def by_labels(cls, profile: Profile) -> Self:
        """Return what a profile reads where documents are what they were indexed as."""
        everything = DocumentFilter(profile.classes, None, profile.projects)
        return cls(profile, None, frozenset(), everything)

    @classmethod
    def by_documents(
        cls, profile: Profile, documents: Mapping[int, Classified], others: frozenset[int]
    ) -> Self:
        """Return what a profile reads where each document was looked at."""
        everything = DocumentFilter(among=DocumentSet(frozenset(documents), others))
        return cls(profile, documents, others, everything)

    def _among(self, classes: frozenset[SourceClass], project: str | None) -> DocumentSet:
        documents = self.documents or {}
        keys = frozenset(
            key
            for key, document in documents.items()
            if document.source_class in classes and project in (None, document.project)
        )
        return DocumentSet(keys, self.others | (frozenset(documents) - keys))


class Visibilities:
    """The visibilities of a collection, kept while policy and documents stay; thread-safe.

    Args:
        collection: the collection's name.
    """

    def __init__(self, collection: str) -> None:
        self._collection = collection
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[object, ...], Visibility] = OrderedDict()

    def of(self, snapshot: Snapshot, policy: Policy, profile: Profile) -> Visibility:
        """Return what a profile reads of a state."""
        state = (snapshot.version, snapshot.generation, policy.fingerprint, profile)
        with self._lock:
            found = self._kept.get(state)
            if found is None:
                found = self._kept[state] = self._look(snapshot, policy, profile)
                if len(self._kept) > _KEPT:
                    self._kept.popitem(last=False)
            else:
                self._kept.move_to_end(state)
            return found

    def _look(self, snapshot: Snapshot, policy: Policy, profile: Profile) -> Visibility:
        if policy.closed or not profile.reads_collection(self._collection):
            return Visibility.by_documents(replace(profile, classes=frozenset()), {}, frozenset())
        if not policy.rules and not snapshot.declares_access():
            return Visibility.by_labels(profile)
        read: dict[int, Classified] = {}
        others = []
        for document in snapshot.labelled_documents():
            classified = policy.classify(
                document.source,
                document.source_class,
                document.project,
                document.declared.labels,
                collection=self._collection,
                root=document.root,
                declared_class=document.declared.source_class,
            )
            if profile.reads(
                classified.source_class, classified.project, classified.labels, self._collection
            ):
                read[document.doc_key] = classified
            else:
                others.append(document.doc_key)
        return Visibility.by_documents(profile, read, frozenset(others))

"""The closed sets of words that leave the service in counts, spans and logs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import get_args

from groundkit_core.contracts import AbsenceReason
from groundkit_core.errors import GroundkitError
from groundkit_mcp import errors
from groundkit_mcp.failures import RULES
from groundkit_mcp.records import RequestRecord

OTHER = "other"
"""Stands for every word that is not ours."""

REFUSALS = frozenset(
    error.kind
    for error in (
        errors.AuthenticationError,
        errors.ScopeError,
        errors.UnknownHostError,
        errors.ForeignOriginError,
        errors.BodyTooLargeError,
        errors.SlowBodyError,
        errors.OverloadedError,
    )
)
"""Kinds of errors by which the service turns a request away before it looks at it."""

OUTCOMES = frozenset({"ok", *get_args(AbsenceReason)})
"""What a search can come to."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Folds what a record says into words that the deployment owns.

    Args:
        operations: the names of the operations that are offered.
    """

    operations: frozenset[str]
    _statuses: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, operations: Iterable[str]) -> Vocabulary:
        """Return the one of a deployment."""
        return cls(frozenset(operations))

    def operation(self, record: RequestRecord) -> str:
        """Return the name of the operation, or `other`."""
        return record.operation if record.operation in self.operations else OTHER

    def outcome(self, record: RequestRecord) -> str:
        """Return `ok`, or the kind of the error that the request ended in."""
        if record.kind is None:
            return "ok" if (record.status or 200) < 400 else OTHER
        return record.kind if self._status(record.kind) else OTHER

    def failed(self, record: RequestRecord) -> bool:
        """Return whether the fault is the service's, not the caller's."""
        status = record.status or 200
        return status >= 500 or self._status(record.kind or "") >= 500

    def _status(self, kind: str) -> int:
        if kind not in self._statuses:
            # Classes of errors come with modules that are imported when they are needed.
            self._statuses.update(_statuses())
        return self._statuses.get(kind, 0)


def _statuses() -> Iterator[tuple[str, int]]:
    classes = [GroundkitError]
    while classes:
        found = classes.pop()
        classes += found.__subclasses__()
        rule = next(RULES[parent] for parent in found.__mro__ if parent in RULES)
        yield found.kind, rule.status

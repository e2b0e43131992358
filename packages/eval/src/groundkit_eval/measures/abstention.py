"""How well a stage knows that the corpus holds no answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Abstention:
    """Shares of queries that were answered with `NO_RELEVANT_CONTEXT`.

    Attributes:
        unanswerable: share of the unanswerable queries, best 1; None when there are none.
        answerable: share of the answerable queries, best 0; None when there are none.
    """

    unanswerable: float | None
    answerable: float | None


def abstention(outcomes: Iterable[tuple[bool, bool]]) -> Abstention:
    """Return the shares from pairs of whether a query is answerable and was abstained from."""
    by_kind: dict[bool, list[bool]] = {True: [], False: []}
    for answerable, abstained in outcomes:
        by_kind[answerable].append(abstained)
    return Abstention(unanswerable=_share(by_kind[False]), answerable=_share(by_kind[True]))


def _share(values: list[bool]) -> float | None:
    return round(sum(values) / len(values), 6) if values else None

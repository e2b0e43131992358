"""What the confidence gate of a collection says of a query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from groundkit_core.contracts import Mode, SearchResponse
from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.model import SearchedClass

if TYPE_CHECKING:
    from groundkit_retrieval import Collection


def probability(
    collection: Collection, query: str, mode: Mode, source_class: SearchedClass = "all"
) -> float:
    """Return the probability that the gate gives a query in a mode.

    Raises:
        EvaluationError: a branch failed, so that the probability is not that of the mode.
    """
    found = collection.assess(query, mode=mode, source_class=source_class)
    refuse_failed(found.failed, mode)
    return found.probability


def refuse_degraded(response: SearchResponse) -> None:
    """Refuse a response in which a branch or the reranker failed.

    Raises:
        EvaluationError: one did; the message holds its reason.
    """
    refuse_failed(response.coverage.failed, response.mode)


def refuse_failed(failed: Mapping[str, str], mode: Mode) -> None:
    """Refuse a search in which something failed.

    Raises:
        EvaluationError: something did; the message holds its reason.
    """
    for branch, reason in failed.items():
        raise EvaluationError(
            f"{branch} failed in a {mode} search, so nothing is measured: {reason}"
        )

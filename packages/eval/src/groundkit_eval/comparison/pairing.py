"""Pairs the queries of two results by their ids."""

from __future__ import annotations

from dataclasses import dataclass

from groundkit_eval.errors import ResultError
from groundkit_eval.results import EvaluationResult, QueryResult

INDEPENDENT = "baseline"
"""The stage that is not of the engine; a change of it is nothing that a change of ours did."""


def compared_stages(result: EvaluationResult) -> list[str]:
    """Return the stages that are compared unless others are named."""
    names = [stage.name for stage in result.stages]
    return [name for name in names if name != INDEPENDENT] or names


@dataclass(frozen=True, slots=True)
class Pair:
    """A query as both results hold it."""

    before: QueryResult
    after: QueryResult


@dataclass(frozen=True, slots=True)
class Paired:
    """The queries of two results.

    Attributes:
        pairs: in the order of their ids.
        left_out: how many could not be paired.
        notes: in what the inputs of the results differ.
    """

    pairs: tuple[Pair, ...]
    left_out: int
    notes: tuple[str, ...]


def pair(
    before: EvaluationResult, after: EvaluationResult, *, allow_different_judgments: bool = False
) -> Paired:
    """Pair the queries that have the same id and the same words.

    Raises:
        ResultError: the judgments differ and that was not allowed, or no query is in both.
    """
    same = before.judgments.sha256 == after.judgments.sha256
    if not same and not allow_different_judgments:
        raise ResultError(
            "the two results were judged by different judgments; judge both by the same file, "
            "or compare the queries they share with --allow-different-judgments"
        )
    known = {query.id: query for query in before.queries}
    pairs = [
        Pair(known[query.id], query)
        for query in sorted(after.queries, key=lambda query: query.id)
        if query.id in known and known[query.id].query == query.query
    ]
    if not pairs:
        raise ResultError("the two results have no query in common; nothing can be compared")
    left_out = len(before.queries) + len(after.queries) - 2 * len(pairs)
    return Paired(tuple(pairs), left_out, tuple(_notes(before, after, left_out, same=same)))


def _notes(
    before: EvaluationResult, after: EvaluationResult, left_out: int, *, same: bool
) -> list[str]:
    notes = []
    if not same:
        notes.append(f"The judgments differ; {left_out} queries that are not in both do not count.")
    if before.corpus.sha256 != after.corpus.sha256:
        notes.append(
            f"The corpora differ: {_size(before)} before, {_size(after)} after; "
            "a difference may come from the documents."
        )
    if before.settings.limit != after.settings.limit:
        notes.append(
            f"The limits differ: {before.settings.limit} chunks before, "
            f"{after.settings.limit} after."
        )
    return notes


def _size(result: EvaluationResult) -> str:
    return f"{result.corpus.documents} documents in {result.corpus.chunks} chunks"

"""Scores the answers of a stage against the judgments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from groundkit_eval.judgments.model import JudgedQuery, Unit
from groundkit_eval.measures.abstention import Abstention, Outcome, abstention
from groundkit_eval.measures.citations import CitationShares, citation_shares
from groundkit_eval.measures.coverage import by_document, newly_covered
from groundkit_eval.measures.matching import RULES, Rule, rule_of
from groundkit_eval.measures.ranking import Ranking, mean, measure
from groundkit_eval.measures.selection import Selection, select
from groundkit_eval.measures.spans import measure_spans
from groundkit_eval.runs import RankedChunk, StageRun

Chunks = tuple[RankedChunk, ...]


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A run with its measures.

    Attributes:
        ranked: for each query what was ranked: its chunks, or the first of each document.
        covered: for each query and each of these, the gold passages it newly covers.
        by_query: query id -> measure -> value, of the answerable queries.
        overall: the means over the answerable queries.
        by_category: the means by category, in the order of their names.
        matched: by which rule how many hits were held against the gold.
        citations: what became of the citations; None where the target says nothing of them.
    """

    run: StageRun
    ranked: tuple[Chunks, ...]
    covered: tuple[tuple[tuple[int, ...], ...], ...]
    by_query: dict[str, dict[str, float]]
    overall: dict[str, float | None]
    by_category: dict[str, dict[str, float | None]]
    abstention: Abstention
    matched: dict[Rule, int]
    citations: CitationShares | None


def score(
    run: StageRun,
    queries: Sequence[JudgedQuery],
    unit: Unit = "passage",
    selection: Selection | None = None,
) -> ScoredRun:
    """Score the answers of one stage.

    Args:
        run: the answers.
        queries: those that were answered, in the same order.
        unit: what gold is and ranks count.
        selection: the measures [those that every result holds].
    """
    chosen = selection or select()
    ranked = tuple(
        by_document(answer.chunks) if unit == "document" else answer.chunks
        for answer in run.answers
    )
    asked = list(zip(queries, ranked, strict=True))
    covered = tuple(newly_covered(chunks, query.gold) for query, chunks in asked)
    by_query = _by_query(asked, covered, chosen)
    names = _present(chosen, by_query)
    return ScoredRun(
        run=run,
        ranked=ranked,
        covered=covered,
        by_query=by_query,
        overall=mean(list(by_query.values()), names),
        by_category=_by_category(queries, by_query, names),
        abstention=abstention(_outcomes(run, queries)),
        matched=_matched(ranked, unit),
        citations=citation_shares(ranked),
    )


def _by_query(
    asked: Sequence[tuple[JudgedQuery, Chunks]],
    covered: Sequence[tuple[tuple[int, ...], ...]],
    chosen: Selection,
) -> dict[str, dict[str, float]]:
    rankings = {
        query.id: Ranking(
            tuple(gold.grade for gold in query.gold),
            tuple((chunk.chunk_id, new) for chunk, new in zip(chunks, found, strict=True)),
        )
        for (query, chunks), found in zip(asked, covered, strict=True)
        if query.answerable
    }
    values = measure(rankings, chosen.ranked)
    for query, chunks in asked if chosen.spans else ():
        if query.answerable:
            values[query.id].update(measure_spans(chunks, query.gold, chosen.spans) or {})
    return values


def _present(chosen: Selection, by_query: dict[str, dict[str, float]]) -> tuple[str, ...]:
    """Return the measures that every query has: a target without spans has none of spans."""
    return tuple(key for key in chosen.keys if all(key in values for values in by_query.values()))


def _by_category(
    queries: Sequence[JudgedQuery], by_query: dict[str, dict[str, float]], names: Sequence[str]
) -> dict[str, dict[str, float | None]]:
    values: dict[str, list[dict[str, float]]] = {query.category: [] for query in queries}
    for query in queries:
        if query.answerable:
            values[query.category].append(by_query[query.id])
    return {category: mean(found, names) for category, found in sorted(values.items())}


def _matched(ranked: Sequence[Chunks], unit: Unit) -> dict[Rule, int]:
    if unit == "document":
        return {"source": sum(map(len, ranked))}
    found = Counter(rule_of(chunk.place) for chunks in ranked for chunk in chunks)
    return {rule: found[rule] for rule in RULES if found[rule]}


def _outcomes(run: StageRun, queries: Sequence[JudgedQuery]) -> list[Outcome]:
    rows = zip(queries, run.answers, run.probabilities, strict=True)
    return [Outcome(query.answerable, answer.abstained, found) for query, answer, found in rows]

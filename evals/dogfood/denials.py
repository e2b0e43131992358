"""Asks for code and configuration as profiles that may and that may not read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from groundkit_core.access import PolicySource
from groundkit_core.contracts import SearchResponse, SourceClass
from groundkit_core.errors import ChunkNotFoundError
from groundkit_core.kinds import kind_of
from groundkit_eval.judgments.model import Judgment, SearchedClass
from groundkit_index.sources import classify
from groundkit_retrieval import Collection
from groundkit_retrieval.access import Reader

_DOCS: frozenset[SourceClass] = frozenset({"docs", "decisions"})
_ALL: frozenset[SourceClass] = _DOCS | {"code", "memory"}


@dataclass(frozen=True, slots=True)
class Expectation:
    """What a profile must get for a question of a class.

    Attributes:
        profile: who asks.
        asked: the class that the search names.
        may: classes that passages may have; none is a denial.
        found: whether a passage must be found.
    """

    profile: str
    asked: SearchedClass
    may: frozenset[SourceClass] = frozenset()
    found: bool = False


EXPECTED: dict[SourceClass, tuple[Expectation, ...]] = {
    "code": (
        Expectation("restricted", "all", _DOCS),
        Expectation("restricted", "code"),
        Expectation("engineer", "all", _DOCS | {"code"}),
        Expectation("engineer", "code", frozenset({"code"}), found=True),
    ),
    "config": (
        Expectation("restricted", "config"),
        Expectation("engineer", "config"),
        Expectation("auditor", "all", _ALL),
        Expectation("auditor", "config", frozenset({"config"}), found=True),
    ),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a profile got.

    Attributes:
        question: what was asked.
        profile: who asked.
        asked: the class that was named, or `by id`.
        got: in words.
        kept: whether it is what it must be.
    """

    question: str
    profile: str
    asked: str
    got: str
    kept: bool


def outcomes(collection: Collection, judgments: Iterable[Judgment]) -> Iterator[Outcome]:
    """Yield what each profile gets for the questions that code or configuration answers."""
    for judgment in judgments:
        answer = answered_by(judgment)
        for expected in EXPECTED.get(answer, ()) if answer else ():
            response = _as(collection, expected.profile).search(
                judgment.query, limit=10, source_class=expected.asked, mode="lexical"
            )
            yield _judged(judgment.query, expected, response)
            if answer == "code" and expected.found and response.results:
                yield _by_id(collection, judgment.query, response.results[0].chunk_id)


def answered_by(judgment: Judgment) -> SourceClass | None:
    """Return the class of the documents that answer a question, when it is one and the same."""
    sources = {quote.source for gold in judgment.gold for quote in gold.quotes}
    classes = {classify(source, kind) for source in sources if (kind := kind_of(source))}
    return classes.pop() if len(classes) == 1 else None


def _as(collection: Collection, profile: str) -> Collection:
    return collection.as_seen_by(Reader(PolicySource(), profile=profile))


def _judged(question: str, expected: Expectation, response: SearchResponse) -> Outcome:
    classes = [hit.citation.source_class for hit in response.results]
    if response.reason:
        got = f"{response.status} ({response.reason})"
    else:
        got = f"{len(classes)} passages: {', '.join(sorted(set(classes)))}"
    if expected.may:
        kept = expected.may.issuperset(classes) and (bool(classes) or not expected.found)
    else:
        kept = response.reason == "acl_denied" and not classes
    return Outcome(question, expected.profile, expected.asked, got, kept)


def _by_id(collection: Collection, question: str, chunk_id: str) -> Outcome:
    """Ask for a passage that the engineer has found, by its id, as a profile that may not."""
    try:
        _as(collection, "restricted").fetch(chunk_id)
    except ChunkNotFoundError:
        return Outcome(question, "restricted", "by id", "no such passage", kept=True)
    return Outcome(question, "restricted", "by id", "the passage", kept=False)

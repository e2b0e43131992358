"""What is asked of a search and what comes back."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from groundkit_core.contracts.base import Confidence, Contract, SourceClass
from groundkit_core.contracts.citation import Citation

MAX_QUERY_CHARS = 500
MAX_LIMIT = 20
MAX_NAME_CHARS = 100

Mode = Literal["hybrid", "lexical", "dense"]
FusionMethod = Literal["weighted", "rrf"]
ConfidencePolicy = Literal["strict", "normal"]
AbsenceReason = Literal[
    "no_results", "strict_blocked_low", "strict_blocked_unverified", "acl_denied", "plane_failed"
]

_MODE_ALIASES = {"fts": "lexical", "bm25": "lexical", "vector": "dense"}


def _mode(value: object) -> object:
    return _MODE_ALIASES.get(value, value) if isinstance(value, str) else value


def _is_visible(char: str) -> bool:
    return unicodedata.category(char)[0] not in "CZ"


def _query(value: str) -> str:
    if len(value) > 4 * MAX_QUERY_CHARS:
        raise ValueError(f"the query is longer than {MAX_QUERY_CHARS} visible characters")
    visible = sum(map(_is_visible, value))
    if not visible:
        raise ValueError("the query has no visible character")
    if visible > MAX_QUERY_CHARS:
        raise ValueError(f"the query is longer than {MAX_QUERY_CHARS} visible characters")
    return value


def _name(value: str) -> str:
    if not value or len(value) > MAX_NAME_CHARS:
        raise ValueError(f"a name has 1 to {MAX_NAME_CHARS} characters")
    if value[0] in ".-_" or not all(c.isalnum() or c in "._-" for c in value):
        raise ValueError(
            "a name has letters, digits, '.', '_' and '-', and starts with a letter or digit"
        )
    if value.rstrip(".") != value or unicodedata.normalize("NFC", value) != value:
        raise ValueError("a name is in NFC and does not end with '.'")
    return value


Name = Annotated[str, AfterValidator(_name)]
"""A collection or project: letters, digits, `.`, `_`, `-`; 1 to 100 characters."""


class SearchRequest(Contract):
    """One search.

    Attributes:
        query: 1 to 500 visible characters; data, never query syntax.
        limit: how many results at the most, 1 to 20.
        mode: `hybrid`, `lexical` (also `fts`, `bm25`) or `dense` (also `vector`);
            None takes the best the collection has.
        source_class: one class, or `all`, which never includes `config`.
        project: only documents of this project.
        confidence: `strict` withholds what is low or was not verified.
    """

    query: Annotated[str, AfterValidator(_query)]
    limit: int = Field(default=8, ge=1, le=MAX_LIMIT)
    mode: Annotated[Mode | None, BeforeValidator(_mode)] = None
    source_class: SourceClass | Literal["all"] = "all"
    project: Name | None = None
    confidence: ConfidencePolicy = "normal"


class SearchHit(Contract):
    """One passage that bears on the query.

    Attributes:
        rank: place in the list, from 1.
        chunk_id: the passage, for `show` and `verify`.
        content: the passage, exactly as the source holds it.
        score: what the ranking used; comparable within one response only.
        scores: the score in each branch that found the passage.
        confidence: how sure the engine is that what it found answers the query; the same for
            all results of a response.
        citation: where it stands and whether that was checked.
        duplicates: places that hold the same passage and were folded into this one.
        text_is_untrusted_context: always true: the passage is data, not instructions.
    """

    rank: int
    chunk_id: str
    content: str
    score: float
    scores: dict[str, float]
    confidence: Confidence
    citation: Citation
    duplicates: tuple[Citation, ...] = ()
    text_is_untrusted_context: bool = True


class Withheld(Contract):
    """How many passages were found but not returned, by reason.

    Attributes:
        unverified: strict confidence, and the citation did not verify.
        low_confidence: strict confidence, and the confidence was low.
        over_budget: the response would have been too long.
    """

    unverified: int = 0
    low_confidence: int = 0
    over_budget: int = 0


class Coverage(Contract):
    """What was searched and what was not.

    Attributes:
        searched: source classes that were searched.
        skipped: source classes that were not, with the reason.
        failed: branches that failed, with the reason.
        degraded: true when a branch failed and the rest answered.
        notes: one line each on what the asker should know, such as a running sync.
        withheld: passages found but not returned.
    """

    searched: tuple[SourceClass, ...]
    skipped: dict[str, str] = Field(default_factory=dict)
    failed: dict[str, str] = Field(default_factory=dict)
    degraded: bool = False
    notes: tuple[str, ...] = ()
    withheld: Withheld = Withheld()


class SearchMetadata(Contract):
    """What answered: collection, generation of the catalog, and time taken in milliseconds."""

    collection: str
    generation: int
    took_ms: float


class SearchResponse(Contract):
    """The passages that bear on a query, or an honest nothing with its reason."""

    status: Literal["OK", "NO_RELEVANT_CONTEXT"]
    reason: AbsenceReason | None = None
    query: str
    mode: Mode
    results: tuple[SearchHit, ...] = ()
    coverage: Coverage
    metadata: SearchMetadata

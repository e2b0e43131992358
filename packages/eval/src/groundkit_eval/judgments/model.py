"""A judged query as it is written, and as it is anchored in a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, ValidationError, model_validator

from groundkit_core.contracts import Contract, SearchRequest, SourceClass

SearchedClass = SourceClass | Literal["all"]
MAX_GRADE = 3


def _searchable(query: str) -> str:
    try:
        SearchRequest(query=query)
    except ValidationError as error:
        raise ValueError(str(error.errors()[0]["ctx"]["error"])) from None
    return query


def _visible(text: str) -> str:
    if not text.strip():
        raise ValueError("has no visible character")
    return text


def _printable(text: str) -> str:
    if not _visible(text).isprintable():
        raise ValueError("has characters that cannot be printed")
    return text


class Quote(Contract):
    """A passage that answers a query.

    Attributes:
        source: path of the document below the corpus folder, in POSIX form.
        quote: text that stands in the decoded source exactly once.
    """

    source: Annotated[str, Field(min_length=1, max_length=4096)]
    quote: Annotated[str, AfterValidator(_visible)]


class GoldQuote(Contract):
    """A passage that answers a query, or several of which any one does.

    Attributes:
        source: as in `Quote`, when there is one passage.
        quote: likewise.
        any_of: two or more passages that say the same; the first that is found counts, once.
        grade: how well it answers, 1 to 3; 0 is judged and does not answer.
    """

    source: Annotated[str, Field(min_length=1, max_length=4096)] | None = None
    quote: Annotated[str, AfterValidator(_visible)] | None = None
    any_of: Annotated[tuple[Quote, ...], Field(min_length=2)] | None = None
    grade: Annotated[int, Field(ge=0, le=MAX_GRADE)] = 1

    @model_validator(mode="after")
    def _one_or_several(self) -> Self:
        single = self.source is not None and self.quote is not None
        either = self.source is not None or self.quote is not None
        if single == (self.any_of is not None) or (either and not single):
            raise ValueError("has source and quote, or any_of with two or more of these")
        return self

    @property
    def quotes(self) -> tuple[Quote, ...]:
        """The passages, any one of which answers."""
        if self.any_of is not None:
            return self.any_of
        return (Quote(source=self.source or "", quote=self.quote or ""),)


class Judgment(Contract):
    """One line of a judgments file.

    Attributes:
        id: unique in the file, without white space.
        query: what a person would ask, within the limits of a search.
        category: what the query tests; results are reported by it.
        gold: every passage that answers; empty when the corpus holds no answer.
        source_class: the class that is searched; `all` leaves out `config`.
        accepted: false in a draft that nobody has looked at yet; such a line is refused.
    """

    id: Annotated[str, Field(pattern=r"^\S{1,100}$"), AfterValidator(_printable)]
    query: Annotated[str, AfterValidator(_searchable)]
    category: Annotated[str, Field(max_length=100), AfterValidator(_printable)]
    gold: tuple[GoldQuote, ...]
    source_class: SearchedClass = "all"
    accepted: bool = True

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return any(gold.grade for gold in self.gold)


@dataclass(frozen=True, slots=True)
class Place:
    """A span of code points in the decoded text of a source.

    Attributes:
        start: first code point.
        end: one past the last; an empty span is the whole source, or one that nobody told.
        text: what stands there, where it is known.
    """

    source: str
    start: int = 0
    end: int = 0
    text: str = field(default="", compare=False, repr=False)

    @property
    def spans(self) -> bool:
        """Whether the span is known."""
        return self.end > self.start


@dataclass(frozen=True, slots=True)
class Gold(Place):
    """A passage that answers a query, or a whole document that does.

    Attributes:
        grade: how well, from 1; 0 is judged and does not answer.
        alternatives: other places that answer as well; one of them all suffices.
    """

    grade: int = 1
    alternatives: tuple[Place, ...] = ()

    @property
    def places(self) -> tuple[Place, ...]:
        """The places, any one of which suffices."""
        return (self, *self.alternatives)


@dataclass(frozen=True, slots=True)
class JudgedQuery:
    """A query with the places that answer it.

    Attributes:
        line: where it stands in the judgments file, from 1.
    """

    id: str
    text: str
    category: str
    source_class: SearchedClass
    gold: tuple[Gold, ...]
    line: int

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return any(gold.grade for gold in self.gold)


Unit = Literal["passage", "document"]


@dataclass(frozen=True, slots=True)
class JudgedSet:
    """Judged queries, ready to be asked.

    Attributes:
        name: name of the file or folder that they come from.
        sha256: digest of what was read.
        unit: what gold is and ranks count: passages, or whole documents.
    """

    name: str
    sha256: str
    unit: Unit
    queries: tuple[JudgedQuery, ...]

"""A judged query as it is written, and as it is anchored in a corpus."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationError

from groundkit_core.contracts import Contract, SearchRequest, SourceClass

SearchedClass = SourceClass | Literal["all"]


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


class Judgment(Contract):
    """One line of a judgments file.

    Attributes:
        id: unique in the file, without white space.
        query: what a person would ask, within the limits of a search.
        category: what the query tests; results are reported by it.
        gold: every passage that answers; empty when the corpus holds no answer.
        source_class: the class that is searched; `all` leaves out `config`.
    """

    id: Annotated[str, Field(pattern=r"^\S{1,100}$"), AfterValidator(_printable)]
    query: Annotated[str, AfterValidator(_searchable)]
    category: Annotated[str, Field(max_length=100), AfterValidator(_printable)]
    gold: tuple[Quote, ...]
    source_class: SearchedClass = "all"


@dataclass(frozen=True, slots=True)
class Place:
    """A span of code points in the decoded text of a source."""

    source: str
    start: int
    end: int


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
    gold: tuple[Place, ...]
    line: int

    @property
    def answerable(self) -> bool:
        """Whether the corpus holds an answer."""
        return bool(self.gold)

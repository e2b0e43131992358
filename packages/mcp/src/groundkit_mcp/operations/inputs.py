"""What the operations take."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from groundkit_core.contracts import Contract, Name, SearchRequest, SourceClass
from groundkit_core.contracts.search import MAX_LIMIT, MAX_NAME_CHARS, MAX_QUERY_CHARS
from groundkit_mcp.cursors import MAX_CURSOR_CHARS
from groundkit_mcp.operations.schemas import describe

MAX_CONTEXT_LINES = 50
MAX_PAGE = 100
MAX_OFFSET = 10**9
_RAW_QUERY_CHARS = 4 * MAX_QUERY_CHARS

_NAME = {"minLength": 1, "maxLength": MAX_NAME_CHARS}

CollectionName = Annotated[
    Name | None,
    Field(
        description="Collection to ask; omit for the server's default. list_collections names them."
    ),
]
Page = Annotated[int, Field(ge=1, le=MAX_PAGE, description=f"Entries per page, 1-{MAX_PAGE}.")]
Offset = Annotated[
    int,
    Field(ge=0, le=MAX_OFFSET, description="Where the page starts: `next_offset` of the last one."),
]


class SearchInput(SearchRequest):
    """One search in one collection."""

    model_config = ConfigDict(
        json_schema_extra=describe(
            query={
                "description": (
                    f"What to look for, 1-{MAX_QUERY_CHARS} visible characters: a question in "
                    "natural language, an identifier, an error message, a version number. "
                    "Plain text; there is no query syntax."
                ),
                "minLength": 1,
                "maxLength": _RAW_QUERY_CHARS,
            },
            limit={"description": f"Most passages to return, an integer 1-{MAX_LIMIT}."},
            mode={
                "description": (
                    "`lexical` matches words and identifiers, `dense` matches meaning, `hybrid` "
                    "fuses both; the last two need a collection with vectors. Omit for the best "
                    "that the collection has."
                )
            },
            source_class={
                "description": (
                    "Kind of document to search. `all` leaves out `config`, which must be named."
                )
            },
            project={"description": "Search only documents of this project.", **_NAME},
            confidence={
                "description": (
                    "`strict` withholds passages of low confidence and those whose citation "
                    "could not be verified; `normal` returns them, labelled."
                )
            },
            collection=_NAME,
        )
    )

    collection: CollectionName = None
    cursor: str | None = Field(
        default=None,
        min_length=1,
        max_length=MAX_CURSOR_CHARS,
        description=(
            "`next_cursor` of an answer that left passages out, with the same other arguments: "
            "returns the passages that follow."
        ),
    )

    def request(self) -> SearchRequest:
        """Return the part that the collection answers."""
        return SearchRequest.model_construct(
            **{name: getattr(self, name) for name in SearchRequest.model_fields}
        )


class FetchInput(Contract):
    """One passage by its id."""

    model_config = ConfigDict(json_schema_extra=describe(collection=_NAME))

    chunk_id: str = Field(
        min_length=1, max_length=100, description="The `chunk_id` of a search result."
    )
    context: int = Field(
        default=0,
        ge=0,
        le=MAX_CONTEXT_LINES,
        description=f"Lines of the source to add before and after, 0-{MAX_CONTEXT_LINES}.",
    )
    collection: CollectionName = None


class CollectionsInput(Contract):
    """A page of the inventory."""

    limit: Page = MAX_PAGE
    offset: Offset = 0


class SourcesInput(Contract):
    """A page of the documents of a collection."""

    model_config = ConfigDict(
        json_schema_extra=describe(
            project={"description": "Only documents of this project.", **_NAME}, collection=_NAME
        )
    )

    source_class: SourceClass | Literal["all"] = Field(
        default="all",
        description="Kind of document to list. `all` leaves out `config`, which must be named.",
    )
    project: Name | None = None
    limit: Page = MAX_PAGE
    offset: Offset = 0
    collection: CollectionName = None


class StatusInput(Contract):
    """One collection."""

    model_config = ConfigDict(json_schema_extra=describe(collection=_NAME))

    collection: CollectionName = None

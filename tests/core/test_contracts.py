from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from groundkit_core.contracts import SearchRequest
from groundkit_core.filters import DocumentFilter
from groundkit_core.identity import chunk_ids, document_id


@pytest.mark.parametrize("limit", [0, 21, 10**9, "8", 8.0, True, None])
def test_a_limit_is_an_integer_from_1_to_20(limit: object) -> None:
    with pytest.raises(ValidationError):
        SearchRequest.model_validate({"query": "x", "limit": limit})


@pytest.mark.parametrize("query", ["", " ", "\u200b\u2060", "\u202e\u202c", "\n\t", "\x07"])
def test_a_query_has_a_visible_character(query: str) -> None:
    with pytest.raises(ValidationError):
        SearchRequest(query=query)


def test_a_query_has_up_to_500_visible_characters() -> None:
    assert SearchRequest(query=" ".join("x" * 500)).query
    with pytest.raises(ValidationError):
        SearchRequest(query="x" * 501)


@pytest.mark.parametrize(
    ("alias", "mode"), [("fts", "lexical"), ("bm25", "lexical"), ("vector", "dense")]
)
def test_modes_have_aliases(alias: str, mode: str) -> None:
    assert SearchRequest.model_validate({"query": "x", "mode": alias}).mode == mode


@pytest.mark.parametrize(
    "project", ["../x", "a/b", "\u2024\u2024", "x" * 101, ".", "", "a b", "x."]
)
def test_a_project_is_a_plain_name(project: str) -> None:
    with pytest.raises(ValidationError):
        SearchRequest(query="x", project=project)


def test_all_leaves_out_config_and_a_name_means_itself() -> None:
    assert not DocumentFilter.of("all").allows(1, "config", "p")
    assert DocumentFilter.of("config").allows(1, "config", "p")
    assert not DocumentFilter.of("docs", "p").allows(1, "docs", "q")


@given(st.lists(st.text(), max_size=6))
def test_chunk_ids_are_unique_and_depend_on_document_and_content(contents: list[str]) -> None:
    ids = chunk_ids("d", contents)
    assert len(set(ids)) == len(ids)
    assert ids == chunk_ids("d", contents)
    assert not set(ids) & set(chunk_ids("e", contents))


def test_document_ids_depend_on_root_source_and_ordinal() -> None:
    assert len({document_id("r", "a"), document_id("r", "b"), document_id("s", "a")}) == 3
    assert document_id("r", "a", 1) != document_id("r", "a")

"""An answer stays below what a client takes, by leaving out whole items."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_core.contracts import (
    Citation,
    CollectionSummary,
    Contract,
    Coverage,
    Passage,
    SearchHit,
    SearchMetadata,
    SourceEntry,
    SourceList,
)
from groundkit_core.errors import RequestError
from groundkit_index import ingest
from groundkit_mcp import ServiceContext
from groundkit_mcp.operations.outputs import CollectionPage, SearchPage
from groundkit_mcp.rendering.present import BUDGET
from groundkit_mcp.rendering.present import present as presented

if TYPE_CHECKING:
    from tests.mcp.conftest import Answer


def citation(content: str, number: int = 1) -> Citation:
    return Citation(
        document_id=f"{number:024x}",
        chunk_id=f"{number:024x}",
        root="docs",
        source=f"guide/page-{number}.md",
        source_class="docs",
        project="default",
        start_offset=0,
        end_offset=len(content),
        start_line=1,
        end_line=9,
        heading_path=("Guide", f"Page {number}"),
        quote_sha256=hashlib.sha256(content.encode()).hexdigest(),
        verification="verified",
        link=f"guide/page-{number}.md:1-9",
    )


def present(result: Contract) -> tuple[Contract, str]:
    shown = presented(result)
    return shown.result, shown.text


def response(*contents: str, duplicates: int = 0) -> SearchPage:
    hits = tuple(
        SearchHit(
            rank=number,
            chunk_id=f"{number:024x}",
            content=content,
            score=1.0,
            scores={"lexical": 1.0},
            confidence="medium",
            citation=citation(content, number),
            duplicates=tuple(citation(content, 100 + twin) for twin in range(duplicates)),
        )
        for number, content in enumerate(contents, 1)
    )
    return SearchPage(
        status="OK",
        query="q",
        mode="lexical",
        results=hits,
        coverage=Coverage(searched=("docs",)),
        metadata=SearchMetadata(collection="default", generation=1, took_ms=1.0),
    )


def sizes(result: Contract, text: str) -> tuple[int, int]:
    return len(text.encode()), len(result.model_dump_json().encode())


@pytest.mark.parametrize(
    "content", ["word " * 390, "備份資料庫" * 390, "\U0001f9ea" * 1950, "\x01\x02" * 900]
)
def test_both_forms_of_twenty_long_passages_fit(content: str) -> None:
    whole = response(*[content] * 20)
    fitted, text = present(whole)
    assert isinstance(fitted, SearchPage)
    assert max(sizes(fitted, text)) <= BUDGET < 25_000
    kept = len(fitted.results)
    assert 0 < kept < 20
    assert fitted.results == whole.results[:kept]
    assert fitted.coverage.withheld.over_budget == 20 - kept
    assert f"withheld: {20 - kept} passages, the answer would be too long" in text
    assert all(hit.content in text for hit in fitted.results)


def test_one_passage_more_would_not_fit() -> None:
    fitted, _ = present(response(*["word " * 390] * 20))
    assert isinstance(fitted, SearchPage)
    one_more = response(*["word " * 390] * (len(fitted.results) + 1))
    assert max(sizes(one_more, "")) > BUDGET


def test_what_fits_is_left_as_it_is() -> None:
    whole = response("short", "also short")
    assert present(whole)[0] is whole


def test_what_retrieval_left_out_already_is_counted_too() -> None:
    whole = response(*["word " * 390] * 20)
    withheld = whole.coverage.withheld.model_copy(update={"over_budget": 3})
    coverage = whole.coverage.model_copy(update={"withheld": withheld})
    fitted, _ = present(whole.model_copy(update={"coverage": coverage}))
    assert isinstance(fitted, SearchPage)
    assert fitted.coverage.withheld.over_budget == 3 + 20 - len(fitted.results)


def test_duplicates_give_way_before_passages() -> None:
    fitted, text = present(response("one", "two", "three", duplicates=20))
    assert isinstance(fitted, SearchPage)
    assert [len(hit.duplicates) for hit in fitted.results] == [3, 3, 3]
    assert "note: passages that stand in many places list only 3 more of them" in text


def test_a_passage_that_never_fits_is_named_by_its_place() -> None:
    fitted, text = present(response("word " * 6_000))
    assert isinstance(fitted, SearchPage)
    assert fitted.results == ()
    assert fitted.status == "OK"
    assert "fits into one answer; open the first at guide/page-1.md:1-9" in text


def test_fetched_lines_around_a_passage_give_way_the_nearest_last() -> None:
    line = "x" * 200 + "\n"
    before = "".join(f"{n} {line}" for n in range(100))
    passage = Passage(
        chunk_id="1", content="the passage", before=before, after=before, citation=citation("p")
    )
    fitted, text = present(passage)
    assert isinstance(fitted, Passage)
    assert max(sizes(fitted, text)) <= BUDGET
    assert fitted.content == "the passage"
    assert fitted.before
    assert before.endswith(fitted.before)
    assert before.startswith(fitted.after)


def test_a_passage_that_cannot_be_fetched_whole_is_an_error() -> None:
    passage = Passage(chunk_id="1", content="x" * 30_000, citation=citation("p"))
    with pytest.raises(RequestError, match="open the file"):
        present(passage)


def test_pages_that_are_too_long_end_earlier_and_lose_nothing() -> None:
    entries = tuple(
        SourceEntry(
            document_id=f"{n:024x}",
            root="docs",
            source=f"deep/{'folder/' * 20}{n}.md",
            source_class="docs",
            project="default",
            title=f"Title {n}",
            chunks=1,
        )
        for n in range(100)
    )
    page = SourceList(collection="c", generation=1, total=500, sources=entries, next_offset=300)
    fitted, text = present(page)
    assert isinstance(fitted, SourceList)
    assert max(sizes(fitted, text)) <= BUDGET
    assert fitted.sources == entries[: len(fitted.sources)]
    assert fitted.next_offset == 200 + len(fitted.sources)
    assert f"More from offset {fitted.next_offset}." in text


def test_the_last_page_of_collections_gets_a_successor_when_it_is_too_long() -> None:
    entries = tuple(
        CollectionSummary(name=f"{'n' * 90}{n}", documents=1, chunks=1, generation=1)
        for n in range(100)
    )
    page = CollectionPage(collections=entries * 2, default="default", total=250)
    fitted, text = present(page)
    assert isinstance(fitted, CollectionPage)
    assert max(sizes(fitted, text)) <= BUDGET
    assert fitted.next_offset == 50 + len(fitted.collections)


def test_a_default_that_is_withheld_is_not_spoken_of() -> None:
    _, text = present(CollectionPage(collections=(), default=None, total=0))
    assert text == "0 collections; name the one to ask."


def test_a_real_answer_from_large_documents_fits(
    ask: Callable[..., Answer], serve: Callable[..., ServiceContext], tmp_path: Path
) -> None:
    for number in range(20):
        words = " ".join(f"otter{number} river{n}" for n in range(140))
        (tmp_path / f"{number}.md").write_text(f"# Otters {number}\n\notter {words}\n")
    ingest(tmp_path, index_dir=tmp_path / "index")
    answer = ask(serve(tmp_path / "index"), "search", query="otter river1", limit=20)
    assert 0 < len(answer.data["results"]) < 20
    assert answer.data["coverage"]["withheld"]["over_budget"] > 0
    assert len(answer.text.encode()) <= BUDGET

"""A real client talks to a real server process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundkit_mcp import ServiceContext

if TYPE_CHECKING:
    from tests.mcp.conftest import Answer, Caller

TOOLS = ["fetch_chunk", "index_status", "list_collections", "list_sources", "search"]


def test_five_read_only_tools_are_listed(caller: Caller) -> None:
    tools = caller.do(caller.session.list_tools).tools
    assert sorted(tool.name for tool in tools) == TOOLS
    for tool in tools:
        hints = tool.annotations
        assert (hints.read_only_hint, hints.destructive_hint) == (True, False)
        assert (hints.idempotent_hint, hints.open_world_hint) == (True, False)
        assert tool.output_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False


def test_every_argument_is_described_and_flat(caller: Caller) -> None:
    for tool in caller.do(caller.session.list_tools).tools:
        for name, schema in tool.input_schema["properties"].items():
            assert len(schema["description"]) > 20, (tool.name, name)
            assert schema["type"] in ("string", "integer")
            assert not {"anyOf", "$ref", "title"} & set(schema)


def test_search_returns_checked_passages(caller: Caller, documents: Path) -> None:
    answer = caller.call("search", query="how do I install the zebra engine")
    first = answer.data["results"][0]
    citation = first["citation"]
    text = (documents / "guide/install.md").read_text(encoding="utf-8")
    assert text[citation["start_offset"] : citation["end_offset"]] == first["content"]
    assert citation["quote_sha256"] == hashlib.sha256(first["content"].encode()).hexdigest()
    assert citation["verification"] == "verified"
    assert citation["source"] == "guide/install.md"
    assert first["text_is_untrusted_context"] is True
    assert answer.data["status"] == "OK"


def test_text_shows_place_heading_verdict_confidence_and_passage(caller: Caller) -> None:
    answer = caller.call("search", query="zebra-setup --all", limit=1)
    first = answer.data["results"][0]
    heading = answer.text.split("\n\n")[1].splitlines()[0]
    assert heading.startswith(f"1. {first['citation']['link']} | ")
    assert '"Guide"' in heading
    assert "verified" in heading
    assert f"chunk_id {first['chunk_id']}" in heading
    assert f"confidence {first['confidence']}" in heading
    assert answer.text.count(first["content"]) == 1
    assert not answer.text.startswith("{")


def test_duplicates_are_links_below_their_twin(caller: Caller) -> None:
    answer = caller.call("search", query="gateway refuses bodies", limit=1)
    (copy,) = answer.data["results"][0]["duplicates"]
    assert f"same passage at: {copy['link']} (verified)" in answer.text
    assert answer.text.count("twelve megabytes") == 1


def test_nothing_found_is_said_with_its_reason(caller: Caller) -> None:
    answer = caller.call("search", query="quantum chromodynamics")
    assert (answer.data["status"], answer.data["reason"]) == ("NO_RELEVANT_CONTEXT", "no_results")
    assert answer.data["results"] == []
    assert answer.text.startswith("NO_RELEVANT_CONTEXT (no_results) in collection default: ")
    assert "not searched: config: not allowed by policy" in answer.text
    assert not answer.failed


def test_mode_aliases_and_cjk_are_understood(caller: Caller) -> None:
    answer = caller.call("search", query="備份資料庫", mode="bm25")
    assert answer.data["mode"] == "lexical"
    assert answer.data["results"][0]["citation"]["source"] == "guide/backup.md"


def test_a_mode_without_vectors_is_refused_by_kind(caller: Caller) -> None:
    answer = caller.call("search", query="zebra", mode="dense")
    assert (answer.failed, answer.kind) == (True, "mode_unavailable")


def test_fetch_chunk_returns_the_passage_and_its_surroundings(caller: Caller) -> None:
    found = caller.call("search", query="renewLease").data["results"][0]
    alone = caller.call("fetch_chunk", chunk_id=found["chunk_id"])
    assert alone.data["content"] == found["content"]
    assert (alone.data["before"], alone.data["after"]) == ("", "")
    around = caller.call("fetch_chunk", chunk_id=found["chunk_id"], context=5)
    joined = around.data["before"] + around.data["content"] + around.data["after"]
    assert len(joined) > len(found["content"])
    assert "Leases of workers" in joined
    assert around.data["citation"]["verification"] == "verified"


def test_an_unknown_chunk_is_not_found(caller: Caller) -> None:
    answer = caller.call("fetch_chunk", chunk_id="0" * 24)
    assert (answer.failed, answer.kind) == (True, "chunk_not_found")


def test_collections_are_listed_with_the_default_and_by_page(caller: Caller) -> None:
    whole = caller.call("list_collections")
    assert [entry["name"] for entry in whole.data["collections"]] == ["default", "guides"]
    assert (whole.data["default"], whole.data["next_offset"]) == ("default", None)
    assert "the default is default" in whole.text
    page = caller.call("list_collections", limit=1)
    assert (page.data["total"], page.data["next_offset"]) == (2, 1)
    assert "More from offset 1." in page.text


def test_sources_are_listed_by_page(caller: Caller) -> None:
    page = caller.call("list_sources", limit=2)
    rest = caller.call("list_sources", offset=page.data["next_offset"])
    listed = [entry["source"] for entry in page.data["sources"] + rest.data["sources"]]
    assert len(listed) == page.data["total"] == 7
    assert rest.data["next_offset"] is None
    code = caller.call("list_sources", source_class="code")
    assert [entry["source"] for entry in code.data["sources"]] == ["src/lease.py"]


def test_status_tells_counts_and_no_absolute_path(caller: Caller, documents: Path) -> None:
    answer = caller.call("index_status")
    assert answer.data["status"]["documents"] == 7
    assert answer.data["sync"] is None
    assert "7 documents" in answer.text
    assert str(documents.parent) not in answer.text + str(answer.data)


def test_another_collection_can_be_named(caller: Caller) -> None:
    answer = caller.call("search", query="zebra", collection="guides")
    assert answer.data["metadata"]["collection"] == "guides"
    assert caller.call("index_status", collection="guides").data["status"]["documents"] == 4


def test_an_unknown_collection_is_an_error_that_lists_the_known(
    caller: Caller, index_dir: Path
) -> None:
    for tool, given in (("search", {"query": "zebra"}), ("list_sources", {}), ("index_status", {})):
        answer = caller.call(tool, collection="nope", **given)
        assert (answer.failed, answer.kind) == (True, "collection_not_found")
        assert "existing collections: default, guides" in answer.text
    assert sorted(path.name for path in index_dir.iterdir()) == ["default", "guides"]


def test_a_missing_index_folder_is_said_and_not_made(
    ask: Callable[..., Answer], serve: Callable[..., ServiceContext], tmp_path: Path
) -> None:
    context = serve(tmp_path / "absent/deeper")
    answer = ask(context, "search", query="zebra")
    assert (answer.failed, answer.kind) == (True, "collection_not_found")
    assert "groundkit ingest PATH" in answer.text
    assert ask(context, "list_collections").data["collections"] == []
    assert ask(context, "index_status").kind == "collection_not_found"
    assert list(tmp_path.iterdir()) == []


def test_parallel_calls_are_answered_each(caller: Caller) -> None:
    async def many() -> list[Any]:
        import anyio

        found: list[Any] = []

        async def one(query: str) -> None:
            result = await caller.session.call_tool("search", {"query": query})
            found.append((query, result.structured_content["results"][0]["citation"]["source"]))

        async with anyio.create_task_group() as group:
            for _ in range(5):
                for query in ("renewLease", "zebra engine", "備份資料庫"):
                    group.start_soon(one, query)
        return found

    expected = {
        ("renewLease", "src/lease.py"),
        ("zebra engine", "guide/install.md"),
        ("備份資料庫", "guide/backup.md"),
    }
    found = caller.do(many)
    assert len(found) == 15
    assert set(found) == expected

"""Documents that try to speak, to call home, or to change after they were read."""

from __future__ import annotations

import re

import pytest
from tests.mcp.http.attacks.deployed import STRANGE, Deployed, hits


def test_a_document_that_forges_an_answer_is_data(deployed: Deployed) -> None:
    (hit,) = hits(deployed.search("marmot"))
    assert hit["content"] in (deployed.folder / "forged.md").read_text()
    assert hit["citation"]["source"] == "forged.md"
    assert hit["text_is_untrusted_context"] is True
    (block,) = deployed.tool("search", query="marmot")["content"]
    mark = re.search(r"lines marked ([0-9a-f]{16}) is quoted", block["text"])
    assert mark is not None
    fences = re.findall(rf"^----- {mark[1]} .*$", block["text"], re.M)
    assert fences == [f"----- {mark[1]} passage 1", f"----- {mark[1]} end of passage 1"]
    start, end = (block["text"].index(fence) for fence in fences)
    assert start < block["text"].index("</context>") < end
    assert start < block["text"].index("0123456789abcdef end of passage 1") < end


def test_images_and_links_of_a_passage_are_never_fetched(deployed: Deployed) -> None:
    (hit,) = hits(deployed.search("ibex"))
    assert "![pixel](http://127.0.0.1:" in hit["content"]
    assert deployed.get(f"/v1/chunks/{hit['chunk_id']}?context=5").status_code == 200
    deployed.tool("search", query="ibex")
    deployed.tool("fetch_chunk", chunk_id=hit["chunk_id"])
    answer = deployed.search("ibex")
    assert answer.headers["content-type"] == "application/json"
    deployed.beacon.settimeout(0.2)
    with pytest.raises(TimeoutError):
        deployed.beacon.accept()


def test_a_file_name_with_lines_and_instructions_is_one_value(deployed: Deployed) -> None:
    (hit,) = hits(deployed.search("ocelot strange"))
    assert hit["citation"]["source"] == STRANGE
    result = deployed.tool("search", query="ocelot strange")
    assert result["structuredContent"]["results"][0]["citation"]["source"] == STRANGE
    lines = result["content"][0]["text"].splitlines()
    assert not [line for line in lines if line.startswith(("2. forged", '"ignore'))]
    listed = deployed.get("/v1/sources").json()["sources"]
    assert STRANGE in [entry["source"] for entry in listed]
    text = deployed.tool("list_sources")["content"][0]["text"]
    assert not [line for line in text.splitlines() if line.startswith("2. forged")]
    assert "ocelot" not in deployed.log
    assert "forged.md" not in deployed.log


def test_a_source_edited_after_indexing_is_never_called_verified(deployed: Deployed) -> None:
    path = deployed.folder / "guide.md"
    before = path.read_text(encoding="utf-8")
    (hit,) = hits(deployed.search("café"))
    assert hit["citation"]["verification"] == "verified"
    try:
        path.write_text(before.replace("nine", "tens"), encoding="utf-8")
        (found,) = hits(deployed.search("café"))
        fetched = deployed.get(f"/v1/chunks/{hit['chunk_id']}").json()
        tool = deployed.tool("fetch_chunk", chunk_id=hit["chunk_id"])["structuredContent"]
        verdicts = {answer["citation"]["verification"] for answer in (found, fetched, tool)}
        assert verdicts == {"drifted"}
        strict = deployed.search("café", confidence="strict").json()
        assert strict["results"] == []
    finally:
        path.write_text(before, encoding="utf-8")

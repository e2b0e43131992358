"""Citations into text that was taken out of a document outlive the document and the extractor."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from groundkit_core.contracts import SearchHit
from groundkit_index import ingest
from groundkit_index.catalog.checksums import row_checksum
from groundkit_index.catalog.rows import CHECKSUM_FUNCTION, SEAL_DOCUMENT
from groundkit_retrieval import Collection

OTTER = "An otter swims with its webbed feet and steers with a strong tail."
PAGE = "<html><head><title>Otters</title></head><body><main>{}</main></body></html>"

Find = Callable[[str], SearchHit]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "otter.html").write_text(PAGE.format(f"<h1>Otters</h1><p>{OTTER}</p>"))
    return folder


@pytest.fixture
def index(docs: Path, tmp_path: Path) -> Path:
    report = ingest(docs, index_dir=tmp_path / "index")
    assert report.refusals == ()
    return tmp_path / "index"


def find(index: Path, query: str = "webbed feet") -> SearchHit:
    with Collection.open(index_dir=index) as opened:
        return opened.search(query).results[0]


def test_a_citation_tells_what_took_the_text_out_and_of_which_bytes(
    docs: Path, index: Path
) -> None:
    import hashlib

    citation = find(index).citation
    assert citation.extractor is not None
    assert citation.extractor.startswith("html ")
    digest = hashlib.sha256((docs / "otter.html").read_bytes()).hexdigest()
    assert citation.source_sha256 == digest
    assert citation.verification == "verified"


def test_a_passage_that_moved_in_its_document_is_found_again_with_its_new_place(
    docs: Path, index: Path
) -> None:
    before = find(index).citation
    more = "<p>Otters live by rivers. " + "They are shy. " * 40 + "</p>"
    (docs / "otter.html").write_text(PAGE.format(f"{more}<h1>Otters</h1><p>{OTTER}</p>"))
    after = find(index).citation
    assert after.verification == "relocated"
    assert after.start_offset > before.start_offset + 500
    assert after.quote_sha256 == before.quote_sha256


def test_a_passage_whose_marks_changed_is_found_by_its_words(docs: Path, index: Path) -> None:
    item = f"<h1>Otters</h1><ul><li>{OTTER}</li></ul>"
    (docs / "otter.html").write_text(PAGE.format(f"<p>First of all.</p>{item}"))
    assert find(index).citation.verification == "relocated"


def test_a_passage_that_is_gone_has_drifted_and_strict_withholds_it(
    docs: Path, index: Path
) -> None:
    (docs / "otter.html").write_text(PAGE.format("<h1>Otters</h1><p>Nothing is known.</p>"))
    assert find(index).citation.verification == "drifted"
    with Collection.open(index_dir=index) as opened:
        assert not opened.search("webbed feet", confidence="strict").results


def test_a_document_that_can_no_longer_be_read_has_drifted(docs: Path, index: Path) -> None:
    (docs / "otter.html").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 100)
    assert find(index).citation.verification == "drifted"


def test_another_extractor_version_leaves_a_true_citation_true(docs: Path, index: Path) -> None:
    catalog = next(index.glob("default/v*/catalog.sqlite3"))
    connection = sqlite3.connect(catalog)
    connection.create_function(CHECKSUM_FUNCTION, -1, row_checksum, deterministic=True)
    connection.execute("update documents set extractor = 'html 0 (another)'")
    for (key,) in connection.execute("select doc_key from documents").fetchall():
        connection.execute(SEAL_DOCUMENT, (key,))
    connection.commit()
    connection.close()
    (docs / "otter.html").touch()  # so that the bytes are looked at
    citation = find(index).citation
    assert (citation.extractor, citation.verification) == ("html 0 (another)", "verified")


def test_lines_around_a_passage_come_from_the_text_that_was_kept(docs: Path, index: Path) -> None:
    more = "".join(
        f"<h2>Part {n}</h2><p>Sentence number {n}. {'More. ' * 30}</p>" for n in range(9)
    )
    (docs / "long.html").write_text(PAGE.format(f"<h1>Long</h1>{more}"))
    ingest(docs, index_dir=index)
    with Collection.open(index_dir=index) as opened:
        hit = opened.search("sentence number 4").results[0]
        passage = opened.fetch(hit.chunk_id, context=2)
    assert "Sentence number 4" in passage.content
    assert "Part 5" in passage.after
    assert "More." in passage.before


def test_a_cell_a_time_and_a_heading_are_places_that_links_lead_to(docs: Path, index: Path) -> None:
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["# Beavers\n", "They build dams."]},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": ["beaver_dams = count(rivers)"],
            "outputs": [{"output_type": "stream", "name": "stdout", "text": ["forty dams\n"]}],
        },
    ]
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}
    (docs / "beavers.ipynb").write_text(json.dumps(notebook))
    (docs / "talk.srt").write_text(
        "1\n00:01:02,000 --> 00:01:05,000\nThe marmot sleeps all winter.\n"
    )
    ingest(docs, index_dir=index)
    beaver, marmot = find(index, "beaver dams").citation, find(index, "marmot winter").citation
    assert (beaver.link, beaver.place) == ("beavers.ipynb#cell=1", "cell 1")
    assert marmot.link == "talk.srt#t=62"
    assert marmot.place is not None
    assert marmot.place.startswith("00:01:02")


def test_a_format_whose_package_is_missing_is_named_in_the_report(
    docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (docs / "notes.md").write_text("# Notes\n\nThe otter again.\n")
    hidden = tmp_path / "hidden" / "selectolax"
    hidden.mkdir(parents=True)
    (hidden / "__init__.py").write_text("raise ModuleNotFoundError('no', name='selectolax')\n")
    monkeypatch.setenv("PYTHONPATH", str(hidden.parent))
    report = ingest(docs, index_dir=tmp_path / "other")
    assert report.documents.added == 1
    assert [(refusal.source, refusal.reason) for refusal in report.refusals] == [
        (
            "otter.html",
            "missing_package: selectolax is needed to read it; install groundkit-index[formats]",
        )
    ]

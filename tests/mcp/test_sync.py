"""A folder is indexed while the server answers, and the server says how far that is."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from groundkit_index import ingest
from groundkit_index.layout import CollectionPaths
from groundkit_index.lock import writer_lock
from groundkit_mcp import ServiceContext

if TYPE_CHECKING:
    from tests.mcp.conftest import Answer, Wire

ABSENT = "plane_failed"
BUILDING = "the index is still being built; results may be incomplete"

Serve = Callable[..., ServiceContext]


def test_the_first_search_waits_for_the_first_sync(
    start: Callable[..., Wire], documents: Path, tmp_path: Path
) -> None:
    wire = start("--docs", str(documents), cwd=tmp_path).initialize()
    first = wire.call("search", query="zebra engine")
    if first.data["status"] == "OK":
        assert first.data["results"][0]["citation"]["source"] == "guide/install.md"
    else:
        assert (first.data["reason"], first.data["coverage"]["notes"]) == (ABSENT, [BUILDING])
        assert first.data["metadata"]["took_ms"] >= 5_000
    status = wire.when_synced()
    assert status.data["sync"]["state"] == "done"
    assert status.data["sync"]["documents"] is None
    assert "sync done" in status.text
    later = wire.call("search", query="zebra engine")
    assert later.data["results"][0]["citation"]["source"] == "guide/install.md"
    assert later.data["coverage"]["notes"] == []
    assert (tmp_path / ".groundkit/default/CURRENT").is_file()


def test_a_search_before_there_is_an_index_claims_nothing(
    ask: Callable[..., Answer], serve: Serve, documents: Path, tmp_path: Path
) -> None:
    paths = CollectionPaths.of(tmp_path / "index", "default")
    paths.folder.mkdir(parents=True)
    with writer_lock(paths.lock, wait=1):
        context = serve(tmp_path / "index", documents, patience=0.3)
        began = time.monotonic()
        answer = ask(context, "search", query="zebra")
        assert 0.3 <= time.monotonic() - began < 3
        assert (answer.data["status"], answer.data["reason"]) == ("NO_RELEVANT_CONTEXT", ABSENT)
        assert answer.data["coverage"]["notes"] == [BUILDING]
        assert f"note: {BUILDING}" in answer.text
        assert "says nothing of the documents" in answer.text
        assert ask(context, "list_sources").kind == "collection_busy"
        status = ask(context, "index_status")
        assert (status.data["status"], status.data["sync"]["state"]) == (None, "running")
        assert "does not exist yet" in status.text


def test_an_old_index_answers_at_once_while_a_sync_runs(
    ask: Callable[..., Answer], serve: Serve, documents: Path, tmp_path: Path
) -> None:
    ingest(documents, index_dir=tmp_path / "index")
    with writer_lock(CollectionPaths.of(tmp_path / "index", "default").lock, wait=1):
        context = serve(tmp_path / "index", documents)
        answer = ask(context, "search", query="zebra engine")
        assert answer.data["status"] == "OK"
        assert answer.data["coverage"]["notes"] == [BUILDING]
        assert f"note: {BUILDING}" in answer.text


def test_a_failed_sync_says_what_to_do(
    ask: Callable[..., Answer], serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    context = serve(tmp_path / "index", tmp_path / "absent")
    answer = ask(context, "search", query="zebra")
    assert (answer.data["status"], answer.data["reason"]) == ("NO_RELEVANT_CONTEXT", ABSENT)
    (note,) = answer.data["coverage"]["notes"]
    assert "could not be indexed (root_missing)" in note
    assert "check that the folder given with --docs exists" in note
    assert str(tmp_path) not in answer.text
    status = ask(context, "index_status").data["sync"]
    assert (status["state"], status["kind"]) == ("failed", "root_missing")
    assert any("root_missing" in record.getMessage() for record in caplog.records)


def test_an_index_folder_that_cannot_be_made_is_said(
    ask: Callable[..., Answer], serve: Serve, documents: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    answer = ask(serve(tmp_path / "file/index", documents), "search", query="zebra")
    (note,) = answer.data["coverage"]["notes"]
    assert "could not be indexed (storage_error)" in note
    assert "--index-dir can be written" in note


def test_a_failed_sync_leaves_the_old_index_in_use(
    ask: Callable[..., Answer], serve: Serve, documents: Path, tmp_path: Path
) -> None:
    ingest(documents, index_dir=tmp_path / "index")
    context = serve(tmp_path / "index", tmp_path / "absent")
    assert context.sync is not None
    assert context.sync.wait(30)
    answer = ask(context, "search", query="zebra engine")
    assert answer.data["status"] == "OK"
    assert "results may be stale" in answer.data["coverage"]["notes"][0]


def test_a_killed_sync_is_a_failed_one_and_the_next_heals(
    ask: Callable[..., Answer], serve: Serve, documents: Path, tmp_path: Path
) -> None:
    paths = CollectionPaths.of(tmp_path / "index", "default")
    paths.folder.mkdir(parents=True)
    with writer_lock(paths.lock, wait=1):
        first = serve(tmp_path / "index", documents)
        assert first.sync is not None
        while first.sync.report().seconds < 0.2:
            time.sleep(0.02)
        first.close()
        assert first.sync.wait(5)
        assert first.sync.report().kind == "internal"
    assert (
        ask(serve(tmp_path / "index", documents), "search", query="zebra engine").data["status"]
        == "OK"
    )


def test_files_that_were_refused_are_logged_and_not_counted_for_callers(
    ask: Callable[..., Answer], serve: Serve, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "good.md").write_text("The ibex climbs.\n")
    (docs / "bad.md").write_bytes(b"nul \x00 byte\n")
    context = serve(tmp_path / "index", docs)
    assert context.sync is not None
    assert context.sync.wait(30)
    assert ask(context, "index_status").data["sync"]["documents"] is None
    assert any("bad.md" in record.getMessage() for record in caplog.records)


def test_other_collections_are_not_touched_by_the_note(
    ask: Callable[..., Answer], serve: Serve, documents: Path, tmp_path: Path
) -> None:
    ingest(documents, index_dir=tmp_path / "index", collection="other")
    context = serve(tmp_path / "index", tmp_path / "absent")
    answer = ask(context, "search", query="zebra engine", collection="other")
    assert answer.data["coverage"]["notes"] == []
    assert ask(context, "index_status", collection="other").data["sync"] is None


def test_with_watch_a_later_change_is_found(
    start: Callable[..., Wire],
    write_documents: Callable[[Path], Path],
    tmp_path: Path,
) -> None:
    folder = write_documents(tmp_path / "watched")
    wire = start("--docs", str(folder), "--watch", cwd=tmp_path).initialize()
    wire.when_synced()
    (folder / "late.md").write_text("# Late\n\nAn okapi grazes here.\n", encoding="utf-8")
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        found = wire.call("search", query="okapi").data
        if found["results"]:
            break
        time.sleep(0.2)
    assert found["results"][0]["citation"]["source"] == "late.md"

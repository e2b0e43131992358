from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundkit_core.errors import CollectionNotFoundError

Groundkit = Callable[..., Any]


def snapshot(folder: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(folder)): (path.lstat().st_size, path.lstat().st_mtime_ns)
        for path in sorted(folder.rglob("*"))
    }


def one_line(text: str) -> bool:
    return text.startswith("groundkit: ") and text.count("\n") == 1 and "Traceback" not in text


def test_ingest_prints_the_contract(groundkit: Groundkit, docs: Path) -> None:
    (docs / "bad.txt").write_bytes(b"nul \x00 byte")
    (docs / ".hidden.md").write_text("hidden")
    report = groundkit("ingest", "docs", "--json").json
    assert report["collection"] == "default"
    assert report["generation"] >= 1
    counts = report["documents"]
    expected = {"added": 3, "updated": 0, "removed": 0, "unchanged": 0, "refused": 1}
    assert {name: counts[name] for name in expected} == expected
    assert report["chunks"] >= 3
    assert [refusal["source"] for refusal in report["refusals"]] == ["bad.txt"]
    assert report["refusals"][0]["reason"].startswith("nul_byte")
    assert report["skipped"] == {"hidden": 1}
    assert report["seconds"] >= 0


def test_search_prints_the_contract(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs")
    response = groundkit("search", "rotating signing keys", "--json").json
    assert response["status"] == "OK"
    assert response["reason"] is None
    assert response["mode"] == "lexical"
    assert response["metadata"]["collection"] == "default"
    hit = response["results"][0]
    text = (docs / "keys.md").read_text()
    citation = hit["citation"]
    assert hit["rank"] == 1
    assert hit["content"] == text[citation["start_offset"] : citation["end_offset"]]
    assert hit["scores"]["lexical"] == hit["score"] > 0
    assert hit["confidence"] == "high"
    assert hit["text_is_untrusted_context"] is True
    assert citation["source"] == "keys.md"
    assert citation["source_class"] == "docs"
    assert citation["project"] == "default"
    assert citation["heading_path"][0] == "Keys"
    assert citation["page"] is None
    assert citation["verification"] == "verified"
    assert citation["link"] == f"keys.md:{citation['start_line']}"
    assert len(citation["quote_sha256"]) == 64


def test_show_and_verify_take_the_chunk_id_of_a_hit(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs")
    hit = groundkit("search", "lease", "--json").json["results"][0]
    passage = groundkit("show", hit["chunk_id"], "--context", "2", "--json").json
    assert passage["content"] == hit["content"]
    report = groundkit("verify", hit["chunk_id"], "--json").json
    assert report["verdicts"] == {"verified": 1}
    assert groundkit("verify", "--all", "--json").json["checked"] >= 3


def test_a_person_sees_path_line_and_verdict(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs")
    done = groundkit("search", "lease")
    assert "docs/queue.md:1  verified" in done.out
    assert "holds its lease" in done.out
    assert "\x1b" not in done.out


def test_matched_words_are_marked_on_a_terminal(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs")
    done = groundkit("search", "leases", env={"FORCE_COLOR": "1", "TERM": "xterm"})
    assert "\x1b[1;7mlease\x1b[0m" in done.out


def test_nothing_relevant_is_said_and_is_no_failure(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs")
    done = groundkit("search", "zzyzx", "--json")
    assert done.code == 0
    assert done.json["status"] == "NO_RELEVANT_CONTEXT"
    assert done.json["reason"] == "no_results"
    assert done.json["results"] == []


def test_an_unknown_collection_names_the_existing_and_creates_nothing(
    groundkit: Groundkit, docs: Path, tmp_path: Path
) -> None:
    groundkit("ingest", "docs", "--collection", "manuals")
    before = snapshot(tmp_path / ".groundkit")
    for command in (("search", "lease"), ("show", "abc"), ("status",), ("verify",)):
        done = groundkit(*command, "--collection", "manual")
        assert (done.code, done.out) == (1, "")
        assert one_line(done.err)
        assert "manuals" in done.err
    assert snapshot(tmp_path / ".groundkit") == before


def test_reading_creates_no_index(groundkit: Groundkit, tmp_path: Path) -> None:
    done = groundkit("search", "anything")
    assert done.code == 1
    assert "groundkit ingest" in done.err
    assert groundkit("collections").code == 0
    assert list(tmp_path.iterdir()) == []


def test_reading_changes_no_file(groundkit: Groundkit, docs: Path, tmp_path: Path) -> None:
    groundkit("ingest", "docs")
    before = snapshot(tmp_path / ".groundkit")
    assert groundkit("search", "lease").code == 0
    assert groundkit("status").code == 0
    assert groundkit("verify").code == 0
    assert snapshot(tmp_path / ".groundkit") == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("search",),
        ("search", ""),
        ("search", " \u200b\u202e\n"),
        ("search", "x" * 501),
        ("search", "x", "--limit", "0"),
        ("search", "x", "--limit", "21"),
        ("search", "x", "--limit", "1e9"),
        ("search", "x", "--mode", "psychic"),
        ("search", "x", "--source-class", "secrets"),
        ("search", "x", "--project", "../x"),
        ("search", "x", "--collection", "../x"),
        ("search", "x", "--collection", "a" * 101),
        ("ingest", "docs", "--collection", "a/b"),
        ("show",),
        ("show", "x", "--context", "-1"),
        ("remove",),
        ("remove", "docs", "--all"),
        ("verify", "x", "--all"),
        ("fly",),
        ("--index-dir", "x", "search"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_2(
    groundkit: Groundkit, docs: Path, arguments: tuple[str, ...]
) -> None:
    groundkit("ingest", "docs")
    done = groundkit(*arguments)
    assert (done.code, done.out) == (2, "")
    assert one_line(done.err)


@pytest.mark.parametrize(
    "query",
    [
        'NEAR("lease", 2)',
        '"lease',
        "lease*",
        "body:lease",
        "-lease",
        "AND NOT lease",
        "lease^9 OR (",
        "'); DROP TABLE chunks; -- lease",
        "lease\\",
        "[lease TO lease]",
    ],
)
def test_query_operators_are_words(groundkit: Groundkit, docs: Path, query: str) -> None:
    groundkit("ingest", "docs")
    done = groundkit("search", "--json", "--", query)
    assert done.code == 0
    assert done.json["results"][0]["citation"]["source"] == "queue.md"


def test_one_bad_file_does_not_stop_the_rest(groundkit: Groundkit, docs: Path) -> None:
    (docs / "binary.md").write_bytes(bytes(range(256)) * 40)
    (docs / "link.md").symlink_to(docs / "keys.md")
    done = groundkit("ingest", "docs")
    assert done.code == 0
    assert "refused: binary.md" in done.out
    assert groundkit("search", "lease", "--json").json["status"] == "OK"


def test_an_inserted_line_relocates_and_keeps_the_chunk_id(
    groundkit: Groundkit, docs: Path
) -> None:
    groundkit("ingest", "docs")
    before = groundkit("search", "lease", "--json").json["results"][0]
    file = docs / "queue.md"
    file.write_text("<!-- one more line -->\n\n" + file.read_text())
    after = groundkit("search", "lease", "--json").json["results"][0]
    assert after["citation"]["verification"] == "relocated"
    assert after["citation"]["start_line"] == before["citation"]["start_line"] + 2
    assert after["citation"]["link"] == "queue.md:3"
    groundkit("ingest", "docs")
    again = groundkit("verify", before["chunk_id"], "--json")
    assert again.json["verdicts"] == {"verified": 1}
    found = groundkit("search", "lease", "--json").json["results"][0]
    assert found["citation"]["verification"] == "verified"


def test_an_edited_passage_has_drifted_and_strict_withholds_it(
    groundkit: Groundkit, docs: Path
) -> None:
    groundkit("ingest", "docs")
    file = docs / "queue.md"
    file.write_text(file.read_text().replace("thirty", "forty"))
    hit = groundkit("search", "lease", "--json").json["results"][0]
    assert hit["citation"]["verification"] == "drifted"
    strict = groundkit("search", "lease", "--confidence", "strict", "--json").json
    assert strict["status"] == "NO_RELEVANT_CONTEXT"
    assert strict["reason"] == "strict_blocked_unverified"
    assert strict["coverage"]["withheld"]["unverified"] == 1


def test_a_deleted_source_is_missing_and_a_link_is_refused(
    groundkit: Groundkit, docs: Path
) -> None:
    groundkit("ingest", "docs")
    (docs / "queue.md").rename(docs.parent / "outside.md")
    hit = groundkit("search", "lease", "--json").json["results"][0]
    assert hit["citation"]["verification"] == "missing"
    (docs / "queue.md").symlink_to(docs.parent / "outside.md")
    hit = groundkit("search", "lease", "--json").json["results"][0]
    assert hit["citation"]["verification"] == "refused"


def test_an_edit_that_keeps_size_and_mtime_is_not_called_verified(
    groundkit: Groundkit, docs: Path
) -> None:
    import os
    import time

    time.sleep(0.1)
    groundkit("ingest", "docs")
    file = docs / "queue.md"
    times = file.stat()
    file.write_text(file.read_text().replace("thirty", "twenty"))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    hit = groundkit("search", "lease", "--json").json["results"][0]
    assert hit["citation"]["verification"] == "drifted"


def test_an_empty_or_vanished_folder_removes_nothing(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs")
    aside = docs.rename(docs.parent / "aside")
    gone = groundkit("ingest", "docs")
    assert gone.code == 1
    assert one_line(gone.err)
    docs.mkdir()
    empty = groundkit("ingest", "docs")
    assert empty.code == 1
    assert "--allow-empty" in empty.err
    docs.rmdir()
    aside.rename(docs)
    assert groundkit("search", "lease", "--json").json["status"] == "OK"


def test_identifiers_inflection_diacritics_and_cjk_are_found(
    groundkit: Groundkit, docs: Path
) -> None:
    (docs / "mixed.md").write_text(
        "# Mixed\n\nThe café serves version v2026.4.10 to running guests.\n\n検索エンジンの設計\n"
    )
    groundkit("ingest", "docs")
    for query, source in [
        ("username", "names.py"),
        ("user name", "names.py"),
        ("cafe\u0301", "mixed.md"),
        ("cafe", "mixed.md"),
        ("2026.4.10", "mixed.md"),
        ("run", "mixed.md"),
        ("エンジン", "mixed.md"),
        ("検索", "mixed.md"),
    ]:
        results = groundkit("search", query, "--json").json["results"]
        assert results, query
        assert results[0]["citation"]["source"] == source, query


def test_config_is_searched_when_named(groundkit: Groundkit, docs: Path) -> None:
    (docs / "app.toml").write_text('[server]\nlistening_port = "7443"\n')
    groundkit("ingest", "docs")
    everything = groundkit("search", "listening port", "--json").json
    assert everything["results"] == []
    assert "config" in everything["coverage"]["skipped"]
    named = groundkit("search", "listening port", "--source-class", "config", "--json").json
    assert named["results"][0]["citation"]["source"] == "app.toml"


def test_projects_and_classes_can_be_set_and_stay_set(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs", "--project", "queue-team", "--source-class", "memory")
    groundkit("ingest", "docs")
    found = groundkit("search", "lease", "--project", "queue-team", "--json").json["results"]
    assert found[0]["citation"]["source_class"] == "memory"
    assert groundkit("search", "lease", "--project", "other", "--json").json["results"] == []


def test_modes_have_aliases_and_missing_vectors_are_said(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs")
    for mode in ("lexical", "fts", "bm25"):
        assert groundkit("search", "lease", "--mode", mode, "--json").json["mode"] == "lexical"
    for mode in ("hybrid", "dense", "vector"):
        done = groundkit("search", "lease", "--mode", mode)
        assert done.code == 2
        assert "vectors" in done.err


def test_hostile_names_and_text_cannot_reach_the_terminal(groundkit: Groundkit, docs: Path) -> None:
    (docs / "a\x1b[31m\nb.md").write_text("# Lease \x1b]0;owned\x07\n\nthe lease \x1b[2J text\n")
    groundkit("ingest", "docs")
    done = groundkit("search", "lease")
    assert "\x1b" not in done.out
    assert "\x07" not in done.out
    assert "\\x1b" in done.out


def test_settings_come_from_file_then_environment_then_flags(
    groundkit: Groundkit, docs: Path, tmp_path: Path
) -> None:
    (tmp_path / "groundkit.toml").write_text('collection = "from-file"\n')
    assert groundkit("ingest", "docs", "--json").json["collection"] == "from-file"
    env = {"GROUNDKIT_COLLECTION": "from-env"}
    assert groundkit("ingest", "docs", "--json", env=env).json["collection"] == "from-env"
    flagged = groundkit("ingest", "docs", "--json", "--collection", "from-flag", env=env)
    assert flagged.json["collection"] == "from-flag"


@pytest.mark.parametrize(
    "text",
    ["collection = ", 'index_dir = "../elsewhere"', 'index_dir = "/tmp"', 'run = "rm"', "\xff"],
)
def test_a_wrong_configuration_file_is_one_line(
    groundkit: Groundkit, docs: Path, tmp_path: Path, text: str
) -> None:
    (tmp_path / "groundkit.toml").write_bytes(text.encode("latin-1"))
    done = groundkit("ingest", "docs")
    assert done.code == 2
    assert one_line(done.err)
    assert "groundkit.toml" in done.err
    assert not (tmp_path / ".groundkit").exists()


def test_a_relative_index_dir_works_from_anywhere(
    groundkit: Groundkit, docs: Path, tmp_path: Path
) -> None:
    groundkit("ingest", ".", "--index-dir", "../index", folder=docs)
    done = groundkit("search", "lease", "--index-dir", "index", "--json")
    assert done.json["results"][0]["citation"]["verification"] == "verified"


def test_remove_takes_documents_out_and_leaves_files(groundkit: Groundkit, docs: Path) -> None:
    groundkit("ingest", "docs")
    report = groundkit("remove", "docs/queue.md", "--json").json
    assert report["removed"] == 1
    assert (docs / "queue.md").exists()
    assert groundkit("search", "lease", "--json").json["results"] == []
    assert groundkit("remove", "--all").code == 0
    assert groundkit("status").code == 1


def test_copies_fold_into_one_and_are_listed(groundkit: Groundkit, docs: Path) -> None:
    text = "# Quotas\n\nEach workspace may store five hundred gigabytes of snapshots at once.\n"
    for version in range(1, 6):
        (docs / f"quotas-v{version}.md").write_text(text)
    groundkit("ingest", "docs")
    results = groundkit("search", "workspace snapshots", "--json").json["results"]
    assert len(results) == 1
    assert len(results[0]["duplicates"]) == 4


def test_two_ingests_at_once_both_succeed(docs: Path, tmp_path: Path) -> None:
    import subprocess
    import sys

    for number in range(200):
        (docs / f"page-{number}.md").write_text(f"# Page {number}\n\nBody of page {number}.\n" * 20)
    command = [sys.executable, "-m", "groundkit_retrieval", "ingest", "docs"]
    running = [subprocess.Popen(command, cwd=tmp_path) for _ in range(2)]
    assert [process.wait(timeout=60) for process in running] == [0, 0]


def test_the_main_job_runs_in_processes_without_a_warning(process: Groundkit, docs: Path) -> None:
    assert process("ingest", "docs").err == ""
    done = process("search", "lease", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json["results"][0]["citation"]["verification"] == "verified"
    assert process("search", "lease", "--collection", "none").code == 1


def test_debug_shows_the_traceback(groundkit: Groundkit) -> None:
    with pytest.raises(CollectionNotFoundError):
        groundkit("--debug", "search", "x")


def _with_vectors(groundkit: Groundkit, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for name in ("zebra", "heron", "granite"):
        (tmp_path / "docs" / f"{name}.md").write_text(
            f"# {name}\n\nThe {name} is described here.\n"
        )
    assert groundkit("ingest", "docs").code == 0
    assert groundkit("embed", "--embedder", "hash").code == 0


def test_search_joins_the_branches_as_it_is_told(groundkit: Groundkit, tmp_path: Path) -> None:
    _with_vectors(groundkit, tmp_path)
    rrf = groundkit("search", "zebra", "--fusion", "rrf", "--json").json
    assert rrf["mode"] == "hybrid"
    assert rrf["results"][0]["score"] == pytest.approx(2 / 61)
    words = groundkit("search", "zebra", "--alpha", "0", "--json").json
    assert words["results"][0]["score"] == pytest.approx(1.0)
    assert groundkit("embed", "--alpha", "0").code == 0
    assert groundkit("search", "zebra", "--json").json["results"] == words["results"]
    from_environment = groundkit("search", "zebra", "--json", env={"GROUNDKIT_FUSION": "rrf"}).json
    assert from_environment["results"] == rrf["results"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--rerank",), "no reranker is configured"),
        (("--reranker", "nonesuch"), "known: fastembed, maxsim"),
        (("--reranker", "maxsim"), "onnx"),
        (("--alpha", "2"), "0<=x<=1"),
        (("--fusion", "sum"), "'weighted', 'rrf'"),
    ],
)
def test_search_refuses_what_it_cannot_do_in_one_line(
    groundkit: Groundkit, tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    _with_vectors(groundkit, tmp_path)
    done = groundkit("search", "zebra", *options)
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert says in done.err
    assert done.out == ""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundkit_index import ingest

RunCommand = Callable[..., Any]
Write = Callable[[Sequence[dict[str, Any] | str]], Path]


@pytest.fixture
def indexed(corpus: Path, tmp_path: Path) -> Path:
    ingest(corpus, index_dir=tmp_path / "index", collection="handbook")
    return tmp_path / "index"


def query(name: str, text: str, *quotes: tuple[str, str]) -> dict[str, Any]:
    gold = [{"source": source, "quote": quote} for source, quote in quotes]
    return {"id": name, "query": text, "category": "plain", "gold": gold}


def test_check_says_that_all_is_well(
    run_command: RunCommand, corpus: Path, judgments: Path, beir: Path
) -> None:
    done = run_command("judgments", "check", judgments, "--corpus", corpus)
    assert (done.code, done.err) == (0, "")
    assert done.out == "judgments.jsonl: 6 queries, 5 answerable; all is well\n"
    assert run_command("judgments", "check", beir).out.endswith(
        "2 queries, 2 answerable; all is well\n"
    )


def test_check_lists_everything_that_is_wrong_at_once(
    run_command: RunCommand, corpus: Path, write_judgments: Write
) -> None:
    asked = "who tries a failed job again after thirty seconds"
    (corpus / "faq.md").write_text(f"# Asked\n\n{asked}\n", encoding="utf-8")
    path = write_judgments(
        [
            query("missing", "x", ("guide/tokens.md", "no such words")),
            query("ambiguous", "x", ("guide/retries.md", "after")),
            query("lost", "x", ("nowhere.md", "a")),
            query("leaked", asked, ("guide/retries.md", "after thirty seconds")),
            query("class", "x", ("config/kite.toml", "max_body_megabytes = 12")),
            query(
                "given",
                "is it true that a token is valid for ninety days, or not",
                ("guide/tokens.md", "A token is valid for ninety days."),
            ),
            "{",
            {**query("draft", "x"), "accepted": False},
        ]
    )
    done = run_command("judgments", "check", path, "--corpus", corpus)
    assert (done.code, done.out) == (1, "")
    told = [line.partition(": ")[2] for line in done.err.splitlines()]
    for wanted in (
        "gold.0: the quote is not in guide/tokens.md",
        "gold.0: the quote stands more than once in guide/retries.md",
        "gold.0: source nowhere.md cannot be read",
        "faq.md holds the text of the query",
        "gold.0: config/kite.toml is of class config",
        "the query holds the quote that answers it",
        "Invalid JSON",
        "draft is a draft",
    ):
        assert any(line.startswith(wanted) for line in told), wanted
    assert len(told) == 8


def test_check_names_judged_documents_that_the_corpus_lacks(
    run_command: RunCommand, beir: Path
) -> None:
    (beir / "qrels/test.tsv").write_text("retry\tgone\t1\n", encoding="utf-8")
    done = run_command("judgments", "check", beir)
    assert done.code == 1
    assert done.err == "queries.jsonl:1: document gone is not in corpus.jsonl\n"


def test_draft_proposes_what_run_takes_once_it_is_accepted(
    run_command: RunCommand, indexed: Path, corpus: Path, tmp_path: Path
) -> None:
    asked = ("judgments", "draft", "--from-collection", "handbook", "--index-dir", indexed)
    done = run_command(*asked)
    assert (done.code, done.err) == (0, "")
    rows = [json.loads(line) for line in done.out.splitlines()]
    assert {row["accepted"] for row in rows} == {False}
    found = {row["query"]: row["gold"][0] for row in rows}
    assert found["Retries Limits"] == {
        "source": "guide/retries.md",
        "quote": "No job is tried more than six times; after that it is parked for a person.",
    }
    path = tmp_path / "accepted.jsonl"
    path.write_text(done.out.replace('"accepted": false', '"accepted": true'), encoding="utf-8")
    assert run_command("judgments", "check", path, "--corpus", corpus).code == 0
    assert run_command(*asked).out == done.out


def test_draft_takes_definitions_and_leaves_out_what_is_not_clear(
    run_command: RunCommand, write_corpus: Callable[[dict[str, str | bytes]], Path], tmp_path: Path
) -> None:
    shared = "# Overview\n\nThis text says the same in both places.\n"
    corpus = write_corpus(
        {
            "a.md": "# Queues\n\nA lease is the right of a worker to run a job.\n\n"
            "**Parking**: a job that failed six times waits for a person.\n\n"
            "It is a thing that nobody asks about here.\n",
            "b.md": shared + "b\n",
            "c.md": shared + "c\n",
        }
    )
    ingest(corpus, index_dir=tmp_path / "index")
    done = run_command("judgments", "draft", "--from-collection", "default", "--index-dir", "index")
    rows = {row["query"]: row["category"] for row in map(json.loads, done.out.splitlines())}
    assert rows == {
        "Queues": "heading",
        "what is lease": "definition",
        "what is Parking": "definition",
    }


def test_draft_overwrites_nothing(run_command: RunCommand, indexed: Path, judgments: Path) -> None:
    asked = ("judgments", "draft", "--from-collection", "handbook", "--index-dir", indexed)
    done = run_command(*asked, "--out", judgments)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "exists already" in done.err
    written = run_command(*asked, "--out", "new.jsonl", "--limit", "2")
    assert written.out == "new.jsonl: 2 proposals to look at\n"


def test_a_collection_is_measured_as_the_folder_it_was_made_of(
    run_command: RunCommand, indexed: Path, judgments: Path, result_json: str, tmp_path: Path
) -> None:
    asked = ("run", "--collection", "handbook", "--index-dir", indexed, "--judgments", judgments)
    before = {path: path.read_bytes() for path in indexed.rglob("*") if path.is_file()}
    assert run_command(*asked, "--json", "out.json").code == 0
    assert {path: path.read_bytes() for path in before} == before
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    expected = json.loads(result_json)
    assert [s["measures"] for s in found["stages"]] == [s["measures"] for s in expected["stages"]]
    assert found["corpus"] == expected["corpus"]
    assert found["queries"][0]["gold"] == expected["queries"][0]["gold"]

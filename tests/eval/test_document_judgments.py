from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval.errors import EvaluationError, JudgmentsError
from groundkit_eval.judgments.beir import BeirDocument, BeirFolder, file_names, write_documents
from groundkit_eval.judgments.qrels import read_grades, read_qrels
from groundkit_eval.judgments.reading import JudgmentsChoice, read_by_document

RunCommand = Callable[..., Any]


def test_a_split_judges_documents_with_grades(beir: Path) -> None:
    judged = BeirFolder(beir).judged()
    assert judged.unit == "document"
    assert [query.id for query in judged.queries] == ["retry", "token"]
    gold = {query.id: {g.source: g.grade for g in query.gold} for query in judged.queries}
    assert gold == {"retry": {"d/1": 2, "tokens": 0}, "token": {"tokens": 1}}
    assert [query.text for query in judged.queries] == ["failed job delay", "token lifetime"]


def test_queries_that_say_so_are_asked_as_unanswerable_on_request(beir: Path) -> None:
    judged = BeirFolder(beir).judged(unanswerable=True)
    assert [(q.id, q.answerable) for q in judged.queries][-1] == ("nothing", False)
    assert judged.sha256 != BeirFolder(beir).judged().sha256


def test_the_test_split_is_the_default_and_others_are_named(beir: Path) -> None:
    (beir / "qrels/dev.tsv").write_text("query-id\tcorpus-id\tscore\ntoken\ttokens\t1\n")
    assert len(BeirFolder(beir).judged().queries) == 2
    assert len(BeirFolder(beir, "dev").judged().queries) == 1
    with pytest.raises(EvaluationError, match=r"train\.tsv; it has dev, test"):
        BeirFolder(beir, "train").judged()


def test_every_bad_line_is_named(beir: Path) -> None:
    (beir / "queries.jsonl").write_text('{"_id": "a", "text": "x"}\n{\n{"_id": "a"}\n{"text": 1}\n')
    with pytest.raises(JudgmentsError) as caught:
        BeirFolder(beir).judged()
    starts = [problem.split(" ")[0] for problem in caught.value.problems]
    assert starts == ["queries.jsonl:2:", "queries.jsonl:3:", "queries.jsonl:4:"]


def test_documents_become_files_that_are_named_after_them_where_it_can_be(tmp_path: Path) -> None:
    ids = ["plain-1", "../evil", "PLAIN-1", "a b", "CON.md"]
    names = file_names(BeirDocument(name, "", "") for name in ids)
    assert list(names.values()) == ids
    assert next(iter(names)) == "plain-1.md"
    assert all("/" not in name and " " not in name for name in names)
    assert len({name.lower() for name in names}) == len(ids)


def test_a_title_becomes_the_heading(beir: Path, tmp_path: Path) -> None:
    names = write_documents(BeirFolder(beir), tmp_path / "out")
    name = next(name for name, document in names.items() if document == "tokens")
    text = (tmp_path / "out" / name).read_text(encoding="utf-8")
    assert text == "# Access tokens\n\nA token is valid for ninety days.\n"


def test_qrels_of_trec_are_read_with_the_texts_of_their_queries(tmp_path: Path) -> None:
    qrels, queries = tmp_path / "qrels.txt", tmp_path / "topics.tsv"
    qrels.write_text("q1 0 d1 2\nq1 0 d2 -1\nq2 0 d1 0\n")
    queries.write_text("q1\twhat is it\nq2\twho is it\n")
    judged = read_qrels(qrels, queries)
    assert [(q.text, q.answerable) for q in judged.queries] == [
        ("what is it", True),
        ("who is it", False),
    ]
    assert [gold.grade for gold in judged.queries[0].gold] == [2, 0]
    assert [query.text for query in read_qrels(qrels).queries] == ["q1", "q2"]
    queries.write_text("q1\twhat is it\n")
    with pytest.raises(EvaluationError, match="lacks 1 of the judged queries, such as q2"):
        read_qrels(qrels, queries)


def test_every_bad_line_of_qrels_is_named() -> None:
    with pytest.raises(JudgmentsError) as caught:
        read_grades("q", b"q1 0 d1 1\nq1 0 d1 2\nq1 0\nq1 0 d2 high\nq1 0 d3 9999\n")
    assert [problem.split(" ")[0] for problem in caught.value.problems] == [
        "q:2:",
        "q:3:",
        "q:4:",
        "q:5:",
    ]


def test_formats_are_told_apart_by_what_they_hold(beir: Path, judgments: Path) -> None:
    assert read_by_document(JudgmentsChoice(judgments)) is None
    assert read_by_document(JudgmentsChoice(beir)) is not None
    renamed = judgments.rename(judgments.with_suffix(".txt"))
    assert read_by_document(JudgmentsChoice(renamed)) is None


def test_a_folder_of_beir_is_indexed_and_documents_are_ranked(
    run_command: RunCommand, beir: Path, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    done = run_command("run", "--beir", beir, "--json", out, "--unanswerable", "--measures", "AP")
    assert (done.code, done.err) == (0, "")
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["settings"]["unit"] == "document"
    assert result["corpus"]["documents"] == 4
    lexical = result["stages"][1]
    assert lexical["measures"]["ndcg@10"] == 1.0
    assert lexical["measures"]["AP"] == 1.0
    assert lexical["abstention"]["unanswerable"] == 1.0
    ranked = result["queries"][0]["stages"]["lexical"]["ranked"]
    sources = [hit["source"] for hit in ranked]
    assert sources[0] == "d/1"
    assert len(sources) == len(set(sources))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--judgments", "x"], "--beir names documents and judgments"),
        (["--corpus", "x"], "--beir names documents and judgments"),
        (["--limit", "21"], "at most 20"),
        (["--measures", "R@100"], "R@100 looks at more than the --limit of 10"),
        (["--measures", "nope"], "no measure"),
        (["--index-dir", "x"], "--index-dir needs --collection"),
        (["--matrix", "nope=1"], "unknown key"),
    ],
)
def test_options_that_do_not_fit_are_one_line_and_exit_code_two(
    options: list[str], message: str, run_command: RunCommand, beir: Path
) -> None:
    done = run_command("run", "--beir", beir, *options)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err

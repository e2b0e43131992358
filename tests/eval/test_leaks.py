from __future__ import annotations

import json
from pathlib import Path

import pytest

from groundkit_eval.errors import LeakError
from groundkit_eval.judgments.leaks import LeakCheck, is_distinctive, refuse_inside, words
from groundkit_eval.judgments.model import Gold, JudgedQuery

QUESTION = "How long does the gateway wait for a slow client?"


def check(*queries: str) -> LeakCheck:
    judged = [
        JudgedQuery(f"q{number}", text, "plain", "all", (), number)
        for number, text in enumerate(queries, start=1)
    ]
    return LeakCheck(judged, sha256="of-the-judgments")


def test_a_document_that_holds_a_question_is_refused_by_name() -> None:
    document = f"# Answers\n\n1. {QUESTION}\n   Twelve seconds.\n"
    with pytest.raises(LeakError, match=r"^faq\.md holds the text of query q2 \(line 2 of the"):
        check("some other question nobody wrote", QUESTION).refuse("faq.md", "x", document)


@pytest.mark.parametrize(
    "document",
    [
        json.dumps({"id": "q1", "query": QUESTION}),
        "how LONG does\nthe gateway   wait for a slow client",
        "How long does the **gateway** wait for a “slow” client",
        "ｈｏｗ long does the gateway wait for a slow client",
    ],
)
def test_case_spacing_marks_and_width_do_not_hide_a_question(document: str) -> None:
    with pytest.raises(LeakError):
        check(QUESTION).refuse("a.md", "x", document)


@pytest.mark.parametrize(
    "document",
    [
        "",
        "The gateway waits twelve seconds for a slow client.",
        "How long does the gateway wait for a slow disk?",
        "How long does the gateway wait for",
    ],
)
def test_a_document_that_only_answers_or_begins_alike_is_fine(document: str) -> None:
    check(QUESTION).refuse("a.md", "x", document)


def test_a_question_at_the_very_end_is_found_after_a_false_start() -> None:
    document = f"How long does the gateway wait for how long. {QUESTION}"
    with pytest.raises(LeakError):
        check(QUESTION).refuse("a.md", "x", document)


def test_a_document_may_state_the_question_that_it_answers() -> None:
    gold = (Gold("faq.md", 50, 64),)
    judged = [JudgedQuery("q1", QUESTION, "plain", "all", gold, 1)]
    leaks = LeakCheck(judged, sha256="of-the-judgments")
    leaks.refuse("faq.md", "x", f"## {QUESTION}\n\nTwelve seconds.\n")
    with pytest.raises(LeakError, match=r"^other\.md holds the text of query q1"):
        leaks.refuse("other.md", "x", f"## {QUESTION}\n\nAsk somebody else.\n")


def test_a_copy_of_the_judgments_is_refused_whatever_its_name() -> None:
    with pytest.raises(LeakError, match=r"notes\.md is a copy of the judgments"):
        check("renewLease").refuse("notes.md", "of-the-judgments", "anything")


@pytest.mark.parametrize(
    ("query", "distinctive"),
    [
        ("renewLease", False),
        ("max body size megabytes", False),
        ("what is the max body", True),
        ("備份保留期間", False),
        ("備份檔案保留多久之後會自動刪除", True),
        ("리스 갱신 간격", False),
        ("", False),
    ],
)
def test_short_queries_may_stand_in_a_document(query: str, distinctive: bool) -> None:
    assert is_distinctive(words(query)) is distinctive
    if not distinctive:
        check(query).refuse("a.md", "x", f"the text {query} stands here")


def test_a_question_without_spaces_is_found() -> None:
    with pytest.raises(LeakError):
        check("備份檔案保留多久之後會自動刪除").refuse(
            "a.md", "x", "問：備份檔案保留多久之後會自動刪除？答：三十天。"
        )


def test_files_of_questions_inside_the_corpus_are_refused_through_links_too(
    tmp_path: Path,
) -> None:
    corpus = tmp_path / "corpus"
    (corpus / "sub").mkdir(parents=True)
    inside = corpus / "sub" / "judgments.jsonl"
    inside.write_text("{}", encoding="utf-8")
    link = tmp_path / "judgments.jsonl"
    link.symlink_to(inside)
    for path in (inside, link, corpus / "sub" / ".." / "new.json"):
        with pytest.raises(LeakError, match="lies inside the corpus"):
            refuse_inside(corpus, path, "the judgments file")
    refuse_inside(corpus, tmp_path / "corpus-judgments.jsonl", "the judgments file")

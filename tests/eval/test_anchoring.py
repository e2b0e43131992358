from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval.errors import JudgmentsError
from groundkit_eval.judgments.anchoring import anchor, check_searchable
from groundkit_eval.judgments.jsonl import read_judgments
from groundkit_eval.judgments.model import Gold, JudgedQuery

WriteCorpus = Callable[[dict[str, str | bytes]], Path]
Write = Callable[[Sequence[dict[str, Any] | str]], Path]


def line(*gold: tuple[str, str], number: int = 1) -> dict[str, Any]:
    return {
        "id": f"q{number}",
        "query": "what",
        "category": "plain",
        "gold": [{"source": source, "quote": quote} for source, quote in gold],
    }


@pytest.fixture
def documents(write_corpus: WriteCorpus) -> Path:
    return write_corpus(
        {
            "plain.md": "one two three two four aaa",
            "windows.md": b"\xef\xbb\xbffirst \xf0\x9f\x98\x80 line\r\nsecond line\r\n",
            "wide.txt": "größe und maß".encode("utf-16"),
            "nul.md": b"a\0b",
        }
    )


def problems_of(path: Path, corpus: Path) -> tuple[str, ...]:
    with pytest.raises(JudgmentsError) as caught:
        anchor(read_judgments(path), corpus)
    return caught.value.problems


def test_a_quote_is_anchored_in_code_points_of_the_decoded_text(
    documents: Path, write_judgments: Write
) -> None:
    path = write_judgments(
        [line(("plain.md", "three"), ("windows.md", "line\r\nsecond"), ("wide.txt", "maß"))]
    )
    (query,) = anchor(read_judgments(path), documents)
    assert query.gold == (
        Gold("plain.md", 8, 13),
        Gold("windows.md", 8, 20),
        Gold("wide.txt", 10, 13),
    )
    assert query.line == 1
    assert query.answerable


def test_a_query_without_gold_is_unanswerable(documents: Path, write_judgments: Write) -> None:
    (query,) = anchor(read_judgments(write_judgments([line()])), documents)
    assert not query.answerable


@pytest.mark.parametrize(
    ("source", "quote", "message"),
    [
        ("plain.md", "five", "the quote is not in plain.md"),
        ("plain.md", "One", "the quote is not in plain.md"),
        ("windows.md", "line\nsecond", "line breaks included"),
        ("plain.md", "two", "stands more than once in plain.md"),
        ("plain.md", "aa", "stands more than once in plain.md"),
        ("missing.md", "one", "source missing.md cannot be read (missing)"),
        ("../outside.md", "secret", "cannot be read (outside_root)"),
        ("/etc/passwd", "root", "cannot be read (outside_root)"),
        ("link.md", "secret", "cannot be read (symlink)"),
        ("nul.md", "a", "cannot be read (nul_byte)"),
        ("plain.md/x", "one", "cannot be read"),
        ("evil\nname.md", "one", "evil\\nname.md"),
    ],
)
def test_a_quote_that_cannot_be_anchored_is_named_by_line(
    source: str, quote: str, message: str, documents: Path, write_judgments: Write
) -> None:
    (documents.parent / "outside.md").write_text("secret", encoding="utf-8")
    (documents / "link.md").symlink_to(documents.parent / "outside.md")
    path = write_judgments([line(("plain.md", "three")), line((source, quote), number=2)])
    (problem,) = problems_of(path, documents)
    assert problem.startswith("judgments.jsonl:2: gold.0: ")
    assert message in problem
    assert problem.isprintable()


def test_malformed_lines_and_bad_quotes_are_listed_together(
    documents: Path, write_judgments: Write
) -> None:
    path = write_judgments([line(("plain.md", "five")), "{", line(("no.md", "x"), number=3)])
    found = [problem.split(": ")[0] for problem in problems_of(path, documents)]
    assert found == ["judgments.jsonl:1", "judgments.jsonl:2", "judgments.jsonl:3"]


def test_the_same_passage_twice_is_a_mistake(documents: Path, write_judgments: Write) -> None:
    path = write_judgments([line(("plain.md", "one"), ("plain.md", "one"))])
    assert problems_of(path, documents) == ("judgments.jsonl:1: gold.1: repeats an earlier quote",)


def test_gold_that_no_search_can_find_is_named() -> None:
    queries = [
        JudgedQuery("q1", "what", "plain", "all", (Gold("a.toml", 0, 3),), line=4),
        JudgedQuery("q2", "what", "plain", "config", (Gold("a.toml", 0, 3),), line=5),
        JudgedQuery("q3", "what", "plain", "all", (Gold("b.md", 0, 3),), line=6),
        JudgedQuery("q4", "what", "plain", "all", (Gold("c.bin", 0, 3),), line=7),
        JudgedQuery(
            "q5", "what", "plain", "all", (Gold("d.md", 0, 3), Gold("a.toml", 0, 3)), line=8
        ),
    ]
    refused = {"b.md": "too_large"}
    with pytest.raises(JudgmentsError) as caught:
        check_searchable(tuple(queries), "j.jsonl", {"a.toml": "config", "d.md": "docs"}, refused)
    first, second, third, fourth = caught.value.problems
    assert first.startswith("j.jsonl:4: gold.0: a.toml is of class config")
    assert 'add "source_class": "config"' in first
    assert second == "j.jsonl:6: gold.0: b.md was not indexed (too_large)"
    assert third.startswith("j.jsonl:7: gold.0: c.bin was not indexed (")
    assert fourth.startswith("j.jsonl:8: gold.1: a.toml is of class config")
    assert fourth.endswith("give it a query of its own")

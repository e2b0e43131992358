from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval.errors import EvaluationError, JudgmentsError
from groundkit_eval.judgments.jsonl import read_judgments

Write = Callable[[Sequence[dict[str, Any] | str]], Path]
GOOD: dict[str, Any] = {"id": "q1", "query": "what is it", "category": "plain", "gold": []}


def problems_of(path: Path) -> tuple[str, ...]:
    with pytest.raises(JudgmentsError) as caught:
        read_judgments(path).problems.raise_if_any()
    return caught.value.problems


def test_well_formed_lines_become_judgments_by_line(write_judgments: Write) -> None:
    gold = [{"source": "a.md", "quote": "it is\n  so"}]
    path = write_judgments([GOOD, "", {**GOOD, "id": "q2", "gold": gold, "source_class": "code"}])
    file = read_judgments(path)
    file.problems.raise_if_any()
    assert list(file.judgments) == [1, 3]
    assert file.judgments[1].source_class == "all"
    assert file.judgments[3].source_class == "code"
    assert file.judgments[3].gold[0].quote == "it is\n  so"


def test_a_byte_order_mark_and_crlf_are_no_part_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "judgments.jsonl"
    line = b'{"id":"q1","query":"what","category":"plain","gold":[]}'
    path.write_bytes(b"\xef\xbb\xbf" + line + b"\r\n\r\n")
    assert read_judgments(path).judgments[1].query == "what"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{not json", "Invalid JSON"),
        ('{"id": "q1"', "Invalid JSON"),
        ("[" * 5000, "Invalid JSON"),
        ("[]", "object"),
        ("17", "object"),
        ({**GOOD, "answer": "x"}, "answer: unknown field"),
        ({**GOOD, "gold": [{"source": "a.md", "quote": "x", "rank": 1}]}, "gold.0.rank: unknown"),
        ({"id": "q1", "query": "x", "gold": []}, "category: Field required"),
        ({**GOOD, "id": 7}, "id: "),
        ({**GOOD, "id": ""}, "id: "),
        ({**GOOD, "id": "two words"}, "id: "),
        ({**GOOD, "query": ""}, "query: the query has no visible character"),
        ({**GOOD, "query": "\u200b\u202e \t"}, "query: the query has no visible character"),
        ({**GOOD, "query": "x" * 501}, "query: the query is longer than 500"),
        ({**GOOD, "category": " "}, "category: has no visible character"),
        ({**GOOD, "category": "a\nb"}, "category: has characters that cannot be printed"),
        ({**GOOD, "gold": None}, "gold: "),
        ({**GOOD, "gold": [{"quote": "x"}]}, "gold.0: has source and quote"),
        ({**GOOD, "gold": [{"source": "a.md", "quote": ""}]}, "gold.0.quote: "),
        ({**GOOD, "source_class": "secret"}, "source_class"),
        ('{"id":"q1","query":"\\ud800","category":"plain","gold":[]}', "Invalid JSON"),
    ],
)
def test_a_malformed_line_is_named(
    line: dict[str, Any] | str, message: str, write_judgments: Write
) -> None:
    problems = problems_of(write_judgments([{**GOOD, "id": "q0"}, line]))
    assert problems
    assert all(problem.startswith("judgments.jsonl:2: ") for problem in problems)
    assert any(message in problem for problem in problems)


def test_every_problem_is_listed_in_the_order_of_lines(write_judgments: Write) -> None:
    rows: list[dict[str, Any] | str] = ["nonsense", GOOD, GOOD, {**GOOD, "id": "q3", "query": " "}]
    assert [problem.split(": ")[0] for problem in problems_of(write_judgments(rows))] == [
        "judgments.jsonl:1",
        "judgments.jsonl:3",
        "judgments.jsonl:4",
    ]


def test_a_repeated_id_names_the_line_of_the_first(write_judgments: Write) -> None:
    (problem,) = problems_of(write_judgments([GOOD, GOOD]))
    assert problem.startswith("judgments.jsonl:2: id 'q1' was used in line 1")


def test_a_problem_stays_on_one_line_whatever_the_input_holds(write_judgments: Write) -> None:
    (problem,) = problems_of(write_judgments([{**GOOD, "evil\r\n\x1b[31mname": 1}]))
    assert problem.isprintable()


def test_a_flood_of_problems_is_cut_and_counted(write_judgments: Write) -> None:
    problems = problems_of(write_judgments(["x"] * 700))
    assert len(problems) == 501
    assert problems[-1] == "judgments.jsonl: and 200 more problems"


def test_bytes_that_are_not_utf8_are_a_malformed_line(tmp_path: Path) -> None:
    path = tmp_path / "judgments.jsonl"
    path.write_bytes(b'{"id":"q1","query":"caf\xe9","category":"plain","gold":[]}\n')
    assert problems_of(path)[0].startswith("judgments.jsonl:1: ")


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_a_line_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(content)
    with pytest.raises(EvaluationError, match=r"empty\.jsonl holds no judgments"):
        read_judgments(path)


def test_what_is_not_a_readable_file_is_refused_without_blocking(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match=r"missing\.jsonl cannot be read"):
        read_judgments(tmp_path / "missing.jsonl")
    with pytest.raises(EvaluationError, match="is not a file"):
        read_judgments(tmp_path)
    with pytest.raises(EvaluationError, match="not a usable path"):
        read_judgments(Path("a\0b"))
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.jsonl")
        with pytest.raises(EvaluationError, match="is not a file"):
            read_judgments(tmp_path / "pipe.jsonl")


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    with path.open("wb") as file:
        file.truncate(300 * 2**20)
    with pytest.raises(EvaluationError, match=r"huge\.jsonl is larger than 256 MB"):
        read_judgments(path)

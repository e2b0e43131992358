from __future__ import annotations

import re

import pytest
from tests.eval.synthetic import drawn, made_result, moved

from groundkit_eval.comparison import compare
from groundkit_eval.gates import check_gates, parse_gate
from groundkit_eval.report.pull_request import MAX_CHARS, code, to_comment
from groundkit_eval.results import EvaluationResult

BASE = drawn(150, seed=1)
BEFORE = moved(BASE, 0.3, 0.0, seed=2)
AFTER = moved(BEFORE, 0.5, -0.3, seed=3)


def result(values: dict[str, float], stages: int = 1) -> EvaluationResult:
    names = ["lexical", *(f"s{number}" for number in range(1, stages))]
    return made_result({"baseline": BASE, **dict.fromkeys(names, values)}, unanswerable=10)


def comment(before: EvaluationResult, after: EvaluationResult, *gates: str) -> str:
    found = compare(before, after)
    return to_comment(after, found, check_gates([parse_gate(gate) for gate in gates], found))


def rows(markdown: str, first: str) -> list[list[str]]:
    """Return the cells of the first table whose head begins so."""
    lines = iter(markdown.splitlines())
    head = next(line for line in lines if line.startswith(f"| {first} "))
    body = []
    next(lines)
    for line in lines:
        if not line.startswith("|"):
            break
        body.append([cell.strip() for cell in line.strip("|").split("|")])
    assert all(len(row) == head.count("|") - 1 for row in body)
    return body


def test_a_comment_begins_with_what_came_out() -> None:
    shown = comment(result(BEFORE), result(AFTER), "significant", "ndcg@10>=-0.01")
    assert shown.startswith(
        "### Retrieval evaluation: 3 gates failed; 2 significant losses, no gains\n"
    )
    assert "160 queries (150 answerable, 10 not)" in shown
    kept = comment(result(BEFORE), result(BEFORE), "ndcg@10>=-0.01")
    assert kept.startswith(
        "### Retrieval evaluation: all gates kept; no significant losses, no gains\n"
    )


def test_it_shows_the_measure_and_what_is_significant_and_hides_the_rest() -> None:
    shown = comment(result(BEFORE), result(AFTER))
    visible = rows(shown, "stage")
    assert [row[1] for row in visible] == ["recall@5", "ndcg@10"]
    assert [row[7] for row in visible] == ["significant loss"] * 2
    hidden = shown.partition("<summary>All measures</summary>")[2]
    assert [row[1] for row in rows(hidden, "stage")] == [
        "recall@5",
        "ndcg@10",
        "wrongly\\_abstained",
        "abstained",
    ]


def test_gates_are_a_table_that_names_the_worst_queries() -> None:
    gates = rows(comment(result(BEFORE), result(AFTER), "ndcg@10>=-0.01"), "gate")
    assert [row[:3] for row in gates] == [["ndcg@10&gt;=-0.01", "FAILED", "lexical ndcg@10"]]
    assert len(gates[0][4].split(", ")) == 5


def test_the_five_largest_losses_are_there_to_be_opened() -> None:
    shown = comment(result(BEFORE), result(AFTER))
    (losses,) = re.findall(
        r"largest losses in ndcg@10</summary>\n\n(.*?)\n\n</details>", shown, re.DOTALL
    )
    items = [line for line in losses.splitlines() if line.startswith("- ")]
    assert len(items) == 5
    assert re.fullmatch(r"- `q\d+` in `lexical`, 1\.000 to 0\.000: `question \d+`", items[0])
    assert losses.count("  - expected `a.md` `gold ") == 5
    assert losses.count("  - before `0.md` `passage ") == 5


def test_without_a_baseline_it_shows_the_stages() -> None:
    shown = to_comment(result(BEFORE))
    assert shown.startswith("### Retrieval evaluation\n\n160 queries")
    assert [row[0] for row in rows(shown, "stage")] == ["baseline", "lexical", "vs baseline"]
    assert "<details><summary>Categories</summary>" in shown


def test_other_corpora_are_said_in_the_open() -> None:
    other = made_result({"baseline": BASE, "lexical": AFTER}, unanswerable=10, corpus="other")
    assert "\n> The corpora differ: " in comment(result(BEFORE), other)


def test_a_comment_is_short_enough_to_be_posted_however_many_stages_there_are() -> None:
    shown = comment(result(BEFORE, 150), result(AFTER, 150), "ndcg@10>=-0.01")
    assert len(shown) <= MAX_CHARS
    assert shown.count("<details>") == shown.count("</details>")
    assert shown.startswith("### Retrieval evaluation: ")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("a `b` c", "``a `b` c``"),
        ("`", "`` ` ``"),
        ("@team see #1 <img src=x> </details>", "`@team see #1 <img src=x> </details>`"),
        ("two\n\n# lines", "`two # lines`"),
        ("x" * 500, f"`{'x' * 139}…`"),
    ],
)
def test_texts_of_a_corpus_stay_texts(text: str, shown: str) -> None:
    assert code(text) == shown

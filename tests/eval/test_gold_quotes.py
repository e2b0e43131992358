from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval import JudgmentsError, evaluate
from groundkit_eval.judgments.anchoring import anchor
from groundkit_eval.judgments.jsonl import read_judgments

Write = Callable[[Sequence[dict[str, Any] | str]], Path]
TOKENS = {"source": "guide/tokens.md", "quote": "A token is valid for ninety days."}
RETRIES = {"source": "guide/retries.md", "quote": "after thirty seconds"}


def line(*gold: dict[str, Any], **fields: Any) -> dict[str, Any]:
    query = {"id": "q", "query": "ninety days", "category": "plain"}
    return {**query, "gold": list(gold), **fields}


def test_grades_and_alternatives_are_anchored(corpus: Path, write_judgments: Write) -> None:
    path = write_judgments([line({"any_of": [RETRIES, TOKENS], "grade": 3})])
    (query,) = anchor(read_judgments(path), corpus)
    (gold,) = query.gold
    assert (gold.grade, gold.text) == (3, RETRIES["quote"])
    assert [place.source for place in gold.places] == ["guide/retries.md", "guide/tokens.md"]


def test_either_alternative_is_the_whole_of_the_gold(corpus: Path, write_judgments: Write) -> None:
    both = evaluate(corpus, write_judgments([line(RETRIES, TOKENS)]))
    either = evaluate(corpus, write_judgments([line({"any_of": [RETRIES, TOKENS]})]))
    assert both.stages[1].measures["recall@10"] == 0.5
    assert either.stages[1].measures["recall@10"] == 1.0
    assert len(either.queries[0].gold) == 1
    assert either.queries[0].gold[0].alternatives[0].source == "guide/tokens.md"


def test_gold_of_grade_zero_alone_leaves_a_query_unanswerable(
    corpus: Path, write_judgments: Write
) -> None:
    result = evaluate(corpus, write_judgments([line({**TOKENS, "grade": 0})]))
    assert (result.judgments.answerable, result.judgments.unanswerable) == (0, 1)


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ({**TOKENS, "any_of": [TOKENS, RETRIES]}, "has source and quote, or any_of"),
        ({"any_of": [TOKENS]}, "gold.0.any_of"),
        ({"quote": "x"}, "has source and quote, or any_of"),
        ({**TOKENS, "grade": 4}, "gold.0.grade"),
        ({**TOKENS, "grade": -1}, "gold.0.grade"),
        ({"any_of": [TOKENS, {**RETRIES, "quote": "none"}]}, "gold.0.any_of.1: the quote is not"),
        ({"any_of": [TOKENS, TOKENS]}, "gold.0.any_of.1: repeats an earlier quote"),
    ],
)
def test_what_is_wrong_with_gold_is_named_with_its_place(
    gold: dict[str, Any], message: str, corpus: Path, write_judgments: Write
) -> None:
    with pytest.raises(JudgmentsError) as caught:
        anchor(read_judgments(write_judgments([line(gold)])), corpus)
    assert message in caught.value.problems[0]


def test_a_draft_is_refused_until_it_is_accepted(corpus: Path, write_judgments: Write) -> None:
    with pytest.raises(JudgmentsError, match=r"judgments\.jsonl:1: q is a draft; look at it"):
        evaluate(corpus, write_judgments([line(TOKENS, accepted=False)]))
    assert evaluate(corpus, write_judgments([line(TOKENS, accepted=True)])).judgments.queries == 1


def test_measures_of_spans_are_reported_when_asked_for(
    corpus: Path, write_judgments: Write
) -> None:
    result = evaluate(corpus, write_judgments([line(TOKENS)]), measures="TokenR@5,IoU@5")
    measures = result.stages[1].measures
    assert measures["TokenR@5"] == 1.0
    assert measures["IoU@5"] is not None
    assert 0 < measures["IoU@5"] < 1
    assert result.stages[1].citations is not None
    assert result.stages[1].citations.shares["verified"] == 1.0
    assert result.stages[0].citations is None

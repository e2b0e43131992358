from __future__ import annotations

import json

import pytest
from tests.eval.synthetic import Values, drawn, made_result, moved

from groundkit_core.errors import RequestError
from groundkit_eval.comparison import Comparison, compare
from groundkit_eval.comparison.pairing import INDEPENDENT
from groundkit_eval.comparison.results import MeasureChange
from groundkit_eval.errors import ResultError
from groundkit_eval.results import EvaluationResult
from groundkit_eval.stages import BASELINE

BASE = drawn(120, seed=1)
BEFORE = moved(BASE, 0.3, 0.0, seed=2)


def result(lexical: Values, **inputs: object) -> EvaluationResult:
    return made_result({"baseline": BASE, "lexical": lexical}, **inputs)  # type: ignore[arg-type]


def change(comparison: Comparison, measure: str = "ndcg@10", stage: int = 0) -> MeasureChange:
    return comparison.stages[stage].measures[measure]


def test_a_change_counts_wins_ties_and_losses_and_is_the_mean_difference() -> None:
    before: Values = {"a": 0.5, "b": 0.5, "c": 1.0, "d": 0.0}
    after: Values = {"a": 1.0, "b": 0.5, "c": 0.0, "d": 0.5}
    one, two = (made_result({"lexical": values}) for values in (before, after))
    found = change(compare(one, two))
    assert (found.wins, found.ties, found.losses) == (2, 1, 1)
    assert (found.queries, found.before, found.after, found.delta) == (4, 0.5, 0.5, 0.0)
    assert (found.p_value, found.verdict) == (1.0, "same")


def test_a_clear_loss_is_significant_and_a_small_one_is_not() -> None:
    loss = compare(result(BEFORE), result(moved(BEFORE, 0.6, -0.4, seed=3)))
    assert change(loss).verdict == "loss"
    assert change(loss).high < 0
    small = compare(result(BEFORE), result(moved(BEFORE, 0.05, 0.0, seed=4)))
    assert change(small).verdict == "same"
    assert change(small).low <= 0 <= change(small).high


def test_equal_results_have_no_difference_and_no_test_counts() -> None:
    found = compare(result(BEFORE), result(BEFORE))
    assert {of.delta for of in found.stages[0].measures.values()} == {0.0}
    assert {of.p_corrected for of in found.stages[0].measures.values()} == {1.0}
    assert found.method.tests == 0
    assert (found.stages[0].gains, found.stages[0].losses, found.stages[0].queries) == ((), (), ())


def test_p_values_are_corrected_for_all_tests_together() -> None:
    found = compare(result(BEFORE), result(moved(BEFORE, 0.3, -0.1, seed=5)))
    alone = compare(result(BEFORE), result(moved(BEFORE, 0.3, -0.1, seed=5)), measures=["ndcg@10"])
    assert (found.method.tests, alone.method.tests) == (2, 1)
    assert change(alone).p_corrected == change(alone).p_value == change(found).p_value
    assert change(found).p_corrected >= change(found).p_value
    assert list(alone.stages[0].measures) == ["ndcg@10"]


def test_the_independent_baseline_is_not_compared_unless_it_is_named() -> None:
    after = result(moved(BEFORE, 0.3, 0.1, seed=6))
    assert [one.stage for one in compare(result(BEFORE), after).stages] == ["lexical"]
    named = compare(result(BEFORE), after, stages=["baseline"])
    assert [one.stage for one in named.stages] == ["baseline"]


def test_the_only_system_of_a_run_is_compared_whatever_its_name() -> None:
    assert INDEPENDENT == BASELINE
    for name in ("baseline", "theirs"):
        one, two = (made_result({name: values}) for values in (BASE, BEFORE))
        assert [stage.stage for stage in compare(one, two).stages] == [name]


def test_two_stages_of_one_result_are_compared() -> None:
    one = result(moved(BASE, 0.5, -0.3, seed=7))
    found = compare(one, one, against="baseline")
    assert [(s.stage, s.against) for s in found.stages] == [("lexical", "baseline")]
    assert change(found).delta == pytest.approx(one.stages[1].delta["ndcg@10"], abs=2e-6)  # type: ignore[index]


def test_the_largest_gains_and_losses_show_what_was_expected_and_found() -> None:
    after = result(moved(BEFORE, 0.6, -0.2, seed=8))
    stage = compare(result(BEFORE), after).stages[0]
    losses = [lost.delta for lost in stage.losses]
    assert len(losses) == 10
    assert losses == sorted(losses)
    assert losses[0] == min(after_ - BEFORE[i] for i, after_ in moved(BEFORE, 0.6, -0.2, 8).items())
    assert all(won.delta > 0 for won in stage.gains)
    worst = stage.losses[0]
    assert (worst.gold[0].source, worst.gold[0].excerpt[:4]) == ("a.md", "gold")
    assert [passage.source for passage in worst.passages_after] == ["0.md", "1.md", "2.md"]
    assert worst.passages_before[0].excerpt.startswith("passage ")
    assert worst.passages_before[0].heading.startswith("H")
    assert (worst.passages_before[0].relevant, worst.passages_after[0].relevant) == (
        worst.before > 0,
        worst.after > 0,
    )


def test_abstaining_counts_for_unanswerable_queries_and_against_for_answerable_ones() -> None:
    before = result(BEFORE, unanswerable=40)
    found = compare(before, answering(before))
    assert change(found, "abstained").queries == 40
    assert (change(found, "abstained").delta, change(found, "abstained").verdict) == (-0.5, "loss")
    wrongly = change(found, "wrongly_abstained")
    assert (wrongly.queries, wrongly.delta, wrongly.losses, wrongly.verdict) == (
        120,
        1.0,
        120,
        "loss",
    )


def answering(result: EvaluationResult) -> EvaluationResult:
    """Return the result with every query answered that was not, and the other way round."""
    queries = tuple(
        query.model_copy(
            update={
                "stages": {
                    name: answer.model_copy(
                        update={"status": "NO_RELEVANT_CONTEXT" if query.gold else "OK"}
                    )
                    for name, answer in query.stages.items()
                }
            }
        )
        for query in result.queries
    )
    return result.model_copy(update={"queries": queries})


def test_categories_and_auroc_are_compared() -> None:
    after = result(moved(BEFORE, 0.5, -0.2, seed=9), unanswerable=4)
    stage = compare(result(BEFORE, unanswerable=4), after).stages[0]
    assert set(stage.categories) == {"identifier", "negation", "paraphrase", "unanswerable"}
    for name in ("identifier", "negation", "paraphrase"):
        found = stage.categories[name]["ndcg@10"]
        assert found.queries == 40
        assert found.after == pytest.approx(after.stages[1].categories[name]["ndcg@10"], abs=2e-6)
    assert (stage.auroc.before, stage.auroc.delta) == (0.8, 0.0)


def test_different_judgments_are_refused_unless_the_shared_queries_are_asked_for() -> None:
    before = result(BEFORE)
    fewer = dict(list(BEFORE.items())[:100])
    after = made_result({"baseline": fewer, "lexical": fewer}, judgments="other")
    with pytest.raises(ResultError, match="--allow-different-judgments"):
        compare(before, after)
    found = compare(before, after, allow_different_judgments=True)
    assert (found.queries, found.left_out) == (100, 20)
    assert found.notes == ("The judgments differ; 20 queries that are not in both do not count.",)


def test_a_query_that_was_asked_in_other_words_is_not_paired() -> None:
    before = result(BEFORE)
    first = before.queries[0].model_copy(update={"query": "something else"})
    after = before.model_copy(update={"queries": (first, *before.queries[1:])})
    found = compare(before, after)
    assert (found.queries, found.left_out) == (119, 2)


def test_results_without_a_common_query_or_stage_are_refused() -> None:
    other = made_result({"baseline": {"x": 1.0}, "lexical": {"x": 1.0}})
    with pytest.raises(ResultError, match="no query in common"):
        compare(result(BEFORE), other)
    with pytest.raises(ResultError, match="no two stages"):
        compare(result(BEFORE), made_result({"baseline": BASE, "dense": BASE}))


def test_different_corpora_are_said() -> None:
    found = compare(result(BEFORE), result(BEFORE, corpus="other"))
    (note,) = found.notes
    assert note.startswith("The corpora differ: 3 documents in 9 chunks before")


@pytest.mark.parametrize(
    "names",
    [{"stages": ["dense"]}, {"against": "dense"}, {"measures": ["mrr"]}, {"by": "mrr"}],
)
def test_what_is_not_there_is_named_with_what_is(names: dict[str, object]) -> None:
    with pytest.raises(
        RequestError, match=r"^there is no (stage 'dense'|measure 'mrr'); .* lexical|ndcg"
    ):
        compare(result(BEFORE), result(BEFORE), **names)  # type: ignore[arg-type]


def test_equal_results_give_equal_bytes_whatever_the_order_of_their_queries() -> None:
    before, after = result(BEFORE), result(moved(BEFORE, 0.4, -0.1, seed=10))
    turned = after.model_copy(update={"queries": tuple(reversed(after.queries))})
    written = [without_timings(compare(before, one)) for one in (after, after, turned)]
    assert written[0] == written[1] == written[2]


def without_timings(comparison: Comparison) -> str:
    found = json.loads(comparison.to_json())
    del found["timings"]
    return json.dumps(found)


def test_the_comparison_survives_json() -> None:
    found = compare(result(BEFORE), result(moved(BEFORE, 0.4, -0.1, seed=10)))
    assert Comparison.model_validate_json(found.to_json()) == found

from __future__ import annotations

import pytest
from tests.eval.synthetic import drawn, made_result, moved

from groundkit_core.errors import RequestError
from groundkit_eval.comparison import compare
from groundkit_eval.errors import GateError
from groundkit_eval.gates import (
    Gate,
    GateResult,
    check_gates,
    check_names,
    parse_gate,
    refuse_failed,
)
from groundkit_eval.results import EvaluationResult, Latency

BASE = drawn(90, seed=1)


def result(shift: float = 0.0, p95: float = 4.0) -> EvaluationResult:
    """A result whose queries lost so much, but for those of the category `identifier`."""
    shifted = {
        id_: value if number % 3 == 0 else max(0.0, round(value - shift, 6))
        for number, (id_, value) in enumerate(BASE.items())
    }
    made = made_result({"baseline": BASE, "lexical": shifted, "hybrid": BASE}, unanswerable=10)
    latency = Latency(p50_ms=1.0, p95_ms=p95)
    timings = made.timings.model_copy(
        update={"stages": dict.fromkeys(made.timings.stages, latency)}
    )
    return made.model_copy(update={"timings": timings})


def check(gate: str, shift: float = 0.0, p95: float = 4.0) -> tuple[GateResult, ...]:
    return check_gates([parse_gate(gate)], compare(result(), result(shift, p95)))


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        ("ndcg@10>=-0.01", Gate("ndcg@10>=-0.01", "ndcg@10", "", "", ">=", -0.01)),
        (" ndcg@10 >= -.5 ", Gate("ndcg@10 >= -.5", "ndcg@10", "", "", ">=", -0.5)),
        (
            "hybrid:ndcg@10[two words]>=0",
            Gate("hybrid:ndcg@10[two words]>=0", "ndcg@10", "hybrid", "two words", ">=", 0.0),
        ),
        ("p95_ms<=1.2x", Gate("p95_ms<=1.2x", "p95_ms", "", "", "<=", 1.2, ratio=True)),
        ("P(rel=2)@5>=+1", Gate("P(rel=2)@5>=+1", "P(rel=2)@5", "", "", ">=", 1.0)),
        ("significant", Gate("significant", "significant")),
    ],
)
def test_a_gate_is_read(text: str, gate: Gate) -> None:
    assert parse_gate(text) == gate


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "neither >= nor <="),
        ("ndcg@10", "neither >= nor <="),
        ("ndcg@10>0", "neither >= nor <="),
        ("ndcg@10==0", "neither >= nor <="),
        ("ndcg@10>=", "no number"),
        ("ndcg@10>=a", "no number"),
        ("ndcg@10>=nan", "no number"),
        ("ndcg@10>=1e3", "no number"),
        ("ndcg@10>=1%", "no number"),
        ("ndcg@10>=1.2 x", "no number"),
        ("p95_ms<=-1x", "not above 0"),
        ("p95_ms<=0x", "not above 0"),
        (">=0", "names no measure"),
        ("hybrid:>=0", "names no measure"),
        (":ndcg@10>=0", "no stage before the colon"),
        ("ndcg@10[]>=0", "no category"),
        ("ndcg@10[a>=0", "does not close"),
        ("a b>=0", "names no measure"),
        ("ndcg@10>=0>=1", "names no measure"),
    ],
)
def test_what_is_no_gate_is_said_in_one_line(text: str, problem: str) -> None:
    with pytest.raises(RequestError, match=problem) as caught:
        parse_gate(text)
    assert "\n" not in str(caught.value)
    assert "ndcg@10>=-0.01" in str(caught.value)


def test_a_gate_holds_for_every_stage_or_for_the_one_it_names() -> None:
    every = check("ndcg@10>=-0.01", shift=0.2)
    assert [(one.subject, one.passed) for one in every] == [
        ("lexical ndcg@10", False),
        ("hybrid ndcg@10", True),
    ]
    (one,) = check("hybrid:ndcg@10>=-0.01", shift=0.2)
    assert one.passed


def test_a_gate_that_is_just_kept_is_kept() -> None:
    delta = compare(result(), result(0.2)).stages[0].measures["ndcg@10"].delta
    assert check(f"lexical:ndcg@10>={delta}", shift=0.2)[0].passed
    assert not check(f"lexical:ndcg@10>={delta + 0.000001:.6f}", shift=0.2)[0].passed


def test_a_failed_gate_names_the_queries_that_lost_most() -> None:
    (failed,) = check("lexical:ndcg@10>=0", shift=0.2)
    assert len(failed.worst) == 5
    assert set(failed.worst) <= set(BASE)
    with pytest.raises(GateError, match=rf"^1 gate failed: .*worst {failed.worst[0]}, "):
        refuse_failed([failed])


def test_kept_gates_refuse_nothing() -> None:
    refuse_failed(check("ndcg@10>=-0.5", shift=0.2))


def test_a_category_is_held_by_itself() -> None:
    assert check("lexical:ndcg@10[identifier]>=0", shift=0.2)[0].passed
    (failed,) = check("lexical:ndcg@10[paraphrase]>=-0.02", shift=0.2)
    assert not failed.passed
    assert failed.subject == "lexical ndcg@10 [paraphrase]"
    paraphrases = {id_ for number, id_ in enumerate(BASE) if number % 3 == 1}
    assert set(failed.worst) <= paraphrases


def test_latency_is_held_to_a_ratio_and_abstention_to_a_difference() -> None:
    assert check("lexical:p95_ms<=1.2x", p95=4.8)[0].passed
    (slow,) = check("lexical:p95_ms<=1.2x", p95=4.9)
    assert (slow.passed, slow.found) == (False, "1.23x, 4.0 before and 4.9 after")
    for gate in ("abstained>=0", "wrongly_abstained<=0", "auroc>=-0.01"):
        assert all(one.passed for one in check(gate))


def test_the_gate_on_significance_fails_for_a_significant_loss_only() -> None:
    (kept,) = check("significant", shift=0.0)
    assert (kept.passed, kept.found) == (True, "no significant loss in 0 tests")
    failed = check("significant", shift=0.3)
    assert {one.subject for one in failed} == {"lexical recall@5", "lexical ndcg@10"}
    assert not any(one.passed for one in failed)
    gain = compare(result(0.3), result())
    assert gain.stages[0].measures["ndcg@10"].verdict == "gain"
    assert check_gates([parse_gate("significant")], gain)[0].passed


def test_measures_are_named_in_any_case() -> None:
    assert check("hybrid:nDCG@10>=0")[0].subject == "hybrid ndcg@10"


@pytest.mark.parametrize(
    ("gate", "known"),
    [
        ("dense:ndcg@10>=0", "known are lexical, hybrid"),
        ("baseline:ndcg@10>=0", "known are lexical, hybrid"),
        ("mrr@10>=0", "known are recall@5, ndcg@10, wrongly_abstained, abstained, auroc"),
        ("ndcg@10[cjk]>=0", "known are identifier, negation, paraphrase, unanswerable"),
        ("p95_ms[identifier]<=1.2x", "known are recall@5, ndcg@10, wrongly_abstained"),
        ("ndcg@10[unanswerable]>=0", "known are abstained"),
    ],
)
def test_what_a_gate_cannot_name_is_told_before_and_after_a_run(gate: str, known: str) -> None:
    with pytest.raises(RequestError, match=known):
        check_names([parse_gate(gate)], result())
    with pytest.raises(RequestError, match="there is no"):
        check(gate)


def test_a_gate_without_a_value_fails() -> None:
    plain = made_result({"baseline": BASE, "lexical": moved(BASE, 0.2, 0.0, seed=2)})
    (failed,) = check_gates(
        [parse_gate("auroc>=-0.1")], compare(plain, plain, stages=["lexical"], against="baseline")
    )
    assert (failed.passed, failed.found) == (False, "no value to hold to it")

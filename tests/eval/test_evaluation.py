from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundkit_core.errors import GroundkitError
from groundkit_eval import EvaluationResult, JudgmentsError, LeakError, evaluate
from groundkit_eval.results import QueryAnswer

WriteCorpus = Callable[[dict[str, str | bytes]], Path]
Write = Callable[[Sequence[dict[str, Any] | str]], Path]


@pytest.fixture
def result(result_json: str) -> EvaluationResult:
    return EvaluationResult.model_validate_json(result_json)


def answer(result: EvaluationResult, query: str, stage: str) -> QueryAnswer:
    return next(q for q in result.queries if q.id == query).stages[stage]


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in files}


def test_every_stage_finds_what_is_there_to_find(result: EvaluationResult) -> None:
    assert [stage.name for stage in result.stages] == ["baseline", "lexical"]
    for stage in result.stages:
        assert stage.measures["recall@10"] == 1.0
        assert stage.categories["cjk"]["ndcg@10"] == 1.0
        assert stage.categories["unanswerable"]["ndcg@10"] is None
        assert stage.abstention.unanswerable == 1.0
        assert stage.abstention.answerable == 0.0


def test_counts_say_what_was_asked_of_what(result: EvaluationResult) -> None:
    assert (result.corpus.documents, result.corpus.refused) == (6, {})
    assert result.judgments.queries == 6
    assert (result.judgments.answerable, result.judgments.unanswerable) == (5, 1)
    assert list(result.judgments.categories.items()) == [
        ("cjk", 1),
        ("identifier", 2),
        ("paraphrase", 1),
        ("two places", 1),
        ("unanswerable", 1),
    ]


def test_the_delta_is_the_stage_minus_the_baseline(result: EvaluationResult) -> None:
    baseline, lexical = result.stages
    assert baseline.delta is None
    assert lexical.delta is not None
    for name, value in lexical.measures.items():
        base = baseline.measures[name]
        assert value is not None
        assert base is not None
        assert lexical.delta[name] == pytest.approx(value - base, abs=1e-6)


def test_ranked_chunks_say_where_they_stand_and_what_they_cover(
    result: EvaluationResult, corpus: Path
) -> None:
    found = answer(result, "identifier", "lexical")
    text = (corpus / "src/lease.py").read_text(encoding="utf-8")
    best = found.ranked[0]
    assert best.source == "src/lease.py"
    assert "def renewLease" in text[best.start : best.end]
    assert (best.covers, found.first_relevant_rank) == ((0,), 1)


def test_a_query_searches_the_class_it_names_and_else_all_but_config(
    result: EvaluationResult,
) -> None:
    for stage in ("baseline", "lexical"):
        named = answer(result, "gateway-body", stage)
        assert {chunk.source for chunk in named.ranked} == {"config/kite.toml"}
        for query in result.queries:
            if query.source_class == "all":
                sources = {chunk.source for chunk in query.stages[stage].ranked}
                assert "config/kite.toml" not in sources


def test_an_unanswerable_query_has_a_status_but_no_measures(result: EvaluationResult) -> None:
    nothing = answer(result, "nothing", "lexical")
    assert (nothing.status, nothing.first_relevant_rank) == ("NO_RELEVANT_CONTEXT", None)
    assert (nothing.ranked, nothing.measures) == ((), {})


def test_an_answerable_query_that_is_abstained_from_counts_as_wrong(
    corpus: Path, write_judgments: Write
) -> None:
    gold = [{"source": "guide/tokens.md", "quote": "ninety days"}]
    lines = [
        {"id": "lost", "query": "zeppelin", "category": "plain", "gold": gold},
        {"id": "found", "query": "ninety days", "category": "plain", "gold": gold},
    ]
    lexical = evaluate(corpus, write_judgments(lines)).stages[1]
    assert lexical.abstention.answerable == 0.5
    assert lexical.abstention.unanswerable is None
    assert lexical.measures["ndcg@10"] == 0.5


def test_equal_inputs_give_equal_bytes_but_for_the_timings_wherever_they_lie(
    result_json: str, corpus: Path, judgments: Path
) -> None:
    code = (
        "import sys; from groundkit_eval import evaluate; print(evaluate(*sys.argv[1:]).to_json())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, corpus, judgments],
        env={**os.environ, "PYTHONHASHSEED": "7", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    first, second = json.loads(result_json), json.loads(done.stdout)
    assert set(first) == set(second) > {"schema", "timings"}
    for document in (first, second):
        del document["timings"]
    assert json.dumps(first) == json.dumps(second)


def test_the_result_survives_json(result: EvaluationResult) -> None:
    text = result.to_json()
    assert json.loads(text)["schema"] == "groundkit-eval/2"
    assert EvaluationResult.model_validate_json(text) == result


def test_digests_name_the_inputs(result: EvaluationResult, corpus: Path, judgments: Path) -> None:
    assert result.judgments.sha256 == hashlib.sha256(judgments.read_bytes()).hexdigest()
    (corpus / "guide/tokens.md").write_text("A token is valid for ninety days.", encoding="utf-8")
    assert evaluate(corpus, judgments).corpus.sha256 != result.corpus.sha256


def test_nothing_is_written_to_the_corpus(corpus: Path, judgments: Path) -> None:
    before = snapshot(corpus)
    evaluate(corpus, judgments)
    assert snapshot(corpus) == before


def test_settings_beside_the_corpus_or_in_the_environment_change_nothing(
    corpus: Path, judgments: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = evaluate(corpus, judgments)
    monkeypatch.setenv("GROUNDKIT_CHUNK_TARGET", "50")
    monkeypatch.chdir(corpus.parent)
    Path("groundkit.toml").write_text("chunk_cap = 60\n", encoding="utf-8")
    found = evaluate(corpus, judgments)
    assert found.settings == expected.settings
    assert found.corpus == expected.corpus


def test_a_refused_file_is_reported_and_the_rest_is_measured(corpus: Path, judgments: Path) -> None:
    (corpus / "bad.md").write_bytes(b"a\0b")
    result = evaluate(corpus, judgments)
    assert list(result.corpus.refused) == ["bad.md"]
    assert result.corpus.documents == 6


def test_a_corpus_that_holds_a_question_is_refused(corpus: Path, judgments: Path) -> None:
    (corpus / "faq.md").write_text(
        "Q: How long until a failed job is tried again?\n", encoding="utf-8"
    )
    with pytest.raises(LeakError, match=r"^faq\.md holds the text of query retry-delay \(line 1 "):
        evaluate(corpus, judgments)


def test_judgments_inside_the_corpus_are_refused(corpus: Path, judgments: Path) -> None:
    inside = corpus / "judgments.jsonl"
    inside.write_bytes(judgments.read_bytes())
    with pytest.raises(LeakError, match="lies inside the corpus"):
        evaluate(corpus, inside)


def test_gold_in_a_class_that_is_not_searched_is_an_error(
    corpus: Path, write_judgments: Write
) -> None:
    gold = [{"source": "config/kite.toml", "quote": "max_body_megabytes = 12"}]
    path = write_judgments([{"id": "q", "query": "body", "category": "plain", "gold": gold}])
    with pytest.raises(JudgmentsError, match=r"judgments\.jsonl:1: gold\.0: config/kite\.toml is"):
        evaluate(corpus, path)


@pytest.mark.parametrize(
    "files", [{}, {"picture.png": b"\x89PNG"}, {"nul.md": b"\0"}, {"empty.md": b""}]
)
def test_a_corpus_without_a_document_is_refused(
    files: dict[str, str | bytes], write_corpus: WriteCorpus, write_judgments: Write
) -> None:
    path = write_judgments([{"id": "q", "query": "body", "category": "plain", "gold": []}])
    with pytest.raises(GroundkitError):
        evaluate(write_corpus(files), path)


def test_judgments_of_unanswerable_queries_only_have_no_measures(
    corpus: Path, write_judgments: Write
) -> None:
    path = write_judgments([{"id": "q", "query": "zeppelin", "category": "none", "gold": []}])
    result = evaluate(corpus, path)
    assert set(result.stages[1].measures.values()) == {None}
    assert result.stages[1].delta is not None
    assert set(result.stages[1].delta.values()) == {None}
    assert result.stages[1].abstention.unanswerable == 1.0


def test_progress_tells_how_far_each_stage_is(corpus: Path, judgments: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    evaluate(corpus, judgments, progress=lambda *step: seen.append(step))
    assert ("baseline", 6, 6) in seen
    assert ("lexical", 6, 6) in seen
    assert any(stage not in {"baseline", "lexical"} for stage, _, _ in seen)

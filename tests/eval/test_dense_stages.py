from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundkit_core.errors import EmbeddingError, SettingsError
from groundkit_eval import EvaluationError, EvaluationResult, LeakError, evaluate, to_markdown
from groundkit_index.embedders import EmbedderSettings
from groundkit_retrieval.rerank import RerankerSettings
from groundkit_retrieval.tuning import RankingChoice

RunCommand = Callable[..., Any]
HASH = EmbedderSettings("hash")


def names(result: EvaluationResult) -> list[str]:
    return [stage.name for stage in result.stages]


@pytest.fixture(scope="module")
def hashed(tmp_path_factory: pytest.TempPathFactory, example: Callable[[Path], Any]) -> Any:
    corpus, judgments = example(tmp_path_factory.mktemp("hashed"))
    return evaluate(corpus, judgments, embedder=HASH)


def test_an_embedder_adds_the_dense_and_the_hybrid_stage(hashed: EvaluationResult) -> None:
    assert names(hashed) == ["baseline", "lexical", "dense", "hybrid"]
    for stage in hashed.stages[2:]:
        assert stage.delta is not None
        assert stage.measures["recall@10"] is not None
        assert stage.measures["recall@10"] > 0.5
        assert hashed.timings.stages[stage.name].p50_ms > 0


def test_without_one_nothing_is_embedded_and_the_result_says_so(
    corpus: Path, judgments: Path
) -> None:
    result = evaluate(corpus, judgments)
    assert names(result) == ["baseline", "lexical"]
    settings = result.settings
    assert (settings.embedding, settings.fusion, settings.reranker) == (None, None, None)


def test_the_settings_are_recorded(hashed: EvaluationResult) -> None:
    bound = hashed.settings.embedding
    assert bound is not None
    assert (bound.provider, bound.model, bound.dimensions) == ("hash", "words", 256)
    assert hashed.settings.fusion is not None
    assert (hashed.settings.fusion.method, hashed.settings.fusion.alpha) == ("weighted", 0.3)


def test_the_fusion_that_is_chosen_is_the_one_that_joins(corpus: Path, judgments: Path) -> None:
    def ranked(choice: RankingChoice, stage: str) -> list[list[str]]:
        result = evaluate(corpus, judgments, embedder=HASH, ranking=choice)
        return [[c.chunk_id for c in query.stages[stage].ranked] for query in result.queries]

    dense_only = RankingChoice("weighted", 1.0)
    assert [row[:1] for row in ranked(dense_only, "hybrid")] == [
        row[:1] for row in ranked(dense_only, "dense")
    ]
    result = evaluate(corpus, judgments, embedder=HASH, ranking=RankingChoice("rrf"))
    assert result.settings.fusion is not None
    assert (result.settings.fusion.method, result.settings.fusion.alpha) == ("rrf", None)


def test_the_gate_is_measured_where_there_are_unanswerable_queries(
    hashed: EvaluationResult, corpus: Path, write_judgments: Callable[[Any], Path]
) -> None:
    by_name = {stage.name: stage.abstention.auroc for stage in hashed.stages}
    assert by_name["baseline"] is None
    for stage in ("lexical", "dense", "hybrid"):
        assert by_name[stage] is not None
    for query in hashed.queries:
        assert query.stages["baseline"].probability is None
        assert 0 <= (query.stages["hybrid"].probability or -1) <= 1
    gold = [{"source": "guide/tokens.md", "quote": "ninety days"}]
    answerable = {"id": "q", "query": "ninety days", "category": "plain", "gold": gold}
    result = evaluate(corpus, write_judgments([answerable]))
    assert {stage.abstention.auroc for stage in result.stages} == {None}
    assert "AUROC" not in to_markdown(result)


def test_the_auroc_is_that_of_the_probabilities_in_the_result(hashed: EvaluationResult) -> None:
    stage = next(stage for stage in hashed.stages if stage.name == "lexical")
    said: dict[bool, list[float]] = {True: [], False: []}
    for query in hashed.queries:
        value = query.stages["lexical"].probability
        assert value is not None
        said[bool(query.gold)].append(value)
    pairs = [(a > b) + (a == b) / 2 for a in said[True] for b in said[False]]
    assert stage.abstention.auroc == pytest.approx(sum(pairs) / len(pairs))


def test_tables_show_setup_stages_and_auroc(hashed: EvaluationResult) -> None:
    shown = to_markdown(hashed)
    assert "Embedder hash words (256 dimensions); weighted fusion with alpha 0.3." in shown
    header, dense = (
        next(line for line in shown.splitlines() if line.startswith(begin))
        for begin in ("| stage |", "| dense |")
    )
    assert "AUROC" in header
    assert header.count("|") == dense.count("|")
    assert "`hybrid`: groundkit search --mode hybrid" in shown


def test_a_result_of_before_the_dense_stages_is_still_read(hashed: EvaluationResult) -> None:
    old = json.loads(hashed.to_json())
    for name in ("embedding", "fusion", "reranker"):
        del old["settings"][name]
    for stage in old["stages"]:
        del stage["abstention"]["auroc"]
    for query in old["queries"]:
        for answer in query["stages"].values():
            del answer["probability"]
    read = EvaluationResult.model_validate_json(json.dumps(old))
    assert "AUROC" not in to_markdown(read)
    assert "Embedder" not in to_markdown(read)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"embedder": EmbedderSettings("nothing")}, "no embedding provider 'nothing'"),
        ({"reranker": RerankerSettings("nothing")}, "no reranker 'nothing'"),
        ({"reranker": RerankerSettings("maxsim")}, "maxsim reranker needs"),
        ({"reranker": RerankerSettings("maxsim"), "embedder": HASH}, "maxsim reranker needs"),
        ({"ranking": RankingChoice("rrf")}, "need an embedder"),
        ({"ranking": RankingChoice(alpha=0.4)}, "need an embedder"),
        ({"ranking": RankingChoice("rrf", 0.4), "embedder": HASH}, "leave it out with 'rrf'"),
        ({"ranking": RankingChoice(alpha=1.5), "embedder": HASH}, "between 0 and 1"),
        ({"embedder": EmbedderSettings("onnx", model="nowhere")}, "nowhere"),
    ],
)
def test_what_was_asked_for_and_cannot_be_is_an_error_before_anything_is_indexed(
    options: dict[str, Any], message: str, corpus: Path, judgments: Path
) -> None:
    stages: list[str] = []
    with pytest.raises((SettingsError, EmbeddingError), match=message):
        evaluate(corpus, judgments, progress=lambda stage, *_: stages.append(stage), **options)
    assert stages == []


def test_a_leak_is_found_before_anything_is_embedded(
    corpus: Path, judgments: Path, model_server: Any
) -> None:
    (corpus / "faq.md").write_text("How long until a failed job is tried again?", encoding="utf-8")
    model_server.left = 5
    with pytest.raises(LeakError):
        evaluate(corpus, judgments, embedder=model_server.settings)


def test_a_model_that_fails_during_the_evaluation_is_an_error_and_no_number(
    corpus: Path, judgments: Path, model_server: Any
) -> None:
    result = evaluate(corpus, judgments, embedder=model_server.settings)
    assert result.settings.embedding is not None
    model_server.left = result.corpus.chunks + 10
    with pytest.raises(
        EvaluationError, match=r"dense failed in a .* search, so nothing is measured"
    ):
        evaluate(corpus, judgments, embedder=model_server.settings)


def test_a_server_that_is_down_is_one_line_that_names_it(
    run_command: RunCommand, corpus: Path, judgments: Path, model_server: Any
) -> None:
    endpoint = model_server.settings.endpoint
    model_server.close()
    arguments = ("--corpus", corpus, "--judgments", judgments, "--embedder", "ollama")
    done = run_command("run", *arguments, "--endpoint", endpoint)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert endpoint in done.err
    assert "ollama serve" in done.err


def test_the_command_measures_the_stages_that_the_flags_name(
    run_command: RunCommand, corpus: Path, judgments: Path, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    arguments = ("--corpus", corpus, "--judgments", judgments, "--json", out)
    done = run_command("run", *arguments, "--embedder", "hash", "--alpha", "0.7")
    assert (done.code, done.err) == (0, "")
    assert "weighted fusion with alpha 0.7." in done.out
    assert any(line.startswith("hybrid ") for line in done.out.splitlines())
    result = json.loads(out.read_text(encoding="utf-8"))
    assert [stage["name"] for stage in result["stages"]][2:] == ["dense", "hybrid"]
    assert run_command("table", out).code == 0


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--model", "m"], "need --embedder"),
        (["--endpoint", "http://127.0.0.1:1"], "need --embedder"),
        (["--api-key-env", "KEY"], "need --embedder"),
        (["--reranker-model", "m"], "needs --reranker"),
        (["--embedder", "hash", "--alpha", "2"], "--alpha"),
        (["--embedder", "hash", "--fusion", "sum"], "--fusion"),
        (["--fusion", "rrf"], "need an embedder"),
        (["--embedder", "hash", "--reranker", "maxsim"], "maxsim"),
        (["--embedder", "nothing"], "nothing"),
    ],
)
def test_flags_that_do_not_fit_are_one_line_and_exit_code_two(
    flags: list[str], message: str, run_command: RunCommand, corpus: Path, judgments: Path
) -> None:
    done = run_command("run", "--corpus", corpus, "--judgments", judgments, *flags)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert message in done.err


def test_real_weights_find_by_meaning_and_rerank(
    corpus: Path, judgments: Path, minilm: Path, tmp_path: Path
) -> None:
    result = evaluate(
        corpus,
        judgments,
        embedder=EmbedderSettings("onnx", model=str(minilm)),
        reranker=RerankerSettings("maxsim"),
    )
    assert names(result) == ["baseline", "lexical", "dense", "hybrid", "hybrid+rerank"]
    for stage in result.stages[2:]:
        assert stage.categories["paraphrase"]["mrr@10"] == 1.0
    assert result.settings.embedding is not None
    assert result.settings.embedding.dimensions == 384
    assert result.settings.reranker is not None
    assert result.settings.reranker.provider == "maxsim"
    assert str(minilm.parent) not in result.to_json()
    assert to_markdown(result).count("reranker maxsim.") == 1


def test_a_reranker_with_its_own_model_needs_no_embedder(
    corpus: Path, judgments: Path, minilm: Path
) -> None:
    reranker = RerankerSettings("maxsim", model=str(minilm))
    result = evaluate(corpus, judgments, reranker=reranker)
    assert names(result) == ["baseline", "lexical", "lexical+rerank"]
    assert result.stages[2].measures["recall@10"] == 1.0
    assert result.settings.reranker is not None
    assert result.settings.reranker.model == minilm.name

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.eval.synthetic import drawn, made_result, moved

RunCommand = Callable[..., Any]
BASE = drawn(120, seed=1)
BEFORE = moved(BASE, 0.3, 0.0, seed=2)
AFTER = moved(BEFORE, 0.5, -0.3, seed=3)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Two results; the second lost."""
    paths = (tmp_path / "before.json", tmp_path / "after.json")
    for path, values in zip(paths, (BEFORE, AFTER), strict=True):
        result = made_result({"baseline": BASE, "lexical": values}, unanswerable=6)
        path.write_text(result.to_json(), encoding="utf-8")
    return paths


def one_line(done: Any, code: int) -> str:
    assert (done.code, done.err.count("\n")) == (code, 1), done.err
    return str(done.err)


def test_compare_prints_differences_losses_and_gains(
    run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    done = run_command("compare", *files)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("126 queries paired. Paired randomisation test, p corrected for ")
    (row,) = [line for line in done.out.splitlines() if line.startswith("lexical   ndcg@10")]
    assert "significant loss" in row
    assert "lexical: largest losses in ndcg@10" in done.out
    assert done.out.count("    expected  a.md  gold ") >= 10
    assert "    baseline* 0.md  passage " in done.out


def test_compare_writes_json(run_command: RunCommand, files: tuple[Path, Path]) -> None:
    assert run_command("compare", *files, "--json", "out.json").code == 0
    found = json.loads(Path("out.json").read_text(encoding="utf-8"))
    assert found["schema"] == "groundkit-eval-comparison/1"
    assert found["stages"][0]["measures"]["ndcg@10"]["verdict"] == "loss"


def test_the_stages_of_one_result_are_compared_with_the_first_or_a_named_one(
    run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    alone = run_command("compare", files[1])
    assert any(line.startswith("lexical   baseline   ndcg@10") for line in alone.out.splitlines())
    named = run_command("compare", files[1], "--stage", "baseline", "--against", "lexical")
    assert any(line.startswith("baseline   lexical   ndcg@10") for line in named.out.splitlines())


def test_measures_are_chosen(run_command: RunCommand, files: tuple[Path, Path]) -> None:
    done = run_command("compare", *files, "--measure", "recall@5", "--by", "recall@5")
    assert "corrected for 1 test by" in done.out
    assert "ndcg@10" not in done.out


def test_a_gate_that_is_not_kept_fails_and_names_the_queries(
    run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    done = run_command("compare", *files, "--gate", "ndcg@10>=-0.01", "--gate", "significant")
    said = one_line(done, 1)
    assert said.startswith("groundkit-eval: 3 gates failed: ndcg@10>=-0.01 (lexical ndcg@10: -0.")
    assert "; worst q00" in said
    assert "FAILED" in done.out
    kept = run_command("compare", *files, "--gate", "ndcg@10>=-0.9")
    assert (kept.code, kept.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--gate", "ndcg@10"], "neither >= nor <="),
        (["--gate", "mrr@10>=0"], "there is no measure 'mrr@10'"),
        (["--stage", "dense"], "there is no stage 'dense'"),
        (["--measure", "mrr"], "there is no measure 'mrr'"),
        (["--bogus"], "--bogus"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_two(
    arguments: list[str], message: str, run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    assert message in one_line(run_command("compare", *files, *arguments), 2)


def test_other_judgments_are_refused_or_the_shared_queries_compared(
    run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    other = made_result({"baseline": BASE, "lexical": AFTER}, judgments="other")
    files[1].write_text(other.to_json(), encoding="utf-8")
    assert "--allow-different-judgments" in one_line(run_command("compare", *files), 1)
    done = run_command("compare", *files, "--allow-different-judgments")
    assert done.code == 0
    assert "The judgments differ; 6 queries that are not in both do not count." in done.out


def test_a_file_that_is_no_result_is_one_line(
    run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    files[1].write_text('{"schema": "groundkit-eval/9"}', encoding="utf-8")
    said = one_line(run_command("compare", *files), 1)
    assert "after.json is not a result of schema groundkit-eval/2 or older" in said


def test_run_holds_to_a_baseline(
    run_command: RunCommand, corpus: Path, judgments: Path, tmp_path: Path
) -> None:
    asked = ("run", "--corpus", corpus, "--judgments", judgments)
    assert run_command(*asked, "--json", "base.json").code == 0
    gates = ("--gate", "ndcg@10>=-0.01", "--gate", "ndcg@10[cjk]>=0", "--gate", "p95_ms<=1000x")
    kept = run_command(*asked, "--baseline", "base.json", *gates)
    assert (kept.code, kept.err) == (0, "")
    assert "no significant loss in 0 tests" in kept.out
    assert kept.out.count(" kept ") == 4
    harder = run_command(*asked, "--baseline", "base.json", "--gate", "ndcg@10>=0.01")
    assert "1 gate failed: ndcg@10>=0.01 (lexical ndcg@10: +0.000" in one_line(harder, 1)
    assert harder.out.startswith("6 queries ")


def improve(path: Path, ndcg: float) -> None:
    """Rewrite a result as if every query had had this nDCG."""
    result = json.loads(path.read_text(encoding="utf-8"))
    for query in result["queries"]:
        answer = query["stages"]["lexical"]
        if answer["measures"]:
            answer["measures"]["ndcg@10"] = ndcg
    path.write_text(json.dumps(result), encoding="utf-8")


def test_a_significant_loss_fails_a_run_by_itself_unless_it_is_ignored(
    run_command: RunCommand, corpus: Path, write_judgments: Callable[[Any], Path]
) -> None:
    gold = [{"source": "guide/tokens.md", "quote": "ninety days"}]
    words = "retries backoff failed job tried thirty seconds minutes six parked person"
    lines = [
        {"id": f"q{number}", "query": word, "category": "lost", "gold": gold}
        for number, word in enumerate(words.split())
    ]
    asked = ("run", "--corpus", corpus, "--judgments", write_judgments(lines))
    assert run_command(*asked, "--json", "base.json").code == 0
    improve(Path("base.json"), ndcg=1.0)
    done = run_command(*asked, "--baseline", "base.json", "--json", "new.json")
    said = one_line(done, 1)
    assert "1 gate failed: significant (lexical ndcg@10: -0.943, p 0.0010; worst q0, " in said
    assert "lexical: largest losses in ndcg@10" in done.out
    assert Path("new.json").is_file()
    assert run_command(*asked, "--baseline", "base.json", "--ignore-significance").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--gate", "ndcg@10>=0"], 2, "need --baseline FILE"),
        (["--allow-different-judgments"], 2, "need --baseline FILE"),
        (["--baseline", "before.json", "--json", "before.json"], 2, "overwrite the baseline"),
        (["--baseline", "nowhere.json"], 1, "nowhere.json cannot be read"),
        (["--baseline", "before.json", "--gate", "ndcg@10>0"], 2, "neither >= nor <="),
        (["--baseline", "before.json", "--gate", "dense:ndcg@10>=0"], 2, "no stage 'dense'"),
    ],
)
def test_what_is_wrong_with_a_baseline_is_said_before_the_run(
    arguments: list[str],
    code: int,
    message: str,
    run_command: RunCommand,
    corpus: Path,
    judgments: Path,
    files: tuple[Path, Path],
) -> None:
    done = run_command("run", "--corpus", corpus, "--judgments", judgments, *arguments)
    assert message in one_line(done, code)
    assert done.out == ""


def test_report_writes_a_page_and_a_comment(
    run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    outputs = ("--html", "page.html", "--markdown", "comment.md")
    done = run_command("report", files[1], "--baseline", files[0], *outputs)
    assert (done.code, done.out, done.err) == (0, "page.html written\ncomment.md written\n", "")
    assert Path("page.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert (
        Path("comment.md").read_text(encoding="utf-8").startswith("### Retrieval evaluation: 2 s")
    )


def test_report_fails_for_a_gate_after_it_has_written(
    run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    arguments = ("--baseline", files[0], "--gate", "ndcg@10>=-0.01", "--markdown", "comment.md")
    done = run_command("report", files[1], *arguments)
    assert "1 gate failed" in one_line(done, 1)
    assert "1 gate failed" in Path("comment.md").read_text(encoding="utf-8")


def test_report_without_an_output_or_into_nowhere_says_so(
    run_command: RunCommand, files: tuple[Path, Path]
) -> None:
    assert "--html OUT or --markdown OUT" in one_line(run_command("report", files[0]), 2)
    nowhere = run_command("report", files[0], "--html", "no/such/page.html")
    assert "page.html cannot be written" in one_line(nowhere, 1)


def test_schema_prints_what_is_published(run_command: RunCommand) -> None:
    assert json.loads(run_command("schema").out)["title"] == "EvaluationResult"
    assert json.loads(run_command("schema", "comparison").out)["title"] == "Comparison"
    assert "'nope'" in one_line(run_command("schema", "nope"), 2)

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval.errors import ResultError
from groundkit_eval.targets.kept import read_run

RunCommand = Callable[..., Any]
RUN = "retry Q0 queue 1 0.5 mine\nretry Q0 d/1 2 0.9 mine\ntoken Q0 lease 1 3 mine\n"


@pytest.fixture
def run_file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.trec"
    path.write_text(RUN, encoding="utf-8")
    return path


def test_a_run_is_ranked_by_its_scores_and_named_by_its_tag(run_file: Path) -> None:
    found = read_run(run_file)
    assert list(found) == ["mine"]
    assert [chunk.place.source for chunk in found["mine"]["retry"].chunks] == ["d/1", "queue"]


def test_equal_scores_are_ranked_as_trec_eval_ranks_them(run_file: Path) -> None:
    run_file.write_text("q Q0 a 1 1 t\nq Q0 b 2 1 t\n", encoding="utf-8")
    assert [c.place.source for c in read_run(run_file)["t"]["q"].chunks] == ["b", "a"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no run"),
        ("q Q0 a 1\n", "run.txt:1: has not the 6 columns"),
        ("q Q0 a 1 high t\n", "run.txt:1: has not the 6 columns"),
        ("q Q0 a 1 nan t\n", "run.txt:1: names a again"),
        ("q Q0 a 1 2 t\nq Q0 a 2 1 t\n", "run.txt:2: names a again"),
        ("{}", "is not a result"),
    ],
)
def test_what_is_no_run_is_named(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ResultError, match=message):
        read_run(path)


def test_two_runs_are_scored_on_the_same_judgments(
    run_command: RunCommand, beir: Path, run_file: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.trec"
    other.write_text("retry Q0 d/1 1 1 mine\ntoken Q0 tokens 1 1 mine\n", encoding="utf-8")
    out = tmp_path / "result.json"
    files = ("--target", run_file, "--target", other)
    measures = ("--measures", "R@100,AP")
    done = run_command("run", "--judgments", beir, *files, *measures, "--json", out)
    assert (done.code, done.err) == (0, "")
    first, second = json.loads(out.read_text(encoding="utf-8"))["stages"]
    assert (first["name"], second["name"]) == ("mine", "mine (2)")
    assert (first["measures"]["ndcg@10"], second["measures"]["ndcg@10"]) == (0.5, 1.0)
    assert (first["measures"]["R@100"], second["delta"]["AP"]) == (0.5, 0.5)
    assert (first["matched"], first["settings"]) == ({"source": 3}, {"target": "run"})


def test_qrels_of_trec_score_a_run_without_texts(
    run_command: RunCommand, run_file: Path, tmp_path: Path
) -> None:
    qrels = tmp_path / "qrels"
    qrels.write_text("retry 0 d/1 1\n", encoding="utf-8")
    done = run_command("run", "--judgments", qrels, "--target", run_file)
    assert done.code == 0
    assert "1 queries (1 answerable" in done.out


def test_a_stage_of_a_result_gives_the_measures_it_had(
    run_command: RunCommand, result_json: str, corpus: Path, judgments: Path, tmp_path: Path
) -> None:
    (tmp_path / "before.json").write_text(result_json, encoding="utf-8")
    asked = ("run", "--corpus", corpus, "--judgments", judgments)
    out = tmp_path / "again.json"
    assert run_command(*asked, "--target", "before.json", "--json", out).code == 0
    before, again = json.loads(result_json), json.loads(out.read_text(encoding="utf-8"))
    for old, new in zip(before["stages"], again["stages"], strict=True):
        assert (old["name"], old["measures"]) == (new["name"], new["measures"])

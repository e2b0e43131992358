from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval import evaluate, load_result, to_markdown
from groundkit_eval.report.markdown import without_timings

RunCommand = Callable[..., Any]
PAGE = "# Title\n\nBefore.\n<!-- eval:begin -->\nold\n<!-- eval:end -->\nAfter.\n"


@pytest.fixture
def result_file(result_json: str, tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    path.write_text(result_json, encoding="utf-8")
    return path


@pytest.fixture
def page(tmp_path: Path) -> Path:
    path = tmp_path / "README.md"
    path.write_text(PAGE, encoding="utf-8")
    return path


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_table_prints_markdown(run_command: RunCommand, result_file: Path) -> None:
    done = run_command("table", result_file)
    assert (done.code, done.err) == (0, "")
    assert done.out == to_markdown(load_result(result_file))
    rows = [line for line in done.out.splitlines() if line.startswith("|")]
    assert rows[0].startswith("| stage | recall@1 | recall@5 | recall@10 | MRR@10 | nDCG@10 |")
    assert rows[1].startswith("| --- | ---: |")
    assert any(row.startswith("| vs baseline | ") for row in rows)
    widths = {row.count("|") for row in rows[:5]}
    assert len(widths) == 1


def test_update_replaces_what_stands_between_the_markers(
    run_command: RunCommand, result_file: Path, page: Path
) -> None:
    done = run_command("table", result_file, "--update", page)
    assert (done.code, done.out) == (0, "README.md updated\n")
    table = to_markdown(load_result(result_file))
    expected = PAGE.replace("\nold\n", f"\n{table}")
    assert page.read_text(encoding="utf-8") == expected
    assert run_command("table", result_file, "--update", page).out == "README.md is up to date\n"


def test_update_keeps_line_ends_and_mode(
    run_command: RunCommand, result_file: Path, page: Path
) -> None:
    page.write_bytes(PAGE.replace("\n", "\r\n").encode())
    page.chmod(0o640)
    assert run_command("table", result_file, "--update", page).code == 0
    data = page.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") > 10
    assert page.stat().st_mode & 0o777 == 0o640
    assert run_command("table", result_file, "--update", page, "--check").code == 0


def test_check_passes_on_other_timings_and_fails_on_other_measures(
    run_command: RunCommand, result_file: Path, page: Path
) -> None:
    assert run_command("table", result_file, "--update", page).code == 0
    written = page.read_bytes()
    result = json.loads(result_file.read_text(encoding="utf-8"))
    result["timings"]["stages"]["lexical"]["p95_ms"] = 98765.4
    result_file.write_text(json.dumps(result), encoding="utf-8")
    assert run_command("table", result_file, "--update", page, "--check").code == 0
    result["stages"][1]["measures"]["ndcg@10"] = 0.123
    result_file.write_text(json.dumps(result), encoding="utf-8")
    done = run_command("table", result_file, "--update", page, "--check")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("groundkit-eval: README.md does not show this result; run ")
    assert page.read_bytes() == written


def test_check_reads_the_headline_and_the_categories_too(
    run_command: RunCommand, result_file: Path, page: Path
) -> None:
    for old, new in (("6 queries", "7 queries"), ("| cjk | 1 |", "| cjk | 2 |")):
        assert run_command("table", result_file, "--update", page).code == 0
        change(page, old, new)
        assert run_command("table", result_file, "--update", page, "--check").code == 1


def test_only_latency_is_left_out_of_the_comparison() -> None:
    table = "| stage | nDCG@10 | p50 ms | p95 ms |\n| --- | ---: | ---: | ---: |\n"
    one = f"{table}| lexical | 0.500 | 1.0 | 2.0 |\n\n| a | b |\n| 1 | 2 |"
    assert without_timings(one) == without_timings(one.replace("1.0 | 2.0", "3.0 | 4.0"))
    for changed in (one.replace("0.500", "0.501"), one.replace("| 1 | 2 |", "| 1 | 3 |")):
        assert without_timings(one) != without_timings(changed)


@pytest.mark.parametrize(
    "text",
    [
        "no markers",
        "<!-- eval:begin -->\nonly one",
        "<!-- eval:end -->\n<!-- eval:begin -->",
        PAGE + PAGE,
    ],
)
def test_a_page_without_one_pair_of_markers_is_left_alone(
    text: str, run_command: RunCommand, result_file: Path, page: Path
) -> None:
    page.write_text(text, encoding="utf-8")
    done = run_command("table", result_file, "--update", page)
    assert (done.code, done.out) == (1, "")
    assert "<!-- eval:begin -->" in done.err
    assert done.err.count("\n") == 1
    assert page.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not json",
        b"[]",
        b"{}",
        b'{"schema": "groundkit-eval/2"}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"schema": "groundkit-eval/1", "evil\\u001b[31m\\n": 1}',
    ],
)
def test_what_is_no_result_is_one_line_and_exit_code_one(
    content: bytes, run_command: RunCommand, tmp_path: Path
) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    done = run_command("table", path)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("groundkit-eval: bad.json is not ")
    assert done.err.rstrip("\n").isprintable()


def test_a_missing_result_and_a_lonely_check_say_what_to_do(
    run_command: RunCommand, result_file: Path
) -> None:
    missing = run_command("table", "nowhere.json")
    assert (missing.code, missing.err.count("\n")) == (1, 1)
    assert "nowhere.json cannot be read" in missing.err
    lonely = run_command("table", result_file, "--check")
    assert (lonely.code, lonely.err.count("\n")) == (2, 1)
    assert "--check needs --update PAGE" in lonely.err


def test_a_hostile_category_cannot_break_the_table(
    corpus: Path, judgments: Path, tmp_path: Path
) -> None:
    change(judgments, '"paraphrase"', '"a | b <script> `x` [y](z)"')
    markdown = to_markdown(evaluate(corpus, judgments))
    (row,) = [line for line in markdown.splitlines() if "script" in line]
    assert row.count("|") == 7
    assert "<script>" not in row
    assert "\\`x\\` \\[y\\](z)" in row

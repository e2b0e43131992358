from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RunCommand = Callable[..., Any]
CODE = "from groundkit_eval.cli import main; main()"


@pytest.fixture
def pooled(beir: Path, tmp_path: Path) -> list[str]:
    """The command that pools two runs of documents; they agree on one of three."""
    (tmp_path / "a.trec").write_text("retry Q0 d/1 1 2 a\nretry Q0 queue 2 1 a\n", "utf-8")
    (tmp_path / "b.trec").write_text("retry Q0 d/1 1 2 b\nretry Q0 lease 2 1 b\n", "utf-8")
    runs = [str(tmp_path / "a.trec"), str(tmp_path / "b.trec")]
    return ["judgments", "pool", *runs, "--beir", str(beir)]


def judge(command: list[str], out: Path, keys: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", CODE, *command, "--out", str(out)],
        input=keys,
        capture_output=True,
        encoding="utf-8",
        check=True,
        timeout=60,
    )


def test_the_pool_is_the_top_of_every_run_once_and_shows_no_rank(
    run_command: RunCommand, pooled: list[str]
) -> None:
    rows = [json.loads(line) for line in run_command(*pooled).out.splitlines()]
    assert {row["source"] for row in rows} == {"d/1", "queue", "lease"}
    assert len(rows) == 3
    assert set(rows[0]) == {"id", "query", "source", "start", "end"}
    top = run_command(*pooled, "--depth", "1").out.splitlines()
    assert [json.loads(line)["source"] for line in top] == ["d/1"]


def test_keys_record_verdicts_over_a_pipe_and_the_next_run_goes_on(
    pooled: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "verdicts.qrels"
    first = judge(pooled, out, "2\n q")
    assert first.stdout.splitlines()[-1] == "verdicts.qrels: 1 of 3 judged"
    assert "failed job delay" in first.stdout
    assert "\x1b" not in first.stdout
    judge(pooled, out, "s0")
    rows = [line.split() for line in out.read_text(encoding="utf-8").splitlines()]
    assert [row[3] for row in rows] == ["2", "0"]
    last = judge(pooled, out, "3")
    assert last.stdout.splitlines()[-1] == "verdicts.qrels: 3 of 3 judged"
    assert len(out.read_text(encoding="utf-8").splitlines()) == 3


def test_undo_takes_back_one_verdict_after_another(pooled: list[str], tmp_path: Path) -> None:
    out = tmp_path / "verdicts.qrels"
    judge(pooled, out, "12u u 3q")
    rows = out.read_text(encoding="utf-8").splitlines()
    assert [row.split()[3] for row in rows] == ["3"]


def test_verdicts_on_passages_are_judgments_that_run_takes(
    run_command: RunCommand, result_json: str, corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "result.json").write_text(result_json, encoding="utf-8")
    out = tmp_path / "pooled.jsonl"
    command = ["judgments", "pool", str(tmp_path / "result.json"), "--corpus", str(corpus)]
    judge([*command, "--depth", "1"], out, "3" * 20)
    rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    first = next(row for row in rows if row["id"] == "identifier")
    assert first["gold"][0]["source"] == "src/lease.py"
    assert {gold["grade"] for row in rows for gold in row["gold"]} == {3}
    kept = [row for row in rows if row["id"] != "gateway-body"]  # its class was not pooled
    out.write_text("".join(f"{json.dumps(row)}\n" for row in kept), encoding="utf-8")
    assert run_command("run", "--corpus", corpus, "--judgments", out).code == 0


def test_passages_need_their_corpus(
    run_command: RunCommand, result_json: str, tmp_path: Path
) -> None:
    (tmp_path / "result.json").write_text(result_json, encoding="utf-8")
    done = run_command("judgments", "pool", "result.json")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "--corpus DIR" in done.err


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_on_a_terminal_a_single_key_is_enough_and_text_cannot_steer_it(
    pooled: list[str], beir: Path, tmp_path: Path
) -> None:
    corpus = (beir / "corpus.jsonl").read_text(encoding="utf-8")
    evil = corpus.replace("Each tenant", "\\u001b]0;owned\\u0007Each tenant")
    (beir / "corpus.jsonl").write_text(evil, encoding="utf-8")
    out = tmp_path / "verdicts.qrels"
    watcher, terminal = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", CODE, *pooled, "--out", str(out)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
    ) as process:
        os.close(terminal)
        shown = b""
        for judged, key in enumerate([b"1", b"2", b"0"]):
            shown += until(watcher, f"[{judged} of 3 judged]".encode(), b"q quit")
            os.write(watcher, key)
        shown += until(watcher, b"3 of 3 judged")
    os.close(watcher)
    assert process.returncode == 0
    assert sorted(row.split()[3] for row in out.read_text("utf-8").splitlines()) == ["0", "1", "2"]
    assert b"\x1b[2J" in shown
    assert b"\x1b]0;" not in shown
    assert b"\\x1b]0;owned" in shown


def until(descriptor: int, *wanted: bytes) -> bytes:
    """Read until all of it was shown."""
    found, deadline = b"", time.monotonic() + 30
    while not all(part in found for part in wanted) and time.monotonic() < deadline:
        try:
            found += os.read(descriptor, 65536)
        except OSError:  # what Linux says when the other side is closed
            break
    assert all(part in found for part in wanted), found
    return found

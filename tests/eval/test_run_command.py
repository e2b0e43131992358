from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

RunCommand = Callable[..., Any]
Write = Callable[[Sequence[dict[str, Any] | str]], Path]


def start(*arguments: str | Path) -> subprocess.Popen[str]:
    code = "from groundkit_eval.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def test_run_prints_tables_on_stdout_and_nothing_else(
    corpus: Path, judgments: Path, temporary: Path
) -> None:
    process = start("run", "--corpus", corpus, "--judgments", judgments)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("6 queries (5 answerable, 1 not) on 6 documents in ")
    for words in (["stage", "recall @1", "MRR @10", "nDCG @10", "p95 ms"], ["category", "queries"]):
        assert any(all(word in line for word in words) for line in lines)
    for begin in ("baseline", "lexical", "vs baseline", "paraphrase", "unanswerable"):
        assert any(line.strip().startswith(begin) for line in lines)
    assert "\x1b" not in out
    assert list(temporary.iterdir()) == []


def test_run_writes_the_result_as_json(
    run_command: RunCommand, corpus: Path, judgments: Path, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    arguments = ("--corpus", corpus, "--judgments", judgments, "--json", out, "--limit", "12")
    assert run_command("run", *arguments).code == 0
    result = json.loads(out.read_text(encoding="utf-8"))
    assert result["schema"] == "groundkit-eval/2"
    assert result["settings"]["limit"] == 12
    assert str(tmp_path) not in out.read_text(encoding="utf-8")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".groundkit")]


def test_the_language_reaches_the_analyzer(
    run_command: RunCommand, corpus: Path, judgments: Path, tmp_path: Path
) -> None:
    out = tmp_path / "result.json"
    arguments = ("--corpus", corpus, "--judgments", judgments, "--json", out)
    assert run_command("run", *arguments, "--language", "german").code == 0
    assert json.loads(out.read_text(encoding="utf-8"))["settings"]["index"]["language"] == "german"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "--corpus"),
        (["--corpus", "corpus"], "--judgments"),
        (["--corpus", "corpus", "--judgments", "judgments.jsonl", "--limit", "5"], "--limit"),
        (["--corpus", "corpus", "--judgments", "judgments.jsonl", "--limit", "21"], "--limit"),
        (["--corpus", "corpus", "--judgments", "judgments.jsonl", "--bogus"], "--bogus"),
        (
            ["--corpus", "corpus", "--judgments", "judgments.jsonl", "--json", "judgments.jsonl"],
            "overwrite",
        ),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_two(
    arguments: list[str], message: str, run_command: RunCommand, corpus: Path, judgments: Path
) -> None:
    before = judgments.read_bytes()
    done = run_command("run", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert "--help" in done.err
    assert judgments.read_bytes() == before


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"--corpus": "nowhere"}, "nowhere"),
        ({"--corpus": "judgments.jsonl"}, "judgments.jsonl"),
        ({"--judgments": "nowhere.jsonl"}, "nowhere.jsonl cannot be read"),
        ({"--judgments": "corpus"}, "corpus"),
        ({"--json": "no/such/folder/out.json"}, "out.json"),
        ({"--json": "corpus"}, "corpus is not a file"),
        ({"--json": "corpus/out.json"}, "lies inside the corpus"),
        ({"--json": "/dev/null"}, "null is not a file"),
    ],
)
def test_a_failure_is_one_line_and_exit_code_one(
    changed: dict[str, str],
    message: str,
    run_command: RunCommand,
    corpus: Path,
    judgments: Path,
) -> None:
    options = {"--corpus": "corpus", "--judgments": "judgments.jsonl"} | changed
    done = run_command("run", *(part for option in options.items() for part in option))
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert message in done.err
    assert "Traceback" not in done.err


def test_an_unknown_language_is_one_line_that_names_the_known_ones(
    run_command: RunCommand, corpus: Path, judgments: Path
) -> None:
    arguments = ("--corpus", corpus, "--judgments", judgments, "--language", "klingon")
    done = run_command("run", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "klingon" in done.err
    assert "german" in done.err


def test_every_bad_judgment_is_a_line_that_names_its_place(
    run_command: RunCommand, corpus: Path, write_judgments: Write
) -> None:
    gold = [{"source": "guide/tokens.md", "quote": "no such words"}]
    row = {"id": "q", "query": "what", "category": "plain", "gold": gold}
    done = run_command("run", "--corpus", corpus, "--judgments", write_judgments([row, "{", row]))
    assert (done.code, done.out) == (1, "")
    starts = [line.split(" ")[0] for line in done.err.splitlines()]
    assert starts == ["judgments.jsonl:1:", "judgments.jsonl:2:", "judgments.jsonl:3:"]


def test_debug_adds_the_traceback(run_command: RunCommand, corpus: Path) -> None:
    arguments = ("run", "--corpus", corpus, "--judgments", "nowhere.jsonl")
    assert "Traceback" in run_command(*arguments, "--debug").err


@pytest.mark.skipif(os.name == "nt", reason="sends POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_nothing_behind(
    number: signal.Signals,
    corpus: Path,
    tmp_path: Path,
    write_judgments: Write,
    temporary: Path,
) -> None:
    query = {"category": "plain", "gold": []}
    judgments = write_judgments(
        [{"id": f"q{i}", "query": f"token {i} job", **query} for i in range(5_000)]
    )
    out = tmp_path / "out.json"
    process = start("run", "--corpus", corpus, "--judgments", judgments, "--json", out)
    wait_for_index(temporary, process)
    process.send_signal(number)
    shown, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert (shown, said.strip()) == ("", "groundkit-eval: interrupted; nothing was kept")
    assert list(temporary.iterdir()) == []
    assert not out.exists()


def wait_for_index(temporary: Path, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 30
    while not any(temporary.rglob("CURRENT")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.skipif(os.name == "nt", reason="needs a pseudo-terminal")
def test_progress_is_drawn_on_a_terminal_and_on_standard_error_only(
    corpus: Path, judgments: Path
) -> None:
    watcher, terminal = os.openpty()
    code = "from groundkit_eval.cli import main; main()"
    arguments = ["run", "--corpus", str(corpus), "--judgments", str(judgments)]
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=terminal
    ) as process:
        os.close(terminal)
        drawn = read_all(watcher)
        out = process.stdout.read() if process.stdout else b""
    assert process.returncode == 0
    assert b"lexical" in drawn
    assert out.startswith(b"6 queries ")
    assert b"\x1b" not in out


def read_all(descriptor: int) -> bytes:
    blocks = []
    with contextlib.suppress(OSError):  # what Linux says when the other side is closed
        while block := os.read(descriptor, 65536):
            blocks.append(block)
    os.close(descriptor)
    return b"".join(blocks)


def test_a_reader_that_leaves_is_no_traceback(result_json: str, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(result_json, encoding="utf-8")
    with start("table", path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


def test_a_bare_command_shows_the_help_and_an_unknown_one_is_a_line(
    run_command: RunCommand,
) -> None:
    bare = run_command()
    assert (bare.code, bare.out) == (2, "")
    assert "Commands:" in bare.err
    unknown = run_command("nope")
    assert (unknown.code, unknown.err.count("\n")) == (2, 1)
    assert "nope" in unknown.err

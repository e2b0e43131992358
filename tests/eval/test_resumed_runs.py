from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval.errors import EvaluationError
from groundkit_eval.judgments.model import JudgedQuery, Place
from groundkit_eval.runs import Answer, RankedChunk, Searcher, run_stage
from groundkit_eval.state import RunState

RunCommand = Callable[..., Any]
QUERIES = [JudgedQuery(f"q{n}", f"text {n}", "any", "all", (), n) for n in range(5)]


class Counting:
    """Answers with a chunk, and fails when it has answered so often."""

    def __init__(self, most: int = 10**9) -> None:
        self.asked: list[str] = []
        self._most = most

    def search(self, query: JudgedQuery, _limit: int) -> Answer:
        if len(self.asked) == self._most:
            raise KeyboardInterrupt
        self.asked.append(query.id)
        place = Place("größe.md", 3, 9, "a\u2028\ud800b")
        chunk = RankedChunk(query.id, place, (Place("copy.md"),), "relocated")
        return Answer((chunk,), abstained=query.id == "q3")


def test_answers_that_were_kept_are_not_asked_again(tmp_path: Path) -> None:
    first, second = Counting(most=3), Counting()
    with (
        RunState(tmp_path / "state").answers("s") as log,
        pytest.raises(KeyboardInterrupt),
    ):
        run_stage("s", Searcher(first.search), QUERIES, 10, None, log)
    with RunState(tmp_path / "state").answers("s") as log:
        resumed = run_stage("s", Searcher(second.search), QUERIES, 10, None, log)
    assert first.asked == ["q0", "q0", "q1"]  # the first is asked twice, to warm up
    assert second.asked == ["q2", "q2", "q3", "q4"]
    whole = run_stage("s", Searcher(Counting().search), QUERIES, 10)
    assert resumed.answers == whole.answers
    texts = [chunk.place.text for answer in resumed.answers for chunk in answer.chunks]
    assert texts == ["a\u2028\ud800b"] * 5


def test_a_line_that_was_torn_is_asked_again(tmp_path: Path) -> None:
    state = RunState(tmp_path / "state")
    with state.answers("s") as log:
        run_stage("s", Searcher(Counting().search), QUERIES, 10, None, log)
    path = next((tmp_path / "state").glob("answers-*.jsonl"))
    path.write_bytes(path.read_bytes()[:-20])
    again = Counting()
    with state.answers("s") as log:
        run_stage("s", Searcher(again.search), QUERIES, 10, None, log)
    assert again.asked == ["q4", "q4"]
    assert len(path.read_text(encoding="utf-8").splitlines()) == 5


def test_what_is_no_answer_is_an_error(tmp_path: Path) -> None:
    state = RunState(tmp_path / "state")
    with state.answers("s"):
        path = next((tmp_path / "state").glob("answers-*.jsonl"))
    path.write_text('{"id": 3}\n', encoding="utf-8")
    with pytest.raises(EvaluationError, match="holds a line that is no answer"), state.answers("s"):
        pass


@pytest.mark.parametrize("changed", ["judgments", "corpus", "limit"])
def test_a_changed_input_is_refused_in_one_line(
    changed: str, run_command: RunCommand, corpus: Path, judgments: Path
) -> None:
    asked = ["run", "--corpus", corpus, "--judgments", judgments, "--resume", "state"]
    assert run_command(*asked).code == 0
    assert run_command(*asked).code == 0
    if changed == "judgments":
        judgments.write_text(judgments.read_text("utf-8").replace("how long", "how soon"), "utf-8")
    elif changed == "corpus":
        (corpus / "new.md").write_text("# Something new\n", encoding="utf-8")
    else:
        asked += ["--limit", "12"]
    done = run_command(*asked)
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1)
    assert f"{changed} " in done.err
    assert "changed since state was begun" in done.err


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_a_run_that_was_killed_goes_on_and_gives_the_same_result(
    run_command: RunCommand, corpus: Path, judgments: Path, tmp_path: Path
) -> None:
    queries = [
        json.dumps({"id": f"q{i}", "query": f"token {i} job", "category": "plain", "gold": []})
        for i in range(500)
    ]
    judgments.write_text("\n".join(queries), encoding="utf-8")
    asked = ["run", "--corpus", str(corpus), "--judgments", str(judgments)]
    kept = tmp_path / "state"
    code = "from groundkit_eval.cli import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, *asked, "--resume", str(kept)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        deadline = time.monotonic() + 30
        while answered(kept) < 50 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=30)
    assert process.returncode == 130
    assert said.strip().endswith("the same command with --resume state goes on from here")
    assert 50 <= answered(kept) < 1000
    resumed, whole = tmp_path / "resumed.json", tmp_path / "whole.json"
    assert run_command(*asked, "--resume", kept, "--json", resumed).code == 0
    assert run_command(*asked, "--json", whole).code == 0
    first, second = (json.loads(path.read_text(encoding="utf-8")) for path in (resumed, whole))
    for result in (first, second):
        del result["timings"]
    assert json.dumps(first) == json.dumps(second)


def answered(folder: Path) -> int:
    return sum(path.read_bytes().count(b"\n") for path in folder.glob("answers-*.jsonl"))

"""The composite action, step by step as a runner would take it, and what comes with it."""

from __future__ import annotations

import html
import json
import os
import re
import shlex
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".github" / "actions" / "groundkit-eval"
ACTION: dict[str, Any] = yaml.safe_load((FOLDER / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = ACTION["runs"]["steps"]
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")
_CONDITION = re.compile(r"([\w.-]+) (==|!=) '([^']*)'")

Example = Callable[[Path], tuple[Path, Path]]


@dataclass
class Runner:
    """Takes the shell steps of the action but the installation, with variables as GitHub sets."""

    work: Path
    inputs: dict[str, str]
    api: str = "http://127.0.0.1:9"
    event: str = "push"
    code: int = 0
    log: str = ""
    known: dict[str, str] = field(default_factory=dict)

    def run(self) -> Runner:
        self.work.mkdir(exist_ok=True)
        event = json.dumps({"pull_request": {"number": 7}})
        (self.work / "event.json").write_text(event, encoding="utf-8")
        given = {name: entry.get("default", "") for name, entry in ACTION["inputs"].items()}
        self.known = {f"inputs.{name}": value for name, value in (given | self.inputs).items()}
        self.known |= {"github.event_name": self.event, "inputs.token": "t0ken"}
        for step in STEPS:
            if "run" in step and step["name"] != "Install" and self.wants(step):
                self.take(step)
                if self.code:
                    break
        return self

    @property
    def summary(self) -> str:
        """What a person reads: entities of Markdown resolved."""
        return html.unescape((self.work / "summary.md").read_text(encoding="utf-8"))

    def output(self, name: str) -> str:
        return self._filled(ACTION["outputs"][name]["value"])

    def take(self, step: dict[str, Any]) -> None:
        output = self.work / "output"
        output.write_text("", encoding="utf-8")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.work,
            env=_environment(self.work, self.api, output)
            | {name: self._filled(value) for name, value in step.get("env", {}).items()},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        self.code, self.log = done.returncode, self.log + done.stdout + done.stderr
        for line in output.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition("=")
            self.known[f"steps.{step['id']}.outputs.{name}"] = value

    def _filled(self, text: str) -> str:
        return _EXPRESSION.sub(lambda match: self.known.get(match[1], ""), text)

    def wants(self, step: dict[str, Any]) -> bool:
        parts = [part for part in step.get("if", "").split(" && ") if part]
        found = [match for match in map(_CONDITION.fullmatch, parts) if match]
        assert len(found) == len(parts), "a condition that this runner does not know"
        return all((self.known.get(m[1], "") == m[3]) == (m[2] == "==") for m in found)


def _environment(work: Path, api: str, output: Path) -> dict[str, str]:
    return os.environ | {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_ACTION_PATH": str(FOLDER),
        "GITHUB_API_URL": api,
        "GITHUB_EVENT_PATH": str(work / "event.json"),
        "GITHUB_OUTPUT": str(output),
        "GITHUB_REPOSITORY": "owner/project",
        "GITHUB_STEP_SUMMARY": str(work / "summary.md"),
        "RUNNER_TEMP": str(work),
    }


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory, example: Example) -> dict[str, str]:
    corpus, judgments = example(tmp_path_factory.mktemp("example"))
    return {"corpus": str(corpus), "judgments": str(judgments)}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory, inputs: dict[str, str]) -> Runner:
    return Runner(tmp_path_factory.mktemp("measured"), inputs).run()


def test_no_input_becomes_part_of_a_script() -> None:
    for step in STEPS:
        assert "${{" not in step.get("run", "")
        assert "run" not in step or step["shell"] == "bash"


def test_every_input_and_output_is_described_and_used() -> None:
    text = (FOLDER / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])
    for entry in (*ACTION["inputs"].values(), *ACTION["outputs"].values()):
        assert entry["description"].endswith(".")


def test_the_verdict_is_passed_on_last() -> None:
    assert STEPS[-1]["name"] == "Verdict"
    assert all("continue-on-error" not in step for step in STEPS)


def test_a_run_leaves_result_page_and_summary(measured: Runner) -> None:
    assert measured.code == 0, measured.log
    assert measured.output("exit-code") == "0"
    result = json.loads(Path(measured.output("result")).read_text(encoding="utf-8"))
    assert result["judgments"]["queries"] == 6
    page = Path(measured.output("report")).read_text(encoding="utf-8")
    assert page.lower().startswith("<!doctype html>")
    assert "Retrieval evaluation" in measured.summary
    assert "| lexical |" in measured.summary


def test_a_gate_that_is_not_kept_fails_after_everything_is_written(
    tmp_path: Path, inputs: dict[str, str], measured: Runner
) -> None:
    gates = "lexical:ndcg@10>=-0.01\n\n  lexical:ndcg@10>=0.5\n"
    held = inputs | {"baseline": measured.output("result"), "gate": gates}
    done = Runner(tmp_path, held).run()
    assert (done.code, done.output("exit-code")) == (1, "1")
    assert Path(done.output("report")).is_file()
    assert "lexical:ndcg@10>=0.5" in done.summary
    assert "lexical:ndcg@10>=-0.01" in done.summary
    assert "significant" in done.summary


def test_what_is_wrong_with_judgments_stands_in_the_summary(
    tmp_path: Path, inputs: dict[str, str]
) -> None:
    wrong = tmp_path / "wrong.jsonl"
    text = Path(inputs["judgments"]).read_text(encoding="utf-8")
    wrong.write_text(text.replace("thirty seconds", "forty seconds"), encoding="utf-8")
    done = Runner(tmp_path, inputs | {"judgments": str(wrong)}).run()
    assert (done.code, done.output("result"), done.output("report")) == (1, "", "")
    assert "nothing was measured" in done.summary
    assert "the quote is not in guide/retries.md" in done.summary


def test_inputs_are_data(tmp_path: Path, inputs: dict[str, str], measured: Runner) -> None:
    done = Runner(
        tmp_path,
        inputs
        | {
            "baseline": measured.output("result"),
            "gate": '$(touch pwned)\n`touch pwned`\n"; touch pwned; "',
            "name": "../../$(touch pwned)",
        },
    ).run()
    assert done.code == 2
    assert "$(touch pwned)" in done.summary
    assert list(tmp_path.rglob("pwned")) == []
    assert [path.name for path in tmp_path.glob("groundkit-eval*")] == [
        "groundkit-eval---------touch-pwned-"
    ]


class Comments:
    """The comments of a pull request, behind as much of GitHub's interface as is needed."""

    def __init__(self) -> None:
        self.bodies = dict.fromkeys(range(1, 103), "somebody else's")
        self.status = 200
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def answer(self, method: str, path: str, body: dict[str, str], token: str) -> Any:
        assert token == "Bearer t0ken"
        if found := re.fullmatch(r"/repos/owner/project/issues/comments/(\d+)", path):
            assert method == "PATCH"
            self.bodies[int(found[1])] = body["body"]
            return {}
        found = re.fullmatch(r"/repos/owner/project/issues/7/comments(?:\?.*page=(\d+))?", path)
        assert found
        if method == "POST":
            self.bodies[len(self.bodies) + 1] = body["body"]
            return {}
        first = 100 * (int(found[1]) - 1)
        listed = [{"id": n, "body": text} for n, text in sorted(self.bodies.items())]
        return listed[first : first + 100]

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(comments: Comments) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _answer(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or "{}")
            found = comments.answer(
                self.command, self.path, body, self.headers.get("Authorization", "")
            )
            data = json.dumps(found).encode()
            self.send_response(comments.status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = _answer  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@pytest.fixture
def comments() -> Iterator[Comments]:
    server = Comments()
    yield server
    server.close()


def comment(work: Path, server: Comments, name: str, text: str) -> str:
    """Take the step that comments, alone; return what it says."""
    (work / "event.json").write_text('{"pull_request": {"number": 7}}', encoding="utf-8")
    (work / "comment.md").write_text(text, encoding="utf-8")
    (step,) = (step for step in STEPS if step.get("name") == "Comment")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        env=_environment(work, server.url, work / "output")
        | {"FOLDER": str(work), "NAME": name, "GITHUB_TOKEN": "t0ken"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def test_one_comment_is_kept_up_to_date(tmp_path: Path, comments: Comments) -> None:
    for name, text in (("golden", "first"), ("dogfood", "other"), ("golden", "second")):
        assert comment(tmp_path, comments, name, text) == ""
    written = [body for _, body in sorted(comments.bodies.items())][102:]
    assert written == [
        "<!-- groundkit-eval golden -->\nsecond",
        "<!-- groundkit-eval dogfood -->\nother",
    ]
    assert set(list(comments.bodies.values())[:102]) == {"somebody else's"}


def test_a_token_that_may_not_comment_fails_nothing(tmp_path: Path, comments: Comments) -> None:
    comments.status = 403
    said = comment(tmp_path, comments, "golden", "text")
    assert said == "::warning::the token may not comment here (403)\n"


def test_a_comment_is_written_on_pull_requests_only(measured: Runner, comments: Comments) -> None:
    (step,) = (step for step in STEPS if step.get("name") == "Comment")
    asked = {"inputs.comment": "true"}
    assert not replace(measured, known=measured.known | asked).wants(step)
    asked["github.event_name"] = "pull_request"
    runner = replace(measured, api=comments.url, known=measured.known | asked)
    assert runner.wants(step)
    runner.take(step)
    assert runner.code == 0, runner.log
    assert len(comments.bodies) == 103
    assert "| lexical |" in comments.bodies[103]


def test_the_checkout_can_be_installed(tmp_path: Path) -> None:
    if subprocess.run([sys.executable, "-m", "pip", "--version"], check=False).returncode:
        pytest.skip("no pip in this environment")
    (step,) = (step for step in STEPS if step.get("name") == "Install")
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env=_environment(tmp_path, "", tmp_path / "output")
        | {"VERSION": ".", "PIP_DRY_RUN": "1", "PIP_NO_DEPS": "1", "PIP_QUIET": "0"}
        | {"PIP_NO_BUILD_ISOLATION": "0", "PIP_FORCE_REINSTALL": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr


def test_the_workflow_gives_inputs_that_exist() -> None:
    path = ROOT / ".github" / "workflows" / "eval.yml"
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    (job,) = workflow["jobs"].values()
    (use,) = (s for s in job["steps"] if s.get("uses") == "./.github/actions/groundkit-eval")
    assert set(use["with"]) <= set(ACTION["inputs"])
    assert {name for name, i in ACTION["inputs"].items() if i.get("required")} <= set(use["with"])
    for entry in job["strategy"]["matrix"]["include"]:
        assert (ROOT / entry["judgments"]).is_file()
    assert all("${{" not in step.get("run", "") for step in job["steps"])
    assert workflow["permissions"] == {"contents": "read", "pull-requests": "write"}


def test_actions_of_others_are_pinned_by_version() -> None:
    workflow = (ROOT / ".github" / "workflows" / "eval.yml").read_text(encoding="utf-8")
    used = re.findall(r"uses: (\S+)", (FOLDER / "action.yml").read_text("utf-8") + workflow)
    others = [name for name in used if not name.startswith("./")]
    assert others
    assert all(re.fullmatch(r"actions/[\w-]+@v\d+", name) for name in others)


def test_the_hook_checks_judgments(tmp_path: Path, inputs: dict[str, str]) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    command = [*shlex.split(hook["entry"]), inputs["judgments"], "--corpus"]
    (tmp_path / "empty").mkdir()
    codes = [
        subprocess.run(
            [*command, folder],
            env=_environment(tmp_path, "", tmp_path / "output"),
            capture_output=True,
            check=False,
        ).returncode
        for folder in (inputs["corpus"], str(tmp_path / "empty"))
    ]
    assert codes == [0, 1]

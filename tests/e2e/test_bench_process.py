"""Measuring real processes and talking to a real one over pipes."""

from __future__ import annotations

import resource
import sys
import textwrap
from pathlib import Path

import pytest
from scripts.bench.errors import BenchError
from scripts.bench.process import environment, run
from scripts.bench.rpc import StdioServer

_HOLD_60_MB = "held = bytearray(60_000_000); import time; time.sleep(0.4)"
_SERVER = textwrap.dedent("""
    import json, sys
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" not in asked:
            continue
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message"}), flush=True)
        name = asked["params"].get("name", asked["method"])
        if name == "leave":
            sys.exit("left early")
        if name == "hang":
            continue
        body = {"result": {"asked": name, "isError": name == "fail"}}
        if name == "refuse":
            body = {"error": {"code": -1, "message": "refused"}}
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], **body}), flush=True)
    sys.exit(3)
""")


def _python(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.fixture
def server(tmp_path: Path) -> StdioServer:
    return StdioServer(_python(_SERVER), cwd=tmp_path, env=environment(tmp_path), timeout=20)


def test_a_command_is_measured_and_its_output_kept(tmp_path: Path) -> None:
    code = f"print('done'); {_HOLD_60_MB}"
    done = run(_python(code), logs=tmp_path, env=environment(tmp_path))
    assert done.stdout == "done\n"
    assert 0.4 < done.seconds < 20
    assert 0 < done.cpu_seconds < done.seconds
    # A child starts with the peak of the process that forked it.
    ours = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert 60e6 < done.peak_bytes < max(200e6, 1.2 * ours)


def test_the_peak_counts_children_together(tmp_path: Path) -> None:
    code = f"""
import subprocess, sys
for child in [subprocess.Popen([sys.executable, "-c", {_HOLD_60_MB!r}]) for _ in range(2)]:
    child.wait()
"""
    done = run(_python(code), logs=tmp_path, env=environment(tmp_path))
    assert done.peak_bytes > 120e6


def test_a_failed_command_is_an_error_with_its_last_line(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="exit code 1: no such index"):
        run(_python("raise SystemExit('no such index')"), logs=tmp_path, env=environment(tmp_path))


def test_nothing_is_left_in_another_working_folder(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    code = "import os; print(os.getcwd())"
    done = run(_python(code), logs=tmp_path, env=environment(tmp_path), cwd=elsewhere)
    assert done.stdout.strip() == str(elsewhere)
    assert list(elsewhere.iterdir()) == []


def test_a_command_that_does_not_end_is_killed(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="exit code -9"):
        run(
            _python("import time; time.sleep(60)"),
            logs=tmp_path,
            env=environment(tmp_path),
            timeout=0.2,
        )


def test_the_environment_drops_the_users_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GROUNDKIT_COLLECTION", "mine")
    env = environment(tmp_path)
    assert "GROUNDKIT_COLLECTION" not in env
    assert env["HOME"] == str(tmp_path)
    assert "PATH" in env


def test_a_server_is_asked_and_its_other_messages_passed_over(server: StdioServer) -> None:
    with server:
        assert server.initialize()["asked"] == "initialize"
        assert server.call_tool("search", {"query": "x"})["asked"] == "search"
        assert server.resident_bytes() > 1e6
    assert server.close() == 3


@pytest.mark.parametrize(
    ("tool", "message"),
    [("fail", "tool fail failed"), ("refuse", "refused"), ("leave", "left early")],
)
def test_what_a_server_does_wrong_is_an_error(server: StdioServer, tool: str, message: str) -> None:
    with server, pytest.raises(BenchError, match=message):
        server.call_tool(tool, {})


def test_a_server_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    command = _python("import time; time.sleep(60)")
    with (
        StdioServer(command, cwd=tmp_path, env=environment(tmp_path), timeout=0.3) as server,
        pytest.raises(BenchError, match=r"no answer within 0\.3 s"),
    ):
        server.initialize()
    assert server.close() == -9

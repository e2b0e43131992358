"""`serve --http --log-format json`, and what it costs who does not ask for it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import httpx2


def test_json_logs_are_one_object_a_line(
    command: tuple[str, ...], environment: dict[str, str], index_dir: Path
) -> None:
    given = ["serve", "--http", "--port", "0", "--index-dir", str(index_dir)]
    with subprocess.Popen(
        [*command, *given, "--log-format", "json"],
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        said = re.search(r"http://\S+(?=/mcp)", process.stderr.readline())
        assert said is not None
        httpx2.get(f"{said[0]}/vexilorum?token=vexilorum", trust_env=False, timeout=20)
        process.terminate()
        log = process.stderr.read()
    assert "vexilorum" not in log
    (line,) = (json.loads(line) for line in log.splitlines() if '"request"' in line)
    assert (line["operation"], line["status"]) == ("other", 404)


def test_stdio_imports_neither_metrics_nor_json_logs() -> None:
    code = (
        "import sys, groundkit_mcp.stdio, groundkit_mcp.server, groundkit_mcp.deployment\n"
        "from groundkit_mcp.logs import log_to_stderr\n"
        "log_to_stderr(debug=False)\n"
        "print(sorted({'structlog', 'prometheus_client', 'opentelemetry.sdk'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr

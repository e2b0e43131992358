"""Nothing but the protocol is written to standard output, and nothing goes to the network."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.mcp.conftest import Wire

# Runs in the server before anything of ours, and makes noise as soon as that has taken over.
NOISE = """
import os, subprocess, sys, threading, time

def audit(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind", "socket.sendto"):
        with open(os.environ["AUDIT"], "a") as file:
            file.write(f"{event}\\n")

sys.addaudithook(audit)

def noise():
    while "groundkit_mcp.stdio" not in sys.modules or os.fstat(1).st_ino != os.fstat(2).st_ino:
        time.sleep(0.001)
    import logging, warnings
    for number in range(10_000):
        print("noise")
        sys.stdout.write("noise without an end")
        sys.stdout.flush()
        os.write(1, b"noise\\\\n")
        logging.getLogger("noise").warning("noise")
        warnings.warn(f"noise {number}")
        if number == 20:
            subprocess.run(["echo", "noise"])
        time.sleep(0.01)

if "serve" in sys.orig_argv:
    threading.Thread(target=noise, daemon=True).start()
"""

SHADOW = 'raise SystemExit("a module of the working directory was imported")\n'


def test_noise_configuration_and_modules_of_the_working_directory_do_no_harm(
    start: Callable[..., Wire], documents: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    hooks, cwd = tmp_path / "hooks", tmp_path / "cwd"
    hooks.mkdir()
    cwd.mkdir()
    (hooks / "sitecustomize.py").write_text(NOISE)
    (cwd / ".env").write_text("FASTMCP_LOG_LEVEL=LOUD\nFASTMCP_TELEMETRY_MODE=loud\n")
    for name in ("json", "fastmcp", "groundkit_index", "groundkit_mcp"):
        (cwd / f"{name}.py").write_text(SHADOW)
    noisy = {
        **environment,
        "PYTHONPATH": str(hooks),
        "AUDIT": str(tmp_path / "audit"),
        "FASTMCP_LOG_LEVEL": "LOUD",
        "FASTMCP_TRANSPORT": "sse",
    }
    index = str(tmp_path / "index")
    wire = start("--docs", str(documents), "--index-dir", index, cwd=cwd, env=noisy)
    wire.initialize().when_synced()
    for _ in range(20):
        assert wire.call("search", query="zebra engine").data["status"] == "OK"
    out, err = wire.end()
    assert out == ""
    assert wire.process.returncode == 0
    assert err.count("noise") > 100
    assert not (tmp_path / "audit").exists()


def test_queries_and_passages_never_reach_the_log(
    start: Callable[..., Wire], documents: Path, tmp_path: Path
) -> None:
    index = str(tmp_path / "index")
    wire = start("--docs", str(documents), "--index-dir", index).initialize()
    wire.when_synced()
    canary = "canaryword"
    wire.call("search", query=f"zebra {canary}")
    wire.call("search", query=canary, limit=99)
    wire.call("search", query=canary, **{canary: 1})
    wire.call("fetch_chunk", chunk_id=canary)
    wire.ask("tools/call", name=canary, arguments={canary: canary})
    wire.ask("tools/call", name="search", arguments=[canary])
    wire.ask("resources/read", uri=f"groundkit://{canary}")
    wire.ask(canary)
    assert wire.process.stdin is not None
    wire.process.stdin.write(f"{canary}\n{json.dumps({'jsonrpc': '2.0', 'id': [canary]})}\n")
    assert wire.call("search", query="zebra").data["status"] == "OK"
    out, err = wire.end()
    assert out == ""
    assert canary not in err
    assert "zebra" not in err

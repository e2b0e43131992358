"""Real servers on loopback and on pipes, each a few lines that speak the protocol."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

RunCommand = Callable[..., Any]

PROTOCOL = """
import json

HITS = {
    "renewLease": [{"path": "src/lease.py", "quote": "def renewLease(worker: str) -> float:"}],
    "how long until a failed job is tried again": [
        {"path": "guide/tokens.md", "quote": "A token"},
        {"path": "guide/retries.md", "quote": "tried again after thirty seconds, then"},
    ],
}


def hits(query):
    return {"found": HITS.get(query, [])}


def respond(request):
    method, params = request["method"], request.get("params", {})
    if method == "initialize":
        result = {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tiny", "version": "1"},
        }
    elif method == "tools/list":
        result = {"tools": [{"name": "look", "inputSchema": {"type": "object"}}]}
    elif method == "tools/call" and params["arguments"]["q"] == "zeppelin mooring altitude!":
        result = {"isError": True, "content": [{"type": "text", "text": "out of hydrogen"}]}
    elif method == "tools/call":
        told = json.dumps(hits(params["arguments"]["q"]))
        result = {"content": [{"type": "text", "text": told}]}
    else:
        error = {"code": -32601, "message": "no such method"}
        return {"jsonrpc": "2.0", "id": request["id"], "error": error}
    return {"jsonrpc": "2.0", "id": request["id"], "result": result}
"""
STDIO = """
import sys
for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        print(json.dumps(respond(request)), flush=True)
"""
FIELDS = 'results = "found"\nfields = { source = "path", text = "quote" }\n'


class Tiny:
    """The protocol over HTTP: MCP at /mcp, REST at /search, with a token."""

    def __init__(self) -> None:
        spoken: dict[str, Any] = {}
        exec(PROTOCOL, spoken)
        self.seen: list[str] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self, spoken))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(tiny: Tiny, spoken: dict[str, Any]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            tiny.seen.append(self.path)
            if self.headers.get("Authorization") != "Bearer s3cret":
                self._send(401, {})
            elif self.path == "/mcp":
                self._send(200 if "id" in body else 202, "id" in body and spoken["respond"](body))
            else:
                self._send(200, spoken["hits"](body["q"]))

        def do_GET(self) -> None:
            self._send(405, {})

        do_DELETE = do_GET  # noqa: N815

        def _send(self, status: int, document: object) -> None:
            content = json.dumps(document).encode() if document else b""
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> Iterator[Tiny]:
    monkeypatch.setenv("TINY_TOKEN", "s3cret")
    server = Tiny()
    yield server
    server.close()


@pytest.fixture
def stdio(tmp_path: Path) -> str:
    """The description of the server on pipes."""
    script = tmp_path / "tiny.py"
    script.write_text(PROTOCOL + STDIO, encoding="utf-8")
    command = json.dumps([sys.executable, str(script)])
    return f'type = "mcp"\ncommand = {command}\ntool = "look"\narguments = {{ q = "{{query}}" }}\n'


@pytest.fixture
def evaluated(
    run_command: RunCommand, corpus: Path, judgments: Path, tmp_path: Path
) -> Callable[[str], Any]:
    """Runs a target over the example; returns the command's end, and the result if there is one."""

    def run(described: str) -> tuple[Any, Any]:
        path, out = tmp_path / "targets.toml", tmp_path / "result.json"
        path.write_text(f"[tiny]\n{described}{FIELDS}", encoding="utf-8")
        asked = ("--corpus", corpus, "--judgments", judgments, "--target", path, "--json", out)
        done = run_command("run", *asked)
        return done, json.loads(out.read_text(encoding="utf-8")) if out.exists() else None

    return run


def check(result: Any) -> None:
    (stage,) = result["stages"]
    answers = {query["id"]: query["stages"]["tiny"] for query in result["queries"]}
    assert answers["identifier"]["measures"]["mrr@10"] == 1.0
    assert answers["retry-delay"]["measures"]["mrr@10"] == 0.5
    assert answers["cjk"]["status"] == "NO_RELEVANT_CONTEXT"
    assert stage["matched"] == {"text": 3}
    assert stage["abstention"]["unanswerable"] == 1.0


def test_an_mcp_server_on_pipes_is_measured(evaluated: Callable[[str], Any], stdio: str) -> None:
    done, result = evaluated(stdio)
    assert (done.code, done.err) == (0, "")
    check(result)
    assert "tool look of an MCP server started by python" in result["stages"][0]["summary"]


def test_an_mcp_server_over_http_is_measured(evaluated: Callable[[str], Any], tiny: Tiny) -> None:
    headers = 'headers = { Authorization = "Bearer ${TINY_TOKEN}" }\n'
    done, result = evaluated(
        f'type = "mcp"\nurl = "{tiny.url}/mcp"\ntool = "look"\n'
        f'arguments = {{ q = "{{query}}" }}\n{headers}'
    )
    assert (done.code, done.err) == (0, "")
    check(result)
    assert "s3cret" not in json.dumps(result)


def test_a_rest_endpoint_is_measured(evaluated: Callable[[str], Any], tiny: Tiny) -> None:
    done, result = evaluated(
        f'type = "rest"\nurl = "{tiny.url}/search"\nbody = {{ q = "{{query}}" }}\n'
        'headers = { Authorization = "Bearer ${TINY_TOKEN}" }\n'
    )
    assert (done.code, done.err) == (0, "")
    check(result)
    assert set(tiny.seen) == {"/search"}


@pytest.mark.parametrize(
    ("described", "message"),
    [
        ('type = "rest"\nurl = "{url}/search"\nbody = {{ q = "x" }}\n', "status 401"),
        ('type = "rest"\nurl = "http://127.0.0.1:9/"\n', "tiny failed at query retry-delay"),
        ('type = "mcp"\nurl = "{url}/mcp"\n', "tiny could not be started or reached"),
        ('type = "mcp"\ncommand = ["no-such-program"]\n', "tiny could not be started or reached"),
    ],
)
def test_a_server_that_fails_is_one_line_and_no_number(
    described: str, message: str, evaluated: Callable[[str], Any], tiny: Tiny
) -> None:
    done, result = evaluated(described.format(url=tiny.url))
    assert (done.code, done.out, done.err.count("\n"), result) == (1, "", 1, None)
    assert message in done.err


def test_a_tool_that_refuses_a_query_is_one_line_with_its_reason(
    evaluated: Callable[[str], Any], stdio: str, judgments: Path
) -> None:
    text = judgments.read_text(encoding="utf-8").replace("altitude", "altitude!")
    judgments.write_text(text, encoding="utf-8")
    done, _ = evaluated(stdio)
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert "tiny refused query nothing, so nothing is measured: out of hydrogen" in done.err


def test_quotes_need_their_corpus(
    run_command: RunCommand, judgments: Path, stdio: str, tmp_path: Path
) -> None:
    (tmp_path / "t.toml").write_text(f"[tiny]\n{stdio}{FIELDS}", encoding="utf-8")
    done = run_command("run", "--judgments", judgments, "--target", "t.toml")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "--corpus DIR" in done.err

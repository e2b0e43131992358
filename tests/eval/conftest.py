from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval import evaluate
from groundkit_eval.cli.app import execute
from groundkit_index.embedders import EmbedderSettings, make_embedder

DOCUMENTS = {
    "guide/retries.md": (
        "# Retries\n\n"
        "## Backoff\n\n"
        "A failed job is tried again after thirty seconds, then after two minutes.\n\n"
        "## Limits\n\n"
        "No job is tried more than six times; after that it is parked for a person.\n"
    ),
    "guide/tokens.md": (
        "# Access tokens\n\n"
        "A token is valid for ninety days. Rotate it with `kite token rotate`.\n\n"
        "Revoked tokens are refused within one minute on every node.\n"
    ),
    "guide/backup.md": ("# 備份\n\n系統每天凌晨三點備份資料庫，備份檔案保留三十天後自動刪除。\n"),
    "src/lease.py": (
        '"""Leases of workers."""\n\n\n'
        "def renewLease(worker: str) -> float:\n"
        '    """Prolong a lease by fifteen seconds."""\n'
        "    return 15.0\n"
    ),
    "decisions/0001-queue.md": (
        "# Use one queue per tenant\n\n"
        "A shared queue let one tenant starve the others, so each tenant has its own queue.\n"
    ),
    "config/kite.toml": "# Limits of the gateway\n[gateway]\nmax_body_megabytes = 12\n",
}

JUDGMENTS: list[dict[str, Any]] = [
    {
        "id": "retry-delay",
        "query": "how long until a failed job is tried again",
        "category": "paraphrase",
        "gold": [{"source": "guide/retries.md", "quote": "after thirty seconds"}],
    },
    {
        "id": "retry-and-token",
        "query": "six times parked ninety days valid",
        "category": "two places",
        "gold": [
            {"source": "guide/retries.md", "quote": "No job is tried more than six times"},
            {"source": "guide/tokens.md", "quote": "A token is valid for ninety days."},
        ],
    },
    {
        "id": "identifier",
        "query": "renewLease",
        "category": "identifier",
        "gold": [{"source": "src/lease.py", "quote": "def renewLease(worker: str)"}],
    },
    {
        "id": "cjk",
        "query": "備份檔案保留",
        "category": "cjk",
        "gold": [{"source": "guide/backup.md", "quote": "備份檔案保留三十天後自動刪除"}],
    },
    {
        "id": "gateway-body",
        "query": "gateway max_body_megabytes",
        "category": "identifier",
        "gold": [{"source": "config/kite.toml", "quote": "max_body_megabytes = 12"}],
        "source_class": "config",
    },
    {
        "id": "nothing",
        "query": "zeppelin mooring altitude",
        "category": "unanswerable",
        "gold": [],
    },
]

WriteCorpus = Callable[[dict[str, str | bytes]], Path]
WriteJudgments = Callable[[Sequence[dict[str, Any] | str]], Path]


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str


RunCommand = Callable[..., Done]


def _write_files(folder: Path, files: dict[str, str | bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    for source, content in files.items():
        path = folder / source
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def _write_lines(path: Path, lines: Sequence[dict[str, Any] | str]) -> Path:
    rows = [row if isinstance(row, str) else json.dumps(row) for row in lines]
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def write_corpus(tmp_path: Path) -> WriteCorpus:
    return lambda files: _write_files(tmp_path / "corpus", files)


@pytest.fixture
def write_judgments(tmp_path: Path) -> WriteJudgments:
    return lambda lines: _write_lines(tmp_path / "judgments.jsonl", lines)


@pytest.fixture
def corpus(write_corpus: WriteCorpus) -> Path:
    return write_corpus(dict(DOCUMENTS))


@pytest.fixture
def judgments(write_judgments: WriteJudgments) -> Path:
    return write_judgments(JUDGMENTS)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files, of this process and of those it starts."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


@pytest.fixture
def run_command(
    tmp_path: Path,
    temporary: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> RunCommand:
    """Run a command line in this process; afterwards no temporary file may be left."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str | Path) -> Done:
        capsys.readouterr()
        code = execute([str(argument) for argument in arguments])
        assert list(temporary.iterdir()) == []
        return Done(code, *capsys.readouterr())

    return run


@pytest.fixture(scope="session")
def example() -> Callable[[Path], tuple[Path, Path]]:
    """Writes the example corpus and judgments into a folder."""

    def write(folder: Path) -> tuple[Path, Path]:
        corpus = _write_files(folder / "corpus", dict(DOCUMENTS))
        return corpus, _write_lines(folder / "judgments.jsonl", JUDGMENTS)

    return write


@pytest.fixture(scope="session")
def result_json(
    tmp_path_factory: pytest.TempPathFactory, example: Callable[[Path], tuple[Path, Path]]
) -> str:
    """The result of the example corpus and judgments."""
    corpus, judgments = example(tmp_path_factory.mktemp("example"))
    return evaluate(corpus, judgments).to_json()


@pytest.fixture(scope="session")
def minilm() -> Path:
    """The folder of a small real model."""
    script = Path(__file__).parents[1] / "index" / "embedders" / "weights.py"
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False
    )
    if done.returncode == 3:
        pytest.skip(f"no weights: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    return Path(done.stdout.strip())


class ModelServer:
    """Speaks the wire format of Ollama over loopback; once `left` texts are embedded it refuses."""

    def __init__(self) -> None:
        self.left = 10**9
        self._model = make_embedder(EmbedderSettings("hash", dimensions=32))
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        endpoint = f"http://127.0.0.1:{self._http.server_port}"
        self.settings = EmbedderSettings("ollama", model="tiny", endpoint=endpoint)

    def answer(self, body: dict[str, Any]) -> tuple[int, bytes]:
        self.left -= len(body["input"])
        if self.left < 0:
            return 404, b"{}"
        vectors = self._model.embed_documents(body["input"]).tolist()
        return 200, json.dumps({"model": body["model"], "embeddings": vectors}).encode()

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet an answer

        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["Content-Length"]))
            status, body = server.answer(json.loads(content))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A server of embeddings on this machine."""
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture
def beir(tmp_path: Path) -> Path:
    """A small judged set in the layout of BEIR; a document's id is no file name."""
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    documents: list[dict[str, Any] | str] = [
        {"_id": "d/1", "title": "Retries", "text": "A failed job is tried again after a delay."},
        {"_id": "tokens", "title": "Access tokens", "text": "A token is valid for ninety days."},
        {"_id": "queue", "title": "", "text": "Each tenant has a queue of its own."},
        {"_id": "lease", "title": "Leases", "text": "A lease is prolonged by fifteen seconds."},
    ]
    queries: list[dict[str, Any] | str] = [
        {"_id": "retry", "text": "failed job delay"},
        {"_id": "token", "text": "token lifetime"},
        {"_id": "unjudged", "text": "tenant queue"},
        {"_id": "nothing", "text": "zeppelin mooring", "metadata": {"answerable": False}},
    ]
    qrels = "query-id\tcorpus-id\tscore\nretry\td/1\t2\nretry\ttokens\t0\ntoken\ttokens\t1\n"
    _write_lines(folder / "corpus.jsonl", documents)
    _write_lines(folder / "queries.jsonl", queries)
    (folder / "qrels/test.tsv").write_text(qrels, encoding="utf-8")
    return folder

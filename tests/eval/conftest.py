from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from groundkit_eval import evaluate
from groundkit_eval.cli.app import execute

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
def result_json(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The result of the example corpus and judgments."""
    folder = tmp_path_factory.mktemp("example")
    corpus = _write_files(folder / "corpus", dict(DOCUMENTS))
    return evaluate(corpus, _write_lines(folder / "judgments.jsonl", JUDGMENTS)).to_json()

"""Without the packages that vectors need, words still answer and every command says what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_BLOCKED = """
import sys
sys.modules["numpy"] = None
from groundkit_retrieval.cli import main
main(sys.argv[1:])
"""


def _run(index_dir: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", _BLOCKED, *arguments, "--index-dir", str(index_dir)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("command", [("embed",), ("embed", "--embedder", "hash")])
def test_embed_says_what_to_install(index_dir: Path, command: tuple[str, ...]) -> None:
    done = _run(index_dir, *command)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "pip install 'groundkit-retrieval[local]'" in done.stderr


def test_hybrid_degrades_to_words_and_dense_says_why(hashed: Path) -> None:
    hybrid = _run(hashed, "search", "zebra", "--json")
    assert hybrid.returncode == 0, hybrid.stderr
    assert '"degraded": true' in hybrid.stdout
    assert "zebra.md" in hybrid.stdout
    dense = _run(hashed, "search", "zebra", "--mode", "dense", "--json")
    assert '"reason": "plane_failed"' in dense.stdout
    assert "pip install" in dense.stdout


def test_status_and_ingest_go_on_and_say_what_waits(hashed: Path, docs: Path) -> None:
    assert _run(hashed, "status").returncode == 0
    (docs / "new.md").write_text("# New\n\nA new page on quills.\n")
    added = _run(hashed, "ingest", str(docs))
    assert added.returncode == 0
    assert "wait for their vectors" in added.stdout + added.stderr
    assert "new.md" in _run(hashed, "search", "quills", "--mode", "lexical", "--json").stdout

"""The real `groundkit-mcp serve --http` over a small corpus that is made anew."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_NULL = subprocess.DEVNULL
HERE = Path(__file__).parent
DOCUMENTS = {
    "guide.md": "# Guide\n\nAn engine for zebras.\n\n## Install\n\nRun `zebra-setup --all` once.\n",
    "limits.md": "# Limits\n\nThe gateway refuses bodies above twelve megabytes.\n",
    "lease.py": 'def renew(worker: str) -> float:\n    """Prolong a lease."""\n    return 15.0\n',
}


@dataclass(frozen=True, slots=True)
class Service:
    """A server that listens.

    Attributes:
        url: where, without a path.
        errors: what it writes to standard error.
    """

    url: str
    errors: Path

    def log(self) -> str:
        """Return what it has said so far."""
        return self.errors.read_text(encoding="utf-8")


@contextmanager
def running(folder: Path) -> Iterator[Service]:
    """Run the server on a free port; everything it needs is written below `folder`.

    The collection has vectors of the hashing embedder, so that every mode can be asked for.
    """
    docs, index, errors = folder / "docs", folder / "index", folder / "stderr.txt"
    docs.mkdir()
    for name, text in DOCUMENTS.items():
        (docs / name).write_text(text, encoding="utf-8")
    env = {**os.environ, "GROUNDKIT_PROFILE": "engineer", "GROUNDKIT_INDEX_DIR": str(index)}
    groundkit = (sys.executable, "-P", "-m", "groundkit_retrieval")
    for arguments in (["ingest", str(docs)], ["embed", "--embedder", "hash"]):
        subprocess.run([*groundkit, *arguments], env=env, cwd=folder, check=True, stdout=_NULL)
    serve = (sys.executable, "-P", "-m", "groundkit_mcp", "serve", "--http", "--port", "0")
    with (
        errors.open("wb") as log,
        subprocess.Popen(
            serve, env=env, cwd=folder, stdin=_NULL, stdout=_NULL, stderr=log
        ) as server,
    ):
        try:
            yield Service(_address(server, errors), errors)
        finally:
            server.terminate()
            try:
                server.wait(15)
            except subprocess.TimeoutExpired:
                server.kill()


def _address(server: subprocess.Popen[bytes], errors: Path) -> str:
    for _ in range(600):
        said = errors.read_text(encoding="utf-8")
        if found := re.search(r"listening on (http://127\.0\.0\.1:\d+)/mcp\n", said):
            return found[1]
        try:
            server.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
        raise RuntimeError(f"the server ended: {said}")
    raise TimeoutError("the server does not listen")

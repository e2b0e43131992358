from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from groundkit_retrieval.cli import main


@dataclass(frozen=True, slots=True)
class Done:
    """What a finished command left."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Groundkit = Callable[..., Done]


@pytest.fixture
def groundkit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> Groundkit:
    """Run the command in the test's folder; in this process, so that a test costs no start."""

    def run(*arguments: str, folder: Path = tmp_path, env: dict[str, str] | None = None) -> Done:
        capfdbinary.readouterr()
        with monkeypatch.context() as patch:
            patch.chdir(folder)
            for name, value in (env or {}).items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as ended:
                main(list(arguments))
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Done(int(ended.value.code or 0), out.decode(), err.decode())

    return run


@pytest.fixture
def process(tmp_path: Path) -> Groundkit:
    """Run the command in a process of its own, with warnings as errors."""

    def run(*arguments: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "groundkit_retrieval", *arguments],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=120,
        )
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with three small documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "keys.md").write_text(
        "# Keys\n\nRotate the signing key every ninety days.\n\n## Backup\n\nKeep two copies.\n"
    )
    (folder / "queue.md").write_text("# Queue\n\nA worker holds its lease for thirty seconds.\n")
    (folder / "names.py").write_text("def getUserName():\n    return 'nobody'\n")
    return folder

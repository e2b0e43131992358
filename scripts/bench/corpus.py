"""The corpus: where it is, a private copy of it, and its Markdown files."""

from __future__ import annotations

import multiprocessing
import shutil
import tarfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from scripts.bench.errors import BenchError, CorpusAbsentError

CHECKOUT = Path(__file__).resolve().parents[2]
_BESIDE_CHECKOUT = Path("shared", "data", "md-corpus.tar.xz")


def locate(given: Path | None, checkout: Path = CHECKOUT) -> Path:
    """The folder or archive to measure over.

    Args:
        given: what was asked for; None means the archive beside the checkout.
        checkout: the folder that holds the repository.

    Raises:
        CorpusAbsentError: nothing was asked for, and the default is not there.
        BenchError: what was asked for does not exist.
    """
    if given is not None:
        if not given.exists():
            raise BenchError(f"no corpus at {given}; name a folder or a tar archive")
        return given
    default = checkout.parent / _BESIDE_CHECKOUT
    if not default.exists():
        raise CorpusAbsentError(
            f"no {_BESIDE_CHECKOUT.name} beside the checkout; pass --corpus DIR|TAR"
        )
    return default


def _unpack(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as tar:
        tar.extractall(target, filter="data")


def _copy(origin: Path, target: Path) -> None:
    try:
        if origin.is_dir():
            shutil.copytree(origin, target, symlinks=True)
        else:
            _unpack(origin, target)
    except (OSError, tarfile.TarError) as error:  # of which some cannot cross a process boundary
        raise BenchError(f"cannot unpack {origin.name}: {error}") from None


def materialize(origin: Path, target: Path) -> Path:
    """Copy or unpack the corpus into `target`, replacing it; it may then be edited.

    This runs in a process of its own: a child's `ru_maxrss` starts at its parent's
    peak, so the benchmark itself must stay small.

    Returns:
        The folder to ingest: `target`, or the only folder in it.

    Raises:
        BenchError: the archive cannot be read.
    """
    shutil.rmtree(target, ignore_errors=True)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        pool.submit(_copy, origin, target).result()
    inside = list(target.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else target


def markdown_files(root: Path) -> list[Path]:
    """The Markdown files outside hidden folders, in the order of their POSIX paths."""
    found = (path for path in root.rglob("*.md") if path.is_file())
    visible = (p for p in found if not any(part[0] == "." for part in p.relative_to(root).parts))
    return sorted(visible, key=lambda path: path.relative_to(root).as_posix())

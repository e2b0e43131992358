"""Times the bare parser, the loader and the whole path in turn over the same files."""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

from scripts.formats.bare import EXTRACTORS

from groundkit_core.analysis import Analyzer
from groundkit_core.chunking import chunk
from groundkit_core.errors import DocumentRefusedError
from groundkit_core.kinds import Kind, kind_of
from groundkit_core.model import ChunkSettings, FileSignature
from groundkit_core.text import decode
from groundkit_index.loaders import Limits, load
from groundkit_index.pool import read_files
from groundkit_index.prepare import prepare
from groundkit_index.reading import Job, ReadSettings

_NOTHING: frozenset[str] = frozenset()
_SIGNATURE = FileSignature(0, 0, 0, 0)
_MAX_BYTES = 16 * 2**20


def _load(kind: Kind, data: bytes) -> None:
    if kind.extracted:
        load(kind.name, data, Limits())
    else:
        chunk(decode(data).text, kind)


def _whole(source: str, kind: Kind, data: bytes, analyzer: Analyzer) -> None:
    prepare(
        source,
        data,
        _SIGNATURE,
        kind=kind,
        source_class="docs",
        project="default",
        chunking=ChunkSettings(),
        analyzer=analyzer,
        allowed=_NOTHING,
    )


def main(name: str, folder: Path, listing: Path, budget: float) -> None:
    """Print what was taken.

    Args:
        name: the format.
        folder: the folder of its files.
        listing: JSON, the sources to read, in this order.
        budget: seconds after which no further file is begun.
    """
    bare, analyzer = EXTRACTORS[name], Analyzer("english")
    spent: dict[str, float] = defaultdict(float)
    sources, size, units = [], 0, 0
    wanted = json.loads(listing.read_text(encoding="utf-8"))
    _warm_up(folder, wanted, bare.run, analyzer)
    end = time.perf_counter() + budget
    for source in wanted:
        data, kind = (folder / source).read_bytes(), kind_of(source)
        if kind is None or time.perf_counter() > end:
            continue
        times, count = _timed(source, kind, data, bare.run, analyzer)
        if not times:
            continue
        for step, seconds in times.items():
            spent[step] += seconds
        sources.append(source)
        size += len(data)
        units += count
    for workers in (1, 2):
        spent[f"read_{workers}"] = _read(folder, sources, workers)
    print(json.dumps({"files": len(sources), "bytes": size, "units": units, **spent}))


def _warm_up(
    folder: Path, sources: list[str], bare: Callable[[bytes], int], analyzer: Analyzer
) -> None:
    for source in sources[:3]:
        kind = kind_of(source)
        if kind is not None:
            _timed(source, kind, (folder / source).read_bytes(), bare, analyzer)


def _timed(
    source: str, kind: Kind, data: bytes, bare: Callable[[bytes], int], analyzer: Analyzer
) -> tuple[dict[str, float], int]:
    """Return the seconds of each step, and the units; no seconds where one step fails."""
    try:
        times = [time.perf_counter()]
        units = bare(data)
        times.append(time.perf_counter())
        _load(kind, data)
        times.append(time.perf_counter())
        _whole(source, kind, data, analyzer)
        times.append(time.perf_counter())
    except DocumentRefusedError:
        return {}, 0
    except Exception:  # noqa: BLE001  what the bare parser cannot read is not compared
        return {}, 0
    steps = [after - before for before, after in pairwise(times)]
    return dict(zip(("bare", "loader", "whole"), steps, strict=True)), units


def _read(folder: Path, sources: list[str], workers: int) -> float:
    """Return the seconds that the product's own readers take, processes started included."""
    settings = ReadSettings(
        root=str(folder),
        snapshots=str(folder),
        max_bytes=_MAX_BYTES,
        detect=True,
        chunking=ChunkSettings(),
        language="english",
        allowed=_NOTHING,
        held=_NOTHING,
    )
    jobs = []
    for source in sources:
        kind, size = kind_of(source), (folder / source).stat().st_size
        if kind is not None:
            jobs.append(Job(source, size, kind, "docs", "default", 1, None))
    started = time.perf_counter()
    for _ in read_files(jobs, settings, workers):
        pass
    return time.perf_counter() - started


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]), float(sys.argv[4]))

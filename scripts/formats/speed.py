"""How fast documents are read, beside the bare parsers."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.bench import process
from scripts.bench.corpus import CHECKOUT
from scripts.formats.bare import EXTRACTORS
from scripts.formats.staging import Staged

MOST_OF_BARE = 1.3
"""How many times the bare parser's time a loader may take."""


@dataclass(frozen=True, slots=True)
class Speed:
    """What reading files of one format took, in seconds.

    Attributes:
        name: the format.
        files: how many files were read; each step reads the same.
        bytes: their size.
        units: pages and the like.
        bare: the bare parser.
        loader: the loader alone; for texts, decoding and chunking.
        whole: the loader, chunking and analysis, one process.
        read_1: the product's readers with one process, its start included.
        read_2: with two.
    """

    name: str
    files: int
    bytes: int
    units: int
    bare: float = 0.0
    loader: float = 0.0
    whole: float = 0.0
    read_1: float = 0.0
    read_2: float = 0.0


def measure(
    name: str, staged: Sequence[Staged], folder: Path, work: Path, budget: float
) -> Speed | None:
    """Time files of a format in a process of its own; None where none can be compared.

    Args:
        name: a key of `EXTRACTORS`.
        staged: files that were indexed.
        folder: what they are in.
        work: a folder for scratch files.
        budget: seconds after which no further file is begun.

    Raises:
        BenchError: the process failed.
    """
    if name not in EXTRACTORS or not staged:
        return None
    sources = [file.source for file in staged]
    random.Random(1).shuffle(sources)  # noqa: S311  the same sample every time
    listing = work / f"{name}.json"
    listing.write_text(json.dumps(sources), encoding="utf-8")
    arguments = [name, str(folder), str(listing), str(budget)]
    command = [sys.executable, "-m", "scripts.formats.workers.speed", *arguments]
    done = process.run(command, logs=work, env=process.environment(work), cwd=CHECKOUT)
    found: Mapping[str, float] = json.loads(done.stdout)
    return Speed(name, **found) if found["files"] else None  # type: ignore[arg-type]

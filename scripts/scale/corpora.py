"""Corpora of a number of chunks, in one folder a project."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from scripts.scale.splice import Spliced

from groundkit_core.chunking import chunk
from groundkit_core.kinds import Kind
from groundkit_core.model import ChunkSettings

PROJECTS = ("half", "hundredth", "rest")
"""Projects of 50 %, 1 % and 49 % of the documents."""

SPARE = "spare"
_SAMPLE = 400
_PER_FOLDER = 1_000


@dataclass(frozen=True, slots=True)
class Written:
    """What a corpus holds.

    Attributes:
        documents: files in the folders of projects.
        bytes: their length.
        spare: files in the folder `spare`, for documents to add later.
    """

    documents: int
    bytes: int
    spare: int


def project_of(number: int) -> str:
    """The project of the document with this number."""
    if number % 2:
        return "half"
    return "hundredth" if number % 100 == 0 else "rest"


def write_corpus(documents: Iterator[Spliced], target: Path, chunks: int, spare: int) -> Written:
    """Write documents until they make about so many chunks, and some more aside.

    The number of chunks is taken from the length of the text; the first documents are chunked to
    know how long a chunk is. A larger corpus begins with the documents of a smaller one.

    Args:
        documents: at least as many as needed.
        target: an empty or absent folder.
        chunks: how many chunks of the default size.
        spare: how many documents to write into the folder `spare`.
    """
    sample = list(islice(documents, min(_SAMPLE, max(chunks // 10, 1))))
    missing = chunks * _chunk_chars(sample)
    count = size = 0
    for document in chain(sample, documents):
        folder = target / project_of(count) / f"{count // _PER_FOLDER:04d}"
        size += _write(folder, document)
        count += 1
        missing -= len(document.text)
        if missing <= 0:
            break
    aside = sum(1 for one in islice(documents, spare) if _write(target / SPARE, one))
    return Written(count, size, aside)


def _chunk_chars(sample: list[Spliced]) -> float:
    markdown, settings = Kind("markdown"), ChunkSettings()
    made = sum(len(chunk(one.text, markdown, settings).spans) for one in sample)
    return sum(len(one.text) for one in sample) / made


def _write(folder: Path, document: Spliced) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    data = document.text.encode()
    (folder / document.name).write_bytes(data)
    return len(data)
